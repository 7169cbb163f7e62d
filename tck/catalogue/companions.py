"""The two lists beside the catalogue: interworking with the OMG Notification Service, and end-to-end scenarios.

Read on demand, never at the start of the kit. Imports the catalogue's own modules only.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tck.catalogue.errors import CatalogueError, did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.loader import DATA
from tck.catalogue.model import DOMAINS, Level, Testable
from tck.catalogue.versions import VERSIONS

_GRADE = re.compile(r"(MUST|SHOULD|INFO)(?:\((\S+)\+\))? (.+)")


@dataclasses.dataclass(frozen=True, slots=True)
class InterworkingAssertion:
    """One obligation of a bridge between a JMS provider and a notification channel.

    Attributes:
        id: ``iw-`` with section of the interworking document and ordinal.
        title: Its name in kebab case.
        statement: The obligation in our own words.
        level: How strongly it is asked for.
        section: Section of the document.
        area: Subject it belongs to, such as ``bridge-management``.
        testable: Whether it can be observed.
        how: An observation that decides it.
        saboteur: A fault that breaks it.
    """

    id: str
    title: str
    statement: str
    level: Level
    section: str
    area: str
    testable: Testable
    how: str
    saboteur: str


@dataclasses.dataclass(frozen=True, slots=True)
class ScenarioClaim:
    """A claim that a scenario checks.

    Attributes:
        grade: ``MUST``, ``SHOULD``, or ``INFO`` for what is recorded and never fails.
        since: The version from which the grade holds; before it the claim is ``INFO``. Empty: every version.
        text: The claim.
    """

    grade: str
    since: str
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Scenario:
    """An end-to-end application that runs against any provider.

    Attributes:
        id: Stable name.
        title: Short name.
        chapter: Chapter of the book it is taken from.
        domains: Some of `tck.catalogue.DOMAINS`.
        profiles: Specification versions it runs under.
        requires: Provider capabilities without which it is skipped.
        features: Messaging features it exercises.
        steps: What its actors do, in order.
        asserts: What is checked.
    """

    id: str
    title: str
    chapter: int
    domains: tuple[str, ...]
    profiles: tuple[str, ...]
    requires: tuple[str, ...]
    features: tuple[str, ...]
    steps: tuple[str, ...]
    asserts: tuple[ScenarioClaim, ...]


def load_interworking(file: Path = DATA / "interworking.toml") -> tuple[InterworkingAssertion, ...]:
    """Read the rows on interworking.

    Raises:
        CatalogueError: The file breaks a rule; file, line and key are named.
    """
    reader = _Reader(file, "assertion", {field.name: str for field in dataclasses.fields(InterworkingAssertion)})
    rows = []
    for row, fail in reader.tables():
        section = row["id"].removeprefix("iw-").rpartition("-")[0]
        if not re.fullmatch(r"iw-\d+(\.\d+)*-\d+", row["id"]) or section != row["section"]:
            raise fail("id", f'expected iw-{row["section"]}- and an ordinal; saw "{row["id"]}"')
        for key, known in (("level", tuple(Level)), ("testable", tuple(Testable))):
            if row[key] not in known:
                raise fail(key, f'expected one of {", ".join(known)}; saw "{row[key]}"')
        rows.append(
            InterworkingAssertion(**{**row, "level": Level(row["level"]), "testable": Testable(row["testable"])})
        )
    return tuple(rows)


def load_scenarios(file: Path = DATA / "scenarios.toml") -> tuple[Scenario, ...]:
    """Read the scenarios.

    Raises:
        CatalogueError: The file breaks a rule; file, line and key are named.
    """
    kinds: dict[str, type] = {field.name: list for field in dataclasses.fields(Scenario)}
    reader = _Reader(file, "scenario", kinds | {"id": str, "title": str, "chapter": int})
    scenarios = []
    for row, fail in reader.tables():
        for key, known in (("domains", DOMAINS), ("profiles", VERSIONS)):
            for element in row[key]:
                if element not in known:
                    raise fail(key, f'expected some of {", ".join(known)}; saw "{element}"')
        claims = []
        for text in row["asserts"]:
            match = _GRADE.fullmatch(text)
            if match is None or match[2] not in (None, *VERSIONS):
                raise fail("asserts", f'expected MUST, SHOULD or INFO, as in "MUST(1.1+) text"; saw "{text}"')
            claims.append(ScenarioClaim(match[1], match[2] or "", match[3]))
        lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
        scenarios.append(Scenario(**{**row, **lists, "asserts": tuple(claims)}))
    return tuple(scenarios)


class _Reader:
    """Reads a list of tables of one shape."""

    def __init__(self, file: Path, table: str, kinds: Mapping[str, type]) -> None:
        self._file = file
        self._table = table
        self._kinds = kinds
        self._text = file.read_text(encoding="utf-8")
        try:
            self._document = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            line, message = syntax_error(error)
            raise CatalogueError(file, line, "", message) from None

    def tables(self) -> Iterator[tuple[dict[str, Any], Callable[[str, str], CatalogueError]]]:
        """Yield each table, once its keys and their kinds are checked, with a function that makes an error at it."""
        seen: set[str] = set()
        for number, row in enumerate(self._document.get(self._table, ())):

            def fail(key: str, message: str, number: int = number) -> CatalogueError:
                path = (self._table, number, key) if key else (self._table, number)
                return CatalogueError(self._file, LineIndex(self._text).line(path), key, message)

            for key in row:
                if key not in self._kinds:
                    raise fail(key, f"unknown key{did_you_mean(key, self._kinds)}; known are {', '.join(self._kinds)}")
            for key, kind in self._kinds.items():
                if key not in row:
                    raise fail("", f"the row lacks {key}")
                if type(row[key]) is not kind or (kind is list and not all(type(item) is str for item in row[key])):
                    expected = "a list of strings" if kind is list else {str: "a string", int: "a number"}[kind]
                    raise fail(key, f"expected {expected}; saw {row[key]!r}")
            if row["id"] in seen:
                raise fail("id", f"{row['id']} comes twice")
            seen.add(row["id"])
            yield row, fail
