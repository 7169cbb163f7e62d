"""A test that fails is run once more by itself: if it holds then, it is flaky, which is listed and not red.

More than `MOST` failures are red as they are. The variable `TCK_FLAKY` names a file to which the list is appended, for
a build that shows it in its last lines. So are tests for which a build had no time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

MOST = 3
"""The most tests that may fail at first."""
SECONDS = "TCK_SLOW_SECONDS"
"""The variable by which a build whose time is bounded says after how many seconds no further slow test starts."""
NO_TIME = "no time was left for this slow test"
"""Why a test was left out, in a build whose time is bounded."""
AGAIN = "TCK_TESTS_AGAIN"
"""Set in the process that runs a test again."""


class Bound:
    """Leaves slow tests out when their time is over; each process counts from its own start."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.get_closest_marker("slow") and time.monotonic() > self._end:
            pytest.skip(NO_TIME)


class RunAgain:
    """Runs failed tests again when all tests have ended; registered in the process that reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._failed: dict[str, str] = {}
        """The first failure of each test, in one line."""
        self._left: list[str] = []
        """The tests for which there was no time."""
        self._lines: list[str] = []

    @classmethod
    def wanted(cls, config: pytest.Config) -> bool:
        """Whether this process reports the tests, and is not itself the second run of one."""
        return not (hasattr(config, "workerinput") or AGAIN in os.environ or config.option.usepdb)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and NO_TIME in str(report.longrepr):
            self._left.append(report.nodeid)
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            said = str(crash.message if crash is not None else report.longrepr).strip().splitlines() or [""]
            self._failed.setdefault(report.nodeid, said[0 if crash is not None else -1][:200])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._left:
            self._lines = [f"LEFT OUT  {each}: {NO_TIME}" for each in self._left]
            self._tell_build()
        if exitstatus != pytest.ExitCode.TESTS_FAILED or not self._failed:
            return
        if len(self._failed) > MOST:
            self._lines += [f"{len(self._failed)} tests failed, more than {MOST}: none was run again"]
            return
        held = {test: self._holds(test) for test in self._failed}
        for test, said in self._failed.items():
            word = "FLAKY " if held[test] else "FAILED"
            again = "held when run again by itself" if held[test] else "failed again by itself"
            self._lines.append(f"{word} {test}: failed once ({said}), {again}")
        if all(held.values()):
            session.exitstatus = pytest.ExitCode.OK
            self._tell_build(len(self._left))

    def _holds(self, test: str) -> bool:
        words = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(self._config.rootpath),
        ]
        if self._config.pluginmanager.hasplugin("xdist"):
            words += ["-n", "0"]
        done = subprocess.run(
            [*words, test],
            cwd=self._config.invocation_params.dir,
            env={**os.environ, AGAIN: "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            self._lines += [f"--- {test}, run again by itself:", *done.stdout.splitlines()[-60:]]
        return not done.returncode

    def _tell_build(self, first: int = 0) -> None:
        name = os.environ.get("TCK_FLAKY")
        if name:
            with Path(name).open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in self._lines[first:])

    def pytest_unconfigure(self) -> None:
        """Show the list below everything else."""
        if self._lines:
            head = "=== tests that failed and ran again, or were left out ==="
            print("\n".join(["", head, *self._lines]), flush=True)  # noqa: T201
