"""Calls that write and read the body of a message, and those that set and get properties: every overload of the API."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tck import api
from tck.api.java.rule import java_api
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.kinds import Kind

_INTERFACES: Mapping[str, str] = {
    "text": "TextMessage",
    "object": "ObjectMessage",
    "map": "MapMessage",
    "bytes": "BytesMessage",
    "stream": "StreamMessage",
}


def _calls(
    case: RunningCase,
    interface: str,
    message: api.Message,
    beginnings: tuple[str, ...],
    *,
    name: str = "body",
    buffer: bytearray | None = None,
) -> Rows:
    """Return the calls of an interface's own members whose Java names begin so."""
    names = {member.name for member in java_api()[interface].members if member.name.startswith(beginnings)}
    return every_call(case, interface, lambda: message, only=names, offset=0, length=1, name=name, buffer=buffer)


def body_writes(case: RunningCase, kind: Kind, message: api.Message, name: str = "body") -> Rows:
    """Return every call that writes into the body of a message of a kind; `name` is the entry's in a map."""
    return _calls(case, _INTERFACES[kind], message, ("set", "write"), name=name)


def body_reads(case: RunningCase, kind: Kind, message: api.Message, without: Collection[str] = ()) -> Rows:
    """Return every call that reads from a bytes or stream message; the length of the body too, which came with 1.1."""
    rows = _calls(case, _INTERFACES[kind], message, ("read", "get"), buffer=bytearray(4))
    left_out = {*without, *(() if case.offers("classic") else ("getBodyLength()",))}
    return {name: call for name, call in rows.items() if name not in left_out}


def property_writes(case: RunningCase, message: api.Message, name: str) -> Rows:
    """Return every call that sets a property of a name."""
    names = {one.name for one in java_api()["Message"].members if one.name.startswith("set") and "Property" in one.name}
    return every_call(case, "Message", lambda: message, only=names, name=name)


def header_writes(case: RunningCase, message: api.Message) -> Rows:
    """Return every call that sets a header."""
    names = {one.name for one in java_api()["Message"].members if one.name.startswith("setJMS")}
    return every_call(case, "Message", lambda: message, only=names)
