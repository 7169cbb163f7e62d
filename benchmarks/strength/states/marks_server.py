"""States of connection consumers, and of branches of distributed transactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.strength.states.marks import Marks
from tck.programs.program import Json, Step
from tck.programs.state.objects import Consumer

_Mark = Callable[[Marks, Step, Json], None]
_SETTLES: Final[Mapping[str, str]] = {"acknowledge": "acknowledges", "commit": "commits"}


def _pools(marks: Marks, step: Step, _: Json) -> None:
    history, name = marks.history, str(step.name)
    consumer = history.rules.consumers[name]
    history.made[f"listener of {name}"] = step
    waits = [each for each in history.waiting() if each.to == consumer.end.destination.name]
    marks.when(not consumer.session.connection.started, "pool on a stopped connection")
    marks.when(waits and consumer.end.durable, "pool with a backlog")
    marks.when(history.counted("failures"), "pool after failure")


def fed(marks: Marks, consumer: Consumer) -> None:
    """Note that a connection consumer gave its server session a message."""
    history, session = marks.history, consumer.session
    args = history.arguments(f"listener of {consumer.name}")
    marks.add(f"pool of {consumer.end.kind}", f"pool through {session.connection.api}", f"pool in {session.mode}")
    marks.when(args.get("selector"), "pool selects")
    marks.when(args.get("most", 1) > 1 and history.count("fed", consumer.name) > 1, "pool of many")
    marks.when(session.mode in {"client", "transacted"}, f"pool {_SETTLES.get(str(args.get('does')), 'takes only')}")


def took(marks: Marks, consumer: Consumer, *, again: bool) -> None:
    """Note that a call received from an endpoint that a connection consumer had."""
    pools = [each for each in marks.history.rules.consumers.values() if each.pooled and each.end is consumer.end]
    marks.when(pools, "pool then a consumer")
    marks.when(pools and again, "pool again elsewhere")


def _closes(marks: Marks, step: Step, _: Json) -> None:
    found = marks.history.rules.consumers.get(step.args["on"])
    marks.when(found is not None and found.pooled, "pool closed")


# -- branches ----------------------------------------------------------------------------------------------------------


def _branches(marks: Marks, step: Step, _: Json) -> None:
    history, what = marks.history, str(step.args["what"])
    session, found = history.rules.sessions[step.args["on"]], history.rules.branches.get(str(step.args.get("of")))
    marks.add(f"branch {what}", f"branch through {session.connection.api}")
    if found is None or what not in {"commit", "one_phase", "rollback", "undo"}:
        return
    marks.when(found.state == "prepared" and what == "rollback", "branch prepared rollback")
    marks.when(found.session is not session, "branch elsewhere")
    marks.when(found.session.state == "dead", "branch after failure")
    marks.when(found.unsent, "branch sends")
    marks.when(found.held, "branch receives")
    marks.when(found.unsent and found.held, "branch both")
    if what in {"rollback", "undo"}:
        history.given_back("branch", found.session.name)
    else:
        history.settle(found.session.name)


BEFORE: Final[Mapping[str, _Mark]] = {"branch": _branches}
AFTER: Final[Mapping[str, _Mark]] = {"pool": _pools, "close": _closes}
