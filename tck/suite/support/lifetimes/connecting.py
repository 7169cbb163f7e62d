"""Second lifetimes of connections, client identifiers and durable subscriptions."""

from __future__ import annotations

import contextlib
from typing import Any

from tck import api
from tck.suite.support.company.desks import Desk
from tck.suite.support.company.domains import DomainDesk, open_session
from tck.suite.support.lifetimes.ground import desk_of
from tck.suite.support.lifetimes.history import DURABLE, SHARED_DURABLE, Done, Durable
from tck.suite.support.lifetimes.lives import Lifetime, differing, producer_of, started


class FreshConnection(Lifetime):
    """A connection, after another was closed or lost, or the provider restarted."""

    words = "a fresh connection"

    def ending(self) -> Done | None:
        """Return the end of a connection."""
        closed = self.history.last("close", on=(api.Connection, api.JMSContext))
        return self.history.ended_all or self.history.last("sever", on=api.Provider) or closed

    def look(self, end: Done) -> str | None:
        """Start it; it delivers nothing before, and everything is as new."""
        wrong = self._connects()
        durable = self._durable()
        if wrong or end.word == "close" or not self.ground.has_topics or not self.ground.judged(durable):
            return wrong
        self.claim = durable
        name, topic = self.ground.name(), self.ground.topic()
        desk = self.ground.desk(client_id=name)
        consumer = opened(desk, topic, name, "create_durable_subscriber")
        self.ground.apart.send(topic, "one")
        wrong = self.arrival(consumer, "one")
        consumer.close()
        with contextlib.suppress(api.JMSException, api.JMSRuntimeException):
            desk.unsubscribe(name)
        return wrong

    def _durable(self) -> str:
        """Return the row about the first consumer of a durable subscription."""
        if self.ground.by_domain:
            return "8.3.3-3"
        return "8.3.3-1" if self.ground.classic else "8.3.3-2"

    def _connects(self) -> str | None:
        if not self.ground.classic and not self.ground.by_domain:
            self.claim = "6.1-3"
            return self._works(self.ground.context())
        self.claim = self.ground.connects
        connection = self.ground.connection()
        session = open_session(connection, api.Session.AUTO_ACKNOWLEDGE, transacted=False)
        self.claim = "6.1.4-3"
        place = self.ground.place(session)
        consumer = desk_of(session).consumer(place)
        self.ground.apart.send(place, "early")
        if consumer.receive_no_wait() is not None:
            return "it delivers a message before it is started"
        connection.start()
        self.claim = "6.1.4-5"
        return self.arrival(consumer, "early") or self._works(session)

    def _works(self, session: Any) -> str | None:
        desk = desk_of(session)
        consumed, simplified = {api.QueueSession: "8.2-3", api.TopicSession: "8.3.1-3"}, "8.2-2"
        own = next((row for kind, row in consumed.items() if isinstance(session, kind)), "8.2-1")
        self.claim = simplified if isinstance(session, api.JMSContext) else own
        wrong = self.carries(desk, self.ground.place(session)) or self.sends(desk, self.ground.place(session))
        if wrong or isinstance(session, api.JMSContext):
            return wrong
        self.claim = "7.4-10"
        producer = producer_of(session, None)
        return differing({name: getattr(producer, name) for name in self.ground.defaults}, self.ground.defaults)


class SameIdentifier(Lifetime):
    """A connection with the client identifier of one that was closed, and its durable subscriptions."""

    words = "a fresh connection with the same client identifier"

    def ending(self) -> Done | None:
        """Return the setting of an identifier that no connection holds any more."""
        named = [each for each in self.history.latest("client_id") if each.arguments]
        free = {each.number: self._closed(each.on) is not None for each in named}
        held = {each.arguments[0] for each in named if not free[each.number]}
        return next((each for each in named if each.arguments[0] not in held), None)

    @property
    def call(self) -> str:
        """The name of the close."""
        closed = self._closed(self.end.on) if self.end is not None else None
        return closed.op if closed is not None else ""

    def _closed(self, connection: object) -> Done | None:
        """Return the close of a connection and of every context on it, unless its link was lost before."""
        if id(connection) not in self.history.closed:
            return None
        sharing = [each.result for each in self.history.latest("create_context", on=api.JMSContext)]
        sharing = [each for each in sharing if self.history.connection_of(each) is connection]
        found = [self.history.closed.get(id(each)) for each in (connection, *sharing)]
        return None if None in found or self.history.severed(connection) else found[0]

    def look(self, end: Done) -> str | None:
        """Take the identifier, and resume what it had."""
        self.ground.desk().close()  # what is refused to every connection is not about the identifier
        self.claim = "6.1.2-17"
        desk = self.ground.desk(client_id=end.arguments[0])
        for each in self.history.durables:
            if self.history.connection_of(each.made.on) is end.on and each.plain:
                self.claim = "8.3.4-16" if each.shared else "8.3.3-17"
                return resumed(self, desk, each)
        return None


