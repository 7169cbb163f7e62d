"""The hooks of pytest: each is a few lines over the other modules of this package."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
from collections.abc import Generator, Iterator, Mapping
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tck.adapters.opening import leave_with
from tck.catalogue.tier_differences import in_force
from tck.plugin import collecting, detecting, forked_workers, interrupt, points, summary
from tck.plugin.colours import colour
from tck.plugin.options import add_options, options_of
from tck.plugin.points import Parameter
from tck.plugin.state import STATE, State, Usage, make_state
from tck.plugin.summary import Summary
from tck.plugin.telling import most_telling
from tck.plugin.tracebacks import leave_out_lineless
from tck.processes import can_fork
from tck.record import Exit, Outcome, Result, Verdict
from tck.running.attempt import Tracked
from tck.running.controller import UNREACHABLE, UNWRITABLE
from tck.running.options import RunOptions
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import CaseCut, Ending

TRACKED = pytest.StashKey[Tracked]()
RESULT = pytest.StashKey[Result]()

LETTERS: Mapping[Verdict, tuple[str, str]] = {
    Verdict.CONFORMANT: (".", "CONFORMANT"),
    Verdict.OBSERVATION: ("o", "OBSERVED"),
    Verdict.UNSUPPORTED: ("u", "UNSUPPORTED"),
    Verdict.DECLARED: ("d", "DECLARED"),
    Verdict.ADVISORY: ("a", "ADVISORY"),
    Verdict.INCONCLUSIVE: ("i", "INCONCLUSIVE"),
    Verdict.UNDECIDED: ("U", "UNDECIDED"),
    Verdict.STALE: ("S", "STALE"),
    Verdict.VIOLATION: ("V", "VIOLATION"),
    Verdict.HARNESS_ERROR: ("E", "HARNESS-ERROR"),
}
"""How a verdict is shown during the run: a letter, and a word with `-v`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of a run."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the run in this process, if one is asked for."""
    config.addinivalue_line(
        "markers", "asserts(*ids, ack, domain, api, variant): the catalogue rows that a test of the suite judges"
    )
    config.addinivalue_line("markers", "allure_label(value, label_type): labels read by allure-pytest")
    config.stash[STATE] = None
    options = options_of(config)
    if options is None:
        return
    try:
        state = config.stash[STATE] = make_state(config, options)
    except Usage as error:
        raise pytest.UsageError(str(error)) from error
    except OSError as error:
        raise pytest.UsageError(_no_bundle(options, error)) from error
    config.pluginmanager.register(Summary(state), summary.NAME)
    config.pluginmanager.register(state.interrupts, interrupt.NAME)


def _no_bundle(options: RunOptions, error: OSError) -> str:
    return (
        f"the bundle cannot be written to {options.bundle}: {error.strerror or error}; name another folder with --out"
    )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:  # noqa: ANN401 - xdist's WorkerController has no public type
    """Send an xdist worker the options of the run."""
    state = node.config.stash[STATE]
    if state is not None:
        node.workerinput["tck_options"] = state.options.to_json()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Show the provider, the version and the seed."""
    state = config.stash[STATE]
    return [] if state is None else [state.header]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Multiply a test of the suite over its points."""
    if "case" not in metafunc.fixturenames:
        return
    state = metafunc.config.stash[STATE]
    if state is None:
        raise pytest.UsageError(f"{metafunc.definition.nodeid} is a test of the TCK: name the provider with --profile")
    try:
        rows, options = points.rows_of(metafunc, state.catalogue)
    except points.UnknownAssertionError as error:
        raise pytest.UsageError(str(error)) from error
    if not state.options.detect:
        rows = tuple(row for row in rows if in_force(row, state.tier.name))
    versions = [state.version]
    if state.options.detect and not any(row.applies_to(state.version) for row in rows):
        versions = [rows[0].until or state.version]
    parameters = [
        points.Parameter(dataclasses.replace(point, first=number == 0), attempt)
        for version in versions
        for number, point in enumerate(points.points(rows, options, version))
        for attempt in range(1, state.options.repeat + 1)
    ]
    metafunc.parametrize("case", parameters, indirect=True, ids=[parameter.label for parameter in parameters])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what is selected, in the order of the seed."""
    state = config.stash[STATE]
    if state is None:
        return
    try:
        collecting.refuse_twins(items)
    except points.UnknownAssertionError as error:
        pytest.exit(str(error), returncode=int(Exit.KIT_ERROR))
    skipped_sets = [item for item in items if _no_points(item)]
    kept = [item for item in items if not _no_points(item)]
    if state.options.detect:  # the selection names saboteurs; the detector decides which items each of them runs
        items[:] = sorted(kept, key=lambda item: item.nodeid)
        return
    kept, rest = collecting.keep_selected(
        kept, state.selection, bridge=bool(state.options.bridge or state.options.channel)
    )
    if state.options.points == "one":
        kept, others = collecting.keep_one_point(kept, state.options.seed, state.profile.claims)
        rest += others
    rest += skipped_sets
    if rest:
        config.hook.pytest_deselected(items=rest)
    if config.getoption("allure_report_dir", None):
        for item in kept:
            collecting.allure_labels(item, state.catalogue)
    order = most_telling if state.options.budget else collecting.shuffled
    items[:] = state.items = order(kept, state.options.seed)


def _no_points(item: pytest.Item) -> bool:
    """Return whether pytest made this item only because a test has no points under this tier."""
    return "case" in getattr(item, "fixturenames", ()) and collecting.parameter_of(item) is None


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the saboteurs for a detection; share the cases among forked children where that is asked for."""
    state = session.config.stash[STATE]
    if state is None or session.config.option.collectonly:
        return None
    if state.is_worker:  # of xdist
        forked_workers.collect_seldom()
    forks = state.options.forks if can_fork() else 0
    if not state.options.detect and (not forks or state.is_worker):
        return None
    if session.testsfailed and not session.config.option.continue_on_collection_errors:
        raise session.Interrupted("errors during collection")
    if state.options.detect:
        detecting.run(session, state)
    else:
        options = state.options
        # The time may run out before a case that has failed in a lane could run alone, and its failure would not count.
        lanes = 0 if options.budget else options.lanes
        forked_workers.Forked(session, state, forks, options.forks_most, lanes).run(meanwhile=state.meanwhile)
    return True


