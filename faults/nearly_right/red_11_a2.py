"""Red round 11, second part: what one subscription, factory, destination object or connection does to another.

Declared by `nearly_right`; written without sight of the suite.
"""

from faults.kit import *
from faults.nearly_right.red_11_a1 import Notes

# --- chapter 4 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "second-browser-lends-the-first-its-selector",
    "opening a browser with a selector changes what an earlier browser with another selector of the session shows",
    "4.1.6-5",
)
def _lent_selector(patch):
    opened = []

    def create_browser(original, session, *arguments):
        made = original(session, *arguments)
        if made._matches is not None:
            for one in opened:
                if one.session is session and one._physical is made._physical:
                    one._matches = made._matches
            opened.append(made)
        return made

    around(patch, ReferenceSession, "create_browser", create_browser)


@of_round(11)(
    "selecting-consumer-begins-where-a-closed-one-stopped",
    "a consumer with a selector skips messages that an earlier one, with another selector, had passed over before its close",
    "4.1.2-7",
    "4.1.2-6",
    "8.1-2",
)
def _begins_late(patch):
    stopped = Notes()

    def forget(original, level, consumer):
        cursor = level._cursors.get(consumer)
        if cursor is not None:
            stopped.put(level, cursor)
        original(level, consumer)

    def take_matching(original, level, consumer, matches):
        level._cursors.setdefault(consumer, stopped.get(level) or 0)
        return original(level, consumer, matches)

    around(patch, PriorityLevel, "forget", forget)
    around(patch, PriorityLevel, "take_matching", take_matching)


@of_round(11)(
    "replacement-removes-the-namesake-of-another-client",
    "a durable subscription resumed with another selector takes the one of the same name of another client along",
    "4.2.2-25",
    "8.3.3-15",
    "4.2.2-21",
    around=(Subscriptions, "store"),
)
def _(original, found, key, *terms, **named):
    if named["replaced"] is not None:
        for other in found.all_durable():
            if other.key is not None and other.key[0] != key[0] and other.key[1] == key[1] and not other.consumers:
                found.delete(other)
    return original(found, key, *terms, **named)


@of_round(11)(
    "unsubscribe-deletes-rows-that-others-hold",
    "unsubscribe deletes from the file the messages that another durable subscription still has: it loses them at a restart",
    "4.2.2-23",
    "8.3.3-9",
    "7.7-4",
)
def _rows_of_others(patch):
    original = of_subscriptions.deletion_statements

    def deletion_statements(subscription):
        row = subscription.delivery_queue.subscription
        shared = "delete from delivery where message in (select message from delivery where subscription = ?)"
        messages = "delete from message where id in (select message from delivery where subscription = ?)"
        return [(messages, (row,)), (shared, (row,)), *original(subscription)]

    patch.replace(of_subscriptions, "deletion_statements", deletion_statements)


# --- chapter 5 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "credentials-of-one-call-stay-in-the-factory",
    "a factory with a configured user connects without credentials as the user that an earlier call gave",
    "5.3-1",
    "6.1.1-2",
)
def _credentials(patch):
    given = Notes()

    def connect(original, factory, kind, user, password):
        if user is not OMITTED:
            connection = original(factory, kind, user, password)
            given.put(factory, (user, password))
            return connection
        kept = given.get(factory) if factory.parameters.user_name is not None else None
        return original(factory, kind, *(kept or (user, password)))

    patch.at(fault_points.CONNECTION_OPENED, connect)


@of_round(11)(
    "queue-object-dies-with-its-connection",
    "a Queue object made by a session leads nowhere on other connections once the connection of that session is closed",
    "5.2-2",
    "4.1.4-2",
    "6.2.3-1",
)
def _dies(patch):
    makers = Notes()

    def create_queue(original, session, name):
        made = original(session, name)
        makers.put(made, session.connection)  # sessions have no other connections
        return made

    def physical_destination(original, broker, destination):
        maker = makers.get(destination)
        if maker is not None and maker.closed:
            raise InvalidDestinationException(f"{destination} belongs to a closed connection")
        return original(broker, destination)

    around(patch, SessionFactories, "create_queue", create_queue)
    around(patch, Broker, "physical_destination", physical_destination)


@of_round(11)(
    "new-binding-of-a-name-moves-its-aliases",
    "binding a name anew binds the other names of its former object to the new object too",
    "5.1-3",
    "5.1-2",
)
def _aliases(patch):
    bound = {}

    def bind(original, naming, name, obj):
        former = bound.get(name)
        for alias in [name, *(other for other, known in bound.items() if former is not None and known == former)]:
            original(naming, alias, obj)
            bound[alias] = obj

    around(patch, Naming, "bind", bind)


# --- chapter 6 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "closing-a-refused-connection-frees-the-identifier",
    "closing a connection whose client identifier was refused as in use frees it, though its holder is still open",
    "6.1.2-11",
    "8.3.3-11",
)
def _freed(patch):
    refused = Notes()

    def claim(original, server, client_id, connection):
        try:
            original(server, client_id, connection)
        except InvalidClientIDException:
            if client_id:
                refused.put(connection, client_id)
            raise

    def forget(original, server, connection):
        original(server, connection)
        client_id = refused.get(connection)
        if client_id is not None:
            server._client_ids.pop(client_id, None)

    around(patch, Server, "claim_client_id", claim)
    around(patch, Server, "forget", forget)


@of_round(11)(
    "failed-context-keeps-the-configured-identifier",
    "a context that fails for its session mode leaves the client identifier of its factory in use",
    "6.1.2-1",
    "6.1.2-17",
)
def _kept_identifier(patch):
    original = ReferenceContext.on_new_connection.__func__

    def on_new_connection(cls, connection, session_mode):
        try:
            return original(cls, connection, session_mode)
        except JMSException:
            if connection.client_id_or_none is not None:
                connection.server._client_ids[connection.client_id_or_none] = connection
            raise

    patch.replace(ReferenceContext, "on_new_connection", classmethod(on_new_connection))


@of_round(11)(
    "cut-returns-what-other-connections-hold",
    "when a connection is cut, unacknowledged messages that another connection took from its queues are delivered again",
    "6.2.12-1",
    "4.1.2-4",
    at=fault_points.LINK_LOST,
)
def _(original, connection, why):
    with connection.broker.lock:
        queues = {one.receiver.delivery_queue for session in connection.sessions for one in session.consumers}
    original(connection, why)
    with connection.broker.lock:
        for other in connection.server.connections:
            for session in getattr(other, "sessions", []):
                for delivery in session.state.unacknowledged:
                    if delivery.source in queues:
                        delivery.redeliver()
