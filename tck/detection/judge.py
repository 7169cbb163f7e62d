"""The results of a detection: the fate of each saboteur, the dummies, and the printed table.

Independent of pytest and of processes: `tck.detection.detect` runs the children, this module judges their results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tck.catalogue import Assertion, Catalogue

FAILING = frozenset({"violation", "advisory"})


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of one case in a child."""

    case: str
    verdicts: Mapping[str, str]
    outcome: str
    observed: str
    note: Any = None


@dataclass(frozen=True, slots=True)
class Story:
    """The results of a child, and why it stopped early, if it did."""

    sights: tuple[Sight, ...]
    failure: str | None

    @property
    def violates(self) -> bool:
        """Whether a case showed a violation."""
        return any("violation" in sight.verdicts.values() for sight in self.sights)


@dataclass(frozen=True, slots=True)
class Hunt:
    """The fate of one saboteur."""

    id: str
    title: str
    killed: bool
    killers: tuple[str, ...]
    cases: int
    seen: tuple[str, ...]
    collateral: Mapping[str, str]
    explained: Mapping[str, str]
    failure: str | None


@dataclass(frozen=True, slots=True)
class NearlyRight:
    """The fate of one provider that is nearly right: the rows that caught it, and the results of the others."""

    name: str
    title: str
    rows: tuple[str, ...]
    cases: int
    seen: tuple[str, ...]
    failure: str | None
    by_owner: bool
    """Whether the row that it names first, or a restatement of that, is among them."""

    def text_lines(self) -> Iterable[str]:
        """Render it for a terminal."""
        if self.rows:
            yield f"nearly right {self.name}, caught by {' '.join(self.rows)}: {self.title}"
            return
        yield f"  SURVIVED {self.name}  {self.title} ({self.cases} cases)"
        for text in self.seen[:3]:
            yield f"           saw {text}"


