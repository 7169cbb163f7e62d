"""The packed operations of a workload: one row of fixed size per call or delivery, in parts that numpy maps.

A row is written before the call and completed after it, so whatever ends the writer leaves every row readable: what had
no end says so. Names and numbers are those of `tck.check.columns.OPERATIONS`; `tck.check.packed` folds rows and objects
into what judgements need. Layout beside the files of every bundle:

    workload.json          plan, seed, margins, start; why and when it stopped
    objects.ndjson         one line per destination, connection, session, stream, subscription, consumer...
    operations/00000.npy   65 536 rows a part, the last one cut to its length
    samples.ndjson         one line per second: rates and latencies
    properties.ndjson      what each property saw
    findings.ndjson        its violations, told

Loads numpy when parts are read; must not judge.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from tck.record import lines
from tck.record.errors import MissingBundle, TamperedBundle
from tck.record.reader import AGAIN, Bundle
from tck.record.rows import Run

ROW: Final[tuple[tuple[str, str, str], ...]] = (
    ("state", "u1", "B"),
    ("op", "i1", "b"),
    ("out", "i1", "b"),
    ("auto", "?", "?"),
    ("red", "?", "?"),
    ("mode", "i1", "b"),
    ("prio", "i1", "b"),
    ("spare", "u1", "x"),
    ("count", "<i2", "h"),
    ("klass", "<i2", "h"),
    ("session", "<i4", "i"),
    ("conn", "<i4", "i"),
    ("consumer", "<i4", "i"),
    ("end", "<i4", "i"),
    ("dest", "<i4", "i"),
    ("ttl", "<i4", "i"),
    ("delay", "<i4", "i"),
    ("msg", "<i8", "q"),
    ("unit", "<i8", "q"),
    ("t0", "<i8", "q"),
    ("t1", "<i8", "q"),
    ("digest", "<i8", "q"),
    ("head", "<i8", "q"),
    ("jms", "<i8", "q"),
    ("stamp", "<i8", "q"),
    ("expires", "<i8", "q"),
    ("due", "<i8", "q"),
)
"""Name, type in numpy, and format in `struct` of each field, without padding."""

PACK: Final = struct.Struct("<" + "".join(each[2] for each in ROW))
DTYPE: Final = [(name, kind) for name, kind, _ in ROW]
PART_ROWS: Final = 65_536
"""Rows of one part; number of a row = part * PART_ROWS + place."""
HEADER: Final = 4096
"""Bytes before the first row; a part of numpy's format may have that many."""

EMPTY: Final = 0
BEGUN: Final = 1
ENDED: Final = 2
"""State of a row: never written, written before its call, completed after it."""

RECEIVE: Final = 32
"""Operation: a receive that got no message."""
DRAINED: Final = 33
"""Operation: nothing came out of an endpoint from t0 to t1 though somebody waited."""
OPEN: Final = 34
"""Operation: a connection, session or consumer was created."""

OPERATIONS: Final = "operations"
OBJECTS: Final = "objects.ndjson"
ABOUT: Final = "workload.json"
SAMPLES: Final = "samples.ndjson"
PROPERTIES: Final = "properties.ndjson"
FINDINGS: Final = "findings.ndjson"


def header(rows: int) -> bytes:
    """Give the bytes that begin a part of so many rows: those of numpy's format 1.0."""
    text = repr({"descr": DTYPE, "fortran_order": False, "shape": (rows,)})
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", HEADER - 10) + text.ljust(HEADER - 11).encode("ascii") + b"\n"


@dataclass(frozen=True)
class PackedRun:
    """The bundle of a workload, with its operations; `bundle` is None where the run did not end."""

    path: Path
    run: Run
    bundle: Bundle | None
    about: Mapping[str, Any]

    @classmethod
    def open(cls, folder: str | Path, *, allow_truncated: bool = False) -> Self:
        """Open the bundle of a workload.

        Args:
            folder: The folder of the run.
            allow_truncated: Read what is there of a run that was killed before it wrote end.json.

        Raises:
            BundleError: One of its subclasses: nothing there, not a workload, not ended, changed since.
        """
        path = Path(folder)
        if allow_truncated and (path / "run.json").exists() and not (path / "end.json").exists():
            bundle, run = None, Run.from_json(lines.read_object(path / "run.json", todo=AGAIN))
        else:
            bundle = Bundle.open(path)
            run = bundle.run
        if run.kind != "workload":
            todo = "Give the folder of a workload; `tck workload run` prints the one that it wrote"
            raise MissingBundle(f"expected the run of a workload, saw one of kind {run.kind}", path=path, todo=todo)
        return cls(path, run, bundle, lines.read_object(path / ABOUT, todo=AGAIN))

    @property
    def origin(self) -> int:
        """The start of the run, nanoseconds since the epoch; times in rows count from there."""
        return int(self.about["origin_ns"])

    @property
    def part_paths(self) -> list[Path]:
        """The parts, in order."""
        return sorted((self.path / OPERATIONS).glob("*.npy"))

    @cached_property
    def objects(self) -> Sequence[Mapping[str, Any]]:
        """The lines of objects.ndjson."""
        path = self.path / OBJECTS
        return [row for _, row in lines.read_lines(path, todo=AGAIN, torn=self.bundle is None)]

    def parts(self) -> Iterator[Any]:
        """Give the rows of each part, mapped, in order.

        Raises:
            TamperedBundle: A part is no array of such rows.
        """
        import numpy as np  # noqa: PLC0415 - only who reads operations pays for it

        for path in self.part_paths:
            try:
                part = np.load(path, mmap_mode="r")
            except (ValueError, OSError) as error:
                raise TamperedBundle(f"expected packed rows, saw {error}", path=path, todo=AGAIN) from None
            if part.dtype != np.dtype(DTYPE):
                raise TamperedBundle("expected packed rows, saw other columns", path=path, todo=AGAIN)
            yield part
