"""A run seen from its controller: open the bundle, collect the workers' parts, judge the run, close the bundle.

The controller is the xdist controller, or the only process of a plain run.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from tck.catalogue import Catalogue
from tck.profile import Profile
from tck.provenance import Asked, describe, now
from tck.record import (
    Case,
    Exit,
    Fault,
    Outcome,
    ProviderRef,
    Result,
    Unfinished,
    Verdict,
    begin,
    collect,
    exit_code,
    finish,
    flaky_is_spent,
    judge,
    lines,
    worst,
)
from tck.running.options import RunOptions

UNREACHABLE: Final = "the provider cannot be reached"
"""The reason to stop after a loss of the provider."""
UNWRITABLE: Final = "the bundle cannot be written"
"""The beginning of a reason to stop: no further case could be recorded."""
PROVIDER_FILE = "provider.json"
MISFIT_FILE = "misfit.txt"
PLANNED_FILE = "planned.ndjson"
LOST = "the worker process ended in the middle of this case; stacks, if the watchdog could write them, are in stacks/ of the bundle"


@dataclass(slots=True)
class Problems:
    """Problems outside every case."""

    interrupted: bool = False
    terminated: bool = False
    usage: bool = False
    kit_error: bool = False
    provider_lost: bool = False
    stopped: bool = False
    """Whether the run was ended since the provider cannot be reached."""
    unwritable: str = ""
    """Why the bundle could not be written, as on a full disk."""


class Controller:
    """The bundle of a run from its first line to its exit code."""

    def __init__(self, options: RunOptions, catalogue: Catalogue, profile: Profile, tier: str, workers: int) -> None:
        self.options = options
        self.catalogue = catalogue
        self.profile = profile
        self.tier = tier
        self.problems = Problems()
        self.exit: Exit = Exit.CONFORMANT
        self.results: tuple[Result, ...] = ()
        self.again: Mapping[str, str] = {}
        """Why cases ran again: what was lost with them, or how they had ended beside others."""
        self._began = time.monotonic()
        asked = Asked(
            options.run_id,
            "suite",
            tier,
            options.seed,
            options.select,
            options.points,
            strict=options.strict,
            repeat=options.repeat,
            workers=workers,
        )
        self.run = describe(asked, profile, catalogue)
        begin(options.bundle, self.run)

    def end(self) -> Exit:
        """Close the bundle; where it cannot be written, say so and leave the parts, which can be read."""
        try:
            return self.close()
        except OSError as error:
            self.problems.unwritable = self.problems.unwritable or f"{UNWRITABLE}: {error.strerror or error}"
            self.exit = Exit.USAGE
            return self.exit

    def close(self) -> Exit:
        """Merge the parts, judge open attempts, write end.json; return the exit code of the run."""
        folder = self.options.bundle
        self._adopt_provider(folder)
        self.problems.usage |= (folder / "parts" / MISFIT_FILE).exists()
        left = collect(folder)
        self.again = left.again
        problems = self.problems
        stopped = (problems.stopped or problems.provider_lost) and any(
            result.outcome is Outcome.UNREACHABLE for result in left.results
        )
        results = [*left.results, *(self._lost(attempt, stopped=stopped) for attempt in left.unfinished)]
        results = hold_flaky_bounds(results, self.profile)
        judged = [(result.outcome, verdict) for result in results for verdict in result.verdicts.values()]
        self.exit = exit_code(
            judged,
            strict=self.options.strict,
            interrupted=problems.interrupted and not stopped and not problems.terminated,
            terminated=problems.terminated and not stopped,
            usage=problems.usage or bool(problems.unwritable),
            kit_error=problems.kit_error,
            provider_lost=problems.provider_lost,
        )
        finish(
            folder,
            [*left.cases, *never_begun(folder, left.cases)],
            results,
            run=self.options.run_id,
            exit=int(self.exit),
            seconds=time.monotonic() - self._began,
            finished=now(),
        )
        self.results = tuple(results)
        return self.exit

    def _adopt_provider(self, folder: Path) -> None:
        """Copy the provider's description into run.json, once a worker has opened it."""
        path = folder / "parts" / PROVIDER_FILE
        if not path.exists():
            return
        told = lines.read_object(path, todo="Run the suite again")
        self.run = replace(self.run, provider=ProviderRef.from_json(told["provider"]), clock=str(told["clock"]))
        lines.write_whole(folder / "run.json", lines.pretty(self.run.to_json()))

    def _lost(self, attempt: Unfinished, *, stopped: bool) -> Result:
        """Return the result of an attempt whose worker was lost, or that ended with the provider: no verdict."""
        outcome, text = Outcome.LOST, LOST
        if stopped:
            outcome, text = (
                Outcome.UNREACHABLE,
                "another worker found that the provider cannot be reached, which ended the run in the middle of this case",
            )
        verdicts = {id_: judge(outcome, self.catalogue[id_].level) for id_ in attempt.case.assertions}
        return Result(
            case=attempt.case.case,
            attempt=attempt.attempt,
            outcome=outcome,
            verdicts=verdicts,
            verdict=worst(verdicts.values()),
            claim=self.catalogue[attempt.case.assertions[0]].statement,
            observed=text,
            error=Fault("WorkerLost", text),
            events=attempt.events,
        )