class SetUpEndedError(Exception):
    """Carries an ending out of the set-up: pytest only tracks a fixture that raises an Exception."""

    def __init__(self, ending: BaseException) -> None:
        super().__init__(str(ending))
        self.ending = ending


@pytest.fixture
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    """The case: one test at one point of its axes. See `tck.suite.support.case.Case`."""
    state = request.config.stash[STATE]
    assert state is not None  # noqa: S101 - pytest_generate_tests has refused the test otherwise
    node, parameter = request.node, request.param
    tracked = node.stash[TRACKED] = state.process.attempt(parameter.point, parameter.attempt, node.nodeid)
    file, line = collecting.place_of(node)
    try:
        with state.process.case(tracked, file, line, collecting.title_of(node)) as made:
            yield made
    except (Ending, CaseCut) as ending:  # from the set-up: exceptions of a test never come here
        raise SetUpEndedError(ending) from ending


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """End a case with its body: pytest's handling of an exception is not the case's time."""
    try:
        try:
            yield
        except (KeyboardInterrupt, pytest.exit.Exception):  # not judged, and the provider is not called again
            raise
        except BaseException as error:
            _end(item, "call", error)
            raise
        _end(item, "call", None)
    finally:
        if (state := item.config.stash[STATE]) is not None and TRACKED in item.stash:
            state.process.watchdog().disarm()


def _end(item: pytest.Item, phase: str, error: BaseException | None) -> None:
    """End the case of an item, if it has one that has not ended: a set-up may have failed, or a cut have come between."""
    state = item.config.stash[STATE]
    if state is not None and TRACKED in item.stash and RESULT not in item.stash:
        item.stash[RESULT] = state.process.end(item.stash[TRACKED], phase, error)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a case as pytest does, and report it once: a set-up or teardown that passed is not reported.

    Each report goes through xdist's controller, which shares the processors with the workers.
    """
    if collecting.parameter_of(item) is None:
        return None
    state = item.config.stash[STATE]
    if state is not None and state.options.is_over:
        return True
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if state is not None:
        state.interrupts.check()
    for report in reports:
        if report.when == "call" or not report.passed:
            hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Turn the outcome into a result, and pytest's report into the colour of the verdict."""
    if call.excinfo is not None:
        leave_out_lineless(call.excinfo)
    tracked = item.stash.get(TRACKED, None)
    state = item.config.stash.get(STATE, None)
    if tracked is not None and state is not None:
        item.repr_failure = _shown_by_its_verdict  # type: ignore[method-assign]  # pytest's text would be replaced
    outcome = yield
    if tracked is None or state is None:
        return
    report: pytest.TestReport = outcome.get_result()
    error = call.excinfo.value if call.excinfo is not None else None
    if call.when == "teardown":
        if error is not None:
            tracked.notes.append(f"teardown: {type(error).__name__}: {error}")
            item.stash[RESULT] = tracked.result(state.profile)
            report.outcome, report.longrepr = "passed", None
        _finish(item, tracked, state)
    elif error is not None or call.when == "call":
        _end(item, call.when, error.ending if isinstance(error, SetUpEndedError) else error)
        colour(report, item.stash[RESULT], tracked.rows, state)


