"""Trials: what a process tries beside its cases, each once: claimed hooks, and the means of cases that failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tck import api
from tck.catalogue import CORPUS, INTERWORKING, SCENARIOS, Catalogue
from tck.catalogue.owners import load_call_owners
from tck.profile import Profile
from tck.running.attempt import Tracked
from tck.running.causes import MeansFailure, VoidHook
from tck.running.hook_claims import NotRecorded, without_effect
from tck.running.means import Call, Failure, Means, failing, tried
from tck.suite.support.case import Case
from tck.suite.support.harness.current import set_current_case
from tck.suite.support.harness.outcome import CaseCut

HOOK_CASES: Final = 3
"""How many times as long as a case the trial of a hook may last: it may wait for several deadlines."""


@dataclass(slots=True)
class Known:
    """What a process has tried already.

    Attributes:
        void: The claimed hooks that were tried, each with the sign that it has no effect.
        means: The means that were tried at a point of the axes, each with its failure.
    """

    void: dict[api.Hook, str | None] = field(default_factory=dict)
    means: dict[tuple[str, ...], Failure | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trials:
    """The trials that one case asks for.

    Attributes:
        catalogue: The rows.
        profile: The provider's.
        version: The tier that the run judges by.
        namespace: Names of a trial begin with it.
        ready: Begins the deadline anew, with that of a case or the milliseconds given.
        known: What the process has tried.
    """

    catalogue: Catalogue
    profile: Profile
    version: str
    namespace: str
    ready: Callable[..., None]
    known: Known

    def sign_of_void(self, tracked: Tracked, provider: api.Provider, hook: api.Hook) -> str | None:
        """Return the sign that a claimed hook has no effect, and note it for the case.

        A trial may wait for several deadlines, so it has more time than a case; the case's own time begins after it.
        """
        owner = load_call_owners().hooks.get(hook.value)
        if owner is None:
            return None
        void = self.known.void
        if hook not in void:
            void[hook] = None  # if the trial hangs, nothing is known, and nobody tries again
            self.ready(HOOK_CASES * self.profile.timing.case)
            try:
                void[hook] = without_effect(self._case(tracked, provider, hook.value), hook)
            except CaseCut:
                tracked.notes.append(f"the trial of the hook {hook.value} did not end in time")
                raise
            self.ready()
        sign = void[hook]
        if sign is not None:
            row = self.catalogue[owner.row]
            tracked.void[hook.value] = VoidHook(
                row if row.applies_to(self.version) else tracked.rows[0], hook.value, sign
            )
        return sign

    def look_at_means(self, tracked: Tracked, provider: api.Provider, calls: Sequence[Call]) -> None:
        """Note the means of a case that failed and that does not work by itself.

        Journeys, scenarios and programs of the corpus have as many means as rows: what fails in them is theirs to say.
        """
        case = tracked.case
        if case is None or tracked.point.journey or tracked.rows[0].chapter in (CORPUS, INTERWORKING, SCENARIOS):
            return
        try:
            failure = failing(case, calls, partial(self._try, tracked, provider))
            if failure is not None:
                tracked.means.append(MeansFailure(self.catalogue[failure.row], failure.means, failure.text))
        except CaseCut:
            tracked.notes.append("the trial of what the case needs did not end in time")
        finally:
            set_current_case(case)

    def _try(self, tracked: Tracked, provider: api.Provider, means: Means) -> Failure | None:
        point, known = tracked.point, self.known.means
        key = (means.words, point.api, point.area, point.ack)
        if key not in known:
            known[key] = None  # if the trial hangs, nothing is known, and nobody tries again
            self.ready()
            known[key] = tried(means, self._case(tracked, provider, means.words.replace(" ", "-")))
        return known[key]

    def _case(self, tracked: Tracked, provider: api.Provider, what: str) -> Case:
        """Make a case of its own on the provider itself."""
        namespace = f"{self.namespace}.{what}"
        return Case(tracked.point, tracked.rows, self.profile, provider, NotRecorded(), namespace, self.version)
