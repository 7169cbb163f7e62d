"""Faults in 2.12: what starts the delivery of messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("2.12.1-1", "a connection is started as soon as it is created")
def _(patch: Patch) -> None:
    original = ReferenceConnection.__init__

    def init(self: ReferenceConnection, *arguments: Any) -> None:
        original(self, *arguments)
        self.running = True

    patch.replace(ReferenceConnection, "__init__", init)


@saboteur(
    "2.12.1-2",
    "start() has no effect on consumers that exist already",
    collateral={
        "2.12.1-1": "its consumer is created before start()",
        "2.12.1-3": "a context creates its consumer and starts then",
    },
)
def _(patch: Patch) -> None:
    original, deaf = ReferenceConsumer.__init__, set[ReferenceConsumer]()

    def init(self: ReferenceConsumer, session: ReferenceSession, *arguments: Any) -> None:
        original(self, session, *arguments)
        if not session.connection.running:
            deaf.add(self)

    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        return None if consumer in deaf and consumer.session.connection.running else original(consumer, timeout)

    patch.replace(ReferenceConsumer, "__init__", init)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("2.12.1-3", "a JMSContext does not deliver before start() is called")
def _(patch: Patch) -> None:
    patch.replace(ReferenceContext, "_start_if_wanted", lambda self: None)
