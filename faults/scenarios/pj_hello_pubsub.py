"""Faults of Hello World over a topic."""

from faults.kit import *


@saboteur("pj-hello-pubsub-1", "the third subscriber of a topic gets its first message twice")
def _(patch):
    torn = []

    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        if delivery_queue in list(delivery_queue.physical.delivery_queues())[2:3] and delivery_queue not in torn:
            torn.append(delivery_queue)
            original(broker, delivery_queue, again(entry, broker.next_number()))

    patch.at(fault_points.ARRIVED, admit)


@saboteur(
    "pj-hello-pubsub-3", "acknowledging the first message of a topic settles the copies that others have received"
)
def _(patch):
    states = []

    def open_delivery(original, state, *arguments):
        if state not in states:
            states.append(state)
        return original(state, *arguments)

    def acknowledge_all(original, session):
        held = session.state.unacknowledged
        settled = {one.entry.number for one in held[:1] if isinstance(one.source.physical, PhysicalTopic)}
        original(session)
        for other in states:
            other.unacknowledged = [one for one in other.unacknowledged if one.entry.number not in settled]

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)
