"""Faults in 6.1.2: setting a client identifier."""

from faults.kit import *

_HONEST = ReferenceConnection.client_id
_ON_CONTEXTS = ReferenceContext.client_id


def _setter(patch, fault):
    """Run `fault` in place of the setter of the identifier of a connection, of a context's too; it may call the honest one."""

    def set_client_id(self, client_id):
        fault(self, client_id, lambda: _HONEST.fset(self, client_id))

    patch.replace(ReferenceConnection, "client_id", property(_HONEST.fget, set_client_id))


def _forget_identifier(connection):
    connection.server.forget(connection)
    connection.server.register(connection)
    connection._client_id = None
    connection._client_id_configured = False


@saboteur(
    "6.1.2-1",
    "getClientID of a connection with a configured identifier is null",
    collateral={"6.1.2-4": "it reads the configured identifier before there is a session"},
)
def _(patch):
    def get_client_id(self):
        return None if self._client_id_configured else _HONEST.fget(self)

    patch.replace(ReferenceConnection, "client_id", property(get_client_id, _HONEST.fset))


@saboteur("6.1.2-2", "getClientID is null once all sessions are closed")
def _(patch):
    contexts = of_contexts(patch)

    def get_client_id(self):
        late = self.used and not self.sessions and self not in contexts
        return None if late else _HONEST.fget(self)

    patch.replace(ReferenceConnection, "client_id", property(get_client_id, _HONEST.fset))


def _contexts_used(patch, used):
    """Refuse identifiers of contexts for which `used` is true."""

    def set_client_id(self, client_id):
        if used(self):
            raise IllegalStateRuntimeException("the connection is in use")
        _ON_CONTEXTS.fset(self, client_id)

    patch.replace(ReferenceContext, "client_id", property(_ON_CONTEXTS.fget, set_client_id))


saboteur(
    "6.1.2-3", "a context counts as used when it is created", lambda patch: _contexts_used(patch, lambda _context: True)
)


@saboteur("6.1.2-4", "the second attempt to replace a configured identifier succeeds")
def _(patch):
    tried = {}

    def fault(connection, _, honest):
        if connection._client_id_configured and id(connection) in tried:
            _forget_identifier(connection)
        tried[id(connection)] = connection
        honest()

    _setter(patch, fault)


saboteur(
    "6.1.2-5",
    "a connection has to have a session before its identifier can be set",
    lambda patch: _after_a_session(patch, ReferenceConnection),
    collateral={
        **dict.fromkeys(
            ("6.1.2-2", "6.1.2-6", "6.1.2-9", "6.1.2-13", "6.1.2-17"), "it sets the identifier of a QueueConnection too"
        ),
        **dict.fromkeys(("6.1.2-10", "6.1.2-20"), "it sets an identifier of a connection without session"),
    },
)


def _after_a_session(patch, kind):
    """Take identifiers of connections of a kind once they have a session."""

    def fault(connection, _, honest):
        if isinstance(connection, kind):
            if not connection.sessions:
                raise IllegalStateException("create a session first")
            connection.used = False
        honest()

    _setter(patch, fault)


nearly_right(
    "queue-connection-takes-its-identifier-after-a-session",
    "a QueueConnection has to have a session before its identifier can be set",
    "6.1.2-5",
    install=lambda patch: _after_a_session(patch, ReferenceQueueConnection),
)


@saboteur("6.1.2-6", "an identifier that is set once the connection has a transacted session is ignored")
def _(patch):
    def fault(connection, _, honest):
        if not any(session.mode == Session.SESSION_TRANSACTED for session in connection.sessions):
            honest()

    contexts = of_contexts(patch)
    _setter(patch, lambda self, value, honest: honest() if self in contexts else fault(self, value, honest))


@saboteur("6.1.2-7", "an identifier can be set on a started connection that has no session yet", by=_setter)
def _(connection, _, honest):
    if connection.running and not connection.sessions:
        connection.used = False
    honest()


@saboteur("6.1.2-8", "setExceptionListener does not stop a connection from taking an identifier")
def _(patch):
    honest = ReferenceConnection.exception_listener
    contexts = of_contexts(patch)

    def set_listener(self, listener):
        before = self.used
        honest.fset(self, listener)
        self.used = before if self not in contexts else self.used

    patch.replace(ReferenceConnection, "exception_listener", property(honest.fget, set_listener))


@saboteur("6.1.2-9", "a third identifier overwrites the first, where the second was refused")
def _(patch):
    tried = {}

    def fault(connection, _, honest):
        if connection.client_id_or_none is not None and not connection._client_id_configured:
            if id(connection) in tried:
                _forget_identifier(connection)
            tried[id(connection)] = connection
        honest()

    _setter(patch, fault)


@saboteur(
    "6.1.2-10",
    "a context that has created a producer, and nothing else, can still take an identifier",
    around=(ReferenceContext, "create_producer"),
)
def _(original, self):
    before = self.connection.used
    made = original(self)
    self.connection.used = before
    return made


@saboteur("6.1.2-16", "an empty identifier is refused with IllegalArgumentException", by=_setter)
def _(_, client_id, honest):
    if not client_id:
        raise IllegalArgumentException("an identifier must not be empty")
    honest()
