"""Operations on message listeners, and what listeners receive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.observing.look import gathered, view
from tck.programs.operations.operation import Operation
from tck.programs.operations.receiving import count
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    OpenOutcome,
)
from tck.programs.state.state import State


class Listener(api.MessageListener):
    """Takes messages; does with each what the program says."""

    def __init__(self, env: Environment, name: str, does: str) -> None:
        self.env = env
        self.name = name
        self.does = does

    def on_message(self, message: api.Message) -> None:
        """Take a message."""
        env = self.env
        before = env.delivered(self.name, gathered(env, message))
        try:
            if self.does in {"change", "change and throw"}:
                _change(message, before)
            if self.does.endswith("throw") and before == 0:
                raise ValueError("as the program wants it")
            if self.does == "acknowledge":
                message.acknowledge()
            elif self.does == "commit":
                env.get(f"{self.name}'s session").commit()
                env.turn(env.parents[self.name])
        finally:
            env.ring()


def _change(message: api.Message, number: int) -> None:
    """Change all that a receiver may change (3.10-2)."""
    message.clear_properties()
    message.clear_body()
    message.set_int_property("n", -1 - number)
    message.jms_type = "changed"
    message.jms_correlation_id = "changed"


def listen(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Give a consumer a listener."""
    found = env.get(args["on"])
    listener = Listener(env, args["on"], args.get("does", "take"))
    if args.get("does") == "commit":
        env.objects[f"{args['on']}'s session"] = env.get(args["session"])
    found.message_listener = listener
    return {"kept": args.get("does") == "commit" or found.message_listener is listener}


def _check_listen(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    session = state.usable(found.session.name)
    if found.state == "open" and found.listening:
        raise OpenOutcome("to change a listener is left open")  # 8.7-17
    if found.state != "open" and not session.connection.simplified:
        return
    does = args.get("does", "take")
    if (does == "acknowledge" and session.mode != "client") or (does == "commit" and session.mode != "transacted"):
        raise OpenOutcome("nothing to settle so")


def _note_listen(state: State, step: Step, _: object) -> None:
    found = state.consumers[step.args["on"]]
    found.listening = state.fresh = True
    found.session.listening.add(found.name)
    found.session.connection.thrown |= str(step.args.get("does")).endswith("throw")
    state.hold(found)


def unlisten(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Take the listener away."""
    found = env.get(args["on"])
    found.message_listener = None
    return {"kept": found.message_listener is None}


def _check_unlisten(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    state.usable(found.session.name)
    if found.state != "open":
        raise OpenOutcome("nothing to be learned")


def _note_unlisten(state: State, step: Step, _: object) -> None:
    found = state.consumers[step.args["on"]]
    found.listening = False
    found.session.listening.discard(found.name)


def settle(env: Environment, expected: Mapping[str, Json] | None) -> dict[str, Json]:
    """Wait until listeners were given what they must be given; return what they were given since the last time."""
    if expected is None:
        env.clock.event().wait(1)
        return _collected(env)
    wanted = expected["total"]
    if not env.until(lambda: env.total() >= wanted and env.idle(), env.patience()) and env.total() < wanted:
        env.disappointed()
    if env.virtual:
        env.clock.event().wait(1)
    return _collected(env)


def _collected(env: Environment) -> dict[str, Json]:
    found = {name: [view(env, each) for each in given] for name, given in env.collect().items()}
    for name, given in found.items():
        for each in given:
            count(env, name, each)
    return found


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("listen", listen, check=_check_listen, note=_note_listen, member="{on}.message_listener"),
    Operation("unlisten", unlisten, check=_check_unlisten, note=_note_unlisten, member="{on}.message_listener"),
)
