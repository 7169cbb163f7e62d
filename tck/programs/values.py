"""Values as data, and the tables that programs draw from: one per type, each entry with the reason why it is there.

A value in a program or an observation is a pair ``[type, content]``: ``["int", 5]``, ``["bytes", "00ff"]``, ``["null",
null]``. Real numbers are written as text (``["double", "-0.0"]``), so that two observations are equal exactly when the
values are the same to Java. Imports `tck.api` only.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from tck import api

Typed: TypeAlias = "list[Any]"
"""A pair of type and content."""

_WHOLE: Final[Mapping[str, type[api.Byte | api.Short | api.Int | api.Long]]] = {
    "byte": api.Byte,
    "short": api.Short,
    "int": api.Int,
    "long": api.Long,
}
_REAL: Final[Mapping[str, type[api.Box]]] = {"float": api.Float, "double": api.Double}
_NAMES: Final[Mapping[type, str]] = {
    api.Byte: "byte",
    api.Short: "short",
    api.Int: "int",
    api.Long: "long",
    api.Float: "float",
    api.Double: "double",
    api.Char: "char",
}
_LONG: Final = 120
"""Longer text and bytes are shown in an observation by their beginning, length and digest."""


def plain(typed: Typed) -> Any:
    """Return a value as the typed methods of the API take it: numbers and text without boxes."""
    kind, content = typed
    if kind in _REAL:
        return float(content)
    if kind == "bytes":
        return bytes.fromhex(content)
    if kind in {"list", "dict"}:
        return boxed(typed)
    if kind in {"string", "char", "utf"} and isinstance(content, dict):
        return content["of"] * content["times"]
    return content


def boxed(typed: Typed) -> Any:
    """Return a value in the form that the API's Object positions have for its type."""
    kind, content = typed
    if kind in {"byte", "short", "int"}:
        return _WHOLE[kind](content)
    if kind == "float":
        return api.Float(float(content))
    if kind == "char":
        return api.Char(content)
    if kind == "list":
        return [boxed(each) for each in content]
    if kind == "dict":
        return {boxed(key): boxed(value) for key, value in content}
    return plain(typed)


def typed(value: object) -> Typed:
    """Return a value of an Object position, as an observation holds it; an object of the API as ``["other", its type]``."""
    found = _NAMES.get(type(value))
    if found is not None:
        inner: Any = value.value  # type: ignore[attr-defined]  # a box
        return [found, repr(inner) if found in _REAL else inner]
    if value is None:
        return ["null", None]
    if isinstance(value, bool):
        return ["boolean", value]
    if isinstance(value, int):
        return ["long", value]
    if isinstance(value, float):
        return ["double", repr(value)]
    if isinstance(value, str):
        return ["string", _text(value)]
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", _text(bytes(value).hex())]
    if isinstance(value, list):
        return ["list", [typed(each) for each in value]]
    if isinstance(value, Mapping):
        entries = [[typed(key), typed(each)] for key, each in value.items()]
        return ["dict", sorted(entries, key=repr)]
    return ["other", type(value).__name__]


def typed_as(kind: str, value: object) -> Typed:
    """Return the pair for a value that a typed method returned."""
    if value is None:
        return ["null", None]
    if kind in _REAL and isinstance(value, (int, float)):
        return [kind, repr(float(value))]
    if kind in {"string", "char"} and isinstance(value, str):
        return [kind, _text(value)]
    if kind == "bytes" and isinstance(value, (bytes, bytearray)):
        return [kind, _text(bytes(value).hex())]
    return [kind, value if isinstance(value, (bool, int, float)) else repr(value)]


def _text(text: str) -> str:
    if len(text) <= _LONG:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{text[:40]}... {len(text)} long, {digest}"


def number_text(text: str) -> str:
    """Return text that tells a real number in one form; text of any other kind as it is."""
    try:
        found = float(text)
    except ValueError:
        return text
    return "nan" if math.isnan(found) else repr(found)


# -- tables ------------------------------------------------------------------------------------------------------------

_MAX_FLOAT: Final = repr((2 - 2**-23) * 2.0**127)

