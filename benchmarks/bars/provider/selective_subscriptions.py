"""P16p: the lookup of a message's delivery queues among a thousand subscriptions with selectors."""

from __future__ import annotations

from functools import partial
from typing import cast

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.provider.clients import standard_message
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import fastest_folder
from reference_provider.broker.physical_destinations import PhysicalTopic
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import ReferenceProducer
from tck.api import OMITTED


def routing(subscriptions: int, rounds: int) -> Measured:
    """Compare evaluating each subscription's selector to the provider's lookup."""
    with fastest_folder() as folder, open_file(folder / "provider.sqlite") as provider:
        topic = provider.create_topic("benchmark")
        session = provider.connection_factory().create_connection().create_session()
        consumers = [
            session.create_consumer(topic, f"customer = 'c{number}' AND quantity > 20")
            for number in range(subscriptions)
        ]
        producer = cast("ReferenceProducer", session.create_producer(topic))
        destination = provider.server.broker.find_physical_destination(topic)
        if not isinstance(destination, PhysicalTopic):
            raise TypeError(f"expected a topic behind {topic}, saw {destination!r}")
        message = producer.prepare(standard_message(session), topic, producer.options(OMITTED, OMITTED, OMITTED))[1]
        found = destination.route(message)
        if [one.delivery_queue for one in destination.subscriptions if one.wants(message)] != found or len(found) != 1:
            raise AssertionError(f"expected one subscription to want the message, saw {len(found)}")
        seconds, ratio = paired(
            partial(_look_up, destination, message), partial(_evaluate_each, destination, message), rounds=rounds
        )
        del consumers
    return Measured(ratio, f"{seconds / _TIMES * 1e6:.1f} us per message among {subscriptions} subscriptions")


_TIMES = 20


def _look_up(destination: PhysicalTopic, message: StoredMessage) -> None:
    for _ in range(_TIMES):
        destination.route(message)


def _evaluate_each(destination: PhysicalTopic, message: StoredMessage) -> None:
    for _ in range(_TIMES):
        [one.delivery_queue for one in destination.subscriptions if one.wants(message)]


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
