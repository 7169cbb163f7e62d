"""From the end of a case to its result: outcome, verdicts, and the text for people.

Independent of pytest: the hooks pass in what happened, and receive a `record.Result` and a failure text.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from tck.blame.causes import Cause, Kind, Lack
from tck.blame.refusals import Inquiry, Source
from tck.catalogue import Assertion
from tck.catalogue.versions import BY_NAME, NUMBERING
from tck.profile import Declared, Deviation, Profile
from tck.record import DeviationUse, Fault, FindingRow, Outcome, Result, Verdict, Wait, judge, worst
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import CaseCut, Ending, NoHook, Unsupported
from tck.suite.support.harness.point import Point
from tck.suite.support.harness.running import Marks
from tck.suite.support.harness.wording import joined

_UNJUDGED = frozenset({Outcome.UNSUPPORTED, Outcome.UNDECIDED})
_WHOLE = frozenset({Outcome.ERROR, Outcome.LOST, Outcome.UNREACHABLE})
"""Ends of a case that hold for all of its rows."""

PASSING = frozenset({Verdict.CONFORMANT, Verdict.OBSERVATION, Verdict.DECLARED})
SKIPPED = frozenset({Verdict.UNSUPPORTED, Verdict.INCONCLUSIVE})


class ProviderLostError(Exception):
    """The provider could not be opened, or its process went away."""


@dataclass(slots=True)
class Tracked:
    """One attempt at one case, in progress."""

    point: Point
    attempt: int
    rows: tuple[Assertion, ...]
    node: str
    began: float = 0.0
    inquiry: Inquiry | None = None
    """None until the set-up has made a case."""
    outcome: Outcome | None = None
    phase: str = "setup"
    call: str | None = None
    ending: Ending | None = None
    fault: Fault | None = None
    notes: list[str] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    void: dict[str, Cause] = field(default_factory=dict)
    lacks: dict[str, Lack] = field(default_factory=dict)
    """The rows that could not be judged for lack of a call."""
    seconds: float = 0.0
    closed: bool = False
    """Whether the case's connections were closed in time."""

    @property
    def case(self) -> Case | None:
        """The case, once it is made."""
        return self.inquiry.case if self.inquiry is not None else None

    # -- outcome -------------------------------------------------------------------------------------------------

    def returned(self) -> None:
        """The body returned: held, if it has a witness."""
        self.phase = "call"
        if self.case is not None and self.case.marks.open and not self.case.marks.witnesses:
            self.outcome = Outcome.UNDECIDED
        elif self.case is None or not self.case.marks.witnesses:
            self.outcome = Outcome.ERROR
            self.fault = Fault(
                "NoWitness", "the case ended without having seen anything that an idle provider could not show"
            )
        else:
            self.outcome = Outcome.HELD

    def raised(self, phase: str, error: BaseException) -> None:
        """The set-up or the body raised."""
        inquiry, source = self.inquiry, Source.KIT
        self.phase = phase
        if inquiry is not None:
            self.call, source = inquiry.call_of(error), inquiry.source(error)
        if isinstance(error, Ending):
            self.ending = error
            self.outcome = Outcome.ABSENT if source is Source.ABSENT else Outcome(error.outcome)
        elif isinstance(error, CaseCut):
            open_calls = inquiry.open_calls() if inquiry is not None else ()
            must_return = phase == "call" and bool(open_calls)
            self.outcome = Outcome.CUT if must_return else Outcome.CUT_SETUP
            text = f"still open: {', '.join(open_calls)}" if open_calls else "no call of the provider was open"
            self.fault = Fault("CaseCut", f"the case ran past its deadline; {text}")
        elif isinstance(error, ProviderLostError):
            self.outcome = Outcome.UNREACHABLE
            self.fault = Fault(type(error).__name__, str(error))
        elif source is Source.ABSENT:
            self.outcome = Outcome.ABSENT
            self.fault = _fault(error)
        elif source is Source.PROVIDER:
            self.outcome = Outcome.UNDECIDED
            self.fault = _fault(error)
        else:
            self.outcome = Outcome.ERROR
            self.fault = _fault(error)

    def lacked(self, lacks: Mapping[str, Lack]) -> None:
        """Rows could not be judged for lack of a call, which the provider's maintainers may disclaim."""
        self.lacks = dict(lacks)
        if all(row.id in lacks and lacks[row.id].part for row in self.rows):
            self.outcome = Outcome.UNSUPPORTED

    def lost(self, how: str) -> None:
        """The provider is gone: the case gives no verdict on its row."""
        before = self._observed()
        self.notes.append(f"before that: {before}" if before else "")
        self.outcome = Outcome.UNREACHABLE
        self.ending = None
        self.fault = Fault(ProviderLostError.__name__, how)

    def misfit(self, how: str) -> None:
        """The adapter answered a call as no adapter may: the case gives no verdict on any row."""
        self.outcome = Outcome.ERROR
        self.ending = None
        self.causes = []
        self.fault = Fault("AdapterError", how)

    # -- verdict -------------------------------------------------------------------------------------------------

    def result(self, profile: Profile) -> Result:
        """Judge by the verdict table and build the bundle's line."""
        outcome = self.outcome or Outcome.ERROR
        declared = {
            row.id: profile.deviation_for(row.id, self.point.name, self._observed_of(row.id)) for row in self.rows
        }
        outcomes = {row.id: self._outcome_of(row.id, declared[row.id]) for row in self.rows}
        if outcome is Outcome.BROKEN and any(each.kind is Kind.MEANS_FAILED for each in self.causes):
            undecided = {id_ for id_, found in outcomes.items() if found is Outcome.BROKEN and declared[id_] is None}
            outcomes.update(dict.fromkeys(undecided, Outcome.UNDECIDED))
            outcome = Outcome.UNDECIDED if undecided else outcome
        ended_as_declared = self._ended_as_declared(profile)
        verdicts = {
            row.id: self._judge(row, outcomes[row.id], declared, profile)
            for row in self.rows
            if not self._left_to_others(outcomes[row.id], declared[row.id])
            and not (ended_as_declared and outcomes[row.id] is Outcome.UNDECIDED)
        }
        # A program of the corpus cannot tell the condition under which a row is declared to be broken: any will do.
        for cause in self._causes_elsewhere(verdicts):
            known = profile.deviation_for(cause.row.id, self.point.name, cause.text)
            if known is None and self.point.corpus:
                known = profile.known_deviation(cause.row.id)
            if known is None and self.point.plan:  # declared as `tck workload run` names it
                known = profile.deviation_for(cause.row.id, cause.call, cause.text)
            declared.setdefault(cause.row.id, known)
            verdicts[cause.row.id] = judge(Outcome.BROKEN, cause.row.level, _kind(known))
        if outcome is not Outcome.UNREACHABLE:  # no declaration excuses them: the adapter need not claim them
            verdicts.update({each.row.id: judge(Outcome.ABSENT, each.row.level) for each in self.void.values()})
        marks = self.case.marks if self.case else None
        used = next((found for found in declared.values() if found), None)
        return Result(
            case=self.point.name,
            attempt=self.attempt,
            outcome=outcome,
            verdicts=verdicts,
            verdict=worst(verdicts.values()),
            phase=self.phase,
            call=self.call,
            claim=self.rows[0].statement,
            expected=self._expected(),
            observed=self._observed(),
            explanation=self._explanation(),
            cites=self.ending.cites if self.ending else (),
            behaviour=marks.behaviour if marks else None,
            witnesses=tuple(marks.witnesses) if marks else (),
            waits=tuple(Wait(wait.ms, wait.why, timed=wait.timed) for wait in marks.waits) if marks else (),
            ms=round(self.seconds * 1000, 3),
            deviation=_use(used) if used else None,
            error=self.fault,
            findings=_findings(marks.findings if marks else []),
            lacks={row: lack.what for row, lack in self.lacks.items() if outcomes.get(row) in _UNJUDGED},
        )

    def _outcome_of(self, row: str, declared: Deviation | None) -> Outcome:
        """Return the end of the case for one row: a case with blocks for rows ends for each of them by itself."""
        outcome = self.outcome or Outcome.ERROR
        marks = self.case.marks if self.case else None
        if marks is None or outcome in _WHOLE:
            return outcome
        if outcome is Outcome.CUT:  # the call that hung breaks the row that owns it, and no other
            known = _kind(declared) in {"fails", "flaky"}  # by the profile, which expects it
            own = any(cause.row.id == row for cause in self.causes)
            return Outcome.CUT if own or known else Outcome.CUT_SETUP
        if any(cause.row.id == row for cause in self.causes):
            return outcome if outcome is Outcome.ABSENT else Outcome.BROKEN
        if row in self.lacks and (lacked := self._lacked(self.lacks[row])):
            return lacked
        if any(_is_about(failure.row, row, marks, self.rows[0].id) for failure in marks.failures):
            return Outcome.BROKEN
        if not marks.rows or outcome not in {Outcome.HELD, Outcome.BROKEN}:
            return outcome
        if not marks.failures and outcome is Outcome.BROKEN:
            return outcome
        if isinstance(left := marks.open.get(row), NoHook | Unsupported):
            return Outcome(left.outcome)
        if row in marks.open or not marks.rows.get(row, marks.witnesses):
            return Outcome.UNDECIDED
        return Outcome.HELD

    def _lacked(self, lack: Lack) -> Outcome | None:
        """Return the end for a row for lack of a call that another row owns; None if no row does."""
        if lack.part:
            return Outcome.UNSUPPORTED
        return Outcome.UNDECIDED if self.causes and not self.point.journey else None

    def _causes_elsewhere(self, verdicts: Mapping[str, Verdict]) -> Sequence[Cause]:
        """Return the causes whose rows are none of the case, the first of each row."""
        if self.outcome in _WHOLE:
            return ()
        return tuple({each.row.id: each for each in reversed(self.causes) if each.row.id not in verdicts}.values())

    def _judge(
        self, row: Assertion, outcome: Outcome, declared: dict[str, Deviation | None], profile: Profile
    ) -> Verdict:
        """Judge one row. The missing call breaks the row that owns it; without it the others are undecided, and one
        declaration, that of the owner, is enough for all of them.
        """
        lack = self.lacks.get(row.id)
        if outcome is Outcome.UNSUPPORTED and lack is not None:
            return Verdict.UNSUPPORTED
        if outcome is not Outcome.UNDECIDED or lack is None or not self.causes or declared[row.id] is not None:
            return judge(outcome, row.level, _kind(declared[row.id], outcome))
        known = [profile.deviation_for(each.row.id, self.point.name, each.text) for each in self.causes]
        if all(known):
            declared[row.id] = known[0]
        return judge(outcome, row.level, Declared.UNDECIDED if all(known) else None, asked=all(known))

    def _ended_as_declared(self, profile: Profile) -> bool:
        """Return whether a journey could not go on since a call was refused whose refusal the profile declares.

        The hundred rows that it would have judged have other cases, and are not left undecided by what is known.
        """
        return bool(self.point.journey and self.causes) and all(
            profile.deviation_for(each.row.id, self.point.name, each.text) for each in self.causes
        )

    def _left_to_others(self, outcome: Outcome, declared: Deviation | None) -> bool:
        """Return whether this case says nothing of a row.

        A journey judges many rows under one condition each. A row whose declared failure needs another condition has cases of
        its own, which notice when it no longer fails. A journey that needs a call which the provider lacks judges the row
        that owns the call, and no other.
        """
        if not self.point.journey or len(self.rows) == 1:
            return False
        if outcome is Outcome.ABSENT:
            return bool(self.causes)
        return declared is not None and outcome is Outcome.HELD

    def _observed_of(self, row: str) -> str | None:
        """Return the observation about one row: its own failures where it has some, else that of the case."""
        marks = self.case.marks if self.case else None
        own = [each.broken.observed for each in marks.failures if each.row == row] if marks else []
        own += [each.text for each in self.causes if each.row.id == row]
        return "; ".join(own) if own else self._observed()

    def _expected(self) -> str | None:
        if self.ending and self.ending.expected:
            return self.ending.expected
        if self.case and self.case.marks.expected:
            return joined(self.case.marks.expected)
        return None

    def _observed(self) -> str | None:
        """Return the observation: hooks without an effect come first."""
        return "; ".join([*(each.text for each in self.void.values()), *filter(None, [self._seen()])]) or None

    def _seen(self) -> str | None:
        if self.outcome is Outcome.UNSUPPORTED and self.lacks:
            return "; ".join(dict.fromkeys(map(str, self.lacks.values())))
        if self.ending:
            return self.ending.observed
        if self.case and self.case.marks.open:
            return "; ".join(f"{row}: {type(e).__name__}: {e}" for row, e in self.case.marks.open.items())
        if self.fault:
            return f"{self.fault.type}: {self.fault.text}"
        if self.case and self.case.marks.behaviour:
            return self.case.marks.behaviour
        return joined(self.case.marks.witnesses) if self.case else None

    def _explanation(self) -> str | None:
        parts = [self.ending.explanation] if self.ending and self.ending.explanation else []
        parts += [each.because for each in (*self.causes, *self.void.values())]
        return "\n".join([*parts, *self.notes]) or None


