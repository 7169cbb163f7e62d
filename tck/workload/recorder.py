"""The recorder of a workload: one row of fixed size per call, written into a mapped file before the call and completed after.

Thread-safe without a lock around calls: row numbers come from `itertools.count`, and each row is written by the thread that
created it. Written rows survive the process. The format is that of `tck.record.packed`.

It accepts calls until it is closed or cannot write: then each raises `RecorderClosed`, and everything written is kept.
"""

from __future__ import annotations

import errno
import itertools
import mmap
import os
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, TypeAlias

from tck import api
from tck.check.columns import NEVER, NONE, Op, Out
from tck.record import lines
from tck.record.packed import BEGUN, EMPTY, ENDED, HEADER, OBJECTS, OPERATIONS, PACK, PART_ROWS, header

_SIZE: Final = PACK.size
_MASK: Final = PART_ROWS - 1
_SHIFT: Final = PART_ROWS.bit_length() - 1
_T1: Final = struct.Struct("<q")
_MODE: Final = struct.Struct("<b")
_READ: Final = struct.Struct("<5q")
_SENT: Final = struct.Struct("<7q")
_TTL: Final = struct.Struct("<i")
_UNIT: Final = struct.Struct("<qq")
_T1_AT: Final = struct.calcsize("<BbbBBbbxhhiiiiiiiqqq")
_UNIT_AT: Final = _T1_AT - 2 * _T1.size
_TTL_AT: Final = struct.calcsize("<BbbBBbbxhhiiiii")
_MODE_AT: Final = 5
_READ_AT: Final = _SIZE - _READ.size


Head: TypeAlias = tuple[int, int, int, int, int]
"""The header fields that a send sets, as read: hash of all, hash of the identifier, JMSTimestamp, JMSExpiration, JMSDeliveryTime."""


class Receiver(NamedTuple):
    """The receiver of deliveries, and the kind of their rows; numbers of objects."""

    op: int
    auto: bool
    """Whether a delivery is settled by its own return."""
    session: int
    conn: int
    consumer: int
    end: int


class RowTemplate:
    """The row of a repeated call, without its timeout, its unit of work and its time.

    Args:
        op: The operation.
        session: Number of the session.
        conn: Number of the connection.
        consumer: Number of the consumer.
        end: Number of the endpoint.
    """

    __slots__ = ("_row", "after", "before", "timeout")

    def __init__(self, op: int, session: int, conn: int, *, consumer: int, end: int) -> None:
        self._row = PACK.pack(
            BEGUN, op, Out.UNKNOWN, False, False, 0, 0, NONE, 0, session, conn, consumer, end, NONE, 0, 0,
            NONE, NONE, 0, NEVER, 0, 0, 0, NONE, NONE, NONE,
        )  # fmt: skip
        self.after = self._row[_UNIT_AT + _UNIT.size :]
        """The bytes after unit and time."""
        self.set_timeout(0)

    def set_timeout(self, timeout: int) -> None:
        """Set the timeout of the next calls, milliseconds."""
        self.timeout = timeout
        self.before = self._row[:_TTL_AT] + _TTL.pack(timeout) + self._row[_TTL_AT + _TTL.size : _UNIT_AT]


class RecorderClosed(Exception):  # noqa: N818 - a state, not a fault
    """The recorder accepts no more calls; its caller has nothing left to do."""


class _Refusing(list[mmap.mmap]):
    """Replaces the list of parts when nothing may be written any more, so that calls need no check of their own."""

    def __len__(self) -> NoReturn:
        raise RecorderClosed("the recorder takes no more")

    def __getitem__(self, _: object) -> NoReturn:
        raise RecorderClosed("the recorder takes no more")


