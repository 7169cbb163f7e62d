"""Operations of an administrator: prescribe what senders ask for, and have sends and commits fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment, exception_name, quietly
from tck.programs.observing.look import kind_of
from tck.programs.operations.operation import Operation
from tck.programs.operations.sending import done, keywords_of, record_of, send_member, tag_of, target_of
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Destination,
    OpenOutcome,
)
from tck.programs.state.state import State

OVERRIDES: Final = "admin-override"
"""The feature of providers whose administrator can prescribe what clients ask for."""
_PRESCRIBED: Final[Mapping[str, str]] = {
    "mode": "delivery_mode",
    "priority": "priority",
    "ttl": "time_to_live",
    "delay": "delivery_delay",
}
_UNITS: Final = frozenset({"ttl", "delay"})


def _prescribed(args: Mapping[str, Json]) -> dict[str, int]:
    every = {
        "mode": args.get("mode"), "priority": args.get("priority"), "ttl": args.get("ttl"), "delay": args.get("delay"),
    }  # fmt: skip
    return {what: value for what, value in every.items() if value is not None}


def override(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Prescribe mode, priority, time to live or delay of all that is sent to a destination from now on."""
    values = _prescribed(args)
    given = {_PRESCRIBED[what]: value * env.terms.unit if what in _UNITS else value for what, value in values.items()}
    env.provider.administer("override", destination=env.get(args["of"]), **given)
    env.prescribed[args["of"]] = values


def _check_override(state: State, args: Mapping[str, Json]) -> None:
    if "administer" not in state.capabilities.hooks or OVERRIDES not in state.capabilities.features:
        raise OpenOutcome("the provider's administrator prescribes nothing")
    if "delay" in args and not state.capabilities.modern:
        raise OpenOutcome("the version has no delays")
    found = _administered(state, state.destinations[args["of"]])
    if not found.prescribed.keys() <= _prescribed(args).keys():
        raise OpenOutcome("whether what was prescribed before still holds is left open")
    if any(found.name in each.unsent for each in state.sessions.values() if each.state == "open"):
        raise OpenOutcome("whether it holds for what is sent and not committed is left open")


def _administered(state: State, found: Destination) -> Destination:
    """Return a destination that an administrator can single out.

    Raises:
        OpenOutcome: It is temporary, or its name may stand for others as well.
    """
    if found.deleted or found.temporary:
        raise OpenOutcome("an administrator knows no temporary destination")
    if found.name not in state.names:
        raise OpenOutcome("what else goes by such a name is the provider's own affair")
    return found


def _note_override(state: State, step: Step, _: object) -> None:
    found = state.destinations[step.args["of"]]
    found.prescribed, found.restarted = _prescribed(step.args), False


# -- commits that fail -------------------------------------------------------------------------------------------------


