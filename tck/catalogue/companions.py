"""The two lists beside the catalogue: interworking with the OMG Notification Service, and end-to-end scenarios.

Read on demand, never at the start of the kit. Imports the catalogue's own modules only.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tck.catalogue.errors import CatalogueError, did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.model import APIS, CORPUS, DOMAINS, INTERWORKING, IW, SCENARIOS, Assertion, Level, Subject, Testable
from tck.catalogue.rules import ID
from tck.catalogue.versions import NEWEST, OLDEST, SINCE, VERSIONS

DATA = Path(__file__).parent / "data"
HOOK_OF: Final[Mapping[str, str]] = MappingProxyType(
    {"provider-restart": "restart", "two-adapters": "second-provider", "authentication": "authentication"}
)
"""The hook that a capability in `requires` stands for; those without one need nothing of the provider."""
_COMMON: Final = "classic"
"""The interfaces that bridges use."""
_LEVELS: Final = MappingProxyType({"MUST": Level.MUST, "SHOULD": Level.SHOULD, "INFO": Level.UNDEFINED})

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
        asserts: What is checked. Claim N of the scenario `pj-chat` is the row `pj-chat-N` of the catalogue.
        cites: For the number of a claim, the rows of the specification that it rests on.
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
    cites: Mapping[str, tuple[str, ...]]


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
    kinds: dict[str, type] = {field.name: list for field in dataclasses.fields(Scenario) if field.name != "cites"}
    reader = _Reader(file, "scenario", kinds | {"id": str, "title": str, "chapter": int}, {"cites": dict})
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
        cites = {number: tuple(rows) for number, rows in row.get("cites", {}).items()}
        for number, rows in cites.items():
            if number not in {str(ordinal) for ordinal in range(1, len(claims) + 1)}:
                raise fail("cites", f"expected the number of a claim, 1 to {len(claims)}; saw {number}")
            if not all(type(each) is str and ID.fullmatch(each) for each in rows):
                raise fail("cites", f'expected ids of rows such as "3.4.1-2"; saw {", ".join(map(repr, rows))}')
        lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
        scenarios.append(Scenario(**{**row, **lists, "asserts": tuple(claims), "cites": cites}))
    return tuple(scenarios)


def rows_of_claims(file: Path = DATA / "scenarios.toml") -> dict[str, Assertion]:
    """Return the claims of all scenarios as rows by id: `pj-chat-3` is the third claim of `pj-chat`.

    A claim of grade INFO is a row of level UNDEFINED: it is recorded and never fails a provider.

    Raises:
        CatalogueError: The file breaks a rule; file, line and key are named.
    """
    return {
        row.id: row
        for scenario in load_scenarios(file)
        for row in (_row(scenario, ordinal, claim, file) for ordinal, claim in enumerate(scenario.asserts, 1))
    }


def row_of_corpus() -> Assertion:
    """Return the row that every program of the corpus leads with: no outcome differs for which no row is known."""
    return Assertion(
        id=f"{CORPUS}-1",
        title="No difference without a row",
        statement="In a program of the corpus, every outcome that differs from the specified one breaks a row of the catalogue that is named.",
        level=Level.MUST,
        since=OLDEST,
        until="",
        subject=Subject.PROVIDER,
        domains=DOMAINS,
        api=APIS,
        sections={},
        official=(),
        features=(),
        testable=Testable.YES,
        hook="",
        how="Run the program, and compare each outcome with the stored one wherever the specification leaves no choice.",
        saboteur="",
        draft_difference="",
        source="",
        chapter=CORPUS,
        section=CORPUS,
        ordinal=1,
        file="",
        line=0,
    )


def row_of_plans() -> Assertion:
    """Return the row that every plan of load leads with: no property is violated for which no row is known."""
    return dataclasses.replace(
        row_of_corpus(),
        id="plans-1",
        title="No violation without a row",
        statement="In a plan of load, every property that calls and deliveries violate breaks a row of the catalogue that is named.",
        how="Drive the provider through the plan, record every operation, and judge the trace by the properties of traces.",
        chapter="plans",
        section="plans",
    )


def _row(scenario: Scenario, ordinal: int, claim: ScenarioClaim, file: Path) -> Assertion:
    needed = [HOOK_OF[each] for each in scenario.requires if each in HOOK_OF]
    return Assertion(
        id=f"{scenario.id}-{ordinal}",
        title=scenario.title,
        statement=claim.text,
        level=_LEVELS[claim.grade],
        since=claim.since or scenario.profiles[0],
        until="" if scenario.profiles[-1] == NEWEST else scenario.profiles[-1],
        subject=Subject.PROVIDER,
        domains=scenario.domains,
        api=APIS,
        sections={},
        official=(),
        features=(),
        testable=Testable.NO if claim.grade == "INFO" else Testable.INDIRECT if needed else Testable.YES,
        hook=needed[0] if needed else "",
        how="; ".join(scenario.steps),
        saboteur="",
        draft_difference="",
        source="",
        chapter=SCENARIOS,
        section=scenario.id,
        ordinal=ordinal,
        file=file.name,
        line=0,
    )


def rows_on_interworking(file: Path = DATA / "interworking.toml") -> dict[str, Assertion]:
    """Return the rows on interworking as rows of the catalogue by id, such as `iw-2.4.1-3`.

    The document rests on JMS 1.1, so they are in force from the version that brought the common interfaces, and their
    cases use these.

    Raises:
        CatalogueError: The file breaks a rule; file, line and key are named.
    """
    return {row.id: _bridge_row(row, file) for row in load_interworking(file)}


def _bridge_row(row: InterworkingAssertion, file: Path) -> Assertion:
    return Assertion(
        id=row.id,
        title=row.title,
        statement=row.statement,
        level=row.level,
        since=SINCE[_COMMON],
        until="",
        subject=Subject.PROVIDER,
        domains=DOMAINS,
        api=(_COMMON,),
        sections={},
        official=(),
        features=(),
        testable=row.testable,
        hook="",
        how=row.how,
        saboteur=row.saboteur,
        draft_difference="",
        source="",
        chapter=INTERWORKING,
        section=f"{IW}{row.section}",
        ordinal=int(row.id.rpartition("-")[2]),
        file=file.name,
        line=0,
    )


class _Reader:
    """Reads a list of tables of one shape."""

    def __init__(
        self, file: Path, table: str, kinds: Mapping[str, type], optional: Mapping[str, type] = MappingProxyType({})
    ) -> None:
        self._file = file
        self._table = table
        self._kinds = {**kinds, **optional}
        self._optional = frozenset(optional)
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
                    if key in self._optional:
                        continue
                    raise fail("", f"the row lacks {key}")
                if type(row[key]) is not kind or (kind is list and not all(type(item) is str for item in row[key])):
                    expected = (
                        "a list of strings"
                        if kind is list
                        else {str: "a string", int: "a number", dict: "a table"}[kind]
                    )
                    raise fail(key, f"expected {expected}; saw {row[key]!r}")
            if row["id"] in seen:
                raise fail("id", f"{row['id']} comes twice")
            seen.add(row["id"])
            yield row, fail
