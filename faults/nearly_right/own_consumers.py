"""Faults of consumers and listeners that show on some messages, or beside another consumer, only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, session_of
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from tck.api import DeliveryMode, MessageListener, Session

Call = Callable[[Dispatcher, MessageListener, Delivery], bool]


def _non_persistent_repeated(patch: Patch, mode: int) -> None:
    """Call a listener that failed again with a message that is not persistent, in a session that has sent nothing."""

    def call(original: Call, dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        failed = original(dispatcher, listener, delivery)
        state: Any = session_of(dispatcher).state
        plain = delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT and not state.work.sends
        return original(dispatcher, listener, delivery) if failed and plain and state.mode == mode else failed

    patch.at(fault_points.LISTENER_CALLED, call)


@nearly_right(
    "client-listener-fails-twice-at-non-persistent",
    "in CLIENT_ACKNOWLEDGE a listener that failed at a message that is not persistent gets it again",
    "8.7-7",
)
def _(patch: Patch) -> None:
    _non_persistent_repeated(patch, Session.CLIENT_ACKNOWLEDGE)


@nearly_right(
    "transacted-listener-fails-twice-at-non-persistent",
    "in a transaction a listener that failed at a message that is not persistent gets it again",
    "8.7-9",
)
def _(patch: Patch) -> None:
    _non_persistent_repeated(patch, Session.SESSION_TRANSACTED)


@nearly_right(
    "listener-stays-beside-another",
    "setMessageListener(null) is ignored while another consumer of the session has a listener",
    "8.7-16",
)
def _(patch: Patch) -> None:
    original: Any = ReferenceConsumer.message_listener

    def unset(self: ReferenceConsumer, listener: MessageListener | None) -> None:
        dispatcher = session_of(self).dispatcher
        if listener is not None or dispatcher is None or len(dispatcher.consumers) < 2:
            original.fset(self, listener)

    patch.replace(ReferenceConsumer, "message_listener", property(original.fget, unset))


@nearly_right(
    "close-closes-consumers-of-other-queues",
    "closing a consumer closes the consumers without listener that its session has on other queues",
    "8.8-1",
)
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        every = session_of(consumer).consumers
        others = [one for one in every if one.receiver.physical is not consumer.receiver.physical]
        original(consumer)
        for one in others:
            if one.listener is None and one.receiver.subscription is None:
                original(one)

    around(patch, ReferenceConsumer, "close", close)
