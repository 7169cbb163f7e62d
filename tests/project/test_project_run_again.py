"""A test that fails runs once more by itself: flaky tests are listed, and only they are not red."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CONFTEST = """
from run_again import Bound, RunAgain

def pytest_configure(config):
    config.addinivalue_line("markers", "slow: as in the kit")
    config.pluginmanager.register(Bound(0))
    if RunAgain.wanted(config):
        config.pluginmanager.register(RunAgain(config))
"""
FLAKY = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_flaky(number):
    seen = Path(__file__).with_name(f"seen-{{number}}")
    before = seen.exists()
    seen.touch()
    assert before, "not yet"
"""


def run(folder, body, *words):
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\n")
    shutil.copy(TESTS / "run_again.py", folder)
    (folder / "test_it.py").write_text(body)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TCK_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**environment, "TCK_FLAKY": str(folder / "flaky.txt")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("words", [("-n", "0"), ("-n", "2")])
def test_a_test_that_holds_by_itself_is_listed_and_green(tmp_path, words):
    done = run(tmp_path, FLAKY.format(count=3), *words)
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.splitlines()[-3:]
    assert sorted(last) == [
        f"FLAKY  test_it.py::test_flaky[{number}]: failed once (AssertionError: not yet), held when run again by itself"
        for number in range(3)
    ]
    assert last == (tmp_path / "flaky.txt").read_text().splitlines()


def test_more_than_three_are_red(tmp_path):
    done = run(tmp_path, FLAKY.format(count=4), "-n", "0")
    assert done.returncode == 1
    assert "4 tests failed, more than 3: none was run again" in done.stdout
    assert not (tmp_path / "flaky.txt").exists()


def test_one_that_fails_again_is_red_and_shows_both_results(tmp_path):
    done = run(tmp_path, FLAKY.format(count=1) + "\n\ndef test_wrong():\n    assert 1 == 2\n", "-n", "0")
    assert done.returncode == 1
    assert "FAILED test_it.py::test_wrong: failed once (assert 1 == 2), failed again by itself" in done.stdout
    assert "FLAKY  test_it.py::test_flaky[0]: failed once" in done.stdout
    assert not (tmp_path / "flaky.txt").exists()


def test_a_fixture_that_fails_counts_too(tmp_path):
    body = (
        "import pytest\n\n@pytest.fixture\ndef broken():\n    raise OSError('gone')\n\ndef test_it(broken):\n    pass\n"
    )
    done = run(tmp_path, body, "-n", "0")
    assert done.returncode == 1
    assert "OSError: gone), failed again by itself" in done.stdout


@pytest.mark.parametrize("words", [("-n", "0"), ("-n", "2")])
def test_a_slow_test_for_which_there_is_no_time_is_left_out_by_name(tmp_path, words):
    body = "import pytest\n\ndef test_quick(): pass\n\n@pytest.mark.slow\ndef test_long(): pass\n"
    done = run(tmp_path, body, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed, 1 skipped" in done.stdout
    last = ["LEFT OUT  test_it.py::test_long: no time was left for this slow test"]
    assert done.stdout.splitlines()[-1:] == (tmp_path / "flaky.txt").read_text().splitlines() == last
