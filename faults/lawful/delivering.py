"""Lawful in what is delivered: the order, duplicates, redelivery, expiry and loss."""

from faults.composing.circumstances import ODD_MESSAGES, Under
from faults.kit import *


@lawful("expired-delivered", "each second message never expires", "3.4.9-6", "3.4.9-7", "7.8-7", "8.3.3-8", "8.3.4-14")
def _(patch):
    def is_expired(original, broker, entry):
        return False

    Under(patch, ODD_MESSAGES).at(fault_points.EXPIRY_CHECKED, is_expired)


@lawful(
    "expired-delivered-once-more",
    "of the messages that were delivered before each second one does not expire",
    "3.4.9-7",
    "7.8-7",
)
def _(patch):
    seen = dict[int, StoredMessage]()

    def open_delivery(original, state, consumer, source, entry):
        seen[entry.number] = entry
        return original(state, consumer, source, entry)

    def is_expired(original, broker, entry):
        return entry.number not in seen and original(broker, entry)

    Under(patch, ODD_MESSAGES).at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


def _non_persistent_first(patch, *, queues_only):
    """Number non-persistent messages below all others: a level is in the order of its numbers."""
    lowest = -(2**62)

    def route(original, broker, physical, entry):
        found = original(broker, physical, entry)
        ours = isinstance(physical, PhysicalQueue) or not queues_only
        if ours and entry.delivery_mode == DeliveryMode.NON_PERSISTENT and entry.number > 0 and not entry.stored:
            entry.number += lowest
        return found

    patch.at(fault_points.ROUTED, route)


lawful(
    "non-persistent-first",
    "a NON_PERSISTENT message overtakes the PERSISTENT ones of its priority",
    "6.2.9.2-7",
    circumstance=lambda patch: _non_persistent_first(patch, queues_only=True),
    install=lambda patch: _non_persistent_first(patch, queues_only=False),
)


@lawful("recovered-backwards", "recover() redelivers the messages in the reverse order", "6.2.10-30")
def _(patch):
    recovering = within_method(patch, ReferenceSession, "recover")
    returned = dict[int, tuple[PriorityLevel, list[int]]]()  # what recover put back, by level

    def redeliver(original, redelivery, deliveries):
        if recovering:
            for one in deliveries:
                level = one.source.level(one.entry.priority)
                returned.setdefault(id(level), (level, []))[1].append(one.entry.number)
        original(redelivery, deliveries)

    def first(level):
        _, numbers = returned.get(id(level), (level, []))
        return list(dict.fromkeys(number for number in reversed(numbers) if level.is_free(number)))

    original_take, original_matching, original_free = (
        PriorityLevel.take,
        PriorityLevel.take_matching,
        PriorityLevel.free,
    )

    def take(level):
        number = next(iter(first(level)), None)
        return number if number is not None and level.take_number(number) else original_take(level)

    def take_matching(level, consumer, matches):
        number = next((one for one in first(level) if matches(one)), None)
        if number is not None and level.take_number(number):
            return number
        return original_matching(level, consumer, matches)

    def free(level):
        early = first(level)
        return iter([*early, *(one for one in original_free(level) if one not in early)])

    patch.at(fault_points.REDELIVERED, redeliver)
    patch.replace(PriorityLevel, "take", take)
    patch.replace(PriorityLevel, "take_matching", take_matching)
    patch.replace(PriorityLevel, "free", free)


def _acknowledges_lazily(patch, lazily):
    owed = dict[int, tuple[SessionState, list[Delivery]]]()

    def settle(original, state, delivery):
        if state.mode == Session.DUPS_OK_ACKNOWLEDGE and state.settles(delivery) and lazily(delivery):
            owed.setdefault(id(state), (state, []))[1].append(delivery)
        else:
            original(state, delivery)

    def shut(session):
        _, deliveries = owed.pop(id(session.state), (session.state, []))
        if deliveries and not session.closed:
            session.state.acknowledge(deliveries, durable=True)
        return original_shut(session)

    def drop_unfinished(original, session):
        _, deliveries = owed.pop(id(session.state), (session.state, []))
        session.broker.redelivery.redeliver(deliveries)
        original(session)

    def recover(session):
        if session.mode == Session.DUPS_OK_ACKNOWLEDGE:
            session.check_open()
            _, deliveries = owed.pop(id(session.state), (session.state, []))
            session.broker.redelivery.redeliver(deliveries)
        original_recover(session)

    def close(consumer):
        original_close(consumer)
        state = consumer.session.state
        _, deliveries = owed.pop(id(state), (state, []))
        if deliveries and not consumer.session.closed:
            state.acknowledge(deliveries, durable=False)

    original_shut, original_recover = ReferenceSession.shut, ReferenceSession.recover
    original_close = ReferenceConsumer.close
    patch.replace(ReferenceConsumer, "close", close)
    patch.at(fault_points.SETTLED, settle)
    patch.replace(ReferenceSession, "shut", shut)
    patch.replace(ReferenceSession, "recover", recover)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


lawful(
    "lazy-acknowledgement",
    "DUPS_OK_ACKNOWLEDGE acknowledges when a consumer or the session closes, and what is not acknowledged is delivered again",
    "6.2.10-18",
    "6.2.10-27",
    circumstance=lambda patch: _acknowledges_lazily(patch, lambda delivery: delivery.entry.number % 2 > 0),
    install=lambda patch: _acknowledges_lazily(patch, lambda _: True),
)


@lawful(
    "offered-counts-as-delivered", "a message that waited for a consumer which closed counts as delivered", "3.4.7-3"
)
def _(patch):
    """As a client library does that had fetched the message already."""

    def detach(original, consumer):
        source, matches = consumer.receiver.delivery_queue, consumer.receiver.matches
        if not source.gone:
            first = next((one for one in source.free_entries() if matches is None or matches(one)), None)
            if first is not None:
                source.counts[first.number] = source.counts.get(first.number, 0) + 1
        original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@lawful(
    "delivery-count-two-after-failures",
    "after a failure of the provider JMSXDeliveryCount is 2, however often the message was delivered before",
    "3.5.11-5",
    around=(DeliveryMarks, "statements"),
)
def _(original, marks):
    marks._counts = dict.fromkeys(marks._counts, 1)
    return original(marks)


@lawful(
    "non-persistent-kept",
    "a NON_PERSISTENT message survives every failure",
    "6.2.9.2-6",
    "7.7-2",
    "9.1-14",
    at=fault_points.STORED,
)
def _(original, physical, entry, delivery_queues):
    return any(one.in_file for one in delivery_queues)


@lawful(
    "one-message-per-server-session",
    "a connection consumer loads one message at a time",
    "11.2.4-6",
    at=fault_points.FAULT_POINTS["SESSION_LOADED"],
)
def _(original, consumer, runner, first):
    allowed, consumer.max_messages = consumer.max_messages, 1
    try:
        return original(consumer, runner, first)
    finally:
        consumer.max_messages = allowed
