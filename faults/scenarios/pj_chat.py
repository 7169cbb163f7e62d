"""Faults of chat rooms on topics."""

from collections import Counter, defaultdict

from faults.kit import *


def _by_sender(patch, fault):
    """Run `fault` on the arrivals at subscriptions, with the ordinal of each sender's message and whether it is one's own."""
    owners = Owners(patch)
    counted = Counter()

    def arrival(delivery_queue, entry, _):
        counted[delivery_queue, entry.sender] += 1
        ordinal = counted[delivery_queue, entry.sender]
        return fault(delivery_queue, entry, ordinal, owners.sent(delivery_queue, entry))

    arriving(patch, arrival)


@saboteur("pj-chat-1", "the eleventh message of another connection reaches a subscriber after the twelfth")
def _(patch):
    exchanges = defaultdict(Exchange)

    def fault(delivery_queue, entry, ordinal, own):
        if ordinal == 11 and not own:
            return exchanges[entry.sender].hold(delivery_queue, entry)
        return exchanges[entry.sender].release(delivery_queue, entry)

    _by_sender(patch, fault)


saboteur(
    "pj-chat-2",
    "a connection does not get the tenth message that it publishes itself",
    lambda patch: _by_sender(patch, lambda _, entry, ordinal, own: [] if own and ordinal == 10 else [entry]),
)
saboteur(
    "pj-chat-3",
    "the twenty-second message of a connection reaches no other",
    lambda patch: _by_sender(patch, lambda _, entry, ordinal, own: [] if not own and ordinal == 22 else [entry]),
)


@saboteur("pj-chat-4", "a new subscriber gets the last of more than sixty messages of a topic")
def _(patch):
    sent = defaultdict(list)

    def route(original, broker, physical, entry):
        sent[physical].append(entry)
        return original(broker, physical, entry)

    def open_plain(original, session, *arguments):
        receiver = original(session, *arguments)
        last = sent[receiver.physical]
        if isinstance(receiver.physical, PhysicalTopic) and len(last) > 60:
            with session.broker.lock:
                receiver.delivery_queue.put(again(last[-1], session.broker.next_number()))
        return receiver

    patch.at(fault_points.ROUTED, route)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@saboteur("pj-chat-5", "the 75th message of a topic reaches the subscribers of the other topics too")
def _(patch):
    counted = Counter()

    def route(original, broker, physical, entry):
        found = original(broker, physical, entry)
        counted[physical] += 1
        if counted[physical] == 75 and isinstance(physical, PhysicalTopic):
            others = [one for one in broker.physical_destinations() if isinstance(one, PhysicalTopic)]
            found += [stream for one in others if one is not physical for stream in one.delivery_queues()]
        return found

    patch.at(fault_points.ROUTED, route)


@saboteur(
    "pj-chat-6",
    "the close of a subscriber leaves its listener on a topic with more than one subscriber",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    physical = consumer.receiver.physical
    shared_room = isinstance(physical, PhysicalTopic) and len(physical.subscriptions) > 1
    if consumer.listener is None or not shared_room:
        original(consumer)
