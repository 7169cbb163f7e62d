"""Faults in 2.12: what starts the delivery of messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around_each, connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.receivers import Receiver
from tck.api import JMSContext


@saboteur("2.12.1-1", "a connection is started as soon as it is created")
def _(patch: Patch) -> None:
    def connect(original: Callable[..., ReferenceConnection], *arguments: Any) -> ReferenceConnection:
        connection = original(*arguments)
        connection.running = True
        return connection

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur(
    "2.12.1-2",
    "start() has no effect on consumers that exist already",
    collateral={
        "2.12.1-1": "its consumer is created before start()",
        "2.12.1-3": "a context creates its consumer and starts then",
    },
)
def _(patch: Patch) -> None:
    deaf = set[Receiver]()

    def open_receiver(original: Callable[..., Receiver], factory: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(factory, *arguments)
        if not connection_of(factory).running:
            deaf.add(receiver)
        return receiver

    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        running = consumer.session.connection.running
        return None if running and consumer.receiver in deaf else original(consumer, timeout)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("2.12.1-3", "a JMSContext does not deliver before start() is called")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], self: ReferenceContext, *arguments: Any) -> Any:
        wanted, self._auto_start = self._auto_start, False
        try:
            return original(self, *arguments)
        finally:
            self._auto_start = wanted

    creators = [name for name in vars(JMSContext) if name.endswith("_consumer")]
    around_each(patch, ReferenceContext, ["create_browser", *creators], create)
