"""Red round 10, first part: faults in reliability, requestors and exceptions, written without sight of the suite."""

from faults.kit import *


class _Erasure:
    """Removes a message from the file alone; memory keeps it."""

    durable = True

    def __init__(self, delivery):
        self._delivery = delivery

    def statements(self):
        return list(self._delivery.forget_statements())

    def after(self):
        return


@of_round(10)(
    "message-rolled-back-twice-is-lost-by-a-kill",
    "a PERSISTENT message whose receipt was rolled back for the second time does not survive the death of the provider",
    "9.1-1",
    "9.1-5",
    noticed=False,
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    original(session, work)
    if not session.closing:
        for delivery in work.acks:
            if delivery.stored and delivery.count > 1:
                session.broker.commit(_Erasure(delivery))


@of_round(10)(
    "acknowledged-copy-returns-while-another-waits",
    "after a failure a durable subscription repeats an acknowledged message, if another held its copy at the acknowledgement",
    "9.1-2",
    noticed=False,
    around=(Delivery, "forget_statements"),
)
def _(original, delivery):
    source = delivery.source
    others = [one for one in source.physical.delivery_queues() if one is not source and one.in_file]
    if source.subscription is not None and any(delivery.entry.number in one.numbers() for one in others):
        return []
    return original(delivery)


@of_round(10)(
    "only-the-first-message-of-a-transaction-says-redelivered",
    "after the death of the provider only the first message of the open transaction has JMSRedelivered set",
    "9.1-6",
    "9.1-7",
    around=(SessionState, "mark"),
)
def _(original, state, delivery, *, listener):
    if state.mode != Session.SESSION_TRANSACTED or state.work.acks[0] is delivery:
        original(state, delivery, listener=listener)


@of_round(10)(
    "failed-send-leaves-its-options-behind",
    "the delivery mode, priority and time to live given to a send that fails become defaults of the producer",
    "9.2-25",
    "9.2-24",
    around=(ReferenceProducer, "send_now"),
)
def _(original, producer, message, target, options):
    try:
        original(producer, message, target, options)
    except JMSException:
        if options is not producer._options and not producer.session.closed:
            producer.delivery_mode = options.delivery_mode
            producer.priority = options.priority
            producer.time_to_live = options.time_to_live
        raise


@of_round(10)(
    "requestor-with-company-leaves-its-session-open",
    "the close of a requestor closes its session only if no other producer or consumer of the session is open",
    "9.2-34",
    noticed=False,
)
def _with_company(patch):
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

    around(patch, ReferenceQueueRequestor, "close", close_queue)
    around(patch, ReferenceTopicRequestor, "close", close_topic)


@of_round(10)(
    "topic-requestor-keeps-a-given-reply-to",
    "a topic requestor publishes a request that has a JMSReplyTo already with that one",
    "9.2-30",
    "9.2-32",
    noticed=False,
    around=(ReferenceTopicRequestor, "request"),
)
def _(original, requestor, message):
    if message.jms_reply_to in {None, requestor._reply_topic}:
        return original(requestor, message)
    requestor._publisher.publish(message)
    return answered(requestor._subscriber.receive())


@of_round(10)(
    "commit-acknowledges-in-client-mode",
    "commit of a CLIENT_ACKNOWLEDGE session that has unacknowledged messages acknowledges them instead of raising",
    "10.3-7",
    "10.3-10",
    at=fault_points.COMMIT,
)
def _(original, session):
    if session.mode == Session.CLIENT_ACKNOWLEDGE and session.state.unacknowledged:
        session.acknowledge_all()
    else:
        original(session)


@of_round(10)(
    "recover-in-a-transacted-listener-is-ignored",
    "recover of a transacted session returns normally, without effect, when its message listener calls it",
    "10.3-9",
    "10.3-12",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if session.mode != Session.SESSION_TRANSACTED or not session.in_listener():
        original(session)


@of_round(10)(
    "xa-context-recovers-outside-a-branch",
    "recover of an XA context or XA session returns normally while no branch is active",
    "10.3-12",
    "10.3-9",
    noticed=False,
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    outside = isinstance(session, ReferenceXASession) and session.state.mode != Session.SESSION_TRANSACTED
    if not outside or session.closed:
        original(session)
