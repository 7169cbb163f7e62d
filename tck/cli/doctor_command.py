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

from tck.adapters.smoke import smoke
from tck.api import Provider
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, stdout_to_stderr
from tck.profile import (
    AdapterError,
    Profile,
    ProfileError,
    ProviderUnreachable,
    load_profile,
    load_tier,
    open_provider,
    override_settings,
)
from tck.record import Exit

SIMPLIFIED = "simplified API"
"""A provider without that interface may fail this smoke step."""


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
@choices.setting_option
@choices.format_option
def command(profile: str, settings: tuple[str, ...], form: str) -> int:
    """Check a profile and its provider, step by step, and say what to do at the first step that fails."""
    try:
        found = override_settings(load_profile(profile), settings)
    except ProfileError as error:
        raise Problem(str(error)) from error
    with stdout_to_stderr() if form == "json" else contextlib.nullcontext():
        examined = examine(found)
    if form == "json":
        steps = [dataclasses.asdict(step) for step in examined.steps]
        emit_json(
            {"profile": str(found.path), "provider": examined.provider, "steps": steps, "exit": int(examined.exit)}
        )
    else:
        emit(
            "\n".join(
                _lines(shlex.join([profile, *(word for text in settings for word in ("--setting", text))]), examined)
            )
        )
    return examined.exit


def examine(profile: Profile) -> Examination:
    """Open the provider of a profile, carry messages through it, close it."""
    examined = Examination([])
    claims = profile.claims
    tier = load_tier(claims.version)
    examined.passed("profile", f"{profile.title}, claims {tier.title} and {len(claims.features)} optional features")
    with tempfile.TemporaryDirectory(prefix="tck-doctor-", ignore_cleanup_errors=True) as folder:
        provider = _open(profile, Path(folder), examined)
        if provider is not None:
            _meet(provider, profile, examined)
    return examined


def _open(profile: Profile, folder: Path, examined: Examination) -> Provider | None:
    where = profile.adapter.target or profile.adapter.kind
    try:
        provider = open_provider(profile, folder)
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


def _meet(provider: Provider, profile: Profile, examined: Examination) -> None:
    """Query the provider's name, try the adapter step by step, close."""
    try:
        results = smoke(provider)
        info = provider.info()
    except Exception as error:  # noqa: BLE001 - an unfinished adapter raises anything
        seen = f"{type(error).__name__}: {error}"
        examined.failed("info", seen, "return a tck.api.ProviderInfo from info()", Exit.USAGE)
        return
    finally:
        with contextlib.suppress(Exception):
            provider.close()
    hooks = sorted(hook.value for hook in provider.hooks)
    examined.provider = {"name": info.name, "version": info.version, "vendor": info.vendor, "hooks": hooks}
    for result in results:
        if result.ok:
            examined.passed(result.name, result.seen)
        elif result.name == SIMPLIFIED and "simplified" not in profile.claims.api:
            examined.passed(result.name, f"not claimed, and not there: {result.seen}")
        else:
            examined.failed(result.name, f"expected {result.expected}; saw {result.seen}", result.todo, Exit.USAGE)


def _lines(name: str, examined: Examination) -> Iterator[str]:
    width = max(len(step.step) for step in examined.steps)
    for step in examined.steps:
        yield f"{'ok  ' if step.ok else 'FAIL'}  {step.step:<{width}}  {step.seen}"
        if step.todo:
            yield f"      {'':<{width}}  to do: {step.todo}"
    if examined.exit is Exit.CONFORMANT:
        yield f"ready: tck run -p {name}"
