"""The progress of `tck run`: cases done, violations so far, time left; in place of a letter for each case.

On a terminal it is one line that is written again and again, elsewhere at most a line for each fifth of the cases.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Generator
from typing import Any, Final

import pytest

from tck.plugin.state import STATE, State
from tck.record import Verdict

NAME: Final = "tck-progress"
EVERY: Final = 0.2
"""Seconds between two updates of the line on a terminal."""
PAUSE: Final = 10.0
"""Seconds before the next line elsewhere."""
SILENCE: Final = 9.0
"""Seconds without the end of a case after which the run tells what it waits for."""
PARTS: Final = 5
"""How many lines there are elsewhere, at most."""
BAD: Final = (
    (Verdict.VIOLATION, "violation"),
    (Verdict.UNDECIDED, "undecided"),
    (Verdict.STALE, "stale"),
    (Verdict.HARNESS_ERROR, "harness error"),
)
PLURAL: Final = {"violation": "violations", "harness error": "harness errors"}


class Progress:
    """The plugin that shows it."""

    def __init__(self) -> None:
        self._total = 0
        self._done = 0
        self._counts: Counter[str] = Counter()
        self._began = self._shown = time.monotonic()
        self._part = 0
        self._reporter: Any = None
        self._process = 0
        self._state: State | None = None
        self._changed = self._spoke = self._began
        self._over = threading.Event()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Show the provider, the version and the seed: pytest's own header is left out."""
        self._reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        state = session.config.stash.get(STATE, None)
        self._state = state
        if self._reporter is not None and state is not None:
            self._reporter.write_line(state.header)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Begin to count."""
        self._process = os.getpid()
        self._total = len(session.items)
        self._began = self._shown = self._changed = time.monotonic()
        self._spoke = self._changed
        if self._state is None or self._state.controller is None:
            return
        self._state.idle = self._break_silence
        if not self._state.options.forks:  # forked children would inherit what the thread holds at that moment
            threading.Thread(target=self._look, name="tck-silence", daemon=True).start()

    def _look(self) -> None:
        while not self._over.wait(1.0):
            self._break_silence()

    def _break_silence(self) -> None:
        """Tell what the run waits for, whenever no case has ended for a while."""
        now = time.monotonic()
        if now - max(self._spoke, self._changed) < SILENCE or self._state is None or self._reporter is None:
            return
        self._spoke = now
        doing = self._state.process.doing if self._state.alone else "the worker processes open it, or run a case each"
        self._reporter.write_line(f"no case has ended for {now - self._changed:.0f} s: {doing}")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_report_teststatus(self) -> Generator[None, Any, None]:
        """Keep the category of each report, and print neither letter nor word."""
        found = yield
        result = found.get_result()
        if result is not None:
            found.force_result((result[0], "", ""))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a case, and show the progress where it is time."""
        verdict = getattr(report, "tck_verdict", None)
        if verdict is None or self._reporter is None or os.getpid() != self._process:  # a forked child does not print
            return
        self._done += 1
        self._changed = time.monotonic()
        self._counts[verdict] += 1
        now = time.monotonic()
        if self._reporter.isatty:
            if now - self._shown >= EVERY or self._done == self._total:
                self._shown = now
                self._reporter.rewrite(self._line(now)[: self._reporter._tw.fullwidth - 1], erase=True)  # noqa: SLF001 - pytest offers no width in public
        elif now - self._shown >= PAUSE and self._done * PARTS // max(self._total, 1) > self._part:
            self._shown, self._part = now, self._done * PARTS // self._total
            self._reporter.write_line(self._line(now))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> Generator[None, Any, None]:  # noqa: ANN401 - pytest's reporter
        """Leave out pytest's reports of failed cases, which the verdicts show by cause; errors of the collection stay."""
        if not terminalreporter.stats.get("error"):
            config.option.tbstyle = "no"
        yield

    def pytest_sessionfinish(self) -> None:
        """Leave the line of a terminal."""
        self._over.set()
        if self._reporter is not None and self._reporter.isatty and self._done and os.getpid() == self._process:
            self._reporter.write_line("")

    def _line(self, now: float) -> str:
        parts = [f"{self._done:,} of {self._total:,} cases"]
        for verdict, word in BAD:
            if number := self._counts[verdict.value]:
                parts.append(f"{number:,} {word if number == 1 else PLURAL.get(word, word)}")
        if self._done < self._total:
            left = (now - self._began) / self._done * (self._total - self._done)
            parts.append(f"about {left:.0f} s left" if left < 120 else f"about {left / 60:.0f} min left")
        return ", ".join(parts)
