"""Operations that send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment, Sent, exception_name
from tck.programs.observing.look import sender_headers
from tck.programs.operations.bodies import BODY_CLASSES
from tck.programs.operations.messages import NATIVE
from tck.programs.operations.operation import Compared, Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Destination,
    OpenOutcome,
    Producer,
)
from tck.programs.state.state import State
from tck.programs.values import boxed


class _Completion(api.CompletionListener):
    """Waits for the outcome of an asynchronous send."""

    def __init__(self, env: Environment, done: Callable[[Any], Json]) -> None:
        self.env = env
        self.calls: list[Json] = []
        self._done = done

    def on_completion(self, message: api.Message) -> None:
        """Look at the message: its headers are set by now (7.3.6-1)."""
        self.calls.append({"completed": self._done(message)})
        self.env.ring()

    def on_exception(self, message: api.Message, exception: Exception) -> None:
        """Record the failure."""
        del message
        self.calls.append({"failed": exception_name(exception)})
        self.env.ring()


def send(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a message."""
    found, given = env.get(args["on"]), env.find(args, "message")
    record = record_of(env, args)
    record.tag = tag_of(env, args, given)
    keywords = keywords_of(env, args)
    if env.api_of(args["on"]) == "simplified":
        return _send_simplified(env, args, record, (found, given))
    if not args.get("async"):
        if args.get("publish"):
            keywords = {("topic" if key == "destination" else key): value for key, value in keywords.items()}
            found.publish(given, **keywords)
        else:
            found.send(given, **keywords)
        return done(env, record, given)
    listener = _Completion(env, lambda message: done(env, record, message))
    found.send(given, **keywords, completion_listener=listener)
    return _completed(env, listener)


def _check_send(state: State, args: Mapping[str, Json]) -> None:
    producer = state.producers[args["on"]]
    state.usable(producer.session.name)
    state.reachable(args.get("to"), producer.session.connection)
    if producer.destination is not None:
        state.reachable(producer.destination.name, producer.session.connection)
    if args.get("async") and not state.capabilities.modern:
        raise OpenOutcome("the version has no asynchronous sends")
    if args.get("publish") and not producer.publisher:
        raise OpenOutcome("only a TopicPublisher publishes")
    message = state.messages.get(args.get("message", ""))
    if producer.correlates == NATIVE and ("body" in args or (message is not None and message.foreign)):
        raise OpenOutcome("a body does not say whose bytes it has; those of a foreign message are left open")
    if message is not None and message.foreign and producer.properties:
        raise OpenOutcome("what a foreign message refuses is its own affair")
    target = target_of(state, producer, args)
    if target is not None and target.prescribed:
        if target.restarted:
            raise OpenOutcome("whether the provider still knows what was prescribed is its own affair")
        if message is not None and message.foreign:
            raise OpenOutcome("how a provider shows on a foreign message what was prescribed is its own affair")


def target_of(state: State, producer: Producer, args: Mapping[str, Json]) -> Destination | None:
    """Return the destination of a send; None where there is none."""
    return state.destinations[args["to"]] if args.get("to") else producer.destination


def _note_send(state: State, step: Step, _: object) -> None:
    args = step.args
    producer = state.producers[args["on"]]
    target = target_of(state, producer, args)
    message = state.messages.get(args.get("message", ""))
    if message is not None:
        message.sent, message.unsure = True, False
    if target is not None:
        target.used = True
        if producer.session.mode == "transacted":
            producer.session.unsent.add(target.name)
        target.due = target.due_after(args.get("ttl", producer.ttl), producer.delay)


def _send_simplified(env: Environment, args: Mapping[str, Json], record: Sent, both: tuple[Any, Any]) -> Json:
    found, given = both
    listener = _Completion(env, lambda message: done(env, record, message)) if args.get("async") else None
    if listener is not None:
        found.set_async(listener)
    try:
        found.send(env.target(args), given)
    finally:
        if listener is not None:
            found.set_async(None)
    return done(env, record, given) if listener is None else _completed(env, listener)


