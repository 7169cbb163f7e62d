"""The columns that properties judge: one row per call or delivery, and the side tables that the numbers refer to.

Judging code in `tck.check` uses only these columns, so a test's trace of twenty events and a workload of a hundred million
are judged by the same code. A row has both ends of its call: `t0` is the call and `t1` the return; a call that never
returned has `t1 = NEVER`. May import numpy and nothing of ours; must not know about events, files or Spark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Schema: TypeAlias = Mapping[str, str]

NEVER: Final = 2**62
"""A time that never comes: the return of a call that never returned, the end of an object that still exists."""

ALWAYS: Final = -(2**62)
"""A time before all others: the creation of an administered queue."""

NONE: Final = -1
"""No such number: no consumer, no unit, a header that was not read."""

UNSURE: Final = -2
"""One of several numbers, unknown which."""

MOST: Final = 2**15 - 1
"""The largest delivery count that is distinguished from the next."""


class Numbers:
    """Named numbers of a column. The members are plain ints: numpy takes five times as long to compare with an IntEnum."""

    __slots__ = ()

    @classmethod
    def names(cls) -> dict[int, str]:
        """Return the name of each number."""
        return {value: name for name, value in vars(cls).items() if isinstance(value, int) and name.isupper()}


class Op(Numbers):
    """The operation of a row."""

    SEND: Final = 0
    DELIVER: Final = 1
    ACK: Final = 2
    COMMIT: Final = 3
    ROLLBACK: Final = 4
    RECOVER: Final = 5
    CLOSE: Final = 6
    CRASH: Final = 7
    COMPLETE: Final = 8
    BROWSE: Final = 9
    EXCEPTION: Final = 10
    PREPARE: Final = 11
    END_BRANCH: Final = 12
    START: Final = 13
    STOP: Final = 14
    SUBSCRIBE: Final = 15
    UNSUBSCRIBE: Final = 16
    RESTART: Final = 17


class Out(Numbers):
    """The outcome of a call; a delivery to a listener fails when the listener raises."""

    OK: Final = 0
    FAIL: Final = 1
    UNKNOWN: Final = 2


class Kind(Numbers):
    """The kind of an endpoint."""

    QUEUE: Final = 0
    NONDURABLE: Final = 1
    DURABLE: Final = 2


class End(Numbers):
    """The end of a unit of work, and with it of each send and delivery in it."""

    OPEN: Final = 0
    """None: nothing settled it."""
    DONE: Final = 1
    """Settled: committed, acknowledged, or acknowledged by the return of the delivery itself."""
    UNDONE: Final = 2
    """Rolled back, or its session closed or died before."""
    RECOVERED: Final = 3
    """Returned to the same session."""
    DOUBT: Final = 4
    """Unknown: the settling call failed or never returned."""
    FREE: Final = 5
    """A send outside any transaction."""
    FAILED: Final = 6
    """A delivery whose listener raised."""


class Closer(Numbers):
    """The object whose close ended a session."""

    CONNECTION: Final = 0
    SESSION: Final = 1
    CONTEXT: Final = 2


TRANSACTED: Final = 0
AUTO: Final = 1
CLIENT: Final = 2
DUPS_OK: Final = 3
"""Acknowledge modes, numbered as in the API."""

PERSISTENT: Final = 2
NON_PERSISTENT: Final = 1
"""Delivery modes, numbered as in the API."""

OPERATIONS: Final[Schema] = {
    "run": "int32",  # partition key: which run
    "bucket": "int32",  # partition key: session number modulo buckets
    "seq": "int64",  # order of recording within a session, from calls; of an orderly close from its return
    "host": "int16",  # whose clock t0 and t1 are on
    "session": "int32",  # exception calls belong to a pseudo-session of their connection
    "conn": "int32",
    "consumer": "int32",  # of a delivery or a consumer's close, else NONE
    "op": "int8",  # Op
    "out": "int8",  # Out
    "t0": "int64",  # ns since run start. Delivery: entry of the listener, return of receive
    "t1": "int64",  # ns since run start. Delivery: return of the listener; of receive the same as t0
    "msg": "int64",  # stream << 32 | position; a stream is a producer, or a context
    "end": "int32",  # endpoint: the queue or the subscription; a copy is (msg, end)
    "dest": "int32",  # destination; of a delivery as its JMSDestination says
    "unit": "int64",  # session << 32 | epoch; a settling call has the unit it ends, one without effect NONE
    "auto": "bool",  # delivery: settled by its own return; send: asynchronous
    "prio": "int8",  # from here to klass: the options of the send, also on deliveries
    "mode": "int8",
    "ttl": "int32",  # ms; NONE = not known, so not judged
    "delay": "int32",  # ms; NONE = not known
    "klass": "int16",  # property class, see MATCHES
    "red": "bool",  # JMSRedelivered as read
    "count": "int16",  # JMSXDeliveryCount as read; NONE = absent, MOST = that or more
    "digest": "int64",  # hash of body and client fields; 0 = unread
    "head": "int64",  # hashes of the header fields set by a send, as read after the send and at the delivery, see HEAD; 0 = unread
    "jms": "int64",  # hash of JMSMessageID; 0 = none
    "stamp": "int64",  # JMSTimestamp, epoch ms; 0 = disabled; NONE = unread
    "expires": "int64",  # JMSExpiration, likewise; 0 = never
    "due": "int64",  # JMSDeliveryTime, likewise
}
"""One row per call or delivery. `run` and `bucket` only determine where a row is stored."""

HEAD: Final = ("mode", "id", "timestamp", "expiration", "delivery time")
"""The fields of `head`: 12 bits of the hash of each, the first in the lowest."""
HEAD_BITS: Final = 12

COPIES: Final[Schema] = {
    **{
        name: kind
        for name, kind in OPERATIONS.items()
        if name not in ("run", "bucket", "jms", "stamp", "expires", "due")
    },
    "tx": "bool",  # part of a transaction
    "kind": "int8",  # End of its unit
    "s0": "int64",  # call of the operation that ended its unit
    "s1": "int64",  # return of the operation that ended its unit
    "e0": "int64",  # call that ended its session or consumer
    "died": "bool",  # the session ended by a crash, or a close that failed
    "last": "bool",  # the last delivery of its session
}
"""Passed from `session` to `message`: sends, deliveries and browsed messages with the outcomes of their units."""

ENDPOINTS: Final[Schema] = {
    "dest": "int32",
    "kind": "int8",  # Kind
    "shared": "bool",  # not set for a queue
    "selector": "int32",  # of the subscription; NONE for a queue and for none
    "nolocal": "int32",  # the connection whose own messages are rejected, NONE, or UNSURE which one
    "owner": "int32",  # the connection that owns the temporary destination, or NONE
    "drained": "int64",  # every message there before this time would have been delivered; ALWAYS = never shown
    "waited": "int64",  # until then it was waited for: a delayed message had this long to arrive
    "blind": "int64",  # last call of an automatic receive with an unknown outcome; ALWAYS = none
    "open0": "int64",
    "open1": "int64",
    "gone0": "int64",
    "gone1": "int64",
}
CONSUMERS: Final[Schema] = {
    "end": "int32",
    "session": "int32",
    "selector": "int32",
    "open0": "int64",
    "gone0": "int64",  # call of the close of the consumer, its session or connection; the time of its death
    "gone1": "int64",  # its return; NEVER after a death
}
SESSIONS: Final[Schema] = {
    "conn": "int32",
    "mode": "int8",
    "ack0": "int64",  # call of its first acknowledge (NEVER = none)
    "ack1": "int64",  # return of its last (ALWAYS = none)
    "undo0": "int64",  # call of its first rollback or recover (NEVER = none)
    "closer": "int8",  # Closer: what was closed, if it was
}
RESTARTS: Final[Schema] = {"t0": "int64", "t1": "int64"}
CUTS: Final[Schema] = {
    "t0": "int64"
}  # where several traces are concatenated: later rows have nothing to do with earlier ones
STOPS: Final[Schema] = {
    "conn": "int32",
    "t0": "int64",  # return of stop, or creation of the connection
    "t1": "int64",  # call of start
    "session": "int32",  # the session of the stop's row
    "seq": "int64",
}
BRANCHES: Final[Schema] = {
    "unit": "int64",
    "prepared": "bool",
    "p1": "int64",  # return of prepare
    "kind": "int8",  # End decided
    "s0": "int64",
    "s1": "int64",
}
MATCHES: Final[Schema] = {"selector": "int32", "klass": "int16", "answer": "int8"}
FENCES: Final[Schema] = {
    "end": "int32",
    "stream": "int32",
    "mode": "int8",
    "delay": "int32",
    "prio": "int8",  # the priority it applies to: its own or higher
    "pos": "int64",  # every message of the stream before this position would have come earlier
    "since": "int64",  # if it was sent after this
    "selector": "int32",  # of the consumer that got the fence
}
HITS: Final[Schema] = {
    "msg": "int64",
    "end": "int32",
    "unit": "int64",
    "session": "int32",
    "seq": "int64",
    "other_session": "int32",
    "other_seq": "int64",
    "blamed": "int64",  # the property's assertions that it breaks: bit n is the n-th; NONE, all bits, is all of them
}
"""The two rows that a finding names, with its message, endpoint and unit, and the assertions it breaks."""


class Role(Numbers):
    """The evidence of a message about a unit of work in doubt, or about a prepared branch."""

    VISIBLE: Final = 0
    """Sent in it, and received."""
    MISSING: Final = 1
    """Sent in it, its endpoint drained, and never received."""
    BACK: Final = 2
    """Received in it, and delivered again."""
    GONE: Final = 3
    """Received in it, its endpoint drained since, and not delivered again."""
    KEPT: Final = 4
    """Consistent with the decision about the prepared branch."""
    WRONG: Final = 5
    """Inconsistent with the decision about the prepared branch."""


UNITS: Final[Schema] = {
    "unit": "int64",
    "role": "int8",  # Role
    "msg": "int64",
    "end": "int32",
    "session": "int32",  # the row of the evidence
    "seq": "int64",
}
"""The evidence of `message` about units in doubt and prepared branches, reduced by `across`."""

IDS: Final[Schema] = {"jms": "int64", "msg": "int64", "session": "int32", "seq": "int64"}

DEFAULTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(
        ("consumer", "end", "dest", "unit", "conn", "session", "count", "selector", "nolocal", "owner"), NONE
    ),
    **dict.fromkeys(("other_session", "other_seq", "msg", "stamp", "expires", "due", "blamed"), NONE),
    **dict.fromkeys(("drained", "waited", "blind", "open0", "open1", "ack1", "since"), ALWAYS),
    **dict.fromkeys(("gone0", "gone1", "ack0", "undo0", "p1"), NEVER),
}
"""The default value of a column; 0 elsewhere."""


class Table:
    """Columns of equal length by name: `rows.t0` is an array."""

    __slots__ = ("columns",)

    def __init__(self, columns: Mapping[str, Array]) -> None:
        self.columns = dict(columns)

    @classmethod
    def of(cls, schema: Schema, columns: Mapping[str, Any], size: int | None = None) -> Table:
        """Make a table of a schema; missing columns get their default.

        Raises:
            KeyError: a column is not in the schema.
        """
        unknown = columns.keys() - schema.keys()
        if unknown:
            raise KeyError(f"no such column: {', '.join(sorted(unknown))}")
        if size is None:
            size = len(next(iter(columns.values()))) if columns else 0
        return cls(
            {
                name: np.asarray(columns[name], dtype)
                if name in columns
                else np.full(size, DEFAULTS.get(name, 0), dtype)
                for name, dtype in schema.items()
            }
        )

    @classmethod
    def empty(cls, schema: Schema) -> Table:
        """Make a table without rows."""
        return cls({name: np.empty(0, dtype) for name, dtype in schema.items()})

    @classmethod
    def from_rows(cls, schema: Schema, rows: Iterable[Mapping[str, int]]) -> Table:
        """Make a table from rows that name the columns they set."""
        listed = list(rows)
        columns = {
            name: [row.get(name, default) for row in listed] for name in schema for default in (DEFAULTS.get(name, 0),)
        }
        unknown = {name for row in listed for name in row} - schema.keys()
        if unknown:
            raise KeyError(f"no such column: {', '.join(sorted(unknown))}")
        return cls({name: np.array(columns[name], dtype) for name, dtype in schema.items()})

    @classmethod
    def concat(cls, schema: Schema, tables: Sequence[Table]) -> Table:
        """Concatenate tables of one schema."""
        if not tables:
            return cls.empty(schema)
        if len(tables) == 1:
            return tables[0]
        return cls({name: np.concatenate([table.columns[name] for table in tables]) for name in schema})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getattr__(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getstate__(self) -> dict[str, Array]:
        return self.columns

    def __setstate__(self, state: dict[str, Array]) -> None:
        self.columns = state

    def take(self, index: Array) -> Table:
        """Take rows by number or by mask."""
        if index.dtype == bool:
            index = np.flatnonzero(index)
        return Table({name: column.take(index, mode="clip") for name, column in self.columns.items()})

    def pick(self, schema: Schema) -> Table:
        """Keep only the columns of a smaller schema."""
        return Table({name: self.columns[name] for name in schema})

    def row(self, index: int) -> dict[str, int]:
        """Return one row as plain numbers."""
        return {name: column[index].item() for name, column in self.columns.items()}

    def replaced(self, **columns: Array) -> Table:
        """Return a table with some columns replaced or added."""
        return Table({**self.columns, **columns})