TABLES: Final[Mapping[str, tuple[tuple[Any, str], ...]]] = {
    "boolean": ((True, "set"), (False, "what an idle provider shows")),
    "byte": (
        (0, "what an idle provider shows"),
        (1, "small"),
        (127, "largest"),
        (-128, "smallest"),
        (-1, "all bits set"),
        (65, "a letter, if taken for a character"),
    ),
    "short": (
        (0, "what an idle provider shows"),
        (7, "fits a byte"),
        (32767, "largest"),
        (-32768, "smallest"),
        (-1, "all bits set"),
        (200, "a byte without a sign"),
        (258, "bytes of different order differ"),
    ),
    "int": (
        (0, "what an idle provider shows"),
        (5, "small"),
        (2**31 - 1, "largest"),
        (-(2**31), "smallest"),
        (2**24 + 1, "lost in a float"),
        (-7, "negative, odd"),
        (70000, "does not fit a short"),
        (16909060, "each byte differs"),
    ),
    "long": (
        (0, "what an idle provider shows"),
        (6, "small"),
        (2**63 - 1, "largest"),
        (-(2**63), "smallest"),
        (2**53 + 1, "lost in a double"),
        (2**31, "does not fit an int"),
        (-3, "negative"),
        (72623859790382856, "each byte differs"),
    ),
    "float": (
        ("0.5", "exact"),
        ("0.1", "not exact; differs from the double of that text"),
        ("-0.0", "the sign of zero"),
        ("nan", "equal to nothing, itself included"),
        ("inf", "beyond all numbers"),
        ("-inf", "below all numbers"),
        (_MAX_FLOAT, "largest"),
        (repr(2.0**-149), "smallest above zero"),
        ("16777216.0", "from here on whole numbers are missing"),
    ),
    "double": (
        ("0.25", "exact"),
        ("0.1", "not exact"),
        ("-0.0", "the sign of zero"),
        ("nan", "equal to nothing, itself included"),
        ("inf", "beyond all numbers"),
        ("-inf", "below all numbers"),
        (repr((2 - 2**-52) * 2.0**1023), "largest"),
        ("5e-324", "smallest above zero"),
        ("1e+300", "does not fit a float"),
        ("3.141592653589793", "needs every digit"),
        ("5.0", "a whole number"),
    ),
    "char": (
        ("x", "plain"),
        ("\0", "zero"),
        ("\uffff", "largest"),
        ("\u6771", "beyond Latin"),
        ("\ud83d", "half of a surrogate pair"),
        ("7", "a digit"),
    ),
    "string": (
        ("text", "plain"),
        ("", "empty is not null"),
        (" ", "blank"),
        (" edge ", "blank-edged"),
        ("\tline\r\nbreak\n", "control characters"),
        ("gr\xf6\xdfer", "Latin beyond ASCII"),
        ("\u6771\u4eac", "beyond Latin"),
        ("\U0001f600", "beyond 16 bits"),
        ("\ud83d", "a lone surrogate"),
        ("\ufeffmark", "a byte order mark"),
        ("e\u0301", "a decomposed accent"),
        ("\xe9", "the same accent, composed"),
        ("a\0b", "a zero inside"),
        ("it's", "a quote"),
        ("50%_\\", "wildcards and a backslash"),
        ("true", "reads as a boolean"),
        ("TRUE", "reads as a boolean in any case"),
        ("yes", "no boolean"),
        ("12", "reads as a number"),
        ("+7", "a sign"),
        (" 7", "a blank before a number"),
        ("128", "too much for a byte"),
        ("-32769", "too little for a short"),
        ("2147483648", "too much for an int"),
        ("9223372036854775808", "too much for a long"),
        ("0.5", "a real number"),
        ("1e3", "scientific"),
        ("NaN", "not a number"),
        ("1.5f", "a suffix of Java"),
        ("0x1p3", "hexadecimal"),
        ("null", "the word null"),
        ("NULL", "the same in capitals"),
        ("A", "case"),
        ("a", "case"),
        ("ID:no-message", "looks like an identifier"),
        ("PERSISTENT", "a word of selectors"),
        ({"of": "x", "times": 300}, "long"),
        ({"of": "\xf6", "times": 40000}, "more than 65,535 bytes"),
    ),
    "bytes": (
        ("007f80ff", "each kind of byte"),
        ("", "empty is not null"),
        ("00", "zero"),
        ("efbbbf61", "a byte order mark"),
        ("c328", "no UTF-8"),
        ("ff" * 300, "more than one byte can count"),
        ("61" * 6, "the same byte"),
    ),
}
"""For each type its telling values, with the reasons."""

