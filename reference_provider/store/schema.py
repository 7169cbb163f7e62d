"""The tables, and the migration of files of earlier versions.

sqlite-utils creates and migrates them; it is loaded only if there is something to do. `PRAGMA user_version` is the
number of the newest migration applied.

* A queue message is one row of `message`. A topic message is a row of `message` and one row of `delivery` for each
  durable subscription that has not acknowledged it. Headers are JSON, so that any SQLite tool can read them; the body
  is the last column, so that a scan skips the overflow pages of large ones.
* No index holds the order of delivery: it is in memory (`reference_provider.broker.delivery_queue`) and is rebuilt from
  ascending ids when the file is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

SCHEMA_VERSION = 1

_TABLES = (
    """create table destination (
        id integer primary key, kind text not null, name text not null, unique (kind, name)
    ) strict""",
    """create table subscription (
        id integer primary key, destination integer not null, client_id text, name text not null,
        shared integer not null, selector text, no_local integer not null
    ) strict""",
    """create table message (
        id integer primary key, destination integer not null, priority integer not null, expires integer not null,
        due integer not null, deliveries integer not null default 0, branch integer, headers text not null, body blob
    ) strict""",
    """create table delivery (
        message integer not null, subscription integer not null, deliveries integer not null default 0,
        branch integer, primary key (message, subscription)
    ) strict, without rowid""",
    """create table branch (
        id integer primary key, format integer not null, gtrid blob not null, bqual blob not null, state text not null
    ) strict""",
    """create table branch_ack (
        branch integer not null, message integer not null, subscription integer not null,
        primary key (branch, message, subscription)
    ) strict, without rowid""",
    "create table name (name text primary key, kind text not null, value text not null) strict, without rowid",
    "create table meta (key text primary key, value text) strict, without rowid",
)
_NAMES = {statement.split()[2] for statement in _TABLES}


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file of `connection` to `SCHEMA_VERSION`; no effect if it is there already."""
    (version,) = connection.execute("pragma user_version").fetchone()
    if version == SCHEMA_VERSION:
        return
    from sqlite_utils import Database, Migrations  # noqa: PLC0415 # 60 ms to import, needed once per file

    steps = Migrations("reference_provider")

    @steps()
    def create_tables(database: Database) -> None:
        for statement in _TABLES:
            database.execute(statement)

    steps.apply(Database(connection, execute_plugins=False))
    connection.execute(f"pragma user_version = {SCHEMA_VERSION}")


def strange_tables(connection: sqlite3.Connection) -> list[str]:
    """List the tables of a file without our version number, unless they are those of an interrupted creation."""
    found = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    begun = {name for name in found if name.startswith(("_sqlite_", "sqlite_"))}
    return [] if found - begun in (set(), _NAMES) else sorted(found - begun)
