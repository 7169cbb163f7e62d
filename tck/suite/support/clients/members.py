"""Tables of calls: every overload that an interface of the API declares or inherits, with arguments it accepts.

For claims over a whole interface, such as "every method of a closed session throws": `expect.all_raise` judges such tables.
The rows come from the API's own data (`tck.api.java`), so no member is forgotten.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from tck import api
from tck.api.java.rule import Kind, Overload, PythonMember, java_api, python_api
from tck.catalogue.versions import ASYNCHRONOUS_SENDS
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.harness.outcome import KitFault
from tck.suite.support.harness.running import RunningCase

Rows = Mapping[str, Callable[[], object]]
"""A table of calls, by their names."""

_CAME_WITH: Mapping[str, Mapping[str, Collection[str]]] = {
    "classic": {
        "BytesMessage": {"getBodyLength"},
        "Connection": {"createConnectionConsumer", "createDurableConnectionConsumer", "createSession"},
        "MessageProducer": {"getDestination", "send"},
        "Session": {
            *("createBrowser", "createConsumer", "createDurableSubscriber", "createProducer", "createQueue"),
            *("createTemporaryQueue", "createTemporaryTopic", "createTopic", "getAcknowledgeMode", "unsubscribe"),
        },
    },
    "simplified": {
        "Connection": {
            *("createSession()", "createSession(int)"),
            *("createSharedConnectionConsumer", "createSharedDurableConnectionConsumer"),
        },
        "Message": {"getBody", "getJMSDeliveryTime", "isBodyAssignableTo", "setJMSDeliveryTime"},
        "MessageProducer": {"getDeliveryDelay", "setDeliveryDelay"},
        "Session": {"createDurableConsumer", "createSharedConsumer", "createSharedDurableConsumer"},
    },
}
"""What the interfaces of 1.0 got later, by the part of the specification it came with and the type that declares it."""


def session_interface(case: RunningCase) -> str:
    """Return the Java name of the interface of a case's sessions or contexts."""
    if case.api == "domain-specific":
        return "QueueSession" if case.domain == "queue" else "TopicSession"
    return {"classic": "Session", "simplified": "JMSContext"}[case.api]


def every_call(
    case: RunningCase,
    interface: str,
    target: Callable[[], object],
    *,
    only: Collection[str] = (),
    without: Collection[str] = ("close",),
    **given: object,
) -> Rows:
    """Return a call of each overload of an interface by its Java signature, such as `createReceiver(Queue, String)`.

    Args:
        case: the running case; it makes the destinations and names among the arguments.
        interface: the Java name of an interface.
        target: returns the object to call; asked for each call.
        only: Java names or signatures; every row unless given.
        without: Java names or signatures to leave out, for instance those that the state of the object forbids.
        given: arguments by their Python names, instead of the usual ones.

    Raises:
        KitFault: a parameter has no usual argument and is not given, or `only` and `without` leave no row.
    """
    usual = _Arguments(case, given)
    rows: dict[str, Callable[[], object]] = {}
    for owners, member, overload in _overloads(interface):
        if not _offered(case, owners, overload):
            continue
        names = {overload.java.name, str(overload.java)}
        if (not only or names & set(only)) and not names & set(without):
            rows[str(overload.java)] = _row(interface, member, overload, target, usual)
    if not rows:
        raise KitFault(f"no call of {interface} is left: only {only}, without {without}")
    return rows


def _offered(case: RunningCase, owners: Collection[str], overload: Overload) -> bool:
    """Whether the case's version has an overload, of the one or more types that may have declared it."""
    names = {overload.java.name, str(overload.java)}
    parts = {part for part, types in _CAME_WITH.items() for owner in owners if names & set(types.get(owner, ()))}
    parts |= {ASYNCHRONOUS_SENDS} if "CompletionListener" in overload.java.parameters else set()
    return all(case.offers(part) for part in parts)


def _overloads(interface: str) -> Iterator[tuple[Collection[str], PythonMember, Overload]]:
    """Yield the overloads of an interface's methods and properties with their owners; its own come before inherited ones."""
    seen: set[str] = set()
    types = [interface]
    for name in types:
        if name not in java_api():
            continue  # a type of Java itself, such as AutoCloseable
        types += java_api()[name].extends
        members = [one for one in python_api()[name].values() if one.kind in {Kind.METHOD, Kind.PROPERTY}]
        for member in members:
            if member.name not in seen:
                yield from (((name,), member, overload) for overload in member.overloads)
                yield from ((java_api()[name].extends, member, overload) for overload in member.inherited)
        seen |= {member.name for member in members}


def _row(
    interface: str, member: PythonMember, overload: Overload, target: Callable[[], object], usual: _Arguments
) -> Callable[[], object]:
    if member.kind is Kind.PROPERTY:
        if not overload.java.parameters:
            return lambda: getattr(target(), member.name)
        value = usual.of(member.name, overload.java.parameters[0])
        return lambda: setattr(target(), member.name, value)
    names = list(inspect.signature(getattr(getattr(api, interface), member.name)).parameters)[1:]
    filled = zip(overload.fills, overload.java.parameters, strict=True)
    arguments = {names[at]: usual.of(names[at], java_type) for at, java_type in filled}
    return lambda: getattr(target(), member.name)(**arguments)


class _Arguments:
    """The usual argument of each parameter, by its Python name and Java type, unless another is given."""

    def __init__(self, case: RunningCase, given: Mapping[str, object]) -> None:
        self._case = case
        self._given = given

    def of(self, name: str, java_type: str) -> object:
        if name in self._given:
            return self._given[name]
        usual = _BY_NAME.get(name) or _BY_TYPE.get(java_type)
        if usual is None:
            raise KitFault(f"give an argument for {name}, of type {java_type}")
        return usual(self._case)


_BY_NAME: Mapping[str, Callable[[RunningCase], Any]] = {
    **dict.fromkeys(("name", "subscription_name", "shared_subscription_name"), lambda case: case.name("s")),
    **dict.fromkeys(("queue_name", "topic_name"), lambda case: case.name("d")),
    **dict.fromkeys(("session_mode", "acknowledge_mode"), lambda _: api.Session.AUTO_ACKNOWLEDGE),
    "client_id": lambda case: case.name("c"),
    "message_selector": lambda _: "a = 1",
    "timeout": lambda _: 1,
    "delivery_mode": lambda _: api.DeliveryMode.PERSISTENT,
    "priority": lambda _: api.Message.DEFAULT_PRIORITY,
    "time_to_live": lambda _: 0,
    "delivery_delay": lambda _: 0,
    "max_messages": lambda _: 1,
}
_BY_TYPE: Mapping[str, Callable[[RunningCase], Any]] = {
    "Destination": lambda case: case.destination(),
    "Queue": lambda case: case.queue(),
    "Topic": lambda case: case.topic(),
    "boolean": lambda _: False,
    "char": lambda _: "c",
    "byte": lambda _: 1,
    "short": lambda _: 1,
    "int": lambda _: 1,
    "long": lambda _: 1,
    "float": lambda _: 1.5,
    "double": lambda _: 1.5,
    "String": lambda _: "x",
    "Object": lambda _: "x",
    "Serializable": lambda _: [1, "x"],
    "Map": lambda _: {"x": 1},
    "byte[]": lambda _: b"x",
    "Class": lambda _: str,
    "MessageListener": CollectingListener,
    "ExceptionListener": lambda _: _Silent(),
    "CompletionListener": lambda case: Completion(case.provider.clock.event(), lambda _: {}),
}


class _Silent(api.ExceptionListener):
    def on_exception(self, exception: Exception) -> None:
        del exception
