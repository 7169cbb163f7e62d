"""`tck workload`: drive a provider through a plan of generated load, judge what was seen; list plans; judge a bundle again."""

from __future__ import annotations

import contextlib
import logging
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tck.api import UnsupportedOperationException
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr, table
from tck.profile import (
    AdapterError,
    ProfileError,
    ProviderUnreachable,
    as_asked,
    leave_with,
    load_profile,
    load_tier,
)
from tck.provenance import new_run_id, new_seed
from tck.record import BundleError, Exit
from tck.workload.model import LONGEST, MOST, SHORTEST

if TYPE_CHECKING:
    from tck.workload.engine import Progress
    from tck.workload.model import Plan
    from tck.workload.run import Ended
    from tck.workload.verdicts import PropertyReport

RUNS: Final = "runs"
QUIET_SECONDS: Final = 10
"""How often progress is told where nobody watches."""
_SETTLED: Final = frozenset({"declared", "observation", "unsupported"})
"""Verdicts whose violations surprise nobody: they are counted, and not told."""
LOG: Final = "provider.log"
"""File of the bundle that takes what the provider logs in this process."""


@click.group("workload")
def command() -> None:
    """Drive a provider with many actors, transactions and faults, and judge what they saw."""


@command.command("list")
@choices.format_option
def list_plans(form: str) -> int:
    """List the plans that come with the kit."""
    from tck.workload.plan import load_plan, plan_names  # noqa: PLC0415 - brings numpy

    plans = [load_plan(name) for name in plan_names()]
    if form == "json":
        emit_json([_about(plan) for plan in plans])
        return Exit.CONFORMANT
    rows = [
        (
            plan.name,
            _actors(plan),
            f"{plan.duration:g} s",
            ", ".join([*plan.needs(), *sorted(plan.hooks())]),
            plan.title,
        )
        for plan in plans
    ]
    emit(table(("plan", "actors", "lasts", "needs", "what it does"), rows, right=("actors", "lasts")))
    return Exit.CONFORMANT


def _actors(plan: Plan) -> int:
    return sum(plan.counts())


def _about(plan: Plan) -> dict[str, Any]:
    return {
        "plan": plan.name,
        "title": plan.title,
        "actors": _actors(plan),
        "duration": plan.duration,
        "messages": plan.messages,
        "needs": sorted(plan.needs()),
        "hooks": sorted(plan.hooks()),
        "file": str(plan.file),
    }


@command.command("run")
@choices.profile_option
@choices.tier_option
@click.option("--plan", "plan_name", required=True, metavar="NAME|FILE", help="A plan of the kit, or a TOML file.")
@click.option("--seed", type=int, metavar="N", help="Decides every choice (default: random, printed).")
@click.option(
    "--duration",
    type=choices.Seconds(min=SHORTEST, max=LONGEST),
    metavar="SECONDS",
    help="How long to work, on the provider's clock, at most a week (default: the plan's).",
)
@click.option(
    "--messages",
    type=click.IntRange(min=1, max=MOST),
    metavar="N",
    help="Stop after so many sends of all producers; forwards come on top (default: the plan's, or no bound).",
)
@choices.setting_option
@click.option("--strict", is_flag=True, help="Advisory and inconclusive verdicts fail the run too.")
@choices.out_option
@choices.format_option
def run(
    profile: str,
    tier: str,
    plan_name: str,
    seed: int | None,
    duration: float | None,
    messages: int | None,
    settings: tuple[str, ...],
    strict: bool,
    out: Path,
    form: str,
) -> int:
    """Drive a provider through a plan, judge what was seen, write the bundle."""
    from tck.workload.plan import PlanError, load_plan  # noqa: PLC0415 - brings numpy
    from tck.workload.run import Options, PlanNeeds, run_workload  # noqa: PLC0415 - likewise

    known = choices.catalogue()
    try:
        plan = load_plan(plan_name)
        found = as_asked(load_profile(profile), tier, settings)
        version = load_tier(tier).version if tier else found.claims.version
    except (PlanError, ProfileError) as error:
        raise Problem(str(error)) from error
    run_id = new_run_id()
    options = Options(
        run_id=run_id,
        bundle=out / RUNS / run_id,
        seed=new_seed() if seed is None else seed,
        duration=plan.duration if duration is None else duration,
        messages=plan.messages if messages is None and duration is None else messages or 0,
        version=version,
        strict=strict,
    )
    note(f"tck: workload {plan.name} on {found.title}, seed {options.seed}, bundle {options.bundle}")
    try:
        with (
            stdout_to_stderr() if form == "json" else contextlib.nullcontext(),
            _logged_to(options.bundle),
            _patient_interrupt() as worked,
        ):
            ended = run_workload(found, plan, known, options, Meter().show, worked)
    except PlanNeeds as error:
        raise Problem(str(error)) from error
    except (ProviderUnreachable, AdapterError) as error:
        shutil.rmtree(options.bundle, ignore_errors=True)
        raise Problem(str(error), _unreachable(error)) from error
    except OSError as error:
        where = error.filename or options.bundle
        raise Problem(
            f"{where}: the bundle cannot be written: {error.strerror or error}; free some room, or give --out DIR",
            Exit.KIT_ERROR,
        ) from error
    leave_with(ended.exit)
    if form == "json":
        emit_json(summary(ended, options.bundle, options.seed))
    else:
        emit(report(ended, options.bundle))
    fault = ended.outcome.fault
    if isinstance(fault, UnsupportedOperationException):
        claimed = f"{found.name} claims version {found.claims.version}"
        raise Problem(f"plan {plan.name} needs what the provider does not have: {fault} ({claimed}). Take another plan")
    if fault is not None:
        raise fault
    return ended.exit


