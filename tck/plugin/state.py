"""What this process knows of the run: options, yardstick, profile, and its part as worker, controller or both."""

from __future__ import annotations

import contextlib
import gc
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tck.catalogue import Catalogue, CatalogueError, Selection, SelectionError, load_catalogue, parse_selection
from tck.plugin.interrupt import Interrupts
from tck.plugin.options import RunOptions
from tck.profile import (
    AdapterError,
    Profile,
    ProfileError,
    Tier,
    check_adapter,
    load_profile,
    load_tier,
    override_settings,
    replace_settings,
)
from tck.record import Bundle, Result
from tck.running.controller import Controller
from tck.running.watchdog import Watchdog
from tck.running.worker import Worker

if TYPE_CHECKING:
    from tck.detection.judge import Detection

GRACE_MS = 5000.0
"""How long after its deadline a case may still hang before its process is ended, beside the deadline of a call that no signal can cut."""


STATE: pytest.StashKey[State | None] = pytest.StashKey()
"""Where the state is kept in pytest's configuration; None when no run is asked for."""


class Usage(Exception):  # noqa: N818 - it names the exit code it leads to
    """The command line, the profile or the selection is wrong: one sentence that says what, where, what to do."""


class State:
    """The run, as this process has it."""

    def __init__(
        self,
        config: pytest.Config,
        options: RunOptions,
        catalogue: Catalogue,
        profile: Profile,
        selection: Selection | None,
        tier: Tier,
    ) -> None:
        self.options = options
        self.catalogue = catalogue
        self.profile = profile
        self.selection = selection
        self.tier = tier
        self.version = tier.version
        self.is_worker = hasattr(config, "workerinput")
        self.interrupts = Interrupts()
        self.collected = 0
        self.results: list[Result] = []
        self.detection: Detection | None = None
        self.index: Path | None = None
        self._name = getattr(config, "workerinput", {}).get("workerid", "main")
        self._worker: Worker | None = None
        self._watchdog: Watchdog | None = None
        self._bundle: Bundle | None = None
        self.controller: Controller | None = None
        if not self.is_worker and not options.detect and not config.option.collectonly:
            self.controller = Controller(options, catalogue, profile, self.version, _workers(config, options))

    # -- as a worker ---------------------------------------------------------------------------------------------

    def worker(self) -> Worker:
        """This process as a worker; made at the first case."""
        if self._worker is None:
            bundle = None if self.options.detect else self.options.bundle
            self._worker = Worker(self._name, self.catalogue, self.profile, self.version, bundle, self.options.run_id)
        return self._worker

    def watchdog(self) -> Watchdog:
        """The guard of the running case; made at the first case."""
        if self._watchdog is None:
            worker = self.worker()
            stacks = None if self.options.detect else self.options.bundle / "stacks" / f"{self._name}.txt"
            timing = self.profile.timing
            self._watchdog = Watchdog(
                timing.case, timing.deadline + GRACE_MS, _last_words(worker, stacks), stacks, worker.interrupt
            )
        return self._watchdog

    @property
    def _stop(self) -> Path:
        return self.options.bundle / "stop"

    def stop_others(self) -> None:
        """Tell the other workers of pytest-xdist to leave what they have not begun: it makes them do all of it otherwise."""
        with contextlib.suppress(OSError):
            self._stop.touch()

    @property
    def stopped(self) -> bool:
        """Whether another worker said so."""
        return self.is_worker and self._stop.exists()

    def forget_stop(self) -> None:
        """Leave the bundle without a trace of it."""
        with contextlib.suppress(OSError):
            self._stop.unlink(missing_ok=True)

    def become_child(self, profile: Profile, version: str) -> Worker:
        """Start afresh with another profile in a forked child, which writes no bundle."""
        self.profile = profile
        self.version = version
        self._worker = None
        self._watchdog = None
        return self.worker()

    def become_worker(self, name: str) -> None:
        """Start afresh in a forked child, as a worker of the run that writes its own part of the bundle."""
        self.is_worker = True
        self.controller = None
        self._name = name
        self._worker = None
        self._watchdog = None

    def close_worker(self) -> None:
        """Close the provider and the part files of this process."""
        if self._watchdog is not None:
            self._watchdog.close()
            self._watchdog = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    # -- as the controller ---------------------------------------------------------------------------------------

    @staticmethod
    def collect_errors(session: pytest.Session) -> bool:
        """Whether the suite itself could not be collected: a fault of the kit, not an interruption by the user."""
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        errors = reporter.stats.get("error", []) if reporter is not None else []
        return any(isinstance(error, pytest.CollectReport) for error in errors)

    def bundle(self) -> Bundle:
        """The closed bundle of this run.

        Raises:
            BundleError: it cannot be read.
        """
        if self._bundle is None:
            self._bundle = Bundle.open(self.options.bundle)
        return self._bundle

    def prepare_report(self) -> None:
        """Load what report and summary need; for a moment in which this process has nothing to do.

        What is wrong with it is told when the report is written: cases run meanwhile, and none may be lost for it.
        """
        if self.controller is None:
            return
        with contextlib.suppress(Exception):
            import tck.reports.export.terminal  # noqa: F401, PLC0415 - only a run that forks has the time for it here
            from tck.reports.html.site import prepare  # noqa: PLC0415 - likewise

            if self.options.report:
                prepare()

    def write_report(self) -> None:
        """Write the HTML report from the bundle; a run without a result has none."""
        if not self.options.report or self.controller is None or not self.controller.results:
            return
        from tck.reports.html import write_site  # noqa: PLC0415 - the templates are loaded only when a report is written

        gc.freeze()  # what the run holds need not be looked through again for every few pages, nor copied into children
        try:
            self.index = write_site(self.bundle(), self.options.site, self.catalogue)
        finally:
            gc.unfreeze()

    def print_summary(self, reporter: Any) -> None:  # noqa: ANN401 - pytest's reporter
        """Print verdicts by chapter, surprises, coverage of this run, and where everything is."""
        from tck.plugin.summary import print_detection, print_run  # noqa: PLC0415 - rich is loaded at the end only

        if self.detection is not None:
            print_detection(reporter, self.detection)
        elif self.controller is not None and not self.is_worker:
            print_run(reporter, self)

    def rerun_line(self, case: str) -> str:
        """The command that runs one case again, as it ran here."""
        parts = ["python", "-m", "tck", "run", "-p", self.options.profile, "--seed", str(self.options.seed)]
        if self.options.tier:
            parts += ["--tier", self.options.tier]
        for setting in self.options.settings:
            parts += ["--setting", setting]
        return shlex.join([*parts, case])


