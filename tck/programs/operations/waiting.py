"""Operations of a receive that waits while the program goes on: its message is handed over when it is sent."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.observing.look import received
from tck.programs.operations.clients import BETWEEN_MS
from tck.programs.operations.operation import Compared, Operation
from tck.programs.operations.receiving import count
from tck.programs.program import Json, Step
from tck.programs.state.objects import Message, OpenOutcome
from tck.programs.state.state import State


@dataclass(slots=True)
class _Waiting:
    """A receive in a thread of its own. `result`: the message, or what the receive raised; empty while it waits."""

    ended: api.Event
    result: list[Any] = field(default_factory=list)


def await_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Begin a receive that waits; `collect` returns its message."""
    found = env.get(args["on"])
    waiting = _Waiting(env.clock.event())
    env.waiting[args["on"]] = waiting
    begun = threading.Event()
    # Where time is virtual it ends before the next unit does, so that it expires nothing.
    milliseconds = env.terms.unit - 1 if env.virtual else env.terms.deadline

    def wait() -> None:
        with env.clock.actor():
            begun.set()
            try:
                waiting.result.append(found.receive(milliseconds))
            except Exception as error:  # noqa: BLE001 - `collect` raises it
                waiting.result.append(error)
            waiting.ended.set()

    threading.Thread(target=wait, name="explore-await", daemon=True).start()
    begun.wait(5)
    env.clock.event().wait(1 if env.virtual else BETWEEN_MS)


def _check_await(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    session = state.usable(found.session.name)
    if found.state != "open" or session.listening or not session.connection.started:
        raise OpenOutcome("nothing can come there")
    if found.end.destination.deleted:
        raise OpenOutcome("its destination is gone")
    state.settled(found.end.destination)


def _note_await(state: State, step: Step, _: object) -> None:
    found = state.consumers[step.args["on"]]
    found.session.waiting.add(found.name)
    found.blocked = not found.end.destination.used


def collect(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Return the message of the receive that `await` began; none if it got none."""
    waiting = env.waiting.pop(args["on"])
    outcome = env.expected_ok
    expected = outcome is not None and outcome.get("got") is not None
    waiting.ended.wait(env.terms.deadline if env.virtual else env.patience() if expected else env.brief())
    message = waiting.result[0] if waiting.result else None
    if isinstance(message, Exception):
        raise message
    if message is None:
        return {"got": None}
    env.keep(name, message)
    seen = received(env, message)
    env.keep_native(name, seen)
    count(env, args["on"], seen)
    return {"got": seen}


def _check_collect(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    if found.session.state == "dead" or found.state != "open":
        raise OpenOutcome("how the receive has ended is open, or told by close_waiting")
    if found.name not in found.session.waiting or found.name in state.overdue or not found.session.connection.started:
        raise OpenOutcome("nothing waits there")
    state.settled(found.end.destination)


def _note_collect(state: State, step: Step, got: dict[str, Any]) -> None:
    consumer = state.consumers[step.args["on"]]
    found, session = got.get("got"), consumer.session
    if found is None:
        state.overdue.add(consumer.name)  # its session is not used until one of the two is closed
        return
    session.waiting.discard(consumer.name)
    state.hold(consumer)
    if step.name is not None:
        state.messages[step.name] = Message(step.name, found["kind"], receiver=session, epoch=session.epoch)


def waits(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Tell whether the receive that `await` began still waits, or has ended without a message."""
    waiting = env.waiting[args["on"]]
    waiting.ended.wait(env.brief())
    return {"waits": not waiting.result or waiting.result[0] is None}


def _check_waits(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    if found.name not in found.session.waiting or found.name in state.overdue or found.state != "open":
        raise OpenOutcome("nothing waits there")
    if found.session.connection.started or not found.blocked:
        raise OpenOutcome("what it was given by now is open; collect it")


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("await", await_, check=_check_await, note=_note_await),
    Operation("waits", waits, check=_check_waits, keeps_browsers=True),
    Operation("collect", collect, check=_check_collect, note=_note_collect, compared=Compared.MESSAGES),
)
