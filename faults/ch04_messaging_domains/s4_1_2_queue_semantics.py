"""Faults in 4.1.2: delivery from queues."""

import copy
import itertools

from faults.kit import *


@saboteur(
    "4.1.2-1", "receiveNoWait of a queue consumer always returns null", around=(ReferenceConsumer, "receive_no_wait")
)
def _(original, self):
    return None if isinstance(self.receiver.physical, PhysicalQueue) else original(self)


@saboteur("4.1.2-2", "the listener of a queue consumer gets only messages sent after it was set")
def _(patch):
    honest = ReferenceConsumer.message_listener

    def listen(self, listener):
        delivery_queue = self.receiver.delivery_queue
        if listener is not None and isinstance(self.receiver.physical, PhysicalQueue):
            with self.session.broker.lock:
                for entry in list(delivery_queue.free_entries()):
                    delivery_queue.take_number(entry.number, entry.priority)
        honest.fset(self, listener)

    patch.replace(ReferenceConsumer, "message_listener", property(honest.fget, listen))


@saboteur("4.1.2-3", "a session refuses a second consumer on a queue", at=fault_points.PLAIN_CONSUMER_OPENED)
def _(original, session, *arguments):
    receiver = original(session, *arguments)
    others = [one for one in session.consumers if one.receiver.physical is receiver.physical]
    if others and isinstance(receiver.physical, PhysicalQueue):
        with session.broker.lock:
            session.connection.consumer_factory.close(receiver)
        raise ResourceAllocationException("the session has a consumer on the queue")
    return receiver


@saboteur("4.1.2-4", "two of four waiting queue consumers get the first message")
def _(patch):
    torn = []

    def take(original, receiver):
        delivery = original(receiver)
        physical = receiver.physical
        if (
            delivery is not None
            and isinstance(physical, PhysicalQueue)
            and physical.consumers >= 4
            and physical not in torn
        ):
            torn.append(physical)
            again = copy.copy(delivery.entry)
            again.number = receiver.slot.broker.next_number()
            again.stored = False
            receiver.delivery_queue.put(again)
        return delivery

    patch.at(fault_points.MESSAGE_TAKEN, take)


@saboteur(
    "4.1.2-5",
    "a queue consumer with a selector gets every third message that does not match",
    at=fault_points.SUBSCRIPTION_OPENED,
)
def _(original, factory, physical, text, matches, subscription):
    passed = itertools.count(1)

    def lax(entry):
        return bool(matches(entry)) or next(passed) % 3 == 0  # a predicate

    return original(factory, physical, text, None if matches is None else lax, subscription)


@saboteur(
    "4.1.2-6",
    "closing a queue consumer with a selector drops the messages that did not match",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    receiver = consumer.receiver
    if receiver.matches is not None and isinstance(receiver.physical, PhysicalQueue) and not receiver.closed:
        for entry in list(receiver.delivery_queue.free_entries()):
            receiver.delivery_queue.remove(entry.number, entry.priority)
    original(consumer)


@saboteur("4.1.2-7", "the first queue consumer with a selector blocks the others with one")
def _(patch):
    first = {}

    def take(original, receiver):
        other = first.get(id(receiver.delivery_queue))
        blocked = other is not None and other is not receiver and not other.closed and receiver.matches is not None
        return None if blocked else original(receiver)

    patch.at(fault_points.MESSAGE_TAKEN, take)

    def open_receiver(original, factory, *arguments):
        receiver = original(factory, *arguments)
        if receiver.matches is not None:
            first.setdefault(id(receiver.delivery_queue), receiver)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


def _swap(patch, least, *, selecting):
    """Swap the first two messages of each queue that has at least `least` free ones."""
    swapped = []
    late = {}

    def take(original, receiver):
        delivery_queue = receiver.delivery_queue
        if receiver in late:
            return receiver.deliver(delivery_queue, late.pop(receiver))
        kind = isinstance(receiver.physical, PhysicalQueue) and (receiver.matches is not None) is selecting
        if kind and delivery_queue not in swapped and len(list(delivery_queue.free_entries())) >= least:
            swapped.append(delivery_queue)
            early = delivery_queue.take(receiver)
            if early is not None:
                late[receiver] = early
        return original(receiver)

    patch.at(fault_points.MESSAGE_TAKEN, take)


saboteur(
    "4.1.2-8", "a queue swaps the first two of forty messages or more", lambda patch: _swap(patch, 40, selecting=False)
)
saboteur(
    "4.1.2-9",
    "a queue consumer with a selector gets the first two of ten messages or more swapped",
    lambda patch: _swap(patch, 10, selecting=True),
)
