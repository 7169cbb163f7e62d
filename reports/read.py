"""Read a bundle for reports: a run with its cases, each with its attempts. Events are read on demand.

May import `tck.record`. Nothing here judges; verdicts are those of the run.
"""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tck.catalogue.model import IW
from tck.record.outcomes import Outcome, Verdict, worst
from tck.record.reader import Bundle
from tck.record.rows import Case, End, Result, Run, Wait

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case with all its attempts; `attempts` is never empty."""

    case: Case
    attempts: tuple[Result, ...]

    @property
    def name(self) -> str:
        """The case's name, a path: `3.4.1-1/queue/classic/auto`."""
        return self.case.case

    @property
    def point(self) -> str:
        """The point on the axes at which the case ran: its name without the assertion id."""
        return self.name.partition("/")[2] or self.name

    @property
    def verdict(self) -> Verdict:
        """The worst verdict over all assertions and attempts."""
        return worst(attempt.verdict for attempt in self.attempts)

    @property
    def shown(self) -> Result:
        """The attempt that is shown first: the first of the worst."""
        verdict = self.verdict
        return next(attempt for attempt in self.attempts if attempt.verdict is verdict)

    @property
    def rows(self) -> tuple[str, ...]:
        """The assertions that it judged: its own, without those it left to others, and the owners of refused calls."""
        judged = dict.fromkeys(row for attempt in self.attempts for row in attempt.verdicts)
        own = tuple(row for row in self.case.assertions if row in judged)
        return own + tuple(row for row in judged if row not in own)

    def verdict_of(self, assertion: str) -> Verdict:
        """Return the worst verdict on one of its rows over all attempts that judged it."""
        return worst(attempt.verdicts[assertion] for attempt in self.attempts if assertion in attempt.verdicts)

    @property
    def source(self) -> str:
        """File and line of the test."""
        return f"{self.case.file}:{self.case.line}"