SIZED: Final[tuple[tuple[dict[str, Any], str], ...]] = tuple(
    ({"of": each, "times": size}, f"{size} characters of {len(each.encode())} bytes")
    for each in ("x", "\xf6", "\u6771", "\U0001f600")
    for size in (8, 16, 65, 128, 255, 500, 8192, 65536, 200_000)
    if size * len(each.encode()) <= 600_000
)
"""Texts of each size at which providers store or send otherwise, with the reasons."""

PROPERTY_TYPES: Final = ("boolean", "byte", "short", "int", "long", "float", "double", "string")
BODY_TYPES: Final = (*PROPERTY_TYPES, "char", "bytes")

PROPERTY_NAMES: Final[tuple[tuple[str, str], ...]] = (
    ("a", "plain"),
    ("A", "differs in case only"),
    ("b", "plain"),
    ("x1", "a digit"),
    ("_u", "an underscore"),
    ("$d", "a dollar sign"),
    ("gr\xf6\xdfe", "letters beyond ASCII"),
    ("color", "plain"),
    ("Nullable", "begins as a literal"),
    ("notes", "begins as an operator"),
    ("l" * 140, "long"),
)
"""Names of properties that every provider must take (3.5.1-1), with the reasons."""

ENTRY_NAMES: Final[tuple[tuple[str, str], ...]] = (
    ("a", "plain"),
    ("A", "differs in case only"),
    ("1", "begins with a digit"),
    ("with blank", "a blank"),
    ("d.ot", "a dot"),
    ("\u6771", "beyond Latin"),
    ("JMSType", "the name of a header"),
    ("l" * 140, "long"),
)
"""Names of map entries, with the reasons."""

OBJECTS: Final[tuple[tuple[Typed, str], ...]] = (
    (["string", "text"], "plain"),
    (["list", []], "empty"),
    (["list", [["string", "a"], ["null", None], ["int", 5]]], "values of several types, null among them"),
    (["dict", [[["string", "k"], ["list", [["long", 7], ["double", "0.5"]]]]]], "nested"),
    (["int", 5], "a number of 32 bits"),
    (["long", 2**53 + 1], "a number of 64 bits"),
    (["boolean", False], "what an idle provider shows"),
    (["double", "nan"], "not a number"),
    (["string", ""], "empty is not null"),
    (["bytes", "007f80ff"], "an array"),
)
"""Bodies of object messages, with the reasons."""

DESTINATION_NAMES: Final[tuple[tuple[str, str], ...]] = (
    ("a.b", "a dot"),
    ("a.b.c", "begins as another"),
    ("a b", "a blank"),
    ("Twin", "differs in case only"),
    ("twin", "differs in case only"),
    ("gr\xf6\xdfe", "letters beyond ASCII"),
    ("\u6771", "beyond Latin"),
    ("*", "a wildcard"),
    (">", "a wildcard"),
    ("#", "a wildcard"),
    ("n" * 64 + "x", "long"),
    ("n" * 64 + "y", "long, alike in its beginning"),
)
"""Names of destinations, with the reasons; only where the provider takes any name."""

CORRELATIONS: Final = ("text", "", " edge ", "ID:7", "ID:", "gr\xf6\xdfer", "\U0001f600", "x" * 200, "7", "e\u0301")
TYPES: Final = ("car", "", "Car", " t ", "a.b", "\u6771", "y" * 130)
"""Values of JMSType: empty, blank-edged, case, beyond Latin, long."""
