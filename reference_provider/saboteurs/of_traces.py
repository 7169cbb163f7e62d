"""Faults that only many actors show: one for each property of traces that no saboteur of a single row breaks under load.

`settings["saboteur"]` takes their names as well as ids of rows: `listener-serial` lets two listeners of a session run at
once. Each fault strikes again and again, every so many times, so that a short workload meets it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from reference_provider.acks import Delivery
from reference_provider.branches import Branch, Branches
from reference_provider.broker import Broker
from reference_provider.completions import Completion, Completions
from reference_provider.connections import ReferenceConnection
from reference_provider.consumers import ReferenceConsumer
from reference_provider.dispatch import Dispatcher
from reference_provider.entry import Entry
from reference_provider.ledger import Ledger
from reference_provider.places import OwnedStream, Place, QueuePlace, Subscription, TopicPlace
from reference_provider.producers import Options, ReferenceProducer
from reference_provider.receiving import Receiver
from reference_provider.saboteurs.faults import after_send, as_received, before_commit
from reference_provider.saboteurs.registry import Patch
from reference_provider.sessions import ReferenceSession
from reference_provider.singles import Acknowledging
from reference_provider.subscribing import Subscribing
from reference_provider.temporaries import Temporaries
from reference_provider.transactions import Work
from tck.api import DeliveryMode, JMSException, Message, MessageListener, Session

EVERY: Final = 7
"""Most faults strike once in so many times."""
LATER_MS: Final = 50
"""What comes too late comes so much later, on the provider's clock."""

Fault = Callable[[Patch], None]
F = TypeVar("F", bound=Fault)

_FOUND: dict[str, Fault] = {}


def trace_faults() -> Mapping[str, Fault]:
    """Give all faults by the property they break."""
    return _FOUND


def _breaks(name: str) -> Callable[[F], F]:
    def declare(fault: F) -> F:
        _FOUND[name] = fault
        return fault

    return declare


def _now_and_then(every: int = EVERY) -> Callable[[], bool]:
    """Give a function that is true once in so many calls."""
    calls = itertools.count(1)
    return lambda: next(calls) % every == 0


# --- sends ------------------------------------------------------------------------------------------------------------


@_breaks("expiration-computed")
def _expiration(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: Entry, options: Options) -> None:
        if entry.expiration:
            entry.expiration += 40
            message.jms_expiration = entry.expiration

    after_send(patch, fault)


@_breaks("message-id-unique")
def _same_id(patch: Patch) -> None:
    strikes, last = _now_and_then(), list[str | None]()

    def fault(sender: ReferenceProducer, message: Message, entry: Entry, options: Options) -> None:
        if last and strikes():
            entry.message_id = message.jms_message_id = last[-1]
        last.append(entry.message_id)

    after_send(patch, fault)


# --- order, listeners, stop and close ---------------------------------------------------------------------------------


@_breaks("order-per-stream")
def _swapped(patch: Patch) -> None:
    original, strikes = Receiver.take, _now_and_then(3)

    def take(self: Receiver) -> Delivery | None:
        stream = self.stream
        first = stream.take(self) if strikes() else None
        if first is None:
            return original(self)
        second = stream.take(self) if not stream.counts.get(first.number) else None
        if second is None:
            stream.give_back(first, stream.counts.get(first.number, 0))
            return original(self)
        stream.give_back(first, stream.counts.get(first.number, 0))
        return self.deliver(stream, second)

    patch.replace(Receiver, "take", take)


@_breaks("listener-serial")
def _two_at_once(patch: Patch) -> None:
    original = Dispatcher._call

    def call(self: Dispatcher, delivery: Delivery) -> None:
        self._session.broker.clock.spawn(lambda: original(self, delivery), "second-thread-of-a-session")

    patch.replace(Dispatcher, "_call", call)


