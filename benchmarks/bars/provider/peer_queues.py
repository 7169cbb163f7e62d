"""P7 and P8: other libraries' durable queues on SQLite, doing the same work.

They are dependencies of these bars only (group `benchmarks`). None of them has headers, selectors or redelivery.
"""

from __future__ import annotations

import importlib
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.provider.clients import BODY, client_in
from benchmarks.bars.provider.concurrent_clients import ConcurrentClients, run_together
from benchmarks.bars.provider.throughput import compared
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import Medium, folder_on
from benchmarks.unavailable import Unavailable
from tck.api import DeliveryMode, Session

PROPERTIES = {"customer": "c17", "region": "north", "quantity": 25, "price": 17.5, "urgent": False}
ITEM = (PROPERTIES, BODY)
CHUNK = 50


def sqlite_queue(folder: Path) -> Any:  # noqa: ANN401 - a library without types
    """Open a `persistqueue.SQLiteQueue`. It has no acknowledgement: a crash after `get` loses the message."""
    return _library("persistqueue").SQLiteQueue(str(folder / "peer"), auto_commit=True, multithreading=True)


def sqlite_ack_queue(folder: Path) -> Any:  # noqa: ANN401 - a library without types
    """Open a `persistqueue.SQLiteAckQueue`."""
    return _library("persistqueue").SQLiteAckQueue(str(folder / "peer"), auto_commit=True, multithreading=True)


def lite_queue(folder: Path) -> Any:  # noqa: ANN401 - a library without types
    """Open a `litequeue.LiteQueue`, made durable: by default it does not sync."""
    queue = _library("litequeue").LiteQueue(str(folder / "peer.sqlite"))
    queue.conn.execute("pragma synchronous = full")
    return queue


def _library(name: str) -> Any:  # noqa: ANN401 - a module
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Unavailable(f"{name} is not installed: it comes with the dependency group `benchmarks`") from None


def put_and_get(queue: Any) -> None:  # noqa: ANN401 - a library without types
    """Do one chunk of pairs."""
    for _ in range(CHUNK):
        queue.put(ITEM)
        queue.get()


def put_get_and_ack(queue: Any) -> None:  # noqa: ANN401 - likewise
    """Do one chunk of pairs with acknowledgements."""
    for _ in range(CHUNK):
        queue.put(ITEM)
        queue.ack(queue.get())


def put_pop_and_done(queue: Any) -> None:  # noqa: ANN401 - likewise
    """Do one chunk of pairs with a queue of text."""
    for _ in range(CHUNK):
        queue.put(pickle.dumps(ITEM).hex())
        message = queue.pop()
        if hasattr(message, "claim_id"):  # newer versions count how often a message was given
            queue.done(message.message_id, claim_id=message.claim_id)
        else:
            queue.done(message.message_id)


def to_peer(
    medium: Medium, opened: Callable[[Path], Any], chunk: Callable[[Any], None], mode: int, rounds: int
) -> Measured:
    """Compare pairs on one thread to a peer's."""
    with folder_on(medium) as folder, client_in(folder, mode) as client:
        peer = opened(folder)
        measured = compared(partial(client.pairs, CHUNK), partial(chunk, peer), medium, CHUNK, rounds)
    return Measured(measured.value, measured.detail.replace("raw", "peer"))


def to_peer_with_threads(medium: Medium, threads: int, each: int, rounds: int) -> Measured:
    """Compare `threads` producers and as many consumers, each in a thread, to SQLiteQueue."""
    with folder_on(medium) as folder, open_file(folder / "provider.sqlite") as provider:
        clients, peer = ConcurrentClients(provider, threads, DeliveryMode.PERSISTENT), sqlite_queue(folder)

        def put() -> None:
            for _ in range(each):
                peer.put(ITEM)

        def get() -> None:
            for _ in range(each):
                peer.get()

        clients.transfer(2)
        seconds, ratio = paired(
            partial(clients.transfer, each), partial(run_together, [put] * threads + [get] * threads), rounds=rounds
        )
    microseconds = seconds / (threads * each) * 1e6
    return Measured(ratio, f"provider {microseconds:.0f} us, peer {microseconds * ratio:.0f} us per message; {medium}")


def _bar(name: str, what: str, prototype: str, bars: tuple[float, float], measure: Callable[[], Measured]) -> Bar:
    return Bar(name, what, "times the peer's rate", prototype, *bars, measure, higher=True)


_AUTO = Session.AUTO_ACKNOWLEDGE

BARS = (
    _bar(
        "P7",
        "Persistent pairs in relation to persist-queue's SQLiteQueue, on a memory file system",
        "1.46",
        (0.8, 1.2),
        partial(to_peer, Medium.MEMORY, sqlite_queue, put_and_get, _AUTO, 20),
    ),
    _bar(
        "P7d",
        "The same on disk",
        "1.15",
        (1.0, 1.1),
        partial(to_peer, Medium.DISK, sqlite_queue, put_and_get, _AUTO, 20),
    ),
    _bar(
        "P7t",
        "The same with 4 producers and 4 consumers, on disk",
        "2.1",
        (1.4, 2.0),
        partial(to_peer_with_threads, Medium.DISK, 4, 25, 9),
    ),
    _bar(
        "P8",
        "Persistent pairs in relation to litequeue made durable, on a memory file system",
        "2.7",
        (1.5, 2.5),
        partial(to_peer, Medium.MEMORY, lite_queue, put_pop_and_done, _AUTO, 16),
    ),
    _bar(
        "P8a",
        "Persistent pairs in relation to persist-queue's SQLiteAckQueue, fresh, on a memory file system",
        "3.7",
        (2.0, 3.5),
        partial(to_peer, Medium.MEMORY, sqlite_ack_queue, put_get_and_ack, _AUTO, 16),
    ),
)
