"""Faults of a receipt in one circumstance, by tables of circumstances and effects."""

import threading

from faults.kit import *
from faults.nearly_right.shared import *

_HERE = threading.local()
"""What the current thread is doing: `way` of a receipt."""


def _is_shared(delivery):
    subscriptions = getattr(delivery.source.physical, "subscriptions", ())
    return any(one.delivery_queue is delivery.source and one.shared for one in subscriptions)


def _again(delivery):
    return delivery.count > 1


def _by(way):
    return lambda _delivery: getattr(_HERE, "way", "") == way


def _watch_receipts(patch):
    """Note by which call a message is received, and return the messages that this process has sent."""

    def no_wait(original, consumer):
        _HERE.way = "no wait"
        try:
            return original(consumer)
        finally:
            _HERE.way = ""

    def listener(original, dispatcher, *arguments):
        _HERE.way = "listener"
        try:
            return original(dispatcher, *arguments)
        finally:
            _HERE.way = ""

    alive = Marked()
    patch.around(ReferenceConsumer, "receive_no_wait", no_wait)
    patch.at(fault_points.LISTENER_CALLED, listener)
    after_send(patch, lambda _producer, _message, entry, _options: alive.add(entry))
    return alive


def _set(name, value):
    return lambda message, _delivery: setattr(message, f"jms_{name}", value)


def _writable(message, _delivery):
    message._properties_writable = True


RECEIPTS = [
    (
        "restart-durable-type",
        "JMSType is lost after a restart for durable subscriptions",
        "recovered",
        lambda message, delivery: _set("type", None)(message, delivery) if of_durable(delivery) else None,
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
    ("restart-expiration", "after a restart JMSExpiration is 0", "recovered", _set("expiration", 0), ("3.4.9-4",)),
    (
        "restart-destination",
        "after a restart JMSDestination is null for topics",
        "recovered",
        lambda message, delivery: None if from_queue(delivery) else _set("destination", None)(message, delivery),
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
        "again-delivery-mode",
        "a message that a durable subscription redelivers is PERSISTENT",
        all_of(_again, of_durable),
        _set("delivery_mode", DeliveryMode.PERSISTENT),
        ("3.4.2-3",),
    ),
    ("no-wait-timestamp", "receiveNoWait loses JMSTimestamp", _by("no wait"), _set("timestamp", 0), ("3.4.4-4",)),
    ("listener-reply-to", "a listener gets no JMSReplyTo", _by("listener"), _set("reply_to", None), ("3.4.6-1",)),
    ("listener-writable", "a listener may set properties", _by("listener"), _writable, ("3.5.3-2",)),
    (
        "durable-delivery-time",
        "a durable subscription loses JMSDeliveryTime",
        of_durable,
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
        lambda delivery: from_queue(delivery) and type(delivery.consumer).__name__ == "ReferenceBrowser",
        _set("type", None),
        ("3.4.8-1",),
    ),
]
"""Faults of receipts: name, title, condition, effect and rows; `recovered` is a message of before the last restart."""


def _receipts(patch, condition, loss):
    alive = _watch_receipts(patch)

    def message_of(original, session, delivery):
        message = original(session, delivery)
        met = delivery.entry not in alive if isinstance(condition, str) else condition(delivery)
        if met:
            loss(message, delivery)
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


for _name, _title, _met, _loss, _rows in RECEIPTS:
    nearly_right(_name, _title, *_rows)(lambda patch, condition=_met, loss=_loss: _receipts(patch, condition, loss))
