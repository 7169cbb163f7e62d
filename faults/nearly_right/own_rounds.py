"""Faults that strangers found unnoticed in two red rounds, told from their descriptions; see docs/strength.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from faults.kit.asynchronous import is_large
from faults.kit.common import around, as_received, session_of
from faults.kit.declaring import nearly_right
from faults.kit.messages import provider_property
from faults.kit.patch import Patch
from faults.kit.selectors import is_like, liked
from reference_provider import fault_points
from reference_provider.broker import subscriptions
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue, Subscription
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.broker.subscriptions import deletion_statements
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages.message import ReferenceMessage
from tck.api import DeliveryMode, Int, Message, Session


def _is_recovered(delivery: Delivery) -> bool:
    """Return whether a message that is not persistent comes again in a session that is not transacted."""
    consumer: Any = delivery.consumer
    again = delivery.count > 1 and delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT
    return again and consumer is not None and session_of(consumer).mode != Session.SESSION_TRANSACTED


@nearly_right(
    "recovered-non-persistent-uncounted", "recover does not count messages that are not persistent", "6.2.10-32"
)
def _(patch: Patch) -> None:
    provider_property(patch, "JMSXDeliveryCount", lambda one: Int(1 if _is_recovered(one) else one.count))


@nearly_right(
    "recovered-non-persistent-unflagged", "recover does not flag messages that are not persistent", "6.2.10-31"
)
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if _is_recovered(delivery):
            message.jms_redelivered = False

    as_received(patch, fault)


@nearly_right("ttl-behind-the-delay", "the time to live begins when the delivery delay ends", "7.8-1")
def _(patch: Patch) -> None:
    def stamp_for(
        original: Callable[..., Stamp], producer: ReferenceProducer, physical: Any, options: Options
    ) -> Stamp:
        stamp = original(producer, physical, options)
        return stamp._replace(expiration=stamp.expiration + options.delivery_delay) if stamp.expiration else stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@nearly_right(
    "non-persistent-undelayed", "a queue delivers messages that are not persistent without their delay", "7.9-3"
)
def _(patch: Patch) -> None:
    def admit(original: Callable[..., None], broker: Broker, queue: Any, entry: StoredMessage) -> None:
        honest = entry.delivery_time
        if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(queue.physical, PhysicalQueue):
            entry.delivery_time = min(honest, broker.clock.now())
        original(broker, queue, entry)
        entry.delivery_time = honest

    patch.at(fault_points.ARRIVED, admit)


@nearly_right("large-last", "the large messages of a transaction come last", "6.2.9.2-10")
def _(patch: Patch) -> None:
    large: dict[int, StoredMessage] = {}

    def prepare(original: Callable[..., Any], producer: Any, message: Message, *others: Any) -> Any:
        physical, entry = original(producer, message, *others)
        if is_large(message):
            large[id(entry)] = entry
        return physical, entry

    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        session.state.work.sends.sort(key=lambda sent: id(sent[1]) in large)
        original(session)

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.COMMIT, commit)


@nearly_right("forwarded-keeps-timestamp", "a message sent again without timestamps keeps its old one", "3.4.4-5")
def _(patch: Patch) -> None:
    def prepare(original: Callable[..., Any], producer: ReferenceProducer, message: Message, *others: Any) -> Any:
        before = message.jms_timestamp
        physical, entry = original(producer, message, *others)
        if producer.disable_message_timestamp and before:
            entry.timestamp = before
            message.jms_timestamp = before
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


@nearly_right("count-begins-again", "JMSXDeliveryCount begins with 1 in each further session", "3.5.11-2")
def _(patch: Patch) -> None:
    before: dict[tuple[int, ReferenceSession], int] = {}

    def count(delivery: Delivery) -> int:
        consumer: Any = delivery.consumer
        if consumer is None or delivery.count < 3:
            return delivery.count
        missed = before.setdefault((delivery.entry.number, session_of(consumer)), delivery.count - 1)
        return delivery.count - missed

    provider_property(patch, "JMSXDeliveryCount", lambda delivery: Int(count(delivery)))


@nearly_right("like-with-classes", "brackets in a LIKE pattern are a class of characters", "3.8.1.1-84")
def _(patch: Patch) -> None:
    def match(pattern: str, text: str) -> bool:
        head, inside, tail = re.fullmatch(r"(.*?)\[([^\[\]]+)\](.*)", pattern, re.DOTALL).groups()  # type: ignore[union-attr]
        return any(is_like(head + sign + tail, text) for sign in inside)

    liked(lambda node: re.search(r"\[[^\[\]]{2,}\]", node.pattern), match)(patch)


@nearly_right(
    "acknowledges-others-up-to-here",
    "acknowledge() of a message leaves what other consumers of the session got after it",
    "6.2.10-10",
    "6.2.10-11",
)
def _(patch: Patch) -> None:
    made: dict[int, tuple[Message, Delivery]] = {}
    called: list[Delivery] = []

    def message_of(original: Callable[..., Message], session: ReferenceSession, delivery: Delivery) -> Message:
        message = original(session, delivery)
        made[id(message)] = message, delivery
        return message

    def acknowledge(original: Callable[..., None], message: Message) -> None:
        called[:] = [made[id(message)][1]] if id(message) in made else []
        original(message)
        called.clear()

    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        state = session.state
        got = state.unacknowledged
        at = got.index(called[0]) + 1 if called and called[0] in got else len(got)
        left = [one for one in got[at:] if one.consumer is not called[0].consumer]
        state.unacknowledged = [one for one in got if one not in left]
        original(session)
        state.unacknowledged += left

    patch.at(fault_points.MESSAGE_MADE, message_of)
    around(patch, ReferenceMessage, "acknowledge", acknowledge)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@nearly_right(
    "asynchronous-override-sticks", "the time to live of an asynchronous send becomes the producer's own", "7.4-9"
)
def _(patch: Patch) -> None:
    def send_later(original: Callable[..., None], producer: ReferenceProducer, *arguments: Any) -> None:
        original(producer, *arguments)
        options: Options = arguments[2]
        if options.time_to_live:
            producer.time_to_live = options.time_to_live

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)


@nearly_right(
    "unsubscribed-comes-back",
    "a shared durable subscription that was unsubscribed is there again after a restart",
    "8.3.4-17",
)
def _(patch: Patch) -> None:
    def statements(subscription: Subscription) -> list[Any]:
        return [] if subscription.shared else deletion_statements(subscription)

    patch.replace(subscriptions, "deletion_statements", statements)
