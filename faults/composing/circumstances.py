"""Circumstances: values that compose. `Fault.under` shows in those calls only in which all of them hold."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from typing import Any, Final

from faults.composing.calls import NTH, About, Call, Content, Past
from faults.composing.infection import can_be_asked, infecting, watched
from faults.kit.patch import Patch
from faults.kit.seams import *

_COUNTED: Final = ("message", "consumer", "producer", "session", "connection", "destination")
_MODES: Final = {1: "auto", 2: "client", 3: "dups-ok", 0: "transacted"}
_SIZES: Final = (1, 16, 65, 128, 255, 500, 8192, 65536, 200_000)

# -- of a message, as the broker has it ----------------------------------------------------------------------------------

_OF_MESSAGE: Final[Mapping[str, Callable[[Content], object]]] = {
    "persistent": lambda content: content.delivery_mode == 2,
    "non-persistent": lambda content: content.delivery_mode == 1,
    "priority-low": lambda content: content.priority < 4,
    "priority-default": lambda content: content.priority == 4,
    "priority-high": lambda content: content.priority > 4,
    "time-to-live": lambda content: content.expires,
    "delivery-delay": lambda content: content.delayed,
    "reply-to": lambda content: content.reply_to,
    "correlation-id": lambda content: content.correlation,
    "type": lambda content: content.type,
    "no-message-id": lambda content: not content.has_id,
    "no-properties": lambda content: not content.properties,
    "many-properties": lambda content: len(content.properties) > 5,
    "null-body": lambda content: content.body is None and content.kind != "message",
    "no-body": lambda content: content.kind == "message",
    "text": lambda content: content.kind == "text",
    "bytes": lambda content: content.kind == "bytes",
    "map": lambda content: content.kind == "map",
    "stream": lambda content: content.kind == "stream",
    "object": lambda content: content.kind == "object",
}
_FIELDS: Final[Mapping[str, Callable[[Content], object]]] = {
    "correlation-id": lambda content: content.correlation,
    "type": lambda content: content.type,
    "reply-to": lambda content: content.reply_to,
    "body": lambda content: content.body,
    "properties": lambda content: dict(content.properties),
    "priority": lambda content: content.priority,
    "delivery-mode": lambda content: content.delivery_mode,
    "destination": lambda content: content.destination,
}
"""What may equal that of the message of the last call of the same function."""

# -- of values and names -------------------------------------------------------------------------------------------------

_OF_VALUE: Final[Mapping[str, Callable[[Any], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "byte": lambda value: isinstance(value, Byte),
    "short": lambda value: isinstance(value, Short),
    "int": lambda value: isinstance(value, Int),
    "long": lambda value: type(value) is int,
    "float": lambda value: isinstance(value, Float),
    "double": lambda value: isinstance(value, float),
    "char": lambda value: isinstance(value, Char),
    "array": lambda value: isinstance(value, bytes),
    "zero": lambda value: _plain(value) == 0,
    "negative": lambda value: (_plain(value) or 0) < 0,
    "beyond-15-bits": lambda value: abs(_plain(value) or 0) >= 2**15 - 1,
    "beyond-31-bits": lambda value: abs(_plain(value) or 0) >= 2**31 - 1,
    "not-a-number": lambda value: _plain(value) != _plain(value),  # NaN alone
    "empty": lambda value: value in ("", b""),
    "blank-edged": lambda value: isinstance(value, str) and value != value.strip(),
    "upper-case": lambda value: isinstance(value, str) and value != value.lower(),
    "with-a-dot": lambda value: isinstance(value, str) and "." in value,
    "with-a-quote": lambda value: isinstance(value, str) and "'" in value,
    "beyond-ascii": lambda value: isinstance(value, str) and not value.isascii(),
    "beyond-16-bits": lambda value: isinstance(value, str) and max(value, default="") > "\uffff",
    "control-character": lambda value: isinstance(value, str) and any(each < " " for each in value),
}


def _plain(value: Any) -> Any:
    """Return the number in a value, or None."""
    plain = getattr(value, "value", value)
    return plain if isinstance(plain, int | float) and not isinstance(plain, bool) else None


def _values(content: Content) -> Iterator[tuple[str, object]]:
    """Yield the values of a message with where they stand."""
    yield from (("property", value) for value in content.properties.values())
    yield from (("property-name", name) for name in content.properties)
    body = content.body
    if isinstance(body, Mapping):
        yield from (("entry", value) for value in body.values())
        yield from (("entry-name", name) for name in body)
    elif isinstance(body, tuple):
        yield from (("item", value) for value in body)
    elif isinstance(body, str | bytes):
        yield "body", body
    yield from (("header", each) for each in (content.correlation, content.type) if each is not None)
    if content.destination is not None:
        yield "destination", content.destination.name


_PLACES: Final = (
    "property",
    "property-name",
    "entry",
    "entry-name",
    "item",
    "body",
    "header",
    "destination",
    "argument",
)

# -- of where and when ---------------------------------------------------------------------------------------------------

_EVENTS: Final = (
    "rollback", "recover", "commit", "session-closed", "consumer-closed", "stop", "sever", "restart", "kill", "unsubscribe",
    "temporary-deleted", "expiry", "listener-raised", "refused-call",
)  # fmt: skip
_OF_CALL: Final[Mapping[str, Callable[[About], object]]] = {
    "queue": lambda about: isinstance(about.physical, PhysicalQueue),
    "topic": lambda about: isinstance(about.physical, PhysicalTopic),
    "temporary-destination": lambda about: about.physical is not None and about.physical.temporary,
    "durable": lambda about: about.subscription is not None and about.subscription.durable,
    "non-durable": lambda about: about.subscription is not None and not about.subscription.durable,
    "shared": lambda about: about.subscription is not None and about.subscription.shared,
    "selector": lambda about: about.selector is not None,
    "no-local": lambda about: about.subscription is not None and about.subscription.no_local,
    "listener": lambda about: about.consumer is not None and about.consumer.listener is not None,
    "redelivered": lambda about: about.delivery is not None and about.delivery.count > 1,
    "redelivered-twice": lambda about: about.delivery is not None and about.delivery.count > 2,
    "first-delivery": lambda about: about.delivery is not None and about.delivery.count == 1,
    "several-unacknowledged": lambda about: about.session is not None and len(about.session.state.unacknowledged) > 1,
    "work-in-transaction": lambda about: about.session is not None and bool(about.session.state.work.acks),
    "two-sessions": lambda about: about.connection is not None and len(about.connection.sessions) > 1,
    "three-sessions": lambda about: about.connection is not None and len(about.connection.sessions) > 2,
    "two-consumers": lambda about: about.session is not None and len(about.session.consumers) > 1,
    "two-producers": lambda about: about.session is not None and len(about.session.producers) > 1,
    "competing-consumers": lambda about: about.physical is not None and about.physical.consumers > 1,
    "consumer-waits": lambda about: about.source is not None and bool(about.source.waiting),
    "no-consumer": lambda about: about.physical is not None and about.physical.consumers == 0,
    "connection-stopped": lambda about: about.connection is not None and not about.connection.running,
    "client-id": lambda about: about.connection is not None and about.connection.client_id_or_none is not None,
    "own-message": lambda about: (
        about.entry is not None and about.connection is not None and about.entry.sender == about.connection.identity
    ),
}


def facts(call: Call, past: Past) -> frozenset[str]:
    """Return the names of all circumstances that hold in a call, and count the call."""
    about = About(call)
    found = {name for name, holds in _OF_CALL.items() if holds(about)}
    found.update(f"after-{event}" for event in past.before(about))
    found.update(f"{NTH[n]}-of-{kind}" for kind, n in past.count(call, about) if n in NTH)
    if about.session is not None:
        found.add(_MODES.get(about.session.mode, "other-mode"))
        found.add("simplified" if id(about.session) in past.simplified else "classic")
    if past.second_life(about):
        found.add("second-life")
    if threading.get_ident() in past.listening:
        found.add("within-listener")
    found.update(f"argument-{name}" for each in call.arguments[1:] for name in _classes(each))
    last = past.last.get((call.owner, call.name))
    past.last[call.owner, call.name] = about
    if about.content is not None:
        found.update(_of_message(about.content, last.content if last is not None else None))
    return frozenset(found)


def _of_message(content: Content, last: Content | None) -> Iterator[str]:
    yield from (name for name, holds in _OF_MESSAGE.items() if holds(content))
    for place, value in _values(content):
        yield from (f"{place}-{name}" for name in _classes(value))
    if last is not None:
        yield from (f"equal-{name}" for name, get in _FIELDS.items() if get(content) and get(content) == get(last))


def _classes(value: object) -> tuple[str, ...]:
    if value is None or isinstance(value, bool | int | float | str | bytes | Byte | Short | Int | Float | Char):
        return _classes_of(type(value), value)
    return ()


@lru_cache(maxsize=4096)
def _classes_of(kind: type, value: Any) -> tuple[str, ...]:  # the kind tells True and 1 apart
    sizes = (f"from-{size}" for size in _SIZES if issubclass(kind, str | bytes) and len(value) >= size)
    return (*(name for name, holds in _OF_VALUE.items() if holds(value)), *sizes)


# -- circumstances -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Circumstance:
    """What may hold in a call.

    Attributes:
        name: Words joined by hyphens.
        begin: Gets the patch, to watch what happens, and returns what decides for a call; its memory lasts one provider.
            None for a fact (see `facts`), which holds where its name is among them.
    """

    name: str
    begin: Callable[[Patch], Callable[[Call], bool]] | None = None


def _every() -> Iterator[str]:
    """Yield the names of all facts; message classes and values multiply with their places."""
    yield from (*_OF_CALL, *_OF_MESSAGE, *_MODES.values(), "simplified", "classic", "within-listener", "second-life")
    yield from (f"after-{event}" for event in _EVENTS)
    yield from (f"{nth}-of-{kind}" for kind in _COUNTED for nth in NTH.values())
    yield from (f"equal-{name}" for name in _FIELDS)
    yield from (f"{place}-{name}" for place in _PLACES for name in _OF_VALUE)
    yield from (f"{place}-from-{size}" for place in _PLACES for size in _SIZES)


FACTS: Final = {name: Circumstance(name) for name in _every()}
"""All circumstances that are facts of a call, by name."""


class Under(Patch):
    """Changes that show in those calls only in which all circumstances hold.

    Attributes:
        past: What has happened so far; None if no fact is wanted.
    """

    def __init__(self, patch: Patch, *circumstances: Circumstance, infects: bool = True) -> None:
        super().__init__()
        self._patch, self._infects = patch, infects
        self._decide = [each.begin(patch) for each in circumstances if each.begin]
        self._wanted = {each.name for each in circumstances if not each.begin}
        self.past = Past(patch) if self._wanted else None

    def shows(self, call: Call) -> bool:
        """Return whether all hold in a call; all are asked, for some count."""
        hold = [decide(call) for decide in self._decide]
        return (self.past is None or self._wanted <= facts(call, self.past)) and all(hold)

    def around(self, owner: Any, name: str, fault: Callable[..., Any]) -> None:
        """Call `fault` in place of a function in the calls in which all hold; where it changes nothing it does not infect."""
        old = getattr(owner, name)
        new = partial(fault, old)
        if self._infects:
            new = infecting(owner, name, old, new) if can_be_asked(owner, name) else watched(old, fault)
        self._patch.replace(owner, name, wraps(old)(self._either(owner, name, old, new)))

    def replace(self, owner: Any, name: str, new: object) -> None:
        """Replace a function or property in the calls in which all hold, anything else in all."""
        old = getattr(owner, name)
        if isinstance(new, property) and isinstance(old, property):
            self._patch.replace(owner, name, self._mixed(owner, name, old, new))
        elif callable(new) and callable(old) and not isinstance(new, type):
            self._patch.replace(owner, name, self._either(owner, name, old, self._counted(owner, name, old, new)))
        else:
            self._patch.replace(owner, name, new)

    def _counted(self, owner: Any, name: str, old: Any, new: Any) -> Callable[..., Any]:
        return infecting(owner, name, old, new) if self._infects else new

    def _either(self, owner: Any, name: str, old: Any, new: Any) -> Callable[..., Any]:
        def either(*arguments: Any, **keywords: Any) -> Any:
            return (new if self.shows(Call(owner, name, arguments)) else old)(*arguments, **keywords)

        return either

    def _mixed(self, owner: Any, name: str, old: property, new: property) -> property:
        def part(which: str) -> Callable[..., Any] | None:
            parts = getattr(old, which), getattr(new, which)
            if parts[0] is parts[1] or not all(parts):
                return parts[1]
            full = f"{name}.{which}"
            return self._either(owner, full, parts[0], self._counted(owner, full, *parts))

        return property(part("fget"), part("fset"))


# -- circumstances with a memory of their own ----------------------------------------------------------------------------


def _each_second(_: Patch) -> Callable[[Call], bool]:
    seen: dict[int, tuple[object, bool]] = {}  # objects by their identity, kept so that none is used again
    calls: dict[object, int] = {}

    def count(key: object) -> bool:
        calls[key] = calls.get(key, 0) + 1
        return calls[key] % 2 == 0

    def holds(call: Call) -> bool:
        first = call.first
        if first is None or isinstance(first, Broker):
            return count((call.owner, call.name))
        if id(first) not in seen:
            seen[id(first)] = first, count(type(first))
        return seen[id(first)][1]

    return holds


EACH_SECOND: Final = Circumstance("each-second", _each_second)
"""Every second object: the second session, the fourth delivery queue. A function that belongs to none, or to the broker, of
which there is one, shows the change at each second call."""


def _odd(call: Call) -> bool:
    entry = call.one(StoredMessage)
    return entry is None or entry.number % 2 == 1


ODD_MESSAGES: Final = Circumstance("odd-messages", lambda _: _odd)
"""Calls about no message, or about one of odd number: a provider must not ignore the time to live of all (7.8-4)."""
