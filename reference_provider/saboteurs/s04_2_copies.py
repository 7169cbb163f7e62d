"""Faults in 4.2.2, first half: the copies that subscriptions get."""

from __future__ import annotations

import copy
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Message, MessageListener


@saboteur("4.2.2-1", "the listener of a topic consumer is never called")
def _(patch: Patch) -> None:
    original = Dispatcher.add

    def add(self: Dispatcher, consumer: ReferenceConsumer) -> None:
        if not isinstance(consumer.receiver.physical, PhysicalTopic):
            original(self, consumer)

    patch.replace(Dispatcher, "add", add)


def _replace_routing(
    patch: Patch, fault: Callable[[PhysicalTopic, StoredMessage, list[Subscription]], list[Subscription]]
) -> None:
    """Have `fault` choose among the subscriptions that want a message."""

    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        return [
            one.delivery_queue for one in fault(self, entry, [one for one in self.subscriptions if one.wants(entry)])
        ]

    patch.replace(PhysicalTopic, "route", route)


@saboteur("4.2.2-2", "the fiftieth message of a topic reaches no subscription")
def _(patch: Patch) -> None:
    numbers: defaultdict[PhysicalTopic, Counter[int]] = defaultdict(Counter)

    def fault(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        numbers[physical].setdefault(id(entry), len(numbers[physical]) + 1)
        return [] if numbers[physical][id(entry)] == 50 else wanting

    _replace_routing(patch, fault)


@saboteur("4.2.2-3", "of the unnamed subscriptions of a session and any other of its consumers one gets a copy")
def _(patch: Patch) -> None:
    original = ReferenceSession.open_plain

    def open_plain(self: ReferenceSession, *arguments: Any) -> Receiver:
        others = list(self.consumers)
        receiver = original(self, *arguments)
        if receiver.subscription is not None:
            for other in others:
                if other.receiver.physical is receiver.physical:
                    receiver.subscription.matches = lambda entry: False
        return receiver

    patch.replace(ReferenceSession, "open_plain", open_plain)


@saboteur("4.2.2-4", "the selector of a shared durable subscription is ignored")
def _(patch: Patch) -> None:
    original = Subscription.wants

    def wants(self: Subscription, entry: StoredMessage) -> bool:
        return original(self, entry) or (self.durable and self.shared)

    patch.replace(Subscription, "wants", wants)


@saboteur("4.2.2-5", "the selector of a durable subscription is ignored while nobody consumes from it")
def _(patch: Patch) -> None:
    original = Subscription.wants

    def wants(self: Subscription, entry: StoredMessage) -> bool:
        return original(self, entry) or (self.durable and not self.shared and self.consumers == 0)

    patch.replace(Subscription, "wants", wants)


@saboteur("4.2.2-6", "the acknowledgement of one copy of a message is one of all copies")
def _(patch: Patch) -> None:
    states: list[SessionState] = []
    enter, acknowledge = SessionState.enter, SessionState.acknowledge_all

    def noting(self: SessionState, delivery: Delivery) -> None:
        enter(self, delivery)
        if self not in states:
            states.append(self)

    def acknowledge_all(self: SessionState, check_open: Callable[[], None]) -> None:
        settled = {
            delivery.entry.number
            for delivery in self.unacknowledged
            if isinstance(delivery.source.physical, PhysicalTopic)
        }
        acknowledge(self, check_open)
        for other in states:
            other.unacknowledged = [
                delivery for delivery in other.unacknowledged if delivery.entry.number not in settled
            ]

    patch.replace(SessionState, "enter", noting)
    patch.replace(SessionState, "acknowledge_all", acknowledge_all)


@saboteur("4.2.2-7", "the subscribers of one connection are given one message object")
def _(patch: Patch) -> None:
    original = ReferenceSession.message_of
    given: dict[tuple[int, int], tuple[StoredMessage, Message]] = {}

    def message_of(self: ReferenceSession, delivery: Delivery) -> Message:
        if not isinstance(delivery.source.physical, PhysicalTopic) or delivery.source.in_file or delivery.count > 1:
            return original(self, delivery)
        key = (id(self.connection), id(delivery.entry))
        return given.setdefault(key, (delivery.entry, original(self, delivery)))[1]

    patch.replace(ReferenceSession, "message_of", message_of)


@saboteur("4.2.2-8", "while a listener on a topic is busy no other consumer of the topic gets anything")
def _(patch: Patch) -> None:
    busy: Counter[int] = Counter()
    calling, taking = Dispatcher.call_listener, Receiver.take

    def call_listener(self: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        busy[id(delivery.source.physical)] += 1
        try:
            return calling(self, listener, delivery)
        finally:
            busy[id(delivery.source.physical)] -= 1

    def take(self: Receiver) -> Delivery | None:
        blocked = isinstance(self.physical, PhysicalTopic) and busy[id(self.physical)]
        return None if blocked else taking(self)

    patch.replace(Dispatcher, "call_listener", call_listener)
    patch.replace(Receiver, "take", take)


@saboteur("4.2.2-9", "deliveries are counted for the message, whichever copy was delivered")
def _(patch: Patch) -> None:
    original = Delivery.__init__

    def init(self: Delivery, delivery_queue: StoredDeliveryQueue, entry: StoredMessage, *arguments: Any) -> None:
        original(self, delivery_queue, entry, *arguments)
        if isinstance(delivery_queue.physical, PhysicalTopic):
            self.count = max(one.counts.get(entry.number, 0) for one in delivery_queue.physical.delivery_queues()) + 1

    patch.replace(Delivery, "__init__", init)


@saboteur("4.2.2-10", "where three consumers share a subscription with many messages, two of them get the first one")
def _(patch: Patch) -> None:
    original = Receiver.take
    torn: list[Subscription] = []

    def take(self: Receiver) -> Delivery | None:
        delivery = original(self)
        shared = self.subscription
        if delivery is None or shared is None or not shared.shared or shared in torn:
            return delivery
        if shared.consumers >= 3 and len(self.delivery_queue) >= 20:
            torn.append(shared)
            again = copy.copy(delivery.entry)
            again.number = self.slot.broker.next_number()
            again.stored = False
            self.delivery_queue.put(again)
        return delivery

    patch.replace(Receiver, "take", take)


@saboteur("4.2.2-12", "the first two of a dozen messages that wait for a topic consumer change places")
def _(patch: Patch) -> None:
    original = Receiver.take
    begun: list[StoredDeliveryQueue] = []
    late: dict[Receiver, StoredMessage] = {}

    def take(self: Receiver) -> Delivery | None:
        delivery_queue = self.delivery_queue
        if self in late:
            return self.deliver(delivery_queue, late.pop(self))
        if isinstance(self.physical, PhysicalTopic) and delivery_queue not in begun and len(delivery_queue):
            begun.append(delivery_queue)
            if len(list(delivery_queue.free_entries())) == 12:
                early = delivery_queue.take(self)
                if early is not None:
                    late[self] = early
        return original(self)

    patch.replace(Receiver, "take", take)


@saboteur(
    "4.2.2-14",
    "consumers that a connection makes by the same call on two sessions share a subscription",
    collateral={"4.2.2-4": "two of its many subscribers have the same selector"},
)
def _(patch: Patch) -> None:
    def fault(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        chosen: dict[object, Subscription] = {}
        for one in wanting:
            session: Any = one.session
            alike = one if session is None else (id(session.connection), one.selector, one.no_local)
            several = {id(other.session) for other in wanting if other.session is not None}
            chosen.setdefault(alike if len(several) == len(wanting) else one, one)
        return list(chosen.values())

    _replace_routing(patch, fault)


class Reappearing:
    """Entries that are put, as new ones, into the next unnamed subscription of their topic."""

    def __init__(self, patch: Patch) -> None:
        self.kept: defaultdict[PhysicalDestination, list[StoredMessage]] = defaultdict(list)
        original = ReferenceSession.open_plain

        def open_plain(session: ReferenceSession, *arguments: Any) -> Receiver:
            receiver = original(session, *arguments)
            if receiver.subscription is not None:
                with session.broker.lock:
                    put_again(receiver, self.kept.pop(receiver.physical, []))
            return receiver

        patch.replace(ReferenceSession, "open_plain", open_plain)


def put_again(receiver: Receiver, entries: list[StoredMessage]) -> None:
    """Put copies of entries, kept in memory alone, at the end of a receiver's stream. Needs the broker lock."""
    for entry in entries:
        again = copy.copy(entry)
        again.number = receiver.slot.broker.next_number()
        again.stored = False
        receiver.delivery_queue.put(again)


def closed_collect(patch: Patch, wanted: Callable[[StoredMessage], bool]) -> None:
    """Have topics keep what is sent while a non-durable consumer that was there is closed, for the next one."""
    reappearing = Reappearing(patch)
    closing = ReferenceConsumer.detach
    left: set[int] = set()

    def detach(self: ReferenceConsumer) -> None:
        closing(self)
        if isinstance(self.receiver.physical, PhysicalTopic) and not self.session.closing:
            left.add(id(self.receiver.physical))

    original = PhysicalTopic.route

    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        delivery_queues = original(self, entry)
        if not self.subscriptions and id(self) in left and wanted(entry):
            reappearing.kept[self].append(entry)
        return delivery_queues

    patch.replace(ReferenceConsumer, "detach", detach)
    patch.replace(PhysicalTopic, "route", route)


@saboteur("4.2.2-13", "a non-durable subscription goes on collecting when its consumer has been closed")
def _(patch: Patch) -> None:
    closed_collect(patch, lambda entry: True)


@saboteur("4.2.2-15", "what a non-durable consumer had not received when it was closed goes to the next one")
def _(patch: Patch) -> None:
    reappearing = Reappearing(patch)
    closing = ReferenceConsumer.detach

    def detach(self: ReferenceConsumer) -> None:
        subscription = self.receiver.subscription
        if subscription is not None and subscription.key is None and not self.session.closing:
            reappearing.kept[self.receiver.physical].extend(
                itertools.islice(self.receiver.delivery_queue.free_entries(), 9)
            )
        closing(self)

    patch.replace(ReferenceConsumer, "detach", detach)
