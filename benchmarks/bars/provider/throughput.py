"""P1 to P3: persistent messages on one thread, compared to raw SQL that does the same durable work."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.provider.clients import TopicClient, client_in
from benchmarks.bars.provider.raw_sql import raw_sql_in
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import Medium, folder_on
from tck.api import Session

SUBSCRIPTIONS = 10


def compared(
    provider: Callable[[], object], raw: Callable[[], object], medium: Medium, work: int, rounds: int
) -> Measured:
    """Compare the provider's rate to that of raw SQL; each side does `work` units.

    In memory CPU time counts, on disk wall time.
    """
    clock = time.process_time if medium is Medium.MEMORY else time.perf_counter
    for side in (raw, provider):
        side()
    seconds, ratio = paired(provider, raw, rounds=rounds, clock=clock)
    microseconds = seconds / work * 1e6
    return Measured(ratio, f"provider {microseconds:.0f} us, raw {microseconds * ratio:.0f} us; {medium}")


def one_by_one(medium: Medium) -> Measured:
    """Measure pairs in AUTO_ACKNOWLEDGE."""
    with folder_on(medium) as folder, client_in(folder) as client, raw_sql_in(folder) as raw:
        return compared(partial(client.pairs, 50), partial(raw.pairs, 50), medium, 50, 40)


def in_transactions(medium: Medium, size: int = 100) -> Measured:
    """Measure pairs in transactions of 100 messages."""
    with (
        folder_on(medium) as folder,
        client_in(folder, Session.SESSION_TRANSACTED) as client,
        raw_sql_in(folder) as raw,
    ):
        return compared(partial(client.transactions, 1, size), partial(raw.transactions, 1, size), medium, size, 25)


def to_subscriptions(medium: Medium) -> Measured:
    """Measure the delivery of messages to ten durable subscriptions."""
    rows = str(list(range(1, SUBSCRIPTIONS + 1)))
    with (
        folder_on(medium) as folder,
        open_file(folder / "provider.sqlite") as provider,
        raw_sql_in(folder) as raw,
    ):
        client = TopicClient(provider, SUBSCRIPTIONS)
        return compared(partial(client.rounds, 5), partial(raw.rounds, 5, rows), medium, 5 * SUBSCRIPTIONS, 30)


BARS = (
    Bar(
        id="P1",
        what="Persistent send and receive, one thread, in relation to raw SQL, on a memory file system",
        unit="of raw SQL's rate",
        prototype="0.55",
        require=0.30,
        stretch=0.45,
        measure=partial(one_by_one, Medium.MEMORY),
        higher=True,
    ),
    Bar(
        id="P1d",
        what="The same on disk",
        unit="of raw SQL's rate",
        prototype="0.82",
        require=0.65,
        stretch=0.80,
        measure=partial(one_by_one, Medium.DISK),
        higher=True,
    ),
    Bar(
        id="P2",
        what="Transactions of 100 messages, in relation to raw SQL, on a memory file system",
        unit="of raw SQL's rate",
        prototype="0.42",
        require=0.15,
        stretch=0.25,
        measure=partial(in_transactions, Medium.MEMORY),
        higher=True,
    ),
    Bar(
        id="P3",
        what="A topic with 10 durable subscriptions, per delivery, in relation to raw SQL, on a memory file system",
        unit="of raw SQL's rate",
        prototype="0.59",
        require=0.30,
        stretch=0.45,
        measure=partial(to_subscriptions, Medium.MEMORY),
        higher=True,
    ),
    Bar(
        id="P3d",
        what="The same on disk",
        unit="of raw SQL's rate",
        prototype="0.86",
        require=0.65,
        stretch=0.80,
        measure=partial(to_subscriptions, Medium.DISK),
        higher=True,
    ),
)