class Recorder:
    """Record one workload into the folder of its bundle.

    Args:
        folder: The bundle; `operations` and `objects.ndjson` are created in it.
        clock: The clock of the provider; rows carry its time.

    Raises:
        OSError: The bundle cannot be written.
    """

    def __init__(self, folder: Path, clock: api.Clock) -> None:
        self.folder = folder / OPERATIONS
        self.folder.mkdir()
        self._objects = (folder / OBJECTS).open("ab", buffering=0)
        # Guards the list of parts and the file of objects; taken alone.
        self._lock = threading.Lock()
        self._count = itertools.count()
        self._made: list[mmap.mmap] = []
        self._parts = self._made
        self._numbers: dict[str, int] = {}
        self.closed = False
        """Whether it is closed; later calls of the provider are not recorded."""
        self.failure: OSError | None = None
        """The reason why it could not write."""
        # A real clock is read once, then the computer's own, which takes no lock and a tenth of the time.
        self._clock = clock
        self.drift = 0
        """The largest difference between the provider's clock and that of the rows, nanoseconds."""
        self.origin = clock.monotonic_ns()
        self._raw: Callable[[], int] = clock.monotonic_ns if clock.virtual else time.monotonic_ns
        self._shift = self.origin if clock.virtual else time.monotonic_ns()
        try:
            self._grow()
        except OSError:
            self._objects.close()
            raise

    def watch_clock(self) -> None:
        """Compare the two clocks: the provider's may be set while the computer's continues."""
        apart = self._clock.monotonic_ns() - self.origin - self.now()
        self.drift = max(self.drift, abs(apart))

    def now(self) -> int:
        """Return the time, nanoseconds since the start of the run."""
        return self._raw() - self._shift

    # -- rows ----------------------------------------------------------------------------------------------------

    def begin(
        self,
        op: int,
        session: int,
        conn: int,
        *,
        auto: bool = False,
        mode: int = 0,
        prio: int = 0,
        klass: int = 0,
        consumer: int = NONE,
        end: int = NONE,
        dest: int = NONE,
        ttl: int = 0,
        delay: int = 0,
        msg: int = NONE,
        unit: int = NONE,
        digest: int = 0,
    ) -> int:
        """Write a row before its call; return its number."""
        row, part, at = self._new()
        PACK.pack_into(
            part, at,
            BEGUN, op, Out.UNKNOWN, auto, False, mode, prio, NONE, klass, session, conn, consumer, end, dest, ttl, delay,
            msg, unit, self._raw() - self._shift, NEVER, digest, 0, 0, NONE, NONE, NONE,
        )  # fmt: skip
        return row

    def begin_send(
        self,
        session: int,
        conn: int,
        auto: bool,
        options: tuple[int, int, int, int, int],
        dest: int,
        msg: int,
        unit: int,
        digest: int,
    ) -> int:
        """Write the row of a send before its call; return its number.

        Args:
            session: Number of the session.
            conn: Number of the connection.
            auto: Whether it is asynchronous.
            options: Mode, priority, time-to-live, delay, property class.
            dest: Number of the destination.
            msg: Number of the message.
            unit: Its unit of work.
            digest: Hash of its content.
        """
        row = next(self._count)
        part = row >> _SHIFT
        if part >= len(self._parts):
            self._grow_to(part)
        mode, prio, ttl, delay, klass = options
        PACK.pack_into(
            self._parts[part], HEADER + (row & _MASK) * _SIZE,
            BEGUN, Op.SEND, Out.UNKNOWN, auto, False, mode, prio, NONE, klass, session, conn, NONE, NONE, dest, ttl, delay,
            msg, unit, self._raw() - self._shift, NEVER, digest, 0, 0, NONE, NONE, NONE,
        )  # fmt: skip
        return row

    def begin_like(self, template: RowTemplate, timeout: int, unit: int, t0: int) -> int:
        """Write the row of a repeated call before that call; return its number.

        Args:
            template: The common part of its rows.
            timeout: Its timeout, milliseconds.
            unit: Its unit of work.
            t0: Its start, nanoseconds.
        """
        if timeout != template.timeout:
            template.set_timeout(timeout)
        row = next(self._count)
        part = row >> _SHIFT
        if part >= len(self._parts):
            self._grow_to(part)
        at = HEADER + (row & _MASK) * _SIZE
        self._parts[part][at : at + _SIZE] = template.before + _UNIT.pack(unit, t0) + template.after
        return row

    def end(self, row: int, out: int = Out.OK) -> int:
        """Complete a row after its call; return the time."""
        now = self._raw() - self._shift
        part, at = self._parts[row >> _SHIFT], HEADER + (row & _MASK) * _SIZE
        if out != Out.UNKNOWN:
            _T1.pack_into(part, at + _T1_AT, now)
        part[at + 2] = out
        part[at] = ENDED
        if part[at + 1] == Op.CLOSE and out == Out.OK:
            # An orderly close comes after the calls made until it returned; after a kill in between the row exists twice.
            _, last, to = self._new()
            last[to : to + _SIZE] = part[at : at + _SIZE]
            part[at] = EMPTY
        return now

    def _new(self) -> tuple[int, mmap.mmap, int]:
        """Number a row; return its part and its offset there. Frequent calls do this themselves."""
        row = next(self._count)
        if row >> _SHIFT >= len(self._parts):
            self._grow_to(row >> _SHIFT)
        return row, self._parts[row >> _SHIFT], HEADER + (row & _MASK) * _SIZE

    def end_unknown(self, row: int) -> None:
        """Complete a row whose call has an unknown outcome."""
        self.end(row, Out.UNKNOWN)

    def set_header(self, row: int, head: Head) -> None:
        """Add the header fields that the sender read."""
        _READ.pack_into(self._parts[row >> _SHIFT], HEADER + (row & _MASK) * _SIZE + _READ_AT, *head)

    def end_send(self, row: int, t1: int, digest: int, head: Head) -> None:
        """Complete the row of a send that returned, with the header fields that the sender read."""
        part, at = self._parts[row >> _SHIFT], HEADER + (row & _MASK) * _SIZE
        _SENT.pack_into(part, at + _T1_AT, t1, digest, *head)
        part[at + 2] = Out.OK
        part[at] = ENDED

    def set_unit(self, row: int, unit: int) -> None:
        """Set the unit of work that a call ended, before the row is completed."""
        part, at = self._parts[row >> _SHIFT], HEADER + (row & _MASK) * _SIZE
        _T1.pack_into(part, at + _UNIT_AT, unit)

    def end_decision(self, row: int, kind: int, out: int = Out.OK) -> None:
        """Complete the decision about a branch; `mode` contains its outcome."""
        part, at = self._parts[row >> _SHIFT], HEADER + (row & _MASK) * _SIZE
        _MODE.pack_into(part, at + _MODE_AT, kind)
        self.end(row, out)

    def delivered(
        self,
        row: int | None,
        receiver: Receiver,
        options: tuple[int, int, int, int, int],
        msg: int,
        unit: int,
        dest: int,
        digest: int,
        head: Head,
        repeat: tuple[bool, int],
        t0: int,
        t1: int = NEVER,
    ) -> int:
        """Write a delivery, into the row of its receive or into a new one; return the row's number.

        Args:
            row: The row of the receive; None for a new one.
            receiver: The receiver.
            options: The options of the send: mode, priority, time-to-live, delay, property class.
            msg: Number of the message.
            unit: Unit of work of the delivery.
            dest: Number of the destination that the message names.
            digest: Hash of its content.
            head: Its header as read.
            repeat: JMSRedelivered and JMSXDeliveryCount.
            t0: Time of the delivery, nanoseconds.
            t1: Its end: with it the row is complete; without, `end` completes it when the listener returns.
        """
        if row is None:
            row = next(self._count)
        part = row >> _SHIFT
        if part >= len(self._parts):
            self._grow_to(part)
        op, auto, session, conn, consumer, end = receiver
        mode, prio, ttl, delay, klass = options
        hashed, _, stamp, expires, due = head
        red, count = repeat
        state, out = (BEGUN, Out.UNKNOWN) if t1 == NEVER else (ENDED, Out.OK)
        PACK.pack_into(
            self._parts[part], HEADER + (row & _MASK) * _SIZE,
            state, op, out, auto, red, mode, prio, count, klass, session, conn,
            consumer, end, dest, ttl, delay, msg, unit, t0, t1, digest, hashed, 0, stamp, expires, due,
        )  # fmt: skip
        return row

    def add(self, op: int, session: int, conn: int, t0: int, t1: int, **columns: int) -> int:
        """Write the row of something that is already over."""
        row, part, at = self._new()
        given = {"consumer": NONE, "end": NONE, "unit": NONE, "out": Out.OK, "mode": 0, **columns}
        PACK.pack_into(
            part, at,
            ENDED, op, given["out"], False, False, given["mode"], 0, NONE, 0, session, conn, given["consumer"],
            given["end"], NONE, 0, 0, NONE, given["unit"], t0, t1, 0, 0, 0, NONE, NONE, NONE,
        )  # fmt: skip
        return row

    # -- objects -------------------------------------------------------------------------------------------------

    def register(self, kind: str, **facts: object) -> int:
        """Number an object and write its line."""
        with self._lock:
            if self.closed:
                raise RecorderClosed
            number = self._numbers.get(kind, 0)
            left = lines.line({"kind": kind, "n": number, **facts})
            try:
                while left:  # a full disk takes less than the line
                    left = left[self._objects.write(left) :]
            except OSError as error:
                self._fail(error, Path(self._objects.name))
            self._numbers[kind] = number + 1
        return number

    # -- parts ---------------------------------------------------------------------------------------------------

    def _grow_to(self, part: int) -> None:
        with self._lock:
            while part >= len(self._parts):
                try:
                    self._grow()
                except OSError as error:
                    self._fail(error, self._path(len(self._made)))

    def _path(self, part: int) -> Path:
        return self.folder / f"{part:05}.npy"

    def _grow(self) -> None:
        """Add a part, whole or not at all.

        Its space is allocated at once, so that a full disk is an error here and not a bus error while writing.
        """
        path = self._path(len(self._made))
        fresh = path.with_suffix(".new")
        size = HEADER + PART_ROWS * _SIZE
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        with fresh.open("x+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, size)
                file.write(header(PART_ROWS))
                file.flush()
                part = mmap.mmap(file.fileno(), size)
                fresh.rename(path)
            except BaseException:
                fresh.unlink(missing_ok=True)
                raise
        self._made.append(part)

    def _fail(self, error: OSError, path: Path) -> NoReturn:
        """Accept no more calls, since they cannot be recorded. Everything recorded until now is kept."""
        self.failure = OSError(error.errno, error.strerror, str(path))
        self._refuse()
        raise RecorderClosed from error

    def _refuse(self) -> None:
        self._parts = _Refusing()
        self.closed = True

    def close(self) -> int:
        """Accept no more calls, cut the last part to its length; return the number of rows."""
        self._refuse()
        with self._lock:
            rows = min(next(self._count), len(self._made) * PART_ROWS)
            used = max(1, -(-rows // PART_ROWS))
            for number, part in enumerate(self._made):
                part.flush()
                part.close()
                path = self._path(number)
                if number >= used:
                    path.unlink()
                    continue
                left = min(PART_ROWS, rows - number * PART_ROWS)
                with path.open("r+b") as file:
                    file.write(header(left))
                    file.truncate(HEADER + left * _SIZE)
            self._made = []
            self._objects.close()
        return rows
