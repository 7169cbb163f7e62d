"""One workload from profile and plan to a sealed bundle: open the provider, drive, judge, write.

May import everything of this package, `tck.record` and the profile. Prints nothing.
"""

from __future__ import annotations

import contextlib
import dataclasses
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tck import api
from tck.adapters.opening import open_provider
from tck.catalogue import Catalogue
from tck.catalogue.versions import DELIVERY_DELAYS, offers, reaches
from tck.check import Margins
from tck.check.evidence import Trace
from tck.check.from_operations import fold
from tck.profile import Profile
from tck.provenance import Asked, describe, new_run_id, new_seed, now
from tck.record import (
    Exit,
    Result,
    begin,
    exit_code,
    finish,
    lines,
)
from tck.record.packed import ABOUT, FINDINGS, OBJECTS, OPERATIONS, PROPERTIES, SAMPLES, PackedRun
from tck.record.runs import RUNS
from tck.temporary import temporary_folder
from tck.workload.engine import Engine, Outcome, Progress
from tck.workload.interrupts import Interrupts
from tck.workload.model import Plan
from tck.workload.recorder import Recorder, RecorderClosed
from tck.workload.samples import samples
from tck.workload.verdicts import PropertyReport, cases_and_results, judge_trace

_DRIFT_NS = 1_000_000
"""Two clocks may differ by this much without one having been set, nanoseconds."""
_LAG_MS = 2000
"""The longest time for a thread of a loaded machine to record that its receive has returned, milliseconds."""


class PlanNeeds(Exception):  # noqa: N818 - names the missing feature
    """A plan needs something that the provider does not offer; the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line beside plan and profile. `duration` in seconds."""

    run_id: str
    bundle: Path
    seed: int
    duration: float
    messages: int
    version: str
    strict: bool = False

    @classmethod
    def of(
        cls,
        plan: Plan,
        out: Path,
        version: str,
        *,
        seed: int | None,
        duration: float | None,
        messages: int | None,
        strict: bool,
    ) -> Options:
        """Return the options of a workload that starts now, with the plan's where None is given and a random seed.

        A duration alone lifts the plan's bound on messages.
        """
        run_id = new_run_id()
        return cls(
            run_id=run_id,
            bundle=out / RUNS / run_id,
            seed=new_seed() if seed is None else seed,
            duration=plan.duration if duration is None else duration,
            messages=plan.messages if messages is None and duration is None else messages or 0,
            version=version,
            strict=strict,
        )


@dataclass(frozen=True, slots=True)
class Checked:
    """A bundle that was judged again."""

    reports: list[PropertyReport]
    operations: int
    exit: Exit


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a workload."""

    exit: Exit
    outcome: Outcome
    reports: list[PropertyReport]
    results: list[Result]
    operations: int
    seconds: float


def margins_of(profile: Profile) -> Margins:
    """Return the margins for judging a workload."""
    return Margins(tolerance=max(1, profile.timing.tolerance), lag=_LAG_MS)


def check_needs(plan: Plan, profile: Profile, hooks: frozenset[str]) -> None:
    """Refuse a plan that the provider cannot run.

    Raises:
        PlanNeeds: A version, a feature or a hook is missing.
    """
    claims = profile.claims
    for what, needed in plan.needs().items():
        offered = needed in claims.features if needed == "xa" else reaches(claims.version, needed)
        if not offered:
            have = "does not claim the feature xa" if needed == "xa" else f"claims version {claims.version}"
            raise PlanNeeds(f"plan {plan.name} has {what}; {profile.name} {have}. Take another plan, or a copy without")
    if plan.hooks() and not plan.hooks() & hooks:
        raise PlanNeeds(
            f"plan {plan.name} needs a hook of {', '.join(sorted(plan.hooks()))}; the adapter of {profile.name} offers "
            f"{', '.join(sorted(hooks)) or 'none'}. Take another plan, or a copy without its faults"
        )


def run_workload(
    profile: Profile,
    plan: Plan,
    catalogue: Catalogue,
    options: Options,
    show: Callable[[Progress], None] = lambda _: None,
    interrupts: Interrupts | None = None,
) -> Ended:
    """Drive a provider through a plan, judge the trace, and write the bundle.

    Args:
        profile: The provider.
        plan: The plan.
        catalogue: The rows that the properties judge.
        options: The other options of the command line.
        show: Called with the progress, ten times a second.
        interrupts: The signals that end the work early, or all at once.

    Raises:
        PlanNeeds: The provider lacks something that the plan needs.
        AdapterError, ProviderUnreachable: The provider could not be opened.
        OSError: The bundle cannot be written. Everything recorded until then is kept; nothing is judged.
    """
    check_needs(plan, profile, frozenset(each.value for each in api.Hook))
    began = time.monotonic()
    with temporary_folder("load") as work:
        provider = open_provider(profile, work)
        try:
            hooks = frozenset(hook.value for hook in provider.hooks)
            check_needs(plan, profile, hooks)
            if provider.clock.virtual and not options.messages:
                raise PlanNeeds(
                    f"the clock of {profile.name} is virtual, so a duration means nothing; bound the run with --messages N, "
                    "or take a profile with a real clock, such as reference-realtime"
                )
            plan = dataclasses.replace(plan, faults=tuple(each for each in plan.faults if each.kind in hooks))
            outcome = drive(provider, profile, plan, catalogue, options, show, interrupts)
        finally:
            _close(provider)
    return _judge(profile, plan, catalogue, options, outcome, began)


def drive(
    provider: api.Provider,
    profile: Profile,
    plan: Plan,
    catalogue: Catalogue,
    options: Options,
    show: Callable[[Progress], None] = lambda _: None,
    interrupts: Interrupts | None = None,
) -> Outcome:
    """Drive an open provider through a plan, and record it into an unsealed bundle; `run_workload` describes the rest."""
    asked = Asked(options.run_id, "workload", options.version, options.seed, (plan.name,), strict=options.strict)
    begin(options.bundle, describe(asked, profile, catalogue, provider))
    recorder = Recorder(options.bundle, provider.clock)
    margins = margins_of(profile)
    about: dict[str, Any] = {
        "plan": plan.to_json(),
        "seed": options.seed,
        "duration_s": options.duration,
        "messages": options.messages,
        "margins": asdict(margins),
        "origin_ns": recorder.origin,
        "host": platform.node(),
    }
    try:
        lines.write_whole(options.bundle / ABOUT, lines.pretty(about))
        engine = Engine(
            provider,
            plan,
            recorder,
            seed=options.seed,
            run=options.run_id,
            modern=offers(profile.claims.version, DELIVERY_DELAYS),
            duration=options.duration,
            messages=options.messages,
            margins=margins,
            shape=profile.names.shape,
            show=show,
            interrupts=interrupts,
        )
        outcome = engine.run()
    except RecorderClosed as closed:
        raise recorder.failure or closed from None
    finally:
        rows = recorder.close()
        # After any end, the rows recorded until then can only be judged with these measurements.
        about |= _measured(recorder, margins)
        with contextlib.suppress(OSError):
            lines.write_whole(options.bundle / ABOUT, lines.pretty(about))
    if recorder.failure is not None:
        raise recorder.failure
    fields = {
        name: getattr(outcome, name)
        for name in (
            "stopped",
            "faults",
            "hanging",
            "failures",
            "first_failure",
            "gave_up",
            "sent",
            "delivered",
            "browsed",
        )
    }
    about |= {**fields, "reconnected": outcome.reconnected, "rows": rows}
    lines.write_whole(options.bundle / ABOUT, lines.pretty(about))
    return outcome


def _measured(recorder: Recorder, margins: Margins) -> dict[str, object]:
    """Return how far the provider's clock was set during the run; the margins are widened by it."""
    drift = recorder.drift / 1e6 if recorder.drift > _DRIFT_NS else 0.0
    widened = dataclasses.replace(margins, tolerance=margins.tolerance + drift)
    return {"margins": asdict(widened), "drift_ms": round(drift, 3)}


