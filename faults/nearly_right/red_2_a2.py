"""Red round 2, part A2: faults in headers of sends, redelivery, acknowledgement, restart and the life of sessions.

Written without sight of the suite. Comments name the real bugs that served as models.
"""

from faults.kit import *

UINT_MAX = 0xFFFFFFFF


# ARTEMIS-1868: closed in CLIENT_ACKNOWLEDGE without acknowledge, the delivery was not counted.
@of_round(2)(
    "messages-of-a-closed-client-session-come-as-new",
    "what a CLIENT_ACKNOWLEDGE session has not acknowledged at its close comes without JMSRedelivered",
    "3.4.7-2",
    "3.4.7-1",
    "3.5.11-2",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    for delivery in session.state.unacknowledged:
        delivery.count -= 1
    original(session)


# wso2 product-ei #5058: a message routed again came with the time to live set to 0.
@of_round(2)(
    "expiration-lost-on-rollback",
    "a message that a rollback returns has lost its JMSExpiration and never expires",
    "3.4.9-4",
    "3.10-6",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    for delivery in deliveries:
        if delivery.transaction is not None:
            delivery.entry.expiration = 0
    original(redelivery, deliveries)


@of_round(2)(
    "acknowledge-settles-non-persistent-within-a-transaction",
    "acknowledge in a transacted session takes NON_PERSISTENT messages out of the transaction: no rollback returns them",
    "3.6-3",
    at=fault_points.MESSAGE_ACKNOWLEDGED,
)
def _(original, session):
    original(session)
    if session.mode == Session.SESSION_TRANSACTED:
        acks = session.state.work.acks
        taken = [one for one in acks if one.entry.delivery_mode == DeliveryMode.NON_PERSISTENT]
        acks[:] = [one for one in acks if one not in taken]
        session.state.acknowledge(taken, durable=False)


# Seen in ActiveMQ: the redelivery counter is part of the message and went along when it was sent on.
@of_round(2)(
    "redelivered-message-sent-on-keeps-its-count",
    "a redelivered message that is sent on is first received with its old JMSXDeliveryCount",
    "3.5.11-1",
)
def _carried_count(patch):
    carried = {}

    def prepare(original, producer, message, *arguments):
        received = isinstance(message, ReferenceMessage) and message.property_exists("JMSXDeliveryCount")
        count = message.get_int_property("JMSXDeliveryCount") if received else 1
        physical, entry = original(producer, message, *arguments)
        if count > 1:
            carried[id(entry)] = (entry, count)
        return physical, entry

    def open_delivery(original, state, consumer, source, entry):
        delivery = original(state, consumer, source, entry)
        if id(entry) in carried and delivery.count == 1:
            delivery.count = carried[id(entry)][1]
        return delivery

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.HANDED_OVER, open_delivery)


# Seen in ActiveMQ with the TimeStampingBrokerPlugin: the broker stamps what arrives, and so the commit counts.
@of_round(2)(
    "commit-stamps-the-messages",
    "the receiver sees the time of the commit as JMSTimestamp of a message sent in a transaction",
    "3.4.4-4",
    "3.4.4-3",
    at=fault_points.COMMIT,
)
def _(original, session):
    for _, entry in session.state.work.sends:
        if entry.timestamp:
            entry.timestamp = session.broker.clock.now()
    original(session)


# Seen in bridges between brokers: a received message counts as identified already.
@of_round(2)(
    "received-message-sent-on-keeps-its-id",
    "a received message that is sent on keeps its JMSMessageID",
    "3.4.3-4",
    "3.4.3-1",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, *arguments):
    received = isinstance(message, ReferenceMessage) and message._acknowledge is not None
    identifier = message.jms_message_id if received else None
    physical, entry = original(producer, message, *arguments)
    if identifier is not None:
        message.jms_message_id = entry.message_id = identifier
    return physical, entry


# Seen in Qpid: the ttl of an AMQP 1.0 header is an unsigned int.
@of_round(2)("time-to-live-of-32-bits", "a time to live of more than 4294967295 ms counts as that number", "3.4.9-1")
def _short_life(patch):
    original = ReferenceProducer.expiration

    def expiration(self, now, time_to_live):
        return original(self, now, min(time_to_live, UINT_MAX))

    patch.replace(ReferenceProducer, "expiration", expiration)


@of_round(2)(
    "created-context-inherits-no-auto-start",
    "a context created from one with autoStart off does not start when it gets a consumer",
    "2.12.1-3",
)
def _inherited(patch):
    original = ReferenceContext.create_context

    def create_context(self, session_mode):
        made = original(self, session_mode)
        made._auto_start = self._auto_start
        return made

    patch.replace(ReferenceContext, "create_context", create_context)


# Seen in brokers that take a non-persistent message out of the queue once it is dispatched.
@of_round(2)(
    "queue-session-takes-non-persistent-messages-along",
    "NON_PERSISTENT messages that a QueueSession has not acknowledged at its close are lost",
    "2.9-8",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    if isinstance(session, QueueSession):
        kept = session.state.unacknowledged
        kept[:] = [one for one in kept if one.entry.delivery_mode == DeliveryMode.PERSISTENT]
    original(session)


# Seen in stores and bridges with one kind of small number, such as those over JSON or JDBC.
@of_round(2)(
    "small-numbers-come-back-from-the-file-as-int",
    "byte and short properties are int properties after a restart",
    "3.5.4-9",
    "3.5.5-3",
)
def _widened(patch):
    original = message_rows.decode  # imported there

    def decode(*arguments):
        snapshot, envelope = original(*arguments)
        properties = {
            name: Int(value.value) if isinstance(value, (Byte, Short)) else value
            for name, value in snapshot.properties.items()
        }
        return snapshot._replace(properties=properties), envelope

    patch.replace(message_rows, "decode", decode)
