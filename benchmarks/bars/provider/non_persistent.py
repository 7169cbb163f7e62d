"""P9: non-persistent messages from one thread to another, compared to Python's own queue."""

from __future__ import annotations

import queue
from functools import partial

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.provider.concurrent_clients import ConcurrentClients, run_together
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import fastest_folder
from tck.api import DeliveryMode


def to_python_queue(each: int, rounds: int) -> Measured:
    """Compare one producer and one consumer of non-persistent messages to `queue.Queue`."""
    plain: queue.Queue[tuple[int, str]] = queue.Queue()

    def put() -> None:
        for number in range(each):
            plain.put((number, "x"))

    def get() -> None:
        for _ in range(each):
            plain.get()

    with fastest_folder() as folder, open_file(folder / "provider.sqlite") as provider:
        clients = ConcurrentClients(provider, 1, DeliveryMode.NON_PERSISTENT)
        clients.transfer(each)
        seconds, ratio = paired(partial(clients.transfer, each), partial(run_together, [put, get]), rounds=rounds)
    microseconds = seconds / each * 1e6
    return Measured(ratio, f"provider {microseconds:.0f} us, queue.Queue {microseconds * ratio:.1f} us per message")


BARS = (
    Bar(
        id="P9",
        what="Non-persistent messages from thread to thread, in relation to put and get of queue.Queue",
        unit="of its rate",
        prototype="0.40",
        require=0.04,
        stretch=0.10,
        measure=partial(to_python_queue, 1000, 21),
        higher=True,
    ),
)
