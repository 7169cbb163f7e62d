"""CDR, CORBA's form of values as bytes: an encapsulation of an any, its type first, in either byte order.

Strings are UTF-8, wide ones UTF-16 in the byte order of the encapsulation, as GIOP 1.2 counts them. Imports this package's
values only.
"""

from __future__ import annotations

import struct
from typing import Final

from tck.interworking.anys import Any_, Kind, TypeCode, arm_of

_FORMS: Final = {
    Kind.SHORT: "h",
    Kind.LONG: "i",
    Kind.LONGLONG: "q",
    Kind.USHORT: "H",
    Kind.ULONG: "I",
    Kind.ULONGLONG: "Q",
    Kind.FLOAT: "f",
    Kind.DOUBLE: "d",
    Kind.BOOLEAN: "?",
    Kind.OCTET: "B",
}
_NAMED: Final = frozenset({Kind.STRUCT, Kind.UNION, Kind.ENUM, Kind.ALIAS})
_DEEPEST: Final = 100
"""Types and values nested deeper than this are refused."""


class CdrError(ValueError):
    """Bytes are no encapsulation of an any; the message says at which byte and why."""


def encode(value: Any_, *, little: bool = False) -> bytes:
    """Return an any as an encapsulation: a byte for the byte order, the type, the value.

    Args:
        value: The any.
        little: Whether the least byte comes first.
    """
    writer = _Writer(little=little)
    writer.any(value)
    return bytes(writer.written)


def decode(octets: bytes) -> Any_:
    """Return the any of an encapsulation.

    Raises:
        CdrError: The bytes are none, or more follow.
    """
    reader = _Reader(octets)
    found = reader.any(0)
    if reader.at != len(octets):
        raise CdrError(f"{len(octets) - reader.at} bytes follow the value, from byte {reader.at} on")
    return found


class _Writer:
    """Writes one encapsulation; places are counted from its first byte."""

    def __init__(self, *, little: bool) -> None:
        self.little = little
        self.written = bytearray([little])

    def number(self, form: str, value: object) -> None:
        size = struct.calcsize(form)
        self.written += b"\0" * (-len(self.written) % size)
        self.written += struct.pack(("<" if self.little else ">") + form, value)

    def string(self, text: str) -> None:
        octets = text.encode() + b"\0"
        self.number("I", len(octets))
        self.written += octets

    def nested(self, inner: _Writer) -> None:
        self.number("I", len(inner.written))
        self.written += inner.written

    def any(self, value: Any_) -> None:
        self.type(value.type)
        self.value(value.type, value.value)

    def type(self, type_: TypeCode) -> None:
        kind = type_.kind
        self.number("I", kind)
        if kind in (Kind.STRING, Kind.WSTRING):
            self.number("I", type_.length)
        elif type_.content is not None or kind in _NAMED:
            inner = _Writer(little=self.little)
            inner.parameters(type_)
            self.nested(inner)

    def parameters(self, type_: TypeCode) -> None:
        if type_.kind in (Kind.SEQUENCE, Kind.ARRAY):
            self.type(type_.inner)
            self.number("I", type_.length)
            return
        self.string(type_.id)
        self.string(type_.name)
        if type_.kind == Kind.ALIAS:
            self.type(type_.inner)
            return
        if type_.kind == Kind.ENUM:
            self.number("I", len(type_.labels))
            for label in type_.labels:
                self.string(str(label))
            return
        if type_.kind == Kind.UNION:
            self.type(type_.inner)
            self.number("i", type_.labels.index(None) if None in type_.labels else -1)
        self.number("I", len(type_.members))
        for at, (name, member) in enumerate(type_.members):
            if type_.kind == Kind.UNION:
                self._label(type_, type_.labels[at])
            self.string(name)
            self.type(member)

    def _label(self, type_: TypeCode, label: object) -> None:
        """Write the label of an arm; the default arm has a zero octet."""
        if label is None:
            self.number("B", 0)
        else:
            self.value(type_.inner, label)

    def value(self, type_: TypeCode, value: object) -> None:
        type_ = type_.plain
        kind = type_.kind
        if kind in _FORMS:
            self.number(_FORMS[kind], value)
        elif kind == Kind.ENUM:
            self.number("I", type_.labels.index(value))
        elif isinstance(value, str):
            self._text(kind, value)
        elif isinstance(value, bytes):
            self.number("I", len(value))
            self.written += value
        elif isinstance(value, Any_):
            self.any(value)
        elif isinstance(value, tuple):
            self._parts(type_, value)

    def _text(self, kind: Kind, value: str) -> None:
        wide = value.encode("utf-16-le" if self.little else "utf-16-be")
        match kind:
            case Kind.STRING:
                self.string(value)
            case Kind.WSTRING:
                self.number("I", len(wide))
                self.written += wide
            case Kind.WCHAR:
                self.number("B", len(wide))
                self.written += wide
            case _:
                self.written += value.encode("latin-1")

    def _parts(self, type_: TypeCode, value: tuple[object, ...]) -> None:
        match type_.kind:
            case Kind.STRUCT:
                for (_, member), each in zip(type_.members, value, strict=True):
                    self.value(member, each)
            case Kind.UNION:
                switch, held = value
                self.value(type_.inner, switch)
                if arm := arm_of(type_, switch):
                    self.value(arm[1], held)
            case kind:
                if kind == Kind.SEQUENCE:
                    self.number("I", len(value))
                for each in value:
                    self.value(type_.inner, each)


