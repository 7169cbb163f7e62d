"""Coverage of the catalogue by a run. Counts only; no verdict depends on it.

May import `tck.catalogue`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.citations import Citation
from tck.catalogue.model import INTERWORKING
from tck.catalogue.sections import chapter_number, chapter_title
from tck.catalogue.tier_differences import in_force
from tck.catalogue.versions import BY_NAME
from tck.record.outcomes import Verdict
from tck.reports.verdict_tree import RunTree

_DECIDED = frozenset(Verdict) - {
    Verdict.HARNESS_ERROR,
    Verdict.UNDECIDED,
    Verdict.INCONCLUSIVE,
    Verdict.UNSUPPORTED,
}


@dataclass(frozen=True, slots=True)
class ChapterCoverage:
    """Counts of a chapter's rows: all, those a run can judge on this provider, those with a case, those decided."""

    key: str
    number: str
    title: str
    rows: int
    judged: int
    reached: int
    decided: int
    missing: tuple[Assertion, ...]
    """Rows that can be judged and had no case in this run."""
    own: Citation
    """Where the version that the run is judged by states most of its rows."""

    @property
    def share(self) -> float:
        """The share of judgeable rows that had a case, 0 to 1."""
        return self.reached / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of a run, and of each chapter."""

    tier: str
    rows: int
    judged: int
    reached: int
    decided: int
    official_testable: int
    official_reached: int
    chapters: tuple[ChapterCoverage, ...]
    bridges: ChapterCoverage | None = None
    """The rows on interworking, which judge a bridge, if the run asked for any; no other count has them."""

    @property
    def listed(self) -> tuple[ChapterCoverage, ...]:
        """All chapters, that on bridges last."""
        return self.chapters if self.bridges is None else (*self.chapters, self.bridges)

    @property
    def sentence(self) -> str:
        """The rows that had a case, of those that can be judged: of the specification, and of bridges."""
        parts = [f"{self.reached:,} of {self.judged:,} testable rows in {self.tier}"]
        if self.bridges is not None:
            of_bridges = f"{self.bridges.reached:,} of {self.bridges.judged:,} testable rows on bridges"
            parts = [*parts, of_bridges] if self.reached else [of_bridges]
        return "; ".join(parts)


def measure(tree: RunTree, catalogue: Catalogue) -> Coverage:
    """Count the rows that a run reached, of those in its tier that can be judged on its provider."""
    run = tree.run.run
    tier = run.profile.tier
    judged = [row for row in catalogue.judged(java=run.provider.language == "java") if _in_force(row, tier)]
    decided = {node.id for node in tree.assertions if not _DECIDED.isdisjoint(node.counts)}
    chapters = tuple(
        _chapter(key, catalogue.chapter(key), [row for row in judged if row.chapter == key], tree, decided)
        for key in catalogue.chapters
    )
    on_bridges = [row for row in catalogue.chapter(INTERWORKING) if row.testable != "no"]
    bridges = _chapter(INTERWORKING, catalogue.chapter(INTERWORKING), on_bridges, tree, decided)
    testable = [official for official in catalogue.official_spec.values() if official.testable]
    return Coverage(
        tier=tier,
        rows=len(catalogue),
        judged=len(judged),
        reached=sum(chapter.reached for chapter in chapters),
        decided=sum(chapter.decided for chapter in chapters),
        official_testable=len(testable),
        official_reached=sum(1 for official in testable if not decided.isdisjoint(official.rows)),
        chapters=chapters,
        bridges=bridges if bridges.reached else None,
    )


def _in_force(row: Assertion, tier: str) -> bool:
    return tier not in BY_NAME or in_force(row, tier)


def _chapter(
    key: str, rows: Iterable[Assertion], judged: list[Assertion], tree: RunTree, decided: set[str]
) -> ChapterCoverage:
    rows = list(rows)
    owed = [row for row in rows if _in_force(row, tree.run.run.profile.tier)]
    return ChapterCoverage(
        key=key,
        number=chapter_number(key),
        title=chapter_title(key),
        rows=len(rows),
        judged=len(judged),
        reached=sum(1 for row in judged if row.id in tree.by_id),
        decided=sum(1 for row in judged if row.id in decided),
        missing=tuple(row for row in judged if row.id not in tree.by_id),
        own=tree.own.chapter(key, owed),
    )
