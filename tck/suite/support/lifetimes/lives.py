"""The kinds of second lifetimes: what a case must have ended, what is opened in its place, and what must be true of it.

Each kind says which rows it looks at; the one that it is about to look at is its `claim`, so that an exception breaks it too.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, ClassVar

from tck import api
from tck.suite.support.company.desks import Desk
from tck.suite.support.company.domains import made_for, open_session
from tck.suite.support.lifetimes.ground import DEFAULTS, Ground, desk_of
from tck.suite.support.lifetimes.history import Done, History


class Lifetime(ABC):
    """A second lifetime.

    Args:
        history: What the case did.
        ground: What it stands on.
    """

    words: ClassVar[str]
    """What it is."""

    def __init__(self, history: History, ground: Ground) -> None:
        self.history = history
        self.ground = ground
        self.claim = ""
        self.end: Done | None = None

    @property
    def call(self) -> str:
        """The name of the call that ended the first lifetime."""
        return self.end.op if self.end is not None else ""

    @abstractmethod
    def ending(self) -> Done | None:
        """Return the call that ended the first lifetime; None if the case has none."""

    @abstractmethod
    def look(self, end: Done) -> str | None:
        """Open it, and return what is wrong with it."""

    def arrival(self, consumer: Any, wanted: str) -> str | None:
        """Return what is wrong with the next message of a consumer."""
        return self.taken(consumer, wanted)[1]

    def taken(self, consumer: Any, wanted: str) -> tuple[Any, str | None]:
        """Return the next message of a consumer, and what is wrong with it."""
        got = consumer.receive(self.ground.deadline)
        if got is None:
            return got, f"{wanted!r} does not arrive within {self.ground.deadline} ms"
        text = got.text if isinstance(got, api.TextMessage) else repr(got)
        return got, None if text == wanted else f"{text!r} came where {wanted!r} was expected"

    def carries(self, desk: Desk, destination: api.Destination) -> str | None:
        """Return what is wrong with a fresh consumer of a session, to which another connection sends."""
        consumer = desk.consumer(destination)
        self.ground.apart.send(destination, "one")
        wrong = self.arrival(consumer, "one")
        consumer.close()
        return wrong

    def sends(self, desk: Desk, destination: api.Destination) -> str | None:
        """Return what is wrong with a message that a session sends, in a transaction of its own if it has transactions."""

        def send() -> None:
            desk.send(destination, "one")
            desk.commit()

        return self.sent(destination, send)[1]

    def sent(self, destination: api.Destination, send: Callable[[], object]) -> tuple[Any, str | None]:
        """Send, and return the message as another connection gets it, and what is wrong with it."""
        with self.taker(destination) as consumer:
            send()
            return self.taken(consumer(), "one")

    @contextlib.contextmanager
    def taker(self, destination: api.Destination) -> Iterator[Callable[[], Any]]:
        """Give the consumer of another connection, which is closed then: of a topic it is there before the messages."""
        early = self.ground.apart.consumer(destination) if isinstance(destination, api.Topic) else None
        made = [] if early is None else [early]

        def opened() -> Any:
            if not made:
                made.append(self.ground.apart.consumer(destination))
            return made[0]

        yield opened
        for each in made:
            each.close()


def started(history: History, value: object) -> Any:
    """Start the connection of an object of the case, and return the provider's own one."""
    connection = history.behind(history.connection_of(value))
    connection.start()
    return connection


