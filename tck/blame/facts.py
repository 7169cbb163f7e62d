"""The facts of a difference between two runs of a program, by the fields of `owners.toml`: of its call, its values, its objects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tck.blame.sending import add_message, add_sending, is_null
from tck.blame.timeline import Timeline
from tck.blame.values import Facts
from tck.programs.comparing.ambiguous import added
from tck.programs.comparing.differences import Difference
from tck.programs.comparing.history import CONSUMING, History
from tck.programs.comparing.outcomes import views
from tck.programs.expectation import Expectation
from tck.programs.members import classes_of, member_of
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Observation, Program, Step

_RAISES: Final = re.compile(r"raises'?: '(\w+?)(?:Exception)?'")
_TYPE: Final = re.compile(r"^\['(\w+)'")
_ARRIVALS: Final = frozenset({"missing", "extra", "order"})
_COMPARED: Final = frozenset({Compared.MESSAGES, Compared.BODY})
_KINDS: Final = {
    "queue": "queue",
    "plain": "topic",
    "shared": "shared",
    "durable": "durable",
    "shared_durable": "shared durable",
}


def facts_of(
    found: Difference,
    expectation: Expectation,
    history: History | None = None,
    seen: Sequence[Observation] | None = None,
) -> Facts:
    """Return the facts of a difference.

    Args:
        found: The difference.
        expectation: The program that showed it, with the reference provider's outcomes.
        history: What the steps of the program reach, where it is known already.
        seen: What the provider showed; by default what the reference provider did.
    """
    step = expectation.program.steps[found.step]
    facts = Facts()
    if found.consumer is not None and found.message is not None and found.message.get("send") is not None:
        seen = expectation.seen if seen is None else seen
        facts = Timeline(history or History(expectation), found.consumer, found.message, found.step, seen).facts()
    what, _, name = found.what.partition(" ")
    arrives = what in _ARRIVALS and OPERATIONS[step.do].compared not in _COMPARED
    facts.add("call", "listening" if arrives else step.do)
    facts.add("differs", what)
    facts.add("side", "sender" if "sender" in found.flags else "receiver")
    if name:
        facts.add("name", name, *(["JMSX"] if re.match("JMSX(?!Group|DeliveryCount)", name) else []))
    _at(facts, found, step)
    _exceptions(facts, found)
    _objects(facts, expectation.program, found.step)
    add_message(facts, found, expectation)
    _value(facts, found, expectation, step)
    _call(facts, found, expectation, step)
    add_sending(facts, found, expectation)
    if what == "missing":
        facts["had"] = _duties(facts)
    elif what == "extra" and "time" in facts:  # it has no right to come at this time, whatever has become of it
        facts["had"] = [each for each in facts.get("had", ()) if "branch" in each]
    return facts


def _duties(facts: Facts) -> list[str]:
    """Return the events that can have given a missing message the duty to come."""
    if "never given" in facts.get("is", ()) and _odd(facts):
        return []  # it was to come from the send on, odd as it is, and nothing since then is about it
    found: list[str] = []
    returned = False
    for event in facts.get("had", ()):
        returned = event.endswith(" held") or (returned and not event.startswith(("in hand", "received")))
        if not (returned and event.endswith(" unseen")):  # nobody had fetched it once more
            found.append(event)
    return found


def _odd(facts: Facts) -> bool:
    """Return whether a message holds something, or is chosen by something, for which a provider may have lost it at once."""
    odd = {*facts.get("holds", ())} & {"half a pair in a property", "half a pair in a text"}
    return bool(odd or "name" in facts or [each for each in facts.get("chooses", ()) if each.startswith("by JMS")])


def _at(facts: Facts, found: Difference, step: Step) -> None:
    """Add where the messages come from, how two that are out of order differ, and whether one is too early or too late."""
    kind = next((_KINDS[each] for each in found.flags if each in _KINDS), None)
    if OPERATIONS[step.do].consumes:
        kind = _KINDS[str(step.args.get("kind") or ("plain" if str(step.args.get("of")).startswith("t") else "queue"))]
    if kind is not None:
        facts.add("at", kind)
    facts.first("time", *((each, each in found.flags) for each in ("expired", "early")))
    apart = ("other_priority", "mixed_priorities", "mixed_modes")
    facts.first("apart", *((each.replace("_", " "), each in found.flags) for each in apart))
    facts.add("failed", *(each for each in ("restart", "kill", "sever") if f"after {each}" in found.flags))


def _exceptions(facts: Facts, found: Difference) -> None:
    """Add the exceptions that were expected and seen."""
    for field, text in (("wants", found.expected), ("raises", found.seen)):
        if text.startswith("raises "):
            name = text.removeprefix("raises ").partition(":")[0]
            facts.add(field, name.removesuffix("Exception").removesuffix("Runtime") or "JMS")
    reading = _RAISES.search(found.expected)
    if reading is not None:
        facts.add("reading", reading[1])
    kind = _TYPE.match(found.expected)
    if kind is not None and found.what.startswith("property "):
        facts.add("type", kind[1])


def _objects(facts: Facts, program: Program, number: int) -> None:
    """Add the class of the object that a step is on, whether it or what it belongs to is closed, and whether its connection is stopped."""
    steps, classes, step = program.steps[:number], classes_of(program, number), program.steps[number]
    name = step.args.get("on")
    own = classes.get(str(name), "")
    facts.add("class", own)
    facts.add("on", _group(own))
    made = (member_of(program, number) or "").partition(".")[2]
    facts.first("made", (made, made.startswith("create_durable")))
    parents = {each.name: each.args.get("on") for each in steps if each.name is not None}
    closed = {each.args.get(argument) for each in steps if (argument := OPERATIONS[each.do].closes)}
    if own.endswith("Message"):  # what becomes of the consumer is of no concern
        name = parents.get(str(name))
    line = [name]
    while line[-1] is not None and len(line) < 4:
        line.append(parents.get(str(line[-1])))
    ended = next((each for each in line if each in closed), None)
    if ended is not None:
        kind = classes.get(str(ended), "")
        facts.add("closed", "itself" if ended == step.args.get("on") else _group(kind))
    moves = [each.do for each in steps if each.do in {"start", "stop"} and each.args["on"] in line and each.args["on"]]
    if moves[-1:] == ["stop"] and "state" not in facts:
        facts.add("state", "stopped")


def _group(name: str) -> str:
    """Return what a class is: a connection, context, session, producer or consumer."""
    endings = {
        "Connection": "connection", "Context": "context", "Session": "session", "Producer": "producer", "Sender": "producer",
        "Publisher": "producer",
    }  # fmt: skip
    return next((group for ending, group in endings.items() if name.endswith(ending)), "consumer")


def _value(facts: Facts, found: Difference, expectation: Expectation, step: Step) -> None:
    """Add the kind of value that was expected or seen."""
    ours, theirs = found.expected, found.seen
    path = ours.partition(": ")[0].split(" ")
    facts.first(
        "value",
        ("absent", found.what.endswith("JMSXDeliveryCount") and theirs == "None"),
        *_count(found),
        ("true for false", found.what.endswith("JMSRedelivered") and ours == "False"),
        ("never", theirs == "'never'"),
        ("used before", theirs == "'used before'"),
        ("cleared", ours == "None" and _cleared(found, expectation)),
        ("null", ours in {"None", "['null', None]", "'null'"} or ours.endswith("body: ['null', None]")),
        ("null", step.do == "reads" and is_null(found, expectation)),
        ("never set", path[0] == "never"),
        ("an id", ours.startswith("'the id of")),
        ("past the end", ours == "[]" and theirs.startswith("[{'raises'")),
        ("empty", ours in {"[0, -1, ['bytes', '']]", "[['null', None]]"} or "empty" in facts.get("is", ())),
        ("nothing", ours == "returns {'got': None}"),
        ("no callback", found.what == "callback" and theirs == "None"),
        ("not called", ours == "called: False"),
        ("still waits", "still waits" in theirs),
        ("receive raised", step.do == "close_waiting" and "'raises'" in theirs),
        ("checked twin", _is_twin(ours, theirs)),
    )
    types = step.args.get("types", ())
    reads_as = (
        [str(types[int(path[0])])]
        if step.do == "items" and path[0].isdigit() and int(path[0]) < len(types)
        else path[1:]
    )
    facts.add("reads_as", *("unsigned" if each.startswith("unsigned_") else each for each in reads_as))


def _count(found: Difference) -> list[tuple[str, object]]:
    """Return how the count of deliveries differs: ``another count`` is one that a redelivery may have (3.5.11-2)."""
    if not found.what.endswith("JMSXDeliveryCount"):
        return []
    number = found.seen.startswith("['int'")
    more = found.seen == re.sub(r"\d+", lambda count: str(int(count[0]) + 1), found.expected)
    return [
        ("of another type", not number),
        ("first", found.expected == "['int', 1]"),
        ("one more", more),
        ("another count", re.fullmatch(r"\['int', (?!1\])[1-9]\d*\]", found.seen)),
    ]


def _is_twin(ours: str, theirs: str) -> bool:
    """Return whether the checked exception was raised in place of the unchecked one of the same name."""
    return bool(re.search(r"raises (\w+)RuntimeException$", ours)) and theirs.startswith(
        ours.replace("RuntimeException", "Exception")
    )


def _cleared(found: Difference, expectation: Expectation) -> bool:
    """Return whether a property is there that `clearProperties` should have deleted before."""
    if added(expectation.program.steps, found.what.removeprefix("property ")):
        return False
    on = expectation.program.steps[found.step].args.get("on")
    sends = [
        each for each in expectation.sends if found.message is not None and each["number"] == found.message.get("send")
    ]
    names = {on, *(each.get("given") for each in sends)}
    return any(_calls(expectation.program.steps[: found.step], each, "clear_properties") for each in names)


def _call(facts: Facts, found: Difference, expectation: Expectation, step: Step) -> None:
    """Add what the arguments of a call say."""
    args = step.args
    if isinstance(args.get("what"), str):
        facts.add("what", args["what"])
    facts.first("waits", ("not at all", args.get("how") == "no_wait"), ("forever", args.get("how") == "forever"))
    facts.first("sent_by", ("asynchronously", args.get("async")), ("body", step.do == "send_body"))
    if args.get("xa"):
        facts.add("xa", "XA")
        facts.add("api", str(args.get("api")))
    parts = [each.removeprefix("part_") for each in found.flags if each.startswith("part_")]
    facts.add("part", *(each for each in parts if each in {"property", "body", "header"}))
    kinds = [each for each in parts if each not in {"property", "body", "header"}]
    facts.add("part_type", *(["null in a map"] if {*kinds} >= {"map", "null"} else kinds))
    facts.first("sets", ("null", step.do == "set" and args.get("value", "") is None))
    _past(facts, found, expectation, step)


def _past(facts: Facts, found: Difference, expectation: Expectation, step: Step) -> None:
    """Add what has happened to the object of a call before."""
    args, steps = step.args, expectation.program.steps
    earlier = steps[: found.step]
    on = args.get("on")
    match step.do:
        case "message" | "property":
            names = [str(args.get("name")), *(str(each[0]) for each in args.get("properties", ()))]
            facts.first("name", ("JMSX", any(each.startswith("JMSX") for each in names)))
            facts.first("cleared", ("properties", _calls(earlier, on, "clear_properties")))
        case "close_waiting":
            facts.add("of", _group(classes_of(expectation.program, found.step).get(str(args["of"]), "")))
        case "commit" | "rollback":
            made = next((each for each in steps if each.do == "session" and each.name == on), None)
            facts.first("made", ("by mode alone", made is not None and made.args.get("form") == "mode"))
        case "acknowledge":
            consumer = next((each.args.get("on") for each in earlier if each.name == on), None)
            facts.first("ended", ("consumer", _calls(earlier, consumer, "close")))
        case "unsubscribe":
            makes = [each for each in earlier if each.do in CONSUMING and each.args.get("name") == args.get("name")]
            alone = makes and _calls(earlier, makes[-1].name, "close")
            facts.first("ended", ("by itself", alone), ("with its owner", makes))
        case "consumer":
            facts.first("terms", *_terms(earlier, step, accepted=found.what == "accepted"))
        case "receive" | "receive_body" | "drain":
            calls = _calls(earlier, on, "listen", "unlisten")
            facts.first("ended", ("listener", calls and calls[-1].do == "unlisten"))
            _refused_bodies(facts, expectation, found.step, str(on))
            facts.first("message", ("foreign", found.what == "refused" and _brings_foreign(found, expectation)))
        case _:
            pass


def _calls(steps: Sequence[Step], on: object, *what: str) -> Sequence[Step]:
    """Return the steps of some kinds on an object."""
    return [each for each in steps if each.do in what and each.args.get("on") == on]


def _terms(earlier: Sequence[Step], step: Step, *, accepted: bool) -> list[tuple[str, object]]:
    """Return in what the terms differ from those of an earlier consumer of the subscription; nothing where there was none."""
    name = step.args.get("name")
    before = [each for each in earlier if name is not None and each.do == "consumer" and each.args.get("name") == name]
    if not before:
        return []
    last, now = before[-1].args, step.args
    return [
        ("other kind", accepted and last.get("kind") != now.get("kind")),
        ("other topic", last.get("of") != now.get("of")),
        ("other selector", (last.get("selector") or "") != (now.get("selector") or "")),
        ("other no_local", last.get("no_local") != now.get("no_local")),
        ("same", True),
    ]


def _refused_bodies(facts: Facts, expectation: Expectation, until: int, on: str) -> None:
    """Add that a body of another type was asked for at the same endpoint before."""
    end = expectation.ends.get(on, {}).get("end")
    made = {each.name: each for each in expectation.program.steps if each.name is not None}
    for step, seen in zip(expectation.program.steps[:until], expectation.seen, strict=False):
        mine = str(step.args.get("on"))
        if step.do == "receive_body" and end is not None and expectation.ends.get(mine, {}).get("end") == end:
            session = made.get(str(made[mine].args.get("on"))) if mine in made else None
            mode = "auto" if session is None else str(session.args.get("mode", "auto"))
            facts.first("asked", (f"body refused {mode}", str(seen.get("raises")).startswith("MessageFormat")))


def _brings_foreign(found: Difference, expectation: Expectation) -> bool:
    """Return whether a refused receive would have brought a message of another implementation."""
    ok = expectation.seen[found.step].get("ok") if found.step < len(expectation.seen) else None
    if not isinstance(ok, dict) or "got" not in ok:
        return False
    given = {each["number"]: each.get("given") for each in expectation.sends}
    foreign = {each.name for each in expectation.program.steps if each.do == "message" and each.args.get("on") is None}
    return any(given.get(view.get("send")) in foreign for view in views(ok) if isinstance(view, dict))
