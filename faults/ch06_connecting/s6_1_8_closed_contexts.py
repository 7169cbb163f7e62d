"""Faults in 6.1.8: closed contexts, their connection and their siblings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext, SharedConnection
from reference_provider.client.simplified import ReferenceJMSConsumer, ReferenceJMSProducer
from tck.api import JMSProducer, Message


@saboteur("6.1.8-18", "receive() returns null after its context is closed while a sibling is open")
def _(patch: Patch) -> None:
    def receive(original: Callable[..., Message | None], consumer: Any, *arguments: Any) -> Message | None:
        session = consumer._consumer.session
        if session.closed and not session.connection.closed:
            return None
        return original(consumer, *arguments)

    around(patch, ReferenceJMSConsumer, "receive", receive)


def _numbers(patch: Patch) -> Counter[SharedConnection]:
    """Return the number of contexts that each connection has had, kept up to date."""
    joined = Counter[SharedConnection]()

    def join(original: Callable[[SharedConnection], None], shared: SharedConnection) -> None:
        joined[shared] += 1
        original(shared)

    around(patch, SharedConnection, "join", join)
    return joined


@saboteur("6.1.8-19", "the close of the last of three contexts leaves the connection open")
def _(patch: Patch) -> None:
    joined = _numbers(patch)

    def leave(original: Callable[[SharedConnection], bool], shared: SharedConnection) -> bool:
        return original(shared) and joined[shared] < 3

    around(patch, SharedConnection, "leave", leave)


@saboteur(
    "6.1.8-20",
    "close() of a context closes the connection that its siblings use",
    collateral={"6.1.8-42": "it closes a context with siblings"},
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        original(context)
        if not context.connection.closed:
            context.connection.close()

    around(patch, ReferenceContext, "close", close)


@nearly_right(
    "second-close-of-a-context-closes-its-siblings",
    "a second close() of a context closes the connection that its siblings use",
    "6.1.8-20",
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        if context._closed and not context.connection.closed:
            context.connection.close()
        original(context)

    around(patch, ReferenceContext, "close", close)


@saboteur("6.1.8-37", "acknowledge() of a closed context that has acknowledged messages does nothing")
def _(patch: Patch) -> None:
    done = set[ReferenceContext]()

    def acknowledge(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        if not (context in done and context.session.closed):
            original(context)
            done.add(context)

    around(patch, ReferenceContext, "acknowledge", acknowledge)


@saboteur("6.1.8-42", "createProducer() of a closed context works while a sibling is open")
def _(patch: Patch) -> None:
    def create(original: Callable[[ReferenceContext], JMSProducer], context: ReferenceContext) -> JMSProducer:
        if context.session.closed and not context.connection.closed:
            return ReferenceJMSProducer(context.session)
        return original(context)

    around(patch, ReferenceContext, "create_producer", create)


@saboteur("6.1.8-43", "receiveBodyNoWait() returns null after its context is closed")
def _(patch: Patch) -> None:
    def receive(original: Callable[..., object], consumer: Any, *arguments: Any) -> object:
        return None if consumer._consumer.session.closed else original(consumer, *arguments)

    around(patch, ReferenceJMSConsumer, "receive_body_no_wait", receive)
