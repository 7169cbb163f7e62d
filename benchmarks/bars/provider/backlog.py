"""P10 to P14: the cost of a million stored messages, at start, in memory and per message.

The backlog is written with SQL and then opened like any file. CPU time counts; these promises exclude the disk.
"""

from __future__ import annotations

import gc
import sqlite3
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from benchmarks.bars.bar import Bar, Measured, SharedMeasurement, paired
from benchmarks.bars.provider.clients import QueueClient, standard_message
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import Medium, folder_on
from reference_provider.broker.delivery_queue import PriorityLevel

MILLION = 1_000_000
CHUNK = 256  # the provider reads this many at once when bodies have left memory: each chunk then contains one read

_FILL = """
    insert into message (id, destination, priority, expires, due, headers, body)
    with recursive n(i) as (select 2 union all select i + 1 from n where i < ?)
    select i, destination, priority, expires, due, headers, body from n, message where id = 1"""


def fill(file: Path, messages: int) -> None:
    """Write a file with this many messages on the queue "benchmark"."""
    with open_file(file) as provider:
        client = QueueClient(provider)
        client.producer.send(client.message)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("pragma synchronous = off")
        connection.execute("update message set id = 1")
        connection.execute(_FILL, (messages,))
        connection.execute("pragma wal_checkpoint(truncate)")


@contextmanager
def backlog(messages: int) -> Iterator[Path]:
    """Yield a file with this many messages, on a memory file system."""
    with folder_on(Medium.MEMORY) as folder:
        file = folder / "backlog.sqlite"
        fill(file, messages)
        yield file


# --- P10: cost per message --------------------------------------------------------------------------------------


def cost_with_backlog(messages: int, rounds: int) -> list[Measured]:
    """Compare pairs with a backlog to pairs on an empty queue: for the message just sent, and for the oldest one."""
    with backlog(messages) as file, open_file(file) as provider, _empty_queue() as empty:
        client = QueueClient(provider)
        client.producer.priority = 9
        newest = _cost(empty, client, rounds)
        client.producer.priority = 4
        oldest = _cost(empty, client, rounds)
    return [newest, oldest]


def _cost(empty: QueueClient, client: QueueClient, rounds: int) -> Measured:
    for one in (empty, client):
        one.pairs(CHUNK)
    seconds, ratio = paired(
        partial(empty.pairs, CHUNK), partial(client.pairs, CHUNK), rounds=rounds, clock=time.process_time
    )
    microseconds = seconds / CHUNK * 1e6
    return Measured(ratio, f"empty {microseconds:.0f} us, with backlog {microseconds * ratio:.0f} us per message")


@contextmanager
def _empty_queue() -> Iterator[QueueClient]:
    with folder_on(Medium.MEMORY) as folder, open_file(folder / "empty.sqlite") as provider:
        yield QueueClient(provider)


# --- P11: selectors ---------------------------------------------------------------------------------------------


def cost_past_backlog(messages: int, rounds: int) -> Measured:
    """Compare a consumer whose selector rejects the whole backlog to one on an empty queue."""
    selector = "quantity = 26"
    with backlog(messages) as file, open_file(file) as provider, _empty_queue() as empty:
        past = QueueClient(provider, selector=selector)
        empty.consumer.close()
        empty.consumer = empty.session.create_consumer(empty.queue, selector)
        for client in (past, empty):
            client.message = standard_message(client.session)
            client.message.set_int_property("quantity", 26)
        began = time.process_time()
        past.pairs(1)
        first = time.process_time() - began
        measured = _cost(empty, past, rounds)
    return Measured(measured.value, f"{measured.detail}; first scan {first:.1f} s")


# --- P12: start and memory --------------------------------------------------------------------------------------


def start(messages: int, rounds: int) -> list[Measured]:
    """Compare opening the file to a bare loop over the same rows, and measure the memory of the delivery order."""
    with backlog(messages) as file:
        seconds, ratio = paired(
            partial(_read_rows, file), lambda: open_file(file).close(), rounds=rounds, clock=time.process_time
        )
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            with open_file(file):
                gc.collect()
                after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return [
        Measured(ratio, f"bare loop {seconds:.2f} s, opening {seconds * ratio:.2f} s of CPU time"),
        Measured((after - before) / messages, f"{(after - before) / 1e6:.1f} MB"),
    ]