def _close(provider: api.Provider) -> None:
    try:
        provider.close()
    except Exception as error:  # noqa: BLE001 - the recording is worth more than an orderly close
        print(f"tck: closing the provider failed: {type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201


def _judge(
    profile: Profile,
    plan: Plan,
    catalogue: Catalogue,
    options: Options,
    outcome: Outcome,
    began: float,
) -> Ended:
    folder = options.bundle
    packed, trace, reports = judgement_of(folder, allow_truncated=True)
    cases, results = cases_and_results(reports, plan.name, catalogue, profile, options.version)
    write_findings(folder, reports)
    (folder / SAMPLES).write_bytes(lines.lines(samples(trace.rows, outcome.faults)))
    unsupported = isinstance(outcome.fault, api.UnsupportedOperationException)
    code = exit_code(
        [(result.outcome, verdict) for result in results for verdict in result.verdicts.values()],
        strict=options.strict,
        interrupted=outcome.stopped == "interrupt",
        usage=unsupported,
        kit_error=outcome.fault is not None and not unsupported,
        provider_lost=bool(outcome.lost),
    )
    seconds = time.monotonic() - began
    names = [ABOUT, OBJECTS, SAMPLES, PROPERTIES, FINDINGS]
    parts = [f"{OPERATIONS}/{path.name}" for path in packed.part_paths]
    finish(
        folder,
        cases,
        results,
        run=options.run_id,
        exit=int(code),
        seconds=seconds,
        finished=now(),
        others=[*names, *parts],
        events=len(trace.rows),
    )
    return Ended(code, outcome, reports, results, len(trace.rows), seconds)


def judgement_of(folder: Path, *, allow_truncated: bool) -> tuple[PackedRun, Trace, list[PropertyReport]]:
    """Judge the trace that a bundle holds; return it and the report of each property. See `check_bundle`."""
    packed = PackedRun.open(folder, allow_truncated=allow_truncated)
    trace = fold(packed.parts(), packed.objects, packed.origin)
    return packed, trace, judge_trace(trace, Margins(**packed.about["margins"]))


def write_findings(folder: Path, reports: list[PropertyReport]) -> None:
    """Write the report of each property, and its findings."""
    lines.write_whole(folder / PROPERTIES, lines.lines(each.to_json() for each in reports))
    found = (
        {"key": finding.key, "property": each.kind.name, "text": finding.text, "cites": list(finding.cites), "hit": hit}
        for each in reports
        for finding, hit in each.findings
    )
    lines.write_whole(folder / FINDINGS, lines.lines(found))


def check_bundle(folder: Path, *, allow_truncated: bool) -> Checked:
    """Judge the bundle of a workload again.

    Args:
        folder: The bundle.
        allow_truncated: Whether to judge what is there of a run that was killed.

    Raises:
        BundleError: The bundle cannot be trusted.
    """
    _, trace, reports = judgement_of(folder, allow_truncated=allow_truncated)
    broken = any(each.violations and not each.kind.observes for each in reports)
    judged = any(each.obligations for each in reports)
    code = Exit.VIOLATION if broken else Exit.CONFORMANT if judged else Exit.NOTHING_JUDGED
    return Checked(reports, len(trace.rows), code)
