"""Messages and events, carried into one another by the converter of the bridge that is judged.

An exception of the converter breaks the row: what it is given can be carried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from tck import api
from tck.adapters.opening import open_converter
from tck.interworking import Any_, Converted, Converter, Kind, Property, StructuredEvent
from tck.profile import load_bridge
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Broken, Unsupported
from tck.suite.support.values.seen import body

_Value = TypeVar("_Value")

KINDS: Final = ("text", "map", "stream", "bytes", "object")
"""The five types of messages with a body."""

TICKS: Final = 10_000
"""Units of 100 ns, in which events count time, in one ms."""

BOXES: Final[Mapping[str, tuple[object, Kind, object]]] = {
    "boolean": (True, Kind.BOOLEAN, True),
    "byte": (api.Byte(-1), Kind.OCTET, 255),
    "short": (api.Short(-(2**15)), Kind.SHORT, -(2**15)),
    "int": (api.Int(-(2**31)), Kind.LONG, -(2**31)),
    "long": (api.Long(2**53 + 1), Kind.LONGLONG, 2**53 + 1),
    "float": (api.Float(0.1), Kind.FLOAT, api.Float(0.1).value),
    "double": (api.Double(0.1), Kind.DOUBLE, 0.1),
    "String": ("größer \N{GRINNING FACE}", Kind.STRING, "größer \N{GRINNING FACE}"),
}
"""A value of each Java type that a property may have, and the kind and value that it has on a channel."""


class Bridged:
    """A link and the converter under test: what is sent on the link becomes an event, and events are sent on it."""

    def __init__(self, case: Case, link: Link | None = None) -> None:
        self.case = case
        self.link: Link = link or case.link()
        profile = case.profile.bridge or load_bridge()
        if not profile.converter:
            raise Unsupported(f"the bridge {profile.name} runs, and its profile names no converter")
        self.converter: Converter = open_converter(profile)

    # -- from JMS to the channel -----------------------------------------------------------------------------------

    def event(
        self,
        message: api.Message | str = "x",
        *,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> StructuredEvent:
        """Send a message, receive it, and return the event that it becomes."""
        self.link.send(message, mode=mode, priority=priority, ttl=ttl)
        return self.event_of(self.link.receive())

    def event_of(self, received: api.Message) -> StructuredEvent:
        """Return the event that a received message becomes."""
        made = self.calls("to_event", lambda: self.converter.to_event(received, self.case.now()))
        if made is None:
            raise Broken("the bridge made no event of a message that has not expired", expected="an event")
        self.case.witness(f"the event {_words(made)}")
        return made

    # -- from the channel to JMS -----------------------------------------------------------------------------------

    def converted(self, given: StructuredEvent) -> Converted:
        """Return the message that an event becomes, not sent yet."""
        session = self.link.client.session
        made = self.calls("to_message", lambda: self.converter.to_message(given, session, self.case.now()))
        if made is None:
            raise Broken("the bridge made no message of an event that has not expired", expected="a message")
        return made

    def message(self, given: StructuredEvent) -> api.Message:
        """Return the message that an event becomes, as it is received."""
        made = self.converted(given)
        self.link.send(made.message, mode=made.delivery_mode, priority=made.priority, ttl=made.time_to_live)
        return self.link.receive()

    def named(self, given: StructuredEvent, *path: str) -> str:
        """Return the property of a field, after the event has been converted."""
        names = self.calls("names", lambda: self.converter.names(given))
        if path not in names:
            raise Broken(f"the bridge names no property of {' '.join(path)}: {dict(names)!r}", expected="a name")
        return names[path]

    def calls(self, what: str, call: Callable[[], _Value]) -> _Value:
        """Call the converter; an exception of it breaks the row."""
        try:
            return call()
        except Exception as error:
            raise Broken(
                f"the bridge's {what} raised {type(error).__name__}: {error}", expected="no exception"
            ) from error


def seen(value: Any_ | None) -> tuple[str, object] | None:
    """Return type and value of an item, as texts of verdicts show them."""
    return None if value is None else (str(value.type), value.value)


def item(kind: Kind, value: object) -> tuple[str, object]:
    """Return what `seen` returns of a basic value."""
    return seen(Any_.of(kind, value)) or ("", None)


def once(items: tuple[Property, ...], name: str) -> Any_:
    """Return the value of the one item with a name; a missing or repeated one breaks the row."""
    found = [each.value for each in items if each.name == name]
    expect.equal(f"the number of items called {name}", len(found), 1)
    if len(found) != 1:
        raise Broken(f"there were {len(found)} items called {name}", expected="one")
    return found[0]


def filled(link: Link, kind: str) -> api.Message:
    """Return a new message of a kind with something in its body; `plain` is one without a body."""
    makers: Mapping[str, Callable[[], api.Message]] = {
        "plain": link.client.session.create_message,
        "object": lambda: link.client.session.create_object_message("an object"),
    }
    return makers[kind]() if kind in makers else link.client.message(kind, "x")  # type: ignore[arg-type]


def _words(made: StructuredEvent) -> str:
    fixed = made.header.fixed_header
    fields = {each.name: seen(each.value) for each in (*made.header.variable_header, *made.filterable_data)}
    return (
        f"{fixed.event_type.type_name} {fixed.event_name!r} with {fields!r} and body {seen(made.remainder_of_body)!r}"
    )


__all__ = ["BOXES", "KINDS", "TICKS", "Bridged", "body", "filled", "item", "once", "seen"]
