"""`tck explore`: its endings, its output, and the files that it writes and reads."""

import json
import re
import shlex
import signal
import subprocess

import pytest
from cli_support import ROOT, command, environment, one_message, tck

BROKEN = ("--setting", 'saboteur="3.4.10-3"')


def explore(folder, *words):
    return tck("explore", *words, cwd=folder)


def test_a_sound_provider_ends_with_0(tmp_path):
    ended = explore(tmp_path, "--programs", "40", "--seed", "1", "--format", "json")
    output = ended.json()
    assert (ended.code, output["exit"]) == (0, 0)
    assert (output["programs"], output["seed"], output["stopped"], output["findings"]) == (40, 1, "programs", [])
    assert output["calls"] > 400
    assert not (tmp_path / "tck-out").exists()


@pytest.mark.slow
def test_a_disagreement_ends_with_1_and_its_file_runs_again(tmp_path):
    ended = explore(tmp_path, "--programs", "300", "--seed", "11", "--first", *BROKEN)
    assert ended.code == 1, ended.err
    assert "3.4-1" in ended.out
    rerun = re.search(r"rerun +python -m tck (.+)", ended.out)[1]
    assert "--setting 'saboteur=\"3.4.10-3\"'" in rerun
    file = re.search(r"--replay (\S+)", rerun)[1]
    again = explore(tmp_path, *BROKEN, "--replay", file, "--format", "json")
    assert again.code == 1
    assert [each["rows"] for each in again.json()["findings"]] == [["3.4-1"]]
    sound = explore(tmp_path, "--replay", file)
    assert (sound.code, sound.out.splitlines()[-1].endswith("0 disagreements")) == (0, True)


@pytest.mark.slow
def test_the_same_seed_finds_the_same(tmp_path):
    words = ("--programs", "150", "--seed", "11", *BROKEN, "--format", "json")
    first, second = (explore(tmp_path, *words).json() for _ in range(2))
    assert first["findings"]
    assert [each["program"] for each in first["findings"]] == [each["program"] for each in second["findings"]]
    assert [each["times"] for each in first["findings"]] == [each["times"] for each in second["findings"]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--replay", "none.json"], "none.json: cannot be read"),
        (["--replay", "bad.json"], "bad.json: step 1, do: expected one of"),
        (["--replay", "open.json"], "open.json: step 3, unsubscribe: cannot be done"),
        (["--replay", "bad.json", "--seed", "1"], "leave out --seconds, --programs, --seed"),
        (["--seconds", "0"], "--seconds"),
        (["--programs", "0"], "--programs"),
        (["-p", "nobody"], "nobody"),
    ],
)
def test_a_wrong_command_line_or_file_ends_with_4(tmp_path, words, expected):
    (tmp_path / "bad.json").write_text('{"format": 1, "steps": [{"do": "dance"}]}')
    steps = [{"do": "connect", "as": "c1", "api": "classic"}, {"do": "session", "as": "s1", "on": "c1"}]
    steps.append({"do": "unsubscribe", "on": "c1", "name": "sub"})
    (tmp_path / "open.json").write_text(json.dumps({"format": 1, "steps": steps}))
    ended = explore(tmp_path, *words)
    assert ended.code == 4
    assert expected in one_message(ended)


def test_a_provider_that_cannot_be_reached_ends_with_6(tmp_path):
    (tmp_path / "gone.py").write_text("def opener(settings, work_dir):\n    raise ConnectionRefusedError('nobody')\n")
    (tmp_path / "gone.toml").write_text(
        '[profile]\nname = "gone"\ntitle = "Gone"\n[adapter]\ntarget = "gone:opener"\n[claims]\nversion = "3.1"\n'
    )
    ended = explore(tmp_path, "-p", "gone.toml", "--programs", "5")
    assert ended.code == 6
    assert "the provider could not be opened" in ended.err


def test_an_interrupt_shows_what_was_found_and_ends_with_2(tmp_path):
    process = subprocess.Popen(
        command("explore", "--seconds", "60", "--seed", "11", "--format", "json"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "with seed 11" in process.stderr.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)  # programs run by then
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 2, err
    assert json.loads(out)["stopped"] == "interrupt"


@pytest.mark.slow
def test_the_page_shows_what_is_really_said(tmp_path):
    page = (ROOT / "docs" / "explore.md").read_text(encoding="utf-8")
    words = re.search(r"<!-- tck (explore .+) -->", page)[1]
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)[1]
    ended = tck(*shlex.split(words), cwd=tmp_path)
    assert ended.code == 1
    heading, *_, expected, seen = shown.splitlines()
    assert ended.out.startswith(heading.partition("(")[0])
    assert f"{expected}\n{seen}\n" in ended.out


@pytest.mark.slow
def test_the_program_of_the_page_is_one(tmp_path):
    page = (ROOT / "docs" / "explore.md").read_text(encoding="utf-8")
    (tmp_path / "page.json").write_text(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])
    assert explore(tmp_path, "--replay", "page.json").code == 0
    assert explore(tmp_path, "--replay", "page.json", "--setting", 'saboteur="3.4.10-3"').code == 1
