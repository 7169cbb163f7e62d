"""Red round 9, first part: faults in administered objects and connections, written without sight of the suite."""

from contextlib import suppress
from dataclasses import replace

from faults.kit import *


@of_round(9)(
    "credentials-drop-the-configured-client-id",
    "a connection made with user name and password does not get the client identifier configured in its factory",
    "5.3-1",
    "6.1.2-1",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, user_name, password):
    if user_name is not OMITTED and factory.parameters.client_id is not None:
        factory = type(factory)(factory._server, replace(factory.parameters, client_id=None))
    return original(factory, kind, user_name, password)


@of_round(9)(
    "factory-that-failed-forgets-its-client-id",
    "once a factory could not connect because its client identifier was in use, it makes connections without one",
    "5.3-1",
    "6.1.2-1",
    noticed=False,
)
def _failed_factory(patch):
    failed = {}  # factories by identity

    def connect(original, factory, *arguments):
        if id(factory) in failed:
            factory = type(factory)(factory._server, replace(factory.parameters, client_id=None))
        try:
            return original(factory, *arguments)
        except InvalidClientIDException:
            failed[id(factory)] = factory
            raise

    patch.at(fault_points.CONNECTION_OPENED, connect)


@of_round(9)(
    "second-name-of-a-destination-leads-elsewhere",
    "a destination bound under two names: the object looked up by the second name leads to another place",
    "5.2-2",
    noticed=False,
)
def _second_name(patch):
    bind, lookup = Naming.bind, Naming.lookup
    first_names = {}

    def bind_and_note(self, name, obj):
        bind(self, name, obj)
        if isinstance(obj, ReferenceDestination):
            first_names.setdefault(obj, name)

    def look_up(self, name):
        found = lookup(self, name)
        if isinstance(found, ReferenceDestination) and first_names.get(found, name) != name:
            return type(found)(name)
        return found

    patch.replace(Naming, "bind", bind_and_note)
    patch.replace(Naming, "lookup", look_up)


@of_round(9)(
    "failed-claim-frees-the-client-id",
    "when a connection closes that was refused a client identifier in use, the identifier is free for a third one",
    "6.1.2-11",
    "6.1.2-16",
    noticed=False,
)
def _failed_claim(patch):
    claim, forget = Server.claim_client_id, Server.forget
    refused = {}  # by identity of the connection

    def claim_and_note(self, client_id, connection):
        try:
            claim(self, client_id, connection)
        except InvalidClientIDException:
            if client_id:
                refused[id(connection)] = connection, client_id
            raise

    def forget_and_free(self, connection):
        forget(self, connection)
        _, client_id = refused.pop(id(connection), (None, None))
        if client_id is not None:
            with self.broker.lock:
                self._client_ids.pop(client_id, None)

    patch.replace(Server, "claim_client_id", claim_and_note)
    patch.replace(Server, "forget", forget_and_free)


@of_round(9)(
    "siblings-inherit-auto-start-off",
    "a context made from one whose auto-start is off has it off as well",
    "6.1.4-15",
    "6.1.4-10",
    "8.4-11",
)
def _inherited(patch):
    create = ReferenceContext.create_context

    def create_context(self, session_mode):
        made = create(self, session_mode)
        made._auto_start = self._auto_start
        return made

    patch.replace(ReferenceContext, "create_context", create_context)


@of_round(9)(
    "stop-has-to-come-from-every-context-that-started",
    "stop on a context has no effect while another one over the connection has called start and not stop",
    "6.1.5-5",
    "8.4-7",
    "6.1.5-10",
    noticed=False,
)
def _stopped_by_all(patch):
    start, stop = ReferenceContext.start, ReferenceContext.stop
    started = {}

    def start_and_note(self):
        start(self)
        started[id(self)] = self

    def stop_if_last(self):
        started.pop(id(self), None)
        others = [one for one in started.values() if one.connection is self.connection and not one._closed]
        if not others:
            stop(self)

    patch.replace(ReferenceContext, "start", start_and_note)
    patch.replace(ReferenceContext, "stop", stop_if_last)


@of_round(9)(
    "exception-listener-goes-with-its-context",
    "the close of a context takes the exception listener that was set through it off the connection of its siblings",
    "6.1.7-6",
    "6.1.8-20",
    "6.1.7-1",
    noticed=False,
)
def _listener_goes(patch):
    listener = vars(ReferenceContext)["exception_listener"]
    close = ReferenceContext.close
    setters = {}  # by identity of the connection

    def set_listener(self, value):
        listener.fset(self, value)
        setters[id(self.connection)] = self

    def close_with_listener(self):
        close(self)
        if setters.get(id(self.connection)) is self:
            del setters[id(self.connection)]
            self.connection._exception_listener = None

    patch.replace(ReferenceContext, "exception_listener", property(listener.fget, set_listener))
    patch.replace(ReferenceContext, "close", close_with_listener)


@of_round(9)(
    "rollback-deletes-new-temporary-destinations",
    "rollback also deletes the temporary destinations that the session has created in the transaction",
    "6.2.2-2",
    noticed=False,
)
def _temporary_rolled_back(patch):
    made = {}  # by identity of the session

    def noting(name):
        original = getattr(ReferenceSession, name)

        def create(session):
            destination = original(session)
            if session.mode == Session.SESSION_TRANSACTED:
                made.setdefault(id(session), []).append(destination_of(destination.kind, destination.name))
            return destination

        patch.replace(ReferenceSession, name, create)

    def roll_back(original, session, work):
        original(session, work)
        temporaries = session.connection.temporaries
        for destination in made.pop(id(session), []):
            with suppress(JMSException):  # in use
                if not session.closing:
                    temporaries.delete(destination)

    def keep(session):
        made.pop(id(session), None)

    noting("create_temporary_queue")
    noting("create_temporary_topic")
    before_commit(patch, keep)
    patch.at(fault_points.ROLLBACK, roll_back)


@of_round(9)(
    "transaction-is-sent-producer-by-producer",
    "commit sends all messages of one producer, then those of the next, in whatever order the session sent them",
    "6.2.9.2-10",
    "6.2.9.1-2",
    "6.2.9.1-3",
)
def _by_producer(patch):
    senders = {}  # by identity of the message

    def prepare(original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        senders[id(entry)] = entry, producer
        return physical, entry

    def commit(session):
        sends = session.state.work.sends
        order = [id(senders[id(entry)][1]) for _, entry in sends if id(entry) in senders]
        if len(order) == len(sends):
            sends.sort(key=lambda one: order.index(id(senders[id(one[1])][1])))

    patch.at(fault_points.SEND_PREPARED, prepare)
    before_commit(patch, commit)


@of_round(9)(
    "session-close-loses-what-a-closed-consumer-had",
    "the close of a transacted session consumes what it has received through a consumer that was closed before",
    "6.2.15-15",
    "6.2.15-16",
    "6.1.8-27",
    "6.1.8-28",
    noticed=False,
)
def _closed_consumer(patch):
    closed = {}  # consumers by identity

    def detach(original, consumer):
        original(consumer)
        if not consumer.session.closing:
            closed[id(consumer)] = consumer

    def end(original, session):
        work = session.state.work
        lost = [one for one in work.acks if id(one.consumer) in closed]
        if lost and session.connection.lost is None:
            work.acks = [one for one in work.acks if one not in lost]
            session.state.acknowledge(lost, durable=True)
        original(session)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.SESSION_ENDED, end)
