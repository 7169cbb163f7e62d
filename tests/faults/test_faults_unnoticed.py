"""Faults that no case notices yet: the witness of each sees it through the API alone."""

import pytest

from faults import Patch, all_nearly_right
from reference_provider.adapter import open_provider

UNNOTICED = all_nearly_right(noticed=False)


def seen(witness, folder):
    folder.mkdir()
    provider = open_provider({"clock": "virtual"}, folder)
    try:
        with provider.clock.actor():
            return witness(provider)
    finally:
        provider.close()


@pytest.mark.parametrize("name", UNNOTICED)
def test_the_witness_sees_the_fault_and_nothing_on_a_sound_provider(name, tmp_path):
    fault = UNNOTICED[name]
    assert seen(fault.witness, tmp_path / "sound") == fault.expected
    patch = Patch()
    fault.install(patch)
    try:
        assert seen(fault.witness, tmp_path / "broken") != fault.expected
    finally:
        patch.undo()
    assert seen(fault.witness, tmp_path / "sound again") == fault.expected