@dataclass(frozen=True, slots=True)
class RunReport:
    """A whole bundle except the events."""

    run: Run
    end: End | None
    cases: tuple[CaseReport, ...]
    unfinished: tuple[Case, ...]
    """Cases that were selected and left no result, since the run was stopped: a case that had begun has one where the run ended."""
    bundle: Bundle

    @property
    def subject(self) -> str:
        """The provider under test and its version."""
        name = self.run.provider.name or self.run.profile.title or self.run.profile.name
        return f"{name} {self.run.provider.version}".strip()

    @property
    def outcomes(self) -> Counter[str]:
        """The number of cases by outcome, of the attempt that is shown first."""
        return Counter(str(case.shown.outcome) for case in self.cases)

    @property
    def why_unfinished(self) -> str:
        """Why `unfinished` cases have no result: the provider was lost, and how, or the run did not end; empty if all have one."""
        if not self.unfinished:
            return ""
        if self.end is None:
            return "the run did not end"
        if (budget := self.budget) is not None:
            return f"the budget of {budget} s was spent"
        attempts = (attempt for case in self.cases for attempt in case.attempts)
        lost = next((attempt for attempt in attempts if attempt.outcome is Outcome.UNREACHABLE and attempt.error), None)
        return f"the provider was lost: {lost.error.text}" if lost and lost.error else "the run was stopped before"

    @property
    def budget(self) -> str | None:
        """The seconds that the command line of the run gave it; None if it could take as long as it wanted."""
        words = " ".join(self.run.command).replace("=", " ").split()
        return next((seconds for word, seconds in itertools.pairwise(words) if word == "--budget"), None)

    @property
    def waits(self) -> tuple[Wait, ...]:
        """Every bounded wait without proof, over all cases and attempts."""
        return tuple(
            wait for case in self.cases for attempt in case.attempts for wait in attempt.waits if not wait.timed
        )

    def events(self, attempt: Result) -> Sequence[Event]:
        """Read the recorded events of one attempt."""
        return self.bundle.events(attempt.case, attempt.attempt) if attempt.events else ()

    @property
    def profile_option(self) -> str:
        """The profile as the command line of the run named it, else by its name."""
        # To pytest, -p names a plugin.
        names = ("-p", "--profile") if "run" in self.run.command else ("--profile",)
        return self._option(*names) or self.run.profile.name

    def rerun(self, *selectors: str) -> str:
        """Return a shell command that runs exactly these cases again, with the same profile, tier and seed."""
        if self.run.kind == "workload":
            return self._drive_again()
        words = ["python", "-m", "tck", "run", "-p", self.profile_option]
        if self.run.profile.tier != self.run.profile.claims.version:
            words += ["--tier", self.run.profile.tier]
        words += ["--seed", str(self.run.seed)]
        for setting in self.settings:
            words += ["--setting", setting]
        if "--no-declarations" in self.run.command:
            words.append("--no-declarations")
        words += [word for option in ("--claim", "--second", "--bridge", "--channel") for word in self._given(option)]
        return shlex.join([*words, *selectors])

    @property
    def bridge(self) -> str:
        """The bridge that the rows on interworking judged, as the command line named it; the kit's own where it named none, and
        empty where no such row had a case.
        """
        if not any(case.name.startswith(IW) for case in self.cases):
            return ""
        given = self._given("--bridge")
        return given[-1].removeprefix("--bridge=") if given else "the kit's own"

    def _given(self, option: str) -> list[str]:
        """Return an option of the run with its value, as its command has them; nothing if it has not."""
        command = list(self.run.command)
        if option in command[:-1]:
            return command[command.index(option) :][:2]
        return [word for word in command if word.startswith(f"{option}=")]

    def reproduce(self, report: CaseReport) -> str:
        """Return a shell command that writes a program of a case; empty where the case shows no fault or left no event."""
        shown = report.shown
        if self.run.kind == "workload" or shown.events is None or shown.outcome in (Outcome.HELD, Outcome.OBSERVED):
            return ""
        return shlex.join(["python", "-m", "tck", "reproduce", self.run.run, report.name])

    def _drive_again(self) -> str:
        """Return a shell command that runs the workload again, with the same plan and seed."""
        given = list(self.run.command)
        plan = self.run.selection[0] if self.run.selection else ""
        words = ["workload", "run", "-p", self.run.profile.name, "--plan", plan]
        if "workload" in given:
            words = given[given.index("workload") :]
        seed = [] if "--seed" in words else ["--seed", str(self.run.seed)]
        return shlex.join(["python", "-m", "tck", *words, *seed])

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings of the adapter that the command line of the run gave, as `KEY=VALUE`, the release among them."""
        return (*self._options("--setting"), *(f"release={release}" for release in self._options("--release")))

    @property
    def command(self) -> str:
        """The command line of the run, quoted for a shell."""
        return shlex.join(self.run.command)

    def _option(self, *names: str) -> str:
        return next(iter(self._options(*names)), "")

    def _options(self, *names: str) -> list[str]:
        """Return the values of an option on the command line of the run."""
        given = self.run.command
        parted = [word.partition("=") for word in given]
        apart = [following for word, following in itertools.pairwise(given) if word in names]
        return apart + [value for name, sign, value in parted if sign and name in names and name.startswith("--")]


def load(bundle: Bundle) -> RunReport:
    """Gather the cases of a bundle and their attempts."""
    attempts: dict[str, list[Result]] = {}
    for result in bundle.results():
        attempts.setdefault(result.case, []).append(result)
    cases: list[CaseReport] = []
    unfinished: list[Case] = []
    for case in bundle.cases():
        found = attempts.get(case.case)
        if found:
            cases.append(CaseReport(case, tuple(sorted(found, key=lambda result: result.attempt))))
        else:
            unfinished.append(case)
    return RunReport(bundle.run, bundle.end, tuple(cases), tuple(unfinished), bundle)


def cites(attempt: Result) -> frozenset[int]:
    """Return the numbers of all events that the explanation or a finding of an attempt cites."""
    return frozenset(attempt.cites).union(*(finding.cites for finding in attempt.findings))