class FreshProducer(Lifetime):
    """A producer of the same session, after the close of one: by the case, or here of one that the case has set."""

    words = "a fresh producer of the session"
    call = "MessageProducer.close"

    def ending(self) -> Done | None:
        """Return the close, or else the last setting, of a producer whose session lives."""
        closes = self.history.latest("close", on=api.MessageProducer)
        sets = (
            each for each in self.history.latest(*DEFAULTS, "delivery_delay", on=api.MessageProducer) if each.arguments
        )
        return next((e for e in chain(closes, sets) if self.history.usable(self.history.session_of(e.on))), None)

    def look(self, end: Done) -> str | None:
        """Read its settings, and send."""
        if end.word != "close":
            with contextlib.suppress(api.JMSException):
                self.history.behind(end.on).close()
        session = self.history.behind(self.history.session_of(end.on))
        self.claim = self.made_by(session)
        place = self.ground.place(session)
        producer = producer_of(session, place)
        try:
            return self._look(session, producer, place)
        finally:
            producer.close()

    def made_by(self, session: object) -> str:
        """Return the row that says that a producer sends to the destination that it was made for."""
        if isinstance(session, api.TopicSession):
            return "7.1-8"
        return "7.1-7" if isinstance(session, api.QueueSession) else "7.1-1"

    def _look(self, session: Any, producer: Any, place: api.Destination) -> str | None:
        self.claim = "7.4-10"
        wrong = differing({name: getattr(producer, name) for name in self.ground.defaults}, self.ground.defaults)
        if wrong or session.transacted:  # the transaction is the case's, and may be in any state
            return wrong
        self.claim = self.made_by(session)
        send = producer.publish if isinstance(session, api.TopicSession) else producer.send
        got, wrong = self.sent(place, lambda: send(session.create_text_message("one")))
        if wrong:
            return wrong
        self.claim = "7.4-10"
        return headers(got)


def producer_of(session: Any, destination: api.Destination | None) -> Any:
    """Open a producer of a classic session or one of a domain."""
    special = isinstance(session, api.QueueSession | api.TopicSession)
    return made_for(session, destination) if special else session.create_producer(destination)


class FreshJMSProducer(Lifetime):
    """A JMSProducer of the same context, after others were set."""

    words = "a fresh JMSProducer of the context"

    def ending(self) -> Done | None:
        """Return the last setting of a producer whose context lives."""
        sets = self.history.settings(api.JMSProducer)
        return next((each for each in sets if self.history.usable(self.history.session_of(each.on))), None)

    def look(self, end: Done) -> str | None:
        """Read its settings, and send."""
        context = self.history.session_of(end.on)
        self.claim = "7.1-16"
        producer = self.history.behind(context).create_producer()
        wrong = self._inherited(context, producer)
        if wrong:
            return wrong
        self.claim = "7.4-10"
        settings = {name: getattr(producer, f"get_{name}")() for name in self.ground.defaults}
        wrong = differing(settings, self.ground.defaults)
        if wrong or self.history.behind(context).transacted:
            return wrong
        self.claim = "7.2-6"
        queue = self.ground.queue()
        producer.send(queue, "one")
        got, wrong = self.taken(self.ground.apart.consumer(queue), "one")
        if wrong:
            return wrong
        self.claim = "7.4-10"
        return headers(got)

    def _inherited(self, context: Any, producer: Any) -> str | None:
        """Return what other producers of the context were given and this one has; what an unset one returns is not judged."""
        given = [each for each in self.history.settings(api.JMSProducer) if self.history.session_of(each.on) is context]
        for name in ("jms_correlation_id", "jms_type"):
            now = getattr(producer, f"get_{name}")()
            if now and any(each.word == f"set_{name}" and each.arguments[0] == now for each in given):
                return f"{name} is {now!r}, which was set on another"
        names = {each.arguments[0] for each in given if each.word.endswith("property")}
        left = sorted(name for name in producer.get_property_names() if name in names)
        return f"it has the properties {left}, which were set on another" if left else None


def differing(seen: dict[str, object], wanted: dict[str, object]) -> str | None:
    """Return which settings are not what they should be, in words."""
    other = {name: value for name, value in seen.items() if value != wanted[name]}
    return ", ".join(f"{name} is {value!r} and not {wanted[name]!r}" for name, value in other.items()) or None


def headers(got: Any) -> str | None:
    """Return what is wrong with the headers of a message that was sent with all defaults."""
    wanted: dict[str, object] = {
        "jms_delivery_mode": api.DeliveryMode.PERSISTENT,
        "jms_priority": 4,
        "jms_expiration": 0,
    }
    return differing({name: getattr(got, name) for name in wanted}, wanted)


class FreshConsumer(Lifetime):
    """A consumer of the same session, after the close of one."""

    words = "a fresh consumer of the session"

    def ending(self) -> Done | None:
        """Return the close of a consumer whose session lives and has no transactions."""
        closes = self.history.latest("close", on=(api.MessageConsumer, api.JMSConsumer))
        return next((each for each in closes if self.history.acknowledging(self.history.session_of(each.on))), None)

    def look(self, end: Done) -> str | None:
        """Send it a message."""
        self.claim = "8.8-1"
        started(self.history, end.on)
        session = self.history.behind(self.history.session_of(end.on))
        desk = desk_of(session)
        wrongs = (self.carries(desk, place) for place in self.ground.places(session))
        return next((wrong for wrong in wrongs if wrong), None)