def send_body(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a body with a JMSProducer, which makes the message."""
    found, body = env.get(args["on"]), args["body"]
    record = record_of(env, args)
    record.tag = env.options[args["on"]].tag
    value = boxed(body)
    if body[0] == "null":
        found.send(env.target(args), None, body_type=BODY_CLASSES[args["type"]])
    else:
        found.send(env.target(args), value)
    record.returned = env.clock.now()
    env.record(record)
    hints = sorted(env.options[record.producer].disabled)
    return {"hints": hints} if hints else None


def record_of(env: Environment, args: Mapping[str, Json]) -> Sent:
    """Begin the record of a send."""
    name = args["on"]
    options = env.options[name]
    connection, transaction = env.origin(name)
    destination = args.get("to") or env.targets[name] or ""
    wanted = {
        "mode": args.get("mode", options.mode),
        "priority": args.get("priority", options.priority),
        "ttl": args.get("ttl", options.ttl),
        "delay": options.delay,
    }
    prescribed = env.prescribed.get(destination, {})
    message = args.get("message")
    if options.correlates and message is not None:  # the producer's takes the place of the message's (7.6-2)
        (env.native.add if options.correlates == NATIVE else env.native.discard)(message)
    effective = {**wanted, **prescribed}
    return Sent(
        number=len(env.sent),
        producer=name,
        destination=destination,
        mode=min(wanted["mode"], effective["mode"]),  # what either of them lets a provider lose may be lost
        priority=effective["priority"],
        ttl=effective["ttl"],
        delay=effective["delay"],
        asked=tuple(wanted.values()) if prescribed else None,
        native=options.correlates == NATIVE or message in env.native,
        called=env.clock.now(),
        returned=0,
        given=args.get("message"),
        connection=connection,
        transaction=transaction,
    )


def tag_of(env: Environment, args: Mapping[str, Json], given: Any) -> int | None:
    """Find the number of a message, or that the producer puts on it."""
    own = env.options[args["on"]].tag
    if own is not None or given is None:
        return own
    try:
        value = env.bare(given).get_object_property("n")
    except Exception:  # noqa: BLE001 - then it cannot be told by it
        return None
    number = getattr(value, "value", value)
    return number if isinstance(number, int) else None


def keywords_of(env: Environment, args: Mapping[str, Json]) -> dict[str, Any]:
    """Return destination and options of a send as keywords of the classic API."""
    keywords: dict[str, Any] = {}
    if "to" in args:
        keywords["destination"] = env.target(args)
    if "mode" in args:
        keywords |= {"delivery_mode": args["mode"], "priority": args["priority"]}
        keywords["time_to_live"] = args["ttl"] * env.terms.unit
    return keywords


def done(env: Environment, record: Sent, given: Any) -> Json:
    """Record a send that returned, and tell the headers that it has set."""
    record.returned = env.clock.now()
    env.record(record)
    hints = sorted(env.options[record.producer].disabled)
    return {"headers": sender_headers(env, given, record), **({"hints": hints} if hints else {})}


def _completed(env: Environment, listener: _Completion) -> Json:
    expected = env.terms.deadline if env.generating else env.patience()
    if not env.until(lambda: bool(listener.calls), expected):
        env.disappointed()
        return {"callback": None}
    return {"callback": listener.calls[0]}


def send_many(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send so many texts, numbered from a number on."""
    producer, session = env.get(args["on"]), env.get(args["of"])
    simplified = env.api_of(args["on"]) == "simplified"
    for number in range(args["first"], args["first"] + args["count"]):
        message = session.create_text_message(f"text {number}")
        message.set_int_property("n", number)
        record = record_of(env, args)
        record.tag = number
        if simplified:
            producer.send(env.target(args), message)
        elif "to" in args:
            producer.send(message, destination=env.target(args))
        else:
            producer.send(message)
        done(env, record, message)
    return None


def _check_send_many(state: State, args: Mapping[str, Json]) -> None:
    _check_send(state, args)
    if state.usable(args["of"]).state != "open" or state.producers[args["on"]].state != "open":
        raise OpenOutcome("nothing to be learned")


def send_member(step: Step, on: str) -> str:
    """Return the member that sends: of a TopicPublisher, one of its own."""
    ending = "(CompletionListener)" if step.args.get("async") else ""
    return f"{on}.{'publish' if on == 'TopicPublisher' else 'send'}{ending}"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("send", send, check=_check_send, note=_note_send, compared=Compared.CONTENT, member=send_member, sends=True),
    Operation(
        "send_body", send_body, check=_check_send, note=_note_send, compared=Compared.NOTHING, member=send_member, sends=True,
    ),
    Operation("send_many", send_many, check=_check_send_many, note=_note_send, member=send_member, sends=True),
)  # fmt: skip
