"""The run as this pytest process has it: options, catalogue, profile, selection, and its part as worker or controller."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol

from tck.adapters.opening import check_adapter, check_bridge
from tck.catalogue import Catalogue, CatalogueError, Selection, SelectionError, load_catalogue, parse_selection
from tck.plugin.collecting import parameter_of, place_of, title_of
from tck.plugin.interrupt import Interrupts
from tck.profile import (
    AdapterError,
    Profile,
    ProfileError,
    Tier,
    as_asked,
    beside,
    load_bridge,
    load_profile,
    load_tier,
    on_channel,
)
from tck.record import Exit, Result
from tck.running.controller import Controller
from tck.running.options import RunOptions
from tck.running.process import Planned, RunProcess

if TYPE_CHECKING:
    from tck.detection.judge import Detection
    from tck.detection.lawful import LawfulTable


class Usage(Exception):  # noqa: N818 - it names the exit code it leads to
    """The command line, the profile or the selection is wrong; the message says what, where and what to do."""


class State:
    """The run, as this pytest process has it."""

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
        self.selection = selection
        self.tier = tier
        self.version = tier.version
        self.is_worker = hasattr(config, "workerinput")
        self.is_fork = False
        """Whether this process is a forked child, and its parent decides what follows the loss of a provider."""
        name = getattr(config, "workerinput", {}).get("workerid", "main")
        self.process = RunProcess(options, catalogue, profile, tier.version, name)
        self.interrupts = Interrupts()
        self.results: list[Result] = []
        self.items: Sequence[pytest.Item] = ()
        """The selected cases; none in the controller of xdist."""
        self.detection: Detection | None = None
        self.lawful: LawfulTable | None = None
        self.meanwhile: Callable[[], None] = _nothing
        """Called while forked children run their first cases and this process is idle."""
        self.idle: Callable[[], None] = _nothing
        """Called about once a second while forked children run."""
        self.hung: Callable[[], None] = _nothing
        """Called when the only process of a run has to end in a call that hangs, after the bundle was closed."""
        self.alone = False
        """Whether this process runs all cases."""
        self.controller: Controller | None = None
        if not self.is_worker and not options.detect and not config.option.collectonly:
            count = _workers(config, options)
            self.controller = Controller(options, catalogue, profile, tier.name, count)
            self.alone = not (options.forks or getattr(config.option, "numprocesses", None))
            if self.alone:
                self.process.farewell = self._end_hung

    def _end_hung(self) -> int:
        """End the run while its only thread hangs in a call that nothing can cut; return the exit code."""
        if self.controller is None:
            return Exit.PROVIDER_LOST
        self.controller.problems.provider_lost = True
        self.leave_planned()
        self.process.forget_stop()
        code = self.controller.end()
        self.hung()
        return code

    @property
    def profile(self) -> Profile:
        """The provider's profile."""
        return self.process.profile

    @property
    def header(self) -> str:
        """The provider, the version, what of it is claimed where that is a part only, the bridge and the seed, on one line."""
        options = self.options
        rerun = f"seed {options.seed}, points {options.points}"
        factor = self.profile.timing.timeout_multiplier
        slower = f", timeouts x {factor:g}" if factor > 1 else ""
        claimed = self.profile.claims.narrowed_to
        part = f"; {claimed}" if claimed else ""
        shows = " (documentary: no provider is measured by it)" if self.tier.documentary else ""
        bridge = f"; bridge: {self.profile.bridge.title}" if self.profile.bridge else ""
        return f"tck: {self.profile.title}, by {self.tier.name}{shows}{part}{bridge}; {rerun}{slower}; run {options.run_id}"

    def become_worker(self, name: str) -> None:
        """Start over in a forked child, as a worker that writes its own part of the bundle."""
        self.is_worker = self.is_fork = True
        self.interrupts.in_child = True
        self.controller = None
        self.process.start_afresh(name=name)

    # -- as a child of detection, which is independent of pytest -------------------------------------------------

    def become_child(self, profile: Profile, version: str) -> None:
        """Start over in a forked child with another profile; it writes no bundle."""
        self.process.start_afresh(profile=profile, version=version)
        self.results.clear()

    def run_case(self, item: Any, following: Any) -> Result:  # noqa: ANN401 - an item of pytest
        """Run an item; return the result of its case. Fixtures that the following item needs stay set up."""
        runtestprotocol(item, log=False, nextitem=following)
        return self.results.pop()

    def close_worker(self) -> None:
        """Close the provider and the part files of this process."""
        self.process.close()

    def leave_planned(self) -> None:
        """Leave word of all selected cases, if there are any: the run stops before some of them began."""
        found = ((item, parameter_of(item)) for item in self.items)
        planned = [
            Planned(parameter.point, item.nodeid, *place_of(item), title_of(item))
            for item, parameter in found
            if parameter
        ]
        if planned:
            self.process.leave_planned(planned)

    # -- as the controller ---------------------------------------------------------------------------------------

    def rerun_line(self, case: str) -> str:
        """Return the command that runs one case again with the same options."""
        parts = ["python", "-m", "tck", "run", "-p", self.options.profile, "--seed", str(self.options.seed)]
        if self.options.tier:
            parts += ["--tier", self.options.tier]
        if self.options.second:
            parts += ["--second", self.options.second]
        if self.options.bridge:
            parts += ["--bridge", self.options.bridge]
        if self.options.channel:
            parts += ["--channel", self.options.channel]
        for setting in self.options.settings:
            parts += ["--setting", setting]
        if not self.options.declarations:
            parts.append("--no-declarations")
        if self.options.everything:
            parts += ["--claim", "everything"]
        return shlex.join([*parts, case])


STATE: pytest.StashKey[State | None] = pytest.StashKey()
"""The key of the state in pytest's configuration; None without a run."""


def make_state(config: pytest.Config, options: RunOptions) -> State:
    """Load the catalogue and the profile, read the selection.

    Raises:
        Usage: with the one sentence to show.
    """
    try:
        catalogue = load_catalogue()
        profile = as_asked(
            load_profile(options.profile, catalogue),
            options.tier,
            options.settings,
            declarations=options.declarations,
            everything=options.everything,
        )
        if options.second:
            profile = beside(profile, as_asked(load_profile(options.second, catalogue), options.tier, ()))
        if options.bridge:
            profile = dataclasses.replace(profile, bridge=load_bridge(options.bridge))
        if options.channel:
            profile = on_channel(profile, options.channel, catalogue)
        selection = parse_selection(options.select, catalogue) if options.select else None
        tier = load_tier(options.tier or profile.claims.version)
        if not (options.detect or config.option.collectonly or hasattr(config, "workerinput")):
            check_adapter(profile)
            if profile.second is not None:
                check_adapter(profile.second)
            if profile.bridge is not None:
                check_bridge(profile.bridge)
    except (AdapterError, CatalogueError, ProfileError, SelectionError) as error:
        raise Usage(str(error)) from error
    return State(config, options, catalogue, profile, selection, tier)


def _workers(config: pytest.Config, options: RunOptions) -> int:
    count = getattr(config.option, "numprocesses", None) or options.forks
    return int(count) if count else 1


def _nothing() -> None:
    pass