class ResumedSubscription(Lifetime):
    """A durable subscription that is resumed in the session that has closed its consumer."""

    words = "the durable subscription, resumed"

    def ending(self) -> Done | None:
        """Return the close of the consumer."""
        for durable in self.history.durables:
            session = self.history.session_of(durable.made.on)
            if durable.plain and self.history.acknowledging(session):
                self.durable = durable
                return self.history.closed.get(id(durable.made.result))
        return None

    def look(self, end: Done) -> str | None:
        """Publish a message, which comes once."""
        self.claim = "8.3.4-16" if self.durable.shared else "8.3.3-17"
        started(self.history, end.on)
        session = self.history.session_of(end.on)
        mode = self.history.acknowledge_mode(session)
        return resumed(self, desk_of(self.history.behind(session)), self.durable, mode)


def resumed(lifetime: Lifetime, desk: Desk, durable: Durable, mode: int = api.Session.AUTO_ACKNOWLEDGE) -> str | None:
    """Return what is wrong with a durable subscription that is resumed: a message published now comes, and once.

    What it held before is the case's, and not judged.

    Args:
        lifetime: Whose look it is.
        desk: A session that may resume it.
        durable: The subscription.
        mode: The acknowledge mode of that session.
    """
    topic = lifetime.history.behind(durable.topic)
    consumer = opened(desk, topic, durable.name, durable.made.word)
    one, after = f"one {lifetime.ground.name()}", f"after {lifetime.ground.name()}"
    for text in (one, after):
        lifetime.ground.apart.send(topic, text)
    came = list[str | None]()
    while not came or came[-1] != after:
        got = consumer.receive(lifetime.ground.deadline)
        if got is None:
            missing = after if one in came else one
            return f"{missing!r}, published now, does not arrive within {lifetime.ground.deadline} ms"
        if mode == api.Session.CLIENT_ACKNOWLEDGE:
            got.acknowledge()
        came.append(got.text if isinstance(got, api.TextMessage) else "")
    consumer.close()
    return None if came.count(one) == 1 else f"{one!r}, published now, came {came.count(one)} times"


def opened(desk: Desk, topic: api.Topic, name: str, word: str) -> Any:
    """Open a consumer of a durable subscription by the method that a case used."""
    session: Any = desk.of("topic") if isinstance(desk, DomainDesk) else session_of(desk)
    simplified = isinstance(session, api.JMSContext)
    return getattr(session, "create_durable_consumer" if simplified and word in DURABLE else word)(topic, name)


def session_of(desk: Desk) -> Any:
    """Return the session or context of a desk of those interfaces."""
    return getattr(desk, "session", None) or getattr(desk, "context", None)


class SameName(Lifetime):
    """A durable subscription of another topic and kind, under a name that was unsubscribed."""

    words = "a durable subscription of another topic with the same name"

    def ending(self) -> Done | None:
        """Return the deletion of a subscription of which the case has nothing in hand, and that it has not made again."""
        for end in self.history.latest("unsubscribe"):
            name = end.arguments[0]
            made = [e for e in self.history.latest(*DURABLE, *SHARED_DURABLE) if e.arguments[1] == name]
            if made and made[0].number < end.number and self._idle(end, made):
                self.made = made[0]
                return end
        return None

    def _idle(self, end: Done, made: list[Done]) -> bool:
        """Return whether each consumer was closed, and belonged to a session that acknowledges by itself."""
        session = self.history.session_of(end.on)
        usable = self.history.usable(session)
        return (
            usable
            and self.history.acknowledge_mode(session) == api.Session.AUTO_ACKNOWLEDGE
            and all(
                self.history.session_of(each.on) is session and id(each.result) in self.history.closed for each in made
            )
        )

    def look(self, end: Done) -> str | None:
        """Create it; it begins empty, and works."""
        self.claim = "8.3.4-17" if self.made.word in SHARED_DURABLE else "8.3.3-18"
        started(self.history, end.on)
        desk = desk_of(self.history.behind(self.history.session_of(end.on)))
        word = self._kind()
        topic = self.ground.topic()
        consumer = opened(desk, topic, end.arguments[0], word)
        self.ground.apart.send(topic, "one")
        wrong = self.arrival(consumer, "one")
        consumer.close()
        with contextlib.suppress(api.JMSException, api.JMSRuntimeException):
            desk.unsubscribe(end.arguments[0])
        return wrong

    def _kind(self) -> str:
        """Return how to create it: shared if it was not, where the version has that and the profile claims it."""
        if self.made.word in SHARED_DURABLE:
            return self.made.word  # there may be no client identifier, without which there is no other kind
        shared = self.ground.shares and self.ground.judged("8.3.4-1")
        return "create_shared_durable_consumer" if shared else self.made.word
