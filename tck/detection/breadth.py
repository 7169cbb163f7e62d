"""How broad each saboteur is: how many cases of its own row notice it, and what those that do not have in common.

A saboteur that few cases of its row notice fires under a condition that the row does not name. A suite that tests just that
condition kills it, and the row may be broken everywhere else; such faults belong to the providers that are nearly right. The
list `narrow.txt` holds the saboteurs that are narrow today, and may only shrink.

Independent of pytest and of processes, like `tck.detection.judge`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tck.detection.judge import FAILING, Sight, Story

FILE: Final = Path(__file__).with_name("narrow.txt")
SHARE: Final = 0.5
"""A saboteur is narrow if a smaller share of the cases that decide its row notices it."""
KEPT: Final = frozenset({"conformant"})
"""The verdict of a case that saw the row kept; one that only records decides nothing."""
AXES: Final = ("row", "domain", "interface", "mode")


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many cases of its row notice a saboteur.

    Attributes:
        id: Its row.
        title: What the broken provider does.
        noticed: The cases that notice it.
        kept: The cases that saw the row kept. Cases that could not decide are in neither.
        only: What all cases that notice have in common and none of the others has, such as `domain: topic`.
    """

    id: str
    title: str
    noticed: int
    kept: int
    only: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of the cases that decide which notice it; 0 if none decides."""
        return self.noticed / max(1, self.noticed + self.kept)

    @property
    def narrow(self) -> bool:
        """Whether less than half of them notice it."""
        return self.share < SHARE

    def to_json(self) -> dict[str, Any]:
        """Render it; the keys are a contract, see docs/cli.md."""
        return {
            "title": self.title,
            "noticed": self.noticed,
            "kept": self.kept,
            "narrow": self.narrow,
            "only": list(self.only),
        }

    @property
    def text(self) -> str:
        """One line for a terminal."""
        only = f" (only {', '.join(self.only)})" if self.only else ""
        return f"{self.id:12} {self.noticed:3} of {self.noticed + self.kept:3}  {self.title}{only}"


def measure(id_: str, title: str, group: Collection[str], story: Story) -> Breadth:
    """Count the cases that name the saboteur's row or, where none does, a restatement of it.

    Args:
        id_: The saboteur's row.
        title: The saboteur's title.
        group: The row and its restatements.
        story: The results of all cases of the group.
    """
    rows = {id_} if any(id_ in sight.verdicts for sight in story.sights) else set(group)
    noticed, kept = list[Sight](), list[Sight]()
    for sight in story.sights:
        verdicts = {verdict for row, verdict in sight.verdicts.items() if row in rows}
        if verdicts & FAILING:
            noticed.append(sight)
        elif verdicts & KEPT:
            kept.append(sight)
    return Breadth(id_, title, len(noticed), len(kept), _only(noticed, kept))


def _only(noticed: Sequence[Sight], kept: Sequence[Sight]) -> tuple[str, ...]:
    """Return the axes by which the cases that notice differ from all others, each with its values."""
    found = []
    for index, axis in enumerate(AXES if noticed and kept else ()):
        ours, others = _values(noticed, index), _values(kept, index)
        if not ours & others:
            found.append(f"{axis}: {' '.join(sorted(ours))}")
    return tuple(found)


def _values(sights: Iterable[Sight], index: int) -> set[str]:
    return {([*sight.case.split("/"), *[""] * len(AXES)])[index] for sight in sights}


def listed(text: str) -> frozenset[str]:
    """Return the rows of the list."""
    return frozenset(line.split()[0] for line in text.splitlines() if line.strip() and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Breadths:
    """The saboteurs of a selection, measured.

    Attributes:
        each: Them, by their rows.
        listed: The rows of saboteurs that may be narrow.
    """

    each: Mapping[str, Breadth]
    listed: frozenset[str]

    @property
    def narrow(self) -> list[Breadth]:
        """The narrow ones, the narrowest first."""
        return sorted((one for one in self.each.values() if one.narrow), key=lambda one: one.share)

    @property
    def unlisted(self) -> list[str]:
        """Narrow saboteurs that the list does not allow."""
        return [one.id for one in self.narrow if one.id not in self.listed]

    @property
    def stale(self) -> list[str]:
        """Listed saboteurs that are broad now."""
        return [id_ for id_, one in self.each.items() if id_ in self.listed and not one.narrow]

    @property
    def good(self) -> bool:
        """Whether the list says what was measured."""
        return not (self.unlisted or self.stale)

    def to_json(self) -> dict[str, Any]:
        """Render them; the keys are a contract, see docs/cli.md."""
        return {
            "narrow": [one.id for one in self.narrow],
            "unlisted": self.unlisted,
            "stale": self.stale,
            "saboteurs": {id_: one.to_json() for id_, one in self.each.items()},
        }

    def text_lines(self) -> Iterable[str]:
        """Render them for a terminal."""
        yield f"narrow saboteurs, which less than half of the cases of their rows notice: {len(self.narrow)} of {len(self.each)}"
        yield from (f"  {one.text}" for one in self.narrow)
        for id_ in self.unlisted:
            yield f"  NARROW   {id_} is not in {FILE.name}: let it break its row wherever the row applies"
        for id_ in self.stale:
            yield f"  BROAD    {id_} is in {FILE.name} and need not be: take it out"
