"""`tck workload`: run a plan of generated load against a provider, judge the trace; list plans; judge again."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tck.adapters.opening import leave_with
from tck.api import UnsupportedOperationException
from tck.cli.support import bundles, choices, workload_text
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr, table
from tck.profile import AdapterError, ProfileError, ProviderUnreachable, as_asked, load_profile, load_tier
from tck.record import BundleError, Exit
from tck.running.options import DEFAULT_PROFILE, REAL_TIME
from tck.workload.interrupts import patient_interrupt
from tck.workload.model import LONGEST, MOST, SHORTEST
from tck.workload.provider_log import logged_to

if TYPE_CHECKING:
    from tck.workload.model import Plan


@click.group("workload")
def command() -> None:
    """Drive a provider with many actors, transactions and faults, and judge the trace."""


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


"""The reference provider on the clock of the machine."""


@command.command("run")
@click.option(
    "-p",
    "--profile",
    metavar="NAME|FILE",
    help="The provider (default: reference with --messages, reference-realtime without, since a virtual clock has no end).",
)
@choices.tier_option
@click.option("--plan", "plan_name", required=True, metavar="NAME|FILE", help="A plan of the kit, or a TOML file.")
@click.option("--seed", type=int, metavar="N", help="Seed of every choice (default: random, printed).")
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
@choices.timeout_multiplier_option
@choices.out_option
@choices.format_option
def run(
    profile: str | None,
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
    """Drive a provider through a plan, judge the trace, write the bundle."""
    from tck.workload.plan import PlanError, load_plan  # noqa: PLC0415 - brings numpy
    from tck.workload.run import Options, PlanNeeds, run_workload  # noqa: PLC0415 - likewise

    known = choices.catalogue()
    profile = profile or (DEFAULT_PROFILE if messages else REAL_TIME)
    try:
        plan = load_plan(plan_name)
        found = as_asked(load_profile(profile), tier, settings)
        version = load_tier(tier).version if tier else found.claims.version
    except (PlanError, ProfileError) as error:
        raise Problem(str(error)) from error
    options = Options.of(plan, out, version, seed=seed, duration=duration, messages=messages, strict=strict)
    note(f"tck: workload {plan.name} on {found.title}, seed {options.seed}, bundle {options.bundle}")
    try:
        with (
            stdout_to_stderr() if form == "json" else contextlib.nullcontext(),
            logged_to(options.bundle),
            patient_interrupt(note) as interrupts,
        ):
            ended = run_workload(found, plan, known, options, workload_text.Meter().show, interrupts)
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
        emit_json(workload_text.summary(ended, options.bundle, options.seed))
    else:
        emit(workload_text.report(ended, options.bundle))
    fault = ended.outcome.fault
    if isinstance(fault, UnsupportedOperationException):
        claimed = f"{found.name} claims version {found.claims.version}"
        raise Problem(
            f"plan {plan.name} needs a feature that the provider does not have: {fault} ({claimed}). Take another plan"
        )
    if fault is not None:
        raise fault
    return ended.exit


@command.command("check")
@click.argument("bundle", metavar="RUN")
@click.option("--allow-truncated", is_flag=True, help="Judge a run that was killed.")
@choices.out_option
@choices.format_option
def check(bundle: str, allow_truncated: bool, out: Path, form: str) -> int:
    """Judge the bundle of a workload again: RUN is its folder, its id, or `latest`."""
    from tck.workload.run import check_bundle  # noqa: PLC0415 - brings numpy

    folder = bundles.find_workload(bundle, out)
    try:
        checked = check_bundle(folder, allow_truncated=allow_truncated)
    except BundleError as error:
        raise Problem(str(error)) from error
    if form == "json":
        properties = [each.to_json() for each in checked.reports]
        emit_json({"bundle": str(folder), "rows": checked.operations, "properties": properties})
    else:
        emit("\n".join(workload_text.properties(checked.reports)))
    return checked.exit


def _unreachable(error: AdapterError) -> Exit:
    return Exit.PROVIDER_LOST if isinstance(error, ProviderUnreachable) else Exit.USAGE
