"""Operations that let time pass or have something fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.programs.observing.environment import Environment
from tck.programs.operations.clients import BETWEEN_MS, check_alive
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    OpenOutcome,
)
from tck.programs.state.state import State


def advance(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Let time pass: so many units, and a little more where time is real."""
    span = args["units"] * env.terms.unit + args.get("ms", 0)
    if env.virtual:
        env.clock.advance(span)
        # Who is due now runs before the next step.
        env.clock.event().wait(1)
    else:
        env.clock.event().wait(span + env.terms.tolerance + BETWEEN_MS)


def _note_advance(state: State, step: Step, _: object) -> None:
    for destination in state.destinations.values():
        destination.due = max(0, destination.due - step.args["units"])


def restart(env: Environment, _args: Mapping[str, Json], _: str | None) -> Json:
    """Stop the provider in good order and start it again."""
    env.provider.restart()
    env.pools.clear()
    env.failed = True


def _check_restart(state: State, _: Mapping[str, Json]) -> None:
    if "restart" not in state.capabilities.hooks:
        raise OpenOutcome("the provider offers no hook restart")
    state.heard()


def kill(env: Environment, _args: Mapping[str, Json], _: str | None) -> Json:
    """Lose the provider and start it again."""
    env.provider.kill()
    env.pools.clear()
    env.failed = True


def _check_kill(state: State, _: Mapping[str, Json]) -> None:
    if "kill" not in state.capabilities.hooks:
        raise OpenOutcome("the provider offers no hook kill")
    state.heard()


def _note_lost(state: State, _step: Step, _: object) -> None:
    for destination in state.destinations.values():
        destination.restarted = True
    for connection in state.connections.values():
        if connection.state == "open":
            connection.state = "dead"
            state.end_connection(connection)


def sever(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Break the link of a connection."""
    env.provider.sever(env.get(args["on"]))
    env.pools.clear()
    env.failed = True
    if env.virtual:
        env.clock.event().wait(1)


def _check_sever(state: State, args: Mapping[str, Json]) -> None:
    if "sever" not in state.capabilities.hooks:
        raise OpenOutcome("the provider offers no hook sever")
    check_alive(state, args)
    state.heard()


def _note_sever(state: State, step: Step, _: object) -> None:
    found = state.connection_of(step.args["on"])
    found.state = "dead"
    state.end_connection(found)


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("advance", advance, note=_note_advance),
    Operation("restart", restart, check=_check_restart, note=_note_lost, gives_back=True, fails=True),
    Operation("kill", kill, check=_check_kill, note=_note_lost, gives_back=True, fails=True),
    Operation("sever", sever, check=_check_sever, note=_note_sever, gives_back=True, fails=True),
)
