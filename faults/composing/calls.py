"""What a call of the provider is about, and what has happened before it: what circumstances are decided by."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from faults.composing.infection import INFECTED
from faults.kit.patch import Patch
from faults.kit.seams import *

NTH: Final = {2: "2nd", 3: "3rd", 5: "5th", 10: "10th", 17: "17th", 64: "64th"}
"""Which event of its kind a call may be, with the word for it."""


class Call(NamedTuple):
    """A call of a function that a fault replaces."""

    owner: Any
    name: str
    arguments: tuple[Any, ...]

    @property
    def first(self) -> Any:
        """The object whose method is called; None for a function of a module."""
        return self.arguments[0] if self.arguments and isinstance(self.owner, type) else None

    def one(self, kind: type) -> Any:
        """Return the first argument of a class, or None."""
        return next((each for each in self.arguments if isinstance(each, kind)), None)


class Content(NamedTuple):
    """What circumstances of a message are decided by, of the broker's message or of the client's object."""

    kind: str
    body: Any
    properties: Any
    correlation: Any
    reply_to: Any
    type: Any
    delivery_mode: int
    priority: int
    expires: bool
    delayed: bool
    has_id: bool
    destination: Any


_BODIES: Final = {"text": "_text", "bytes": "_data", "map": "_entries", "stream": "_items", "object": "_encoded"}


def _content(entry: StoredMessage | None, message: Any, options: Any) -> Content | None:
    if entry is not None:
        delayed = entry.delivery_time > entry.timestamp > 0
        headers = entry.delivery_mode, entry.priority, entry.expiration > 0, delayed, entry.message_id is not None
        return Content(*entry.snapshot, *headers, entry.destination)
    if message is None:
        return None
    get = lambda name: getattr(message, name, None)
    body = get(_BODIES.get(message.KIND, ""))
    client = (
        message.KIND,
        tuple(body) if isinstance(body, list) else body,
        get("_properties") or {},
        get("_correlation"),
    )
    if options is not None:
        sent = options.delivery_mode, options.priority, options.time_to_live > 0, options.delivery_delay > 0
    else:
        sent = (
            get("jms_delivery_mode"),
            get("jms_priority") or 0,
            bool(get("jms_expiration")),
            bool(get("jms_delivery_time")),
        )
    return Content(
        *client, get("jms_reply_to"), get("jms_type"), *sent, get("jms_message_id") is not None, get("jms_destination")
    )


class About:
    """What a call is about: each attribute is None where the arguments do not lead to it."""

    __slots__ = (
        "connection", "consumer", "content", "delivery", "entry", "message", "name", "options", "physical", "producer", "selector",
        "session", "source", "subscription",
    )  # fmt: skip

    def __init__(self, call: Call) -> None:
        for name in self.__slots__:
            setattr(self, name, None)
        for each in call.arguments:
            found = _LEADS.get(type(each)) or next((f for kind, f in _LEADS.items() if isinstance(each, kind)), None)
            if found is not None:
                _LEADS.setdefault(type(each), found)
                found(self, each)
        self._follow()

    def _follow(self) -> None:
        """Go from what was found to what it belongs to; objects may be half made."""
        self.consumer = self.consumer if isinstance(self.consumer, ReferenceConsumer) else None
        self.session = self.session or getattr(self.consumer or self.producer, "session", None)
        if not hasattr(self.session, "producers"):
            self.session = None
        self.connection = self.connection or getattr(self.session, "connection", None)
        receiver = getattr(self.consumer, "receiver", None)
        for name, there in (("source", "delivery_queue"), ("selector", "selector"), ("subscription", "subscription")):
            setattr(self, name, getattr(self, name) or getattr(receiver, there, None))
        self.physical = self.physical or getattr(self.source, "physical", None)
        if self.subscription is None and isinstance(self.physical, PhysicalTopic):
            every = self.physical.subscriptions
            self.subscription = next((each for each in every if each.delivery_queue is self.source), None)
        self.entry = self.entry or getattr(self.delivery, "entry", None)
        if self.entry is None and self.message is None and self.session is not None:
            held = self.session.state.unacknowledged or self.session.state.work.acks
            if held:  # a call of a session is about what its client has in hand
                self.delivery, self.entry = held[-1], held[-1].entry
        message = self.message if isinstance(self.message, ReferenceMessage) else None
        self.content = _content(self.entry, message, self.options)

    def things(self) -> Iterator[tuple[str, object]]:
        """Yield what events are counted by."""
        if self.entry is not None:
            yield "message", self.entry
        for kind in ("consumer", "producer", "session", "connection"):
            if getattr(self, kind) is not None:
                yield kind, getattr(self, kind)
        if self.physical is not None or self.entry is not None:
            yield "destination", self.physical.destination if self.physical is not None else self.entry.destination


def _delivery(about: About, given: Delivery) -> None:
    about.delivery, about.source, about.consumer = given, given.source, given.consumer


def _sets(*names: str, get: Callable[[Any], Any] = lambda given: given) -> Callable[[About, Any], None]:
    def found(about: About, given: Any) -> None:
        for name in names:
            setattr(about, name, get(given))

    return found


def _made(name: str) -> Callable[[Any], Any]:
    """Return what gets an attribute of an object that may be half made."""
    return lambda given: getattr(given, name, None)


_LEADS: Final[dict[type, Callable[[About, Any], None]]] = {
    StoredMessage: _sets("entry"),
    Delivery: _delivery,
    ReferenceMessage: _sets("message"),
    ReferenceSession: _sets("session"),
    SessionState: _sets("session", get=lambda state: state._acknowledge.__self__),
    ReferenceConsumer: _sets("consumer"),
    ReferenceJMSConsumer: _sets("consumer", get=_made("_consumer")),
    ReferenceProducer: _sets("producer"),
    ReferenceJMSProducer: _sets("producer", get=_made("_producer")),
    ReferenceConnection: _sets("connection"),
    ReferenceContext: _sets("session", get=_made("session")),
    ConsumerFactory: _sets("connection", get=_made("connection")),
    Dispatcher: _sets("session", get=_made("session")),
    ReferenceBrowser: _sets("session", get=_made("session")),
    StoredDeliveryQueue: _sets("source"),
    PhysicalDestination: _sets("physical"),
    Subscription: _sets("subscription"),
    Options: _sets("options"),
    str: _sets("name"),
    list: lambda about, given: _delivery(about, given[0]) if given and isinstance(given[0], Delivery) else None,
    Completion: _sets("message", get=lambda completion: completion.message),
}


class Past:
    """What has happened in the life of a provider, and how often each function was called for each thing.

    One for each fault: its circumstances share it. `forget` starts over, between two cases; `LIVE` has all of this process.
    """

    LIVE: Final[list[Past]] = []

    def __init__(self, patch: Patch) -> None:
        self.LIVE[:] = [self]
        self.forget()
        session, connection = (lambda given: given), (lambda given: given)
        for name in ("rollback", "recover", "commit"):
            self._after(patch, ReferenceSession, name, session)
        self._after(patch, ReferenceSession, "drop_unfinished", lambda given: given.connection, "session-closed")
        self._after(patch, ReferenceConsumer, "detach", lambda given: given.session, "consumer-closed")
        self._after(patch, ReferenceConnection, "stop", connection)
        self._after(patch, ReferenceConnection, "sever", lambda given: None)
        self._after(patch, Server, "restart", lambda given: None)
        self._after(patch, Server, "kill", lambda given: None)
        self._after(patch, ConsumerFactory, "unsubscribe", lambda given: None)
        self._after(patch, TemporaryDestinations, "delete", lambda given: None, "temporary-deleted")
        patch.around(ReferenceConsumer, "detach", self._ending(lambda given: given.receiver.physical.destination.name))
        patch.around(ReferenceConnection, "close", self._ending(lambda given: given.client_id_or_none))
        patch.around(ConsumerFactory, "unsubscribe", self._ending(lambda factory, name: name))
        patch.around(Broker, "is_expired", self._expiry)
        patch.around(ReferenceContext, "make_session", self._context)
        patch.around(Dispatcher, "call_listener", self._listener)
        patch.around(JMSException, "__init__", self._refusal)

    def forget(self) -> None:
        """Start over."""
        self.counts: Counter[tuple[Any, ...]] = Counter()
        self.last: dict[tuple[Any, str], About] = {}
        self.events: defaultdict[object, set[str]] = defaultdict(set)
        self.ended: set[object] = set()
        self.simplified: set[int] = set()
        self.listening: set[int] = set()
        self._kept: list[object] = []  # so that no identity is used twice

    def count(self, call: Call, about: About) -> Iterator[tuple[str, int]]:
        """Count a call; yield how many of this function there were for each thing that it is about, this one included."""
        for kind, thing in about.things():
            key = call.owner, call.name, kind, thing.number if kind == "message" and thing.number else id(thing)
            self.counts[key] += 1
            if self.counts[key] == 1:
                self._kept.append(thing)
            yield kind, self.counts[key]

    def before(self, about: About) -> set[str]:
        """Return what happened before a call, to its session, its connection or the provider."""
        things = (about.session, about.connection)
        return self.events[None].union(*(self.events.get(id(each), ()) for each in things if each is not None))

    def second_life(self, about: About) -> bool:
        """Return whether a consumer of the destination was closed before, or who had the name or client identifier ended."""
        names = (about.name, getattr(about.connection, "client_id_or_none", None))
        destination = getattr(getattr(about.physical, "destination", None), "name", None)
        return not self.ended.isdisjoint({*names, destination} - {None})

    def _note(self, thing: object, event: str) -> None:
        if INFECTED.asking:
            return
        self.events[None if thing is None else id(thing)].add(event)
        self._kept.append(thing)

    def _after(self, patch: Patch, owner: Any, name: str, of: Callable[[Any], object], event: str = "") -> None:
        def watched(original: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
            try:
                return original(*arguments, **named)
            finally:
                self._note(of(arguments[0]), event or name)

        patch.around(owner, name, watched)

    def _ending(self, name_of: Callable[..., object]) -> Callable[..., Any]:
        def watched(original: Callable[..., Any], *arguments: Any) -> Any:
            name = name_of(*arguments)
            result = original(*arguments)
            self.ended.add(name)
            return result

        return watched

    def _expiry(self, original: Callable[..., bool], *arguments: Any) -> bool:
        expired = original(*arguments)
        if expired:
            self._note(None, "expiry")
        return expired

    def _context(self, original: Callable[..., Any], *arguments: Any) -> Any:
        session = original(*arguments)
        self.simplified.add(id(session))
        self._kept.append(session)
        return session

    def _listener(self, original: Callable[..., bool], dispatcher: Dispatcher, *arguments: Any) -> bool:
        thread = threading.get_ident()
        self.listening.add(thread)
        try:
            raised = original(dispatcher, *arguments)
        finally:
            self.listening.discard(thread)
        if raised:
            self._note(dispatcher.session, "listener-raised")
        return raised

    def _refusal(self, original: Callable[..., None], *arguments: Any, **named: Any) -> None:
        original(*arguments, **named)
        self._note(None, "refused-call")
