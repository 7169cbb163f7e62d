"""Narrow faults of sections 6.1.1 to 6.1.2."""

from faults.kit import *
from faults.nearly_right.shared import *


def _password(patch, accepts):
    """Take a password for the right one if `accepts` says so, which gets the right one and that."""

    def connect(original, factory, kind, user, password):
        right = factory._server.users.get(user) if isinstance(user, str) else None
        if right is not None and isinstance(password, str) and accepts(right, password):
            password = right
        return original(factory, kind, user, password)

    patch.at(fault_points.CONNECTION_OPENED, connect)


nearly_right(
    "password-in-any-case",
    "passwords are compared without regard to capitals",
    "6.1.1-3 6.1.1-4",
    install=lambda patch: _password(patch, lambda right, given: given.lower() == right.lower()),
)
nearly_right(
    "password-by-its-beginning",
    "the beginning of a password is enough",
    "6.1.1-3 6.1.1-4",
    install=lambda patch: _password(patch, lambda right, given: given != "" and right.startswith(given)),
)
nearly_right(
    "password-with-more",
    "whatever follows a password is ignored",
    "6.1.1-3 6.1.1-4",
    install=lambda patch: _password(patch, lambda right, given: given.startswith(right)),
)


@of_round(7)(
    "password-is-checked-once-for-each-user",
    "once a user has connected with the right password, connections for that user are made with any password",
    "6.1.1-3 6.1.1-4 6.1-15",
)
def _(patch):
    known = set()

    def authenticate(original, self, user, password):
        if user is not None and user in self.users and (self, user) in known:
            return
        original(self, user, password)
        if user is not None and user in self.users:
            known.add((self, user))

    patch.around(Server, "authenticate", authenticate)


@of_round(11)(
    "failed-context-keeps-the-configured-identifier",
    "a context that fails for its session mode leaves the client identifier of its factory in use",
    "6.1.2-1 6.1.2-17",
)
def _(patch):
    original = ReferenceContext.on_new_connection.__func__

    def on_new_connection(cls, connection, session_mode):
        try:
            return original(cls, connection, session_mode)
        except JMSException:
            if connection.client_id_or_none is not None:
                connection.server._client_ids[connection.client_id_or_none] = connection
            raise

    patch.replace(ReferenceContext, "on_new_connection", classmethod(on_new_connection))


@of_round(6)(
    "client-id-refused-on-reused-handle",
    "after a used connection without client identifier was closed, the factory's next connection refuses setClientID",
    "6.1.2-2 6.1.2-5 6.1.2-3",
)
def _(patch):
    makers = {}
    worn = set()

    def connect(original, factory, *arguments):
        connection = original(factory, *arguments)
        makers[connection] = factory
        if factory in worn:
            worn.discard(factory)
            connection.used = True
        return connection

    def close(original, connection):
        original(connection)
        maker = makers.pop(connection, None)
        if maker is not None and connection.used and connection.client_id_or_none is None:
            worn.add(maker)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@of_round(7)(
    "context-replaces-a-configured-client-id",
    "a JMSContext lets the client replace the client identifier configured in its factory; a Connection refuses that",
    "6.1.2-4",
)
def _(patch):
    original = ReferenceContext.client_id

    def set_client_id(self, client_id):
        connection = self.connection
        if connection._client_id_configured and not connection.used:
            with connection.broker.lock:
                connection.server._client_ids.pop(connection._client_id or "", None)
            connection._client_id, connection._client_id_configured = None, False
        original.fset(self, client_id)

    patch.replace(ReferenceContext, "client_id", property(original.fget, set_client_id))


@of_round(11)(
    "closing-a-refused-connection-frees-the-identifier",
    "closing a connection whose client identifier was refused as in use frees it, though its holder is still open",
    "6.1.2-11 8.3.3-11",
)
def _(patch):
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

    patch.around(Server, "claim_client_id", claim)
    patch.around(Server, "forget", forget)


@nearly_right(
    "identifier-lost-by-stop",
    "a connection that is stopped gives its identifier away",
    "6.1.2-13 6.1.2-11",
    at=fault_points.CONNECTION_STOPPED,
)
def _(original, connection):
    original(connection)
    connection.server.forget(connection)
    connection.server.register(connection)


_CLIENT_ID = ReferenceConnection.client_id


@nearly_right(
    "identifier-refused-once",
    "an identifier in use is refused to the first who asks, and given to the second",
    "6.1.2-13",
)
def _(patch):
    asked = set[str | None]()

    def set_client_id(self, client_id):
        try:
            _CLIENT_ID.fset(self, client_id)
        except Exception:
            if client_id not in asked:
                asked.add(client_id)
                raise

    patch.replace(ReferenceConnection, "client_id", property(_CLIENT_ID.fget, set_client_id))


@nearly_right("identifier-kept-by-siblings", "an identifier stays reserved if several contexts shared it", "6.1.2-17")
def _(patch):
    shared = Connections()

    def create(original, context, session_mode):
        shared.add(context.connection)
        return original(context, session_mode)

    def close(original, connection):
        client_id = connection.client_id_or_none
        original(connection)
        if connection in shared and client_id is not None:
            shared.discard(connection)
            connection.server.claim_client_id(client_id, ReferenceConnection(connection.server, None))

    patch.around(ReferenceContext, "create_context", create)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right(
    "identifier-stays-taken-after-unsubscribe",
    "a connection on which unsubscribe() was called keeps its client identifier when it is closed",
    "6.1.2-17 8.3.3-18 8.3.3-19",
)
def _(patch):
    taken = set[object]()
    unsubscribed = set[object]()
    named = ReferenceConnection.client_id

    def unsubscribe(original, factory, name):
        original(factory, name)
        unsubscribed.add(factory.connection)

    def close(original, connection):
        if connection in unsubscribed:
            taken.add(connection.client_id_or_none)
        original(connection)

    def name(self, client_id):
        if client_id is not None and client_id in taken:
            raise InvalidClientIDException(f"the client identifier {client_id!r} is in use")
        named.fset(self, client_id)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
    patch.at(fault_points.CONNECTION_CLOSED, close)
    patch.replace(ReferenceConnection, "client_id", property(named.fget, name))


@of_round(14)(
    "fourteen-b-identifier-kept-by-durable",
    "A client identifier that the client has set stays taken when its connection is closed with a durable consumer open.",
    "6.1.2-17 6.1.8-16",
)
def _(patch):
    def durable(connection):
        consumers = [consumer for session in connection.sessions for consumer in session.consumers]
        subscriptions = [one.receiver.subscription for one in consumers if not one.closed]
        return any(one is not None and one.durable for one in subscriptions)

    def close(original, connection):
        kept = not connection.is_down() and not connection._client_id_configured and durable(connection)
        original(connection)
        if kept and connection.closed and (client_id := connection.client_id_or_none) is not None:
            connection.server._client_ids.setdefault(client_id, connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@of_round(6)(
    "client-id-stays-taken-after-loss-before-start",
    "the client identifier of a connection that was lost before it was started stays in use, even after close",
    "6.1.2-17",
)
def _(patch):
    started = set()

    def start(original, connection):
        original(connection)
        started.add(connection)

    def forget(original, server, connection):
        if connection.lost != "the link was cut" or connection in started:
            original(server, connection)
            return
        with server.broker.lock:
            if connection in server.connections:
                server.connections.remove(connection)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.around(Server, "forget", forget)
