"""Round 14, stranger A: topics, subscriptions and receiving. Written from the catalogue and the provider, without the suite."""

from faults.kit import *

# --- chapter 4: topics ------------------------------------------------------------------------------------------------


def _forget_free(subscription, lost):
    """Drop the waiting messages of a subscription for which `lost` is true. Needs B."""
    queue = subscription.delivery_queue
    for entry in list(queue.free_entries()):
        if lost(entry):
            queue.remove(entry.number, entry.priority)


@of_round(14)(
    "a14-recovered-lost-on-durable-close",
    "closing the consumer of an unshared durable subscription drops its messages that wait for redelivery",
    "4.2.2-23",
    "4.2.2-22",
    "8.3.3-6",
    noticed=False,
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    subscription = consumer.receiver.subscription
    closed_alone = not consumer.receiver.closed and not consumer.session.closing
    if closed_alone and subscription is not None and subscription.durable and not subscription.shared:
        counts = subscription.delivery_queue.counts
        _forget_free(subscription, lambda entry: counts.get(entry.number, 0) > 0)
    original(consumer)


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
    "a14-shared-selective-backlog-dropped",
    "closing one of several consumers of a shared non-durable subscription with a selector drops its waiting messages",
    "4.2.2-19",
    "8.3.2-11",
    noticed=False,
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    subscription = consumer.receiver.subscription
    if subscription is not None and not consumer.receiver.closed:
        others = subscription.shared and not subscription.durable and subscription.consumers > 1
        if others and subscription.selector is not None:
            _forget_free(subscription, lambda entry: True)
    original(consumer)


@of_round(14)(
    "a14-no-local-lost-in-fan-out",
    "noLocal is ignored on a topic with ten or more subscriptions that have a selector",
    "4.2.2-29",
    "8.3.1-13",
    "8.3.1-14",
    noticed=False,
    around=(Fanout, "wanting"),
)
def _(original, fanout, subscriptions, entry):
    found = original(fanout, subscriptions, entry)
    return found if fanout._table is None else fanout._table.matching(entry.selection())


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
    "a14-padded-selector-changes-at-restart",
    "a durable subscription whose selector has blanks around it counts as changed when it is resumed after a restart",
    "8.3.3-30",
    "8.3.4-4",
    "8.3.3-9",
    noticed=False,
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    with server.broker.lock:
        for one in server.broker.subscriptions.all_durable():
            one.selector = None if one.selector is None else one.selector.strip()


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
    "a14-second-failure-lets-others-pass",
    "a message whose listener has failed twice goes back to its queue, where one of higher priority overtakes it",
    "8.7-2",
    "8.7-3",
    noticed=False,
    around=(Dispatcher, "may_repeat"),
)
def _(original, dispatcher, delivery):
    return delivery.count < 2 and original(dispatcher, delivery)


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
    "a14-second-context-does-not-start",
    "createSharedDurableConsumer of a context that another context made does not start their connection",
    "8.4-13",
    "8.4-6",
    noticed=False,
)
def _(patch):
    made = []

    def create_context(original, context, session_mode):
        made.append(original(context, session_mode))
        return made[-1]

    def create_consumer(original, context, *arguments, **named):
        auto_start = context._auto_start
        context._auto_start = auto_start and not any(one is context for one in made)
        try:
            return original(context, *arguments, **named)
        finally:
            context._auto_start = auto_start

    around(patch, ReferenceContext, "create_context", create_context)
    around(patch, ReferenceContext, "create_shared_durable_consumer", create_consumer)


@of_round(14)(
    "a14-zero-does-not-wait-for-shared",
    "receive(0) and receiveBody(type, 0) do not wait if the consumer is of a shared durable subscription",
    "8.5-6",
    "8.6-6",
    noticed=False,
    around=(ReferenceConsumer, "timeout"),
)
def _(original, consumer, limit):
    subscription = consumer.receiver.subscription
    if limit is not OMITTED and limit == 0 and subscription is not None:
        return 0 if subscription.shared and subscription.durable else None
    return original(consumer, limit)


def _differs_in_case_only(subscription, text):
    """Return whether the selector of a shared durable subscription in use differs from `text` in letter case only."""
    used = subscription.durable and subscription.shared and subscription.consumers > 0
    if not used or text is None or subscription.selector is None:
        return False
    return text.lower() == subscription.selector.lower()


@of_round(14)(
    "a14-selector-case-joins-shared-durable",
    "a consumer may join a shared durable subscription in use with a selector that differs in letter case only",
    "8.3.4-23",
    noticed=False,
)
def _(patch):
    check_same = consumer_factory.check_same

    def same(subscription, physical, selector):
        joins = _differs_in_case_only(subscription, selector)
        check_same(subscription, physical, subscription.selector if joins else selector)

    def match(original, terms, subscription):
        on_topic = subscription.delivery_queue.physical is terms.physical
        return original(terms, subscription) or (on_topic and _differs_in_case_only(subscription, terms.selector))

    patch.replace(consumer_factory, "check_same", same)
    around(patch, Terms, "match", match)


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
