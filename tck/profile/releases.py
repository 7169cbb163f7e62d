"""Releases of a provider: their order, the ranges that a profile writes about, and the tables as one release needs them.

Knows no repository and no adapter. Imports nothing of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

RELEASE: Final = "{release}"
"""Stands for the release in the strings of a range."""
_FORM: Final = re.compile(r"\d+(\.\d+)*([.-][\w.-]+)?")


@dataclass(frozen=True, slots=True, order=True)
class Release:
    """A release in the order of its numbers; one with a qualifier comes before the same numbers without.

    Attributes:
        numbers: The numbers at its beginning: 5, 1 of 5.1-b09.
        final: Whether it has no qualifier.
        qualifier: The parts of the rest, numbers as numbers.
        text: As it is written.
    """

    numbers: tuple[int, ...]
    final: bool
    qualifier: tuple[tuple[int, int, str], ...]
    text: str

    @classmethod
    def of(cls, text: str) -> Release:
        """Read a release.

        Raises:
            ValueError: It does not begin with a number.
        """
        if not _FORM.fullmatch(text):
            raise ValueError(f'"{text}" is no release; expected numbers with dots, as 2.36.0')
        found = re.match(r"\d+(?:\.\d+)*", text)
        head = found[0] if found else ""
        rest = [part for part in re.split(r"[.-]|(?<=\D)(?=\d)", text[len(head) :]) if part]
        parts = tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in rest)
        return cls(tuple(map(int, head.split("."))), not parts, parts, text)

    def reaches(self, bound: Release) -> bool:
        """Return whether it is `bound` or a later one; 2.36 is reached by 2.36.0."""
        return self._beside(bound) >= bound.numbers

    def within(self, bound: Release) -> bool:
        """Return whether it is `bound` or an earlier one; 2.36.4 is within 2.36."""
        return self._beside(bound) <= bound.numbers

    def _beside(self, bound: Release) -> tuple[int, ...]:
        length = len(bound.numbers)
        return (*self.numbers, *[0] * length)[:length]


def in_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Return releases from the oldest to the newest, each once; what is no release is left out."""
    return tuple(each.text for each in sorted({Release.of(text) for text in texts if _FORM.fullmatch(text)}))


def covers(table: Mapping[str, Any], release: Release) -> bool:
    """Return whether the range of a ``[[release]]`` table holds a release; both bounds belong to it."""
    first, last = table.get("from"), table.get("until")
    return (first is None or release.reaches(Release.of(first))) and (last is None or release.within(Release.of(last)))


def shown_range(table: Mapping[str, Any]) -> str:
    """Return the range of a table as people read it."""
    first, last = table.get("from"), table.get("until")
    if first is None and last is None:
        return "any release"
    return " ".join(part for part in (first and f"from {first}", last and f"until {last}") if part)


def moved(content: Mapping[str, Any], own: str, release: str) -> dict[str, Any]:
    """Return the tables of one file as a release needs them.

    The profile's own release is replaced in title and coordinates; then each range that covers the release is laid over
    adapter settings, claims and timing, in the order of the file. Other ``[[release]]`` tables have no effect.
    """
    asked = Release.of(release)
    head, adapter = dict(content.get("profile", {})), dict(content.get("adapter", {}))
    settings = dict(adapter.get("settings", {}))
    if own:
        head["title"] = head["title"].replace(own, release)
        if "coordinates" in settings:
            settings["coordinates"] = [_of_release(each, own, release) for each in settings["coordinates"]]
    made = {**content, "profile": head}
    for table in content.get("release", ()):
        if covers(table, asked):
            settings = laid_over(settings, _filled(table.get("settings", {}), release))
            for name in ("claims", "timing"):
                if name in table:
                    made[name] = {**made.get(name, {}), **table[name]}
    return {**made, **({"adapter": {**adapter, "settings": settings}} if settings else {})}


def _of_release(coordinate: str, own: str, release: str) -> str:
    return re.sub(rf"(?<=:){re.escape(own)}(?=[:@]|$)", release, coordinate)


def laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Lay tables over tables key by key; an empty string removes the key."""
    made = dict(below)
    for key, value in above.items():
        inner = made.get(key)
        if value == "":
            made.pop(key, None)
        else:
            made[key] = laid_over(inner, value) if isinstance(inner, Mapping) and isinstance(value, Mapping) else value
    return made


def _filled(value: object, release: str) -> Any:  # noqa: ANN401 - a value of TOML
    if isinstance(value, str):
        return value.replace(RELEASE, release)
    if isinstance(value, Mapping):
        return {key: _filled(each, release) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [_filled(each, release) for each in value]
    return value
