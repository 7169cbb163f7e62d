"""Operations that receive messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tck.programs.observing.environment import Environment
from tck.programs.observing.look import received, tried
from tck.programs.operations.bodies import BODY_CLASSES
from tck.programs.operations.clients import BETWEEN_MS, note_close
from tck.programs.operations.operation import Compared, Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Message,
    OpenOutcome,
)
from tck.programs.state.state import State
from tck.programs.values import typed

_MOST: Final = 260
"""At most so many messages are drained or browsed, in case they never end."""


def receive(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Receive the next message, if there is one."""
    found = env.get(args["on"])
    outcome = env.expected_ok
    expected = None if outcome is None else outcome.get("got") is not None
    ways = (found.receive, found.receive_no_wait)
    contended = bool(env.expected and env.expected.get("open"))
    message = _take(env, ways, args.get("how", "timeout"), expected, contended=contended)
    if message is None:
        return {"got": None}
    env.keep(name, message)
    seen = received(env, message, body=args.get("look", "all") == "all")
    env.keep_native(name, seen)
    count(env, args["on"], seen)
    return {"got": seen}


def _take(
    env: Environment,
    ways: tuple[Callable[..., Any], Callable[[], Any]],
    how: str,
    expected: bool | None,
    *,
    contended: bool = False,
) -> Any:
    """Receive in one of three ways: what must come is waited for, what need not come only briefly."""
    waiting, at_once = ways
    if how == "no_wait" and (env.virtual or not expected):
        return at_once()
    if not expected or contended:
        return waiting(env.brief())
    if how == "forever" and env.patient:
        return waiting()
    if how == "no_wait":
        # "Immediately available" is up to the provider; what it has it must give sooner or later.
        found: list[Any] = []
        env.until(lambda: bool(found) or _got(found, at_once()), env.patience())
        message = found[0] if found else None
    else:
        message = waiting(env.patience())
    if message is None:
        env.disappointed()
    return message


def _got(into: list[Any], message: Any) -> bool:
    if message is not None:
        into.append(message)
    return message is not None


def _check_receive(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    session = state.usable(found.session.name)
    if found.state != "open":
        return
    if session.listening:
        raise OpenOutcome("a session with a listener is not used to receive")
    if found.end.destination.deleted:
        raise OpenOutcome("its destination is gone")
    state.settled(found.end.destination)


def _note_receive(state: State, step: Step, got: dict[str, Any]) -> None:
    consumer = state.consumers[step.args["on"]]
    found = got.get("got")
    if found is None:
        return
    state.hold(consumer)
    if step.name is not None:
        session = consumer.session
        state.messages[step.name] = Message(step.name, found["kind"], receiver=session, epoch=session.epoch)


def receive_body(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Receive the body of the next message, if there is one."""
    found, kind = env.get(args["on"]), BODY_CLASSES[args["type"]]
    outcome = env.expected_ok
    # A call that must fail for its type waits for the message as well.
    expected = None if env.expected is None else outcome is None or outcome.get("got") is not None
    ways = (lambda *wait: found.receive_body(kind, *wait), lambda: found.receive_body_no_wait(kind))
    value = _take(env, ways, args.get("how", "timeout"), expected)
    return {"got": None if value is None else typed(value)}


def _note_receive_body(state: State, step: Step, got: dict[str, Any]) -> None:
    if got.get("got") is not None:
        state.hold(state.consumers[step.args["on"]])


def drain(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Receive all there is; with `look` headers without reading the bodies."""
    found = env.get(args["on"])
    outcome = env.expected_ok
    seen: list[Json] = []
    while len(seen) < _MOST:
        expected = None
        if outcome is not None:
            missing = outcome["total"] - len(env.seen_at.get(env.ends[args["on"]], ()))
            expected = len(seen) < len(outcome["got"]) or missing > 0
        message = _take(env, (found.receive, found.receive_no_wait), "timeout", expected)
        if message is None:
            break
        one = received(env, message, body=args.get("look", "all") == "all")
        seen.append(one)
        count(env, args["on"], one)
    return {"got": seen, "total": len(env.seen_at.get(env.ends[args["on"]], ()))}


def _note_drain(state: State, step: Step, got: dict[str, Any]) -> None:
    if got.get("got"):
        state.hold(state.consumers[step.args["on"]])


def count(env: Environment, name: str, seen: Json) -> None:
    """Record which messages were seen at an endpoint, so that it is known when all were."""
    identity = seen["send"] if seen["send"] is not None else repr(seen.get("body"))
    env.seen_at.setdefault(env.ends[name], set()).add(identity)


def close_waiting(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Close a consumer, or what it belongs to, while a receive waits in it; tell how the receive ends."""
    found, closed = env.get(args["on"]), env.get(args["of"])
    begun, ended = threading.Event(), env.clock.event()
    result: list[Json] = []
    read = partial(found.receive_body, str) if args.get("body") else found.receive

    def wait() -> None:
        with env.clock.actor():
            begun.set()
            result.append(tried(lambda: read() is None))
            ended.set()

    threading.Thread(target=wait, name="explore-waiting", daemon=True).start()
    begun.wait(5)
    env.clock.event().wait(1 if env.virtual else BETWEEN_MS)
    closed.close()
    ended.wait(env.terms.deadline)
    return {"ended": result[0] if result else "it still waits"}


def _check_close_waiting(state: State, args: Mapping[str, Json]) -> None:
    found = state.consumers[args["on"]]
    if found.state != "open" or found.session.listening or found.session.running or found.end.contended:
        raise OpenOutcome("nothing waits there")
    connection = found.session.connection
    if args["of"] not in {found.name, found.session.name, connection.name}:
        raise OpenOutcome("it would not end the receive")
    contexts = [each for each in state.sessions.values() if each.connection is connection and each.state == "open"]
    if connection.simplified and args["of"] == connection.name != found.session.name and len(contexts) > 1:
        raise OpenOutcome("it would not end the receive")
    state.settled(found.end.destination)


def _note_close_waiting(state: State, step: Step, _: object) -> None:
    note_close(state, Step("close", {"on": step.args["of"]}), None)


def _member(step: Step, on: str) -> str:
    call = "receive_body" if step.do == "receive_body" else "receive"
    return f"{on}.{call}{'_no_wait' if step.args.get('how') == 'no_wait' else ''}"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("receive", receive, check=_check_receive, note=_note_receive, compared=Compared.MESSAGES, member=_member),
    Operation(
        "receive_body", receive_body, check=_check_receive, note=_note_receive_body, compared=Compared.BODY, member=_member,
    ),
    Operation("drain", drain, check=_check_receive, note=_note_drain, compared=Compared.MESSAGES, member=_member),
    Operation("close_waiting", close_waiting, check=_check_close_waiting, note=_note_close_waiting, closes="of"),
)  # fmt: skip
