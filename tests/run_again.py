"""A test that fails is run once more by itself: if it holds then, it is flaky, which is listed and not red.

More than `MOST` failures are red as they are. The variable `TCK_FLAKY` names a file to which the list is appended, for
a build that shows it in its last lines.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MOST = 3
"""The most tests that may fail at first."""
AGAIN = "TCK_TESTS_AGAIN"
"""Set in the process that runs a test again."""


class RunAgain:
    """Runs failed tests again when all tests have ended; registered in the process that reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._failed: dict[str, str] = {}
        """The first failure of each test, in one line."""
        self._lines: list[str] = []

    @classmethod
    def wanted(cls, config: pytest.Config) -> bool:
        """Whether this process reports the tests, and is not itself the second run of one."""
        return not (hasattr(config, "workerinput") or AGAIN in os.environ or config.option.usepdb)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            said = str(crash.message if crash is not None else report.longrepr).strip().splitlines() or [""]
            self._failed.setdefault(report.nodeid, said[0 if crash is not None else -1][:200])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus != pytest.ExitCode.TESTS_FAILED or not self._failed:
            return
        if len(self._failed) > MOST:
            self._lines = [f"{len(self._failed)} tests failed, more than {MOST}: none was run again"]
            return
        held = {test: self._holds(test) for test in self._failed}
        for test, said in self._failed.items():
            word = "FLAKY " if held[test] else "FAILED"
            again = "held when run again by itself" if held[test] else "failed again by itself"
            self._lines.append(f"{word} {test}: failed once ({said}), {again}")
        if all(held.values()):
            session.exitstatus = pytest.ExitCode.OK
            self._tell_build()

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

    def _tell_build(self) -> None:
        name = os.environ.get("TCK_FLAKY")
        if name:
            with Path(name).open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in self._lines)

    def pytest_unconfigure(self) -> None:
        """Show the list below everything else."""
        if self._lines:
            print("\n".join(["", "=== failed tests, run again ===", *self._lines]), flush=True)  # noqa: T201
