"""No false word: does any check accuse a provider that is lawful and only other than the reference provider?

The counterpart of `tck.detection.detect`. Each lawful provider lives in a forked child and runs one point of each test, another
one with each provider, and a share of the journeys. It does what a SHOULD or a MAY leaves to it, so advisories and observations
are right, and a violation is a false accusation: a fault of the suite.

Independent of pytest, like detection.
"""

from __future__ import annotations

import gc
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tck.adapters.recording import warm_up
from tck.catalogue import NEWEST, Catalogue, Selection
from tck.detection.children import Job, Runner, fork_all
from tck.detection.detect import Collected, under
from tck.detection.judge import Story
from tck.detection.loading import lawful_providers, load_reference_provider
from tck.record import Exit

JOURNEYS: Final = 12
"""Each provider runs one of so many journeys."""


@dataclass(slots=True)
class Treated:
    """How one lawful provider was treated.

    Attributes:
        name: Its name.
        title: What it does.
        rows: The SHOULD and MAY rows that permit it; none where no row forbids it.
        settings: Settings of the reference provider with which it runs programs.
        cases: How many cases it ran.
        accused: What was seen, by the row that was called broken.
        advisories: The rows of advisories, which are right.
        failure: Why its child ended early, or an error of the kit; None if all is well.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    settings: Mapping[str, object]
    cases: int = 0
    accused: dict[str, str] = field(default_factory=dict)
    advisories: tuple[str, ...] = ()
    failure: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Render it; the keys are a contract, see docs/cli.md."""
        return {
            "title": self.title,
            "rows": list(self.rows),
            "cases": self.cases,
            "accused": self.accused,
            "advisories": list(self.advisories),
            "failure": self.failure,
        }

    def text_lines(self) -> Iterable[str]:
        """Render it for a terminal, if there is anything to say."""
        if self.accused or self.failure:
            yield f"  {self.name}: {self.title} ({' '.join(self.rows)})"
        for row, text in self.accused.items():
            yield f"    ACCUSED {row}  {text}"
        if self.failure:
            yield f"    FAILED  {self.failure}"


@dataclass(slots=True)
class LawfulTable:
    """How all lawful providers were treated."""

    treated: list[Treated] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def failures(self) -> list[str]:
        """What went wrong, by no fault of a check."""
        return [f"{each.name}: {each.failure}" for each in self.treated if each.failure]

    @property
    def accused(self) -> list[str]:
        """The providers that were accused."""
        return [each.name for each in self.treated if each.accused]

    @property
    def exit(self) -> Exit:
        """The exit code that the table demands."""
        if not self.treated:
            return Exit.NOTHING_JUDGED
        if self.failures:
            return Exit.KIT_ERROR
        return Exit.VIOLATION if self.accused else Exit.CONFORMANT

    def to_json(self) -> dict[str, Any]:
        """Render the table; the keys are a contract, see docs/cli.md."""
        return {
            "lawful": len(self.treated),
            "accused": self.accused,
            "failures": self.failures,
            "seconds": round(self.seconds, 3),
            "providers": {each.name: each.to_json() for each in self.treated},
        }

    def text_lines(self) -> Iterable[str]:
        """Render the table for a terminal."""
        cases = sum(each.cases for each in self.treated)
        yield f"lawful providers {len(self.treated)}, accused {len(self.accused)}, {cases:,} cases, {self.seconds:.1f} s"
        for each in self.treated:
            yield from each.text_lines()


