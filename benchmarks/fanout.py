"""P16 within the provider: finding the streams of a message among a thousand selective subscriptions."""

from __future__ import annotations

from functools import partial
from typing import cast

from benchmarks.bars import Bar, Measured, paired
from benchmarks.places import fastest_folder
from benchmarks.providers import open_file
from benchmarks.scenes import standard_message
from reference_provider.broker.physical_destinations import PhysicalTopic
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import ReferenceProducer
from tck.api import OMITTED


def routing(subscriptions: int, rounds: int) -> Measured:
    """Measure asking each subscription in relation to what the provider does."""
    with fastest_folder() as folder, open_file(folder / "provider.sqlite") as provider:
        topic = provider.create_topic("benchmark")
        session = provider.connection_factory().create_connection().create_session()
        consumers = [
            session.create_consumer(topic, f"customer = 'c{number}' AND quantity > 20")
            for number in range(subscriptions)
        ]
        producer = cast("ReferenceProducer", session.create_producer(topic))
        place = provider.server.broker.find_physical_destination(topic)
        if not isinstance(place, PhysicalTopic):
            raise TypeError(f"expected a topic behind {topic}, saw {place!r}")
        entry = producer.prepare(standard_message(session), topic, producer.options(OMITTED, OMITTED, OMITTED))[1]
        found = place.route(entry)
        if [one.delivery_queue for one in place.subscriptions if one.wants(entry)] != found or len(found) != 1:
            raise AssertionError(f"expected one subscription to want the message, saw {len(found)}")
        seconds, ratio = paired(partial(_index, place, entry), partial(_ask_each, place, entry), rounds=rounds)
        del consumers
    return Measured(ratio, f"{seconds / _TIMES * 1e6:.1f} us per message among {subscriptions} subscriptions")


_TIMES = 20


def _index(place: PhysicalTopic, entry: StoredMessage) -> None:
    for _ in range(_TIMES):
        place.route(entry)


def _ask_each(place: PhysicalTopic, entry: StoredMessage) -> None:
    for _ in range(_TIMES):
        [one.delivery_queue for one in place.subscriptions if one.wants(entry)]


BARS = (
    Bar(
        id="P16p",
        what="The same in the provider, from the message to its streams",
        unit="times as fast",
        prototype="-",
        require=10,
        stretch=30,
        measure=partial(routing, 1000, 20),
        higher=True,
        gated=True,
    ),
)
