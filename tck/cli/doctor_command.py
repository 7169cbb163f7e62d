"""`tck doctor`: check a profile and its provider step by step; at the first failure say what to do."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tck.adapters.deadline import Hung, in_time
from tck.adapters.jvm.provider import JvmProvider
from tck.adapters.opening import check_adapter, leave_with, open_provider
from tck.adapters.smoke import INTERFACES, SIMPLIFIED, SmokeResult, smoke
from tck.api import Provider
from tck.catalogue.versions import SINCE, offers, reaches, version_title
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr
from tck.profile import (
    AdapterError,
    Profile,
    ProfileError,
    ProviderUnreachable,
    as_asked,
    check_has_releases,
    load_profile,
    load_tier,
)
from tck.record import Exit
from tck.record.rows import full_reason

OPENING = 120.0
"""Seconds that opening a provider may take, as in a run."""
STEP = 10.0
"""Seconds that a call of the adapter may take."""


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one check; if it failed, what to do."""

    step: str
    ok: bool
    seen: str
    todo: str | None = None


@dataclass(slots=True)
class Examination:
    """The results so far."""

    steps: list[Step]
    provider: dict[str, Any] | None = None
    exit: Exit = Exit.CONFORMANT

    def passed(self, step: str, seen: str) -> None:
        """Record a step that passed."""
        self.steps.append(Step(step, ok=True, seen=seen))

    def failed(self, step: str, seen: str, todo: str, code: Exit) -> None:
        """Record the step that failed."""
        self.steps.append(Step(step, ok=False, seen=seen, todo=todo))
        self.exit = code


@click.command("doctor")
@choices.profile_option
@choices.tier_option
@choices.setting_option
@choices.release_option
@choices.timeout_multiplier_option
@choices.format_option
def command(profile: str, tier: str, settings: tuple[str, ...], release: str, form: str) -> int:
    """Check a profile and its provider, step by step, and say what to do at the first step that fails."""
    try:
        settings = choices.with_release(settings, release)
        loaded = load_profile(profile)
        check_has_releases(loaded, release)
        found = as_asked(loaded, tier, settings)
    except ProfileError as error:
        raise Problem(str(error)) from error
    with stdout_to_stderr() if form == "json" else contextlib.nullcontext():
        examined = examine(found, tier)
    if form == "json":
        steps = [dataclasses.asdict(step) for step in examined.steps]
        emit_json(
            {"profile": str(found.path), "provider": examined.provider, "steps": steps, "exit": int(examined.exit)}
        )
    else:
        words = [profile, *(("--tier", tier) if tier else ())]
        words += [word for text in settings for word in ("--setting", text)]
        emit("\n".join(_lines(shlex.join(words), examined)))
    leave_with(examined.exit)  # a call that hangs may keep threads of Java
    return examined.exit


def examine(profile: Profile, tier: str = "") -> Examination:
    """Open the provider of a profile, carry messages through it, close it.

    Args:
        profile: The profile, as asked.
        tier: The tier whose interfaces are tried; empty for the version that the profile claims.
    """
    examined = Examination([])
    claims = profile.claims
    asked = load_tier(tier or claims.version)
    by = f"; examined by {asked.title}" if tier else ""
    claimed = f"claims {load_tier(claims.version).title} and {len(claims.features)} optional features"
    examined.passed("profile", f"{profile.title}, {claimed}{by}")
    for each in _settings(profile):
        examined.passed("settings", each)
    with tempfile.TemporaryDirectory(prefix="tck-doctor-", ignore_cleanup_errors=True) as folder:
        provider = _open(profile, Path(folder), examined)
        if provider is not None:
            _meet(provider, profile, asked.version, examined)
    return examined


def _settings(profile: Profile) -> Iterator[str]:
    """Yield each setting under which declared deviations apply, with the number of their rows."""
    rows: dict[str, set[str]] = {}
    for each in profile.deviations:
        if each.when:
            rows.setdefault(full_reason("", each.when, each.holds_with), set()).add(each.assertion)
    for setting, ids in rows.items():
        yield f"declared deviations of {len(ids)} row{'s' * (len(ids) > 1)}, {setting}"


