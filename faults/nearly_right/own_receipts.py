"""Faults of content that show under one condition of a receipt only, and faults of routing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from faults.kit.common import Marked, after_send, around
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode, TextMessage

_HERE: Final = threading.local()
"""What the current thread is doing: `way` of a receipt."""

Receiving = Callable[[Delivery], bool]


# -- conditions of a receipt -------------------------------------------------------------------------------------------


def _is_queue(delivery: Delivery) -> bool:
    return isinstance(delivery.source.physical, PhysicalQueue)


def _is_durable(delivery: Delivery) -> bool:
    return delivery.source.subscription is not None


def _is_shared(delivery: Delivery) -> bool:
    subscriptions = getattr(delivery.source.physical, "subscriptions", ())
    return any(one.delivery_queue is delivery.source and one.shared for one in subscriptions)


def _again(delivery: Delivery) -> bool:
    return delivery.count > 1


def _by(way: str) -> Receiving:
    return lambda _delivery: getattr(_HERE, "way", "") == way


def _all(*conditions: Receiving) -> Receiving:
    return lambda delivery: all(condition(delivery) for condition in conditions)


def _watch_receipts(patch: Patch) -> Marked:
    """Note by which call a message is received, and return the messages that this process has sent."""

    def no_wait(original: Callable[..., Any], consumer: Any) -> Any:
        _HERE.way = "no wait"
        try:
            return original(consumer)
        finally:
            _HERE.way = ""

    def listener(original: Callable[..., Any], dispatcher: Dispatcher, *arguments: Any) -> Any:
        _HERE.way = "listener"
        try:
            return original(dispatcher, *arguments)
        finally:
            _HERE.way = ""

    alive = Marked()
    around(patch, ReferenceConsumer, "receive_no_wait", no_wait)
    patch.at(fault_points.LISTENER_CALLED, listener)
    after_send(patch, lambda _producer, _message, entry, _options: alive.add(entry))
    return alive


def _set(name: str, value: object) -> Callable[[Any, Delivery], None]:
    return lambda message, _delivery: setattr(message, f"jms_{name}", value)


def _drop_properties(message: Any, _delivery: Delivery) -> None:
    message._properties = {name: value for name, value in message._properties.items() if name.startswith("JMS")}


def _type_of_ints(message: Any, _delivery: Delivery) -> None:
    message._properties = {
        name: f"{getattr(value, 'value', value)}" if name.startswith("int_") else value
        for name, value in message._properties.items()
    }


def _writable(message: Any, _delivery: Delivery) -> None:
    message._properties_writable = True


def _blank_text(message: Any, _delivery: Delivery) -> None:
    if isinstance(message, TextMessage):
        message._text = (message._text or "").strip()  # type: ignore[attr-defined]


Loss = Callable[[Any, Delivery], None]

RECEIPTS: Final[list[tuple[str, str, Receiving | str, Loss, tuple[str, ...]]]] = [
    (
        "restart-durable-type",
        "JMSType is lost after a restart for durable subscriptions",
        "recovered",
        lambda message, delivery: _set("type", None)(message, delivery) if _is_durable(delivery) else None,
        ("3.4.8-1",),
    ),
    (
        "restart-priority",
        "after a restart every message has priority 4",
        "recovered",
        _set("priority", 4),
        ("3.4.10-2",),
    ),
    ("restart-properties", "after a restart properties can be set", "recovered", _writable, ("3.5.3-2",)),
    ("restart-types", "after a restart ints are Strings in properties", "recovered", _type_of_ints, ("3.5.4-9",)),
    ("restart-expiration", "after a restart JMSExpiration is 0", "recovered", _set("expiration", 0), ("3.4.9-4",)),
    (
        "restart-destination",
        "after a restart JMSDestination is null for topics",
        "recovered",
        lambda message, delivery: None if _is_queue(delivery) else _set("destination", None)(message, delivery),
        ("3.4.1-3",),
    ),
    (
        "again-correlation",
        "a redelivered message has no JMSCorrelationID",
        _again,
        _set("correlation_id", None),
        ("3.4.5-2",),
    ),
    (
        "again-shared-properties",
        "a message that a shared subscription redelivers has no properties",
        _all(_again, _is_shared),
        _drop_properties,
        ("3.5.3-1", "3.10-5"),
    ),
    (
        "again-delivery-mode",
        "a message that a durable subscription redelivers is PERSISTENT",
        _all(_again, _is_durable),
        _set("delivery_mode", DeliveryMode.PERSISTENT),
        ("3.4.2-3",),
    ),
    ("no-wait-timestamp", "receiveNoWait loses JMSTimestamp", _by("no wait"), _set("timestamp", 0), ("3.4.4-4",)),
    ("listener-reply-to", "a listener gets no JMSReplyTo", _by("listener"), _set("reply_to", None), ("3.4.6-1",)),
    ("listener-writable", "a listener may set properties", _by("listener"), _writable, ("3.5.3-2",)),
    (
        "durable-delivery-time",
        "a durable subscription loses JMSDeliveryTime",
        _is_durable,
        _set("delivery_time", 0),
        ("3.4.13-5",),
    ),
    (
        "shared-priority",
        "a shared subscription delivers every message with priority 4",
        _is_shared,
        _set("priority", 4),
        ("3.4.10-2",),
    ),
    (
        "browser-type",
        "a browser shows no JMSType",
        lambda delivery: _is_queue(delivery) and type(delivery.consumer).__name__ == "ReferenceBrowser",
        _set("type", None),
        ("3.4.8-1",),
    ),
]
"""Faults of receipts: name, title, condition, effect and rows; `recovered` is a message of before the last restart."""


def _receipts(patch: Patch, condition: Receiving | str, loss: Loss) -> None:
    alive = _watch_receipts(patch)

    def message_of(original: Callable[..., Any], session: ReferenceSession, delivery: Delivery) -> Any:
        message = original(session, delivery)
        met = delivery.entry not in alive if isinstance(condition, str) else condition(delivery)
        if met:
            loss(message, delivery)
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


for _name, _title, _met, _loss, _rows in RECEIPTS:
    nearly_right(_name, _title, *_rows)(
        lambda patch, condition=_met, loss=_loss: _receipts(patch, condition, loss)  # type: ignore[misc]
    )


# -- faults of routing -------------------------------------------------------------------------------------------------


@nearly_right("no-local-durable", "a durable subscription with noLocal gets what its own connection sends", "4.2.2-29")
def _(patch: Patch) -> None:
    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        if subscription.durable and subscription.no_local is not None:
            return subscription.matches is None or subscription.matches(entry)
        return original(subscription, entry)

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@nearly_right(
    "selector-for-non-persistent", "a selector of a subscription lets NON_PERSISTENT messages through", "3.8.1-1"
)
def _(patch: Patch) -> None:
    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        if entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
            return subscription.is_foreign(entry)
        return original(subscription, entry)

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@nearly_right("expired-on-durable", "messages of a durable subscription never expire", "3.4.9-7")
def _(patch: Patch) -> None:
    durable = Marked()

    def admit(original: Callable[..., None], broker: Broker, source: Any, entry: StoredMessage) -> None:
        if source.subscription is not None:
            durable.add(entry)
        original(broker, source, entry)

    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        return entry not in durable and original(broker, entry)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)
