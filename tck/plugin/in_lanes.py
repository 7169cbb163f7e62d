"""Cases of a forked child beside each other: what runs in lanes, what runs alone, and the reports of both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import pytest

from tck.catalogue import Catalogue
from tck.plugin.collecting import parameter_of, place_of, title_of
from tck.plugin.colours import colour
from tck.plugin.state import State
from tck.processes import Channel
from tck.record import Result
from tck.running.controller import UNWRITABLE
from tck.running.lanes import Job, Lanes
from tck.running.process import Planned

BEGUN, ENDED, ALONE = "begun", "ended", "alone"
"""What a lane tells the parent of a case: it has begun, has ended, or is to run alone."""
WHOLE: Final = frozenset({"restart", "kill", "load"})
"""The hooks that concern the whole provider."""


def runs_alone(item: pytest.Item, catalogue: Catalogue) -> bool:
    """Return whether a case needs the provider for itself: one of its rows needs a hook that concerns the whole provider."""
    parameter = parameter_of(item)
    if parameter is None:
        return True
    if parameter.point.journey:  # it has other ways
        return False
    return any(catalogue[id_].hook in WHOLE for id_ in parameter.point.assertions)


def packed(config: pytest.Config, report: pytest.TestReport) -> Any:  # noqa: ANN401 - as pytest has it
    """Return a report as it travels to the parent."""
    return config.hook.pytest_report_to_serializable(config=config, report=report)


def beside(
    session: pytest.Session,
    state: State,
    count: int,
    channel: Channel,
    after_each: Callable[[], None],
) -> None:
    """Run cases beside each other, until none is at hand."""
    sending = threading.Lock()  # guards the channel; no other lock is taken while it is held

    def send(message: dict[str, Any]) -> None:
        with sending:
            channel.send(message)

    def take() -> Job | None:
        place = None if state.options.is_over else channel.ticket_at_hand()
        if place is None:
            return None
        send({"lane": BEGUN, "case": place})
        item: Any = session.items[place]
        parameter = parameter_of(item)
        assert parameter is not None  # noqa: S101 - others run alone
        planned = Planned(parameter.point, item.nodeid, *place_of(item), title_of(item))
        return Job(place, planned, parameter.attempt, item.obj)

    def ended(job: Job, result: Result | None) -> None:
        if result is not None:
            item = session.items[job.number]
            report = pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "call")
            rows = [state.catalogue[id_] for id_ in job.planned.point.assertions]
            colour(report, result, rows, state)
            send({"report": packed(session.config, report)})
        after_each()
        send({"lane": ALONE if result is None else ENDED, "case": job.number})

    try:
        Lanes(state.process, count, take, ended).run(state.interrupts.check)
    except OSError as error:  # a full disk: no further case could be written
        session.shouldstop = f"{UNWRITABLE}: {error.strerror or error}"
        send({"stop": session.shouldstop})
    finally:
        state.process.worker().take_back()
    send({"lane": "over"})
