"""Selectors: the short texts by which people choose rows and cases. Imports the catalogue's own modules only.

One text is one term, or several joined by ``+`` of which all have to hold; of several texts one has to hold. The
terms:

- ``ch03``: a chapter
- ``3.4``: a section with its subsections, compared number by number: not 3.40
- ``3.4.3-1``: a row, with every case that judges it, whichever row leads its name
- ``interworking``, ``iw-2.4``, ``iw-2.4.1-3``: all rows on bridges, those of a section of that document, or one
- ``scenarios``, ``pj-chat``, ``pj-chat-3``: all scenarios, one, or one of its claims
- ``corpus``, ``corpus/0137``: all programs with stored outcomes, or one
- ``plans``, ``plans/async-close``: all plans of load, or one
- ``level:must``, ``feature:xa``, ``hook:kill``: rows with that key
- ``3.4.1-1/queue/*``: a glob on the name of a case, known by its ``/``, ``*``, ``?`` or ``[``; ``*`` crosses ``/``
"""

from __future__ import annotations

import dataclasses
import fnmatch
import re
from collections.abc import Collection, Iterable, Sequence

from tck.catalogue.errors import did_you_mean
from tck.catalogue.model import BESIDE, CORPUS, HOOKS, INTERWORKING, IW, PLANS, SCENARIOS, Assertion, Catalogue, Level
from tck.catalogue.rules import ID

FORMS = """\
  ch03             a chapter
  3.4              a section and its subsections
  3.4.3-1          a row
  scenarios        all scenarios
  pj-chat          a scenario
  corpus           the programs with stored outcomes; corpus/0137: one
  plans            the plans of load; plans/async-close: one
  interworking     the rows on bridges to a notification channel; iw-2.4, iw-2.4.1-3: some
  level:must       rows of a level: must, should, may, undefined
  feature:xa       rows that presume an optional feature
  hook:kill        rows that need a hook
  3.4.1-1/queue/*  a glob on the names of cases
  ch03+level:must  both; several selectors mean either"""

_GLOB = re.compile(r"[/*?\[]")
_SECTION = re.compile(r"\d+(?:\.\d+)*")
_SCENARIO = re.compile(rf"pj-[a-z0-9-]+|({CORPUS}|{PLANS})-1")
_BRIDGE = re.compile(r"iw-\d+(?:\.\d+)*(?:-\d+)?")
_CHAPTER = re.compile(r"ch\d+", re.IGNORECASE)


class SelectionError(ValueError):
    """Report a selector that selects nothing.

    Attributes:
        text: The selector as given.
    """

    def __init__(self, text: str, message: str) -> None:
        self.text = text
        super().__init__(f'unknown selector "{text}": {message}\nselectors are:\n{FORMS}')


@dataclasses.dataclass(frozen=True, slots=True)
class _Alternative:
    """The meaning of one text: a row of `rows` (any, if None) and a name that every glob matches."""

    rows: frozenset[str] | None
    globs: tuple[re.Pattern[str], ...]
    reachable: frozenset[str]
    names_row: bool
    """Whether one of its terms is the id of a row, so that it finds each case that judges the row."""


@dataclasses.dataclass(frozen=True, slots=True)
class Selection:
    """The selection.

    Attributes:
        texts: The selectors as given; none selects everything.
        assertions: Ids of the rows that can be selected. For a glob, the rows that can lead the name of a case it matches.
        sections: The sections of those rows and of their restatements, for choosing test files by section. A file of
            another section whose tests name one of these rows beside their own is not found by it.
    """

    texts: tuple[str, ...]
    assertions: frozenset[str]
    sections: frozenset[str]
    _alternatives: tuple[_Alternative, ...]

    @property
    def everything(self) -> bool:
        """Whether everything is selected, since no selector was given."""
        return not self.texts

    @property
    def named(self) -> frozenset[str]:
        """The rows that a selector names by id: each case that judges one of them is found by it."""
        return frozenset().union(*(choice.rows or () for choice in self._alternatives if choice.names_row))

    def matches(self, assertion_ids: Sequence[str], case_name: str, *, by_id: Sequence[str] = ()) -> bool:
        """Return whether a case is selected.

        Args:
            assertion_ids: The rows that the case judges; with ``+``, one of them has to satisfy all terms about rows.
            case_name: The case's name, such as ``3.4.1-1/queue/classic/auto``.
            by_id: All rows that it judges, if `assertion_ids` are those alone by which sections and the like find it: a
                selector that names one of these rows by its id finds it, too.
        """
        if not self.texts:
            return True
        return any(
            (
                choice.rows is None
                or not choice.rows.isdisjoint(assertion_ids)
                or (choice.names_row and not choice.rows.isdisjoint(by_id))
            )
            and all(glob.match(case_name) for glob in choice.globs)
            for choice in self._alternatives
        )


def parse_selection(texts: Sequence[str], catalogue: Catalogue) -> Selection:
    """Read selectors and check that each names something that exists.

    Raises:
        SelectionError: A selector has no known form or names nothing in the catalogue; the message lists the forms.
    """
    alternatives = tuple(_alternative(text, catalogue) for text in texts)
    assertions = frozenset(catalogue)
    if alternatives:
        assertions = frozenset().union(*(choice.reachable for choice in alternatives))
    sections = frozenset(catalogue[member].section for row in assertions for member in catalogue.group_of(row))
    return Selection(tuple(texts), assertions, sections, alternatives)


