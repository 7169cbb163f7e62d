"""Providers that connect, name clients and start delivery as they should, but for one circumstance."""

from faults.kit import *

_AUTO_START = ReferenceContext.auto_start
_CLIENT_ID = ReferenceConnection.client_id


@nearly_right("identifier-kept-by-siblings", "an identifier stays reserved if several contexts shared it", "6.1.2-17")
def _siblings(patch):
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

    around(patch, ReferenceContext, "create_context", create)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right(
    "identifier-lost-by-stop",
    "a connection that is stopped gives its identifier away",
    "6.1.2-13",
    "6.1.2-11",
    at=fault_points.CONNECTION_STOPPED,
)
def _(original, connection):
    original(connection)
    connection.server.forget(connection)
    connection.server.register(connection)


@nearly_right(
    "identifier-refused-once",
    "an identifier in use is refused to the first who asks, and given to the second",
    "6.1.2-13",
)
def _second(patch):
    asked = set[str | None]()

    def set_client_id(self, client_id):
        try:
            _CLIENT_ID.fset(self, client_id)
        except Exception:
            if client_id not in asked:
                asked.add(client_id)
                raise

    patch.replace(ReferenceConnection, "client_id", property(_CLIENT_ID.fget, set_client_id))


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
    "6.1.1-3",
    "6.1.1-4",
    install=lambda patch: _password(patch, lambda right, given: given.lower() == right.lower()),
)
nearly_right(
    "password-by-its-beginning",
    "the beginning of a password is enough",
    "6.1.1-3",
    "6.1.1-4",
    install=lambda patch: _password(patch, lambda right, given: given != "" and right.startswith(given)),
)
nearly_right(
    "password-with-more",
    "whatever follows a password is ignored",
    "6.1.1-3",
    "6.1.1-4",
    install=lambda patch: _password(patch, lambda right, given: given.startswith(right)),
)


@nearly_right(
    "auto-start-returns-with-stop",
    "stop() of a context turns its auto-start on again",
    "6.1.4-15",
    around=(ReferenceContext, "stop"),
)
def _(original, context):
    original(context)
    _AUTO_START.fset(context, True)


@nearly_right("auto-start-off-stops", "setAutoStart(false) stops a context that delivers", "6.1.4-14")
def _stops(patch):
    def set_auto_start(self, auto_start):
        _AUTO_START.fset(self, auto_start)
        if not auto_start and self.connection.running:
            self.connection.stop()

    patch.replace(ReferenceContext, "auto_start", property(_AUTO_START.fget, set_auto_start))


@nearly_right(
    "auto-start-by-plain-consumers",
    "the first consumer of a context starts it unless it has a selector",
    "6.1.4-9",
    "6.1.4-8",
    around=(ReferenceContext, "create_shared_consumer", "create_shared_durable_consumer"),
)
def _(original, context, *arguments):
    wanted, selects = _AUTO_START.fget(context), any(isinstance(each, str) and "=" in each for each in arguments)
    _AUTO_START.fset(context, wanted and not selects)
    try:
        return original(context, *arguments)
    finally:
        _AUTO_START.fset(context, wanted)


@nearly_right(
    "names-by-their-last-part",
    "names of the naming service are one if they end in the same part",
    "5.1-3",
    around=(ReferenceProvider, "bind", "lookup"),
)
def _(original, provider, name, *obj):
    return original(provider, name.rpartition("/")[2], *obj)


@nearly_right(
    "timeout-is-a-problem",
    "a receive with a timeout that gets nothing is reported as a lost link",
    "6.1.7-9",
    at=fault_points.MESSAGE_AWAITED,
)
def _(original, consumer, timeout):
    delivery = original(consumer, timeout)
    connection = consumer.session.connection
    if delivery is None and timeout and connection.running:
        connection.report_loss("nothing was read in time")
    return delivery
