"""Second lifetimes of what a case has ended: which cases are given them, and whom they blame."""

from __future__ import annotations

from tck.running.attempt import Tracked
from tck.running.causes import SecondLife
from tck.running.worker import Worker
from tck.suite.support import lifetimes


def look_at_lifetimes(worker: Worker, tracked: Tracked) -> None:
    """Open second lifetimes of what a case whose body has returned has ended, and look at them."""
    case, recorder = tracked.case, worker.recorder
    if case is None or recorder is None or not lifetimes.wanted(case):
        return

    def judged(id_: str) -> bool:
        row = worker.catalogue[id_]
        return row.judged and row.applies_to(worker.version) and set(row.features) <= worker.profile.claims.features

    for wrong in lifetimes.look(case, recorder, judged):
        tracked.harms.append(SecondLife(worker.catalogue[wrong.row], wrong.call, wrong.text))
