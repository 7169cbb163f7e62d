"""The recorded events of one case as calls and deliveries: who called which member with which arguments, and how it ended.

Reads events; knows nothing of verdicts and of any programming language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tck.record.events import Phase
from tck.reports.read import Event

NEXT: Final = "Enumeration.next_element"
"""The op of a step of an enumeration, which has no member of its own in Java."""
FACTORIES: Final[Mapping[str, str]] = {
    "connection_factory": "ConnectionFactory",
    "queue_connection_factory": "QueueConnectionFactory",
    "topic_connection_factory": "TopicConnectionFactory",
}
"""The members of the provider that return a factory, and its type."""
_LISTENER: Final = re.compile(r"(?:completion-|exception-)?listener-\d+")
_DAY: Final = 86_400_000
_MESSAGES: Final[Mapping[str, str]] = {
    "text": "TextMessage",
    "bytes": "BytesMessage",
    "map": "MapMessage",
    "stream": "StreamMessage",
    "object": "ObjectMessage",
    "message": "Message",
}


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the client made.

    Attributes:
        begin: The number of the event before it.
        end: The number of the event after it; None if it did not return.
        thread: The name of the thread.
        on: The label of the object called.
        type: The type that declares the member.
        member: Its Python name.
        args: The arguments, rendered.
        value: The rendered result.
        ended: Whether the call was the end of an enumeration.
        error: The exception, if it raised one.
        created: The facts of an object that was seen for the first time.
        message: The facts of the message concerned, after the call where there are such.
        destination: The label of the destination concerned, if it is known.
        began_ms: When it began, in milliseconds since the epoch.
        ended_ms: When it ended; when it began if it did not.
    """

    begin: int
    end: int | None
    thread: str
    on: str
    type: str
    member: str
    args: Mapping[str, Any]
    value: object
    ended: bool
    error: Mapping[str, Any] | None
    created: Mapping[str, Any] | None
    message: Mapping[str, Any] | None
    destination: str | None
    began_ms: int
    ended_ms: int

    @property
    def op(self) -> str:
        """The type and the member, as events name them."""
        return f"{self.type}.{self.member}"

    def moment(self, value: object) -> int | None:
        """Return how long after the beginning of the call a time lies, in milliseconds; None for what is no time of that day."""
        if type(value) is not int or abs(value - self.began_ms) > _DAY:
            return None
        return value - self.began_ms

    @property
    def returned(self) -> bool:
        """Whether it returned and raised nothing."""
        return self.end is not None and self.error is None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A call of a listener by the provider.

    Attributes:
        begin: The number of the event at its beginning.
        end: The number of the event at its end; None if the listener did not return.
        thread: The provider's thread.
        on: The label of the listener.
        type: The type that declares the member.
        member: The member of the listener.
        args: The arguments, rendered.
        error: The exception that the listener raised, if it did.
        message: The facts of the message, if there is one.
        destination: The label of the destination concerned.
    """

    begin: int
    end: int | None
    thread: str
    on: str
    type: str
    member: str
    args: Mapping[str, Any]
    error: Mapping[str, Any] | None
    message: Mapping[str, Any] | None
    destination: str | None


@dataclass(slots=True)
class Recorded:
    """The calls and deliveries of one attempt at a case, in their order."""

    calls: tuple[Call, ...]
    deliveries: tuple[Delivery, ...]
    makers: Mapping[str, Call] = field(init=False)
    """The call that first returned an object, by the label of the object."""
    within: Mapping[int, Delivery] = field(init=False)
    """The delivery during which a listener made a call, by the number of the call."""

    def __post_init__(self) -> None:
        self.makers = dict(self._makers())
        self.within = dict(self._within())

    @property
    def labels(self) -> frozenset[str]:
        """The labels of all objects that a call returned or a listener was given."""
        given = {str(value) for each in self.deliveries for value in each.args.values() if isinstance(value, str)}
        listeners = {
            str(value)
            for call in self.calls
            for key, value in call.args.items()
            if isinstance(value, str)
            and _LISTENER.fullmatch(value)
            and ("listener" in key or "listener" in call.member)
        }
        return frozenset(self.makers) | given | listeners

    def _makers(self) -> Iterator[tuple[str, Call]]:
        known: set[str] = set()
        for call in self.calls:
            label = call.value
            if isinstance(label, str) and label not in known and _is_object(call):
                known.add(label)
                yield label, call

    def _within(self) -> Iterator[tuple[int, Delivery]]:
        for call in self.calls:
            for each in self.deliveries:
                last = each.end if each.end is not None else 1 << 60
                if each.thread == call.thread and each.begin < call.begin < last:
                    yield call.begin, each

    def type_of(self, label: str) -> str | None:
        """Return the type of an object; None if nothing shows it."""
        maker = self.makers.get(label)
        if maker is None:
            facts = next((each.message for each in self.deliveries if label in each.args.values()), None)
            return _MESSAGES.get(str(facts["kind"])) if facts else None
        if maker.created is not None:
            return str(maker.created["type"]).split("+")[0] or None
        if maker.type == "Provider":
            return FACTORIES.get(maker.member)
        if maker.message is not None and label.startswith("message-"):
            return _MESSAGES.get(str(maker.message["kind"]))
        return "Enumeration" if label.startswith("enumeration-") else None

    def foreign(self) -> frozenset[str]:
        """Return the labels of messages and destinations that neither a call nor a delivery brought: the suite's own objects."""
        known = self.labels
        given = {value for each in self.calls for value in each.args.values() if isinstance(value, str)}
        return frozenset(
            each for each in given if each.startswith("message-") and each not in known and _numbered(each)
        )


