"""The tables of numbers, characters and byte arrays, and the texts that are numbers and those that are none.

Of each type: the ends of its range, both sides of zero, both sides of the ranges of narrower types and of the precision
of float and double. The first value of each type is none that an idle provider shows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

MAX_FLOAT: Final = (2 - 2**-23) * 2.0**127
"""The greatest float."""
_INFINITY: Final = math.inf
_NAN: Final = math.nan

BYTES: Final = (127, 0, 1, -1, -128, 126, -127, 10, 32)
"""Ends, neighbours of the ends and of zero, and two that are signs in texts."""
SHORTS: Final = (32767, 0, 1, -1, -32768, 127, 128, -128, -129, 255, 256)
"""Ends, and both sides of a byte with sign and without."""
INTS: Final = (2**31 - 1, 0, 1, -1, -(2**31), 32767, 32768, -32768, -32769, 65535, 65536, 2**24 + 1)
"""Ends, both sides of a short with sign and without, and one beyond the precision of float."""
LONGS: Final = (
    *(2**63 - 1, 0, 1, -1, -(2**63), 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**53 + 1),
    *(-(2**53) - 1, 1_700_000_000_000),
)
"""Ends, both sides of an int with sign and without, beyond the precision of double, and a time."""
FLOATS: Final = (
    *(MAX_FLOAT, 0.0, 1.0, -0.0, -MAX_FLOAT),  # ends, and both zeros
    *(2.0**-149, -(2.0**-149), 2.0**-126, 2.0**-126 - 2.0**-149),  # least, least normal and greatest subnormal
    *(0.1, 1 / 3, -1.5, 2.0**24, 1e10, 1e-10),  # inexact, exact, beyond the whole numbers, with an exponent as text
    *(_NAN, _INFINITY, -_INFINITY),
)
"""Ends, zeros, subnormals, numbers that decimals do not hold, and what is no number."""
DOUBLES: Final = (
    *((2 - 2**-52) * 2.0**1023, 0.0, 1.0, -0.0, -(2 - 2**-52) * 2.0**1023),
    *(5e-324, -5e-324, 2.0**-1022, 2.0**-1022 - 5e-324),
    *(0.1, 1 / 3, -1.5, 2.0**53, 1e300, 1e-300, MAX_FLOAT, MAX_FLOAT * 2, 0.1 + 0.2),
    *(_NAN, _INFINITY, -_INFINITY),
)
"""As for float, and both sides of the range of float."""
CHARS: Final = ("x", "\0", " ", "0", "\xe4", "\u6771", "\ufeff", "\ud83d", "\ude00", "\uffff")
"""Ends, a blank, a digit, of one, two and three bytes in UTF-8, a byte order mark, half a pair of each sort."""
ARRAYS: Final = (b"\x00\x7f\x80\xff", b"", b"\x00", b"\xff", b"\xc3\x28", bytes(range(256)))
"""Both signs, empty, one byte of each extreme, no UTF-8, every byte."""
LONG_ARRAY: Final = bytes(range(256)) * 256 + b"\x01"
"""An array whose length does not fit 16 bits."""

_WHOLE: Final = ("byte", "short", "int", "long")
_REAL: Final = ("float", "double")
_RANGES: Final = {"byte": 7, "short": 15, "int": 31, "long": 63}

REFUSED_TEXTS: Final[Sequence[tuple[str, str]]] = (
    *((target, text) for target in (*_WHOLE, *_REAL) for text in ("abc", "", " ", "null", "true", "-", "--1", "1_0")),
    *((target, text) for target in (*_WHOLE, *_REAL) for text in ("\u00a01", "1 2", "0x10", "1,5", "infinity", "nan")),
    *((target, text) for target in _WHOLE for text in ("1.5", "1.00", "1e3", " 1", "1 ", "1\n", "1L", "NaN", "1\0")),
    *((target, text) for target in _REAL for text in ("1.5x", "1e", ".", "1.5L", "\uff11", "INF")),
    *((target, str(2**bits)) for target, bits in _RANGES.items()),
    *((target, str(-(2**bits) - 1)) for target, bits in _RANGES.items()),
    ("byte", "300"),
    ("int", "99999999999"),
)
"""Types and texts that their valueOf rejects."""

ACCEPTED_TEXTS: Final[Sequence[tuple[str, str, object]]] = (
    *((target, text, value) for target in _WHOLE for text, value in (("-5", -5), ("+5", 5), ("007", 7), ("-0", 0))),
    *((target, "\uff11\u0662", 12) for target in _WHOLE),  # digits of other scripts count, to Character.digit
    *((target, str(2**bits - 1), 2**bits - 1) for target, bits in _RANGES.items()),
    *((target, str(-(2**bits)), -(2**bits)) for target, bits in _RANGES.items()),
    *((target, text, _NAN) for target in _REAL for text in ("NaN", "-NaN")),
    *((target, text, _INFINITY) for target in _REAL for text in ("Infinity", "+Infinity", "1e999")),
    *(
        (target, text, 1.5)
        for target in _REAL
        for text in (" 1.5 ", "\t1.5\n", "1.5f", "1.5D", "+1.5", "15e-1", "0x1.8p0")
    ),
    *((target, "1e3", 1000.0) for target in _REAL),
    *((target, "1E+3", 1000.0) for target in _REAL),
    *((target, ".5", 0.5) for target in _REAL),
    *((target, "5.", 5.0) for target in _REAL),
    *((target, "-0", -0.0) for target in _REAL),
    *((target, "-1e-999", -0.0) for target in _REAL),
    *((target, "-Infinity", -_INFINITY) for target in _REAL),
    ("float", "3.4028235e38", MAX_FLOAT),
    ("float", "1e39", _INFINITY),
    ("float", "1.4e-45", 2.0**-149),
    ("float", "0.1", 0.1),
    ("double", "1e39", 1e39),
    ("double", "4.9e-324", 5e-324),
    ("double", "1.7976931348623157e308", DOUBLES[0]),
    ("double", "0.1", 0.1),
)
"""Type, text and value: the type's valueOf reads the text as the value."""

TRUTHS: Final = ("true", "TRUE", "tRuE")
"""Texts that are true to Boolean.valueOf."""
UNTRUTHS: Final = ("false", "FALSE")
"""Texts that are false by their word."""
NO_TRUTHS: Final = (
    "yes",
    "1",
    "0",
    "",
    " ",
    "t",
    "true ",
    " true",
    "true\0",
    "truth",
    "\uff34\uff32\uff35\uff25",
    "null",
    "on",
)
"""Texts that are neither word; Boolean.valueOf makes false of each."""

_WHOLE_TEXT: Final = re.compile(r"[+-]?[0-9]+")
_REAL_TEXT: Final = re.compile(r"[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)")


def value_of(type_name: str, text: str) -> object:
    """Return the value that valueOf of a type reads from a decimal text, or the text where it rejects it."""
    if type_name == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if type_name in _REAL:
        return float(text) if _REAL_TEXT.fullmatch(text) else text
    return int(text) if _WHOLE_TEXT.fullmatch(text) else text
