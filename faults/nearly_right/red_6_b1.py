"""Red round 6, third part: faults in sending, and in what consumers are handed, written without sight of the suite."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from faults.kit.common import Marked, around, before_commit
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.redelivery import Redelivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.server import Server
from tck.api import (
    OMITTED,
    CompletionListener,
    DeliveryMode,
    Destination,
    JMSException,
    Message,
    Session,
)


class _Reporting(CompletionListener):
    """Passes callbacks on; what onCompletion raises is reported to onException as well."""

    def __init__(self, listener: CompletionListener) -> None:
        self._listener = listener

    def on_completion(self, message: Message) -> None:
        try:
            self._listener.on_completion(message)
        except Exception as error:
            self._listener.on_exception(message, JMSException(f"the completion failed: {error}"))
            raise

    def on_exception(self, message: Message, exception: Exception) -> None:
        self._listener.on_exception(message, exception)


def _outside(
    physical: PhysicalTopic, delivery_queues: Iterable[StoredDeliveryQueue], left_out: Callable[[Subscription], bool]
) -> list[StoredDeliveryQueue]:
    """Return the delivery queues without those of the subscriptions that are left out."""
    gone = [one.delivery_queue for one in physical.subscriptions if left_out(one)]
    return [one for one in delivery_queues if not any(one is other for other in gone)]


@nearly_right(
    "time-to-live-ignored-with-destination-argument",
    "a send that names its destination and gives a time-to-live uses the producer's time-to-live instead",
    "7.4-7",
    "7.8-1",
    "3.4.9-1",
    "3.4.9-5",
    "3.4.11-9",
)
def _with_destination(patch: Patch) -> None:
    def send(original: Callable[..., None], producer: ReferenceProducer, message: Message, **options: Any) -> None:
        given = {name for name, value in options.items() if value is not OMITTED}
        if {"destination", "time_to_live"} <= given and "completion_listener" not in given:
            options["time_to_live"] = producer._time_to_live
        original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


@nearly_right(
    "new-producer-has-the-delay-of-a-closed-one",
    "a producer made after another of the session for the same destination was closed starts with its delivery delay",
    "7.4-10",
    "7.4-4",
)
def _delay_kept(patch: Patch) -> None:
    kept: dict[tuple[ReferenceSession, Destination | None], int] = {}

    def close(original: Callable[..., None], producer: Any) -> None:
        was_open = not producer.closed
        original(producer)
        if was_open and producer._delivery_delay:
            kept[producer.session, producer._destination] = producer._delivery_delay

    def add_producer(original: Callable[..., Any], session: ReferenceSession, producer: ReferenceProducer) -> Any:
        producer._delivery_delay = kept.pop((session, producer._destination), producer._delivery_delay)
        return original(session, producer)

    around(patch, ReferenceProducer, "close", close)
    around(patch, ReferenceSession, "add_producer", add_producer)


@nearly_right(
    "transacted-synchronous-send-overtakes",
    "in a transaction a synchronous send goes before the asynchronous sends to the same destination made just before it",
    "7.3.3-2",
    "6.2.9.2-10",
    "7.3.3-3",
)
def _overtakes(patch: Patch) -> None:
    sending: set[Any] = set()
    asynchronous = Marked()

    def send_later(original: Callable[..., None], producer: ReferenceProducer, *arguments: object) -> None:
        sending.add(producer.session)
        try:
            original(producer, *arguments)
        finally:
            sending.discard(producer.session)

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        original(session, physical, entry)
        if session in sending:
            asynchronous.add(entry)
        elif session.state.mode == Session.SESSION_TRANSACTED:
            sends = session.state.work.sends
            sent = sends.pop()
            position = len(sends)
            while position and sends[position - 1][0] is physical and sends[position - 1][1] in asynchronous:
                position -= 1
            sends.insert(position, sent)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right(
    "failing-on-completion-is-followed-by-on-exception",
    "when onCompletion raises, onException is called for the same message as well",
    "7.3-6",
)
def _followed(patch: Patch) -> None:
    def call_listener(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        original(completions, replace(completion, listener=_Reporting(completion.listener)))

    patch.at(fault_points.COMPLETION_CALLED, call_listener)


@nearly_right(
    "producer-closed-by-on-exception",
    "close of its own producer is accepted in onException, while it is refused in onCompletion",
    "7.3.4-8",
)
def _closed_by_on_exception(patch: Patch) -> None:
    def close(original: Callable[..., None], producer: ReferenceProducer) -> None:
        completions = producer.session.completions
        running = completions._running
        if completions.is_current_thread() and running is not None and running.error is not None:
            producer.closed = True
            producer.session.forget_producer(producer)
            return
        original(producer)

    around(patch, ReferenceProducer, "close", close)


@nearly_right(
    "messages-given-back-to-a-queue-do-not-expire",
    "a queue message that was rolled back or recovered once is delivered however long its time-to-live is over",
    "7.8-4",
)
def _immortal(patch: Patch) -> None:
    given_back: set[int] = set()

    def redeliver(original: Callable[..., None], redelivery: Redelivery, deliveries: list[Delivery]) -> None:
        given_back.update(one.entry.number for one in deliveries if not one.source.physical.routes_anew)
        original(redelivery, deliveries)

    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        return entry.number not in given_back and original(broker, entry)

    patch.at(fault_points.REDELIVERED, redeliver)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@nearly_right(
    "restart-releases-delayed-messages-of-subscriptions",
    "after a restart a durable subscription delivers its delayed messages at once",
    "7.9-4",
    "7.9-9",
    "3.4.13-6",
)
def _released(patch: Patch) -> None:
    def restart(original: Callable[..., None], server: Server) -> None:
        original(server)
        broker = server.broker
        with broker.lock:
            durable = [one.delivery_queue for one in broker.subscriptions.all_durable()]
            for delivery_queue in durable:
                delayed = list(broker.schedule.waiting_for(delivery_queue))
                broker.schedule.drop(delivery_queue)
                for entry in delayed:
                    broker.offer(delivery_queue, entry)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)


@nearly_right(
    "transaction-stored-by-its-first-message",
    "a transaction whose first message is NON_PERSISTENT is not stored, with the PERSISTENT messages in it",
    "7.7-5",
    "7.7-3",
)
def _first_message(patch: Patch) -> None:
    unstored = Marked()

    def committed(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if sends and sends[0][1].delivery_mode == DeliveryMode.NON_PERSISTENT:
            for _, entry in sends:
                unstored.add(entry)

    def stores(
        original: Callable[..., bool],
        physical: PhysicalDestination,
        entry: StoredMessage,
        delivery_queues: list[StoredDeliveryQueue],
    ) -> bool:
        return entry not in unstored and original(physical, entry, delivery_queues)

    before_commit(patch, committed)
    patch.at(fault_points.STORED, stores)


@nearly_right(
    "rollback-hands-over-without-the-selector",
    "a message given back by rollback is handed to the consumer that waits longest, even if its selector rejects it",
    "8.1-2",
)
def _without_selector(patch: Patch) -> None:
    rolling_back = threading.local()

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        rolling_back.now = True
        try:
            original(session, work)
        finally:
            rolling_back.now = False

    def put_back(
        original: Callable[..., None], delivery_queue: DeliveryQueue, entry: StoredMessage, deliveries: int
    ) -> None:
        taker = next((one for one in delivery_queue.waiting if one.is_open()), None)
        if taker is None or not getattr(rolling_back, "now", False):
            original(delivery_queue, entry, deliveries)
            return
        delivery_queue.counts[entry.number] = deliveries
        delivery_queue._in_memory.setdefault(entry.number, entry)
        delivery_queue.leave(taker)
        taker.hand_over(delivery_queue, entry)

    patch.at(fault_points.ROLLBACK, roll_back)
    around(patch, DeliveryQueue, "put_back", put_back)


@nearly_right(
    "non-persistent-dropped-while-subscriber-is-stopped",
    "a NON_PERSISTENT message does not join a non-durable subscription whose connection is stopped",
    "8.3.1-7",
    "8.4-2",
)
def _dropped(patch: Patch) -> None:
    def stopped(subscription: Subscription) -> bool:
        session: Any = subscription.session  # only unshared non-durable subscriptions have one
        return session is not None and not session.connection.running

    def route(
        original: Callable[..., list[StoredDeliveryQueue]],
        broker: Broker,
        physical: PhysicalDestination,
        entry: StoredMessage,
    ) -> list[StoredDeliveryQueue]:
        routed = original(broker, physical, entry)
        if entry.delivery_mode == DeliveryMode.PERSISTENT or not isinstance(physical, PhysicalTopic):
            return routed
        return _outside(physical, routed, stopped)

    patch.at(fault_points.ROUTED, route)
