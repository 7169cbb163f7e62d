"""The connections of a program that do nothing but send: another client library of the broker can stand in for them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Final

from tck.programs.operations import OPERATIONS
from tck.programs.program import Program, Step

_ON_THE_WAY_TO_A_SEND: Final = frozenset(
    {
        *("session", "producer", "message", "set", "start", "stop", "close", "commit", "rollback"),
        *("property", "write", "reset", "clear_body", "clear_properties"),
    }
)

_HALF_A_PAIR: Final = re.compile("[\ud800-\udfff]")


def senders(program: Program, spare: Collection[str] = ()) -> frozenset[str]:
    """Return the connections, and first contexts, that send, do nothing else, and share no object with another.

    Those with a client identifier or of XA are left out, and those that make messages which a profile spares (`[vary]`).
    """
    owners: dict[str, str] = {}
    sending, others = set(), set()
    for step in program.steps:
        if step.do == "connect":
            owners[step.name or ""] = step.name or ""
            if step.args.get("client_id") or step.args.get("xa"):
                others.add(step.name)
            continue
        owner = owners.get(step.args.get("on", ""))
        if step.do == "message" and not step.args.get("on") and "reply_to" in step.args.get("headers", {}):
            owner = ""  # a message of another implementation, with a destination of the first library
        if owner is not None and step.name is not None:
            owners[step.name] = owner
        if OPERATIONS[step.do].sends:
            sending.add(owner)
        elif step.do not in _ON_THE_WAY_TO_A_SEND or not _contents(step).isdisjoint(spare):
            others.add(owner)
        meeting = {owners[name] for name in step.uses() if name in owners}
        if meeting - {owner}:
            others |= {*meeting, owner}
    return frozenset(each for each in sending - others if each)


def _contents(step: Step) -> set[str]:
    """Return by which names a profile could spare what a step makes or writes."""
    kind, body = step.args.get("kind"), step.args.get("body")
    found = {"messages without a body"} if kind == "message" else set()
    if kind == "object" and (body is None or body[0] == "null"):
        found.add("null objects")
    items = body if kind == "stream" else [body] if step.do == "write" else ()
    if any(each[0] == "bytes" for each in items or () if each):
        found.add("bytes in streams")
    if _HALF_A_PAIR.search(json.dumps(step.args, ensure_ascii=False)):
        found.add("half surrogate pairs")
    return found