def _is_about(named: str | None, row: str, marks: Marks, leading: str) -> bool:
    """Return whether a failure breaks a row: its own, or one without a block where the test named none."""
    return named == row or (named is None and (row == leading or row not in marks.rows))


def failure_text(result: Result, rows: Sequence[Assertion], rerun: str, source: str) -> str:
    """Explain a failure to a reader who knows JMS but not the kit, with the command that runs the case again."""
    row = rows[0]
    lines = [
        f"{result.verdict.upper()}  {result.case}",
        f"  section   {row.section} of {BY_NAME[NUMBERING].title}, {row.level}, assertion {row.id} ({row.title})",
        f"  claim     {row.statement}",
        f"  expected  {result.expected or 'as claimed'}",
        f"  observed  {result.observed or '-'}",
    ]
    if result.explanation:
        lines.append("  because   " + result.explanation.replace("\n", "\n            "))
    if result.cites:
        lines.append(f"  events    {', '.join(map(str, result.cites))}")
    if result.deviation:
        lines.append(
            f"  declared  {result.deviation.outcome}: {result.deviation.full_reason} {result.deviation.link or ''}".rstrip()
        )
    lines += [f"  source    {source}", f"  rerun     {rerun}"]
    if result.error and result.error.trace and result.verdict is Verdict.HARNESS_ERROR:
        lines += ["", result.error.trace.rstrip()]
    return "\n".join(lines)


def _kind(deviation: Deviation | None, outcome: Outcome | None = None) -> str | None:
    """Return the kind of a declaration; one of a flaky failure known by its text covers that it leaves the row undecided, too."""
    if deviation is None:
        return None
    if outcome is Outcome.UNDECIDED and deviation.outcome is Declared.FLAKY and deviation.observed:
        return Declared.UNDECIDED
    return deviation.outcome


def _use(deviation: Deviation) -> DeviationUse:
    return DeviationUse(**{each.name: getattr(deviation, each.name) for each in fields(DeviationUse)})


def _fault(error: BaseException) -> Fault:
    return Fault(type(error).__name__, str(error), "".join(traceback.format_exception(error)))


def _findings(found: Sequence[Mapping[str, object]]) -> tuple[FindingRow, ...]:
    return tuple(FindingRow.from_json(dict(row)) for row in found)
