"""The values of the catalogue: levels, assertions, official identifiers, and the catalogue that holds them.

Values only: nothing here reads a file. Imports the table of versions and nothing else of ours.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterable, Iterator, Mapping

from tck.catalogue.versions import VERSIONS, reaches

DOMAINS = ("ptp", "pubsub")
APIS = ("classic", "simplified", "domain-specific")

HOOKS = (
    "restart",
    "kill",
    "sever",
    "clock",
    "administer",
    "authentication",
    "profile",
    "second-provider",
    "native-client",
    "load",
    "fault",
    "container",
    "api",
    "observe",
)
"""What an indirect row may need, by name."""

UNDECIDABLE_HOOKS = frozenset({"container", "api", "observe"})
"""Hooks that leave a row undecided on any provider: it needs a container, tests our own library, or is only recorded."""


SCENARIOS = "scenarios"
"""The chapter of the rows that are claims of scenarios."""
CORPUS = "corpus"
"""The chapter of the one row that all programs of the corpus lead with, `corpus-1`."""
PLANS = "plans"
"""The chapter of the one row that all plans of load lead with, `plans-1`."""
INTERWORKING = "interworking"
"""The chapter of the rows on bridges to a notification channel; their ids and sections begin with `iw-`."""
BESIDE = {
    SCENARIOS: "Scenarios",
    CORPUS: "Corpus of programs",
    PLANS: "Plans of load",
    INTERWORKING: "Bridges to a notification channel",
}
"""The chapters that are none of the specification, with their titles."""
IW = "iw-"


class Level(enum.StrEnum):
    """How strongly the specification asks for something; UNDEFINED is recorded and never fails a provider."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"
    UNDEFINED = "UNDEFINED"


class Subject(enum.StrEnum):
    """Whom a row obliges: a provider, the API library itself, or only a provider written in Java."""

    PROVIDER = "provider"
    API = "api"
    JAVA = "java"


class Testable(enum.StrEnum):
    """Whether a row can be observed: through the API alone, with the help of its hook, or not at all."""

    __test__ = False  # pytest collects classes by this prefix

    YES = "yes"
    INDIRECT = "indirect"
    NO = "no"


@dataclasses.dataclass(frozen=True, slots=True)
class Assertion:
    """One independently breakable obligation of the specification: a row of the catalogue.

    Attributes:
        id: Section of Jakarta Messaging 3.1 and ordinal, such as ``6.2.10-20``; never used again.
        title: Its name in kebab case.
        statement: The obligation in our own words, standing alone.
        level: How strongly it is asked for.
        since: First version with the rule, one of `VERSIONS`.
        until: Last version with the rule; empty while it is in force.
        subject: Whom it obliges.
        domains: Some of `DOMAINS`.
        api: Some of `APIS`.
        sections: Where each text of `TEXTS` states it.
        official: Numbers of the official assertion list.
        features: Optional features it presumes.
        testable: Whether it can be observed.
        hook: What an indirect row needs, one of `HOOKS`; otherwise empty.
        how: An observation that decides it.
        saboteur: A fault that breaks it and, if possible, nothing else.
        draft_difference: How the public draft of 2.0 differed; may be empty.
        source: ``javadoc:Type.method`` where only the API documentation says it; otherwise empty.
        chapter: ``ch03``.
        section: ``3.4.1``; of a claim its scenario, ``pj-chat``.
        ordinal: The number after the dash.
        file: The data file's name.
        line: The line of the row's ``[[assertion]]`` in it.
    """

    id: str
    title: str
    statement: str
    level: Level
    since: str
    until: str
    subject: Subject
    domains: tuple[str, ...]
    api: tuple[str, ...]
    sections: Mapping[str, str]
    official: tuple[str, ...]
    features: tuple[str, ...]
    testable: Testable
    hook: str
    how: str
    saboteur: str
    draft_difference: str
    source: str
    chapter: str
    section: str
    ordinal: int
    file: str
    line: int

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def decidable(self) -> bool:
        """Whether a run can decide the row at all: observable, directly or with a hook that a provider can offer."""
        return self.testable == "yes" or (self.testable == "indirect" and self.hook not in UNDECIDABLE_HOOKS)

    @property
    def judged(self) -> bool:
        """Whether a run decides the row on a provider that is not written in Java."""
        return self.subject == "provider" and self.decidable

    @property
    def judged_java(self) -> bool:
        """Whether a run decides the row on a provider that is reached through the JVM."""
        return self.subject != "api" and self.decidable

    def applies_to(self, version: str) -> bool:
        """Return whether the row is in force in a version.

        Raises:
            ValueError: The version is not one of `VERSIONS`.
        """
        if version not in VERSIONS:
            known = ", ".join(VERSIONS)
            raise ValueError(f'unknown specification version "{version}"; known are {known}')
        return reaches(version, self.since) and (not self.until or reaches(self.until, version))


@dataclasses.dataclass(frozen=True, slots=True)
class OfficialSpecId:
    """An assertion number of the official kit's list for the specification text.

    Attributes:
        id: ``JMS:SPEC:2``.
        chapter: Chapter as that list counts it.
        section: Section as that list gives it.
        testable: Whether that list calls it testable.
        cited: Whether a test of the official stand-alone suite cites it.
        rows: Ids of the catalogue's rows that carry the number.
    """

    id: str
    chapter: str
    section: str
    testable: bool
    cited: bool
    rows: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class OfficialApiId:
    """An assertion number of the official kit's list for the API documentation.

    Attributes:
        id: ``JMS:JAVADOC:5``.
        type: The Java type.
        method: The method, or the type's name for a constructor.
        parameters: Java types of the parameters, without type arguments.
        returns: Java type of the result.
        throws: The exception the number is about; empty when it is about the return.
        testable: Whether that list calls it testable.
        cited: Whether a test of the official stand-alone suite cites it.
    """

    id: str
    type: str
    method: str
    parameters: tuple[str, ...]
    returns: str
    throws: str
    testable: bool
    cited: bool


