"""A run of the reference provider with faults, made once by the command line: the cases that the programs are written from."""

from __future__ import annotations

from pathlib import Path

import pytest
from reproduce_support import Recorded, record


@pytest.fixture(scope="session")
def redelivered(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Give the cases of a provider that breaks JMSRedelivered."""
    return record(tmp_path_factory.mktemp("redelivered"), "3.4.7-1", "3.4.7-1")


@pytest.fixture(scope="session")
def selected(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Give the cases of a provider that breaks a comparison in selectors."""
    return record(tmp_path_factory.mktemp("selected"), "3.8.1.1-58", "3.8.1.1-58")


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")
