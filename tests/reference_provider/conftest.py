"""Fixtures: a provider on a real file with a virtual clock, this thread being one of its actors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reference_provider.adapter import open_provider
from reference_provider.provider import ReferenceProvider


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[ReferenceProvider]:
    with open_provider({"clock": "virtual"}, tmp_path) as opened, opened.clock.actor():
        yield opened


@pytest.fixture
def real_time(tmp_path: Path) -> Iterator[ReferenceProvider]:
    with open_provider({"clock": "system"}, tmp_path) as opened:
        yield opened
