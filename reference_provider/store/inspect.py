"""Reports on a file, also while a provider runs on it: destinations, subscriptions, branches, and messages.

Uses a read-only connection of its own with short reads, so that it never delays a checkpoint for long.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference_provider.store.files import check_schema, damaged
from tck.api import JMSException


@dataclass(frozen=True, slots=True)
class DestinationReport:
    """One destination; times are compared with `now`, epoch ms."""

    kind: str
    name: str
    messages: int
    delayed: int
    expired: int


@dataclass(frozen=True, slots=True)
class SubscriptionReport:
    """One durable subscription and its backlog."""

    topic: str
    client_id: str | None
    name: str
    shared: bool
    selector: str | None
    no_local: bool
    backlog: int


@dataclass(frozen=True, slots=True)
class BranchReport:
    """One branch of a distributed transaction that is prepared or was completed by an administrator."""

    format_id: int
    global_transaction_id: str
    branch_qualifier: str
    state: str
    sent: int
    received: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """All contents of a file except the messages."""

    destinations: tuple[DestinationReport, ...]
    subscriptions: tuple[SubscriptionReport, ...]
    branches: tuple[BranchReport, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MessageReport:
    """One stored message: its headers as stored, and its body as text or in hexadecimal."""

    number: int
    priority: int
    expires: int
    due: int
    deliveries: int
    prepared: bool
    headers: dict[str, Any]
    body: str | None


_DESTINATIONS = """
    select d.kind, d.name, count(m.id), coalesce(sum(m.due > :now), 0),
           coalesce(sum(m.expires > 0 and m.expires <= :now), 0)
    from destination d left join message m on m.destination = d.id group by d.id order by d.kind, d.name
"""
_SUBSCRIPTIONS = """
    select t.name, s.client_id, s.name, s.shared, s.selector, s.no_local,
           (select count(*) from delivery where subscription = s.id)
    from subscription s join destination t on t.id = s.destination order by t.name, s.client_id, s.name
"""
_BRANCHES = """
    select format, hex(gtrid), hex(bqual), state, (select count(*) from message where branch = b.id),
           (select count(*) from branch_ack where branch = b.id)
    from branch b order by id
"""
_MESSAGES = """
    select m.id, m.priority, m.expires, m.due, m.deliveries, m.branch is not null, m.headers, m.body
    from message m join destination d on d.id = m.destination
    where d.name = ? order by m.priority desc, m.id limit ?
"""


def inspect(path: Path, now: int) -> FileReport:
    """Report the contents of a file; JMSException for a file of another program."""
    with _opened(path) as connection:
        return FileReport(
            tuple(DestinationReport(*row) for row in connection.execute(_DESTINATIONS, {"now": now})),
            tuple(
                SubscriptionReport(topic, client_id, name, bool(shared), selector, bool(no_local), backlog)
                for topic, client_id, name, shared, selector, no_local, backlog in connection.execute(_SUBSCRIPTIONS)
            ),
            tuple(BranchReport(*row) for row in connection.execute(_BRANCHES)),
            tuple(name for (name,) in connection.execute("select name from name order by name")),
        )


def peek(path: Path, destination: str, limit: int) -> list[MessageReport]:
    """Show the first messages stored for a destination, in the order of delivery; nothing is consumed.

    Raises JMSException as `inspect` does.
    """
    with _opened(path) as connection:
        return [
            MessageReport(
                number, priority, expires, due, deliveries, bool(prepared), json.loads(headers), _readable(body)
            )
            for number, priority, expires, due, deliveries, prepared, headers, body in connection.execute(
                _MESSAGES, (destination, limit)
            )
        ]


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise JMSException(f"there is no file {path}", "FILE_NOT_OPENED")
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
        ) as connection:
            check_schema(connection, path)
            yield connection
    except (sqlite3.Error, ValueError) as error:
        raise damaged(path, error) from error


def _readable(body: bytes | None) -> str | None:
    if body is None:
        return None
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.hex()