def section_key(section: str) -> tuple[int, ...]:
    """Return a key that sorts sections as a book does: 3.4.2 before 3.4.10, and each before its subsections."""
    return tuple(int(part) for part in section.split("."))


class Catalogue(Mapping[str, Assertion]):
    """All assertions by id, in the order of the data files, with the crosswalks to the official lists.

    The claims of scenarios (`pj-chat-3`) and the rows on interworking (`iw-2.4.1-3`) are found by id, section and chapter too.
    They are no rows of the specification: neither iteration nor any count holds them.

    Attributes:
        digest: ``sha256:`` and the digest of the data it was made from.
        features: Name and meaning of each optional feature.
        restatements: Groups of ids that say one thing in several places; the first leads.
        official_spec: The official list for the specification text, by id.
    """

    def __init__(
        self,
        rows: Iterable[Assertion],
        *,
        restatements: tuple[tuple[str, ...], ...],
        features: Mapping[str, str],
        official_spec: Mapping[str, OfficialSpecId],
        official_javadoc: Callable[[], Mapping[str, OfficialApiId]],
        digest: str,
        claims: Callable[[], Mapping[str, Assertion]] = dict,
        interworking: Callable[[], Mapping[str, Assertion]] = dict,
    ) -> None:
        self._read_interworking = interworking
        self._interworking: Mapping[str, Assertion] | None = None
        self._read_claims = claims
        self._claims: Mapping[str, Assertion] | None = None
        self._rows = {row.id: row for row in rows}
        self._groups = {member: group for group in restatements for member in group}
        self._read_javadoc = official_javadoc
        self._javadoc: Mapping[str, OfficialApiId] | None = None
        self._sections: dict[str, list[Assertion]] = {}
        for row in self._rows.values():
            self._sections.setdefault(row.section, []).append(row)
        self.digest = digest
        self.features = features
        self.restatements = restatements
        self.official_spec = official_spec

    def __getitem__(self, assertion_id: str) -> Assertion:
        found = self._rows.get(assertion_id)
        if found is not None:
            return found
        return (self.interworking if assertion_id.startswith(IW) else self.claims)[assertion_id]

    @property
    def claims(self) -> Mapping[str, Assertion]:
        """The claims of the scenarios and the row of the corpus by id; read on first use."""
        if self._claims is None:
            self._claims = self._read_claims()
        return self._claims

    @property
    def interworking(self) -> Mapping[str, Assertion]:
        """The rows on interworking by id; read on first use."""
        if self._interworking is None:
            self._interworking = self._read_interworking()
        return self._interworking

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def official_javadoc(self) -> Mapping[str, OfficialApiId]:
        """The official list for the API documentation, by id; read on first use."""
        if self._javadoc is None:
            self._javadoc = self._read_javadoc()
        return self._javadoc

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that have rows, in the order of a book."""
        return tuple(sorted(self._sections, key=section_key))

    @property
    def chapters(self) -> tuple[str, ...]:
        """The chapters that have rows, ``ch02`` to ``ch13``."""
        return tuple(sorted({row.chapter for row in self._rows.values()}))

    def section(self, section: str) -> tuple[Assertion, ...]:
        """Return the rows of exactly this section, without those of its subsections; none if there are none."""
        return tuple(self._sections.get(section, ())) or self._claims_of(section)

    def within(self, section: str) -> tuple[Assertion, ...]:
        """Return the rows of a section and of its subsections: 3.4 holds 3.4.1-1, not 3.40-1."""
        below = section + "."
        rows = self.interworking if section.startswith(IW) else self._rows
        claims = () if section.startswith(IW) else self._claims_of(section)
        return claims or tuple(row for row in rows.values() if row.section == section or row.section.startswith(below))

    def chapter(self, chapter: str) -> tuple[Assertion, ...]:
        """Return the rows of a chapter, named as in ``ch03``; ``scenarios`` holds the claims of all scenarios, ``interworking``
        the rows on bridges, ``corpus`` and ``plans`` the one row of each.
        """
        if chapter in (SCENARIOS, CORPUS, PLANS):
            return tuple(row for row in self.claims.values() if row.chapter == chapter)
        if chapter == INTERWORKING:
            return tuple(self.interworking.values())
        return tuple(row for row in self._rows.values() if row.chapter == chapter)

    def group_of(self, assertion_id: str) -> tuple[str, ...]:
        """Return the ids that restate a row, itself among them; only itself where nothing restates it.

        Raises:
            KeyError: The id is unknown.
        """
        return self._groups.get(assertion_id) or (self[assertion_id].id,)

    def _claims_of(self, scenario: str) -> tuple[Assertion, ...]:
        if scenario[:1].isdigit():
            return ()
        rows = self.interworking if scenario.startswith(IW) else self.claims
        return tuple(row for row in rows.values() if row.section == scenario)

    def judged(self, *, java: bool = False) -> tuple[Assertion, ...]:
        """Return the rows that a run decides on a provider; with `java` also those for Java providers only."""
        return tuple(row for row in self._rows.values() if (row.judged_java if java else row.judged))
