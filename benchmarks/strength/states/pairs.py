"""Pairs of a value and a path: which values of the tables a program sends which way.

A path is where the value was put (property, entry, item, body, header), and what happened to its message (returned after a
rollback, browsed, delivered to a listener, through a failure).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from tck.programs.expectation import Expectation
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json, Step
from tck.programs.values import CORRELATIONS, OBJECTS, PROPERTY_NAMES, SIZED, TABLES, TYPES


@cache
def _reasons() -> Mapping[tuple[str, str], str]:
    tables = {**TABLES, "string": (*TABLES["string"], *SIZED)}
    return {(kind, repr(value)): reason for kind, table in tables.items() for value, reason in table}


def pairs_of(expectation: Expectation) -> frozenset[str]:
    """Return the pairs that a program meets."""
    found: set[str] = set()
    values: dict[str, list[str]] = {}
    for step in expectation.program.steps:
        if step.do in {"message", "property", "write"}:
            name = step.name or str(step.args.get("on"))
            placed = list(_placed(step))
            values.setdefault(name, []).extend(text.partition(": ")[0] for text in placed)
            found.update(placed)
        elif step.do == "set" and step.args["what"] == "property":
            found.update(_pair(step.args["type"], step.args.get("value"), "producer property"))
    for send, ways in _ways(expectation).items():
        for value in values.get(send, ()):
            found.update(f"{value}: {way}" for way in ways)
    return frozenset(found)


def _pair(kind: str, content: Json, path: str) -> Iterator[str]:
    reason = _reasons().get((kind, repr(content)))
    if reason is not None:
        yield f"{kind} {reason}: {path}"
    elif kind == "null":
        yield f"null: {path}"


def _placed(step: Step) -> Iterator[str]:
    args = step.args
    for name, kind, content, *how in args.get("properties", ()):
        yield from _pair(kind, content, "property as object" if how == ["object"] else "property")
        yield from (f"name {reason}: property" for known, reason in PROPERTY_NAMES if known == name)
    if step.do == "property":
        yield from _pair(args["type"], args.get("value"), "property as object" if args.get("how") else "property")
    yield from (f"type {value!r:.12}: header" for value in TYPES if args.get("headers", {}).get("type") == value)
    yield from (
        f"correlation {value!r:.12}: header"
        for value in CORRELATIONS
        if args.get("headers", {}).get("correlation") == value
    )
    body = args.get("body")
    if isinstance(body, list) and body:
        yield from _body(body)


def _body(body: list[Json]) -> Iterator[str]:
    if isinstance(body[0], str):
        yield from _pair(body[0], body[1], "text")
        yield from (f"object {reason}: body" for value, reason in OBJECTS if value == body)
        return
    for each in body:
        named = isinstance(each[0], str) and len(each) > 2 and isinstance(each[1], str) and each[1] in {*TABLES, "null"}
        kind, content, *how = each[1:] if named else each
        yield from _pair(kind, content, f"{'entry' if named else 'item'}{' as object' if how == ['object'] else ''}")


def _ways(expectation: Expectation) -> dict[str, set[str]]:
    """Return by message of the program the ways in which it was seen."""
    given = {each["number"]: each.get("given") for each in expectation.sends}
    found: dict[str, set[str]] = {}
    failed = False
    for step, seen in zip(expectation.program.steps, expectation.seen, strict=False):
        failed |= step.do in {"restart", "kill"}
        for views, way in _views(step, seen):
            for view in views:
                name = given.get(view.get("send"))
                if name is not None:
                    again = {"rolled back"} if view["headers"].get("JMSRedelivered") is True else set()
                    found.setdefault(name, set()).update({way}, again, {"through failure"} if failed else set())
    return found


def _views(step: Step, seen: Mapping[str, Json]) -> Iterator[tuple[list[Json], str]]:
    yield from ((given, "listener") for given in seen.get("delivered", {}).get("by", {}).values())
    ok, operation = seen.get("ok"), OPERATIONS[step.do]
    if operation.compared is Compared.MESSAGES and isinstance(ok, dict):
        shown = ok.get("shown", ok.get("got"))
        views = shown if isinstance(shown, list) else [] if shown is None else [shown]
        yield views, "browsed" if operation.browses else "received"
