"""Explore a provider: programs from the reference provider's side, run here, compared, and what disagrees made small.

May import everything of this package and the profile. Prints nothing.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from tck import api
from tck.adapters.opening import open_provider
from tck.adapters.recording import Recorder
from tck.adapters.working_directory import work_directory
from tck.blame.owners import judged
from tck.catalogue import Catalogue
from tck.catalogue.versions import DELIVERY_DELAYS, offers
from tck.explore.partner import Partner
from tck.explore.shrinking import shrink
from tck.explore.traces import Traces
from tck.profile import Profile
from tck.programs.comparing.comparison import Comparison
from tck.programs.comparing.differences import Difference
from tck.programs.expectation import Execution, Expectation
from tck.programs.observing.environment import RunSettings, stands_still
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Program, ProgramError
from tck.programs.runner import run
from tck.programs.state.objects import Capabilities
from tck.record.outcomes import Declared, Outcome, Verdict, judge, worst
from tck.record.rows import full_reason
from tck.temporary import make_folder, remove_folder

SHRUNK: Final = 25
"""At most so many kinds of disagreement are made small; of further ones the first program is kept as it is."""
SHRINK_SECONDS: Final = 20.0
"""So long one program is made smaller."""
SHRINK_ALL: Final = 180.0
"""So long programs are made smaller in all."""
RECORDED: Final = 3
"""One program of so many is recorded for the trace properties, which cost as much as running it."""
LOST: Final = 5
"""After so many programs in a row in which nothing could be done the provider is lost."""
CONFIRMED: Final = 3
"""So often in a row the smallest program must show its difference again, or the finding is flaky."""


class ProviderLost(Exception):  # noqa: N818 - says what happened
    """The provider does nothing any more."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A kind of disagreement, with the smallest program found that shows it.

    Attributes:
        difference: What differs.
        program: The program.
        verdict: ``disagreement``, ``declared``, ``advisory`` or ``flaky``.
        reason: Why it is declared, if it is.
        times: In how many programs it was seen.
    """

    difference: Difference
    program: Program
    verdict: str
    reason: str | None = None
    times: int = 1


@dataclass(slots=True)
class Explored:
    """What an exploration came to."""

    programs: int = 0
    steps: int = 0
    seconds: float = 0.0
    findings: dict[str, Finding] = field(default_factory=dict)
    allowed: dict[str, int] = field(default_factory=dict)
    met: dict[str, int] = field(default_factory=dict)
    stopped: str = "programs"

    def of(self, verdict: str) -> list[Finding]:
        """Return the findings of a verdict, those seen most often first."""
        return sorted(
            (each for each in self.findings.values() if each.verdict == verdict), key=lambda each: -each.times
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """When to end: after so many programs, after so many seconds, or with the first disagreement."""

    programs: int | None = None
    seconds: float | None = None
    first: bool = False


_JMSX: Final[Mapping[str, str]] = {
    "jmsx-appid": "JMSXAppID",
    "jmsx-consumer-txid": "JMSXConsumerTXID",
    "jmsx-producer-txid": "JMSXProducerTXID",
    "jmsx-rcv-timestamp": "JMSXRcvTimestamp",
    "jmsx-userid": "JMSXUserID",
}


_HOOKS: Final = (api.Hook.RESTART, api.Hook.KILL, api.Hook.SEVER, api.Hook.FAULT, api.Hook.ADMINISTER)
"""The hooks that operations need."""


def claimed_properties(features: frozenset[str]) -> tuple[str, ...]:
    """Return the optional JMSX properties that a profile claims."""
    return tuple(name for feature, name in _JMSX.items() if feature in features)


def capabilities_of(profile: Profile, version: str, hooks: frozenset[api.Hook], *, virtual: bool) -> Capabilities:
    """Return what programs may use on a provider."""
    claims = profile.claims
    apis: list[str] = [each for each in ("classic", "simplified") if each in claims.api]
    if "domain-specific" in claims.api:
        apis += [kind for kind, domain in (("queue", "ptp"), ("topic", "pubsub")) if domain in claims.domains]
    modern = offers(version, DELIVERY_DELAYS)  # its version brought all else that programs ask for
    if not modern:
        apis = [each for each in apis if each != "simplified"]
    offered = tuple(each.value for each in _HOOKS if each in hooks)
    return Capabilities(tuple(apis), tuple(sorted(claims.features)), offered, virtual, modern)


class Explorer:
    """One provider under exploration, and its partner. Use it as a context."""

    def __init__(self, profile: Profile, version: str, catalogue: Catalogue, *, traces: bool = True) -> None:
        self.profile = profile
        self.version = version
        self.catalogue = catalogue
        self.result = Explored()
        self._with_traces = traces
        self._scopes = itertools.count(1)
        self._directories: list[Path] = []
        self._idle = 0
        self._started = time.monotonic()
        self._silence = logging.NullHandler()  # what listeners throw on purpose is logged by some providers

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self._silence)
        self.partner = Partner()
        try:
            self.provider = self._open()
            timing = self.profile.timing
            self.terms = RunSettings(
                timing.delay, timing.deadline, timing.tolerance, claimed_properties(self.profile.claims.features)
            )
            self.virtual = stands_still(self.provider)
            capabilities = capabilities_of(self.profile, self.version, self.provider.hooks, virtual=self.virtual)
            self.partner.begin(self.version, capabilities, self.terms)
            self.traces = Traces(self.provider, self.profile, enabled=self._with_traces)
        except BaseException:
            self.partner.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self._silence)
        self.partner.close()
        try:
            self.provider.close()
        finally:
            for each in self._directories:
                remove_folder(each)

    def _open(self) -> api.Provider:
        directory = make_folder("programs", work_directory())
        self._directories.append(directory)
        return open_provider(self.profile, directory)

    # -- exploring -------------------------------------------------------------------------------------------------

    def explore(self, seed: int, bounds: Bounds, show: Callable[[Explored], None] = lambda _: None) -> Explored:
        """Run programs until a bound is reached.

        Raises:
            ProviderLost: The provider does nothing any more.
            PartnerError: The reference provider failed, or a program is not legal: a fault of the kit.
        """
        self._started = time.monotonic()
        try:
            for number, expectation in self.partner.programs(seed, self._numbers(bounds)):
                self._one(number, expectation)
                self.result.seconds = time.monotonic() - self._started
                show(self.result)
            self._judge()
        except KeyboardInterrupt:
            self.result.stopped = "interrupt"
        self.result.seconds = time.monotonic() - self._started
        return self.result

    def shrink(self, show: Callable[[Finding], None] = lambda _: None) -> None:
        """Make the programs of the findings small, those seen most often first; an interrupt ends it.

        Where the smallest program of a finding shows an earlier one as well, both have one cause, and the earlier is kept.
        """
        declared: set[str] = {each.difference.kind for each in self.result.of("declared")}
        until = time.monotonic() + SHRINK_ALL
        try:
            for finding in sorted(
                [*self.result.of("disagreement"), *self.result.of("advisory")],
                key=lambda each: each.difference.do == "trace",
            )[:SHRUNK]:
                if time.monotonic() > until:
                    break
                show(finding)
                kind = finding.difference.kind
                small, others = self._small(finding)
                del self.result.findings[kind]
                if small.verdict != "disagreement" or not others & declared:
                    self.result.findings[small.difference.kind] = small
                    declared.add(small.difference.kind)
        except KeyboardInterrupt:
            self.result.stopped = "interrupt"

    def _numbers(self, bounds: Bounds) -> Iterator[int]:
        for number in itertools.count():
            if bounds.programs is not None and number >= bounds.programs:
                return
            if bounds.first and self.result.of("disagreement"):
                self.result.stopped = "disagreement"
                return
            if bounds.seconds is not None and time.monotonic() - self._started >= bounds.seconds:
                self.result.stopped = "seconds"
                return
            yield number

    def _one(self, number: int, expectation: Expectation) -> None:
        ran = self._run(expectation, None if number % RECORDED else self.traces.begin(expectation.program))
        self.result.programs += 1
        self.result.steps += len(ran.seen)
        for step in expectation.program.steps:
            self.result.met[step.do] = self.result.met.get(step.do, 0) + 1
        self._account(expectation, ran, judged(expectation, ran, self.terms.claimed))
        if self.traces.full:
            self._judge()

    def try_again(self, program: Program) -> None:
        """Run a stored program, and account for what differs.

        Raises:
            ProgramError: It is not legal, or cannot be run on this provider; the message names the step.
        """
        expectation, ran, found = self.replay(program)
        if expectation.unclear is not None:
            raise ProgramError(expectation.unclear)
        self.result.programs += 1
        self.result.steps += len(ran.seen)
        for kind, each in {each.kind: each for each in reversed(found)}.items():
            verdict, reason = self.verdict_of(each)
            known = self.result.findings.get(kind)
            times = 1 if known is None else known.times + 1
            self.result.findings[kind] = Finding(each, program, verdict, reason, times)

    def replay(self, program: Program) -> tuple[Expectation, Execution, list[Difference]]:
        """Run one program, and give what differs; judged by the trace properties too."""
        expectation = self.partner.run(program)
        recorder = self.traces.alone(program)
        ran = self._run(expectation, recorder)
        found = judged(expectation, ran, self.terms.claimed).differences
        return expectation, ran, found + self.traces.judge_alone(recorder, len(ran.seen) - 1)

    def _run(self, expectation: Expectation, recorder: Recorder | None) -> Execution:
        scope = f"e{next(self._scopes)}"
        ran = run(self.provider, expectation, scope, self.terms, recorder, self.profile.names.shape)
        if ran.hung:
            self._recover()
        return ran

    def _recover(self) -> None:
        """After a hang: another provider, where that is possible; the hanging one is left to itself."""
        if self.profile.adapter.kind == "python":
            self.provider = self._open()
        self.traces.restart(self.provider)

    # -- what disagrees --------------------------------------------------------------------------------------------

    def _account(self, expectation: Expectation, ran: Execution, verdict: Comparison) -> None:
        for one in verdict.allowed:
            self.result.allowed[one.rule] = self.result.allowed.get(one.rule, 0) + 1
        found = verdict.differences
        self._watch(found, ran)
        new: set[str] = set()
        for each in found:
            if each.kind in new:
                continue
            new.add(each.kind)
            self._found(each, expectation.program)

    def _watch(self, found: list[Difference], ran: Execution) -> None:
        """Notice a provider that is lost: one on which nobody can connect any more.

        Raises:
            ProviderLost: It is.
        """
        connects = [seen for step, seen in ((each.do, each.what) for each in found) if step == "connect"]
        self._idle = self._idle + 1 if (connects and "refused" in connects) or ran.hung else 0
        if self._idle >= LOST and not any("ok" in each for each in ran.seen[3:]):
            raise ProviderLost(
                f"nothing could be done in {LOST} programs in a row: {found[0].seen if found else 'hung'}"
            )

    def _found(self, difference: Difference, program: Program) -> None:
        known = self.result.findings.get(difference.kind)
        if known is not None:
            times = known.times + 1
            if len(program) < len(known.program):
                known = replace(known, difference=difference, program=program)
            self.result.findings[difference.kind] = replace(known, times=times)
            return
        verdict, reason = self.verdict_of(difference)
        self.result.findings[difference.kind] = Finding(difference, program, verdict, reason)

    def verdict_of(self, difference: Difference) -> tuple[str, str | None]:
        """Return what a difference means, with the reason that the profile gives where it declares it.

        Each row that it breaks is judged as in a run of the suite; the worst verdict counts. Of a selector, all rows are
        named that it may be about, so one that is declared excuses it. A difference that no row owns is a disagreement.
        """
        reasons = {
            each.assertion: full_reason(each.reason, each.when, each.holds_with) for each in self.profile.deviations
        }
        rows = [each for each in difference.rows if each in self.catalogue]
        verdicts = {
            row: judge(Outcome.BROKEN, self.catalogue[row].level.value, Declared.FAILS if row in reasons else None)
            for row in rows
        }
        declared = next((row for row, verdict in verdicts.items() if verdict is Verdict.DECLARED), None)
        alternatives = (
            OPERATIONS[difference.do].compared is Compared.SELECTION if difference.do in OPERATIONS else False
        )
        meant = (
            Verdict.DECLARED if alternatives and declared else worst(verdicts.values()) if rows else Verdict.VIOLATION
        )
        if meant is Verdict.DECLARED and declared is not None:
            return "declared", reasons[declared]
        return ("advisory" if meant is Verdict.ADVISORY else "disagreement"), None

    def _small(self, finding: Finding) -> tuple[Finding, set[str]]:
        """Return a finding with its smallest program, and the kinds of all differences that this shows."""
        wanted = finding.difference
        best: dict[str, list[Difference]] = {}
        until = time.monotonic() + SHRINK_SECONDS

        def same(other: Difference) -> bool:
            # A shorter selector has other words.
            return other.kind == wanted.kind or other.do == wanted.do == "select"

        def shows(candidate: Program, *, always: bool = False) -> bool:
            if not always and time.monotonic() > until:
                return False
            expectation, _, differences = self.replay(candidate)
            found = expectation.unclear is None and any(map(same, differences))
            if found:
                best[candidate.text()] = differences
            return found

        if not shows(finding.program, always=True):
            return replace(finding, verdict="flaky"), set()
        small = shrink(finding.program, shows)
        again = sum(shows(small, always=True) for _ in range(CONFIRMED))
        differences = best[small.text()]
        difference = next(each for each in differences if same(each))
        verdict, reason = self.verdict_of(difference) if again == CONFIRMED else ("flaky", None)
        kept = replace(finding, difference=difference, program=small, verdict=verdict, reason=reason)
        return kept, {each.kind for each in differences}

    def _judge(self) -> None:
        """Judge what was recorded by the trace properties; a violation is looked for again in its program alone."""
        for program, name in self.traces.judge():
            _, _, found = self.replay(program)
            for each in found:
                if each.what == f"trace {name}":
                    self._found(each, program)