def _numbered(label: str) -> bool:
    return label.rpartition("-")[2].isdigit()


def _is_object(call: Call) -> bool:
    if call.created is not None:
        return True
    if call.type == "Provider":
        return call.member in FACTORIES
    label = str(call.value)
    if label.startswith("message-") and _numbered(label):
        return call.message is not None and call.message.get("label") == label
    return label.startswith("enumeration-") and _numbered(label)


def read_calls(events: Sequence[Event]) -> Recorded:
    """Pair the events of an attempt to calls and deliveries."""
    ends = {event["call"]: event for event in events if event["phase"] not in (Phase.INVOKE, Phase.DELIVERED)}
    calls: list[Call] = []
    deliveries: list[Delivery] = []
    for event in events:
        end = ends.get(event["seq"])
        if event["phase"] == Phase.INVOKE:
            calls.append(_call(event, end))
        elif event["phase"] == Phase.DELIVERED:
            deliveries.append(_delivery(event, end))
    return Recorded(tuple(calls), tuple(deliveries))


def _call(event: Event, end: Event | None) -> Call:
    type_, _, member = str(event["op"]).rpartition(".")
    last = end or {}
    cut = last.get("phase") == Phase.UNKNOWN
    return Call(
        begin=int(event["seq"]),
        end=None if end is None or cut else int(end["seq"]),
        thread=str(event["thread"]),
        on=str(event["on"]),
        type=type_,
        member=member,
        args=event.get("args") or {},
        value=last.get("value"),
        ended=bool(last.get("end")),
        error=None if cut else last.get("error"),
        created=last.get("created"),
        message=last.get("message") or event.get("message"),
        destination=last.get("destination") or event.get("destination"),
        began_ms=int(event["t_ns"]) // 1_000_000,
        ended_ms=int(last.get("t_ns") or event["t_ns"]) // 1_000_000,
    )


def _delivery(event: Event, end: Event | None) -> Delivery:
    type_, _, member = str(event["op"]).rpartition(".")
    last = end or {}
    return Delivery(
        begin=int(event["seq"]),
        end=None if end is None else int(end["seq"]),
        thread=str(event["thread"]),
        on=str(event["on"]),
        type=type_,
        member=member,
        args=event.get("args") or {},
        error=last.get("error"),
        message=event.get("message"),
        destination=event.get("destination"),
    )
