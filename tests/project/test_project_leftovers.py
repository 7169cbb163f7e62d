"""Nothing stays among the temporary files: the guard over the tests, and the folders that the kit makes."""

import os
import re
import signal
import subprocess
import sys

import pytest
from project_support import ROOT

from tck import temporary

TIDY = """
import tempfile

def test_tidy(tmp_path):
    (tmp_path / "mine").touch()
    with tempfile.TemporaryDirectory():
        pass
"""
UNTIDY = """
import tempfile
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(25))
def test_untidy(number):
    (Path(tempfile.mkdtemp(prefix=f"planted-{number:02}-")) / "inner").touch()
"""
PROBED = """
import subprocess, sys

KILLED = '''
import os, signal, tempfile
os.write = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
tempfile.gettempdir()
'''

def test_probed():
    assert subprocess.run([sys.executable, "-c", KILLED]).returncode == -9
"""
IN_USE = """
from tck import temporary

def test_in_use():
    temporary.make_folder("run")
"""
KILLED = """
import os, signal, sys
from pathlib import Path
from tck import temporary

folder = temporary.make_folder("run", Path(sys.argv[1]))
print(folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
BESIDE = """
import subprocess, sys

def test_beside():
    subprocess.run([sys.executable, {program!r}, {place!r}], check=False)
"""


def guarded(folder, test, *options):
    """Run a file of tests under the guard; return the exit code, the output and what is left in its temporary folder."""
    (folder / "test_planted.py").write_text(test, encoding="utf-8")
    place = folder / "tmp"
    place.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_DEBUG_TEMPROOT"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "leftovers", "-q", *options, "test_planted.py"],
        cwd=folder,
        env=environment | {"TMPDIR": str(place), "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr, [path.name for path in place.iterdir()]


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("test", [TIDY, IN_USE, PROBED], ids=["tidy", "in-use", "killed-in-gettempdir"])
def test_a_tidy_session_passes(tmp_path, test, options):
    code, out, left = guarded(tmp_path, test, *options)
    assert code == 0, out
    assert [name for name in left if not name.startswith("pytest-of-")] == []


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "workers"])
def test_files_that_are_left_fail_the_session_and_are_named(tmp_path, options):
    code, out, left = guarded(tmp_path, UNTIDY, *options)
    assert code == 1
    assert "25 passed" in out
    assert "expected no temporary files after the tests, saw 25:" in out
    assert len(re.findall(r"planted-\d\d-\S+ \(with inner\)$", out, re.MULTILINE)) == 20
    assert "and 5 more" in out
    assert [name for name in left if not name.startswith("pytest-of-")] == []


@pytest.mark.slow
def test_a_folder_of_the_kit_that_is_left_beside_the_session_fails_it(tmp_path):
    program = tmp_path / "killed.py"
    program.write_text(KILLED, encoding="utf-8")
    code, out, left = guarded(tmp_path, BESIDE.format(program=str(program), place=str(tmp_path / "tmp")))
    assert code == 1
    assert "expected no temporary files after the tests, saw 1:" in out
    assert [name for name in left if name.startswith("tck-run-")] != []


def run(place, program):
    return subprocess.run(
        [sys.executable, "-c", program, str(place)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(place)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    "end",
    [
        "",
        "raise SystemExit(3)",
        "temporary.remove_all(); os._exit(3)",
        "pool.fork(lambda _: temporary.make_folder('run'))",
    ],
)
def test_a_process_that_ends_removes_its_folders(tmp_path, end):
    program = f"""
import os
from tck import temporary
from tck.processes import Pool
temporary.make_folder("run")
with Pool() as pool:
    {end or "pass"}
"""
    done = run(tmp_path, program)
    assert (done.returncode, done.stderr) == (3 if "3" in end else 0, "")
    assert list(tmp_path.iterdir()) == []


def test_the_next_process_removes_the_folder_of_a_killed_one(tmp_path):
    assert run(tmp_path, KILLED).returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert temporary.is_abandoned(left)
    other = tmp_path / "tck-runs"
    other.mkdir()
    mine = temporary.make_folder("run", tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([mine, other])
    temporary.remove_folder(mine)
    temporary.remove_folder(mine)
    assert list(tmp_path.iterdir()) == [other]


def test_a_removal_that_a_signal_interrupts_is_made_up_for_at_the_end(tmp_path):
    program = """
import shutil
from tck import temporary
mine, rmtree = temporary.make_folder("run"), shutil.rmtree

def interrupted(*given, **options):
    shutil.rmtree = rmtree
    raise KeyboardInterrupt

shutil.rmtree = interrupted
temporary.remove_folder(mine)
"""
    assert "KeyboardInterrupt" in run(tmp_path, program).stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_stays(tmp_path):
    mine = temporary.make_folder("run", tmp_path)
    try:
        assert not temporary.is_abandoned(mine)
        run(tmp_path, "from tck import temporary\ntemporary.make_folder('run')")
        assert list(tmp_path.iterdir()) == [mine]
    finally:
        temporary.remove_folder(mine)


def test_a_forked_child_leaves_the_folders_of_its_parent_and_keeps_them_in_use(tmp_path):
    program = """
import os, sys
from pathlib import Path
from tck import temporary
parent_reads, child_writes = os.pipe()
child_reads, parent_writes = os.pipe()
folder = temporary.make_folder("run")
if os.fork() == 0:
    os.close(parent_writes)
    temporary.remove_all()
    os.write(child_writes, b"." if folder.is_dir() else b"-")
    os.read(child_reads, 1)
    os._exit(0)
os.read(parent_reads, 1) == b"." or sys.exit("the child has removed its parent's folder")
"""
    done = run(tmp_path, program)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
