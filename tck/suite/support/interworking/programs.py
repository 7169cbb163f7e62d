"""Generated programs over bridges: a table of what each row was seen to do and should do, and values drawn from the suite's tables."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Final, TypeVar

from tck import api
from tck.interworking import Any_, Kind, struct_of
from tck.suite.support import expect
from tck.suite.support.harness.outcome import Broken
from tck.suite.support.values import numbers
from tck.suite.support.values.texts import SHORT

_Value = TypeVar("_Value")

TEXTS: Final = tuple(text for text in SHORT.values() if "\0" not in text)
"""Short texts that a string of a channel can hold."""
CHARACTERS: Final = tuple(
    "\ufefe" if each == "\ufeff" else each
    for each in numbers.CHARS
    if not "\ud800" <= each <= "\udfff" and each != "\0"
)
"""Characters, without zero and halves of pairs; next to the byte order mark, which GIOP takes for one, in its place."""


def wide(text: str) -> str:
    """Return a text as a wide string can hold it: a byte order mark at its start would be taken for one."""
    return text.lstrip("\ufeff\ufffe")


SIZES: Final = (0, 1, *(2**power + more for power in (7, 8, 12, 13, 15, 16) for more in (-1, 0, 1)))
"""Lengths of bodies: none, one, and around powers of two."""


class Diverged(Exception):  # noqa: N818 - what happened
    """A program has left the path that its model foretold, so that further steps would say nothing."""


class Table:
    """What was seen and what was wanted, by row; judged row by row in the end."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, str]] = {}
        self._wanted: dict[str, dict[str, str]] = {}

    def note(self, row: str, what: str, seen: object, wanted: object) -> bool:
        """Note one sight of a row; return whether it is as wanted."""
        # as texts, which tell types, both zeros and what is no number
        self._seen.setdefault(row, {})[what] = repr(seen)
        self._wanted.setdefault(row, {})[what] = repr(wanted)
        return repr(seen) == repr(wanted)

    def demand(self, rows: str, what: str, seen: object, wanted: object) -> None:
        """Note one sight of rows, whose ids are separated by spaces, and raise `Diverged` where it is not as wanted."""
        if False in [self.note(row, what, seen, wanted) for row in rows.split()]:
            raise Diverged

    def attempt(self, rows: str, what: str, call: Callable[[], _Value]) -> _Value:
        """Call; what breaks in it breaks the rows, whose ids are separated by spaces, and raises `Diverged`."""
        try:
            return call()
        except Broken as broken:
            self.demand(rows, what, str(broken), "no failure")
            raise Diverged from broken

    def play(self, program: Callable[[], None]) -> None:
        """Run a program to its end, or until it diverges, and judge."""
        with suppress(Diverged):
            program()
        self.judge()

    def judge(self) -> None:
        """Demand of every row that has been noted what was wanted."""
        with expect.all_of():
            for row, wanted in self._wanted.items():
                with expect.for_row(row):
                    different = [what for what in wanted if self._seen[row][what] != wanted[what]][:3]
                    names = different or list(wanted)[:3]
                    shown, right = (sorted((what, of[what]) for what in names) for of in (self._seen[row], wanted))
                    expect.equal(f"of {len(wanted)} sights", shown, right)


