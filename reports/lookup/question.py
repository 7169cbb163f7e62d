"""From a question to the rows that answer it: words, a row, a case, a section of any version, an official number.

May import `tck.catalogue` and the index beside this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.errors import did_you_mean
from tck.catalogue.find import UnknownRowError, find_row

if TYPE_CHECKING:
    from tck.reports.lookup.index import Found, Index

EXAMPLE = "for instance `tck lookup redelivered after rollback`"
_WIDER = 10
"""How many times more rows are looked at where only some are in force."""
_ID = re.compile(
    r"(?<![\w.-])(?:(\d+(?:\.\d+)+)\s*[-\u2010-\u2014_]\s*(\d+)((?:/[\w/-]+)?)"  # a row, or a case of it
    r"|(?:\u00a7\s*|section\s+)(\d+(?:\.\d+)*)|(\d+(?:\.\d+){2,}))(?![\w-]|\.\d)",  # a section; 2.0 alone is a version
    re.IGNORECASE,
)


class NoRowError(LookupError):
    """No row answers the question; the message says what comes near."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked.

    Attributes:
        rows: The rows that answer it, the best first.
        case: The case that was named, if one was.
        found: What a search for words came to.
        by: ``words``, ``id``, ``section`` or ``official``.
    """

    rows: tuple[Assertion, ...]
    case: str = ""
    found: Found | None = None
    by: str = "words"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where answers are looked for.

    Attributes:
        catalogue: The rows.
        tested: Ids of the rows that a test names.
        index: Opens the index of words; ids are found without it.
    """

    catalogue: Catalogue
    tested: Collection[str]
    index: Callable[[], Index]

    def ask(self, text: str, limit: int, version: str = "") -> Asked:
        """Find the rows that a question is about.

        Args:
            text: The question.
            limit: How many rows a search for words gives at most.
            version: Prefer rows in force in this version, where words are searched for.

        Raises:
            NoRowError: There is none.
        """
        if not text.strip():
            raise NoRowError(f"expected words or an id, saw nothing; {EXAMPLE}")
        text = _named(text)
        id_, _, point = text.partition("/")
        if id_ in self.catalogue:
            return Asked((self.catalogue[id_],), text if point else "", by="id")
        if text.upper().startswith("JMS:"):
            asked = self._official(text.upper())
        elif id_.replace(".", "").replace("-", "").isdigit():
            asked = self._numbered(id_)
        else:
            asked = self._searched(text, _WIDER * limit if version else limit)
        if not version or asked.by == "id":
            return asked
        inside = tuple(row for row in asked.rows if row.applies_to(version))
        return replace(asked, rows=inside or asked.rows)

    def _official(self, number: str) -> Asked:
        """Find the rows that carry a number of the official list."""
        known = self.catalogue.official_spec
        official = known.get(number)
        if official is None:
            raise NoRowError(f"the official list has no number {number}{did_you_mean(number, known)}")
        if not official.rows:
            raise NoRowError(f"no row carries {number}, which stands in {official.section} of the official list")
        return Asked(self._tested_first([self.catalogue[each] for each in official.rows]), by="official")

    def _numbered(self, id_: str) -> Asked:
        """Find the rows of a section, as the newest text counts, else as an earlier one does."""
        known = self.catalogue
        if "-" in id_:
            try:
                return Asked((find_row(id_, known),), by="id")
            except UnknownRowError as error:
                raise NoRowError(str(error)) from error
        rows = known.section(id_) or known.within(id_)
        rows = rows or tuple(row for row in known.values() if id_ in row.sections.values())
        if rows:
            return Asked(self._tested_first(rows), by="section")
        near = did_you_mean(id_, known.sections)
        raise NoRowError(f"no text has rows in a section {id_}{near}; `tck list` shows them all")

    def _tested_first(self, rows: Sequence[Assertion]) -> tuple[Assertion, ...]:
        """Put the first row that a case can show before all others."""
        first = next((row for row in rows if row.id in self.tested), rows[0])
        return (first, *(row for row in rows if row is not first))

    def _searched(self, text: str, limit: int) -> Asked:
        found = self.index().search(text, limit)
        if found.hits:
            return Asked(tuple(self.catalogue[hit.id] for hit in found.hits), found=found)
        if not found.words:
            raise NoRowError(f'"{text}" holds no word to look for; {EXAMPLE}')
        near = f"; near are {', '.join(found.suggestions)}" if found.suggestions else "; `tck list` shows every row"
        raise NoRowError(f"no row is about {' '.join(found.words)}{near}")


def _named(text: str) -> str:
    """Return the row, case or section that a text names, however it spells it; the text itself where it names none."""
    found = _ID.search(text)
    if found is None:
        return text.strip()
    return f"{found[1]}-{found[2]}{found[3]}" if found[1] else found[4] or found[5]
