"""P17: the virtual clock costs nothing where nothing waits, and almost nothing where something does."""

from __future__ import annotations

import time
from functools import partial

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.provider.clients import QueueClient, require_message
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import fastest_folder
from tck.api import DeliveryMode


def hot_path(pairs: int, rounds: int) -> Measured:
    """Compare pairs under the virtual clock to pairs under the real one."""
    with (
        fastest_folder() as folder,
        open_file(folder / "real.sqlite") as real,
        open_file(folder / "virtual.sqlite", clock="virtual") as virtual,
        virtual.clock.actor(),
    ):
        sides = [QueueClient(virtual), QueueClient(real)]
        for side in sides:
            side.producer.delivery_mode = DeliveryMode.NON_PERSISTENT
            side.pairs(pairs)
        first, second = (partial(side.pairs, pairs) for side in sides)
        seconds, ratio = paired(first, second, rounds=rounds, clock=time.process_time)
    return Measured(ratio, f"virtual {seconds / pairs * 1e6:.0f} us per non-persistent pair")


def waiting(cases: int) -> Measured:
    """Measure the CPU seconds of cases that wait for expiry or for a delayed message."""
    with (
        fastest_folder() as folder,
        open_file(folder / "virtual.sqlite", clock="virtual") as provider,
        provider.clock.actor(),
    ):
        client = QueueClient(provider)
        producer, consumer, clock = client.producer, client.consumer, provider.clock
        producer.delivery_mode = DeliveryMode.NON_PERSISTENT
        start, began = clock.now(), time.process_time()
        for _ in range(cases // 2):
            producer.time_to_live = 30_000
            producer.send(client.message)
            clock.advance(30_001)
            if consumer.receive(30_000) is not None:
                raise AssertionError("expected no delivery of an expired message, saw it")
            producer.time_to_live = 0
            producer.delivery_delay = 30_000
            producer.send(client.message)
            require_message(consumer.receive(60_000))
            producer.delivery_delay = 0
        seconds, virtual = time.process_time() - began, (clock.now() - start) / 1000
    return Measured(seconds, f"{virtual:.0f} virtual seconds")


BARS = (
    Bar(
        id="P17",
        what="Rate under the virtual clock to that under the real one",
        unit="of the rate",
        prototype="1.0",
        require=0.9,
        stretch=0.97,
        measure=partial(hot_path, 200, 30),
        higher=True,
    ),
    Bar(
        id="P17w",
        what="1 000 cases that wait for expiry or for a delayed message, under the virtual clock",
        unit="s",
        prototype="0.01",
        require=1.0,
        stretch=0.1,
        measure=partial(waiting, 1000),
    ),
)
