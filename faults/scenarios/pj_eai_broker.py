"""Faults of an integration broker."""

from faults.kit import *

MANY, TENTH, FIFTH = 15, 10, 5


def _selecting(stream, *, used):
    """Return whether a delivery queue is that of a subscription with a selector that has a consumer, or none."""
    if not isinstance(stream.physical, PhysicalTopic):
        return False
    own = [one for one in stream.physical.subscriptions if one.delivery_queue is stream]
    return any(one.selector is not None and bool(one.consumers) is used for one in own)


saboteur(
    "pj-eai-broker-1",
    "the tenth message of a subscription with a selector and a consumer comes twice",
    lambda patch: doubled(patch, lambda stream, _, ordinal: ordinal == TENTH and _selecting(stream, used=True)),
)


@saboteur(
    "pj-eai-broker-2", "the fifth message of a subscription with a selector and without a consumer is lost", by=arriving
)
def _(stream, entry, ordinal):
    return [] if ordinal == FIFTH and _selecting(stream, used=False) else [entry]


@saboteur(
    "pj-eai-broker-3",
    "a topic gives nothing to a consumer with a selector while another of its consumers has a backlog",
    at=fault_points.MESSAGE_AWAITED,
)
def _(original, consumer, timeout):
    physical = consumer.receiver.physical
    clock = consumer.session.broker.clock
    if isinstance(physical, PhysicalTopic) and consumer.receiver.selector is not None:
        busy = [one for one in physical.subscriptions if one.consumers and one.selector is None]
        until = clock.now() + 12_000
        while clock.now() < until and any(len(list(one.delivery_queue.free_entries())) > MANY for one in busy):
            clock.event().wait(100)
    return original(consumer, timeout)


@saboteur(
    "pj-eai-broker-4", "a text on a queue arrives with small letters behind its first word in capitals", by=arriving
)
def _(stream, entry, ordinal):
    text = entry.snapshot.body
    return [changed(entry, body=text.replace("ASIA", "Asia")) if isinstance(text, str) and is_queue(stream) else entry]
