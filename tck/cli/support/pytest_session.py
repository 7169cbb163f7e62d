"""Runs pytest in this process, on the suite: with our plugins only, from any folder, out of a checkout or an installed
kit.

The suite's own ini file and folder are named, so no other conftest and no other setting takes part, and the plugin
is registered once.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tck.cli.support.console import Problem, reader_gone
from tck.cli.support.suite_tests import ROOT, SUITE
from tck.plugin.collecting import parameter_of
from tck.plugin.progress import Progress
from tck.plugin.state import STATE, State
from tck.plugin.summary import NAME as SUMMARY
from tck.record import Exit

INI = Path(__file__).with_name("suite.ini")
AUTOLOAD = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
RESTARTS = "256"
"""How many processes may be replaced: one for each case that hangs. By default xdist gives up, silently, after four per process."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a session ended.

    Attributes:
        exit: Its exit code.
        state: The run's state; None if the session ended earlier.
        width: Columns of the terminal.
        colour: Whether the terminal shows colour.
    """

    exit: int
    state: State | None
    width: int = 80
    colour: bool = False


@dataclass(frozen=True, slots=True)
class Collected:
    """The collected tests with their rows, and the cases under the tier."""

    tests: Mapping[str, tuple[str, ...]]
    cases: tuple[CollectedCase, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The rows that some test names."""
        return frozenset(id_ for ids in self.tests.values() for id_ in ids)


@dataclass(frozen=True, slots=True)
class CollectedCase:
    """One case, and the place of its test."""

    case: str
    assertions: tuple[str, ...]
    file: str
    line: int


class _Keeper:
    """Keeps the run's state and the properties of the terminal beyond the end of the session."""

    def __init__(self, meanwhile: Callable[[], None] | None, hung: Callable[[Ended], None] | None = None) -> None:
        self._meanwhile = meanwhile
        self._hung = hung
        self._config: pytest.Config | None = None
        self._terminal: tuple[int, bool] = (80, False)
        self._session: pytest.Session | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_cmdline_main(self) -> Generator[None, object, object]:
        """Let our command line say what pytest would say in its own words."""
        try:
            return (yield)
        except pytest.UsageError as error:
            raise Problem("; ".join(map(str, error.args))) from error

    def pytest_configure(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._session = session
        state = self._state()
        if state is not None and self._meanwhile is not None:
            state.meanwhile = self._meanwhile
        if state is not None:
            state.hung = self._show_hung

    def _show_hung(self) -> None:
        """Show the verdicts so far; the process ends after it."""
        state = self._state()
        if self._hung is None or state is None or state.controller is None or self._config is None:
            return
        capture = self._config.pluginmanager.get_plugin("capturemanager")
        if capture is not None:
            capture.suspend_global_capture(in_=True)
        self._hung(self.ended(int(state.controller.exit)))

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's reporter
        writer = terminalreporter._tw  # noqa: SLF001 - pytest offers neither width nor colour in public
        self._terminal = (writer.fullwidth, writer.hasmarkup)
        gc.freeze()  # spares pytest several garbage collections at its end; the process ends soon

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self) -> None:
        if self._session is not None and reader_gone():
            self._session.shouldstop = "nobody reads the output any more"

    def _state(self) -> State | None:
        return self._config.stash.get(STATE, None) if self._config else None

    def ended(self, code: int) -> Ended:
        return Ended(code, self._state(), *self._terminal)


@dataclass(slots=True, eq=False)  # pytest 8 asks for the hash of a plugin
class _Collector:
    """Records collected tests, cases and errors."""

    tests: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cases: list[CollectedCase] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        mark = metafunc.definition.get_closest_marker("asserts")
        self.tests[metafunc.definition.nodeid] = tuple(mark.args) if mark else ()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(report.longreprtext)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            parameter = parameter_of(item)
            if parameter is not None:
                path, line, _ = item.location
                self.cases.append(
                    CollectedCase(parameter.point.name, parameter.point.assertions, path, (line or 0) + 1)
                )