def fail_commit(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Commit a session whose commit ends in a rollback; tell what it raised."""
    session = env.get(args["on"])
    env.provider.administer("fail-next-commit", connection=env.get(_connection(env, args["on"])))
    raised: str | None = None
    try:
        session.commit()
    except Exception as error:  # noqa: BLE001 - whatever a commit raises is what was seen
        raised = exception_name(error)
    env.turn(args["on"])
    return {"raised": raised}


def _connection(env: Environment, session: str) -> str:
    """Return the name of the connection of a session; a context is its own."""
    return session if env.api_of(session) == "simplified" else env.parents[session]


def _check_fault(state: State) -> None:
    if "fault" not in state.capabilities.hooks:
        raise OpenOutcome("the provider offers no hook fault")


def _check_fail_commit(state: State, args: Mapping[str, Json]) -> None:
    _check_fault(state)
    session = state.usable(args["on"])
    if session.state != "open" or session.mode != "transacted":
        raise OpenOutcome("there is nothing to commit")
    if not session.unsent and not session.held:
        raise OpenOutcome("a commit of nothing may not get as far as the provider")
    others = [each for each in state.sessions.values() if each.connection is session.connection]
    if any(each.running for each in others):
        raise OpenOutcome("a listener of the connection may commit first")


def _note_fail_commit(state: State, step: Step, _: object) -> None:
    found = state.sessions[step.args["on"]]
    found.held.clear()
    found.unsent.clear()
    found.epoch += 1


# -- sends that fail ---------------------------------------------------------------------------------------------------


class _Callback(api.CompletionListener):
    """Waits for how an asynchronous send ends."""

    def __init__(self, env: Environment, given: Any, tag: int | None) -> None:
        self.env = env
        self.given = given
        self.tag = tag
        self.calls: list[dict[str, Json]] = []

    def on_completion(self, message: api.Message) -> None:
        """Record that it did not fail."""
        del message
        self._called(failed=False, own=True)

    def on_exception(self, message: api.Message, exception: Exception | None) -> None:
        """Record whether the message is that of the send, and whether there is an exception."""
        found = self.env.bare(message)
        number = quietly(lambda: found.get_object_property("n"))
        same = self.tag is None or getattr(number, "value", number) == self.tag
        own = exception is not None and kind_of(found) == kind_of(self.env.bare(self.given)) and same
        self._called(failed=True, own=own)

    def _called(self, *, failed: bool, own: bool) -> None:
        self.calls.append({"failed": failed, "family": "of the send" if own else "of another"})
        self.env.ring()


def fail_sends(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a message so many times while sends to its destination fail; tell of each whether it did, and how."""
    given = env.get(args["message"])
    record = record_of(env, args)
    env.provider.administer("fail-next-sends", destination=env.get(record.destination), count=args["count"])
    ends = [_fails(env, args, given) for _ in range(args["count"])]
    return {name: [each[name] for each in ends] for name in ("failed", "family")}


def _fails(env: Environment, args: Mapping[str, Json], given: Any) -> dict[str, Json]:
    record = record_of(env, args)
    record.tag = tag_of(env, args, given)
    listener = _Callback(env, given, record.tag) if args.get("async") else None
    try:
        _send(env, args, given, listener)
    except Exception as error:  # noqa: BLE001 - whatever a send raises is what was seen
        # A failure that is found out during the call is raised by it, and no callback follows.
        return {"failed": True, "family": _family(error) if listener is None else "of the send"}
    if listener is None:
        end: dict[str, Json] = {"failed": False, "family": "none"}
    else:
        env.until(lambda: bool(listener.calls), env.terms.deadline if env.generating else env.patience())
        if not listener.calls:
            env.disappointed()
            return {"failed": None, "family": "no callback"}
        end = listener.calls[0]
    if not end["failed"]:
        done(env, record, given)
    return end


def _send(env: Environment, args: Mapping[str, Json], given: Any, listener: _Callback | None) -> None:
    found, keywords = env.get(args["on"]), keywords_of(env, args)
    if env.api_of(args["on"]) != "simplified":
        along = {} if listener is None else {"completion_listener": listener}
        found.send(given, **keywords, **along)
        return
    if listener is not None:
        found.set_async(listener)
    try:
        found.send(env.find(args, "to"), given)
    finally:
        if listener is not None:
            found.set_async(None)


def _family(error: Exception) -> str:
    """Name the family of an exception; which member of it is the provider's choice."""
    families = (api.JMSException, api.JMSRuntimeException)
    return next((each.__name__ for each in families if isinstance(error, each)), exception_name(error))


def _check_fail_sends(state: State, args: Mapping[str, Json]) -> None:
    _check_fault(state)
    producer = state.producers[args["on"]]
    session = state.usable(producer.session.name)
    if producer.state != "open" or session.state != "open":
        raise OpenOutcome("a closed producer refuses before the provider can")
    if session.mode == "transacted":
        raise OpenOutcome("whether send or commit fails is left open")
    if args.get("async") and not state.capabilities.modern:
        raise OpenOutcome("the version has no asynchronous sends")
    target = target_of(state, producer, args)
    if target is None or (producer.destination is not None) == bool(args.get("to")):
        raise OpenOutcome("a send to no destination, or to one too many, is refused before it can fail")
    _administered(state, target)
    if state.native:
        raise OpenOutcome("whether a correlation identifier is text or bytes after it is left open")
    message = state.messages[args["message"]]
    if message.foreign or message.receiver is not None:
        raise OpenOutcome("a message that is not the session's own may be refused before it can fail")


def _note_fail_sends(state: State, step: Step, _: object) -> None:
    state.messages[step.args["message"]].unsure = True


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("override", override, check=_check_override, note=_note_override),
    Operation(
        "fail_commit", fail_commit, check=_check_fail_commit, note=_note_fail_commit,
        member="{on}.commit", gives_back=True, settles=True, decides=True,
    ),
    Operation("fail_sends", fail_sends, check=_check_fail_sends, note=_note_fail_sends, member=send_member, decides=True),
)  # fmt: skip
