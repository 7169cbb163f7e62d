"""Round 14, stranger A: topics, subscriptions and receiving. Written from the catalogue and the provider, without the suite."""

from faults.kit import *

# --- chapter 4: topics ------------------------------------------------------------------------------------------------


@of_round(14)(
    "a14-long-shared-name-cut",
    "the name of a shared non-durable subscription counts up to its 64th character only",
    "4.2.4-8",
    "4.2.2-16",
    around=(ConsumerFactory, "open_shared"),
)
def _(original, factory, topic, name, selector):
    return original(factory, topic, name[:64] if name else name, selector)


@of_round(14)(
    "a14-selective-subscriber-loses-expiring",
    "recover does not bring a message with a time to live back to an unshared non-durable subscription with a selector",
    "4.2.8-1",
)
def _(patch):
    def is_lost(delivery):
        receiver = getattr(delivery.consumer, "receiver", None)
        subscription = None if receiver is None else receiver.subscription
        if subscription is None or subscription.durable or subscription.shared or subscription.selector is None:
            return False
        return delivery.transaction is None and delivery.expiration != 0

    def redeliver(original, redelivery, deliveries):
        lost = [one for one in deliveries if one.held and is_lost(one)]
        with redelivery._broker.lock:
            for one in lost:
                one.remove_from_queue()
        original(redelivery, [one for one in deliveries if one not in lost])

    patch.at(fault_points.REDELIVERED, redeliver)


# --- chapter 8 --------------------------------------------------------------------------------------------------------


@of_round(14)(
    "a14-failed-topic-body-counted-when-lazy",
    "in DUPS_OK_ACKNOWLEDGE mode a failed receiveBody from a topic counts as a delivery",
    "8.6-24",
    at=fault_points.BODY_RECEIVED,
)
def _(original, consumer, delivery, read):
    try:
        return original(consumer, delivery, read)
    except MessageFormatException:
        lazy = consumer.session.mode == Session.DUPS_OK_ACKNOWLEDGE
        if lazy and isinstance(delivery.source.physical, PhysicalTopic):
            with consumer.session.broker.lock:
                delivery.source.counts[delivery.entry.number] = delivery.count
        raise


@of_round(14)(
    "a14-lazy-listener-count-stays-two",
    "in DUPS_OK_ACKNOWLEDGE mode JMSXDeliveryCount stays 2 from the second failure of a listener on",
    "8.7-5",
    "3.5.11-2",
    around=(Delivery, "repeat"),
)
def _(original, delivery, now):
    session = getattr(delivery.consumer, "session", None)
    if delivery.count == 2 and session is not None and session.mode == Session.DUPS_OK_ACKNOWLEDGE:
        delivery.received_at = now
    else:
        original(delivery, now)


@of_round(14)(
    "a14-acknowledge-skips-closed-consumer",
    "acknowledge leaves out the messages of a closed consumer while another consumer of the session is open",
    "8.8-13",
    at=fault_points.ACKNOWLEDGED,
)
def _(original, session):
    state, skipped = session.state, list[Delivery]()
    with session.broker.lock:
        if session.consumers:
            skipped = [one for one in state.unacknowledged if getattr(one.consumer, "closed", False)]
        state.unacknowledged = [one for one in state.unacknowledged if one not in skipped]
    try:
        original(session)
    finally:
        with session.broker.lock:
            state.unacknowledged[:0] = skipped


@of_round(14)(
    "a14-backlog-keeps-dropped-selector",
    "resuming an unshared durable subscription without its selector does not replace it if it holds messages",
    "8.3.3-28",
    around=(Terms, "match"),
)
def _(original, terms, subscription):
    backlog = not subscription.shared and len(subscription.delivery_queue) > 0
    if terms.selector is None and subscription.selector is not None and backlog:
        return original(Terms(terms.physical, subscription.selector, terms.no_local), subscription)
    return original(terms, subscription)


@of_round(14)(
    "a14-no-local-asleep-while-inactive",
    "a durable subscription with noLocal collects its own client's messages while it has no consumer",
    "8.3.3-34",
    "4.2.2-29",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    if subscription.durable and subscription.consumers == 0:
        return subscription.matches is None or subscription.matches(entry)
    return original(subscription, entry)
