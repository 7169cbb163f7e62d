"""States of what an administrator prescribes, of sends and commits that fail, and of exceptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.strength.states.history import Sending
from benchmarks.strength.states.marks import Marks
from tck.programs.program import Json, Step
from tck.programs.state.objects import Producer

_Mark = Callable[[Marks, Step, Json], None]


def _fails_commit(marks: Marks, step: Step, _: Json) -> None:
    history = marks.history
    session = history.rules.sessions[step.args["on"]]
    sends, receives = bool(session.unsent), bool(session.held)
    what = "sends and receives" if sends and receives else "sends" if sends else "receives"
    marks.add(f"failed commit of {what}", f"failed commit in {session.connection.api}")
    marks.when(history.count("failed commits", session.name) > 1, "failed commit twice")
    history.given_back("failed commit", session.name)


def _fails_sends(marks: Marks, step: Step, _: Json) -> None:
    producer = marks.history.rules.producers[step.args["on"]]
    marks.add(f"failed send {producer.session.connection.api} {'async' if step.args.get('async') else 'sync'}")
    marks.when(step.args["count"] > 1, "failed send twice")
    marks.history.count("failed sends", step.args["message"])


def _prescribes(marks: Marks, step: Step, _: Json) -> None:
    found = marks.history.rules.destinations[step.args["of"]]
    marks.when(found.restarted and found.prescribed, "prescribed again after restart")


def prescribed(marks: Marks, producer: Producer, sent: Sending, options: Mapping[str, Json]) -> None:
    """Note a send to a destination for which an administrator prescribes something.

    Args:
        marks: The states so far.
        producer: The producer.
        sent: What is sent.
        options: Those that the send itself gives.
    """
    found = marks.history.rules.destinations.get(sent.to)
    if found is None:
        return
    settings = marks.history.settings.get(producer.name, {})
    for what, value in found.prescribed.items():
        marks.add(f"prescribed {what} {found.kind}")
        marks.when(value == 0, f"prescribed {what} of zero")
        marks.when(what in settings, f"prescribed {what} over producer")
        marks.when(what in options, "prescribed over send")
        marks.when(producer.session.mode == "transacted", "prescribed transacted")
        ends = [each for each in marks.history.rules.endpoints.values() if each.destination is found]
        marks.when(any(each.kind in {"durable", "shared_durable"} for each in ends), "prescribed durable")


def follows(marks: Marks, step: Step) -> None:
    """Note that a send or commit follows one that failed."""
    history = marks.history
    if step.do == "send":
        marks.when(history.counted("failed sends", str(step.args.get("message"))), "send after failed send")
    elif step.do == "commit":
        marks.when(history.counted("failed commits", step.args["on"]), "commit after failed commit")


def _makes_exception(marks: Marks, step: Step, _: Json) -> None:
    args = step.args
    family = "runtime" if "RuntimeException" in args["kind"] else "checked"
    marks.add(f"made exception {family}")
    marks.when(args.get("linked"), f"made exception {family} linked")
    marks.when(args.get("code") is not None, f"made exception {family} with code")
    marks.when(args["reason"] is None, "made exception without reason")


def _provokes(marks: Marks, step: Step, _: Json) -> None:
    session = marks.history.rules.sessions[step.args["on"]]
    marks.add(f"provoked exception {session.connection.api}")


BEFORE: Final[Mapping[str, _Mark]] = {
    "fail_commit": _fails_commit, "fail_sends": _fails_sends, "override": _prescribes, "exception": _makes_exception,
    "provoke": _provokes,
}  # fmt: skip