@command.command("check")
@click.argument("bundle", metavar="RUN")
@click.option("--allow-truncated", is_flag=True, help="Judge what is there of a run that was killed.")
@choices.out_option
@choices.format_option
def check(bundle: str, allow_truncated: bool, out: Path, form: str) -> int:
    """Judge the bundle of a workload again: RUN is its folder, its id, or `latest`."""
    from tck.check import Margins  # noqa: PLC0415 - brings numpy
    from tck.check.from_operations import fold  # noqa: PLC0415 - likewise
    from tck.record.packed import PackedRun  # noqa: PLC0415 - likewise
    from tck.workload.verdicts import judge_trace  # noqa: PLC0415 - likewise

    folder = _folder(bundle, out)
    try:
        packed = PackedRun.open(folder, allow_truncated=allow_truncated)
        trace = fold(packed.parts(), packed.objects, packed.origin)
    except BundleError as error:
        raise Problem(str(error)) from error
    reports = judge_trace(trace, Margins(**packed.about["margins"]))
    broken = [each for each in reports if each.violations and not each.kind.observes]
    if form == "json":
        emit_json({"bundle": str(folder), "rows": len(trace.rows), "properties": [each.to_json() for each in reports]})
    else:
        emit("\n".join(_table_of(reports) + _told(reports)))
    judged = any(each.obligations for each in reports)
    return Exit.VIOLATION if broken else Exit.CONFORMANT if judged else Exit.NOTHING_JUDGED


def _folder(text: str, out: Path) -> Path:
    with contextlib.suppress(OSError):  # a name may be too long for any folder
        if Path(text).is_dir():
            return Path(text)
    runs = sorted((out / RUNS).glob("*")) if (out / RUNS).is_dir() else []
    known = [path for path in runs if (path / "workload.json").is_file()]
    if text == "latest" and known:
        return known[-1]
    found = [path for path in known if path.name == text]
    if not found:
        have = ", ".join(path.name for path in known[-5:]) or "none"
        raise Problem(f"no workload {text} in {out / RUNS}; there are {have}. Give its folder, its id, or `latest`")
    return found[0]


def _unreachable(error: AdapterError) -> Exit:
    return Exit.PROVIDER_LOST if isinstance(error, ProviderUnreachable) else Exit.USAGE


@contextlib.contextmanager
def _logged_to(bundle: Path) -> Iterator[None]:
    """Keep what the provider logs in this process out of the terminal, and in the bundle once that exists."""
    handler = _Late(bundle / LOG)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