def _alternative(text: str, catalogue: Catalogue) -> _Alternative:
    """Read one selector."""
    terms = [term.strip() for term in text.split("+")]
    globs = [term for term in terms if _GLOB.search(term)]
    bridges = any(term == INTERWORKING or term.startswith(IW) for term in terms)
    among = (catalogue.interworking if bridges else catalogue).values()
    choices = [_rows(term, text, catalogue, among) for term in terms if term not in globs]
    rows = frozenset.intersection(*choices) if choices else None
    leading = [_leading(glob, text, catalogue) for glob in globs]
    return _Alternative(
        rows,
        tuple(re.compile(fnmatch.translate(glob)) for glob in globs),
        frozenset.intersection(*leading) if rows is None else rows,
        any(term in catalogue for term in terms),
    )


def _rows(term: str, text: str, catalogue: Catalogue, among: Collection[Assertion]) -> frozenset[str]:
    """Return the rows that a term names; a level, a feature or a hook those of some rows."""
    if _CHAPTER.fullmatch(term):
        return _found(catalogue.chapter(f"ch{int(term[2:]):02}"), term, text, catalogue.chapters)
    if _SECTION.fullmatch(term):
        return _found(catalogue.within(term), term, text, catalogue.sections)
    if term in BESIDE or _SCENARIO.fullmatch(term) or _BRIDGE.fullmatch(term):
        beside = _on_bridges if term == INTERWORKING or term.startswith(IW) else _claims
        return beside(term, text, catalogue)
    if ID.fullmatch(term):
        if term in catalogue:
            return frozenset({term})
        raise SelectionError(text, _unknown_row(term, catalogue))
    key, colon, value = term.partition(":")
    key, value = key.lower(), value.lower()
    kinds: dict[str, tuple[str, ...]] = {
        "level": tuple(level.lower() for level in Level),
        "feature": tuple(catalogue.features),
        "hook": HOOKS,
    }
    if not colon or key not in kinds:
        known = (
            *catalogue.chapters,
            *catalogue.sections,
            *(f"{kind}:{word}" for kind in kinds for word in kinds[kind]),
        )
        raise SelectionError(text, f'"{term}" has none of the known forms{did_you_mean(term, known)}')
    if value not in kinds[key]:
        raise SelectionError(
            text, f'no {key} "{value}"{did_you_mean(value, kinds[key])}; known are {", ".join(kinds[key])}'
        )
    if key == "level":
        return frozenset(row.id for row in among if row.level == value.upper())
    if key == "feature":
        return frozenset(row.id for row in among if value in row.features)
    return frozenset(row.id for row in among if row.hook == value)


def _claims(term: str, text: str, catalogue: Catalogue) -> frozenset[str]:
    """Return the claims of all scenarios, of one, or a single one."""
    if term in catalogue.claims:
        return frozenset({term})
    scenarios = tuple(dict.fromkeys(row.section for row in catalogue.chapter(SCENARIOS)))
    rows = catalogue.chapter(term) if term in BESIDE else catalogue.section(term)
    return _found(rows, term, text, scenarios)


def _on_bridges(term: str, text: str, catalogue: Catalogue) -> frozenset[str]:
    """Return all rows on interworking, those of a section with its subsections, or a single one."""
    known = catalogue.interworking
    if term in known:
        return frozenset({term})
    rows = catalogue.chapter(INTERWORKING) if term == INTERWORKING else catalogue.within(term)
    return _found(rows, term, text, (*known, *dict.fromkeys(row.section for row in known.values())))


def _found(rows: Sequence[Assertion], term: str, text: str, known: Sequence[str]) -> frozenset[str]:
    if not rows:
        raise SelectionError(text, f"the catalogue has no rows in {term}{did_you_mean(term, known)}")
    return frozenset(row.id for row in rows)


def _unknown_row(term: str, catalogue: Catalogue) -> str:
    section = term.rpartition("-")[0]
    rows = catalogue.section(section)
    if rows:
        return f"section {section} has {len(rows)} rows, {rows[0].id} to {rows[-1].id}, and no {term}"
    return f"the catalogue has no section {section}{did_you_mean(section, catalogue.sections)}"


def _leading(glob: str, text: str, catalogue: Catalogue) -> frozenset[str]:
    """Return the rows that can lead the names a glob matches, by the part before its first wildcard."""
    fixed = re.split(r"[*?\[]", glob, maxsplit=1)[0]
    whole = "/" in fixed or fixed == glob
    start = fixed.partition("/")[0]
    if start in (CORPUS, PLANS):
        return frozenset({f"{start}-1"})
    if start.startswith("pj-"):  # the names of these cases begin with the scenario and not with a row
        found = [row.id for row in catalogue.claims.values() if row.section == start or not whole]
        return frozenset(id_ for id_ in found if id_.startswith(start))
    among: Iterable[str] = catalogue.interworking if start.startswith(IW) else catalogue
    rows = frozenset(row for row in among if (row == start if whole else row.startswith(start)))
    if not rows and (start[:1].isdigit() or start.startswith(IW)):
        reason = _unknown_row(start, catalogue) if ID.fullmatch(start) else f'no row begins with "{start}"'
        raise SelectionError(text, f"{reason}, so no case has such a name")
    return rows
