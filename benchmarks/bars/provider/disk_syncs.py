"""P4 to P6: the number of disk syncs, counted in the file system below SQLite, and the cost of a slow disk.

Counts are the same on any machine. With threads they depend on the number of commits that arrive during one sync; so a
sync takes a millisecond longer here than in memory, about as long as on an ordinary disk.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.provider.clients import QueueClient
from benchmarks.bars.provider.concurrent_clients import ConcurrentClients, run_together
from benchmarks.bars.provider.raw_sql import RawSql, raw_sql_in
from benchmarks.storage.provider_files import make_file, open_with
from benchmarks.storage.storage_media import fastest_folder
from benchmarks.unavailable import Unavailable
from reference_provider.provider import ReferenceProvider
from reference_provider.store import StoreOptions
from tck.api import DeliveryMode, Session

if TYPE_CHECKING:
    from benchmarks.storage.watched_disk import WatchedDisk

SLOW = 0.001  # seconds by which a sync is delayed


@contextmanager
def watched(delay: float) -> Iterator[tuple[Path, WatchedDisk]]:
    """Yield a folder, and a disk that counts syncs and delays each by `delay` seconds.

    Raises:
        Unavailable: apsw is not installed.
    """
    try:
        from benchmarks.storage.watched_disk import DiskControls, WatchedDisk  # noqa: PLC0415 - apsw is a dependency of these bars only
    except ImportError:
        raise Unavailable("apsw is not installed: it comes with the dependency group `benchmarks`") from None
    with fastest_folder() as folder:
        disk = WatchedDisk(f"counting {folder.name}", DiskControls(keep=False, delay=delay))
        yield folder, disk
        disk.unregister()


@contextmanager
def provider_on(folder: Path, disk: WatchedDisk) -> Iterator[ReferenceProvider]:
    """Open a provider on a fresh file on the disk."""
    file = folder / "provider.sqlite"
    make_file(file)
    with open_with(file, StoreOptions(connect=disk.connect)) as provider:
        yield provider


def per_pair(mode: int, delivery_mode: int = DeliveryMode.PERSISTENT, count: int = 1000) -> Measured:
    """Count syncs per pair on one thread: in AUTO_ACKNOWLEDGE, or in transactions of 100."""
    with watched(0) as (folder, disk), provider_on(folder, disk) as provider:
        client = QueueClient(provider, mode)
        client.producer.delivery_mode = delivery_mode
        before = disk.controls.syncs
        if mode == Session.SESSION_TRANSACTED:
            client.transactions(count // 100, 100)
        else:
            client.pairs(count)
        syncs = disk.controls.syncs - before
    return Measured(syncs / count, f"{syncs} syncs for {count} messages")


def per_message_of_many(threads: int, each: int) -> Measured:
    """Count syncs per message with `threads` producers and as many consumers, each in a thread."""
    with watched(SLOW) as (folder, disk), provider_on(folder, disk) as provider:
        clients = ConcurrentClients(provider, threads, DeliveryMode.PERSISTENT)
        clients.transfer(2)
        before = disk.controls.syncs
        clients.transfer(each)
        syncs = disk.controls.syncs - before
    return Measured(syncs / (each * threads), f"{syncs} syncs for {each * threads} messages, +{SLOW * 1e3:.0f} ms each")


def slow_disk(threads: int, each: int, rounds: int) -> Measured:
    """Compare many threads on a slow disk to raw SQL on one connection with a lock."""
    with (
        watched(SLOW) as (folder, disk),
        provider_on(folder, disk) as provider,
        raw_sql_in(folder, disk.connect) as raw,
    ):
        clients = ConcurrentClients(provider, threads, DeliveryMode.PERSISTENT)
        locked = _LockedRawSql(raw)
        clients.transfer(2)
        seconds, ratio = paired(partial(clients.transfer, each), partial(locked.transfer, threads, each), rounds=rounds)
    milliseconds = seconds / (threads * each) * 1e3
    return Measured(ratio, f"provider {milliseconds:.2f} ms, raw {milliseconds * ratio:.2f} ms per message")


class _LockedRawSql:
    """Raw SQL on one connection that threads share under a lock."""

    def __init__(self, raw: RawSql) -> None:
        self._raw = raw
        self._lock = threading.Lock()  # guards the connection

    def transfer(self, threads: int, each: int) -> None:
        """Insert and delete `each` rows in `threads` threads each."""
        ranges = [self._raw.numbers(each) for _ in range(threads)]
        run_together(
            [
                *(partial(self._insert, numbers) for numbers in ranges),
                *(partial(self._delete, numbers) for numbers in ranges),
            ]
        )

    def _insert(self, numbers: range) -> None:
        raw = self._raw
        for number in numbers:
            with self._lock:
                raw.execute(raw.INSERT, (number, raw.headers, raw.body))

    def _delete(self, numbers: range) -> None:
        raw = self._raw
        for number in numbers:
            with self._lock:
                raw.execute(raw.DELETE, (number,))


BARS = (
    Bar(
        id="P4",
        what="Syncs per persistent message, sent and acknowledged one by one",
        unit="syncs",
        prototype="2.02",
        require=2.1,
        stretch=2.1,
        measure=partial(per_pair, Session.AUTO_ACKNOWLEDGE),
        gated=True,
    ),
    Bar(
        id="P4t",
        what="Syncs per persistent message in transactions of 100",
        unit="syncs",
        prototype="0.022",
        require=0.03,
        stretch=0.03,
        measure=partial(per_pair, Session.SESSION_TRANSACTED),
        gated=True,
    ),
    Bar(
        id="P4n",
        what="Syncs per non-persistent message",
        unit="syncs",
        prototype="0",
        require=0,
        stretch=0,
        measure=partial(per_pair, Session.AUTO_ACKNOWLEDGE, DeliveryMode.NON_PERSISTENT),
        gated=True,
    ),
    Bar(
        id="P5",
        what="Syncs per message, 4 producers and 4 consumers",
        unit="syncs",
        prototype="0.47",
        require=1.0,
        stretch=0.6,
        measure=partial(per_message_of_many, 4, 100),
        gated=True,
    ),
    Bar(
        id="P5x",
        what="Syncs per message, 16 producers and 16 consumers",
        unit="syncs",
        prototype="0.12",
        require=0.35,
        stretch=0.2,
        measure=partial(per_message_of_many, 16, 50),
        gated=True,
    ),
    Bar(
        id="P6",
        what="16 producers and 16 consumers where a sync takes 1 ms longer, in relation to raw SQL with a lock",
        unit="times raw SQL's rate",
        prototype="11.7",
        require=5,
        stretch=10,
        measure=partial(slow_disk, 16, 12, 7),
        higher=True,
    ),
)
