"""The columns that judgements work on: one row per call or delivery, and the side tables that give the numbers meaning.

Everything in `tck.check` that judges sees only what is named here, so a test's trace of twenty events and a workload of a
hundred million are judged by the same code. A row has both ends of its call: `t0` is the call and `t1` the return; a call
that never returned has `t1 = NEVER`. May import numpy and nothing of ours; must not know about events, files or Spark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Schema: TypeAlias = Mapping[str, str]

NEVER: Final = 2**62
"""A time that does not come: the return of a call that never returned, the end of what still exists."""

ALWAYS: Final = -(2**62)
"""A time before all others: the creation of an administered queue."""

NONE: Final = -1
"""No such number: no consumer, no unit, a header that was not read."""

UNSURE: Final = -2
"""One of several numbers, and nobody knows which."""

MOST: Final = 2**15 - 1
"""The largest delivery count that is told from the next."""


class Numbers:
    """Names for numbers in a column. The members are plain ints: numpy takes five times as long to compare with an IntEnum."""

    __slots__ = ()

    @classmethod
    def names(cls) -> dict[int, str]:
        """Give the name of each number."""
        return {value: name for name, value in vars(cls).items() if isinstance(value, int)}


class Op(Numbers):
    """What a row is about."""

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
    """How a call ended; a delivery to a listener fails when the listener raises."""

    OK: Final = 0
    FAIL: Final = 1
    UNKNOWN: Final = 2


class Kind(Numbers):
    """What an endpoint is."""

    QUEUE: Final = 0
    NONDURABLE: Final = 1
    DURABLE: Final = 2


class End(Numbers):
    """How a unit of work ended, and with it each send and delivery in it."""

    OPEN: Final = 0
    """Not at all: nothing settled it."""
    DONE: Final = 1
    """Settled: committed, acknowledged, or acknowledged by the return of the delivery itself."""
    UNDONE: Final = 2
    """Rolled back, or its session closed or died first."""
    RECOVERED: Final = 3
    """Handed back to the same session."""
    DOUBT: Final = 4
    """Nobody can tell: the settling call failed or never returned."""
    FREE: Final = 5
    """A send outside any transaction."""
    FAILED: Final = 6
    """A delivery whose listener raised."""


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
    "seq": "int64",  # order of recording within a session, from calls, of a close in good order from its return
    "host": "int16",  # whose clock t0 and t1 are on
    "session": "int32",  # exception calls stand under a pseudo-session of their connection
    "conn": "int32",
    "consumer": "int32",  # of a delivery or a consumer's close, else NONE
    "op": "int8",  # Op
    "out": "int8",  # Out
    "t0": "int64",  # ns since run start. Delivery: entry of the listener, return of receive
    "t1": "int64",  # ns since run start. Delivery: return of the listener; of receive the same as t0
    "msg": "int64",  # stream << 32 | position; a stream is a producer, or a context
    "end": "int32",  # endpoint: the queue or the subscription; a copy is (msg, end)
    "dest": "int32",  # destination; of a delivery as its JMSDestination says
    "unit": "int64",  # session << 32 | epoch; a settling call carries the unit it ends, one without effect NONE
    "auto": "bool",  # delivery: settled by its own return; send: asynchronous
    "prio": "int8",  # this to klass: as asked of the send, also on deliveries
    "mode": "int8",
    "ttl": "int32",  # ms; NONE = not known, so not judged
    "delay": "int32",  # ms; NONE = not known
    "klass": "int16",  # property class, see MATCHES
    "red": "bool",  # JMSRedelivered as seen
    "count": "int16",  # JMSXDeliveryCount as seen; NONE = absent, MOST = that or more
    "digest": "int64",  # hash of body and client fields; 0 = unread
    "head": "int64",  # hash of the header fields a send sets, as read after the send and at the delivery; 0 = unread
    "jms": "int64",  # hash of JMSMessageID; 0 = none
    "stamp": "int64",  # JMSTimestamp, epoch ms; 0 = disabled; NONE = unread
    "expires": "int64",  # JMSExpiration, likewise; 0 = never
    "due": "int64",  # JMSDeliveryTime, likewise
}
"""One row per call or delivery. `run` and `bucket` only say where a row is stored."""

COPIES: Final[Schema] = {
    **{
        name: kind
        for name, kind in OPERATIONS.items()
        if name not in ("run", "bucket", "jms", "stamp", "expires", "due")
    },
    "tx": "bool",  # part of a transaction
    "kind": "int8",  # End of its unit
    "s0": "int64",  # call of what ended its unit
    "s1": "int64",  # return of what ended its unit
    "e0": "int64",  # call that ended its session or consumer
    "died": "bool",  # the session ended by a crash, or a close that failed
    "last": "bool",  # the last delivery of its session
}
"""What `session` hands to `message`: sends, deliveries and browsed messages with the outcomes of their units."""

ENDPOINTS: Final[Schema] = {
    "dest": "int32",
    "kind": "int8",  # Kind
    "shared": "bool",  # a queue is not marked
    "selector": "int32",  # of the subscription; NONE for a queue and for none
    "nolocal": "int32",  # the connection whose own messages are kept out, NONE, or UNSURE which one
    "owner": "int32",  # the connection that owns the temporary destination, or NONE
    "drained": "int64",  # whatever stood there before this time would have been handed out; ALWAYS = never shown
    "waited": "int64",  # until when that was waited for: what may come with a delay had so much time
    "blind": "int64",  # last call of an automatic receive of which nobody knows what it took; ALWAYS = none
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
    "gone0": "int64",  # call of the close of the consumer, its session or connection; the moment it died
    "gone1": "int64",  # its return; NEVER after a death
}
SESSIONS: Final[Schema] = {
    "conn": "int32",
    "mode": "int8",
    "ack0": "int64",  # call of its first acknowledge (NEVER = none)
    "ack1": "int64",  # return of its last (ALWAYS = none)
    "undo0": "int64",  # call of its first rollback or recover (NEVER = none)
}
RESTARTS: Final[Schema] = {"t0": "int64", "t1": "int64"}
CUTS: Final[Schema] = {
    "t0": "int64"
}  # where several traces lie end to end: what comes after has nothing to do with what was before
STOPS: Final[Schema] = {
    "conn": "int32",
    "t0": "int64",  # return of stop, or creation of the connection
    "t1": "int64",  # call of start
    "session": "int32",  # where the row of the stop stands
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
    "prio": "int8",  # the priority it speaks for: its own or higher
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
}
"""The two rows that a finding names, and the message, endpoint and unit it is about."""


class Role(Numbers):
    """What a message shows about a unit of work whose outcome is open, or that was prepared."""

    VISIBLE: Final = 0
    """Sent in it, and somebody got it."""
    MISSING: Final = 1
    """Sent in it, its place drained, and nobody got it."""
    BACK: Final = 2
    """Received in it, and delivered again."""
    GONE: Final = 3
    """Received in it, its place drained since, and not delivered again."""
    KEPT: Final = 4
    """As the decision about the prepared branch wants it."""
    WRONG: Final = 5
    """Not as the decision about the prepared branch wants it."""


UNITS: Final[Schema] = {
    "unit": "int64",
    "role": "int8",  # Role
    "msg": "int64",
    "end": "int32",
    "session": "int32",  # the row that shows it
    "seq": "int64",
}
"""What `message` saw of units in doubt and of prepared branches, reduced by `across`."""

IDS: Final[Schema] = {"jms": "int64", "msg": "int64", "session": "int32", "seq": "int64"}

DEFAULTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(
        ("consumer", "end", "dest", "unit", "conn", "session", "count", "selector", "nolocal", "owner"), NONE
    ),
    **dict.fromkeys(("other_session", "other_seq", "msg", "stamp", "expires", "due"), NONE),
    **dict.fromkeys(("drained", "waited", "blind", "open0", "open1", "ack1", "since"), ALWAYS),
    **dict.fromkeys(("gone0", "gone1", "ack0", "undo0", "p1"), NEVER),
}
"""What a column holds where nothing is said; 0 elsewhere."""


class Table:
    """Equally long columns under their names: `rows.t0` is an array."""

    __slots__ = ("columns",)

    def __init__(self, columns: Mapping[str, Array]) -> None:
        self.columns = dict(columns)

    @classmethod
    def of(cls, schema: Schema, columns: Mapping[str, Any], size: int | None = None) -> Table:
        """Make a table of a schema; columns not given hold their default.

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
        """Put tables of one schema under each other."""
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
        """Give one row as plain numbers."""
        return {name: column[index].item() for name, column in self.columns.items()}

    def replaced(self, **columns: Array) -> Table:
        """Give a table with some columns replaced or added."""
        return Table({**self.columns, **columns})
