"""Narrow faults of sections 3.4.7 to 3.4.9."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(3)(
    "redelivered-of-durable-forgotten-at-restart",
    "after a restart a durable subscription no longer knows what it has delivered before",
    "3.4.7-1 3.5.11-2 3.4.7-2",
    around=(StoredDeliveryQueue, "load_order"),
)
def _(original, self, number, priority, deliveries):
    """As cloudamqp/lavinmq #1911: the redelivery state lives in memory only."""
    original(self, number, priority, deliveries if self.subscription is None else 0)


@of_round(5)(
    "rollback-marks-only-its-first-message",
    "of several messages that a rollback gives back only the first is marked as redelivered and counted",
    "3.4.7-1 3.5.11-2",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    for one in [each for each in deliveries if each.transaction is not None][1:]:
        one.count -= 1
    original(redelivery, deliveries)


@of_round(3)(
    "not-redelivered-after-closed-consumer",
    "messages received but not acknowledged by a consumer that closed before its session come back as new",
    "3.4.7-2 3.5.11-2",
    around=(ReferenceSession, "shut"),
)
def _(original, self):
    """As ARTEMIS-1868 (apache/artemis #2090): a client-acknowledge consumer closes without acknowledging."""
    for delivery in self.state.unacknowledged:
        if getattr(delivery.consumer, "closed", False):
            delivery.count -= 1
    return original(self)


UINT_MAX = 0xFFFFFFFF


# Seen in Qpid: the ttl of an AMQP 1.0 header is an unsigned int.
@of_round(2)(
    "time-to-live-of-32-bits",
    "a time to live of more than 4294967295 ms counts as that number",
    "3.4.9-1",
    around=(ReferenceProducer, "expiration"),
)
def _(original, self, now, time_to_live):
    return original(self, now, min(time_to_live, UINT_MAX))


@of_round(3)(
    "no-timestamp-never-expires",
    "a message of a producer that disables timestamps has no JMSExpiration and never expires",
    "3.4.9-1",
    around=(ReferenceProducer, "expiration"),
)
def _(original, self, now, time_to_live):
    """As ActiveMQSession.send of ActiveMQ 5: the expiration is computed only if timestamps are not disabled."""
    return 0 if self._disable_message_timestamp else original(self, now, time_to_live)


@of_round(5)(
    "expiration-of-a-delayed-message-counts-from-its-delivery-time",
    "with a delivery delay and a time to live, JMSExpiration is delivery time plus time to live",
    "3.4.9-1",
    at=fault_points.HEADERS_COMPUTED,
)
def _(original, producer, physical, options):
    stamp = original(producer, physical, options)
    if stamp.expiration and options.delivery_delay:
        return stamp._replace(expiration=stamp.expiration + options.delivery_delay)
    return stamp


@of_round(14)(
    "a14-expiration-lost-after-delay",
    "a redelivered message that was sent with both a delivery delay and a time to live has JMSExpiration 0",
    "3.4.9-4 3.10-6",
    by=as_received,
)
def _(message, delivery):
    entry = delivery.entry
    if delivery.count > 1 and entry.expiration and entry.timestamp and entry.delivery_time > entry.timestamp:
        message.jms_expiration = 0


# wso2 product-ei #5058: a message routed again came with the time to live set to 0.
@of_round(2)(
    "expiration-lost-on-rollback",
    "a message that a rollback returns has lost its JMSExpiration and never expires",
    "3.4.9-4 3.10-6",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    for delivery in deliveries:
        if delivery.transaction is not None:
            delivery.entry.expiration = 0
    original(redelivery, deliveries)


@of_round(5)(
    "time-to-live-begins-anew-after-a-restart",
    "a message that was stored before a restart expires a whole time to live after it was read again",
    "3.4.9-4 3.4.9-6",
    by=read_from_the_file,
)
def _(broker, entry):
    if entry.expiration and entry.timestamp:
        entry.expiration = broker.clock.now() + entry.expiration - entry.timestamp


LATE_MS = 2
"""Milliseconds from the expiration of a message until it expires."""


@nearly_right(
    "expires-late",
    "a message is still delivered in the first millisecond after its expiration",
    "3.4.9-6 3.4.9-7",
    at=fault_points.EXPIRY_CHECKED,
)
def _(original, broker, entry):
    return entry.expiration != 0 and entry.expiration + LATE_MS <= broker.clock.now()


@nearly_right("expired-on-durable", "messages of a durable subscription never expire", "3.4.9-7")
def _(patch):
    durable = Marked()

    def admit(original, broker, source, entry):
        if source.subscription is not None:
            durable.add(entry)
        original(broker, source, entry)

    def is_expired(original, broker, entry):
        return entry not in durable and original(broker, entry)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)