class FreshSession(Lifetime):
    """A session of the same connection and mode, after the close of one."""

    words = "a fresh session of the connection"

    def ending(self) -> Done | None:
        """Return the close of a session whose connection lives."""
        closes = self.history.latest("close", on=api.Session)
        return next((each for each in closes if self.history.joins(self.history.connection_of(each.on))), None)

    def look(self, end: Done) -> str | None:
        """Send and receive."""
        self.claim = "6.2.15-1"
        connection = started(self.history, end.on)
        transacted, mode = self.history.opening_of(end.on)
        session = self.ground.keep(open_session(connection, mode, transacted=transacted))
        desk = desk_of(session)
        if desk.transacted:
            self.claim = "6.2.7-18"
        return self.sends(desk, self.ground.place(session)) or self.carries(desk, self.ground.place(session))


class StartedAgain(Lifetime):
    """A connection that is started after it was stopped."""

    words = "the connection, started again"

    def ending(self) -> Done | None:
        """Return the stop of a connection that lives."""
        stops = self.history.latest("stop", on=api.Connection)
        return next((each for each in stops if self.history.joins(each.on)), None)

    def look(self, end: Done) -> str | None:
        """Send to a consumer of a fresh session."""
        self.claim = "6.1.5-6"
        session = self.ground.keep(
            open_session(started(self.history, end.on), api.Session.AUTO_ACKNOWLEDGE, transacted=False)
        )
        return self.carries(desk_of(session), self.ground.place(session))


class NextTransaction(Lifetime):
    """The transaction that a commit or a rollback begins."""

    words = "the next transaction of the session"

    def ending(self) -> Done | None:
        """Return the end of a transaction whose session lives."""
        ends = self.history.latest("commit", "rollback", on=(api.Session, api.JMSContext))
        return next((each for each in ends if self.history.usable(each.on)), None)

    def look(self, end: Done) -> str | None:
        """Send and commit; it arrives once."""
        self.claim = "6.2.7-18"
        session = self.history.behind(end.on)
        if self.history.touched(end.on, end):  # the case has begun another, which may be in any state
            session.rollback()
        place = self.ground.place(session)
        desk = desk_of(session)
        came = []
        with self.taker(place) as consumer:
            desk.send(place, "one")
            desk.commit()
            self.ground.apart.send(place, "other")
            for _ in range(2):  # of two sessions, in any order
                got = consumer().receive(self.ground.deadline)
                came += [] if got is None else [getattr(got, "text", repr(got))]
        if came.count("one") == 2:
            self.claim = "6.2.12-1"
        return None if sorted(came) == ["one", "other"] else f"{came} came of 'one', which it committed, and 'other'"


class FreshTemporary(Lifetime):
    """A temporary destination of the same session, after one was deleted."""

    words = "a fresh temporary destination of the session"

    def ending(self) -> Done | None:
        """Return the deletion of a temporary destination whose session lives and has no transactions."""
        deletions = self.history.latest("delete", on=(api.TemporaryQueue, api.TemporaryTopic))
        return next((each for each in deletions if self.history.acknowledging(self.history.session_of(each.on))), None)

    def look(self, end: Done) -> str | None:
        """Use it: it is empty, and not one that lives."""
        queues = isinstance(end.on, api.TemporaryQueue)
        self.claim = "4.1.5-1" if queues else "4.2.7-1"
        word, name = ("create_temporary_queue", "queue_name") if queues else ("create_temporary_topic", "topic_name")
        started(self.history, end.on)
        session = self.history.behind(self.history.session_of(end.on))
        alive = [getattr(each.result, name) for each in self.history.latest(word) if self.history.lives(each.result)]
        made = getattr(session, word)()
        try:
            if getattr(made, name) in alive:
                return f"it has the name of another that lives, {getattr(made, name)!r}"
            self.claim = "4.1.5-7" if queues else "4.2.7-6"
            return self.carries(desk_of(session), made)
        finally:
            with contextlib.suppress(api.JMSException, api.JMSRuntimeException):
                made.delete()
