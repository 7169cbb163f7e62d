"""Faults of single deliveries; see `tck.check.properties.delivery`."""

import threading

from faults.kit import *

LATER_MS = 50
"""Milliseconds by which the provider's clock lags."""


@breaks("not-before-send")
def _clock_behind(patch):
    """Let the provider's clock lag on threads that have received a message, so that messages arrive before they are sent."""
    monotonic_ns, behind = VirtualClock.monotonic_ns, threading.local()

    def taken(original, receiver):
        delivery = original(receiver)
        if delivery is not None:
            behind.ns = LATER_MS * 1_000_000
        return delivery

    patch.at(fault_points.MESSAGE_TAKEN, taken)
    patch.replace(VirtualClock, "monotonic_ns", lambda self: monotonic_ns(self) - getattr(behind, "ns", 0))


@breaks("not-after-unsubscribe", at=fault_points.CONNECTION_CLOSED)
def _(original, connection):
    if any(isinstance(each.physical, PhysicalTopic) and each.listener for each in _consumers(connection)):
        return
    original(connection)


def _consumers(connection):
    return [_Seen(consumer) for session in connection.sessions for consumer in session.consumers]


class _Seen:
    """A consumer's destination and listener."""

    def __init__(self, consumer):
        self.physical = consumer.receiver.physical
        self.listener = consumer.listener


@breaks("no-invention")
def _forged(patch):
    strikes = now_and_then()

    def fault(message, delivery):
        if strikes():
            values = message._properties  # of every message of this provider
            message._properties = {  # as above
                name: value + 0xFFFFFF if type(value) is int else value for name, value in values.items()
            }

    as_received(patch, fault)


@breaks("no-corruption")
def _body_changed(patch):
    strikes = now_and_then()

    def fault(message, delivery):
        text = getattr(message, "_text", None)
        if isinstance(text, str) and strikes():
            message._text = text[:-1] + "?"  # of a text message

    as_received(patch, fault)


def _never_expires(patch):
    patch.at(fault_points.EXPIRY_CHECKED, lambda original, broker, entry: False)


breaks("not-after-expiry")(_never_expires)
breaks("expired-not-received")(_never_expires)


@breaks("no-local-honoured", at=fault_points.SUBSCRIPTION_OPENED)
def _(original, *arguments):
    receiver = original(*arguments)
    if receiver.subscription is not None:
        receiver.subscription.no_local = None
    return receiver


@breaks("not-before-subscription")
def _old_news(patch):
    last = {}

    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        if isinstance(delivery_queue.physical, PhysicalTopic):
            last[id(delivery_queue.physical)] = entry

    def open_receiver(original, factory, physical, *rest):
        receiver = original(factory, physical, *rest)
        new = receiver.subscription is not None and receiver.subscription.consumers == 1
        if new and id(physical) in last and not receiver.delivery_queue.in_file:
            factory.broker.admit(receiver.delivery_queue, last[id(physical)])
        return receiver

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


@breaks("temporary-owner-only", at=fault_points.TEMPORARY_CHECKED)
def _(original, temporaries, physical):
    return None


@breaks("temporary-ends-with-connection")
def _outlives_its_connection(patch):
    patch.at(fault_points.TEMPORARY_CHECKED, lambda original, temporaries, physical: None)
    patch.replace(TemporaryDestinations, "delete_all", lambda self: None)
    patch.at(fault_points.TEMPORARY_SWEPT, lambda original, temporaries: None)
