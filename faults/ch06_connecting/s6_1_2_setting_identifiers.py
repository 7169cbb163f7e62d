"""Faults in 6.1.2: setting a client identifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.connections import of_contexts
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueConnection
from tck.api import (
    ExceptionListener,
    IllegalArgumentException,
    IllegalStateException,
    IllegalStateRuntimeException,
    Session,
)

_HONEST: Any = ReferenceConnection.client_id
_ON_CONTEXTS: Any = ReferenceContext.client_id

Setter = Callable[[ReferenceConnection, str | None], None]


def _setter(patch: Patch, fault: Callable[[ReferenceConnection, str | None, Callable[[], None]], None]) -> None:
    """Run `fault` in place of the setter of the identifier of a connection, of a context's too; it may call the honest one."""

    def set_client_id(self: ReferenceConnection, client_id: str | None) -> None:
        fault(self, client_id, lambda: _HONEST.fset(self, client_id))

    patch.replace(ReferenceConnection, "client_id", property(_HONEST.fget, set_client_id))


def _forget_identifier(connection: ReferenceConnection) -> None:
    connection.server.forget(connection)
    connection.server.register(connection)
    connection._client_id = None
    connection._client_id_configured = False


@saboteur(
    "6.1.2-1",
    "getClientID of a connection with a configured identifier is null",
    collateral={"6.1.2-4": "it reads the configured identifier before there is a session"},
)
def _(patch: Patch) -> None:
    def get_client_id(self: ReferenceConnection) -> str | None:
        return None if self._client_id_configured else _HONEST.fget(self)

    patch.replace(ReferenceConnection, "client_id", property(get_client_id, _HONEST.fset))


@nearly_right(
    "configured-identifier-comes-with-the-first-session",
    "a configured identifier is not there before the first session is created",
    "6.1.2-1",
)
def _(patch: Patch) -> None:
    def get_client_id(self: ReferenceConnection) -> str | None:
        early = self._client_id_configured and not self.sessions
        return None if early else _HONEST.fget(self)

    patch.replace(ReferenceConnection, "client_id", property(get_client_id, _HONEST.fset))


@saboteur("6.1.2-2", "getClientID is null once all sessions are closed")
def _(patch: Patch) -> None:
    contexts = of_contexts(patch)

    def get_client_id(self: ReferenceConnection) -> str | None:
        late = self.used and not self.sessions and self not in contexts
        return None if late else _HONEST.fget(self)

    patch.replace(ReferenceConnection, "client_id", property(get_client_id, _HONEST.fset))


@saboteur("6.1.2-3", "a context counts as used when it is created")
def _(patch: Patch) -> None:
    _contexts_used(patch, lambda _context: True)


def _contexts_used(patch: Patch, used: Callable[[ReferenceContext], bool]) -> None:
    """Refuse identifiers of contexts for which `used` is true."""

    def set_client_id(self: ReferenceContext, client_id: str | None) -> None:
        if used(self):
            raise IllegalStateRuntimeException("the connection is in use")
        _ON_CONTEXTS.fset(self, client_id)

    patch.replace(ReferenceContext, "client_id", property(_ON_CONTEXTS.fget, set_client_id))


@nearly_right(
    "dups-ok-context-takes-no-identifier",
    "a context in DUPS_OK_ACKNOWLEDGE counts as used when it is created",
    "6.1.2-3",
)
def _(patch: Patch) -> None:
    _contexts_used(patch, lambda context: context.session.mode == Session.DUPS_OK_ACKNOWLEDGE)


@saboteur("6.1.2-4", "the second attempt to replace a configured identifier succeeds")
def _(patch: Patch) -> None:
    tried: dict[int, ReferenceConnection] = {}

    def fault(connection: ReferenceConnection, _: str | None, honest: Callable[[], None]) -> None:
        if connection._client_id_configured and id(connection) in tried:
            _forget_identifier(connection)
        tried[id(connection)] = connection
        honest()

    _setter(patch, fault)


@saboteur(
    "6.1.2-5",
    "a connection has to have a session before its identifier can be set",
    collateral={
        **dict.fromkeys(
            ("6.1.2-2", "6.1.2-6", "6.1.2-9", "6.1.2-13", "6.1.2-17"), "it sets the identifier of a QueueConnection too"
        ),
        **dict.fromkeys(("6.1.2-10", "6.1.2-20"), "it sets an identifier of a connection without session"),
    },
)
def _(patch: Patch) -> None:
    _after_a_session(patch, ReferenceConnection)


def _after_a_session(patch: Patch, kind: type[ReferenceConnection]) -> None:
    """Take identifiers of connections of a kind once they have a session."""

    def fault(connection: ReferenceConnection, _: str | None, honest: Callable[[], None]) -> None:
        if isinstance(connection, kind):
            if not connection.sessions:
                raise IllegalStateException("create a session first")
            connection.used = False
        honest()

    _setter(patch, fault)


@nearly_right(
    "queue-connection-takes-its-identifier-after-a-session",
    "a QueueConnection has to have a session before its identifier can be set",
    "6.1.2-5",
)
def _(patch: Patch) -> None:
    _after_a_session(patch, ReferenceQueueConnection)


@saboteur("6.1.2-6", "an identifier that is set once the connection has a transacted session is ignored")
def _(patch: Patch) -> None:
    def fault(connection: ReferenceConnection, _: str | None, honest: Callable[[], None]) -> None:
        if not any(session.mode == Session.SESSION_TRANSACTED for session in connection.sessions):
            honest()

    contexts = of_contexts(patch)
    _setter(patch, lambda self, value, honest: honest() if self in contexts else fault(self, value, honest))


@saboteur("6.1.2-7", "an identifier can be set on a started connection that has no session yet")
def _(patch: Patch) -> None:
    def fault(connection: ReferenceConnection, _: str | None, honest: Callable[[], None]) -> None:
        if connection.running and not connection.sessions:
            connection.used = False
        honest()

    _setter(patch, fault)


@saboteur("6.1.2-8", "setExceptionListener does not stop a connection from taking an identifier")
def _(patch: Patch) -> None:
    honest: Any = ReferenceConnection.exception_listener
    contexts = of_contexts(patch)

    def set_listener(self: ReferenceConnection, listener: ExceptionListener | None) -> None:
        before = self.used
        honest.fset(self, listener)
        self.used = before if self not in contexts else self.used

    patch.replace(ReferenceConnection, "exception_listener", property(honest.fget, set_listener))


@saboteur("6.1.2-9", "a third identifier overwrites the first, where the second was refused")
def _(patch: Patch) -> None:
    tried: dict[int, ReferenceConnection] = {}

    def fault(connection: ReferenceConnection, _: str | None, honest: Callable[[], None]) -> None:
        if connection.client_id_or_none is not None and not connection._client_id_configured:
            if id(connection) in tried:
                _forget_identifier(connection)
            tried[id(connection)] = connection
        honest()

    _setter(patch, fault)


@saboteur("6.1.2-10", "a context that has created a producer, and nothing else, can still take an identifier")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], self: ReferenceContext) -> Any:
        before = self.connection.used
        made = original(self)
        self.connection.used = before
        return made

    around(patch, ReferenceContext, "create_producer", create)


@saboteur("6.1.2-16", "an empty identifier is refused with IllegalArgumentException")
def _(patch: Patch) -> None:
    def fault(_: ReferenceConnection, client_id: str | None, honest: Callable[[], None]) -> None:
        if not client_id:
            raise IllegalArgumentException("an identifier must not be empty")
        honest()

    _setter(patch, fault)