def _read_rows(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for _row in connection.execute(
            "select id, destination, priority, due, deliveries from message where branch is null order by id"
        ):
            pass


# --- P13: pauses ------------------------------------------------------------------------------------------------


def longest_pause(messages: int, pairs: int) -> Measured:
    """Measure the longest call with a backlog, garbage collection included, and the longest step of emptying a level."""
    calls: list[float] = []
    with backlog(messages) as file, open_file(file) as provider:
        client = QueueClient(provider)
        client.pairs(CHUNK)
        gc.collect()
        for _ in range(pairs):
            calls.append(_timed(partial(client.producer.send, client.message)))
            calls.append(_timed(partial(client.consumer.receive, 1000)))
        median = statistics.median(calls)
    emptying = _longest_of_emptying(messages)
    return Measured(
        max(*calls, emptying) * 1e3,
        f"call: median {median * 1e3:.2f} ms, longest {max(calls) * 1e3:.1f} ms;"
        f" longest step while a level of {messages} is emptied {emptying * 1e3:.1f} ms",
    )


def _longest_of_emptying(messages: int) -> float:
    """Empty a level from its head; then, the worse case, all of it but the head."""
    longest = 0.0
    for kept in (0, 1):
        level = PriorityLevel()
        for number in range(messages):
            level.add(number)
        for number in range(kept, messages):
            began = time.thread_time()
            level.remove(number)
            longest = max(longest, time.thread_time() - began)
    return longest


def _timed(call: Callable[[], object]) -> float:
    began = time.thread_time()
    call()
    return time.thread_time() - began


# --- P14: a reader ----------------------------------------------------------------------------------------------


def beside_a_reader(pairs: int) -> Measured:
    """Compare the last quarter of many pairs while another connection holds a read transaction open to pairs without."""
    with (
        folder_on(Medium.MEMORY) as folder,
        open_file(folder / "read.sqlite") as read,
        open_file(folder / "alone.sqlite") as alone,
    ):
        sides = {"read": QueueClient(read), "alone": QueueClient(alone)}
        sides["read"].pairs(1)
        ratios = []
        with closing(sqlite3.connect(folder / "read.sqlite", isolation_level=None)) as reader:
            reader.execute("begin")
            reader.execute("select count(*) from message").fetchone()
            for _ in range(pairs // CHUNK):
                seconds = {}
                for name, client in sides.items():
                    began = time.process_time()
                    client.pairs(CHUNK)
                    seconds[name] = time.process_time() - began
                ratios.append(seconds["alone"] / seconds["read"])
            log = (folder / "read.sqlite-wal").stat().st_size
    last = ratios[-len(ratios) // 4 :]
    return Measured(
        statistics.median(last), f"all of {pairs} pairs {statistics.mean(ratios):.2f}; log of {log / 1e6:.0f} MB"
    )


_COST = SharedMeasurement(partial(cost_with_backlog, MILLION, 16))
_START = SharedMeasurement(partial(start, MILLION, 3))

BARS = (
    Bar(
        id="P10",
        what="Cost of a message beside a million stored ones to that on an empty queue: just sent, on a memory file system",
        unit="times",
        prototype="1.01",
        require=1.15,
        stretch=1.05,
        measure=partial(_COST.figure, 0),
        gated=True,
    ),
    Bar(
        id="P10c",
        what="The same for the oldest message, whose body has left memory",
        unit="times",
        prototype="1.7",
        require=2.0,
        stretch=1.6,
        measure=partial(_COST.figure, 1),
        gated=True,
    ),
    Bar(
        id="P11",
        what="Cost of a message to a consumer whose selector has passed over a million to that on an empty queue",
        unit="times",
        prototype="about 1.0",
        require=1.2,
        stretch=1.1,
        measure=partial(cost_past_backlog, MILLION, 12),
        gated=True,
    ),
    Bar(
        id="P12",
        what="Opening a file with a million messages to a bare select loop over the same rows",
        unit="times",
        prototype="1.2",
        require=2.5,
        stretch=1.5,
        measure=partial(_START.figure, 0),
        gated=True,
    ),
    Bar(
        id="P12m",
        what="Memory per stored message whose body has left memory",
        unit="bytes",
        prototype="9",
        require=24,
        stretch=12,
        measure=partial(_START.figure, 1),
        gated=True,
    ),
    Bar(
        id="P13",
        what="The longest pause with a million messages stored, one thread, on a memory file system",
        unit="ms",
        prototype="6",
        require=50,
        stretch=10,
        measure=partial(longest_pause, MILLION, 4000),
    ),
    Bar(
        id="P14",
        what="Rate beside a read transaction held open over 40 000 pairs to that without one, at the end",
        unit="of the rate",
        prototype="0.69",
        require=0.4,
        stretch=0.6,
        measure=partial(beside_a_reader, 40_000),
        higher=True,
    ),
)
