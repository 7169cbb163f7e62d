"""Coverage of the official kit's ids, measured from the evidence of a run.

An id of the specification list is covered when a judged row that cites it is tested. An id of the API list names an
overload and perhaps an exception; it is covered when a case that held, or recorded a behaviour, called that overload and it returned, or raised exactly
that exception. An exception that the provider makes has its error code and its linked exception read by the recorder.

May import `tck.api`, `tck.catalogue` and `tck.record`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from tck import api
from tck.api.java.overloads import resolve_overload
from tck.api.java.rule import JavaMember
from tck.catalogue import Catalogue
from tck.catalogue.model import OfficialApiId
from tck.record import Bundle
from tck.record.calls import Call

RETURNED = ""
"""Used in place of an exception's name if the call returned."""

CallEnding: TypeAlias = tuple[str, str, tuple[str, ...], str]
"""Type, method, parameters and the exception's name, or `RETURNED`."""

CONSTRUCTORS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Provider.queue_requestor": ("QueueRequestor", ("QueueSession", "Queue")),
    "Provider.topic_requestor": ("TopicRequestor", ("TopicSession", "Topic")),
}
"""Calls of the provider that correspond to a constructor of the messaging API."""
NEW_EXCEPTION, LINK_EXCEPTION = "Provider.new_exception", "Provider.link_exception"
"""The call that corresponds to the constructors of exceptions, and the one that corresponds to setLinkedException."""


def covered_spec_ids(catalogue: Catalogue, tested: Collection[str]) -> frozenset[str]:
    """Return the testable specification ids that a judged and tested row cites."""
    rows = {id_ for id_ in tested if catalogue[id_].judged}
    return frozenset(
        official.id
        for official in catalogue.official_spec.values()
        if official.testable and not rows.isdisjoint(official.rows)
    )


def held_api_table(catalogue: Catalogue, bundle: Bundle) -> list[ApiType]:
    """Return the testable API ids by type, and which of them the held cases of a bundle cover."""
    return api_table(catalogue, set(endings(bundle.calls())))


def api_ids(catalogue: Catalogue, shown: Collection[CallEnding]) -> frozenset[str]:
    """Return the testable API ids that these endings cover."""
    return frozenset(
        official.id
        for official in catalogue.official_javadoc.values()
        if official.testable and (official.type, official.method, official.parameters, official.throws) in shown
    )


@dataclass(frozen=True, slots=True)
class ApiType:
    """The testable API ids of one type.

    Attributes:
        name: the type.
        covered: the ids that a run covered.
        missing: the others, each with its signature and exception.
    """

    name: str
    covered: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]

    @property
    def testable(self) -> int:
        """The number of ids."""
        return len(self.covered) + len(self.missing)


def api_table(catalogue: Catalogue, shown: Collection[CallEnding]) -> list[ApiType]:
    """Return the testable API ids by type, in alphabetical order, and which of them these endings cover."""
    found = api_ids(catalogue, shown)
    by_type: dict[str, list[OfficialApiId]] = {}
    for official in catalogue.official_javadoc.values():
        if official.testable:
            by_type.setdefault(official.type, []).append(official)
    return [
        ApiType(
            name,
            tuple(each.id for each in ids if each.id in found),
            tuple((each.id, _signature(each)) for each in ids if each.id not in found),
        )
        for name, ids in sorted(by_type.items())
    ]


def _signature(official: OfficialApiId) -> str:
    call = f"{official.method}({', '.join(official.parameters)})"
    return f"{call} raises {official.throws}" if official.throws else f"{call} returns"


def endings(calls: Iterable[Call]) -> Iterator[CallEnding]:
    """Yield how calls of the messaging API ended."""
    for call in calls:
        member = _member(call)
        if member is not None:
            yield (*member, RETURNED if call.error is None else call.error)
        if call.made is not None and call.op in {NEW_EXCEPTION, LINK_EXCEPTION}:
            yield from _reads(call.made)


def _reads(made: str) -> Iterator[CallEnding]:
    """Yield the calls by which the recorder has read an exception of this type that was made."""
    root = "JMSRuntimeException" if issubclass(getattr(api, made), api.JMSRuntimeException) else "JMSException"
    yield root, "getErrorCode", (), RETURNED
    if root == "JMSException":
        yield root, "getLinkedException", (), RETURNED


def _member(call: Call) -> tuple[str, str, tuple[str, ...]] | None:
    made = CONSTRUCTORS.get(call.op)
    if made is not None:
        return made[0], made[0], made[1]
    if call.op == NEW_EXCEPTION:
        return _constructor(call.args)
    if call.op == LINK_EXCEPTION:
        return "JMSException", "setLinkedException", ("Exception",)
    java = overload_of(call)
    return None if java is None else (java.type, java.name, java.parameters)


def _constructor(arguments: Mapping[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    """Return the constructor of an exception that has just these arguments."""
    name = arguments["kind"]["value"]
    cause = "Throwable" if issubclass(getattr(api, name), api.JMSRuntimeException) else "Exception"
    return name, name, ("String", "String", cause)[: len(arguments) - 1]


def overload_of(call: Call) -> JavaMember | None:
    """Return the Java overload of a call; None if it is no member of the messaging API, or no overload fits."""
    if not call.args:
        return _resolve(call.op, ())
    kinds = [(name, _kind(value, call.message)) for name, value in call.args.items()]
    return _resolve(call.op, tuple(kinds) if len(kinds) == 1 else tuple(sorted(kinds)))


_PLACES = {"queue": "Queue", "temporary-queue": "Queue", "topic": "Topic", "temporary-topic": "Topic"}


def _kind(value: object, body: str | None) -> str:
    """Return the kind of a recorded argument, as far as overloads depend on it."""
    if isinstance(value, str):
        if body is not None and value == body:
            return "Message"
        return _PLACES.get(value.partition(":")[0], "str")
    if isinstance(value, dict):
        named = value.get("value")
        return f"type {named}" if value.get("type") == "type" else str(value.get("type"))
    return type(value).__name__


@cache
def _resolve(operation: str, kinds: tuple[tuple[str, str], ...]) -> JavaMember | None:
    given = {name: _stand_ins().get(kind, _OTHER) for name, kind in kinds}
    try:
        return resolve_overload(operation, **given)
    except (LookupError, TypeError):
        return None


_OTHER = object()


@cache
def _stand_ins() -> Mapping[str, object]:
    """Return a value of each kind that distinguishes overloads."""
    return {
        "Message": _instance(api.Message),
        "Queue": _instance(api.Queue),
        "Topic": _instance(api.Topic),
        "NoneType": None,
        "bool": True,
        "int": 0,
        "float": 0.0,
        "str": "",
        "bytes": b"",
        "map": {},
        "Byte": api.Byte(0),
        "Short": api.Short(0),
        "Int": api.Int(0),
        "Long": api.Long(0),
        "Float": api.Float(0.0),
        "Double": api.Double(0.0),
        "Char": api.Char("a"),
        "type str": str,
        "type bytes": bytes,
        "type dict": dict,
        "type Message": api.Message,
        "BodyMarker": api.SERIALIZABLE,
    }


def _instance(kind: type) -> object:
    """Return an instance of an abstract type."""
    made = type(kind.__name__, (kind,), {})
    made.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]  # ABCMeta reads it at instantiation
    return made()
