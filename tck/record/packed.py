"""The packed operations of a workload: one row of fixed size per call or delivery, in parts that numpy maps.

A row is written before the call and completed after it, so every row is readable however the writer ends; calls
without an end are marked. Names and numbers are those of `tck.check.columns.OPERATIONS`; `tck.check.from_operations`
folds rows and objects into the columns of the checks. Layout beside the files of every bundle:

    workload.json          plan, seed, margins, start; why and when it stopped
    objects.ndjson         one line per destination, connection, session, stream, subscription, consumer...
    operations/00000.npy   65 536 rows a part, the last one cut to its length
    samples.ndjson         one line per second: rates and latencies
    properties.ndjson      obligations and violations of each property
    findings.ndjson        the violations as text

Loads numpy when parts are read; must not judge.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NoReturn, Self

from tck.record import lines
from tck.record.errors import MissingBundle, TamperedBundle, TruncatedBundle
from tck.record.reader import AGAIN, Bundle, read_run
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
"""Rows of one part; number of a row = part * PART_ROWS + position."""
HEADER: Final = 4096
"""Bytes before the first row; a part of numpy's format may have that many."""

EMPTY: Final = 0
BEGUN: Final = 1
ENDED: Final = 2
"""State of a row: never written, written before its call, completed after it."""

RECEIVE: Final = 32
"""Operation: a receive that got no message."""
DRAINED: Final = 33
"""Operation: an endpoint delivered nothing from t0 to t1 though a consumer waited."""
OPEN: Final = 34
"""Operation: a connection, session or consumer was created."""

OPERATIONS: Final = "operations"
OBJECTS: Final = "objects.ndjson"
ABOUT: Final = "workload.json"
SAMPLES: Final = "samples.ndjson"
PROPERTIES: Final = "properties.ndjson"
FINDINGS: Final = "findings.ndjson"

MARGINS: Final = frozenset(
    {"tolerance", "expiry", "expiry_narrow", "steady", "lag", "redelivery", "patience", "deliveries"}
)
"""The keys of `margins` in workload.json: the fields of `tck.check.Margins`."""
_LARGEST_MARGIN: Final = 1e12
_LATEST: Final = 2**62

_SMALL: Final = ""
OBJECT_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "destination": {},
    "klass": {},
    "selector": {},
    "session": {"conn": "connection", "mode": _SMALL},
    "connection": {"session": "session"},
    "stream": {"session": "session"},
    "match": {"selector": "selector", "klass": "klass", "answer": _SMALL},
    "consumer": {"end": "endpoint", "session": "session", "selector": "selector"},
    "endpoint": {
        "dest": "destination",
        "type": _SMALL,
        "shared": _SMALL,
        "selector": "selector",
        "nolocal": "connection",
        "owner": "connection",
    },
}
"""Kinds of objects with their numeric fields: the number of an earlier object of some kind, or a small number."""
_TEXTS: Final = {"selector": "text", "match": "kind"}
_COLUMNS: Final = {
    "session": "session",
    "conn": "connection",
    "consumer": "consumer",
    "end": "endpoint",
    "dest": "destination",
    "klass": "klass",
}
_HIGH: Final = {"msg": "stream", "unit": "session"}
"""Columns of rows that hold the number of an object; the latter hold it in their upper half."""


def header(rows: int) -> bytes:
    """Return the header of a part of so many rows, in numpy's format 1.0."""
    text = repr({"descr": DTYPE, "fortran_order": False, "shape": (rows,)})
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", HEADER - 10) + text.ljust(HEADER - 11).encode("ascii") + b"\n"


