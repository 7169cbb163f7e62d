"""From a case of a bundle to the parts of its program: the attempt, the deciding calls, the slice, the words at its head."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tck.record.outcomes import Outcome
from tck.record.rows import Result
from tck.reports import show
from tck.reports.read import CaseReport, RunReport
from tck.reports.reproduce import limits, python_program
from tck.reports.reproduce.answers import Near
from tck.reports.reproduce.facts import Facts, PythonSetup
from tck.reports.reproduce.java import program as java_program
from tck.reports.reproduce.java.setup import JavaSetup
from tck.reports.reproduce.limits import CannotReproduce
from tck.reports.reproduce.own_changes import OwnChange, is_hidden, own_changes
from tck.reports.reproduce.pauses import pauses
from tck.reports.reproduce.recorded import Call, Recorded, read_calls
from tck.reports.reproduce.script import Script, script_of
from tck.reports.reproduce.slicing import Slice, needed, whole
from tck.reports.reproduce.verdict.deciding import Basis, basis_of

_WIDTH: Final = 110
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A case, ready to be written as a program."""

    run: RunReport
    report: CaseReport
    attempt: Result
    recorded: Recorded
    basis: Basis
    changes: tuple[OwnChange, ...]
    part: Slice

    @property
    def script(self) -> Script:
        """The steps of the program."""
        waits = [each.ms for each in self.attempt.waits]
        passing = pauses(self.recorded, self.part, waits, virtual=self.run.run.clock == "virtual")
        return script_of(self.recorded, self.part, self.basis, self.changes, passing)

    @property
    def facts(self) -> Facts:
        """The words about the case."""
        name = self.report.name
        about = [f"{name} on {self.run.subject}, run {self.run.run.run}.", ""]
        texts = (
            ("Claim", self.attempt.claim or self.report.case.title),
            ("Expected", self.attempt.expected),
            ("Observed", self.attempt.observed),
            ("Declared", self.attempt.deviation.full_reason if self.attempt.deviation else None),
        )
        for label, words in texts:
            text = show.visible(words or "")
            if text:
                shown = (
                    text
                    if len(text) <= _LONGEST
                    else f"{text[:_LONGEST]}... ({len(text) - _LONGEST:,} more characters)"
                )
                about += textwrap.wrap(f"{label}: {shown}", _WIDTH, subsequent_indent="    ")
        calls, every = len(self.part.calls), len(self.recorded.calls)
        about += [
            "",
            f"{calls} of the {every} recorded calls, in their order; numbers are those of the recorded events.",
        ]
        about += ["Ends with 0 if the provider does right, 1 if it does as recorded, 2 if neither shows."]
        if not self.basis.named:
            about += ["The verdict names no call: 1 if every answer is as recorded, 0 if another one comes."]
        return Facts(name, tuple(about))


def find(run: RunReport, report: CaseReport, *, every_call: bool = False) -> Reproduction:
    """Find the deciding calls of a case and those that they depend on.

    Args:
        run: The run.
        report: The case.
        every_call: Keep all calls up to the judgement.

    Raises:
        CannotReproduce: The case holds, has no events, or needs a call that no program can make.
    """
    attempt = report.shown
    if attempt.outcome in (Outcome.HELD, Outcome.OBSERVED):
        raise CannotReproduce(f"the case ended as {attempt.outcome}: there is no fault to reproduce")
    events = run.events(attempt)
    if not events:
        raise CannotReproduce(f"the case ended as {attempt.outcome} and left no event: it made no call of the provider")
    recorded = read_calls(events)
    basis = basis_of(recorded, attempt)
    if not basis.calls:
        raise CannotReproduce("no call of the case has an answer that a verdict could rest on")
    if not basis.named and any(each.call.member == "read_bytes" for each in basis.calls):
        raise CannotReproduce("the verdict rests on bytes that readBytes put into an array, which events do not hold")
    changes = own_changes(recorded, attempt.claim or "", basis.calls) if basis.named else ()
    if is_hidden(attempt.claim or "", basis.calls, changes, named=basis.named):
        raise CannotReproduce("the case changed an object of its own between two calls, and events hold calls only")
    part = whole(recorded, basis.last) if every_call else needed(recorded, _roots(recorded, basis, changes))
    limits.check(recorded, part)
    return Reproduction(run, report, attempt, recorded, basis, changes, part)


def _roots(recorded: Recorded, basis: Basis, changes: Sequence[OwnChange]) -> list[Call]:
    near = {answer.call for each in basis.calls for answer in (each.right, each.recorded) if isinstance(answer, Near)}
    own = [call for each in changes for call in (each.returned, *(call for call, _ in each.given)) if call is not None]
    return [*(each.call for each in basis.calls), *own, *(each for each in recorded.calls if each.begin in near)]


def write_java(found: Reproduction, setup: JavaSetup) -> str:
    """Write the Java program.

    Raises:
        CannotReproduce: A value was not recorded, or the profile's broker cannot be started by a program.
    """
    return java_program.write(found.script, found.facts, setup)


def write_python(found: Reproduction, setup: PythonSetup) -> str:
    """Write the Python program.

    Raises:
        CannotReproduce: A value was not recorded.
    """
    return python_program.write(found.script, found.facts, setup)
