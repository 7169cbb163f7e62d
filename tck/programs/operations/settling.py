"""Operations that settle messages: acknowledge, recover, commit, roll back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.programs.observing.environment import Environment
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    OpenOutcome,
)
from tck.programs.state.state import State


def acknowledge(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Acknowledge by a message, or by a context."""
    env.get(args["on"]).acknowledge()


def _check_acknowledge(state: State, args: Mapping[str, Json]) -> None:
    name = args["on"]
    if name in state.sessions:
        state.usable(name)
        return
    message = state.messages[name]
    session = message.receiver
    if session is None or session.state == "dead" or message.epoch != session.epoch:
        raise OpenOutcome("the message is not in hand")
    if session.state == "closed" and session.mode != "client":
        raise OpenOutcome("modes that ignore it may ignore it then too")  # 6.1.8-36
    state.usable(session.name)


def _note_acknowledge(state: State, step: Step, _: object) -> None:
    name = step.args["on"]
    session = state.sessions[name] if name in state.sessions else state.messages[name].receiver
    if session is not None and session.mode == "client":
        session.held.clear()


def recover(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Recover a session."""
    env.get(args["on"]).recover()


def _check_recover(state: State, args: Mapping[str, Json]) -> None:
    if state.usable(args["on"]).mode == "dups_ok":
        raise OpenOutcome("what was acknowledged lazily may come again")


def _note_recover(state: State, step: Step, _: object) -> None:
    state.sessions[step.args["on"]].epoch += 1


def commit(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Commit a session."""
    env.get(args["on"]).commit()
    env.turn(args["on"])


def rollback(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Roll back a session."""
    env.get(args["on"]).rollback()
    env.turn(args["on"])


def _check_end(state: State, args: Mapping[str, Json]) -> None:
    state.usable(args["on"])


def _note_end(state: State, step: Step, _: object) -> None:
    found = state.sessions[step.args["on"]]
    found.held.clear()
    found.unsent.clear()
    found.epoch += 1


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "acknowledge", acknowledge, check=_check_acknowledge, note=_note_acknowledge,
        member=lambda _, on: f"{'JMSContext' if on == 'JMSContext' else 'Message'}.acknowledge", settles=True,
    ),
    Operation(
        "recover", recover, check=_check_recover, note=_note_recover,
        member=lambda _, on: f"{'JMSContext' if on == 'JMSContext' else 'Session'}.recover", gives_back=True, settles=True,
    ),
    Operation("commit", commit, check=_check_end, note=_note_end, member="{on}.commit", settles=True),
    Operation(
        "rollback", rollback, check=_check_end, note=_note_end, member="{on}.rollback", gives_back=True, settles=True,
    ),
)  # fmt: skip
