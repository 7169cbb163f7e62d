"""Faults in 6.1.4: what the consumers of a context start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each
from faults.kit.connections import Connections
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from tck.api import JMSContext, Session

_HONEST: Any = ReferenceContext.auto_start
_CREATORS = [name for name in vars(JMSContext) if name.endswith("_consumer")]


@saboteur("6.1.4-9", "a shared consumer does not start a context")
def _(patch: Patch) -> None:
    _not_started_by_shared(patch, lambda _context: True)


def _not_started_by_shared(patch: Patch, applies: Callable[[ReferenceContext], bool]) -> None:
    """Let shared consumers not start some contexts."""

    def create(original: Callable[..., Any], self: ReferenceContext, *arguments: Any) -> Any:
        wanted = _HONEST.fget(self)
        _HONEST.fset(self, wanted and not applies(self))
        try:
            return original(self, *arguments)
        finally:
            _HONEST.fset(self, wanted)

    around_each(patch, ReferenceContext, ["create_shared_consumer", "create_shared_durable_consumer"], create)


@nearly_right(
    "shared-consumer-does-not-start-a-dups-ok-context",
    "a shared consumer does not start a context in DUPS_OK_ACKNOWLEDGE",
    "6.1.4-9",
)
def _(patch: Patch) -> None:
    _not_started_by_shared(patch, lambda context: context.session.mode == Session.DUPS_OK_ACKNOWLEDGE)


@saboteur(
    "6.1.4-10", "auto-start reaches the receivers of the context that has the new consumer, but not those of others"
)
def _(patch: Patch) -> None:
    deaf = Connections()

    def create(original: Callable[..., Any], self: ReferenceContext, *arguments: Any) -> Any:
        idle = [] if self.connection.running else [each for each in self.connection.sessions if each.consumers]
        made = original(self, *arguments)
        for session in idle if self.connection.running else ():
            if session is not self.session:
                deaf.add(session)
        return made

    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        return None if consumer.session in deaf else original(consumer, timeout)

    around_each(patch, ReferenceContext, _CREATORS, create)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.1.4-11", "a further context in CLIENT_ACKNOWLEDGE starts the connection")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], self: ReferenceContext, session_mode: int) -> Any:
        made = original(self, session_mode)
        if session_mode == Session.CLIENT_ACKNOWLEDGE:
            self.connection.start()
        return made

    around(patch, ReferenceContext, "create_context", create)


@saboteur("6.1.4-12", "a consumer with a selector starts a context, whatever its auto-start is")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], self: ReferenceContext, *arguments: Any) -> Any:
        made = original(self, *arguments)
        if any(isinstance(each, str) and "=" in each for each in arguments):
            self.connection.start()
        return made

    around_each(patch, ReferenceContext, _CREATORS, create)


@saboteur("6.1.4-13", "after stop() a context with auto-start off cannot be started again")
def _(patch: Patch) -> None:
    stopped = Connections()

    def stop(original: Callable[..., None], connection: ReferenceConnection) -> None:
        stopped.add(connection)
        original(connection)

    def start(original: Callable[..., None], self: ReferenceContext) -> None:
        if self.auto_start or self.connection not in stopped:
            original(self)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    around(patch, ReferenceContext, "start", start)


@saboteur("6.1.4-14", "setting auto-start starts the connection if a consumer is there")
def _(patch: Patch) -> None:
    def set_auto_start(self: ReferenceContext, auto_start: bool) -> None:
        _HONEST.fset(self, auto_start)
        if auto_start and self.session.consumers:
            self.connection.start()

    patch.replace(ReferenceContext, "auto_start", property(_HONEST.fget, set_auto_start))


@saboteur("6.1.4-15", "getAutoStart always returns true")
def _(patch: Patch) -> None:
    patch.replace(ReferenceContext, "auto_start", property(lambda _: True, _HONEST.fset))
