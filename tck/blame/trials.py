"""Trials: what a process tries beside its cases, each once: claimed hooks, and the means of cases that failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tck import api
from tck.adapters.recording import Recorder
from tck.blame.causes import Cause, Kind
from tck.blame.hooks import without_effect
from tck.blame.means import Means, failing, tried
from tck.blame.refusals import Inquiry
from tck.catalogue import BESIDE, Catalogue
from tck.catalogue.owners import load_call_owners
from tck.suite.support.case import Case
from tck.suite.support.harness.alone import NeedsAlone
from tck.suite.support.harness.current import set_current_case
from tck.suite.support.harness.outcome import CaseCut
from tck.suite.support.harness.running import Elsewhere

HOOK_CASES: Final = 3
"""How many times as long as a case the trial of a hook may last: it may wait for several deadlines."""
Ready = Callable[..., None]
"""Begins the deadline anew, with that of a case or the milliseconds given."""


@dataclass(frozen=True, slots=True)
class Trials:
    """The trials of a process, and what it knows by them. Those that did not end in time are noted for the case.

    Attributes:
        catalogue: The rows.
        void: The claimed hooks that were tried, each with the sign that it has no effect.
        means: The means that were tried at a point of the axes, each with its failure.
    """

    catalogue: Catalogue
    void: dict[api.Hook, str | None] = field(default_factory=dict)
    means: dict[tuple[str, ...], Elsewhere | None] = field(default_factory=dict)

    def void_hook(self, case: Case, hook: api.Hook, ready: Ready, notes: list[str]) -> Cause | None:
        """Return a claimed hook if it has no effect, else None.

        A trial may wait for several deadlines, so it has more time than a case; the case's own time begins after it.

        Raises:
            CaseCut: The trial did not end in time.
        """
        owner = load_call_owners().hooks.get(hook.value)
        if owner is None:
            return None
        if hook not in self.void:
            self.void[hook] = None  # if the trial hangs, nothing is known, and nobody tries again
            ready(HOOK_CASES * case.timing.case)
            try:
                self.void[hook] = without_effect(_beside(case, hook.value), hook)
            except CaseCut:
                notes.append(f"the trial of the hook {hook.value} did not end in time")
                raise
            except NeedsAlone:
                del self.void[hook]
                raise
            ready()
        sign, row = self.void[hook], self.catalogue[owner.row]
        if sign is None:
            return None
        text = f"the hook {hook.value} is claimed and has no effect: {sign}"
        return Cause(Kind.VOID, row if row.applies_to(case.version) else case.rows[0], hook.value, text)

    def failing_means(self, inquiry: Inquiry, ready: Ready, notes: list[str]) -> list[Cause]:
        """Return the means of a case that failed and that does not work by itself, if there is one.

        Journeys, scenarios, programs of the corpus and plans have as many means as rows: what fails in them is theirs to say.
        """
        case = inquiry.case
        if case.point.journey or case.rows[0].chapter in BESIDE:
            return []
        calls = [(op, arguments) for op, _, _, arguments, _, _ in inquiry.recorder.begun()]
        try:
            failure = failing(case, calls, lambda means: self._try(means, case, ready))
            return [inquiry.cause(Kind.MEANS_FAILED, failure)] if failure is not None else []
        except CaseCut:
            notes.append("the trial of what the case needs did not end in time")
            return []
        finally:
            set_current_case(case)

    def _try(self, means: Means, case: Case, ready: Ready) -> Elsewhere | None:
        point = case.point
        key = (means.words, point.api, point.area, point.ack)
        if key not in self.means:
            self.means[key] = None  # if the trial hangs, nothing is known, and nobody tries again
            ready()
            self.means[key] = tried(means, _beside(case, means.words.replace(" ", "-")))
        return self.means[key]


def _beside(case: Case, what: str) -> Case:
    """Make a case of its own on the provider itself; its calls are not recorded, for they are no part of a case."""
    provider, namespace = Recorder.behind(case.provider), f"{case.namespace}.{what}"
    return Case(case.point, case.rows, case.profile, provider, Recorder(provider.clock, what), namespace, case.version)
