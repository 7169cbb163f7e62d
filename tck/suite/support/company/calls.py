"""The calls of a case that may harm what is beside them, and what company and traces know of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Final, Protocol

from tck import api
from tck.suite.support.harness.running import Evidence

HARMFUL: Final = frozenset(
    {"close", "delete", "kill", "recover", "restart", "rollback", "sever", "stop", "unsubscribe"}
)
"""The last words of the calls that end, undo or break something."""
SETTING: Final = frozenset(
    {
        "delivery_delay",
        "disable_message_id",
        "disable_message_timestamp",
        "exception_listener",
        "message_listener",
        "priority",
        "time_to_live",
    }
)
"""The properties whose change reconfigures an object that others stand beside. A client identifier is none, since it must come
first, nor a delivery mode, which half of the links set when they open.
"""
BREAKING: Final = frozenset({"Provider.sever", "Provider.kill", "Provider.restart", "Provider.administer"})
"""Hooks after which anything of a connection may be gone."""
LISTENING: Final = frozenset(f"{name}.message_listener" for name in ("MessageConsumer", "JMSConsumer", "Session"))
"""Calls by which a listener gets the thread of a session."""

_SUBSCRIBING: Final = frozenset(
    {
        "create_durable_consumer",
        "create_durable_subscriber",
        "create_shared_consumer",
        "create_shared_durable_consumer",
    }
)


class AnyMember(Protocol):
    """A use of a member of the messaging API, as the recorder names it."""

    @property
    def op(self) -> str:
        """Its name in events."""
        ...

    @property
    def name(self) -> str:
        """The last word of that."""
        ...

    @property
    def form(self) -> Enum:
        """`CALL`, `GET` or `SET`."""
        ...


Tell = Callable[[Any, object, Sequence[object]], None]
"""Takes the member that is to be called, the object, and the arguments."""


class Witnesses(Evidence, Protocol):
    """The recorder, as far as company and traces use it."""

    def watch(self, tell: Tell) -> Callable[[], None]:
        """Call `tell` before each call of the case; return what ends that."""
        ...

    def line(self, value: object) -> Sequence[object]:
        """Return an object and what it was made by: a consumer, its session, its connection."""
        ...

    def made_by(self, value: object) -> Sequence[object]:
        """Return the recorded objects that an object has made."""
        ...

    def label(self, value: object) -> str:
        """Return the label of an object, such as "session-1"."""
        ...

    def call_of(self, error: BaseException) -> str | None:
        """Return the call that raised an exception object."""
        ...

    def called_on(self, value: object, words: frozenset[str]) -> bool:
        """Return whether a call that ends in one of the words was made on an object."""
        ...

    def has_set(self, value: object, name: str) -> bool:
        """Return whether a property of an object was set, by a call that returned."""
        ...

    def passed(self, kind: type) -> bool:
        """Return whether an object of a type was passed to a call."""
        ...


def is_setter(member: AnyMember, on: object) -> bool:
    """Return whether a call reconfigures a producer, a consumer, a session or a connection."""
    if isinstance(on, api.JMSProducer):
        return member.name == "clear_properties" or (
            member.name.startswith("set_") and member.name != "set_delivery_mode"
        )
    return member.form.name == "SET" and member.name in SETTING


class Subscriptions:
    """The durable and shared subscriptions that a case has asked for, by name."""

    def __init__(self) -> None:
        self._known = dict[str, tuple[str, Sequence[object]]]()

    def replaced(self, member: AnyMember, arguments: Sequence[object]) -> bool:
        """Return whether a call asks for a subscription of a name that was asked for with another topic or selector."""
        if member.name not in _SUBSCRIBING or len(arguments) < 2 or not isinstance(arguments[1], str):
            return False
        name, asked = arguments[1], (member.name, [arguments[0], *arguments[2:]])
        before = self._known.setdefault(name, asked)
        self._known[name] = asked
        return before != asked
