"""Detection counts the rows that only a broken provider leaves undecided, and the hooks that were reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import pytest

from tck.catalogue import load_catalogue
from tck.detection import detect
from tck.detection.children import Job, Runner
from tck.detection.judge import Detection, Sight, Story, judge_nearly_right
from tck.detection.undecided import NewlyUndecided, compare, in_question
from tck.detection.void_hooks import judge_void_hooks, tries_hooks
from tck.suite.support.harness.point import Point


def story(*cases: tuple[str, str, Mapping[str, str]]) -> Story:
    """Make the story of some cases, each with its outcome and verdicts."""
    return Story(tuple(Sight(name, verdicts, outcome, "") for name, outcome, verdicts in cases), None)


HELD = ("one", "held", {"2.3-1": "conformant"})
NO_HOOK = ("two", "no-hook", {"9.1-1": "inconclusive"})
OPEN = ("two", "undecided", {"9.1-1": "undecided"})
ADVISED = ("three", "broken", {"3.4.8-2": "advisory"})
WORSE = ("three", "broken", {"9.1-1": "violation"})
FINE = ("two", "held", {"9.1-1": "conformant"})


@pytest.mark.parametrize(
    ("broken", "sound", "rows", "silent"),
    [
        (story(HELD, NO_HOOK), story(FINE), ("9.1-1",), True),
        (story(HELD, NO_HOOK, ADVISED), story(FINE), ("9.1-1",), True),
        (story(HELD, OPEN), story(FINE), ("9.1-1",), False),
        (story(HELD, NO_HOOK), story(NO_HOOK), (), False),
        (story(HELD, NO_HOOK, WORSE), story(FINE), (), False),
        (story(NO_HOOK), story(FINE), ("9.1-1",), False),
    ],
    ids=[
        "inconclusive",
        "advice hides nothing",
        "undecided fails the run",
        "the sound one too",
        "broken elsewhere",
        "nothing judged",
    ],
)
def test_newly_undecided_rows(broken: Story, sound: Story, rows: tuple[str, ...], silent: bool) -> None:
    assert in_question(broken) == ["two"]
    assert compare(broken, sound) == NewlyUndecided(rows, silent, None)


def test_cases_of_other_faults_do_not_count_for_the_sound_provider() -> None:
    other = ("other", "no-hook", {"9.1-1": "inconclusive"})
    assert compare(story(HELD, NO_HOOK), story(FINE, other)).rows == ("9.1-1",)


def test_a_silent_provider_fails_the_detection() -> None:
    table = Detection(undecided={"x": NewlyUndecided(("9.1-1",), silent=True, failure=None)})
    assert (table.good, table.silent, table.to_json()["undecided"]) == (False, ["x"], {"x": ["9.1-1"]})
    assert any(line.startswith("  SILENT") and " x leaves 1 more rows undecided" in line for line in table.text_lines())
    loud = Detection(undecided={"x": NewlyUndecided(("9.1-1",), silent=False, failure=None)})
    assert (loud.good, loud.silent) == (True, [])


@dataclass
class Fault:
    title: str = "a fault"


def test_the_owner_is_the_first_row_or_a_restatement() -> None:
    caught = story(("one", "broken", {"2.3-1": "violation"}))
    near = [judge_nearly_right("x", Fault(), caught, owner) for owner in (["2.3-1"], ["6.1.1-3", "2.3-1"], ["9.1-1"])]
    assert [each.by_owner for each in near] == [True, True, False]
    table = Detection(nearly_right=near)
    assert "caught by its owner row: 2 of 3" in list(table.text_lines())
    assert table.to_json()["by_owner"] == 2


@dataclass
class Tried:
    point: Point


TRIED = [Tried(Point(("9.1-1",), "queue", "classic", "auto"))]
VOID = "the hook restart is claimed and has no effect: x; the hook kill is claimed and has no effect: y"


def test_each_void_hook_must_be_reported() -> None:
    assert all(tries_hooks(case.point) for case in TRIED)
    blamed = Story((Sight("one", {"9.1-1": "violation"}, "held", VOID),), None)
    half = Story((Sight("one", {"9.1-1": "violation"}, "held", VOID.partition(";")[0]),), None)
    soft = Story((Sight("one", {"9.1-1": "conformant"}, "held", VOID),), None)
    told = [judge_void_hooks(each, TRIED) for each in (blamed, half, soft)]
    assert [each["missed"] for each in told] == [[], ["kill"], ["kill", "restart"]]
    assert [each["conformant"] for each in told] == [False, False, True]
    assert [Detection(void_hooks=each).good for each in told] == [True, False, False]
    assert "  MISSED   kill" in list(Detection(void_hooks=told[1]).text_lines())


class Once:
    """Runs nothing: the story of a job is given, another one at the second time."""

    def __init__(self, *stories: Story) -> None:
        self.stories = list(stories)

    def fork_all(self, jobs: Iterable[Job], runner: object, ended: Callable[[Job, Story], None]) -> None:
        del runner
        for job in jobs:
            ended(job, self.stories.pop(0))


@pytest.mark.parametrize(
    ("first", "then", "second"),
    [
        (story(HELD), [story(WORSE)], ["nearly x"]),
        (story(HELD), [story(HELD)], []),
        (story(ADVISED), [story(WORSE)], ["nearly x"]),
        (Story((), "killed"), [story(WORSE)], ["nearly x"]),
        (story(WORSE), [], []),
    ],
    ids=["noticed then", "never", "another row", "did not finish", "noticed at once"],
)
def test_a_fault_that_nobody_noticed_is_run_once_more(
    monkeypatch: pytest.MonkeyPatch, first: Story, then: list[Story], second: list[str]
) -> None:
    once = Once(*then)
    monkeypatch.setattr(detect, "fork_all", once.fork_all)
    job = Job("nearly x", "reference", {}, "3.1", (), rows=frozenset({"9.1-1"}))
    stories = {job.name: first}
    detector = detect.Detector((), load_catalogue(), None, "own")
    assert detector._look_again([job], stories, cast("Runner", None)) == second
    assert not once.stories
    assert stories[job.name] is (then[0] if second else first)


def test_a_fault_noticed_at_the_second_time_is_named() -> None:
    table = Detection(second=["nearly x"])
    assert "  AGAIN    nearly x was noticed when it was run once more" in list(table.text_lines())
    assert table.to_json()["second"] == ["nearly x"]


def test_the_cases_of_the_owner_come_first() -> None:
    points = [Point((row,), "queue", "classic", "auto") for row in ("9.1-1", "2.3-1", "3.4.8-1")]
    cases = [detect.Collected(point, cast("Any", point.assertions[0])) for point in points]
    detector = detect.Detector(cases, load_catalogue(), None, "own")
    assert detector._naming(["2.3-1", "9.1-1"]) == ("2.3-1", "9.1-1")
    assert detector._naming(None) == ("9.1-1", "2.3-1", "3.4.8-1")
