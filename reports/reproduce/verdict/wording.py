"""Values out of the texts of a verdict: pairs of an observed and an expected value, each with the words that name it.

The suite writes `priority is 4` beside `priority was 7`, with values as Python shows them. Long values are shown in part; those
are no values any more, and are left out. Reads text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tck import api

_BOXES: Final = {
    kind.__name__: kind for kind in (api.Byte, api.Short, api.Int, api.Long, api.Float, api.Double, api.Char)
}
_NAMES: Final[dict[str, object]] = {
    "None": None,
    "True": True,
    "False": False,
    "nan": float("nan"),
    "inf": float("inf"),
}
_STRING: Final = re.compile(r"b?'(?:[^'\\]|\\.)*'|b?\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NUMBER: Final = re.compile(r"-?(?:inf\b|nan\b|\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
_WORD: Final = re.compile(r"[A-Za-z]\w*")
_OBJECT: Final = re.compile(r"<recorded ([^<>]+)>")
_END: Final = re.compile(r"; |, | \(give or take (\d+)\)|\Z")


@dataclass(frozen=True, slots=True)
class Labelled:
    """An object of the case in a text, by its label."""

    label: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One value of a verdict: the words that name it, the observed and the expected value."""

    what: str
    seen: object
    wanted: object


def differences(observed: str, expected: str) -> tuple[Difference, ...]:
    """Return the values that both texts name: observed as `... was VALUE`, expected as `... is VALUE`, in the order observed."""
    wanted = dict(_statements(expected, " is "))
    return tuple(
        Difference(what, seen, wanted[what]) for what, seen in _statements(observed, " was ") if what in wanted
    )


def _statements(text: str, verb: str) -> Iterator[tuple[str, object]]:
    """Yield the words before each verb and the value after it; what precedes a table's colon belongs to its first words only."""
    at = begin = 0
    table = ""
    while (found := text.find(verb, begin)) >= 0:
        begin = found + 1
        read = scan(text, found + len(verb))
        if read is None:  # the verb is one of the words
            continue
        end = _END.match(text, read[1])
        if end is None:
            following = text.find("; ", found)
            if following < 0:
                return
            at = begin = following + 2
            table = ""
            continue
        words = text[at:found]
        head, colon, key = words.partition(": ")
        if colon:
            table, words = head, key
        yield (f"{table}: {words}" if table else words), read[0]
        at = begin = end.end()
        if end.group().startswith("; "):
            table = ""
        elif end[1] is not None:
            at = begin = text.find("; ", at) + 2 if text.find("; ", at) >= 0 else len(text)


def scan(text: str, at: int = 0) -> tuple[object, int] | None:
    """Read a value as Python shows it; return it and the place behind it, None if there is none."""
    if text.startswith(("[", "(", "{"), at):
        return _compound(text, at)
    string = _STRING.match(text, at)
    if string is not None:
        return _evaluated(string.group()), string.end()
    number = _NUMBER.match(text, at)
    if number is not None:
        word = number.group()
        plain = word.lstrip("-").isdigit()
        return (int(word) if plain else float(word)), number.end()
    label = _OBJECT.match(text, at)
    if label is not None:
        return Labelled(label[1]), label.end()
    return _named(text, at)


def _named(text: str, at: int) -> tuple[object, int] | None:
    word = _WORD.match(text, at)
    if word is None:
        return None
    if word.group() in _NAMES:
        return _NAMES[word.group()], word.end()
    box = _BOXES.get(word.group())
    if box is None or not text.startswith("(", word.end()):
        return None
    inner = scan(text, word.end() + 1)
    if inner is None or not text.startswith(")", inner[1]):
        return None
    try:
        return box(inner[0]), inner[1] + 1  # type: ignore[arg-type]  # a box checks its value itself
    except (TypeError, ValueError):
        return None


def _compound(text: str, at: int) -> tuple[object, int] | None:
    close = {"[": "]", "(": ")", "{": "}"}[text[at]]
    items: list[Any] = []
    keys: list[Any] = []
    place = at + 1
    while not text.startswith(close, place):
        item = scan(text, place)
        if item is None:
            return None
        place = item[1]
        if close == "}" and text.startswith(": ", place):
            keys.append(item[0])
            item = scan(text, place + 2)
            if item is None:
                return None
            place = item[1]
        items.append(item[0])
        if text.startswith(",", place):
            place += 1
            place += text.startswith(" ", place)
        elif not text.startswith(close, place):
            return None
    if close == "}":
        return (dict(zip(keys, items, strict=True)), place + 1) if len(keys) == len(items) else None
    return (tuple(items) if close == ")" else items), place + 1


def _evaluated(literal: str) -> str | bytes:
    import ast  # noqa: PLC0415 - the one reader of Python's escapes

    value: str | bytes = ast.literal_eval(literal)
    return value