def _shown_by_its_verdict(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:  # noqa: ARG001
    """Return nothing, in place of the traceback of a case: rendering one costs more than most cases."""
    return ""


def _finish(item: pytest.Item, tracked: Tracked, state: State) -> None:
    """Write the result of a case; end the session if the provider is lost and a fresh one would be in vain."""
    try:
        result = state.process.write(item.stash[RESULT])
    except OSError as error:  # a full disk: no further case could be written
        item.session.shouldstop = f"{UNWRITABLE}: {error.strerror or error}"
        state.process.stop_others()
        return
    state.results.append(result)
    if tracked.outcome == Outcome.UNREACHABLE and (state.is_fork or not state.process.forget_loss()):
        item.session.shouldstop = UNREACHABLE  # a forked child ends, and its parent decides
        if not state.is_fork:
            state.process.stop_others()
    elif state.is_worker and state.process.stopped:
        item.session.shouldstop = UNREACHABLE
    del item.stash[TRACKED]  # pytest keeps its items to the end; the case's hold on its provider ends here
    del item.stash[RESULT]


def pytest_report_teststatus(report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
    """Name each outcome by its verdict."""
    verdict = getattr(report, "tck_verdict", None)
    if verdict is None:
        return None
    letter, word = LETTERS[Verdict(verdict)]
    category = {"passed": "passed", "failed": "failed", "skipped": "skipped"}[report.outcome]
    return (category if verdict == "conformant" or report.outcome == "failed" else verdict, letter, word)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: Any, sched: Any) -> None:  # noqa: ANN401, ARG001 - xdist's own types
    """Mark the report of a case whose worker died; its open attempt is judged when the parts are merged."""
    report.tck_verdict = Verdict.HARNESS_ERROR.value
    report.tck_crashed = True


@pytest.hookimpl(tryfirst=True)
def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Make the traceback of an interrupt one that pytest can show."""
    leave_out_lineless(excinfo)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Close this process's part; in the controller, merge, judge and set the exit code."""
    state = session.config.stash.get(STATE, None)
    if state is None:
        return
    state.close_worker()
    unreachable = state.process.stopped or session.shouldstop == UNREACHABLE
    if unreachable or state.options.is_over:
        state.leave_planned()
    if state.is_worker:
        gc.freeze()  # spares pytest a garbage collection at its end; the process ends soon
        return
    if state.controller is None:
        if state.options.detect:
            session.exitstatus = detecting.exit_status(state, exitstatus)
        return
    if str(session.shouldstop).startswith(UNWRITABLE):
        state.controller.problems.unwritable = str(session.shouldstop)
    uncollected = collecting.failed(session)
    problems = state.controller.problems
    crashed = str(session.shouldstop).endswith(forked_workers.CRASHED)
    stopped = uncollected or problems.unwritable or crashed
    problems.interrupted = exitstatus == pytest.ExitCode.INTERRUPTED and not stopped
    problems.terminated = problems.interrupted and state.interrupts.terminated
    problems.stopped = unreachable
    problems.kit_error |= exitstatus == pytest.ExitCode.INTERNAL_ERROR or uncollected or crashed
    problems.usage |= exitstatus == pytest.ExitCode.USAGE_ERROR
    state.process.forget_stop()
    session.exitstatus = int(state.controller.end())
    leave_with(session.exitstatus)
    _settle_crashed(session.config, state)


def _settle_crashed(config: pytest.Config, state: State) -> None:
    """Show cases whose worker was lost by their verdicts, which are known now."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or state.controller is None:
        return
    found = {Parameter.label_of(result.case, result.attempt): result for result in state.controller.results}
    reports = reporter.stats.pop("failed", [])
    for report in reports:
        result = found.get(report.nodeid.partition("[")[2].removesuffix("]"))
        if result is not None and getattr(report, "tck_crashed", False) and result.verdict is not Verdict.HARNESS_ERROR:
            colour(report, result, [state.catalogue[id_] for id_ in result.verdicts], state)
        category = reporter.config.hook.pytest_report_teststatus(report=report, config=config)[0]
        reporter.stats.setdefault(category, []).append(report)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close everything that an aborted session left open."""
    state = config.stash.get(STATE, None)
    if state is not None:
        with contextlib.suppress(Exception):
            state.close_worker()
        state.interrupts.restore()
