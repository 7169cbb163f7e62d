"""What a case did, as far as second lifetimes depend on it: which calls returned, what has ended, what is still in use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

from tck import api

_LISTENING: Final = frozenset(f"{name}.message_listener" for name in ("MessageConsumer", "JMSConsumer", "Session"))
_FOREIGN: Final = frozenset({"XASession.xa_resource", "XAJMSContext.xa_resource", "Session.run"})
_REQUESTORS: Final = frozenset({"Provider.queue_requestor", "Provider.topic_requestor"})
_UNSURE: Final = frozenset({"Provider.administer", "Provider.close"})
"""Calls after which nothing is certain: the case has changed the provider."""
_SPECIAL: Final = (api.QueueSession, api.TopicSession, api.XASession, api.XAJMSContext)
_SPECIAL_CONNECTIONS: Final = (api.QueueConnection, api.TopicConnection, api.XAConnection)
DURABLE: Final = frozenset({"create_durable_consumer", "create_durable_subscriber"})
SHARED_DURABLE: Final = frozenset({"create_shared_durable_consumer"})


class Done(NamedTuple):
    """A call that returned: its name, "MessageConsumer.close", its object, its arguments, and what it returned."""

    op: str
    on: Any
    arguments: tuple[Any, ...]
    result: Any

    @property
    def word(self) -> str:
        """The last word of its name."""
        return self.op.rpartition(".")[2]


class Records(Protocol):
    """The recorder, as far as second lifetimes use it."""

    def returned(self) -> Sequence[tuple[str, Any, tuple[Any, ...], Any]]:
        """Return the calls that returned, in the order in which they began."""
        ...

    def behind(self, value: object) -> Any:
        """Return the provider's own object behind a recorded one."""
        ...

    def line(self, value: object) -> Sequence[object]:
        """Return an object and what it was made by: a consumer, its session, its connection."""
        ...

    def called(self, members: Collection[str]) -> bool:
        """Return whether one of these was called."""
        ...

    def called_on(self, value: object, words: frozenset[str]) -> bool:
        """Return whether a call that ends in one of the words was made on an object, or has it among its arguments."""
        ...

    def open_calls(self) -> Sequence[object]:
        """Return the calls that have not returned."""
        ...


class History:
    """The calls of a case that returned.

    Args:
        records: The recorder of the case.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self.calls = [Done(*each) for each in records.returned()]
        self.behind: Callable[[object], Any] = records.behind

    @property
    def unsure(self) -> bool:
        """Whether the case may have changed what is true of the provider."""
        return self._records.called(_UNSURE)

    @cached_property
    def ended_all(self) -> Done | None:
        """The last call after which no connection is left."""
        return self.last("kill", "restart", on=api.Provider)

    def last(self, *words: str, on: type | tuple[type, ...] = object) -> Done | None:
        """Return the last call that ends in one of the words, on an object of a type."""
        return next(self.latest(*words, on=on), None)

    def latest(self, *words: str, on: type | tuple[type, ...] = object) -> Iterator[Done]:
        """Yield the calls that end in one of the words, the last one first."""
        return (each for each in reversed(self.calls) if each.word in words and isinstance(each.on, on))

    def session_of(self, value: object) -> Any:
        """Return the session or context of an object, None if it has none."""
        return next((e for e in self._records.line(value) if isinstance(e, api.Session | api.JMSContext)), None)

    def connection_of(self, value: object) -> Any:
        """Return the connection of an object, or its context; None if it has none."""
        line = self._records.line(value)
        made = [each for each in line if isinstance(each, api.Connection)]
        return made[0] if made else next((e for e in reversed(line) if isinstance(e, api.JMSContext)), None)

    def lives(self, value: object) -> bool:
        """Return whether neither an object nor what it was made by has ended."""
        if self.ended_all is not None:
            return False
        owners = [e for e in self._records.line(value) if not isinstance(e, api.Provider)]
        return not any(self._records.called_on(each, frozenset({"close", "sever", "delete"})) for each in owners)

    def severed(self, value: object) -> bool:
        """Return whether the link of a connection was lost."""
        return any(self._records.called_on(each, frozenset({"sever"})) for each in self._records.line(value))

    @cached_property
    def _untroubled(self) -> bool:
        """Whether no thread but the case's has used its sessions: no listener, no transaction manager, no open call."""
        records = self._records
        if records.called(_LISTENING | _FOREIGN | _REQUESTORS) or records.open_calls():
            return False
        sends = (each for each in self.calls if each.word in {"send", "publish", "set_async"})
        return not any(isinstance(given, api.CompletionListener) for each in sends for given in each.arguments)

    def usable(self, session: object) -> bool:
        """Return whether a session or context may be used after the case."""
        plain = isinstance(session, api.Session | api.JMSContext) and not isinstance(session, _SPECIAL)
        connection = self.connection_of(session)
        return plain and self._untroubled and self.lives(session) and not isinstance(connection, _SPECIAL_CONNECTIONS)

    def joins(self, connection: object) -> bool:
        """Return whether a session may be added to a connection after the case."""
        plain = isinstance(connection, api.Connection) and not isinstance(connection, _SPECIAL_CONNECTIONS)
        return plain and self.lives(connection)

    def touched(self, session: object, since: Done) -> bool:
        """Return whether a session or something of it was called since a call."""
        later = self.calls[self.calls.index(since) + 1 :]
        return any(self.session_of(each.on) is session for each in later)


class Durable(NamedTuple):
    """A durable subscription as a case made it; `made` is the last call that did."""

    made: Done
    shared: bool

    @property
    def topic(self) -> Any:
        """Its topic, recorded."""
        return self.made.arguments[0]

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.made.arguments[1])

    @property
    def plain(self) -> bool:
        """Whether it takes every message of an ordinary topic."""
        unset = all(each in (None, "", False, api.OMITTED) for each in self.made.arguments[2:])
        return unset and not isinstance(self.topic, api.TemporaryTopic) and isinstance(self.topic, api.Topic)


def durables(history: History) -> list[Durable]:
    """Return the durable subscriptions that the case has made and not unsubscribed, without a consumer that may be open.

    A name that was used under more than one client identifier, of more than one kind or topic is left out.
    """
    found: dict[str, Durable] = {}
    unsure: set[str] = set()
    for each in history.calls:
        if each.word in DURABLE | SHARED_DURABLE:
            made = Durable(each, each.word in SHARED_DURABLE)
            before = found.get(made.name)
            if before is not None and (
                before.shared != made.shared or before.made.arguments != each.arguments or not _same(history, before, made)
            ):
                unsure.add(made.name)
            if not _closed(history, each.result):
                unsure.add(made.name)
            found[made.name] = made
        elif each.word == "unsubscribe":
            unsure.add(str(each.arguments[0]))
    return [each for name, each in found.items() if name not in unsure]


def _same(history: History, one: Durable, other: Durable) -> bool:
    return history.connection_of(one.made.on) is history.connection_of(other.made.on)


def _closed(history: History, consumer: object) -> bool:
    """Return whether a consumer was closed, or what it was made by; not by the loss of its link, which takes time."""
    owners = [consumer, history.session_of(consumer), history.connection_of(consumer)]
    closed = [each.on for each in history.latest("close")]
    return not history.severed(consumer) and any(one is each for each in owners for one in closed)
