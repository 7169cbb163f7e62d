"""The rules for a row of the catalogue. Imports the catalogue's values only; of files it knows only the names."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from tck.catalogue.errors import did_you_mean
from tck.catalogue.model import APIS, DOMAINS, HOOKS, Assertion, Level, Subject, Testable
from tck.catalogue.versions import BY_NAME, SINCE, TEXTS, VERSIONS, offers, reaches

DERIVED = ("chapter", "section", "ordinal", "file", "line")
KEYS = tuple(field.name for field in dataclasses.fields(Assertion) if field.name not in DERIVED)
"""The keys of a row, all of them required."""

LISTS = frozenset({"domains", "api", "official", "features"})
FILLED = ("title", "statement", "how", "saboteur")
ID = re.compile(r"([1-9]\d*(?:\.[1-9]\d*)*)-([1-9]\d*)")

_KEYS = frozenset(KEYS)
_STRINGS = tuple(key for key in KEYS if key not in LISTS and key != "sections")
_TITLE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PLACE = re.compile(r"[A-Z]?\.?\d+(?:\.\d+)*(?:-\d+(?:\.\d+)*)?|[A-Z](?:\.\d+)*")
_SOURCE = re.compile(r"(?:javadoc:[A-Z]\w+(?:\.\w+)?(?:, [A-Z]\w+(?:\.\w+)?)*)?")
_ENUMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("level", tuple(Level)),
    ("since", VERSIONS),
    ("until", ("", *VERSIONS)),
    ("subject", tuple(Subject)),
    ("testable", tuple(Testable)),
    ("hook", ("", *HOOKS)),
)
Broken = tuple[str, str]
"""The key at fault and the message; None from a rule that is kept."""


def shape(row: Mapping[str, object]) -> Broken | None:
    """Check the keys of a row and the kind of value of each."""
    if row.keys() != _KEYS:
        for key in row:
            if key not in _KEYS:
                return key, f"unknown key{did_you_mean(key, KEYS)}; a row has the keys {', '.join(KEYS)}"
        missing = ", ".join(key for key in KEYS if key not in row)
        return "", f"the row lacks {missing}; every key is written, empty where it does not apply"
    for key in _STRINGS:
        if type(row[key]) is not str:
            return key, f"expected a string; saw {row[key]!r}"
    return None


class RowRules:
    """Checks rows one after the other; checks each distinct list and table once.

    Args:
        features: The known optional features.
        official: The known official ids for the specification text.
    """

    def __init__(self, features: Collection[str], official: Collection[str]) -> None:
        self._known: dict[str, Collection[str]] = {
            "domains": DOMAINS,
            "api": APIS,
            "official": official,
            "features": features,
        }
        self._seen: set[tuple[str, int]] = set()

    def broken(self, row: Mapping[str, Any], section: str, chapters: Collection[str]) -> Broken | None:
        """Return the first rule that a well-shaped row breaks, or None.

        Args:
            row: The row; `shape` found nothing.
            section: The section in its id.
            chapters: The chapters that its file is for.
        """
        if section.partition(".")[0] not in chapters:
            return (
                "id",
                f"section {section} does not belong into this file, which is for chapter {' and '.join(chapters)}",
            )
        for key, allowed in _ENUMS:
            if row[key] not in allowed:
                near = did_you_mean(row[key], allowed)
                return key, f'expected one of {_quoted(allowed)}; saw "{row[key]}"{near}'
        for key in ("domains", "api", "official", "features", "sections"):
            # equal values are one object (RowReader) that the reader keeps alive, so its id identifies its content
            if (key, id(row[key])) not in self._seen:
                message = self._sections(row[key]) if key == "sections" else self._list(key, row[key])
                if message:
                    return key, message
                self._seen.add((key, id(row[key])))
        for rule in _RULES:
            found = rule(row)
            if found:
                return found
        return None

    def _list(self, key: str, value: object) -> str | None:
        if not isinstance(value, tuple) or not all(type(element) is str for element in value):
            return f"expected a list of strings; saw {value!r}"
        known = self._known[key]
        for element in value:
            if element not in known:
                return f'unknown {_singular(key)} "{element}"{did_you_mean(element, known)}'
        if len(set(value)) != len(value):
            return "an element comes twice; keep one of them"
        if not value and key in ("domains", "api"):
            return f"expected at least one of {_quoted(tuple(known))}"
        return None

    def _sections(self, value: object) -> str | None:
        if not isinstance(value, Mapping) or not value:
            return f'expected a table from text to section, such as {{ "{TEXTS[-1]}" = "3.4.1" }}; saw {value!r}'
        for text, places in value.items():
            if text not in TEXTS:
                return f'unknown text "{text}"; known are {_quoted(TEXTS)}'
            if not isinstance(places, str) or not all(_PLACE.fullmatch(place) for place in places.split(", ")):
                return f'expected section numbers with ", " between them; saw {places!r}'
        return None


def _filled(row: Mapping[str, Any]) -> Broken | None:
    for key in FILLED:
        if not row[key].strip():
            return key, "the value is empty; every row has one"
    if not _TITLE.fullmatch(row["title"]):
        return "title", f'expected a name in kebab case; saw "{row["title"]}"'
    if not _SOURCE.fullmatch(row["source"]):
        return "source", f'expected "" or "javadoc:Type.method"; saw "{row["source"]}"'
    return None


def _hook(row: Mapping[str, Any]) -> Broken | None:
    if row["testable"] == "indirect" and not row["hook"]:
        return "hook", f'a row with testable = "indirect" names what it needs: one of {_quoted(HOOKS)}'
    if row["testable"] != "indirect" and row["hook"]:
        return "hook", f'only a row with testable = "indirect" has a hook; this one is "{row["testable"]}"'
    return None


def _span(row: Mapping[str, Any]) -> Broken | None:
    since, until = row["since"], row["until"]
    if until and not reaches(until, since):
        return "until", f"the row ends with {until} before it begins with {since}"
    if row["api"] == ("simplified",) and not offers(since, "simplified"):
        return "since", f"the simplified API came with {SINCE['simplified']}, the row says {since}"
    return None


def _stated(row: Mapping[str, Any]) -> Broken | None:
    """A row in force is stated by the newest text, a row that is gone is not; no text older than the row states it."""
    newest = TEXTS[-1]
    in_force = row["until"] in ("", VERSIONS[-1])
    if in_force != (newest in row["sections"]):
        need = f"a row {'in force names its' if in_force else 'that has ended has no'} section of {newest}"
        return "sections", f"{need}; correct this table or until"
    oldest = min(row["sections"], key=TEXTS.index)
    if TEXTS.index(oldest) < TEXTS.index(BY_NAME[row["since"]].text):
        return "sections", f"text {oldest} is older than the row, which exists since {row['since']}"
    return None


_RULES: tuple[Callable[[Mapping[str, Any]], Broken | None], ...] = (_filled, _hook, _span, _stated)


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _singular(key: str) -> str:
    return {"domains": "domain", "official": "official id", "features": "feature"}.get(key, key)
