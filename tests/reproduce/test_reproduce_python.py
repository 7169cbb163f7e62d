"""Programs in Python: they show the fault on the provider that has it, and do right on the sound one."""

import sys
from pathlib import Path

import pytest
from reproduce_support import Recorded, run, tck

SOUND = ("--profile", "reference")


def written(recorded: Recorded, name: str, out, *options: str):
    ended = tck("reproduce", recorded.run.run.run, name, "--out", str(recorded.folder), "--to", str(out), *options)
    assert ended.code == 0, ended.err
    return ended.out.splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["redelivered", "selected"])
def test_a_program_shows_the_fault_and_ends_with_1(kind, out, request):
    recorded = request.getfixturevalue(kind)
    program = written(recorded, recorded.broken[0].name, out / kind)
    ended = run(sys.executable, program)
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines()[-1] == "as recorded: the provider has the fault"


@pytest.mark.parametrize("kind", ["redelivered", "selected"])
def test_the_same_program_ends_with_0_on_a_sound_provider(kind, out, request):
    recorded = request.getfixturevalue(kind)
    program = written(recorded, recorded.broken[0].name, out / f"sound-{kind}", *SOUND)
    ended = run(sys.executable, program)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "right: the provider does not have the fault"


def test_a_program_prints_what_was_expected_recorded_and_seen(redelivered, out):
    ended = run(sys.executable, written(redelivered, redelivered.broken[0].name, out / "printed"))
    words = [line.split()[0] for line in ended.out.splitlines() if line.startswith("    ")]
    assert words[:3] == ["expected", "recorded", "seen"]


def test_every_call_makes_the_whole_case(redelivered, out):
    name = redelivered.broken[0].name
    small, whole = (
        Path(written(redelivered, name, out / folder, *options)).read_text(encoding="utf-8")
        for folder, options in (("small", ()), ("whole", ("--every-call",)))
    )
    assert len(small) < len(whole)
