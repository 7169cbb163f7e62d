"""The circumstances of a difference, in words that the table of owners presumes: of its call, its message, its objects."""

from __future__ import annotations

import re

from tck.programs.comparing.details import details_of
from tck.programs.comparing.differences import Difference
from tck.programs.comparing.members import classes_of, member_of
from tck.programs.expectation import Expectation
from tck.programs.program import Program, Step


def flags_of(found: Difference, told: Expectation) -> frozenset[str]:
    """Return the circumstances of a difference.

    Args:
        found: The difference.
        told: The program that showed it, with the reference provider's outcomes.
    """
    step = told.program.steps[found.step]
    return frozenset(
        found.flags
        | found.life
        | details_of(found, told)
        | _circumstances(found, step)
        | _message(told, step, found.step)
        | _preset(told, found)
        | _resumed(told, found)
        | _objects(told.program, found.step)
    )


def _objects(program: Program, number: int) -> set[str]:
    """Return the class of the object that a step is on, and whether it or what it belongs to is closed."""
    steps, classes = program.steps[:number], classes_of(program, number)
    name = program.steps[number].args.get("on")
    own = classes.get(str(name), "")
    found = {own, _group(own), (member_of(program, number) or "").partition(".")[2]} | (
        {"is_jms"} if own in {"JMSProducer", "JMSConsumer"} else set()
    )
    parents = {each.name: each.args.get("on") for each in steps if each.name is not None}
    closed = {
        each.args.get("of" if each.do == "close_waiting" else "on")
        for each in steps
        if each.do in {"close", "close_waiting", "request"}
    }
    if name in closed:
        found.add("closed")
    if own.endswith("Message"):  # what becomes of the consumer is of no concern
        name = parents.get(str(name))
    owners = {name}
    for _ in range(3):
        name = parents.get(str(name))
        owners.add(name)
        if name in closed:
            found.add(_group(classes.get(str(name), "")).replace("is_", "under_"))
    moves = [each.do for each in steps if each.do in {"start", "stop"} and each.args["on"] in owners - {None}]
    return found | ({"under_stopped"} if moves[-1:] == ["stop"] else set())


def _group(name: str) -> str:
    """Return what a class is: ``is_connection``, ``is_context``, ``is_session``, ``is_producer``, ``is_consumer``."""
    endings = {
        "Connection": "connection", "Context": "context", "Session": "session", "Producer": "producer", "Sender": "producer",
        "Publisher": "producer", "Consumer": "consumer", "Receiver": "consumer", "Subscriber": "consumer",
    }  # fmt: skip
    return next((f"is_{group}" for ending, group in endings.items() if name.endswith(ending)), "")


def _circumstances(found: Difference, step: Step) -> set[str]:
    flags = {each.replace("after ", "after_") for each in found.flags}
    for word, text in (("wants", found.expected), ("saw", found.seen)):
        if text.startswith("raises "):
            name = text.removeprefix("raises ").partition(":")[0]
            flags.add(f"{word}_{name.removesuffix('Exception').removesuffix('Runtime') or 'JMS'}")
    if re.search(r"raises (\w+)RuntimeException$", found.expected) and found.seen.startswith(
        found.expected.replace("RuntimeException", "Exception")
    ):
        flags.add("checked_twin")
    flags |= _repeats(found)
    if found.seen == "'never'":
        flags.add("never")
    if found.seen == "'used before'":
        flags.add("used_before")
    if found.expected in {"[0, -1, ['bytes', '']]", "[['null', None]]"}:
        flags.add("empty")
    if isinstance(step.args.get("what"), str):
        flags.add(step.args["what"])
    flags |= {
        word
        for word, is_so in (
            ("no_wait", step.args.get("how") == "no_wait"),
            ("forever", step.args.get("how") == "forever"),
            ("async", step.args.get("async")),
            ("xa", step.args.get("xa")),
            (str(step.args.get("api")), step.args.get("xa")),
            ("silent", found.expected == "called: False"),
        )
        if is_so
    }
    if step.do in {"consumer", "pool"}:
        flags.add(str(step.args.get("kind") or ("plain" if str(step.args.get("of")).startswith("t") else "queue")))
    if found.flags & {"shared_durable"}:
        flags.add("durable")
    return flags


def _repeats(found: Difference) -> set[str]:
    """Return how the flag of redelivery or the count of deliveries differs; `counted` is a count that a redelivery may have (3.5.11-2)."""
    if found.what.endswith("JMSRedelivered") and found.expected == "False":
        return {"unwanted"}
    if not found.what.endswith("JMSXDeliveryCount"):
        return set()
    flags = {"first"} if found.expected == "['int', 1]" else set()
    if found.seen == "None":
        return {"absent"}
    if found.seen == re.sub(r"\d+", lambda count: str(int(count[0]) + 1), found.expected):
        flags.add("one_more")
    if re.fullmatch(r"\['int', (?!1\])[1-9]\d*\]", found.seen):
        flags.add("counted")
    return flags if found.seen.startswith("['int'") else {"other_type"}


def _resumed(told: Expectation, found: Difference) -> set[str]:
    """Return whether an earlier consumer had the subscription, or one of its name, and in what its terms differed."""
    step = told.program.steps[found.step]
    name = step.args.get("name")
    earlier = told.program.steps[: found.step] if name is not None and step.do == "consumer" else ()
    before = [each for each in earlier if each.do == "consumer" and each.args.get("name") == name]
    if not before:
        return set()
    last = before[-1].args
    terms = {"of": "topic", "kind": "kind", "no_local": "no_local"}
    other = {f"other_{word}" for term, word in terms.items() if last.get(term) != step.args.get(term)}
    return (
        {"resumed"}
        | other
        | ({"other_selector"} if (last.get("selector") or "") != (step.args.get("selector") or "") else set())
    )


def _preset(told: Expectation, found: Difference) -> set[str]:
    """Return the headers that the program set on a message which does not come, though sends set them."""
    number = re.match(r"the message of send (\d+)$", found.expected)
    if number is None:
        return set()
    name = told.sends[int(number[1]) - 1].get("given")
    made = next((each for each in told.program.steps if each.do == "message" and each.name == name), None)
    return set() if made is None else {f"preset_{header}" for header in made.args.get("headers", ())}


def _message(told: Expectation, step: Step, until: int) -> set[str]:
    """Return the kind of the message that a call is on, whether its body is empty, and whether the program has sent it."""
    name = step.args.get("on")
    flags: set[str] = set()
    for other, seen in zip(told.program.steps[:until], told.seen, strict=False):
        if other.name == name and other.do == "message":
            flags = {str(other.args["kind"]), *(() if other.args.get("body") else ("empty",))}
        elif other.name == name and other.do == "receive" and (seen.get("ok") or {}).get("got"):
            flags = {str(seen["ok"]["got"]["kind"])}
        elif other.do == "send" and other.args.get("message") == name and flags:
            flags.add("sent")
        elif other.do == "clear_body" and other.args["on"] == name:
            flags.add("empty")
    return flags
