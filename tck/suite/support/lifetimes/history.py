"""What a case did, as far as second lifetimes depend on it: which calls returned, what has ended, what is still in use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

from tck import api
from tck.suite.support.company import Witnesses

_LISTENING: Final = frozenset(f"{name}.message_listener" for name in ("MessageConsumer", "JMSConsumer", "Session"))
_FOREIGN: Final = frozenset({"XASession.xa_resource", "XAJMSContext.xa_resource", "Session.run"})
_REQUESTORS: Final = frozenset({"Provider.queue_requestor", "Provider.topic_requestor"})
_UNSURE: Final = frozenset({"Provider.administer", "Provider.close"})
"""Calls after which nothing is certain: the case has changed the provider."""
_SPECIAL: Final = (api.XASession, api.XAJMSContext, api.XAConnection)
_OF_ONE_DOMAIN: Final = (api.QueueSession, api.TopicSession, api.QueueConnection, api.TopicConnection)
_ENDS: Final = frozenset({"close", "sever", "delete"})
"""Calls that end their object or what they are given, even if they fail."""
DURABLE: Final = frozenset({"create_durable_consumer", "create_durable_subscriber"})
SHARED_DURABLE: Final = frozenset({"create_shared_durable_consumer"})


class Done(NamedTuple):
    """A call: its name, "MessageConsumer.close", the last word of that, its object and arguments, whether it returned, its result."""

    op: str
    word: str
    on: Any
    arguments: tuple[Any, ...]
    ok: bool
    result: Any
    number: int
    """Its place among the calls of the case."""


class Records(Witnesses, Protocol):
    """The recorder, as far as second lifetimes use it."""

    def begun(self) -> Sequence[tuple[str, str, Any, tuple[Any, ...], bool, Any]]:
        """Return the calls in the order in which they began, each with whether it returned, and its result."""
        ...

    def open_calls(self) -> Sequence[object]:
        """Return the calls that have not returned."""
        ...


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


class History:
    """The calls of a case that returned.

    Args:
        records: The recorder of the case.
        by_domain: Whether the version has no other interfaces than those of the domains; their sessions are left alone else.
    """

    def __init__(self, records: Records, *, by_domain: bool = False) -> None:
        self._records = records
        self._special = _SPECIAL if by_domain else (*_SPECIAL, *_OF_ONE_DOMAIN)
        self._rows = records.begun()
        self._met = set[int]()
        self._severed = set[int]()
        self._of_word: defaultdict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self._rows):
            if row[4]:
                self._of_word[row[1]].append(number)
            if row[1] in _ENDS:
                self._met.update(id(each) for each in (row[2], *row[3]))
            if row[1] == "sever":
                self._severed.update(id(each) for each in row[3])
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
        numbers = sorted((n for word in words for n in self._of_word.get(word, ())), reverse=True)
        return (Done(*self._rows[n], n) for n in numbers if isinstance(self._rows[n][2], on))

    def settings(self, on: type) -> Iterator[Done]:
        """Yield the calls named `set_...` on objects of a type, the last one first."""
        return self.latest(*(word for word in self._of_word if word.startswith("set_")), on=on)

    @cached_property
    def closed(self) -> dict[int, Done]:
        """The closes that returned, by the identity of what was closed."""
        return {id(each.on): each for each in self.latest("close")}

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
        return not any(id(each) in self._met for each in owners)

    def severed(self, value: object) -> bool:
        """Return whether the link of a connection was lost."""
        return any(id(each) in self._severed for each in self._records.line(value))

    @cached_property
    def _untroubled(self) -> bool:
        """Whether no thread but the case's has used its sessions: no listener, no transaction manager, no open call."""
        records = self._records
        if records.called(_LISTENING | _FOREIGN | _REQUESTORS) or records.open_calls():
            return False
        sends = self.latest("send", "publish", "set_async")
        return not any(isinstance(given, api.CompletionListener) for each in sends for given in each.arguments)

    def usable(self, session: object) -> bool:
        """Return whether a session or context may be used after the case."""
        plain = isinstance(session, api.Session | api.JMSContext) and not isinstance(session, self._special)
        connection = self.connection_of(session)
        return plain and self._untroubled and self.lives(session) and not isinstance(connection, self._special)

    def acknowledging(self, session: object) -> bool:
        """Return whether a session or context may be used after the case and has no transactions."""
        return self.usable(session) and not self.behind(session).transacted

    def opening_of(self, session: object) -> tuple[bool, int]:
        """Return whether a session of the classic or a domain's interface is transacted, and its mode, as it was opened with."""
        made = self.latest("create_session", "create_queue_session", "create_topic_session")
        given = next((each.arguments for each in made if each.result is session), (api.OMITTED, api.OMITTED))
        return given[0], given[1]

    def acknowledge_mode(self, session: object) -> int:
        """Return the acknowledge mode of a session or context; a session of one domain cannot tell it before 1.1."""
        if isinstance(session, api.JMSContext):
            return int(self.behind(session).session_mode)
        if isinstance(session, api.QueueSession | api.TopicSession):
            transacted, mode = self.opening_of(session)
            return api.Session.SESSION_TRANSACTED if transacted else mode
        return int(self.behind(session).acknowledge_mode)

    def joins(self, connection: object) -> bool:
        """Return whether a session may be added to a connection after the case."""
        plain = isinstance(connection, api.Connection) and not isinstance(connection, self._special)
        return plain and self.lives(connection)

    def touched(self, session: object, since: Done) -> bool:
        """Return whether a session or something of it was called since a call."""
        return any(self.session_of(row[2]) is session for row in self._rows[since.number + 1 :])

    @cached_property
    def durables(self) -> list[Durable]:
        """The durable subscriptions that the case has made and not unsubscribed, without a consumer that may be open.

        A name that was used under more than one client identifier, of more than one kind or topic is left out, and so is one on
        a topic of another provider, which a provider need not take.
        """
        found: dict[str, Durable] = {}
        unsure = {str(each.arguments[0]) for each in self.latest("unsubscribe")}
        for each in self.latest(*DURABLE, *SHARED_DURABLE):
            made = Durable(each, each.word in SHARED_DURABLE)
            other = found.setdefault(made.name, made)
            foreign = self.behind(made.topic) is made.topic
            if foreign or not self._alike(other, made) or not self._is_over(each.result):
                unsure.add(made.name)
        return [each for name, each in found.items() if name not in unsure]

    def _alike(self, one: Durable, other: Durable) -> bool:
        same = one.shared == other.shared and one.made.arguments == other.made.arguments
        return same and self.connection_of(one.made.on) is self.connection_of(other.made.on)

    def _is_over(self, consumer: object) -> bool:
        """Return whether a consumer was closed, or what it was made by; not by the loss of its link, which takes time."""
        owners = (consumer, self.session_of(consumer), self.connection_of(consumer))
        return any(id(each) in self.closed for each in owners) and not self.severed(consumer)
