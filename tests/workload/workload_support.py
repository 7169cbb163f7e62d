"""What the tests of workloads share: a run of a plan on the reference provider, on its virtual clock."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

from tck.catalogue import load_catalogue
from tck.profile import load_profile
from tck.workload.plan import load_plan
from tck.workload.run import Ended, Options, run_workload

catalogue = cache(load_catalogue)


@cache
def reference():
    return load_profile("reference", catalogue())


def broken(saboteur: str | None):
    """Give the profile of the reference provider with a fault."""
    profile = reference()
    extra = {} if saboteur is None else {"saboteur": saboteur}
    adapter = dataclasses.replace(profile.adapter, settings={**profile.adapter.settings, **extra})
    return dataclasses.replace(profile, adapter=adapter)


def drive(
    folder: Path, plan: str, messages: int, *, saboteur: str | None = None, seed: int = 1, duration: float = 20
) -> Ended:
    """Run a plan, by name or by its text, and give what came of it; the bundle is `folder / "run"`."""
    if "\n" in plan:
        file = folder / "plan.toml"
        file.write_text(plan, encoding="utf-8")
        plan = str(file)
    options = Options("run", folder / "run", seed, duration, messages, "3.1")
    return run_workload(broken(saboteur), load_plan(plan), catalogue(), options)


def violations(ended: Ended) -> dict[str, int]:
    """Give the number of violations of each property that has some."""
    return {each.kind.name: each.violations for each in ended.reports if each.violations}
