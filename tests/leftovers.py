"""A plugin that fails the session if the tests leave something among the temporary files.

The session has a temporary folder of its own, so what is in it at the end is the tests', whatever other processes of the machine
do meanwhile. Folders of the kit beside it, which a test that unsets TMPDIR may make, count if their processes have ended.
"""

from __future__ import annotations

import gc
import os
import re
import tempfile
import time
from pathlib import Path

import pytest

from tck import temporary
from tck.adapters.working_directory import work_directory

SHOWN = 20
PATIENCE = 60.0
"""Seconds for processes that a test has killed, or whose pipe it has closed, to end and to remove their files."""
FOREIGN = ("pytest-of-", "hsperfdata_")
"""What pytest and Java keep under fixed names, and clear themselves."""
PROBE = re.compile(r"[a-z0-9_]{8}")
"""The file of at most four bytes by which Python tries the temporary folder, once in each process; a kill in between leaves it."""
KINDS = ("run", "jvm", "load", "programs")
JUDGED = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}
"""An interrupted session has interrupted tests, which could not clean up."""


def pytest_configure(config: pytest.Config) -> None:
    """Watch the temporary files, in the one process that starts and ends the others."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Leftovers(), "tck-leftovers")


class Leftovers:
    """The temporary folder of the session."""

    def __init__(self) -> None:
        self.before = {name: os.environ.get(name) for name in ("TMPDIR", "PYTEST_DEBUG_TEMPROOT")}
        self.tempdir = tempfile.tempdir
        usual = Path(tempfile.gettempdir())
        self.folder = temporary.make_folder("tests", work_directory())
        self.places = {usual, self.folder.parent, Path("/dev/shm")}  # noqa: S108 - the kit makes folders there
        self.known = set(self.beside())
        self.found: list[Path] = []
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(usual))  # what tmp_path gives stays where it was
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.folder)

    @pytest.hookimpl(trylast=True)  # xdist ends its processes in this hook
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail the session if something is left."""
        if exitstatus not in JUDGED:
            return
        gc.collect()
        temporary.remove_all(but=self.folder)
        until = time.monotonic() + PATIENCE
        while (found := [*self.inside(), *self.left_beside()]) and time.monotonic() < until:
            time.sleep(0.05)
        self.found = found
        if found:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name what is left."""
        if not self.found:
            return
        terminalreporter.section("temporary files are left", red=True)
        number = len(self.found)
        terminalreporter.line(f"expected no temporary files after the tests, saw {number}:")
        for path in self.found[:SHOWN]:
            terminalreporter.line(f"  {path}{content(path)}")
        if number > SHOWN:
            terminalreporter.line(f"  and {number - SHOWN} more")
        terminalreporter.line(
            "Use tmp_path in tests, and give a process that a test kills TMPDIR=tmp_path; in the kit use tck.temporary."
        )

    def pytest_unconfigure(self) -> None:
        """Remove the folder, and restore the usual one."""
        tempfile.tempdir = self.tempdir
        for name, value in self.before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        temporary.remove_folder(self.folder)

    def inside(self) -> list[Path]:
        """Return what is in the session's folder."""
        left = (path for path in self.folder.iterdir() if not path.name.startswith(FOREIGN))
        return sorted(path for path in left if not is_probe(path))

    def beside(self) -> list[Path]:
        """Return the kit's folders in the places that the session shares with other processes."""
        return sorted(path for place in self.places for kind in KINDS for path in place.glob(f"tck-{kind}-*"))

    def left_beside(self) -> list[Path]:
        """Return those that are new and whose processes have ended."""
        return [path for path in self.beside() if path not in self.known and temporary.is_abandoned(path)]


def is_probe(path: Path) -> bool:
    """Tell whether Python's `tempfile` has made a file to see whether its folder can be written."""
    if not PROBE.fullmatch(path.name):
        return False
    try:
        return path.is_file() and path.stat().st_size <= len(b"blat")
    except OSError:
        return False


def content(path: Path) -> str:
    """Return a file in a folder, as a hint at who made it."""
    if not path.is_dir():
        return ""
    inner = next((each for each in sorted(path.rglob("*")) if each.is_file()), None)
    return f" (with {inner.relative_to(path)})" if inner else " (empty)"
