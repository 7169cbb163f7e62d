"""A red round: faults of sending, asynchronous sends, settings of producers, consumers and subscriptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from faults.kit.common import Marked, around, before_commit, connection_of, session_of
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from faults.kit.sessions import alone
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import OMITTED, DeliveryMode, Destination, Message, MessageFormatException, Session

# --- settings ---------------------------------------------------------------------------------------------------------


@nearly_right(
    "fourteen-b-zero-life-async",
    "A time to live of 0 given in an asynchronous send does not override the producer's own.",
    "7.4-9",
    "7.4-7",
    "3.4.9-5",
)
def _(patch: Patch) -> None:
    def send_later(
        original: Callable[..., None],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
        *others: Any,
    ) -> None:
        options = replace(options, time_to_live=options.time_to_live or producer._time_to_live)
        original(producer, message, destination, options, *others)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)


@nearly_right(
    "fourteen-b-priority-sticks",
    "The priority given in a send stays that of a producer without a destination for its next sends.",
    "7.4-8",
    "7.4-6",
)
def _(patch: Patch) -> None:
    def options(original: Callable[..., Options], producer: ReferenceProducer, *arguments: Any) -> Options:
        chosen = original(producer, *arguments)
        if arguments[0] is not OMITTED and producer._destination is None:
            producer._options = replace(producer._own_options(), priority=chosen.priority)
        return chosen

    around(patch, ReferenceProducer, "options", options)


@nearly_right(
    "fourteen-b-properties-once-for-maps",
    "A JMSProducer forgets its properties after an asynchronous send of a map.",
    "7.5-6",
    "7.5-3",
    noticed=False,
)
def _(patch: Patch) -> None:
    def send(
        original: Callable[..., Any], producer: ReferenceJMSProducer, destination: Any, body: object, **named: Any
    ) -> Any:
        original(producer, destination, body, **named)
        if producer._completion_listener is not None and isinstance(body, dict):
            producer.clear_properties()
        return producer

    around(patch, ReferenceJMSProducer, "send", send)


@nearly_right(
    "fourteen-b-old-reply-wins",
    "A message that was sent before keeps its JMSReplyTo, whatever the JMSProducer prescribes.",
    "7.6-4",
    noticed=False,
)
def _(patch: Patch) -> None:
    def overlay(original: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        old = message.jms_reply_to if message.jms_message_id is not None else None
        original(producer, message)
        if old is not None:
            message.jms_reply_to = old

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


# --- sending ----------------------------------------------------------------------------------------------------------


@nearly_right(
    "fourteen-b-delay-counted-twice",
    "A delayed message is discarded at its delivery time if it has less time left to live than it was delayed.",
    "7.9-5",
    "7.8-1",
    noticed=False,
)
def _(patch: Patch) -> None:
    def offer(original: Callable[..., None], broker: Broker, queue: StoredDeliveryQueue, entry: StoredMessage) -> None:
        delay = entry.delivery_time - entry.timestamp if entry.timestamp else 0
        if delay > 0 and entry.expiration and entry.expiration - entry.delivery_time < delay:
            broker.discard(queue, entry)
        else:
            original(broker, queue, entry)

    patch.at(fault_points.OFFERED, offer)


@nearly_right(
    "fourteen-b-mode-of-the-last",
    "A transaction whose last message is NON_PERSISTENT stores none of its PERSISTENT messages.",
    "7.7-5",
    "7.7-3",
    noticed=False,
)
def _(patch: Patch) -> None:
    unsafe = Marked()

    def commit(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if sends and sends[-1][1].delivery_mode == DeliveryMode.NON_PERSISTENT:
            for _, entry in sends:
                unsafe.add(entry)

    def stores(original: Callable[..., bool], physical: PhysicalDestination, entry: StoredMessage, queues: Any) -> bool:
        return entry not in unsafe and original(physical, entry, queues)

    before_commit(patch, commit)
    patch.at(fault_points.STORED, stores)


# --- asynchronous sends -----------------------------------------------------------------------------------------------


@nearly_right(
    "fourteen-b-async-last-in-commit",
    "A commit sends what was sent asynchronously after all that was sent synchronously.",
    "7.3.3-2",
    "6.2.9.2-10",
)
def _(patch: Patch) -> None:
    later = Marked()

    def send_later(original: Callable[..., None], producer: ReferenceProducer, *arguments: Any) -> None:
        original(producer, *arguments)
        work = producer.session.state.work
        if producer.session.state.mode == Session.SESSION_TRANSACTED and work.sends:
            later.add(work.sends[-1][1])

    def commit(session: ReferenceSession) -> None:
        session.state.work.sends.sort(key=lambda send: send[1] in later)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    before_commit(patch, commit)


@nearly_right(
    "fourteen-b-nobody-no-completion",
    "No callback comes for a NON_PERSISTENT message sent asynchronously to a topic without subscriptions.",
    "7.3-7",
    "7.3-6",
    "7.3.1-1",
)
def _(patch: Patch) -> None:
    silent: set[int] = set()

    def send_later(
        original: Callable[..., None],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
        *others: Any,
    ) -> None:
        physical = producer.physical_destination(destination)
        unheard = isinstance(physical, PhysicalTopic) and not physical.subscriptions
        if unheard and options.delivery_mode == DeliveryMode.NON_PERSISTENT:
            silent.add(id(message))
        try:
            original(producer, message, destination, options, *others)
        finally:
            silent.discard(id(message))

    def add(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        if completion.error is not None or id(completion.message) not in silent:
            original(completions, completion)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.COMPLETION_QUEUED, add)


@nearly_right(
    "fourteen-b-sibling-close-hurries",
    "close of a context does not wait for callbacks while another context uses the connection.",
    "7.3.4-4",
)
def _(patch: Patch) -> None:
    hurried: set[Completions] = set()

    def close(original: Callable[..., None], context: ReferenceContext) -> None:
        if context.shared._users > 1:
            hurried.add(context.session.completions)
        try:
            original(context)
        finally:
            hurried.discard(context.session.completions)

    def wait(original: Callable[..., None], completions: Completions, sender: object = None) -> None:
        if completions not in hurried:
            original(completions, sender)

    around(patch, ReferenceContext, "close", close)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait)


# --- consumers and subscriptions --------------------------------------------------------------------------------------


@nearly_right(
    "fourteen-b-subscriber-empty-selector",
    "createDurableSubscriber with an empty selector replaces a subscription that exists and has none.",
    "8.3.3-31",
    "8.3.3-4",
    "8.3.3-39",
)
def _(patch: Patch) -> None:
    def replaceable(found: Subscription, topic: object) -> bool:
        if found.shared or found.consumers or found.selector or found.delivery_queue.physical.destination != topic:
            return False
        return not found.delivery_queue.count_taken()

    def create(original: Callable[..., Any], session: ReferenceSession, *arguments: Any, **named: Any) -> Any:
        selector = arguments[2] if len(arguments) > 2 else named.get("message_selector")
        topic = arguments[0] if arguments else named.get("topic")
        name: Any = arguments[1] if len(arguments) > 1 else named.get("name")
        session.check_open()
        found = session.broker.subscriptions.durable((connection_of(session).client_id_or_none, name))
        if selector == "" and found is not None and replaceable(found, topic):
            session.broker.subscriptions.delete(found)
        return original(session, *arguments, **named)

    around(patch, ReferenceSession, "create_durable_subscriber", create)


@nearly_right(
    "fourteen-b-founder-takes-all",
    "When the consumer that created a shared non-durable subscription closes and only other connections have consumers "
    "on it, the messages that wait are lost.",
    "8.3.2-11",
    "8.3.2-10",
)
def _(patch: Patch) -> None:
    members: dict[Subscription, list[tuple[Receiver, ConsumerFactory]]] = {}

    def open_shared(original: Callable[..., Receiver], factory: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(factory, *arguments)
        if receiver.subscription is not None:
            members.setdefault(receiver.subscription, []).append((receiver, factory))
        return receiver

    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        receiver = consumer.receiver
        all_members = members.get(receiver.subscription, []) if receiver.subscription is not None else []
        if all_members and all_members[0][0] is receiver and not receiver.closed:
            others = [factory for other, factory in all_members if other is not receiver and not other.closed]
            if others and all_members[0][1] not in others:
                for entry in list(receiver.delivery_queue.free_entries()):
                    receiver.delivery_queue.remove(entry.number, entry.priority)
        original(consumer)

    around(patch, ConsumerFactory, "open_shared", open_shared)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@nearly_right(
    "fourteen-b-refused-body-counted",
    "A receiveBody that cannot read its message raises JMSXDeliveryCount if the message had been delivered before.",
    "8.6-23",
    "8.6-24",
    noticed=False,
)
def _(patch: Patch) -> None:
    def hand_out(original: Callable[..., Any], consumer: ReferenceConsumer, delivery: Delivery, read: Any) -> Any:
        try:
            return original(consumer, delivery, read)
        except MessageFormatException:
            if delivery.count > 1 and session_of(consumer).state.settles(delivery):
                with session_of(consumer).broker.lock:
                    delivery.source.counts[delivery.entry.number] = delivery.count
            raise

    patch.at(fault_points.BODY_RECEIVED, hand_out)


@nearly_right(
    "fourteen-b-dups-ok-gives-up",
    "In DUPS_OK_ACKNOWLEDGE a message whose listener fails a second time is given up as consumed.",
    "8.7-3",
    "8.7-5",
    noticed=False,
)
def _(patch: Patch) -> None:
    def call(original: Callable[..., bool], dispatcher: Dispatcher, listener: Any, delivery: Delivery) -> bool:
        failed = original(dispatcher, listener, delivery)
        return failed and not (delivery.count > 1 and session_of(dispatcher).mode == Session.DUPS_OK_ACKNOWLEDGE)

    patch.at(fault_points.LISTENER_CALLED, call)


@nearly_right(
    "fourteen-b-closed-selection-consumed",
    "A rollback consumes the queue messages that a consumer with a selector had received before it was closed.",
    "8.8-16",
    "6.2.7-6",
    noticed=False,
)
def _(patch: Patch) -> None:
    def consumed(delivery: Delivery) -> bool:
        consumer: Any = delivery.consumer
        return isinstance(consumer, ReferenceConsumer) and consumer.closed and consumer.receiver.matches is not None

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        done = [] if session.closing else [one for one in work.acks if consumed(one)]
        work.acks = [one for one in work.acks if one not in done]
        session.state.acknowledge(done, durable=True)
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


# --- acknowledgement and closing --------------------------------------------------------------------------------------


@nearly_right(
    "fourteen-b-close-after-acknowledge",
    "A CLIENT_ACKNOWLEDGE session that has acknowledged once acknowledges its later queue messages when it is closed.",
    "6.2.15-17",
    "6.2.10-6",
    "6.2-12",
)
def _(patch: Patch) -> None:
    acknowledged: set[ReferenceSession] = set()

    def acknowledge(original: Callable[..., None], session: ReferenceSession) -> None:
        original(session)
        acknowledged.add(session)

    def end(original: Callable[..., None], session: ReferenceSession) -> None:
        if session in acknowledged and alone(session) and connection_of(session).lost is None:
            state = session.state
            with session.broker.lock:
                done = [one for one in state.unacknowledged if isinstance(one.source.physical, PhysicalQueue)]
                state.unacknowledged = [one for one in state.unacknowledged if one not in done]
            state.acknowledge(done, durable=True)
        acknowledged.discard(session)
        original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge)
    patch.at(fault_points.SESSION_ENDED, end)
