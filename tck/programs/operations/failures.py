"""Operations that let time pass or have something fail, and those on the exception listeners that are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck import api
from tck.programs.observing.environment import Environment, exception_name
from tck.programs.operations.clients import BETWEEN_MS, check_alive
from tck.programs.operations.getters import check_connection
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


def _check_advance(state: State, _: Mapping[str, Json]) -> None:
    waiting = {name for each in state.sessions.values() if each.state == "open" for name in each.waiting}
    if waiting - state.overdue and not state.capabilities.virtual:
        raise OpenOutcome("whether a receive that waits has ended by then is open; collect it first")


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
    found.state, found.severed = "dead", True
    state.end_connection(found)


class _Failures(api.ExceptionListener):
    """Keeps the names of the exceptions that a connection reports."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.got: list[str] = []

    def on_exception(self, exception: Exception) -> None:
        """Take it."""
        # Whether it is a subclass is the provider's choice.
        fits = isinstance(exception, api.JMSException)
        self.got.append("JMSException" if fits else exception_name(exception))
        self.env.ring()


def on_exception(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Set the exception listener of a connection or context, or take it away, and tell whether it is kept."""
    found = env.get(args["on"])
    listener = _Failures(env) if args["value"] else None
    found.exception_listener = listener
    env.reported.setdefault(env.root(args["on"]), []).append(listener)
    return {"kept": found.exception_listener is listener}


def _note_on_exception(state: State, step: Step, _: object) -> None:
    found = state.connection_of(step.args["on"])
    found.replaced |= found.reports
    found.reports = bool(step.args["value"])


def problems(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Tell whether the exception listener that was set last was called, with what, and whether an earlier one was."""
    *earlier, last = env.reported.get(env.root(args["on"])) or [None]
    called = (env.expected_ok or {}).get("called")
    if not called:
        env.clock.event().wait(env.brief())
    elif not env.until(lambda: last is not None and bool(last.got), env.patience()):
        env.disappointed()
    got = [] if last is None else list(last.got)
    return {
        "called": bool(got),
        "with": next((each for each in got if each != "JMSException"), got[0] if got else None),
        "replaced": any(each.got for each in earlier if each is not None),
    }


def _check_problems(state: State, args: Mapping[str, Json]) -> None:
    """A broken link is reported (6.1.7-1), but not what a call has raised (6.1.7-10), nor another connection's broken link."""
    found = state.connection_of(args["on"])
    if not found.reports and not found.replaced:
        raise OpenOutcome("it has no exception listener")
    if found.state == "dead" and not found.severed:
        raise OpenOutcome("whether a connection notices that the provider was lost, and when, is open")
    if not found.started and not found.stopped:
        raise OpenOutcome("it may have had no link so far")
    if found.thrown:
        raise OpenOutcome("what a listener throws may be reported")
    if found.severed or state.refusals or any(each.severed for each in state.connections.values()):
        return
    raise OpenOutcome("nothing has happened of which it is laid down whether it is reported")


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("advance", advance, check=_check_advance, note=_note_advance),
    Operation("restart", restart, check=_check_restart, note=_note_lost, gives_back=True, fails=True, restarts=True),
    Operation("kill", kill, check=_check_kill, note=_note_lost, gives_back=True, fails=True, restarts=True),
    Operation("sever", sever, check=_check_sever, note=_note_sever, gives_back=True, fails=True),
    Operation("on_exception", on_exception, check=check_connection, note=_note_on_exception, keeps_browsers=True),
    Operation("problems", problems, check=_check_problems, keeps_browsers=True),
)
