"""How rows, sections and chapters are cited to a provider of one version: in its own text's numbers and titles, 3.1's beside.

The numbers are those that rows give; nothing is derived from a number. Imports the catalogue's own modules only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tck.catalogue.loader import load_catalogue
from tck.catalogue.model import INTERWORKING, IW, SCENARIOS, Assertion
from tck.catalogue.sections import chapter_number, chapter_title, reading_order, section_title, title_in
from tck.catalogue.versions import BY_NAME, NUMBERING, text_title, text_version, version_title

_NAMED = 3
"""Places of a section that are named; more are counted."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a text states something.

    Attributes:
        places: Numbers and titles, in reading order; empty if the text has no place for it.
        beside: The place in another numbering, `3.1: 6.1.8`; empty in that numbering itself.
        unsaid: What to say instead of places.
        more: How many places are left out.
    """

    places: tuple[tuple[str, str], ...]
    beside: str = ""
    unsaid: str = ""
    more: int = 0

    @property
    def numbers(self) -> str:
        """The numbers alone, `4.3.5`, or what to say instead."""
        return ", ".join(number for number, _ in self.places) + self._rest or self.unsaid

    @property
    def own(self) -> str:
        """All but what stands beside: `4.3.5 Closing a connection`."""
        return "; ".join(f"{number} {title}".strip() for number, title in self.places) + self._rest or self.unsaid

    @property
    def short(self) -> str:
        """The numbers, and what stands beside: `4.3.5 (3.1: 6.1.8)`."""
        return f"{self.numbers} ({self.beside})" if self.beside else self.numbers

    @property
    def _rest(self) -> str:
        return f" and {self.more} more" if self.more else ""

    def __str__(self) -> str:
        return f"{self.own} ({self.beside})" if self.beside else self.own


@dataclass(frozen=True, slots=True)
class OwnSections:
    """The places of rows in the text of one version.

    Attributes:
        text: The text that states the version's rules, as a row's `sections` names it; empty for the numbering of ids.
        title: The version as people write it, with the text that gives its numbers if that is another's; empty as `text`.
        stated: The text as people write it, `JMS 1.1`.
        other: What to call the numbering of ids, `Jakarta Messaging 3.1`.
    """

    text: str
    title: str
    stated: str = ""
    other: str = version_title(NUMBERING)

    @classmethod
    def of(cls, tier: str) -> OwnSections:
        """Return those of a tier; a tier that is unknown here has the numbering of ids."""
        version = BY_NAME.get(tier)
        if version is None or version.text == NUMBERING:
            return cls("", "")
        source = text_version(version.text)
        named = version.title if source is version else f"{version.title} (numbers of {text_title(version.text)})"
        return cls(version.text, named, source.title)

    def row(self, row: Assertion) -> Citation:
        """Cite the section of a row; a row that the text does not number has none, whatever its neighbours have."""
        return self._section(row.section, self._often([row]))

    def section(self, number: str, rows: Iterable[Assertion | None]) -> Citation:
        """Cite a section of 3.1 with some of its rows: all places that state one of them, at most three by name.

        If the text numbers none of these rows, the places are those of all rows of the section.
        """
        return self._section(number, self._often(rows) or self._often(load_catalogue().section(number)))

    def _section(self, number: str, often: Counter[str]) -> Citation:
        if not self.text or number.startswith(("pj-", IW)):
            return Citation(((number, section_title(number)),))
        if not often:
            return self._unsaid("section", f"{number} {section_title(number)}".strip())
        named = sorted((place for place, _ in often.most_common(_NAMED)), key=reading_order)
        return Citation(self._titled(named), self._beside(number), more=len(often) - len(named))

    def chapter(self, key: str, rows: Iterable[Assertion | None]) -> Citation:
        """Cite a chapter of 3.1, such as `ch03`, with some of its rows; if none of them is numbered, with all.

        A chapter that states fewer than a tenth of the rows is left out.
        """
        number, title = chapter_number(key), chapter_title(key)
        if not self.text or key in (INTERWORKING, SCENARIOS):
            return Citation(((number, title),))
        places = self._often(rows) or self._often(load_catalogue().chapter(key))
        often: Counter[str] = Counter()
        for place, count in places.items():
            often[place.partition(".")[0]] += count
        if not often:
            return self._unsaid("chapter", f"{number} {title}")
        main = [place for place, count in often.items() if count * 10 >= often.total()]
        return Citation(self._titled(sorted(main, key=reading_order)), self._beside(number))

    def _often(self, rows: Iterable[Assertion | None]) -> Counter[str]:
        """Return how many of the rows each place of the text states."""
        stated = (row.sections.get(self.text, "") for row in rows if row)
        return Counter(place for places in stated for place in places.split(", ") if place)

    def _titled(self, places: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((place, title_in(self.text, place)) for place in places)

    def _beside(self, said: str) -> str:
        return f"{NUMBERING}: {said}"

    def _unsaid(self, part: str, said: str) -> Citation:
        return Citation((), self._beside(said), f"no {part} of its own in {self.stated}")


def cited_across(tiers: Iterable[str], number: str, rows: Sequence[Assertion | None]) -> Citation:
    """Cite a section of 3.1 to providers of several versions: in the one text that they share, else 3.1's with theirs beside."""
    return _across(tiers, [owned.section(number, rows) for owned in _owned(tiers)])


def chapter_across(tiers: Iterable[str], key: str, rows: Sequence[Assertion | None]) -> Citation:
    """Cite a chapter of 3.1 to providers of several versions, as `cited_across` does."""
    return _across(tiers, [owned.chapter(key, rows) for owned in _owned(tiers)])


def _owned(tiers: Iterable[str]) -> list[OwnSections]:
    """Return the numbering of ids first where several texts are among the tiers."""
    texts = list({owned.text: owned for owned in map(OwnSections.of, tiers)}.values())
    return texts if len(texts) == 1 else [OwnSections("", ""), *(owned for owned in texts if owned.text)]


def _across(tiers: Iterable[str], cited: Sequence[Citation]) -> Citation:
    first, *others = cited
    if not others:
        return first
    texts = [text_title(owned.text) for owned in _owned(tiers)[1:]]
    return Citation(
        first.places, "; ".join(f"{text}: {each.numbers}" for text, each in zip(texts, others, strict=True))
    )
