"""Operations that make and delete destinations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.programs.observing.environment import Environment
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Destination,
    OpenOutcome,
)
from tck.programs.state.state import State


def queue(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Have an administrator create a queue, of a wanted name if there is one; or ask a session for one by name."""
    return _destination(env, args, name, "queue")


def topic(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Have an administrator create a topic, or ask a session for one by name."""
    return _destination(env, args, name, "topic")


def _destination(env: Environment, args: Mapping[str, Json], name: str | None, kind: str) -> Json:
    if args.get("on") is not None:
        # A further object for the same destination (4.1.4-2): it takes the place of the first.
        known = env.get(args["of"])
        text = known.queue_name if kind == "queue" else known.topic_name
        made = getattr(env.get(args["on"]), f"create_{kind}")(text)
        env.objects[args["of"]] = made
        return {"name": (made.queue_name if kind == "queue" else made.topic_name) == text}
    found = getattr(env.provider, f"create_{kind}")(env.provider_name(args.get("name", name)))
    env.made.append(found)
    env.made_destination(name or "", found)
    return None


def _check_destination(state: State, args: Mapping[str, Json]) -> None:
    if args.get("on") is not None:
        state.usable(args["on"])
    if "name" in args:
        if not state.capabilities.virtual:
            raise OpenOutcome("which names a provider takes is its own affair")
        if args["name"] in state.names:
            raise OpenOutcome("it would be the same destination")


def _note_destination(state: State, step: Step, _: object) -> None:
    if step.name is not None:
        state.destinations[step.name] = Destination(step.name, step.do)
        state.names.add(step.args.get("name", step.name))


def temporary(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a temporary destination."""
    kind = args["kind"]
    made = getattr(env.get(args["on"]), f"create_temporary_{kind}")()
    env.made_destination(name or "", made)
    return {"name": bool(made.queue_name if kind == "queue" else made.topic_name)}


def _check_temporary(state: State, args: Mapping[str, Json]) -> None:
    state.usable(args["on"])


def _note_temporary(state: State, step: Step, _: object) -> None:
    owner = state.sessions[step.args["on"]].connection
    name = step.name or ""
    state.destinations[name] = Destination(name, step.args["kind"], owner, temporary=True)


def delete(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Delete a temporary destination."""
    env.get(args["on"]).delete()


def _check_delete(state: State, args: Mapping[str, Json]) -> None:
    found = state.destinations[args["on"]]
    if found.owner is None or found.owner.state != "open" or found.deleted:
        raise OpenOutcome("what delete does then is not laid down")
    if any(end.destination is found for each in state.sessions.values() for end in each.held.values()):
        raise OpenOutcome("messages of it are in hand")


def _note_delete(state: State, step: Step, _: object) -> None:
    state.destinations[step.args["on"]].deleted = True


def _member(step: Step, on: str) -> str | None:
    return None if step.args.get("on") is None else f"{on}.create_{step.do}"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("queue", queue, check=_check_destination, note=_note_destination, member=_member, makes="Queue"),
    Operation("topic", topic, check=_check_destination, note=_note_destination, member=_member, makes="Topic"),
    Operation(
        "temporary", temporary, check=_check_temporary, note=_note_temporary,
        member="{on}.create_temporary_{kind}", makes=lambda step, _: f"Temporary{step.args['kind'].capitalize()}",
    ),
    Operation("delete", delete, check=_check_delete, note=_note_delete, member="{on}.delete"),
)  # fmt: skip
