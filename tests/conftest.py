"""What holds for all tests of the kit: none is timed, since machines are shared and noisy; one that fails runs again."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from run_again import SECONDS, Bound, RunAgain

from tck.termination import heed_ignored_signals

pytest_plugins = ["leftovers"]  # nothing stays among the temporary files

heed_ignored_signals()  # before any test starts a process: tests of interrupts hold also under `nohup ... &`

settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")

MARKS = {"jvm": "java", "reproduce/test_reproduce_java.py": "java", "pipeline": "spark"}
"""The mark of each test in a folder or module: what it needs, or that it is slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of some folders."""
    here = Path(__file__).parent
    for item in items:
        place = item.path.relative_to(here).as_posix() if item.path.is_relative_to(here) else ""
        for folder, mark in MARKS.items():
            if place == folder or place.startswith(f"{folder}/"):
                item.add_marker(mark)


def pytest_configure(config: pytest.Config) -> None:
    """Register what the tests of the kit need beside pytest's own."""
    if SECONDS in os.environ:
        config.pluginmanager.register(Bound(float(os.environ[SECONDS])), "tck-bound")
    if RunAgain.wanted(config):
        config.pluginmanager.register(RunAgain(config), "tck-run-again")
