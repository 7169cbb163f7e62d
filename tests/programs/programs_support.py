"""What the tests of programs share: messages as observations show them, sends, and runs whose outcomes are made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tck.blame.owners import judged, owners_of
from tck.programs.comparing.comparison import Comparison
from tck.programs.comparing.differences import Difference
from tck.programs.expectation import Execution, Expectation
from tck.programs.legality import Rules
from tck.programs.program import Json, Observation, Program, Step
from tck.programs.state.objects import Capabilities

OK = {"ok": None}
NOTHING = {"ok": {"got": None}}

CAPABILITIES = Capabilities(
    apis=("classic", "simplified", "queue", "topic"),
    features=("admin-override", "asf", "native-correlation-id", "xa"),
    hooks=("restart", "kill", "sever", "fault", "administer"),
    virtual=True,
)


def do(call: str, name: str | None = None, **args: Json) -> Step:
    """Return a step; ``async_`` and the like name arguments that are words of Python."""
    return Step(call, {key.rstrip("_"): value for key, value in args.items()}, name)


# -- observations ------------------------------------------------------------------------------------------------------


def view(send: int | None = 0, *, kind: str = "text", redelivered: bool = False, count: int = 1, **more: Json) -> Json:
    """Return a received message: of a send; ``headers``, ``properties`` and ``body`` say what differs from the usual."""
    return {
        "kind": kind,
        "send": send,
        "headers": {"JMSMessageID": "sent", "JMSRedelivered": redelivered, "JMSPriority": 4, **more.get("headers", {})},
        "properties": {"JMSXDeliveryCount": ["int", count], **more.get("properties", {})},
        "body": more.get("body", ["string", f"text {send}"]),
    }


def again(send: int, count: int = 2) -> Json:
    """Return a received message that was delivered before."""
    return view(send, redelivered=True, count=count)


def got(message: Json = None) -> Observation:
    """Return the outcome of a receive."""
    return {"ok": {"got": message}}


def drained(*messages: Json) -> Observation:
    """Return the outcome of a drain."""
    return {"ok": {"got": list(messages), "total": len(messages)}}


def browsed(*messages: Json, **more: Json) -> Observation:
    """Return the outcome of a browse."""
    return {"ok": {"shown": list(messages)}, **more}


def raises(name: str, text: str = "no") -> Observation:
    """Return the outcome of a call that raised."""
    return {"raises": name, "text": text}


def delivering(seen: Observation, **by: Sequence[Json]) -> Observation:
    """Return an outcome with the messages that listeners received meanwhile."""
    return {**seen, "delivered": {"by": {name: list(given) for name, given in by.items()}, "total": 0}}


# -- runs --------------------------------------------------------------------------------------------------------------


def sent(number: int, **choice: Json) -> dict[str, Json]:
    """Return the record of a send, with what the program chose."""
    usual = {"producer": "p1", "destination": "q1", "mode": 2, "priority": 4, "ttl": 0, "delay": 0, "given": None}
    return {"number": number, **usual, **choice}


def end(of: str = "q1", *, kind: str = "queue", key: str | None = None, contended: bool = False) -> dict[str, Json]:
    """Return the endpoint of a consumer."""
    return {"end": key or of, "kind": kind, "contended": contended, "of": of}


Row = Sequence[Json]
"""A step, the outcome on the reference provider, and the outcome on the other provider where it is another."""


def expected(rows: Sequence[Row], sends: Sequence[Mapping[str, Json]] = (), **ends: Json) -> Expectation:
    """Return the program of rows with the reference provider's outcomes; ``k1`` consumes from ``q1``."""
    program = Program(tuple(row[0] for row in rows))
    return Expectation(program, tuple(row[1] for row in rows), {"k1": end(), **ends}, tuple(map(dict, sends)))


def judge(
    rows: Sequence[Row],
    sends: Sequence[Mapping[str, Json]] = (),
    *,
    claimed: tuple[str, ...] = (),
    hung: bool = False,
    done: int | None = None,
    version: str = "3.1",
    **ends: Json,
) -> Comparison:
    """Compare the two outcomes of each row; ``done``: so many steps were done on the other provider."""
    ran = Execution([row[-1] for row in rows][:done], list(map(dict, sends)), hung)
    return judged(replace(expected(rows, sends, **ends), version=version), ran, claimed)


def differences(found: Comparison) -> list[tuple[int, str, str, str]]:
    """Return the differences of a comparison: step, kind, expected, seen."""
    return [(each.step, each.what, each.expected, each.seen) for each in found.differences]


def kinds(found: Comparison) -> list[str]:
    """Return what differs."""
    return [each.what for each in found.differences]


def allowances(found: Comparison) -> list[str]:
    """Return the rules that allow what differs; fail where something is not allowed."""
    assert found.differences == []
    return [each.rule for each in found.allowed]


# -- legality ----------------------------------------------------------------------------------------------------------


def rules(*steps: Step | tuple[Step, Observation], **capabilities: Json) -> Rules:
    """Return the state after steps, each of which was legal and returned nothing, or what stands beside it."""
    made = Rules(
        Capabilities(**{**{name: getattr(CAPABILITIES, name) for name in CAPABILITIES.__slots__}, **capabilities})
    )
    for each in steps:
        step, seen = each if isinstance(each, tuple) else (each, OK)
        made.check(step)
        made.note(step, seen)
    return made


def at_last(
    rows: Sequence[Any],
    what: str,
    ours: str = "x",
    theirs: str = "y",
    flags: Sequence[str] = (),
    sends: Sequence[Json] = (),
) -> tuple[str, ...]:
    """Return the rows of a difference of the last of these steps."""
    known = expected([each if isinstance(each, tuple) else (each, OK) for each in rows], sends)
    return owners_of(
        Difference(len(rows) - 1, known.program.steps[-1].do, what, ours, theirs, frozenset(flags)), known
    )[1]
