"""Faults of chapter 9 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


class _Erasure:
    """Removes a message from the file alone; memory keeps it."""

    durable = True

    def __init__(self, delivery):
        self._delivery = delivery

    def statements(self):
        return list(self._delivery.forget_statements())

    def after(self):
        return


def _twice_rolled_back(provider):
    queue = provider.create_queue("red")
    with context_of(provider, TRANSACTED) as context:
        context.create_producer().send(queue, "one")
        context.commit()
        consumer = context.create_consumer(queue)
        for _ in range(2):
            assert consumer.receive(1000) is not None
            context.rollback()
    provider.kill()
    with context_of(provider) as context:
        return texts_of(context.create_consumer(queue))


@of_round(10)(
    "message-rolled-back-twice-is-lost-by-a-kill",
    "a PERSISTENT message whose receipt was rolled back for the second time does not survive the death of the provider",
    "9.1-1 9.1-5",
    witness=_twice_rolled_back,
    expected=["one"],
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    original(session, work)
    if not session.closing:
        for delivery in work.acks:
            if delivery.stored and delivery.count > 1:
                session.broker.commit(_Erasure(delivery))


def _copies(provider):
    topic = provider.create_topic("red")
    with context_of(provider) as context:
        consumers = [context.create_shared_durable_consumer(topic, name) for name in ("a", "b")]
        context.create_producer().send(topic, "one")
        assert texts_of(consumers[0]) == ["one"]
    provider.kill()
    with context_of(provider) as context:
        return [texts_of(context.create_shared_durable_consumer(topic, name)) for name in ("a", "b")]


@of_round(10)(
    "acknowledged-copy-returns-while-another-waits",
    "after a failure a durable subscription repeats an acknowledged message, if another held its copy at the acknowledgement",
    "9.1-2",
    witness=_copies,
    expected=[[], ["one"]],
    around=(Delivery, "forget_statements"),
)
def _(original, delivery):
    source = delivery.source
    others = [one for one in source.physical.delivery_queues() if one is not source and one.in_file]
    if source.subscription is not None and any(delivery.entry.number in one.numbers() for one in others):
        return []
    return original(delivery)


def _reply_to(provider):
    topic = provider.create_topic("red")
    with context_of(provider) as context:
        requests = context.create_consumer(topic)
        connection = provider.topic_connection_factory().create_topic_connection()
        connection.start()
        session = connection.create_topic_session(False, Session.AUTO_ACKNOWLEDGE)
        requestor, message = provider.topic_requestor(session, topic), session.create_text_message("ask")
        message.jms_reply_to = provider.create_topic("elsewhere")
        with meanwhile(provider, lambda: refusal(lambda: requestor.request(message))):
            asked = requests.receive(1000)
            context.create_producer().send(asked.jms_reply_to, "answer")
            connection.close()
    return isinstance(asked.jms_reply_to, TemporaryTopic)


@of_round(10)(
    "topic-requestor-keeps-a-given-reply-to",
    "a topic requestor publishes a request that has a JMSReplyTo already with that one",
    "9.2-30 9.2-32",
    witness=_reply_to,
    expected=True,
    around=(ReferenceTopicRequestor, "request"),
)
def _(original, requestor, message):
    if message.jms_reply_to in {None, requestor._reply_topic}:
        return original(requestor, message)
    requestor._publisher.publish(message)
    return answered(requestor._subscriber.receive())


def _session_closed(provider):
    queue = provider.create_queue("red")
    with provider.queue_connection_factory().create_queue_connection() as connection:
        session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
        session.create_sender(queue)
        provider.queue_requestor(session, queue).close()
        return refusal(lambda: session.create_sender(queue))


@of_round(10)(
    "requestor-with-company-leaves-its-session-open",
    "the close of a requestor closes its session only if no other producer or consumer of the session is open",
    "9.2-34",
    witness=_session_closed,
    expected="IllegalStateException",
)
def _(patch):
    def close_queue(original, requestor):
        session = requestor._session
        if len(session.producers) < 2 and len(session.consumers) < 2:
            original(requestor)
            return
        requestor._sender.close()
        requestor._receiver.close()
        requestor._reply_queue.delete()

    def close_topic(original, requestor):
        session = requestor._session
        if len(session.producers) < 2 and len(session.consumers) < 2:
            original(requestor)
            return
        requestor._publisher.close()
        requestor._subscriber.close()
        requestor._reply_topic.delete()

    patch.around(ReferenceQueueRequestor, "close", close_queue)
    patch.around(ReferenceTopicRequestor, "close", close_topic)
