"""Red round 2, part A2: faults in headers of sends, redelivery, acknowledgement, restart and the life of sessions.

Written without sight of the suite. Comments name the real bugs that served as models.
"""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker import message_rows
from reference_provider.client.context import ReferenceContext
from reference_provider.client.producers import ReferenceProducer
from reference_provider.messages.message import ReferenceMessage
from tck.api import Byte, DeliveryMode, Int, QueueSession, Session, Short

UINT_MAX = 0xFFFFFFFF


# ARTEMIS-1868: closed in CLIENT_ACKNOWLEDGE without acknowledge, the delivery was not counted.
@nearly_right(
    "messages-of-a-closed-client-session-come-as-new",
    "what a CLIENT_ACKNOWLEDGE session has not acknowledged at its close comes without JMSRedelivered",
    "3.4.7-2",
    "3.4.7-1",
    "3.5.11-2",
)
def _closed_client(patch: Patch) -> None:
    def fault(original: Any, session: Any) -> None:
        for delivery in session.state.unacknowledged:
            delivery.count -= 1
        original(session)

    patch.at(fault_points.SESSION_ENDED, fault)


# wso2 product-ei #5058: a message routed again came with the time to live set to 0.
@nearly_right(
    "expiration-lost-on-rollback",
    "a message that a rollback returns has lost its JMSExpiration and never expires",
    "3.4.9-4",
    "3.10-6",
)
def _unexpiring(patch: Patch) -> None:
    def fault(original: Any, redelivery: Any, deliveries: Any) -> None:
        for delivery in deliveries:
            if delivery.transaction is not None:
                delivery.entry.expiration = 0
        original(redelivery, deliveries)

    patch.at(fault_points.REDELIVERED, fault)


@nearly_right(
    "acknowledge-settles-non-persistent-within-a-transaction",
    "acknowledge in a transacted session takes NON_PERSISTENT messages out of the transaction: no rollback returns them",
    "3.6-3",
)
def _settled(patch: Patch) -> None:
    def fault(original: Any, session: Any) -> None:
        original(session)
        if session.mode == Session.SESSION_TRANSACTED:
            acks = session.state.work.acks
            taken = [one for one in acks if one.entry.delivery_mode == DeliveryMode.NON_PERSISTENT]
            acks[:] = [one for one in acks if one not in taken]
            session.state.acknowledge(taken, durable=False)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, fault)


# Seen in ActiveMQ: the redelivery counter is part of the message and went along when it was sent on.
@nearly_right(
    "redelivered-message-sent-on-keeps-its-count",
    "a redelivered message that is sent on is first received with its old JMSXDeliveryCount",
    "3.5.11-1",
)
def _carried_count(patch: Patch) -> None:
    carried: dict[int, tuple[Any, int]] = {}

    def prepare(original: Any, producer: Any, message: Any, *arguments: Any) -> Any:
        received = isinstance(message, ReferenceMessage) and message.property_exists("JMSXDeliveryCount")
        count = message.get_int_property("JMSXDeliveryCount") if received else 1
        physical, entry = original(producer, message, *arguments)
        if count > 1:
            carried[id(entry)] = (entry, count)
        return physical, entry

    def open_delivery(original: Any, state: Any, consumer: Any, source: Any, entry: Any) -> Any:
        delivery = original(state, consumer, source, entry)
        if id(entry) in carried and delivery.count == 1:
            delivery.count = carried[id(entry)][1]
        return delivery

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.HANDED_OVER, open_delivery)


# Seen in ActiveMQ with the TimeStampingBrokerPlugin: the broker stamps what arrives, and so the commit counts.
@nearly_right(
    "commit-stamps-the-messages",
    "the receiver sees the time of the commit as JMSTimestamp of a message sent in a transaction",
    "3.4.4-4",
    "3.4.4-3",
)
def _stamped(patch: Patch) -> None:
    def fault(original: Any, session: Any) -> None:
        for _, entry in session.state.work.sends:
            if entry.timestamp:
                entry.timestamp = session.broker.clock.now()
        original(session)

    patch.at(fault_points.COMMIT, fault)


# Seen in bridges between brokers: a received message counts as identified already.
@nearly_right(
    "received-message-sent-on-keeps-its-id",
    "a received message that is sent on keeps its JMSMessageID",
    "3.4.3-4",
    "3.4.3-1",
)
def _kept_id(patch: Patch) -> None:
    def fault(original: Any, producer: Any, message: Any, *arguments: Any) -> Any:
        received = isinstance(message, ReferenceMessage) and message._acknowledge is not None
        identifier = message.jms_message_id if received else None
        physical, entry = original(producer, message, *arguments)
        if identifier is not None:
            message.jms_message_id = entry.message_id = identifier
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, fault)


# Seen in Qpid: the ttl of an AMQP 1.0 header is an unsigned int.
@nearly_right(
    "time-to-live-of-32-bits",
    "a time to live of more than 4294967295 ms counts as that number",
    "3.4.9-1",
)
def _short_life(patch: Patch) -> None:
    original = ReferenceProducer.expiration

    def expiration(self: ReferenceProducer, now: int, time_to_live: int) -> int:
        return original(self, now, min(time_to_live, UINT_MAX))

    patch.replace(ReferenceProducer, "expiration", expiration)


@nearly_right(
    "created-context-inherits-no-auto-start",
    "a context created from one with autoStart off does not start when it gets a consumer",
    "2.12.1-3",
)
def _inherited(patch: Patch) -> None:
    original = ReferenceContext.create_context

    def create_context(self: Any, session_mode: int) -> Any:
        made: Any = original(self, session_mode)
        made._auto_start = self._auto_start
        return made

    patch.replace(ReferenceContext, "create_context", create_context)


# Seen in brokers that take a non-persistent message out of the queue once it is dispatched.
@nearly_right(
    "queue-session-takes-non-persistent-messages-along",
    "NON_PERSISTENT messages that a QueueSession has not acknowledged at its close are lost",
    "2.9-8",
)
def _taken_along(patch: Patch) -> None:
    def fault(original: Any, session: Any) -> None:
        if isinstance(session, QueueSession):
            kept = session.state.unacknowledged  # type: ignore[attr-defined]
            kept[:] = [one for one in kept if one.entry.delivery_mode == DeliveryMode.PERSISTENT]
        original(session)

    patch.at(fault_points.SESSION_ENDED, fault)


# Seen in stores and bridges with one kind of small number, such as those over JSON or JDBC.
@nearly_right(
    "small-numbers-come-back-from-the-file-as-int",
    "byte and short properties are int properties after a restart",
    "3.5.4-9",
    "3.5.5-3",
)
def _widened(patch: Patch) -> None:
    original = message_rows.decode  # type: ignore[attr-defined]  # imported there

    def decode(*arguments: Any) -> Any:
        snapshot, envelope = original(*arguments)
        properties = {
            name: Int(value.value) if isinstance(value, (Byte, Short)) else value
            for name, value in snapshot.properties.items()
        }
        return snapshot._replace(properties=properties), envelope

    patch.replace(message_rows, "decode", decode)
