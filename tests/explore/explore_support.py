"""What the tests of exploration share: a partner that makes programs, and explorers of the reference provider."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tck import api
from tck.catalogue import load_catalogue
from tck.explore.exploration import Explorer, capabilities_of
from tck.explore.partner import Partner
from tck.profile import load_profile, override_settings
from tck.programs.expectation import Expectation
from tck.programs.observing.environment import RunSettings

HOOKS = frozenset(api.Hook)


@contextmanager
def partner(version: str = "3.1") -> Iterator[Partner]:
    found = Partner()
    try:
        found.begin(version, capabilities_of(load_profile("reference"), version, HOOKS, virtual=True), RunSettings())
        yield found
    finally:
        found.close()


def programs(seed: int, count: int, version: str = "3.1") -> list[Expectation]:
    with partner(version) as found:
        return [expectation for _, expectation in found.programs(seed, iter(range(count)))]


@contextmanager
def explorer(saboteur: str | None = None) -> Iterator[Explorer]:
    """Open an explorer; a saboteur is installed in this process until the block ends."""
    profile = override_settings(load_profile("reference"), [f'saboteur="{saboteur}"'] if saboteur else [])
    with Explorer(profile, "3.1", load_catalogue()) as found:
        yield found
