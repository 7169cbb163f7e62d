"""A pytest plugin that runs in place of the suite: what is collected goes to it, and no case runs by itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from benchmarks.mutants.cases import ROOT, Cases, name_of
from tck.plugin.collecting import parameter_of
from tck.plugin.state import STATE, State

SUITE: Final = ROOT / "tck" / "suite"


class InPlace:
    """The plugin; `run` does what is to be done with the cases."""

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register before the plugin of the kit, which would run the saboteurs: the last one registered is called first."""
        config.pluginmanager.register(_Loop(self))

    def run(self, items: dict[str, pytest.Item], state: State) -> None:
        """Do it.

        Args:
            items: A point of each test, of each journey, and all programs, by the names of the cases.
            state: Runs cases in children.
        """
        raise NotImplementedError


class _Loop:
    def __init__(self, plugin: InPlace) -> None:
        self._plugin = plugin

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the plugin, and nothing else."""
        state = session.config.stash[STATE]
        if state is None or session.testsfailed:
            raise session.Interrupted("the suite could not be collected")
        items = _one_of_each(Cases.of(session.items, state, 1).today)
        self._plugin.run({name_of(item): item for item in items}, state)
        return True


def _one_of_each(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield a point of each test, of each journey, and all programs."""
    seen = set[str]()
    for item in items:
        found = parameter_of(item)
        test = f"{item.nodeid.split('[', maxsplit=1)[0]} {found.point.variant if found else ''}"
        if test not in seen:
            seen.add(test)
            yield item


def run_in_place(plugin: InPlace, cases: Path = SUITE) -> bool:
    """Collect the cases below a folder of the suite and run the plugin; return whether they could be collected."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    fixed = ["-c", str(ROOT / "tck/cli/support/suite.ini"), "--rootdir", str(ROOT), "--confcutdir", str(SUITE), "-q"]
    code = pytest.main([*fixed, "-p", "tck.plugin", "--detect", "--seed", "1", str(cases)], [plugin])
    if code != pytest.ExitCode.OK:
        sys.stderr.write(f"strength: the suite could not be run, pytest ended with {code}\n")
    return code == pytest.ExitCode.OK
