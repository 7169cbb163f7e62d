"""Literals of selectors: Java's numeric literals, string literals, LIKE patterns (3.8.1.1-10 to -23, -82 to -91).

Exact literals cover the range of long, also in hexadecimal and octal, where the upper half is negative as in Java; a
literal without a suffix is a long. Forms that the specification leaves open are refused: binary literals, digits
grouped by `_`, hexadecimal floating-point (3.8.1.1-111).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from reference_provider.java.numbers import parse_double, parse_float, shown, wrap
from reference_provider.selector.values import Number, Single, Wide

_DECIMAL: Final = re.compile(r"(0|[1-9][0-9]*)[lL]?", re.ASCII)
_OCTAL: Final = re.compile(r"0([0-7]+)[lL]?", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"0[xX]([0-9a-fA-F]+)[lL]?", re.ASCII)
_FLOATING: Final = re.compile(r"(?=.*[.eEfFdD])((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([fFdD]?)", re.ASCII)
_NOT_ZERO: Final = re.compile(r"[0.]*[1-9]")

LARGEST_LONG: Final = 2**63 - 1
_LONGEST_DIGITS: Final = 100


class LiteralError(ValueError):
    """A text that is not a literal, with the reason."""


def number(text: str, *, negative: bool = False) -> Number:
    """Read a numeric literal; `negative` means that a minus precedes it, which the result then includes.

    Raises:
        LiteralError: not a literal of Java, or out of range.
    """
    if match := _DECIMAL.fullmatch(text):
        return _decimal(match[1], negative)
    if match := _OCTAL.fullmatch(text):
        return _of_radix(match[1], 8, negative)
    if match := _HEXADECIMAL.fullmatch(text):
        return _of_radix(match[1], 16, negative)
    if match := _FLOATING.fullmatch(text):
        return _floating(match[1], match[2].lower(), negative)
    raise LiteralError(
        f"{shown(text)} is not a number: no decimal, octal, hexadecimal or floating-point literal of Java"
    )


def _decimal(digits: str, negative: bool) -> Wide:
    value = int(digits) if len(digits) <= _LONGEST_DIGITS else LARGEST_LONG + 2
    if value > LARGEST_LONG + negative:
        raise LiteralError(f"{shown(digits)} is beyond the range of long")
    return Wide(-value if negative else value)


def _of_radix(digits: str, radix: int, negative: bool) -> Wide:
    value = int(digits.lstrip("0")[:_LONGEST_DIGITS] or "0", radix)
    if value >= 2**64:
        raise LiteralError(f"{shown(digits)} is beyond the 64 bits of long")
    return Wide(wrap(-value if negative else value, 64))


def _floating(text: str, suffix: str, negative: bool) -> float:
    value = Single(parse_float(text)) if suffix == "f" else parse_double(text)
    kind = "float" if suffix == "f" else "double"
    if value in (float("inf"), 0.0) and (value or _NOT_ZERO.match(text)):
        raise LiteralError(f"{shown(text)} is {'beyond the range of' if value else 'too small for'} {kind}")
    if not negative:
        return value
    return Single(-value) if suffix == "f" else -value


def string(token: str) -> str:
    """Return the text of a string literal, without quotes and with doubled quotes made single."""
    return token[1:-1].replace("''", "'")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed LIKE pattern.

    Attributes:
        form: how to test it: `equals`, `starts`, `ends` and `contains` with `text`, or `regex`.
        text: the plain text of the simple forms.
        regex: the regular expression for the whole value, for any form.
    """

    form: Literal["equals", "starts", "ends", "contains", "regex"]
    text: str
    regex: str


ANY: Final = object()
ONE: Final = object()


def pattern(text: str, escape: str | None) -> Pattern:
    """Parse a LIKE pattern: `%` is any sequence, `_` any character, line ends too; `escape` makes the next one plain.

    Raises:
        LiteralError: the escape is not one character, or is the last character of the pattern.
    """
    signs = _signs(text, escape)
    plain = "".join(sign for sign in signs if isinstance(sign, str))
    regex = _regex(signs)
    if ONE in signs:
        return Pattern("regex", "", regex)
    match [sign is ANY for sign in _collapsed(signs)]:
        case [] | [False]:
            return Pattern("equals", plain, regex)
        case [True] | [False, True]:
            return Pattern("starts", plain, regex)
        case [True, False]:
            return Pattern("ends", plain, regex)
        case [True, False, True]:
            return Pattern("contains", plain, regex)
        case _:
            return Pattern("regex", "", regex)


def _signs(text: str, escape: str | None) -> list[object]:
    """Split a pattern into plain characters, `ANY` and `ONE`."""
    if escape is not None and len(escape) != 1:
        raise LiteralError(f"ESCAPE takes exactly one character, not {shown(escape)}")
    signs: list[object] = []
    characters = iter(text)
    for character in characters:
        if character == escape:
            escaped = next(characters, None)
            if escaped is None:
                raise LiteralError(f"the pattern {shown(text)} ends with its escape character")
            signs.append(escaped)
        else:
            signs.append({"%": ANY, "_": ONE}.get(character, character))
    return signs


def _collapsed(signs: list[object]) -> list[object]:
    """Merge neighbours: one `ANY` for a run of them, one plain text for a run of characters."""
    runs: list[object] = []
    for sign in signs:
        if sign is ANY:
            if not runs or runs[-1] is not ANY:
                runs.append(ANY)
        elif runs and isinstance(runs[-1], str):
            runs[-1] += str(sign)
        else:
            runs.append(str(sign))
    return runs


def _regex(signs: list[object]) -> str:
    """Return a regular expression whose time is proportional to pattern and value.

    Each part between two `%` is searched once, at its first match (an atomic group): if the rest fits after a later
    match, it fits after the first too. Only the last part is tied to the end.
    """
    stretches: list[str] = [""]
    for sign in signs:
        if sign is ANY:
            stretches.append("")
        else:
            stretches[-1] += "." if sign is ONE else re.escape(str(sign))
    first, *others = stretches
    if not others:
        return first
    middle = "".join(f"(?>.*?{stretch})" for stretch in others[:-1] if stretch)
    return f"{first}{middle}.*{others[-1]}"