@dataclass(frozen=True)
class PackedRun:
    """The bundle of a workload, with its operations; `bundle` is None if the run did not end."""

    path: Path
    run: Run
    bundle: Bundle | None
    about: Mapping[str, Any]

    @classmethod
    def open(cls, folder: str | Path, *, allow_truncated: bool = False) -> Self:
        """Open the bundle of a workload.

        Args:
            folder: The folder of the run.
            allow_truncated: Read a run that was killed before it wrote end.json.

        Raises:
            BundleError: One of its subclasses: no bundle, not a workload, not ended, changed since.
        """
        path = Path(folder)
        if allow_truncated and (path / "run.json").exists() and not (path / "end.json").exists():
            bundle, run = None, read_run(path)
        else:
            bundle = _opened(path)
            run = bundle.run
        if run.kind != "workload":
            todo = "Give the folder of a workload; `tck workload run` prints the one that it wrote"
            raise MissingBundle(f"expected the run of a workload, saw one of kind {run.kind}", path=path, todo=todo)
        about = lines.read_object(path / ABOUT, todo=AGAIN)
        _check_about(about, path / ABOUT)
        return cls(path, run, bundle, about)

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
        """The lines of objects.ndjson.

        Raises:
            MissingBundle: The file is not there.
            TamperedBundle: A line is no object, or refers to a missing one.
        """
        path = self.path / OBJECTS
        if not path.exists():
            raise MissingBundle("expected this file of the bundle, saw none", path=path, todo=AGAIN)
        found: list[Mapping[str, Any]] = []
        counts = dict.fromkeys(OBJECT_KINDS, 0)
        for line, row in lines.read_lines(path, todo=AGAIN, torn=self.bundle is None):
            wrong = _wrong(row, counts)
            if wrong:
                raise TamperedBundle(wrong, path=path, line=line, todo=AGAIN)
            counts[row["kind"]] += 1
            found.append(row)
        return found

    def parts(self) -> Iterator[Any]:
        """Yield the rows of each part, mapped, in order.

        Raises:
            MissingBundle: A part is gone.
            TruncatedBundle: A part is cut.
            TamperedBundle: A part is no array of such rows, or a row refers to a missing object.
        """
        paths = self.part_paths
        for number in range(max(1, len(paths))):
            path = self.path / OPERATIONS / f"{number:05}.npy"
            if path not in paths:
                raise MissingBundle("expected this file of the bundle, saw none", path=path, todo=AGAIN)
            part = _part(path)
            if len(part) < PART_ROWS and number < len(paths) - 1:
                what = f"expected {PART_ROWS} rows before the next part, saw {len(part)}"
                raise TruncatedBundle(what, path=path, todo=AGAIN)
            if self.bundle is None:
                self._check_names(part, path)
            yield part

    def _check_names(self, part: Any, path: Path) -> None:  # noqa: ANN401 - a structured array
        """Check that the objects of all rows exist: a kill leaves all of them, though perhaps a torn last line."""
        counts = dict.fromkeys(OBJECT_KINDS, 0)
        for each in self.objects:
            counts[each["kind"]] += 1
        there = part["state"] != EMPTY
        numbers = {name: (part[name][there], kind) for name, kind in _COLUMNS.items()}
        numbers |= {name: (part[name][there] >> 32, kind) for name, kind in _HIGH.items()}
        for name, (values, kind) in numbers.items():
            most = int(values.max(initial=-1))
            if most >= counts[kind]:
                what = f"expected the {kind} {most} that rows of {path.name} name in {name}, saw {counts[kind]} of them"
                raise TamperedBundle(what, path=self.path / OBJECTS, todo=AGAIN)


def _opened(path: Path) -> Bundle:
    try:
        return Bundle.open(path)
    except TruncatedBundle as error:
        if not (path / "end.json").exists():
            raise
        # A killed run has all rows until then; a file that was cut later lacks rows that others refer to.
        todo = "Fetch the bundle again from where the run took place: what lost its tail later cannot be judged"
        raise TruncatedBundle(error.what, path=error.path, todo=todo) from None


def _check_about(about: Mapping[str, Any], path: Path) -> None:
    def refuse(what: str, seen: object) -> NoReturn:
        raise TamperedBundle(f"expected {what}, saw {seen!r}", path=path, todo=AGAIN)

    origin, margins = about.get("origin_ns"), about.get("margins")
    if type(origin) is not int or abs(origin) > _LATEST:
        refuse("origin_ns in nanoseconds", origin)
    if not isinstance(margins, dict):
        refuse("an object of margins", margins)
    for name, value in margins.items():
        if name not in MARGINS:
            refuse(f"margins of {', '.join(sorted(MARGINS))}", name)
        if type(value) not in (int, float) or not 0 <= value <= _LARGEST_MARGIN or not math.isfinite(value):
            refuse(f"milliseconds as {name}", value)


def _wrong(row: Mapping[str, Any], counts: Mapping[str, int]) -> str:
    """Return the fault of a line about an object; empty if it has none.

    Args:
        row: The line.
        counts: Number of earlier objects of each kind.
    """
    kind = row.get("kind")
    if not isinstance(kind, str) or kind not in OBJECT_KINDS:
        return f"expected an object of kind {', '.join(OBJECT_KINDS)}, saw {kind!r}"
    if row.get("n") != counts[kind]:
        return f"expected the {kind} {counts[kind]}, saw {row.get('n')!r}"
    text = _TEXTS.get(kind, "label")
    if not isinstance(row.get(text), str):
        return f"expected {text} of a {kind} as text, saw {row.get(text)!r}"
    for key, other in OBJECT_KINDS[kind].items():
        value, end = row.get(key), counts[other] if other else 128
        if not isinstance(value, int) or not -1 <= value < end:
            return f"expected {key} of a {kind} as a number below {end}, saw {value!r}"
    return ""


def _part(path: Path) -> Any:  # noqa: ANN401 - a structured array
    import numpy as np  # noqa: PLC0415 - only who reads operations pays for it

    if not path.stat().st_size:
        raise TruncatedBundle("expected packed rows, saw an empty file", path=path, todo=AGAIN)
    try:
        if path.stat().st_size == HEADER:  # numpy 1 maps no file that has no rows
            with path.open("rb") as file:
                part = np.lib.format.read_array(file)
        else:
            part = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, OSError) as error:
        raise TamperedBundle(f"expected packed rows, saw {error}", path=path, todo=AGAIN) from None
    if part.dtype != np.dtype(DTYPE) or part.ndim != 1:
        raise TamperedBundle("expected packed rows, saw other columns", path=path, todo=AGAIN)
    return part