@dataclass(slots=True)
class Detection:
    """The detection table."""

    hunts: list[Hunt] = field(default_factory=list)
    nearly_right: list[NearlyRight] = field(default_factory=list)
    dummies: dict[str, dict[str, Any]] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)
    seconds: float = 0.0
    through: str | None = None
    void_hooks: dict[str, Any] = field(default_factory=dict)
    """The fate of the dummy with void hooks; empty if it was not run."""
    undecided: dict[str, Any] = field(default_factory=dict)
    """The rows that only a broken provider leaves undecided, by job; see `tck.detection.undecided`."""
    breadths: Any = None
    """How many cases notice each saboteur, if that was asked for; see `tck.detection.breadth`."""

    second: list[str] = field(default_factory=list)
    """The faults that were noticed, or that finished, when they were run once more."""

    @property
    def silent(self) -> list[str]:
        """Broken providers that end as conformant while more rows are undecided than on the sound one."""
        return [name for name, each in self.undecided.items() if each.silent]

    @property
    def survived(self) -> list[str]:
        """Saboteurs that no case of their row reported."""
        return [hunt.id for hunt in self.hunts if not hunt.killed]

    @property
    def unexplained(self) -> dict[str, list[str]]:
        """Other rows that failed and that no declaration explains, by saboteur."""
        return {hunt.id: sorted(hunt.collateral) for hunt in self.hunts if hunt.collateral}

    @property
    def good(self) -> bool:
        """Whether every check can fail, none fails beyond its row, and no dummy passed."""
        passed = sum(int(dummy["must_passed"]) + int(dummy["passed"]) for dummy in self.dummies.values())
        missed = any(not provider.rows for provider in self.nearly_right)
        missed = missed or bool(self.void_hooks.get("missed") or self.void_hooks.get("conformant"))
        wrong = self.survived or self.unexplained or self.without or self.silent or self.failures
        return not (wrong or passed or missed or (self.breadths and not self.breadths.good))

    @property
    def failures(self) -> list[str]:
        """Children that did not finish."""
        broken = [f"{hunt.id}: {hunt.failure}" for hunt in self.hunts if hunt.failure]
        broken += [f"{provider.name}: {provider.failure}" for provider in self.nearly_right if provider.failure]
        broken += [f"{name}, sound: {each.failure}" for name, each in self.undecided.items() if each.failure]
        dummies = {**self.dummies, **({"void-hooks": self.void_hooks} if self.void_hooks else {})}
        return broken + [f"dummy {name}: {dummy['failure']}" for name, dummy in dummies.items() if dummy["failure"]]

    def to_json(self) -> dict[str, Any]:
        """Render the table; the keys are a contract, see docs/cli.md."""
        return {
            "saboteurs": len(self.hunts),
            "killed": sum(hunt.killed for hunt in self.hunts),
            "survived": self.survived,
            "without": self.without,
            "collateral": self.unexplained,
            "explained": {hunt.id: dict(hunt.explained) for hunt in self.hunts if hunt.explained},
            "nearly_right": {provider.name: list(provider.rows) for provider in self.nearly_right},
            "by_owner": sum(provider.by_owner for provider in self.nearly_right),
            "dummies": self.dummies,
            "void_hooks": self.void_hooks,
            "undecided": {name: list(each.rows) for name, each in self.undecided.items()},
            "silent": self.silent,
            "failures": self.failures,
            "second": self.second,
            "seconds": round(self.seconds, 3),
            "through": self.through,
            "breadth": self.breadths.to_json() if self.breadths else None,
            "hunts": {
                hunt.id: {
                    "title": hunt.title,
                    "killed": hunt.killed,
                    "killers": list(hunt.killers),
                    "cases": hunt.cases,
                    "seen": list(hunt.seen),
                    "collateral": dict(hunt.collateral),
                }
                for hunt in self.hunts
            },
        }

    def _through_lines(self) -> Iterable[str]:
        """Render the count of all faults that were reached through another profile."""
        if self.through:
            fates = [*(hunt.killed for hunt in self.hunts), *(bool(provider.rows) for provider in self.nearly_right)]
            yield f"killed {sum(fates)} of {len(fates)} through {self.through}"

    def text_lines(self) -> Iterable[str]:
        """Render the table for a terminal."""
        yield f"saboteurs {len(self.hunts)}, killed {sum(hunt.killed for hunt in self.hunts)}, survived {len(self.survived)}, {self.seconds:.1f} s"
        yield from self._through_lines()
        for hunt in self.hunts:
            if not hunt.killed:
                yield f"  SURVIVED {hunt.id}  {hunt.title}"
                for text in hunt.seen[:3]:
                    yield f"           saw {text}"
            for row, text in hunt.collateral.items():
                yield f"  COLLATERAL {hunt.id} also breaks {row}: {text}"
        yield from self._nearly_right_lines()
        yield from (f"  AGAIN    {name} was noticed when it was run once more" for name in self.second)
        for id_ in self.without:
            yield f"  WITHOUT  {id_} is tested and has no saboteur"
        for text in self.failures:
            yield f"  FAILED   {text}"
        yield from self._dummy_lines()
        yield from self.breadths.text_lines() if self.breadths else ()

    def _nearly_right_lines(self) -> Iterable[str]:
        """Render the providers that are nearly right, and the rows left undecided on broken ones."""
        for provider in self.nearly_right:
            yield from provider.text_lines()
        if self.nearly_right:
            yield f"caught by its owner row: {sum(each.by_owner for each in self.nearly_right)} of {len(self.nearly_right)}"
        for name, each in self.undecided.items():
            word = "SILENT  " if each.silent else "undecided"
            yield f"  {word} {name} leaves {len(each.rows)} more rows undecided than the sound provider: {' '.join(each.rows[:8])}"

    def _dummy_lines(self) -> Iterable[str]:
        """Render the dummies."""
        for name, dummy in self.dummies.items():
            yield f"dummy {name:8} {dummy['must_passed']} of {dummy['must_cases']} MUST cases passed, {dummy['passed']} of {dummy['cases']} in all"
            for case in dummy["passed_cases"][:5]:
                yield f"  PASSED   {case}"
        if self.void_hooks:
            reported, hooks = self.void_hooks["reported"], self.void_hooks["hooks"]
            yield f"dummy void-hooks {len(reported)} of {len(hooks)} hooks reported"
            yield from (f"  MISSED   {hook}" for hook in self.void_hooks["missed"])


