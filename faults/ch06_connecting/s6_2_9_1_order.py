"""Faults in 6.2.9.1: the order of messages."""

from faults.kit import *


@saboteur("6.2.9.1-1", "acknowledge() covers only messages of the same consumer", at=fault_points.HANDED_OVER)
def _(original, state, consumer, delivery_queue, entry):
    delivery = original(state, consumer, delivery_queue, entry)

    def acknowledge():
        mine = [one for one in state.unacknowledged if one.consumer is consumer]
        state.unacknowledged = [one for one in state.unacknowledged if one not in mine]
        state.acknowledge(mine, durable=True)

    if state.mode == Session.CLIENT_ACKNOWLEDGE:
        delivery.acknowledge = acknowledge
    return delivery


class _HeldBack:
    """Delivers the first free message of a stream third, once."""

    def __init__(self, patch):
        self._due = []
        self._late = {}

        patch.at(fault_points.MESSAGE_TAKEN, self._take)

    def order(self, delivery_queue):
        """Reorder a delivery queue at the next take."""
        self._due.append(delivery_queue)

    def _take(self, original, receiver):
        delivery_queue = receiver.delivery_queue
        if delivery_queue in self._due and len(list(delivery_queue.free_entries())) > 3:
            self._due.remove(delivery_queue)
            first, second, third = (delivery_queue.take(receiver) for _ in range(3))
            self._late[receiver] = [entry for entry in (second, third, first) if entry is not None]
        if late := self._late.get(receiver):
            return receiver.deliver(delivery_queue, late.pop(0))
        return original(receiver)


def _may_come_instead(entry, first, receiver):
    """Return whether a message may be delivered where another one of its priority is due."""
    wanted = receiver.matches is None or receiver.matches(entry)
    return wanted and entry.priority == first.priority and not entry.expiration


@saboteur(
    "6.2.9.1-3",
    "subscribers of a topic get what waits for them the newest first",
    collateral={
        "6.2.9.1-1": "two messages wait for each subscriber, and one is received before an acknowledgement",
        "6.2.9.1-4": "several messages wait for its durable subscriber",
    },
)
def _(patch):
    def take(_original, receiver):
        delivery_queue = receiver.delivery_queue
        first = delivery_queue.take(receiver)
        if first is None:
            return None
        chosen = first
        if isinstance(delivery_queue.physical, PhysicalTopic):
            later = [one for one in delivery_queue.free_entries() if _may_come_instead(one, first, receiver)]
            if later:
                chosen = later[-1]
                delivery_queue.level(first.priority).put_back(first.number)
                delivery_queue.take_number(chosen.number, chosen.priority)
        return receiver.deliver(delivery_queue, chosen)

    patch.at(fault_points.MESSAGE_TAKEN, take)


@nearly_right(
    "later-subscribers-get-a-burst-out-of-order",
    "only the first subscriber of a topic gets a burst of twelve messages in order",
    "6.2.9.1-3",
)
def _(patch):
    held_back = _HeldBack(patch)
    counted = {}

    def fault(physical, entry, wanting):
        for one in wanting[1:]:
            delivery_queue = one.delivery_queue
            counted[id(delivery_queue)] = counted.get(id(delivery_queue), 0) + 1
            if counted[id(delivery_queue)] == 12 and not delivery_queue.in_file:
                held_back.order(delivery_queue)
        return wanting

    rerouted(patch, fault)


@saboteur("6.2.9.1-4", "a resumed durable subscription delivers its first message third")
def _(patch):
    held_back = _HeldBack(patch)

    def fault(receiver):
        if len(list(receiver.delivery_queue.free_entries())) > 3:
            held_back.order(receiver.delivery_queue)

    after_durable_opened(patch, fault)
