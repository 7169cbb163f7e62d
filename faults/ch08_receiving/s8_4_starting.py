"""Faults in 8.4: starting and stopping delivery."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.connections import of_contexts
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import inside_contexts
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from tck.api import Session


@saboteur(
    "8.4-1",
    "the first session of a connection starts it",
    collateral=dict.fromkeys(("8.4-9", "8.4-12"), "its connection has a session before the start"),
)
def _(patch: Patch) -> None:
    _started_by_session(patch, 1)


def _started_by_session(patch: Patch, number: int) -> None:
    """Start connections at their first or a later session, but for those of contexts."""
    inside = inside_contexts(patch, "create_context")
    contexts = of_contexts(patch)

    def add_session(original: Callable[..., Any], connection: ReferenceConnection, session: Any) -> Any:
        made = original(connection, session)
        if len(connection.sessions) == number and not inside() and connection not in contexts:
            connection.start()
        return made

    patch.at(fault_points.SESSION_OPENED, add_session)


@nearly_right("second-session-starts-its-connection", "the second session of a connection starts it", "8.4-1")
def _(patch: Patch) -> None:
    inside = inside_contexts(patch, "create_context")

    def add_session(original: Callable[..., Any], connection: ReferenceConnection, session: Any) -> Any:
        made = original(connection, session)
        if len(connection.sessions) == 2 and not inside():
            connection.start()
        return made

    patch.at(fault_points.SESSION_OPENED, add_session)


def _lost_while_stopped(patch: Patch, *, contexts: bool, least: int = 3) -> None:
    """At a start the last of some messages is lost that came to a consumer since the stop."""
    inside = inside_contexts(patch, "start")
    before: defaultdict[object, set[int]] = defaultdict(set)

    def waiting(connection: ReferenceConnection) -> list[Any]:
        return [one.receiver.delivery_queue for session in connection.sessions for one in session.consumers]

    def stop(original: Callable[..., None], connection: ReferenceConnection) -> None:
        original(connection)
        for queue in waiting(connection):
            before[queue] = {entry.number for entry in queue.free_entries()}

    def start(original: Callable[..., None], connection: ReferenceConnection) -> None:
        for queue in waiting(connection) if inside() is contexts else ():
            new = [one for one in queue.free_entries() if one.number not in before[queue]] if queue in before else []
            if len(new) >= least:
                queue.remove(new[-1].number, new[-1].priority)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)


@saboteur("8.4-2", "the last of the messages that come while a connection is stopped is lost")
def _(patch: Patch) -> None:
    _lost_while_stopped(patch, contexts=False, least=1)


@nearly_right(
    "stopped-connection-loses-the-last-of-three",
    "of three messages that come while a connection is stopped the last is lost",
    "8.4-2",
)
def _(patch: Patch) -> None:
    _lost_while_stopped(patch, contexts=False)


@saboteur("8.4-7", "stop() of a context does nothing", collateral={"8.4-12": "it stops a context"})
def _(patch: Patch) -> None:
    patch.replace(ReferenceContext, "stop", lambda _context: None)


@nearly_right(
    "stopped-context-loses-the-last-of-three",
    "of three messages that come while a context is stopped the last is lost",
    "8.4-7",
)
def _(patch: Patch) -> None:
    _lost_while_stopped(patch, contexts=True)


def _without_start(patch: Patch, method: str, unless: Callable[[ReferenceContext, tuple[Any, ...]], bool]) -> None:
    """Let a method of a context that makes consumers not start the connection in some calls."""

    def create(original: Callable[..., Any], context: Any, *arguments: Any) -> Any:
        wanted = context._auto_start
        context._auto_start = wanted and not unless(context, arguments)
        try:
            return original(context, *arguments)
        finally:
            context._auto_start = wanted

    around(patch, ReferenceContext, method, create)


@saboteur("8.4-4", "createDurableConsumer() does not start the context")
def _(patch: Patch) -> None:
    _without_start(patch, "create_durable_consumer", lambda _context, _arguments: True)


@nearly_right(
    "no-local-consumer-does-not-start-its-context",
    "createDurableConsumer() with noLocal does not start the context",
    "8.4-4",
)
def _(patch: Patch) -> None:
    _without_start(patch, "create_durable_consumer", lambda _context, arguments: True in arguments[3:])


@saboteur("8.4-5", "createSharedConsumer() does not start the context")
def _(patch: Patch) -> None:
    _without_start(
        patch,
        "create_shared_consumer",
        lambda _context, _arguments: True,
    )


@nearly_right(
    "selecting-shared-consumer-does-not-start-its-context",
    "createSharedConsumer() with a selector does not start the context",
    "8.4-5",
)
def _(patch: Patch) -> None:
    _without_start(
        patch,
        "create_shared_consumer",
        lambda _context, arguments: isinstance(arguments[-1], str) and len(arguments) > 2,
    )


@saboteur("8.4-6", "createSharedDurableConsumer() does not start the context")
def _(patch: Patch) -> None:
    _without_start(
        patch,
        "create_shared_durable_consumer",
        lambda _context, _arguments: True,
    )


@nearly_right(
    "selecting-shared-durable-consumer-does-not-start-its-context",
    "createSharedDurableConsumer() with a selector does not start the context",
    "8.4-6",
)
def _(patch: Patch) -> None:
    _without_start(
        patch,
        "create_shared_durable_consumer",
        lambda _context, arguments: isinstance(arguments[-1], str) and len(arguments) > 2,
    )


@saboteur(
    "8.4-9",
    "createConsumer() starts the connection though autoStart is false",
    collateral={"8.4-12": "its context has autoStart off and a consumer"},
)
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], context: ReferenceContext, *arguments: Any) -> Any:
        made = original(context, *arguments)
        context.connection.start()
        return made

    around(patch, ReferenceContext, "create_consumer", create)


@nearly_right(
    "selecting-consumer-starts-its-context",
    "createConsumer() with a selector starts the connection though autoStart is false",
    "8.4-9",
)
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], context: ReferenceContext, *arguments: Any) -> Any:
        made = original(context, *arguments)
        if len(arguments) > 1 and isinstance(arguments[1], str):
            context.connection.start()
        return made

    around(patch, ReferenceContext, "create_consumer", create)


@saboteur(
    "8.4-10", "start() is ignored while autoStart is false", collateral={"8.4-9": "its context has autoStart off"}
)
def _(patch: Patch) -> None:
    def start(original: Callable[..., None], context: ReferenceContext) -> None:
        if context.auto_start:
            original(context)

    around(patch, ReferenceContext, "start", start)


@nearly_right(
    "client-acknowledge-context-ignores-start",
    "in CLIENT_ACKNOWLEDGE start() is ignored while autoStart is false",
    "8.4-10",
)
def _(patch: Patch) -> None:
    def start(original: Callable[..., None], context: ReferenceContext) -> None:
        if context.auto_start or context.session.mode != Session.CLIENT_ACKNOWLEDGE:
            original(context)

    around(patch, ReferenceContext, "start", start)


@saboteur("8.4-11", "getAutoStart() is true in a context that has a consumer")
def _(patch: Patch) -> None:
    original: Any = ReferenceContext.auto_start

    def get(self: ReferenceContext) -> bool:
        return bool(original.fget(self)) or bool(self.session.consumers)

    patch.replace(ReferenceContext, "auto_start", property(get, original.fset))


@saboteur("8.4-12", "setAutoStart() starts or stops the connection", collateral={"8.4-10": "it sets autoStart"})
def _(patch: Patch) -> None:
    original: Any = ReferenceContext.auto_start

    def put(self: ReferenceContext, auto_start: bool) -> None:
        original.fset(self, auto_start)
        if auto_start:
            self.connection.start()
        else:
            self.connection.stop()

    patch.replace(ReferenceContext, "auto_start", property(original.fget, put))


@nearly_right(
    "auto-start-of-a-context-with-a-consumer-starts-it",
    "setAutoStart(true) on a context that has a consumer starts the connection",
    "8.4-12",
)
def _(patch: Patch) -> None:
    original: Any = ReferenceContext.auto_start

    def put(self: ReferenceContext, auto_start: bool) -> None:
        original.fset(self, auto_start)
        if auto_start and self.session.consumers:
            self.connection.start()

    patch.replace(ReferenceContext, "auto_start", property(original.fget, put))


@saboteur("8.4-13", "a context with siblings does not start the connection")
def _(patch: Patch) -> None:
    def sibling(context: ReferenceContext, _arguments: tuple[Any, ...]) -> bool:
        return len(context.connection.sessions) > 1

    for method in (
        "create_consumer",
        "create_durable_consumer",
        "create_shared_consumer",
        "create_shared_durable_consumer",
    ):
        _without_start(patch, method, sibling)


@nearly_right(
    "context-with-a-waiting-child-does-not-start",
    "a context whose child has a consumer that waits does not start the connection",
    "8.4-13",
)
def _(patch: Patch) -> None:
    children: defaultdict[ReferenceContext, list[ReferenceContext]] = defaultdict(list)

    def create_context(original: Callable[..., Any], context: ReferenceContext, mode: int) -> Any:
        made = original(context, mode)
        children[context].append(made)
        return made

    def waits(context: ReferenceContext, arguments: tuple[Any, ...]) -> bool:
        del arguments
        return any(not child.auto_start and child.session.consumers for child in children[context])

    around(patch, ReferenceContext, "create_context", create_context)
    _without_start(patch, "create_consumer", waits)
