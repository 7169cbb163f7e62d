"""The provenance of a run, as `run.json` records it: kit, catalogue, profile, provider, machine, command line.

Suite runs and workloads describe themselves here. Imports the provider SPI, the catalogue, profiles and bundles.
"""

from __future__ import annotations

import os
import platform
import random
import secrets
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tck import __version__, api
from tck.catalogue import Catalogue
from tck.catalogue.versions import version_of
from tck.profile import Deviation as Declaration
from tck.profile import Profile, load_profile, play, profile_names
from tck.record import (
    CatalogueRef,
    Claims,
    Deviation,
    Effect,
    Environment,
    Kit,
    ProfileRef,
    ProviderRef,
    Run,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a run that its provenance records.

    Attributes:
        run_id: The run's id (`new_run_id`).
        kind: ``suite`` or ``workload``.
        version: The specification version, or the draft, by which it is judged.
        seed: The seed of every choice.
        selection: Selectors, or the name of a plan.
        points: ``all`` or ``one``.
        strict: Whether advisory and inconclusive verdicts fail the run.
        repeat: Attempts at each case.
        workers: Processes.
    """

    run_id: str
    kind: str
    version: str
    seed: int
    selection: tuple[str, ...] = ()
    points: str = "all"
    strict: bool = False
    repeat: int = 1
    workers: int = 1


def _without(profile: Profile) -> dict[str, str]:
    return {part.what: part.link for part in profile.claims.without}


def describe(asked: Asked, profile: Profile, catalogue: Catalogue, provider: api.Provider | None = None) -> Run:
    """Return the provenance of a run that starts now.

    Args:
        asked: Its options.
        profile: The provider's profile.
        catalogue: The catalogue it is judged by.
        provider: The open provider; None where a worker opens it later.
    """
    claims = profile.claims
    return Run(
        run=asked.run_id,
        kind=asked.kind,
        kit=Kit(__version__),
        catalogue=CatalogueRef(catalogue.digest),
        profile=ProfileRef(
            name=profile.name,
            title=profile.title,
            digest=profile.digest,
            tier=asked.version,
            claims=Claims(claims.version, tuple(sorted(claims.features)), tuple(claims.api), _without(profile)),
            deviations=tuple(map(_deviation, profile.deviations)),
            release=profile.release,
        ),
        provider=(
            describe_provider(provider)
            if provider is not None
            else ProviderRef(profile.title, "unknown", "unknown", claims.version)
        ),
        environment=Environment(platform.python_version(), platform.platform(), os.cpu_count() or 1, asked.workers),
        seed=asked.seed,
        command=_command(),
        started=now(),
        selection=asked.selection,
        points=asked.points,
        strict=asked.strict,
        repeat=asked.repeat,
        clock=clock_of(provider) if provider is not None else "real",
    )


def describe_provider(provider: api.Provider) -> ProviderRef:
    """Return the description of an open provider, with its hooks."""
    info = provider.info()
    hooks = tuple(sorted(hook.value for hook in provider.hooks))
    return ProviderRef(info.name, info.version, info.vendor, info.api_version, info.language, hooks)


def clock_of(provider: api.Provider) -> str:
    """Return the kind of a provider's clock: ``virtual`` or ``real``."""
    return "virtual" if provider.clock.virtual else "real"


def changed_since(run: Run, catalogue: Catalogue) -> dict[str, tuple[str, str]]:
    """Return which bases of a verdict have changed since a run: `kit`, `catalogue`, `profile`, each as (then, now).

    A profile that is not the kit's own is left out.
    """
    pairs = {"kit": (run.kit.version, __version__), "catalogue": (run.catalogue.digest, catalogue.digest)}
    if run.profile.name in profile_names():
        now = load_profile(run.profile.name, catalogue)
        if run.profile.digest != play(now, version_of(run.profile.tier)).digest:
            pairs["profile"] = (run.profile.digest, now.digest)
    return {name: (old, new) for name, (old, new) in pairs.items() if old != new}


def new_run_id() -> str:
    """Return an id for a run that starts now; ids sort by time."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def new_seed() -> int:
    """Return a random seed."""
    return random.SystemRandom().randrange(1 << 31)


def now() -> str:
    """Return the time in UTC, to the millisecond, as bundles write it: runs of one second keep their order."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _command() -> tuple[str, ...]:
    program = Path(sys.argv[0]).name
    return ("tck" if program == "__main__.py" else program, *sys.argv[1:])


def _deviation(declared: Declaration) -> Deviation:
    return Deviation(
        assertion=declared.assertion,
        outcome=declared.outcome,
        reason=declared.reason,
        cases=declared.cases,
        link=declared.link,
        evidence=declared.evidence,
        at_most=declared.at_most,
        expires=declared.expires.isoformat() if declared.expires else None,
        line=declared.line,
        when=declared.when,
        holds_with=declared.holds_with,
        effect=Effect(declared.effect) if declared.effect else None,
    )
