"""Faults of the phone over queues."""

from collections import Counter

from faults.kit import *


def _spoken(delivery_queue, entry, ordinal):
    """Return whether a message is the tenth of a queue, urgent and NON_PERSISTENT."""
    urgent = entry.priority == 9 and entry.delivery_mode == DeliveryMode.NON_PERSISTENT
    return ordinal == 10 and urgent and is_queue(delivery_queue)


saboteur(
    "pj-phone-1",
    "the tenth message of a queue comes twice if it is NON_PERSISTENT and urgent",
    lambda patch: doubled(patch, _spoken),
)
saboteur(
    "pj-phone-3",
    "the tenth message of a queue is overtaken by the next if it is NON_PERSISTENT and urgent",
    lambda patch: exchanged(patch, _spoken),
)


@saboteur("pj-phone-5", "a session cannot open a consumer again on a queue from which it got more than twenty messages")
def _(patch):
    counted = Counter()
    left = set()

    def key(session, consumer):
        return session, consumer.origin

    def opened(original, state, consumer, *arguments):
        counted[key(consumer.session, consumer)] += 1
        return original(state, consumer, *arguments)

    def detach(original, consumer):
        original(consumer)
        if counted[key(consumer.session, consumer)] > 20:
            left.add(key(consumer.session, consumer))

    def open_plain(original, session, destination, *arguments):
        if (session, destination) in left:
            raise ResourceAllocationException(f"the session has had a consumer on {destination}", "CONSUMER_LIMIT")
        return original(session, destination, *arguments)

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@saboteur("pj-phone-7", "after a long pause the message before comes once more to a receiver that waits")
def _(patch):
    before = {}

    def admit(original, broker, delivery_queue, entry):
        last = before.get(delivery_queue)
        before[delivery_queue] = entry
        waited_for = is_queue(delivery_queue) and delivery_queue.physical.consumers > 0
        if last is not None and waited_for and entry.number - last.number > 40:
            original(broker, delivery_queue, again(last, last.number))
        original(broker, delivery_queue, entry)

    patch.at(fault_points.ARRIVED, admit)


@saboteur("pj-phone-8", "a receive with a timeout gives up after half of it", at=fault_points.MESSAGE_AWAITED)
def _(original, consumer, timeout):
    return original(consumer, timeout and timeout // 2)