def hold_flaky_bounds(results: Sequence[Result], profile: Profile) -> list[Result]:
    """Turn declared flakiness beyond its bound or its date into a violation; what else a case shows stays as judged."""
    failures: Counter[tuple[str, str]] = Counter()
    attempts: Counter[tuple[str, str]] = Counter()
    for result in results:
        for id_, verdict in result.verdicts.items():
            attempts[id_, result.case] += 1
            failures[id_, result.case] += verdict is Verdict.DECLARED
    judged = []
    for result in results:
        verdicts = dict(result.verdicts)
        for id_, verdict in result.verdicts.items():
            found = profile.deviation_for(id_, result.case, result.observed)
            if verdict is not Verdict.DECLARED or found is None or found.outcome != "flaky":
                continue
            key = (id_, result.case)
            if flaky_is_spent(
                failures[key],
                attempts[key],
                at_most=found.at_most or 0.0,
                expires=found.expires or date.min,
                today=datetime.now(UTC).date(),
            ):
                verdicts[id_] = Verdict.VIOLATION
        judged.append(replace(result, verdicts=verdicts, verdict=worst(verdicts.values())))
    return judged


def leave_misfit(folder: Path, text: str) -> None:
    """Leave word for the controller that the adapter cannot be used: a wrong setting, or no provider."""
    (folder / "parts" / MISFIT_FILE).write_text(text, encoding="utf-8")


def leave_planned(folder: Path, cases: Sequence[Case]) -> None:
    """Leave word for the controller of all selected cases; every worker that stops early has the same."""
    path = folder / "parts" / PLANNED_FILE
    if not path.exists():
        lines.write_whole(path, lines.lines(cases))


def never_begun(folder: Path, begun: Sequence[Case]) -> list[Case]:
    """Return the selected cases, each once, that no worker has begun in a run that was stopped; none in any other run."""
    path = folder / "parts" / PLANNED_FILE
    if not path.exists():
        return []
    known = {case.case for case in begun}
    planned = (Case.from_json(row) for _, row in lines.read_lines(path, todo="Run the suite again"))
    return [case for case in {each.case: each for each in planned}.values() if case.case not in known]


def leave_provider(folder: Path, provider: ProviderRef, clock: str) -> None:
    """Write the provider's description for the controller; every worker writes the same."""
    path = folder / "parts" / PROVIDER_FILE
    if not path.exists():
        lines.write_whole(path, lines.pretty({"provider": provider.to_json(), "clock": clock}))