class _Reader:
    """Reads one encapsulation."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets
        if not octets or octets[0] > 1:
            raise CdrError("the first byte of an encapsulation is 0 or 1, its byte order")
        self.little = bool(octets[0])
        self.at = 1

    def take(self, size: int) -> bytes:
        found = self.octets[self.at : self.at + size]
        if len(found) < size:
            raise CdrError(f"{size} bytes are wanted at byte {self.at}, and {len(found)} are left")
        self.at += size
        return found

    def number(self, form: str) -> int | float | bool:
        size = struct.calcsize(form)
        self.take(-self.at % size)
        found: int | float | bool = struct.unpack(("<" if self.little else ">") + form, self.take(size))[0]
        return found

    def count(self) -> int:
        """Read a length or a number of things, none of which is smaller than nothing."""
        found = int(self.number("I"))
        if found > len(self.octets):
            raise CdrError(f"{found} things are announced before byte {self.at}, of {len(self.octets)} bytes in all")
        return found

    def string(self) -> str:
        octets = self.take(self.count())
        if not octets.endswith(b"\0"):
            raise CdrError(f"the string before byte {self.at} does not end with a zero")
        return self._decoded(octets[:-1], "utf-8")

    def _decoded(self, octets: bytes, form: str) -> str:
        try:
            return octets.decode(form)
        except UnicodeDecodeError as error:
            raise CdrError(f"the text before byte {self.at} is not {form}: {error.reason}") from None

    def any(self, depth: int) -> Any_:
        type_ = self.type(depth)
        try:
            return Any_(type_, self.value(type_, depth))
        except CdrError:
            raise
        except ValueError as error:
            raise CdrError(f"before byte {self.at}: {error}") from None

    def type(self, depth: int) -> TypeCode:
        if depth > _DEEPEST:
            raise CdrError(f"more than {_DEEPEST} types in one another at byte {self.at}")
        number = int(self.number("I"))
        try:
            kind = Kind(number)
        except ValueError:
            raise CdrError(f"no type has the number {number}, before byte {self.at}") from None
        if kind in (Kind.STRING, Kind.WSTRING):
            return TypeCode(kind, length=int(self.number("I")))
        if kind not in (_NAMED | {Kind.SEQUENCE, Kind.ARRAY}):
            return TypeCode(kind)
        return _Reader(self.take(self.count())).parameters(kind, depth + 1)

    def parameters(self, kind: Kind, depth: int) -> TypeCode:
        if kind in (Kind.SEQUENCE, Kind.ARRAY):
            content = self.type(depth)
            return TypeCode(kind, content=content, length=int(self.number("I")))
        id_, name = self.string(), self.string()
        if kind == Kind.ALIAS:
            return TypeCode(kind, name, id_, content=self.type(depth))
        if kind == Kind.ENUM:
            return TypeCode(kind, name, id_, labels=tuple(self.string() for _ in range(self.count())))
        switch = self.type(depth) if kind == Kind.UNION else None
        default = int(self.number("i")) if switch is not None else -1
        members, labels = [], []
        for at in range(self.count()):
            if switch is not None:
                labels.append(self._label(switch, depth, default=at == default))
            members.append((self.string(), self.type(depth)))
        return TypeCode(kind, name, id_, tuple(members), tuple(labels), switch)

    def _label(self, switch: TypeCode, depth: int, *, default: bool) -> object:
        if default:
            self.take(1)
            return None
        return self.value(switch, depth)

    def value(self, type_: TypeCode, depth: int) -> object:
        if depth > _DEEPEST:
            raise CdrError(f"more than {_DEEPEST} values in one another at byte {self.at}")
        type_ = type_.plain
        kind = type_.kind
        if kind in _FORMS:
            return self.number(_FORMS[kind])
        match kind:
            case Kind.NULL:
                return None
            case Kind.STRING | Kind.WSTRING | Kind.WCHAR | Kind.CHAR:
                return self._text(kind)
            case Kind.ANY:
                return self.any(depth + 1)
            case Kind.ENUM:
                at = int(self.number("I"))
                if at >= len(type_.labels):
                    raise CdrError(f"{type_} has no label {at}, before byte {self.at}")
                return type_.labels[at]
        return self._parts(type_, depth + 1)

    def _text(self, kind: Kind) -> str:
        wide = "utf-16-le" if self.little else "utf-16-be"
        match kind:
            case Kind.STRING:
                return self.string()
            case Kind.WSTRING:
                return self._decoded(self.take(self.count()), wide)
            case Kind.WCHAR:
                return self._decoded(self.take(int(self.number("B"))), wide)
            case _:
                return self.take(1).decode("latin-1")

    def _parts(self, type_: TypeCode, depth: int) -> object:
        match type_.kind:
            case Kind.STRUCT:
                return tuple(self.value(member, depth) for _, member in type_.members)
            case Kind.UNION:
                switch = self.value(type_.inner, depth)
                arm = arm_of(type_, switch)
                return switch, None if arm is None else self.value(arm[1], depth)
            case Kind.SEQUENCE:
                length = self.count()
                if type_.inner.kind == Kind.OCTET:
                    return self.take(length)
            case _:
                length = type_.length
                if length > len(self.octets):
                    raise CdrError(f"an array of {length} items cannot be in {len(self.octets)} bytes")
        return tuple(self.value(type_.inner, depth) for _ in range(length))