def make_state(config: pytest.Config, options: RunOptions) -> State:
    """Load the yardstick and the profile, read the selection.

    Raises:
        Usage: with the one sentence to show.
    """
    try:
        catalogue = load_catalogue()
        profile = with_settings(load_profile(options.profile, catalogue), options)
        selection = parse_selection(options.select, catalogue) if options.select else None
        tier = load_tier(options.tier or profile.claims.version)
        if not (options.detect or config.option.collectonly or hasattr(config, "workerinput")):
            check_adapter(profile)
    except (AdapterError, CatalogueError, ProfileError, SelectionError) as error:
        raise Usage(str(error)) from error
    return State(config, options, catalogue, profile, selection, tier)


def with_settings(profile: Profile, options: RunOptions) -> Profile:
    """Apply `--setting KEY=VALUE` and hand a tier to an adapter that can play it (`tier_setting`).

    Raises:
        ProfileError: a setting is not KEY=VALUE.
    """
    if options.tier and profile.adapter.tier_setting:
        played = {profile.adapter.tier_setting: load_tier(options.tier).version}
        profile = replace_settings(profile, {**profile.adapter.settings, **played})
    return override_settings(profile, options.settings)


def _workers(config: pytest.Config, options: RunOptions) -> int:
    count = getattr(config.option, "numprocesses", None) or options.forks
    return int(count) if count else 1


def _last_words(worker: Worker, stacks: Path | None) -> Any:  # noqa: ANN401 - a callback
    def spill() -> None:
        if not worker.cut_short() and worker.writer and worker.recorder:
            worker.writer.spill(worker.recorder.events)
        beyond = worker.provider_stacks()
        if stacks and beyond:
            with stacks.open("a", encoding="utf-8") as file:
                file.write(f"\nThreads of the provider:\n\n{beyond}")

    return spill
