"""Numbers as text, as Java's `valueOf` reads them and `toString` writes them; 32-bit floating point; wrap-around.

These rules read a String property or body value as a number (3.5.4-3, 3.5.4-4, 3.11.3-7) and write a number read as
String. A text that Java refuses raises NumberFormatException, and so does None for the integers; for the floating-point
types None raises NullPointerException, as in Java (3.5.4-6, 3.5.4-7).
"""

from __future__ import annotations

import math
import re
import struct
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Final

from tck.api import NullPointerException, NumberFormatException

_INTEGER: Final = re.compile(r"[+-]?\d+")
_REAL: Final = re.compile(
    r"""[\x00-\x20]*
    (?P<number> (?P<sign>[+-]?)
      (?: (?P<special>NaN|Infinity)
        | (?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?) [fFdD]?
        | (?P<hexadecimal>0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+) [fFdD]?
      )
    ) [\x00-\x20]*""",
    re.VERBOSE,
)
_FLOAT: Final = struct.Struct(">f")
_FLOAT_BITS: Final = struct.Struct(">I")
_SHOWN: Final = 80
_LONGEST_INTEGER: Final = 1000
_LAST_UNIT: Final = "\uffff"  # Java reads UTF-16 units: a digit beyond U+FFFF is no digit to it


def parse_integer(text: str | None, bits: int) -> int:
    """Read a whole number of this many bits, as `Byte.parseByte` to `Long.parseLong` do.

    Raises:
        NumberFormatException: None, not a whole number (blanks are not allowed), or out of range.
    """
    if text is None:
        raise NumberFormatException("null is not a number")
    if not _INTEGER.fullmatch(text) or len(text) > _LONGEST_INTEGER or max(text) > _LAST_UNIT:
        raise NumberFormatException(f"{shown(text)} is not a whole number")
    value = int(text)
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise NumberFormatException(f"{shown(text)} does not fit into {bits} bits")
    return value


def parse_double(text: str | None) -> float:
    """Read a floating-point number as `Double.valueOf` does: blanks around it, `NaN`, `Infinity`, hexadecimal, suffix.

    Raises:
        NullPointerException: None.
        NumberFormatException: not a floating-point number.
    """
    return _read_real(text)[0]


def parse_float(text: str | None) -> float:
    """Read a floating-point number as `Float.valueOf` does: rounded once, from the text to 32 bits.

    Raises:
        NullPointerException: None.
        NumberFormatException: not a floating-point number.
    """
    double, exact_text = _read_real(text)
    return _rounded_once(double, exact_text)


def _read_real(text: str | None) -> tuple[float, str]:
    """Return the nearest double and, for a finite number, the text of the exact number with its sign."""
    if text is None:
        raise NullPointerException("null is not a floating-point number")
    match = _REAL.fullmatch(text)
    if match is None:
        raise NumberFormatException(f"{shown(text)} is not a floating-point number")
    sign = match["sign"]
    if match["special"]:
        return (math.nan if match["special"] == "NaN" else float(sign + "inf")), ""
    if match["decimal"]:
        return float(sign + match["decimal"]), sign + match["decimal"]
    try:
        return float.fromhex(sign + match["hexadecimal"]), sign + match["hexadecimal"]
    except OverflowError:
        return math.copysign(math.inf, -1.0 if sign == "-" else 1.0), ""


def _rounded_once(double: float, exact_text: str) -> float:
    """Round to 32 bits from the exact text: if the double is exactly midway, the text decides the direction."""
    nearest = to_float(double)
    if not exact_text or nearest == double or math.isinf(double):
        return nearest
    other = next_float(nearest, math.inf if double > nearest else -math.inf)
    middle = (_bounded(nearest) + _bounded(other)) / 2
    exact = _exact(exact_text) if middle == Fraction(double) else middle
    if exact == middle:
        return nearest
    return max(nearest, other) if exact > middle else min(nearest, other)


def _bounded(value: float) -> Fraction:
    """Return the exact value; an infinity counts as the number after the largest one."""
    return Fraction(value) if math.isfinite(value) else Fraction(int(math.copysign(1, value)) * 2**128)