class Draw:
    """Draws from tables, always the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self._queues: dict[int, tuple[object, list[object]]] = {}

    def chance(self, of: float = 0.5) -> bool:
        """Return True with a probability."""
        return self.random.random() < of

    def each(self, table: Sequence[_Value]) -> _Value:
        """Return an entry of a table: each once before any comes again, as long as the table is the same object."""
        left: list[_Value] = self._queues.setdefault(id(table), (table, []))[1]  # type: ignore[assignment]
        if not left:
            left += self.random.sample(list(table), len(table))
        return left.pop()

    def octets(self, size: int) -> bytes:
        """Return bytes."""
        return self.random.randbytes(size)

    def text(self, size: int) -> str:
        """Return a text without repetition."""
        return "".join(self.random.choices("abcdefghij klm\u00fc\u6771", k=size))

    def java(self, *, item: bool = False) -> object:
        """Return a value that a property can have; with `item` one that an item of a stream or an entry of a map can have."""
        return self._java(self.each(_ITEMS if item else _PROPERTIES))

    def _java(self, kind: str) -> object:
        match kind:
            case "boolean":
                return self.chance()
            case "text":
                return self.each(TEXTS)
            case "char":
                return api.Char(self.each(CHARACTERS))
            case "octets":
                return self.each(numbers.ARRAYS)
        box, table = _BOXED[kind]
        return box(self.each(table))

    def string(self, text: str) -> Any_:
        """Return a text as a string or a wide one."""
        kind = self.each((Kind.STRING, Kind.WSTRING))
        return Any_.of(kind, wide(text) if kind == Kind.WSTRING else text)

    def record(self, members: Sequence[Any_]) -> Any_:
        """Return a struct of members, with a name of its own: a repository id names one type."""
        types = {f"m{at}": each.type for at, each in enumerate(members)}
        name = "S" + blake2b(str(types).encode(), digest_size=8).hexdigest()
        return Any_(struct_of(name, **types), tuple(each.value for each in members))

    def basic(self, kinds: Sequence[Kind]) -> Any_:
        """Return a value of one of these basic types."""
        kind = self.each(kinds)
        if kind == Kind.BOOLEAN:
            return Any_.of(kind, self.chance())
        return Any_.of(kind, self.each(EDGES[kind]))


_BOXED: Final[Mapping[str, tuple[Callable[..., object], Sequence[object]]]] = {
    "byte": (api.Byte, numbers.BYTES),
    "short": (api.Short, numbers.SHORTS),
    "int": (api.Int, numbers.INTS),
    "long": (api.Long, numbers.LONGS),
    "float": (api.Float, numbers.FLOATS),
    "double": (api.Double, (*numbers.DOUBLES, 0.5, 2.0**24 + 1)),
}
_PROPERTIES: Final = ("boolean", "text", *_BOXED)
_ITEMS: Final = (*_PROPERTIES, "char", "octets")

EDGES: Final[Mapping[Kind, Sequence[object]]] = {
    Kind.OCTET: (0, 1, 10, 127, 128, 200, 255),
    Kind.SHORT: numbers.SHORTS,
    Kind.LONG: numbers.INTS,
    Kind.LONGLONG: numbers.LONGS,
    Kind.USHORT: (0, 1, 32767, 32768, 65535),
    Kind.ULONG: (0, 1, 2**31 - 1, 2**31, 2**32 - 1),
    Kind.ULONGLONG: (0, 1, 2**63 - 1, 2**63, 2**64 - 1),
    Kind.FLOAT: tuple(api.Float(each).value for each in numbers.FLOATS),
    Kind.DOUBLE: (*numbers.DOUBLES, 0.5),
    Kind.CHAR: tuple(each for each in CHARACTERS if ord(each) < 0x80),
    Kind.WCHAR: CHARACTERS,
    Kind.STRING: TEXTS,
    Kind.WSTRING: tuple(map(wide, TEXTS)),
}
"""Values of each basic type and of strings."""
SETTLED: Final = (
    *(Kind.BOOLEAN, Kind.OCTET, Kind.SHORT, Kind.LONG, Kind.LONGLONG, Kind.FLOAT, Kind.DOUBLE),
    *(Kind.STRING, Kind.WSTRING),
)
"""The types of fields whose property the document settles."""
UNSETTLED: Final = (Kind.CHAR, Kind.WCHAR, Kind.USHORT, Kind.ULONG, Kind.ULONGLONG)
"""Those that it leaves open."""

_KINDS: Final[Mapping[type, Kind]] = {
    api.Byte: Kind.OCTET,
    api.Short: Kind.SHORT,
    api.Int: Kind.LONG,
    api.Long: Kind.LONGLONG,
    int: Kind.LONGLONG,
    api.Float: Kind.FLOAT,
    api.Double: Kind.DOUBLE,
    float: Kind.DOUBLE,
    api.Char: Kind.WCHAR,
    bool: Kind.BOOLEAN,
    str: Kind.STRING,
}
ROWS_OF_TYPES: Final[Mapping[Kind, str]] = {
    Kind.BOOLEAN: "iw-2.4.1-33",
    Kind.OCTET: "iw-2.4.1-34",
    Kind.SHORT: "iw-2.4.1-35",
    Kind.LONG: "iw-2.4.1-36",
    Kind.LONGLONG: "iw-2.4.1-37",
    Kind.FLOAT: "iw-2.4.1-38",
    Kind.DOUBLE: "iw-2.4.1-39",
    Kind.STRING: "iw-2.4.1-40",
}
"""The row on properties of each type."""


def idl(value: object) -> tuple[str, object]:
    """Return name of the type and value that a Java value has on a channel: a text is a `STRING`, null a `NULL`."""
    if value is None:
        return "NULL", None
    if isinstance(value, bytes):
        return "OCTETS", value
    kind = _KINDS[type(value)]
    plain = value.value if isinstance(value, api.Box) else value
    if kind == Kind.OCTET:
        return kind.name, int(str(plain)) % 256
    return kind.name, _real(kind, plain)


def on_channel(value: Any_) -> tuple[str, object]:
    """Return the same of a value on a channel; of a wide string as of a string. A null has no value, whatever its type."""
    while isinstance(value.value, Any_):
        value = value.value
    kind = value.type.plain.kind
    if value.value is None:
        return "NULL", None
    if kind == Kind.SEQUENCE:
        return ("OCTETS" if isinstance(value.value, bytes) else str(value.type.plain)), value.value
    return ("STRING" if kind == Kind.WSTRING else kind.name), _real(kind, value.value)


def java(value: Any_) -> object:
    """Return what the standard mapping makes of a basic value, as `boxed` gives it; of unsigned values nothing is settled."""
    held, kind = value.value, value.type.plain.kind
    if kind == Kind.OCTET:
        return api.Byte(int(str(held)) - 256 if int(str(held)) > 127 else int(str(held)))
    box = {
        Kind.SHORT: api.Short,
        Kind.LONG: api.Int,
        Kind.LONGLONG: api.Long,
        Kind.FLOAT: api.Float,
        Kind.DOUBLE: api.Double,
        Kind.CHAR: api.Char,
        Kind.WCHAR: api.Char,
    }.get(kind)
    return held if box is None else box(held)


def boxed(value: object) -> object:
    """Return what a property or an item gives, with plain numbers in their boxes."""
    return api.Long(value) if type(value) is int else api.Double(value) if type(value) is float else value


def _real(kind: Kind, value: object) -> object:
    """Return a number as it is; of a float the nearest of single precision."""
    if kind == Kind.FLOAT and isinstance(value, float) and value == value and abs(value) <= numbers.MAX_FLOAT:  # noqa: PLR0124
        return struct.unpack(">f", struct.pack(">f", value))[0]
    return value
