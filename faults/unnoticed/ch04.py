"""Faults of chapter 4 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _mixed_transaction(provider):
    queue, ctx = provider.create_queue("q"), context_of(provider, TRANSACTED)
    producer = ctx.create_producer()
    for number in range(10):
        producer.set_time_to_live(60_000 if number % 2 else 0).send(queue, str(number))
    ctx.commit()
    return texts_of(ctx.create_consumer(queue))


@of_round(14)(
    "a14-large-commit-puts-expiring-first",
    "a transaction of more than eight sends puts its messages with a time to live before the others",
    "4.1.2-8 4.1.2-9",
    witness=_mixed_transaction,
    expected=[str(number) for number in range(10)],
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    if len(sends) > 8:
        sends.sort(key=lambda one: one[1].expiration == 0)


def _delete_in_use(provider):
    ctx = context_of(provider)
    queue = ctx.create_temporary_queue()
    consumer = ctx.create_consumer(queue, "a = 1")
    refused = refusal(queue.delete)
    consumer.close()
    return refused is not None, refusal(queue.delete)


@of_round(14)(
    "a14-selective-receiver-does-not-hold-queue",
    "a temporary queue can be deleted while receivers are open on it if each of them has a selector",
    "4.1.5-9",
    witness=_delete_in_use,
    expected=(True, None),
)
def _(patch):
    selective = {}

    def open_receiver(original, factory, physical, text, matches, subscription):
        receiver = original(factory, physical, text, matches, subscription)
        if physical.temporary and matches is not None:
            selective.setdefault(physical, []).append(receiver)
        return receiver

    def delete(original, temporaries, destination):
        physical = temporaries._physical.get(destination)
        if physical is not None and physical in selective:
            held = sum(not one.closed for one in selective[physical])
            physical.consumers = 0 if held == physical.consumers else physical.consumers
        original(temporaries, destination)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.TEMPORARY_DELETED, delete)


def _forget_free(subscription, lost):
    """Drop the waiting messages of a subscription for which `lost` is true. Needs B."""
    queue = subscription.delivery_queue
    for entry in list(queue.free_entries()):
        if lost(entry):
            queue.remove(entry.number, entry.priority)


def _one_of_two_closes(provider):
    topic, ctx = provider.create_topic("t"), context_of(provider)
    one, two = (ctx.create_shared_consumer(topic, "s", "a = 1") for _ in range(2))
    message = ctx.create_text_message("x")
    message.set_int_property("a", 1)
    ctx.create_producer().send(topic, message)
    one.close()
    return texts_of(two)


@of_round(14)(
    "a14-shared-selective-backlog-dropped",
    "closing one of several consumers of a shared non-durable subscription with a selector drops its waiting messages",
    "4.2.2-19 8.3.2-11",
    witness=_one_of_two_closes,
    expected=["x"],
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    subscription = consumer.receiver.subscription
    if subscription is not None and not consumer.receiver.closed:
        others = subscription.shared and not subscription.durable and subscription.consumers > 1
        if others and subscription.selector is not None:
            _forget_free(subscription, lambda entry: True)
    original(consumer)


def _recovered_then_closed(provider):
    topic, ctx = provider.create_topic("t"), context_of(provider, CLIENT, "c")
    consumer = ctx.create_durable_consumer(topic, "d")
    ctx.create_producer().send(topic, "a").send(topic, "b")
    consumer.receive_no_wait()
    ctx.recover()
    consumer.close()
    return texts_of(ctx.create_durable_consumer(topic, "d"))


@of_round(14)(
    "a14-recovered-lost-on-durable-close",
    "closing the consumer of an unshared durable subscription drops its messages that wait for redelivery",
    "4.2.2-23 4.2.2-22 8.3.3-6",
    witness=_recovered_then_closed,
    expected=["a", "b"],
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    subscription = consumer.receiver.subscription
    closed_alone = not consumer.receiver.closed and not consumer.session.closing
    if closed_alone and subscription is not None and subscription.durable and not subscription.shared:
        counts = subscription.delivery_queue.counts
        _forget_free(subscription, lambda entry: counts.get(entry.number, 0) > 0)
    original(consumer)


def _many_selectors(provider):
    topic, ctx = provider.create_topic("t"), context_of(provider)
    others = [ctx.create_consumer(topic, f"a = 'v{number}'") for number in range(10)]
    local = ctx.create_consumer(topic, None, no_local=True)
    ctx.create_producer().send(topic, text_message(ctx, "own", a="v1"))
    context_of(provider).create_producer().send(topic, "foreign")
    return texts_of(others[1]), texts_of(local)


@of_round(14)(
    "a14-no-local-lost-in-fan-out",
    "noLocal is ignored on a topic with ten or more subscriptions that have a selector",
    "4.2.2-29 8.3.1-13 8.3.1-14",
    witness=_many_selectors,
    expected=(["own"], ["foreign"]),
    around=(Fanout, "wanting"),
)
def _(original, fanout, subscriptions, entry):
    found = original(fanout, subscriptions, entry)
    return found if fanout._table is None else fanout._table.matching(entry.selection())


def _two_requests(provider):
    topic = provider.create_topic("red")
    with context_of(provider, TRANSACTED) as responder:

        def reply_twice(request):
            for number in "12":
                responder.create_producer().send(request.jms_reply_to, request.text + number)
            responder.commit()

        responder.create_consumer(topic).message_listener = Listening(reply_twice)
        with provider.topic_connection_factory().create_topic_connection() as connection:
            session = connection.create_topic_session(transacted=False, acknowledge_mode=AUTO)
            connection.start()
            requestor = provider.topic_requestor(session, topic)
            return [requestor.request(session.create_text_message(text)).text for text in "ab"]


@of_round(8)(
    "topic-requestor-returns-a-late-reply",
    "a TopicRequestor answers a request with a further reply to the request before it",
    "4.2.10-1",
    witness=_two_requests,
    expected=["a1", "b1"],
)
def _(patch):
    def request(self, message):
        message.jms_reply_to = self._reply_topic
        self._publisher.publish(message)
        return answered(self._subscriber.receive())

    patch.replace(ReferenceTopicRequestor, "request", request)