def _open(profile: Profile, folder: Path, examined: Examination) -> Provider | None:
    where = profile.adapter.target or profile.adapter.kind
    try:
        check_adapter(profile)  # the jars are downloaded here, which may take its time and says so
        provider = in_time(lambda: open_provider(profile, folder), OPENING, waiting=_still_opening)
    except Hung as hung:
        examined.passed("adapter", f"{where} is there")
        todo = "see why that call waits; the provider's own log may say more"
        examined.failed("open", f"the provider did not open: {hung}", todo, Exit.PROVIDER_LOST)
        return None
    except ProviderUnreachable as error:
        examined.passed("adapter", f"{where} is there")
        todo = "start the provider, or correct [adapter.settings]; then run `tck doctor` again"
        examined.failed("open", str(error), todo, Exit.PROVIDER_LOST)
        return None
    except AdapterError as error:
        page = (
            "docs/jvm.md says what is needed"
            if profile.adapter.kind == "jvm"
            else "docs/write-an-adapter.md shows one that works"
        )
        examined.failed("adapter", str(error), f"correct [adapter] in the profile, or this machine; {page}", Exit.USAGE)
        return None
    examined.passed("adapter", f"{where} is there")
    return provider


def _still_opening(call: str) -> None:
    note(f"tck: the provider is still opening, in {call}")


def _meet(provider: Provider, profile: Profile, version: str, examined: Examination) -> None:
    """Query the provider's name, try the adapter step by step, close."""
    try:
        had = frozenset(each for each in INTERFACES if offers(version, each))
        results = smoke(provider, interfaces=had, shape=profile.names.shape)
        info = in_time(provider.info, STEP, inside=provider.clock.actor)
    except Hung as hung:
        for result in results:
            _tell(result, profile, examined)
        examined.failed("info", str(hung), "see why that call waits", Exit.PROVIDER_LOST)
        return
    except Exception as error:  # noqa: BLE001 - an unfinished adapter raises anything
        seen = f"{type(error).__name__}: {error}"
        examined.failed("info", seen, "return a tck.api.ProviderInfo from info()", Exit.USAGE)
        return
    finally:
        with contextlib.suppress(Exception, Hung):
            in_time(provider.close, STEP)
    hooks = sorted(hook.value for hook in provider.hooks)
    examined.provider = {"name": info.name, "version": info.version, "vendor": info.vendor, "hooks": hooks}
    for result in results:
        _tell(result, profile, examined)
        if result.name == "info" and isinstance(provider, JvmProvider):
            _java_api(provider, version, profile, examined)


def _java_api(provider: JvmProvider, version: str, profile: Profile, examined: Examination) -> None:
    """Compare the version of the API that the jars have with the one that the profile claims, or that was asked for."""
    found = provider.java_api
    seen = f"{version_title(found)}, in {provider.java_api_jar or 'jars of the platform'}"
    beyond = [part for part, since in SINCE.items() if reaches(version, since) and not reaches(found, since)]
    if not beyond:
        examined.passed("Java API", seen)
        return
    asker = "the profile claims" if version == profile.claims.version else "--tier asks for"
    lacking = f"{asker} {version_title(version)}, and beyond that API {', '.join(beyond)}"
    todo = f'claim version = "{found}" in [claims], or give the jar of a newer API among the coordinates'
    examined.failed("Java API", f"{seen}; {lacking}", todo, Exit.USAGE)


def _tell(result: SmokeResult, profile: Profile, examined: Examination) -> None:
    """Record the result of a step; what the profile does not claim may be missing, but not hang."""
    if result.ok:
        examined.passed(result.name, result.seen)
    elif result.name == SIMPLIFIED and "simplified" not in profile.claims.api and not result.hung:
        examined.passed(result.name, f"not claimed, and not there: {result.seen}")
    else:
        code = Exit.PROVIDER_LOST if result.hung else Exit.USAGE
        examined.failed(result.name, f"expected {result.expected}; saw {result.seen}", result.todo, code)


def _lines(name: str, examined: Examination) -> Iterator[str]:
    width = max(len(step.step) for step in examined.steps)
    for step in examined.steps:
        yield f"{'ok  ' if step.ok else 'FAIL'}  {step.step:<{width}}  {step.seen}"
        if step.todo:
            yield f"      {'':<{width}}  to do: {step.todo}"
    if examined.exit is Exit.CONFORMANT:
        yield f"ready: tck run -p {name}"