def run_suite(
    arguments: Sequence[str],
    files: Sequence[Path],
    *,
    workers: int,
    most: int = 0,
    lanes: int = 0,
    forks: bool = False,
    allure: bool = False,
    meanwhile: Callable[[], None] | None = None,
    hung: Callable[[Ended], None] | None = None,
) -> Ended:
    """Run pytest on files of the suite; the caller prints the verdicts.

    Args:
        arguments: options of pytest and of the plugin.
        files: test files; all chapters and the corpus if there are none. Scenarios run only where they are named.
        workers: processes; 0 runs all in this one.
        most: processes that there may be while the machine has room, if they are forked.
        lanes: cases beside each other in each of them, if they are forked; 0 for one after another.
        forks: whether they are forked children of this process, and not workers of xdist, which start anew.
        allure: whether the arguments name options of allure-pytest.
        meanwhile: called while forked children run their first cases.
        hung: called in place of a return, if the only process has to be ended in a call that hangs.
    """
    keeper = _Keeper(meanwhile, hung)
    verbose = any(word.startswith(("-v", "--verbos")) for word in arguments)
    plugins = ["-p", "tck.plugin", "-p", f"no:{SUMMARY}"]
    extra: list[object] = [keeper]
    if "no:terminal" not in arguments:
        # The end of the run shows failures by their causes. The verdict's text replaces pytest's own report of a failed case;
        # the plain one costs 25 ms less.
        plugins += ["--tb=native", *([] if verbose else ["--no-header"])]
        extra += [] if verbose else [Progress()]
    if workers and forks:
        plugins += ["--forks", str(workers), "--forks-most", str(most), "--lanes", str(lanes)]
    elif workers:
        plugins += ["-p", "xdist.plugin", "-n", str(workers), "--dist", "worksteal", "--max-worker-restart", RESTARTS]
    if (forks or not workers) and not verbose:  # order is random: a line for each file would be a line for each case
        plugins += ["-o", "verbosity_test_cases=-1"]
    if allure:
        plugins += ["-p", "allure_pytest.plugin"]
    if not any("log" in word for word in arguments):  # three log handlers for each case, which no verdict uses
        plugins += ["-p", "no:logging"]
    code = _pytest([*plugins, *arguments, *map(str, files or [*sorted(SUITE.glob("ch*")), SUITE / "corpus"])], extra)
    return keeper.ended(code)


def collect_suite(arguments: Sequence[str]) -> Collected:
    """Collect the suite without running it.

    Args:
        arguments: options of the plugin, `--profile` among them.

    Raises:
        Problem: it cannot be collected.
    """
    collector = _Collector()
    code = _pytest(
        ["-p", "tck.plugin", "-p", "no:terminal", "--collect-only", "--seed", "0", *arguments, str(SUITE)], [collector]
    )
    if collector.errors:
        raise Problem("the suite cannot be collected:\n" + "\n".join(collector.errors), Exit.KIT_ERROR)
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        raise Problem("the suite cannot be collected", Exit(code) if code in set(Exit) else Exit.KIT_ERROR)
    return Collected(collector.tests, tuple(collector.cases))


def _pytest(arguments: Sequence[str], plugins: Sequence[object]) -> int:
    fixed = ["-c", str(INI), "--rootdir", str(ROOT), "--confcutdir", str(SUITE)]
    with _own_plugins_only():
        return int(pytest.main([*fixed, *arguments], plugins=list(plugins)))


@contextmanager
def _own_plugins_only() -> Iterator[None]:
    """Keep pytest, and the workers it starts, from loading other installed plugins."""
    before = os.environ.get(AUTOLOAD)
    os.environ[AUTOLOAD] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[AUTOLOAD]
        else:
            os.environ[AUTOLOAD] = before
