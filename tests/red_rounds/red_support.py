"""What the rounds share: a fault is visible when the sound provider does as expected, and the one with the fault does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from faults import find
from faults.kit.patch import Patch
from reference_provider.adapter import open_provider

VIRTUAL: Mapping[str, object] = {"clock": "virtual"}


def assert_visible(
    name: str,
    witness: Callable[[Any], object],
    expected: object,
    folder: Path,
    *,
    settings: Mapping[str, object] = VIRTUAL,
    acts: bool = True,
) -> None:
    """Run a witness on the sound provider, on the one with the fault, and on the sound one again.

    Args:
        name: The fault.
        witness: Gets the provider; returns what it saw.
        expected: What it has to see on the sound provider, and must not see on the other.
        folder: An empty folder for the data of the three.
        settings: Those of the provider.
        acts: Whether the witness counts as an actor, for whom a virtual clock waits.
    """
    assert _seen(witness, settings, folder / "sound", acts=acts) == expected
    patch = Patch()
    find(name).install(patch)
    try:
        assert _seen(witness, settings, folder / "broken", acts=acts) != expected
    finally:
        patch.undo()
    assert _seen(witness, settings, folder / "sound again", acts=acts) == expected


def _seen(witness: Callable[[Any], object], settings: Mapping[str, object], folder: Path, *, acts: bool) -> object:
    folder.mkdir()
    provider = open_provider(settings, folder)
    try:
        with provider.clock.actor() if acts else nullcontext():
            return witness(provider)
    finally:
        provider.close()