def _exact(text: str) -> Fraction:
    """Return the exact value of a finite text near a 32-bit number, with bounded numerator and denominator."""
    if "x" not in text and "X" not in text:
        return Fraction(Decimal(text))
    mantissa, exponent = re.split("[pP]", text)
    whole, _, part = mantissa.partition(".")
    digits = int(whole.replace("x", "").replace("X", "") + part, 16)
    power = int(exponent) - 4 * len(part)
    return Fraction(digits) * Fraction(2) ** power


def next_float(value: float, towards: float) -> float:
    """Return the 32-bit neighbour of a 32-bit number in the direction of an infinity."""
    if value == 0.0:
        return math.copysign(2.0**-149, towards)
    (bits,) = _FLOAT_BITS.unpack(_FLOAT.pack(value))
    bits += 1 if (value > 0) == (towards > 0) else -1
    (result,) = _FLOAT.unpack(_FLOAT_BITS.pack(bits))
    return float(result)


def to_float(value: float) -> float:
    """Round a double to the nearest 32-bit number; an infinity beyond the largest."""
    try:
        (rounded,) = _FLOAT.unpack(_FLOAT.pack(value))
    except OverflowError:
        return math.copysign(math.inf, value)
    return float(rounded)


def long_to_float(value: int) -> float:
    """Round a long to the nearest 32-bit number in one step, as Java's conversion does."""
    excess = abs(value).bit_length() - 24
    if excess <= 0:
        return float(value)
    kept, rest = divmod(abs(value), 1 << excess)
    half = 1 << (excess - 1)
    if rest > half or (rest == half and kept & 1):
        kept += 1
    return math.copysign(float(kept << excess), value)


def wrap(value: int, bits: int) -> int:
    """Wrap a whole number around at this many bits, as Java's arithmetic does."""
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def double_text(value: float) -> str:
    """Write a double as `Double.toString` does: the shortest text that reads back as the same number."""
    return _special_text(value) or _java_text(value, *_double_digits(abs(value)))


def float_text(value: float) -> str:
    """Write a 32-bit number as `Float.toString` does."""
    return _special_text(value) or _java_text(value, *_float_digits(abs(value)))


def _special_text(value: float) -> str | None:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0.0:
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    return None


def _double_digits(value: float) -> tuple[str, int]:
    """Return the shortest digits d1d2... that read back, and the exponent e of d1.d2... times ten to the e."""
    shortest = Decimal(repr(value))
    if len(_digits(shortest)[0]) == 1:
        # Java never looks for fewer than two digits: 4.9E-324, where one digit, 5E-324, would do.
        nearer = Decimal(f"{value:.1e}")
        shortest = nearer if float(nearer) == value else shortest
    return _digits(shortest)


def _float_digits(value: float) -> tuple[str, int]:
    exact = Decimal(value)
    for precision in range(2, 10):
        candidates = [
            Context(prec=precision, rounding=rounding).create_decimal(exact)
            for rounding in (ROUND_FLOOR, ROUND_CEILING)
        ]
        fitting = [each for each in candidates if parse_float(str(each)) == value]
        if fitting:
            return _digits(min(fitting, key=lambda each: abs(each - exact)))
    raise AssertionError(f"{value!r} is no 32-bit number")


def _digits(value: Decimal) -> tuple[str, int]:
    parts = value.as_tuple()
    written = "".join(map(str, parts.digits))
    return written.rstrip("0"), int(parts.exponent) + len(written) - 1


def _java_text(value: float, digits: str, exponent: int) -> str:
    """Place point and exponent as Java does: plain from 0.001 up to ten million, scientific outside."""
    sign = "-" if value < 0 else ""
    if -3 <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    if 0 <= exponent < 7:
        whole = digits[: exponent + 1].ljust(exponent + 1, "0")
        return f"{sign}{whole}.{digits[exponent + 1 :] or '0'}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def shown(text: str) -> str:
    """Quote a text for an error message, shortened if it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