class _Late(logging.FileHandler):
    """A log file that is begun with its first line, if its folder is there by then."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, delay=True, encoding="utf-8")
        self._folder = path.parent

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        if self._folder.is_dir():
            super().emit(record)


@contextlib.contextmanager
def _patient_interrupt() -> Iterator[Callable[[], None]]:
    """The first ^C ends the work in good order, which takes seconds; the second ends the process.

    Gives what to call when the work is over: a first ^C after that changes nothing.
    """
    before = signal.getsignal(signal.SIGINT)
    over = threading.Event()

    def first(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        doing = "judging what was seen" if over.is_set() else "stopping"
        note(f"\ntck: {doing}; ^C once more to leave at once")
        if not over.is_set():
            raise KeyboardInterrupt

    try:
        signal.signal(signal.SIGINT, first)
    except ValueError:  # not the main thread
        yield over.set
        return
    try:
        yield over.set
    finally:
        signal.signal(signal.SIGINT, before)


class Meter:
    """Shows progress with rates: one line that changes on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._next = time.monotonic() + (0 if self._live else QUIET_SECONDS)
        self._last: tuple[float, int, int] = (0.0, 0, 0)

    def show(self, progress: Progress) -> None:
        """Show it, if it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (1 if self._live else QUIET_SECONDS)
        then, sent, delivered = self._last
        self._last = (now, progress.sent, progress.delivered)
        seconds = max(now - then, 0.001) if then else 0
        rates = f" ({(progress.sent - sent) / seconds:.0f}/s)" if then else ""
        rates_out = f" ({(progress.delivered - delivered) / seconds:.0f}/s)" if then else ""
        parts = [
            f"{progress.seconds:5.0f} s",
            progress.phase,
            f"sent {progress.sent}{rates}",
            f"delivered {progress.delivered}{rates_out}",
        ]
        extra = {
            "browsed": progress.browsed,
            "faults": progress.faults,
            "reconnected": progress.reconnected,
            "failed": progress.failed,
        }
        parts += [f"{name} {count}" for name, count in extra.items() if count]
        text = "  ".join(parts)
        if self._live:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        else:
            note(text)


def summary(ended: Ended, bundle: Path, seed: int) -> dict[str, Any]:
    """Render what the run came to; the keys are a contract, see docs/workload.md."""
    outcome = ended.outcome
    return {
        "bundle": str(bundle),
        "seed": seed,
        "stopped": outcome.stopped,
        "sent": outcome.sent,
        "delivered": outcome.delivered,
        "operations": ended.operations,
        "seconds": round(ended.seconds, 3),
        "faults": outcome.faults,
        "failures": outcome.failures,
        "gave_up": outcome.gave_up,
        "hanging": outcome.hanging,
        "properties": [each.to_json() for each in ended.reports],
        "verdicts": {result.case.rpartition("/")[2]: result.verdict.value for result in ended.results},
        "exit": int(ended.exit),
    }


def report(ended: Ended, bundle: Path) -> str:
    """Tell what the run came to."""
    outcome = ended.outcome
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    verdicts = {result.case.rpartition("/")[2]: result.verdict.value for result in ended.results}
    lines = _table_of(ended.reports, verdicts)
    lines += _told([each for each in ended.reports if verdicts.get(each.kind.name) not in _SETTLED])
    counts = (
        f"sent {outcome.sent}, delivered {outcome.delivered}, {ended.operations} operations in {ended.seconds:.1f} s"
    )
    lines.append(f"{counts}; stopped by {outcome.stopped}")
    if outcome.faults:
        lines.append(f"{len(outcome.faults)} faults, {outcome.reconnected} connections made anew")
    if outcome.failures:
        listed = ", ".join(f"{count} {name}" for name, count in outcome.failures.items())
        first = f"; the first without a fault of ours: {outcome.first_failure}" if outcome.first_failure else ""
        lines.append(f"calls that failed: {listed}{first}")
    lines += [f"{actor} gave up: {error}" for actor, error in outcome.gave_up.items()]
    if outcome.hanging:
        lines.append(f"hanging: {', '.join(outcome.hanging)}")
    if outcome.lost:
        lines.append(f"the provider was lost: {outcome.lost}")
    lines.append(f"bundle {bundle}")
    return "\n".join(lines)


def _table_of(reports: Sequence[PropertyReport], verdicts: dict[str, str] | None = None) -> list[str]:
    rows = [
        (
            each.kind.name,
            each.obligations,
            each.violations,
            each.undecided,
            (verdicts or {}).get(each.kind.name, each.outcome.value if each.outcome else ""),
        )
        for each in reports
        if each.outcome is not None
    ]
    head = ("property", "obligations", "violations", "undecided", "verdict")
    silent = [each.kind.name for each in reports if each.outcome is None]
    text = table(head, rows, right=head[1:4]).rstrip("\n")
    return [text, *([f"nothing to judge for {', '.join(silent)}"] if silent else [])]


def _told(reports: Sequence[PropertyReport]) -> list[str]:
    lines: list[str] = []
    for each in reports:
        if each.kind.observes:
            continue
        lines += [f"{finding.key}\n  {finding.text}" for finding, _ in each.findings[:3]]
        if each.violations > 3:
            lines.append(f"  and {each.violations - 3} more of {each.kind.name}, in findings.ndjson")
    return lines