def judge_hunt(
    id_: str,
    saboteur: Any,  # noqa: ANN401 - the provider's type
    story: Story,
    catalogue: Catalogue,
    rows_of: Mapping[str, frozenset[str]],
) -> Hunt:
    """Judge the results of a saboteur's child: the cases that killed it, and the other rows that failed.

    Args:
        id_: The saboteur's row.
        saboteur: The saboteur.
        story: The results.
        catalogue: The rows.
        rows_of: The rows that each case names. A case that meets a refused call fails the row that owns the call too, which
            kills the saboteur of that row, and is no fault of the suite where it is another.
    """
    group = set(catalogue.group_of(id_))
    killers: list[str] = []
    seen: list[str] = []
    fallen: dict[str, str] = {}
    cases = 0
    for sight in story.sights:
        own = group & set(sight.verdicts)
        cases += bool(own)
        for row in own:
            if sight.verdicts[row] in FAILING:
                killers.append(sight.case)
            else:
                seen.append(f"{sight.outcome} {sight.case}: {sight.observed}")
        named = rows_of.get(sight.case, frozenset(sight.verdicts))
        if not own and any(verdict in FAILING for row, verdict in sight.verdicts.items() if row in named):
            fallen[sight.case.split("/", maxsplit=1)[0]] = sight.observed
        if sight.outcome == "error":
            seen.append(f"kit error in {sight.case}: {sight.observed}")
            fallen.setdefault(sight.case.split("/", maxsplit=1)[0], f"kit error: {sight.observed}")
    explained = {row: saboteur.collateral[row] for row in fallen if row in saboteur.collateral}
    collateral = {row: text for row, text in fallen.items() if row not in explained}
    return Hunt(
        id_,
        saboteur.title,
        bool(killers),
        tuple(killers),
        cases,
        tuple(dict.fromkeys(seen)),
        collateral,
        explained,
        story.failure,
    )


def judge_nearly_right(
    name: str,
    provider: Any,  # noqa: ANN401 - the provider's type
    story: Story,
    owner: Collection[str],
) -> NearlyRight:
    """Judge the results of a nearly right provider's child: the rows that caught it; `owner` is its first row and the restatements."""
    caught: dict[str, None] = {}
    for sight in story.sights:
        caught.update({row: None for row, verdict in sight.verdicts.items() if verdict in FAILING})
    seen = tuple(f"{sight.outcome} {sight.case}: {sight.observed}" for sight in story.sights)
    by_owner = not caught.keys().isdisjoint(owner)
    return NearlyRight(name, provider.title, tuple(caught), len(story.sights), seen, story.failure, by_owner)


def judge_dummy(story: Story, catalogue: Catalogue) -> dict[str, Any]:
    """Count the cases that a dummy passed; it must pass none."""

    def must(sight: Sight) -> bool:
        rows: list[Assertion] = [catalogue[id_] for id_ in sight.verdicts]
        return any(row.level == "MUST" for row in rows)

    passed = [
        sight.case
        for sight in story.sights
        # A program of the corpus holds in its own row, and breaks those of its differences.
        if sight.outcome in {"held", "observed"} and "violation" not in sight.verdicts.values()
    ]
    wrong = [f"{sight.case}: {sight.observed}" for sight in story.sights if sight.outcome == "error"]
    failure = story.failure or (f"kit error in {wrong[0]}" if wrong else None)
    return {
        "must_cases": sum(must(sight) for sight in story.sights),
        "must_passed": sum(must(sight) for sight in story.sights if sight.case in passed),
        "cases": len(story.sights),
        "passed": len(passed),
        "passed_cases": passed,
        "failure": failure,
    }
