"""Lawful in being slow: no sentence bounds how soon a message comes.

A browser that shows late what was sent before it was opened is not here: that message is on the queue, and 4.1.6-4 has it shown.
"""

from faults.kit import *

_TICK = 1000  # ms


def _slow_at_first(patch, *, queues_only):
    """Keep consumers waiting; browsers see what is there (4.1.6-4), and it comes in its order."""
    ready = dict[DeliveryQueue, int]()  # when the first message may go, by queue or subscription
    clock = dict[DeliveryQueue, Broker]()

    def offer(original, broker, source, entry):
        if source not in ready and (isinstance(source.physical, PhysicalQueue) or not queues_only):
            ready[source] = broker.clock.now() + (3000 if broker.clock.virtual else 400)
            clock[source] = broker
            broker.clock.call_at(ready[source], lambda: _wake(broker, source))
        original(broker, source, entry)

    def waits(source):
        return source in ready and clock[source].clock.now() < ready[source]

    def take(receiver):
        receiver.delivery_queue.cut_short = False
        return None if waits(receiver.delivery_queue) else original_take(receiver)

    def find_waiting(source, entry):
        return None if waits(source) else original_find(source, entry)

    original_take, original_find = Receiver.take, DeliveryQueue._find_waiting
    patch.at(fault_points.OFFERED, offer)
    patch.replace(Receiver, "take", take)
    patch.replace(DeliveryQueue, "_find_waiting", find_waiting)


def _wake(broker, source):
    with broker.lock:
        for taker in list(source.waiting):
            if isinstance(taker, Receiver):
                taker.slot.wake()


lawful(
    "slow-at-first",
    "the first message of a queue or subscription comes three seconds late, on a real clock 400 ms",
    circumstance=lambda patch: _slow_at_first(patch, queues_only=True),
    slow=True,
    install=lambda patch: _slow_at_first(patch, queues_only=False),
)


def _ticking(patch, *, queues_only):
    def admit(original, broker, source, entry):
        slow = isinstance(source.physical, PhysicalQueue) or not queues_only
        late = slow and remains(broker, entry) > 0
        due = -(-entry.delivery_time // _TICK) * _TICK if late else entry.delivery_time
        kept_until(original, broker, source, entry, due)

    patch.at(fault_points.ARRIVED, admit)


lawful(
    "delays-by-the-second",
    "the timer for delayed messages ticks once a second",
    circumstance=lambda patch: _ticking(patch, queues_only=True),
    slow=True,
    install=lambda patch: _ticking(patch, queues_only=False),
)