@_breaks("nothing-after-close")
def _after_close(patch: Patch) -> None:
    last: dict[int, tuple[ReferenceSession, MessageListener, Message]] = {}
    heard, closed = Dispatcher._on_message, ReferenceConnection.close

    def on_message(self: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        last[id(self._session)] = (self._session, listener, self._session.message_of(delivery))
        return heard(self, listener, delivery)

    def close(self: ReferenceConnection) -> None:
        sessions = list(self.sessions)
        closed(self)
        for session in sessions:
            if id(session) in last:
                _, listener, message = last.pop(id(session))
                self.broker.clock.spawn(lambda: _later(self.broker, listener, message), "late-listener")  # noqa: B023 - runs with these

    def _later(broker: Broker, listener: MessageListener, message: Message) -> None:
        broker.clock.event().wait(LATER_MS)
        listener.on_message(message)

    patch.replace(Dispatcher, "_on_message", on_message)
    patch.replace(ReferenceConnection, "close", close)


@_breaks("not-after-unsubscribe")
def _goes_on(patch: Patch) -> None:
    original = ReferenceConnection.close

    def close(self: ReferenceConnection) -> None:
        if any(isinstance(each.place, TopicPlace) and each.listener for each in _consumers(self)):
            return
        original(self)

    patch.replace(ReferenceConnection, "close", close)


def _consumers(connection: ReferenceConnection) -> list[Any]:
    return [_Seen(consumer) for session in connection.sessions for consumer in session.consumers]


class _Seen:
    """A consumer with the place it reads from."""

    def __init__(self, consumer: ReferenceConsumer) -> None:
        self.place = consumer.receiver.place
        self.listener = consumer.listener


@_breaks("nothing-while-stopped")
def _deaf_to_stop(patch: Patch) -> None:
    patch.replace(ReferenceConnection, "stop", lambda self: self.use())


@_breaks("exception-listener-serial")
def _told_twice(patch: Patch) -> None:
    original = ReferenceConnection._report

    def report(self: ReferenceConnection, why: str) -> None:
        original(self, why)
        original(self, why)

    patch.replace(ReferenceConnection, "_report", report)


# --- asynchronous sends -----------------------------------------------------------------------------------------------


@_breaks("completion-once")
def _answered_twice(patch: Patch) -> None:
    original, strikes = Completions.add, _now_and_then()

    def add(self: Completions, completion: Completion) -> None:
        original(self, completion)
        if strikes():
            original(self, completion)

    patch.replace(Completions, "add", add)


@_breaks("completion-order")
def _answered_in_reverse(patch: Patch) -> None:
    held: dict[int, Completion] = {}
    original, waited = Completions.add, Completions.wait_until_done

    def add(self: Completions, completion: Completion) -> None:
        if id(self) not in held:
            held[id(self)] = completion
            return
        original(self, completion)
        original(self, held.pop(id(self)))

    def wait_until_done(self: Completions, sender: object = None) -> None:
        if id(self) in held:
            original(self, held.pop(id(self)))
        waited(self, sender)

    patch.replace(Completions, "add", add)
    patch.replace(Completions, "wait_until_done", wait_until_done)


@_breaks("completion-serial")
def _answered_at_once(patch: Patch) -> None:
    original = Completions._call

    def call(self: Completions, completion: Completion) -> None:
        self._clock.spawn(lambda: original(self, completion), "second-callback")

    patch.replace(Completions, "_call", call)


@_breaks("commit-waits-for-completions")
def _impatient_commit(patch: Patch) -> None:
    patch.replace(Completions, "wait_until_done", lambda self, sender=None: None)


# --- deliveries -------------------------------------------------------------------------------------------------------


@_breaks("no-invention")
def _forged(patch: Patch) -> None:
    strikes = _now_and_then()

    def fault(message: Message, delivery: Delivery) -> None:
        if strikes():
            values: Any = message._properties  # type: ignore[attr-defined] # of every message of this provider
            message._properties = {  # type: ignore[attr-defined] # as above
                name: value + 0xFFFFFF if type(value) is int else value for name, value in values.items()
            }

    as_received(patch, fault)


@_breaks("no-corruption")
def _body_changed(patch: Patch) -> None:
    strikes = _now_and_then()

    def fault(message: Message, delivery: Delivery) -> None:
        text = getattr(message, "_text", None)
        if isinstance(text, str) and strikes():
            message._text = text[:-1] + "?"  # type: ignore[attr-defined] # of a text message

    as_received(patch, fault)


def _never_expires(patch: Patch) -> None:
    patch.replace(Broker, "is_expired", lambda self, entry: False)


_breaks("not-after-expiry")(_never_expires)
_breaks("expired-not-received")(_never_expires)


@_breaks("no-local-honoured")
def _local_too(patch: Patch) -> None:
    patch.replace(Subscribing, "_left_out", lambda self, no_local: None)


@_breaks("not-before-subscription")
def _old_news(patch: Patch) -> None:
    last: dict[int, tuple[Broker, Entry]] = {}
    arrived, added = Broker.arrive, TopicPlace.add

    def arrive(self: Broker, place: Place, entry: Entry, streams: list[OwnedStream]) -> None:
        arrived(self, place, entry, streams)
        if isinstance(place, TopicPlace):
            last[id(place)] = (self, entry)

    def add(self: TopicPlace, subscription: Subscription) -> None:
        added(self, subscription)
        if id(self) in last and not subscription.stream.in_file:
            broker, entry = last[id(self)]
            broker.admit(subscription.stream, entry)

    patch.replace(Broker, "arrive", arrive)
    patch.replace(TopicPlace, "add", add)


@_breaks("temporary-owner-only")
def _for_everybody(patch: Patch) -> None:
    patch.replace(Temporaries, "check_consumable", lambda self, place: None)


@_breaks("temporary-ends-with-connection")
def _outlives_its_connection(patch: Patch) -> None:
    patch.replace(Temporaries, "check_consumable", lambda self, place: None)
    patch.replace(Temporaries, "delete_all", lambda self: None)
    patch.replace(Temporaries, "sweep", lambda self: None)


# --- repeated deliveries ----------------------------------------------------------------------------------------------


@_breaks("count-rises")
def _count_stays(patch: Patch) -> None:
    original = Delivery.__init__

    def init(self: Delivery, *given: Any) -> None:
        original(self, *given)
        self.count = min(self.count, 2)

    patch.replace(Delivery, "__init__", init)


@_breaks("one-holder")
def _held_twice(patch: Patch) -> None:
    original, strikes = Ledger.open_delivery, _now_and_then()

    def open_delivery(self: Ledger, consumer: object, stream: OwnedStream, entry: Entry) -> Delivery:
        delivery = original(self, consumer, stream, entry)
        broker = self._broker

        def free_again() -> None:
            with broker.lock:
                if entry.number in stream.numbers():
                    stream.give_back(entry, 1)

        if delivery.count == 1 and self.mode == Session.CLIENT_ACKNOWLEDGE and strikes():
            broker.clock.call_at(broker.clock.now() + 1, free_again)
        return delivery

    patch.replace(Ledger, "open_delivery", open_delivery)


@_breaks("settled-survives-restart")
def _forgotten_by_the_file(patch: Patch) -> None:
    patch.replace(Delivery, "forget_statements", lambda self: [])


@_breaks("auto-last-only")
def _acknowledged_at_the_end(patch: Patch) -> None:
    kept: dict[int, tuple[Ledger, list[Delivery]]] = {}
    settled, left, shut = Ledger.settle, ReferenceSession.abandon, ReferenceSession.shut

    def settle(self: Ledger, delivery: Delivery) -> None:
        if self.mode == Session.AUTO_ACKNOWLEDGE:
            kept.setdefault(id(self), (self, []))[1].append(delivery)
        else:
            settled(self, delivery)

    def abandon(self: ReferenceSession) -> None:
        _, deliveries = kept.pop(id(self.ledger), (None, []))
        left(self)
        self.broker.give_back(deliveries)

    def shut_(self: ReferenceSession) -> bool:
        done = shut(self)
        _, deliveries = kept.pop(id(self.ledger), (None, []))
        for delivery in deliveries:
            Acknowledging(self.broker, delivery, durable=True).perform()
        return done

    patch.replace(Ledger, "settle", settle)
    patch.replace(ReferenceSession, "abandon", abandon)
    patch.replace(ReferenceSession, "shut", shut_)


@_breaks("acknowledge-leaves-others")
def _acknowledges_for_all(patch: Patch) -> None:
    original, entered = Ledger.acknowledge_owed, Ledger.enter
    ledgers: dict[int, Ledger] = {}

    def enter(self: Ledger, delivery: Delivery) -> None:
        ledgers[id(self)] = self
        entered(self, delivery)

    def acknowledge_owed(self: Ledger) -> None:
        for other in list(ledgers.values()):
            if other is not self:
                original(other)
        original(self)

    patch.replace(Ledger, "enter", enter)
    patch.replace(Ledger, "acknowledge_owed", acknowledge_owed)


# --- transactions -----------------------------------------------------------------------------------------------------


@_breaks("uncommitted-invisible")
def _seen_at_once(patch: Patch) -> None:
    original, strikes = Ledger.send, _now_and_then(3)

    def send(self: Ledger, place: Place, entry: Entry) -> None:
        if self.mode == Session.SESSION_TRANSACTED and strikes():
            work = Work(self._broker)
            work.sends.append((place, entry))
            work.perform()
        else:
            original(self, place, entry)

    patch.replace(Ledger, "send", send)


@_breaks("transaction-atomic")
def _half_a_commit(patch: Patch) -> None:
    strikes = _now_and_then()

    def fault(session: ReferenceSession) -> None:
        sends = session.work.sends
        if len(sends) > 1 and not session.work.acks and strikes():
            session.work.sends = sends[::2]
            _commit_and_fail(session)

    before_commit(patch, fault)


@_breaks("consume-produce-atomic")
def _sent_and_not_settled(patch: Patch) -> None:
    strikes = _now_and_then()

    def fault(session: ReferenceSession) -> None:
        if session.work.sends and session.work.acks and strikes():
            acks, session.work.acks = session.work.acks, []
            session.broker.give_back(acks)
            _commit_and_fail(session)

    before_commit(patch, fault)


def _commit_and_fail(session: ReferenceSession) -> None:
    session.ledger.next_transaction().perform()
    raise JMSException("nobody knows what became of the commit", "IN_DOUBT")


@_breaks("prepared-outcome")
def _rolled_back_instead(patch: Patch) -> None:
    original, strikes = Branches.commit, _now_and_then(3)

    def commit(self: Branches, branch: Branch) -> None:
        if strikes():
            self.rollback_prepared(branch)
        else:
            original(self, branch)

    patch.replace(Branches, "commit", commit)


# --- losses -----------------------------------------------------------------------------------------------------------


def _lose(name: str, wanted: Callable[[OwnedStream, Entry], bool]) -> None:
    """Lose some of the messages that come to streams of a sort."""

    def fault(patch: Patch) -> None:
        original, strikes = Broker.admit, _now_and_then()

        def admit(self: Broker, stream: OwnedStream, entry: Entry) -> None:
            if not (wanted(stream, entry) and strikes()):
                original(self, stream, entry)

        patch.replace(Broker, "admit", admit)

    _breaks(name)(fault)


def _persistent(entry: Entry) -> bool:
    return entry.delivery_mode == DeliveryMode.PERSISTENT


_lose("no-loss-persistent", lambda stream, entry: isinstance(stream.place, QueuePlace) and _persistent(entry))
_lose("durable-complete", lambda stream, entry: stream.subscription is not None and _persistent(entry))
_lose(
    "nondurable-complete-while-open",
    lambda stream, entry: isinstance(stream.place, TopicPlace) and stream.subscription is None and _persistent(entry),
)
_lose("nonpersistent-kept-without-failure", lambda _, entry: not _persistent(entry))