@dataclass(frozen=True, slots=True)
class LawfulDetector:
    """Runs the lawful providers.

    Attributes:
        cases: The collected cases.
        catalogue: What they judge.
        selection: The rows whose lawful providers run; None for all.
    """

    cases: Sequence[Collected]
    catalogue: Catalogue
    selection: Selection | None

    def run(self, runner: Runner, progress: Callable[[], None]) -> LawfulTable:
        """Run all of them and judge their treatment.

        Args:
            runner: Runs the cases in a child.
            progress: Called when a child has ended.
        """
        from tck.check import judge_events  # noqa: PLC0415

        judge_events([], properties=[])  # load numpy once instead of in each child
        warm_up()
        load_reference_provider()
        began = time.monotonic()
        providers = {name: each for name, each in lawful_providers().items() if self._wants(each.rows)}
        slow = [name for name, each in providers.items() if each.slow]
        programs = tuple(case.item for case in self.cases if case.point.corpus) if slow else ()
        jobs = [
            Job(name, "reference", _settings(each), NEWEST, self._items(name, slow=each.slow), lacks=each.lacks)
            for name, each in providers.items()
        ]
        jobs += [Job(name, "reference", _passing(providers[name]), NEWEST, programs) for name in slow]
        gc.collect()
        stories = dict[str, Story]()

        def ended(job: Job, story: Story) -> None:
            before = stories.get(job.name, Story((), None))
            stories[job.name] = Story(before.sights + story.sights, before.failure or story.failure)
            progress()

        fork_all(jobs, runner, ended)
        treated = [judge(name, each, stories[name], self.catalogue) for name, each in providers.items()]
        return LawfulTable(treated, time.monotonic() - began)

    def _wants(self, rows: Iterable[str]) -> bool:
        return self.selection is None or any(self.selection.matches((row,), row) for row in rows)

    def _items(self, provider: str, *, slow: bool) -> tuple[Any, ...]:
        """Return one point of each test, which turns with the provider, and one of each dozen journeys.

        A slow one runs all programs of the corpus apart, on a clock that does not stand still.
        """
        tests: dict[str, list[Collected]] = {}
        journeys: list[Collected] = []
        for case in self.cases:
            if under(case.point, self.catalogue, NEWEST) and not (slow and case.point.corpus):
                if case.point.journey:
                    journeys.append(case)
                else:
                    tests.setdefault(case.item.nodeid.split("[", maxsplit=1)[0], []).append(case)
        chosen = [each[_turn(f"{provider} {test}", len(each))] for test, each in tests.items()]
        chosen += journeys[_turn(provider, JOURNEYS) :: JOURNEYS]
        return tuple(case.item for case in chosen)


def judge(name: str, provider: Any, story: Story, catalogue: Catalogue) -> Treated:  # noqa: ANN401 - the provider's type
    """Judge the results of a lawful provider's child: a violation of any row is a false accusation."""
    accused: dict[str, str] = {}
    advisories: dict[str, None] = {}
    failure = story.failure
    for sight in story.sights:
        for row, verdict in sight.verdicts.items():
            if verdict == "violation":
                accused.setdefault(row, f"{sight.case}: {sight.observed}")
            elif verdict == "advisory" and row in catalogue:
                advisories[row] = None
        if sight.outcome == "error":
            failure = failure or f"kit error in {sight.case}: {sight.observed}"
    cases = len(story.sights)
    return Treated(
        name,
        provider.title,
        provider.rows,
        _passing(provider) if provider.slow else _settings(provider),
        cases,
        accused,
        tuple(advisories),
        failure,
    )


def _settings(provider: Any) -> dict[str, object]:  # noqa: ANN401 - the provider's type
    return {"clock": "virtual", **provider.settings, "saboteur": provider.name}


def _passing(provider: Any) -> dict[str, object]:  # noqa: ANN401 - the provider's type
    return _settings(provider) | {"clock": "passing"}


def _turn(text: str, count: int) -> int:
    """Return a number below `count`, the same for a text in every run."""
    return zlib.crc32(text.encode()) % count


def exit_code(table: LawfulTable | None, *, interrupted: bool, failed: bool) -> Exit:
    """Return the exit code of a run of lawful providers; `table` is None if it did not finish."""
    if interrupted:
        return Exit.INTERRUPTED
    if table is None:
        return Exit.KIT_ERROR if failed else Exit.CONFORMANT
    return table.exit
