"""Red round 10, first part: faults in reliability, requestors and exceptions, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import Work
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.requestors import ReferenceQueueRequestor, ReferenceTopicRequestor, answered
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.objects import ReferenceXASession
from tck.api import JMSException, Message, Session


class _Erasure:
    """Removes a message from the file alone; memory keeps it."""

    durable = True

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery

    def statements(self) -> list[Any]:
        return list(self._delivery.forget_statements())

    def after(self) -> None:
        return


@nearly_right(
    "message-rolled-back-twice-is-lost-by-a-kill",
    "a PERSISTENT message whose receipt was rolled back for the second time does not survive the death of the provider",
    "9.1-1",
    "9.1-5",
    noticed=False,
)
def _rolled_back_twice(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        original(session, work)
        if not session.closing:
            for delivery in work.acks:
                if delivery.stored and delivery.count > 1:
                    session.broker.commit(_Erasure(delivery))

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "acknowledged-copy-returns-while-another-waits",
    "after a failure a durable subscription repeats an acknowledged message, if another held its copy at the acknowledgement",
    "9.1-2",
    noticed=False,
)
def _copy_returns(patch: Patch) -> None:
    def forget_statements(original: Callable[..., list[Any]], delivery: Delivery) -> list[Any]:
        source = delivery.source
        others = [one for one in source.physical.delivery_queues() if one is not source and one.in_file]
        if source.subscription is not None and any(delivery.entry.number in one.numbers() for one in others):
            return []
        return original(delivery)

    around(patch, Delivery, "forget_statements", forget_statements)


@nearly_right(
    "only-the-first-message-of-a-transaction-says-redelivered",
    "after the death of the provider only the first message of the open transaction has JMSRedelivered set",
    "9.1-6",
    "9.1-7",
)
def _only_the_first(patch: Patch) -> None:
    def mark(original: Callable[..., None], state: SessionState, delivery: Delivery, *, listener: bool) -> None:
        if state.mode != Session.SESSION_TRANSACTED or state.work.acks[0] is delivery:
            original(state, delivery, listener=listener)

    around(patch, SessionState, "mark", mark)


@nearly_right(
    "failed-send-leaves-its-options-behind",
    "the delivery mode, priority and time to live given to a send that fails become defaults of the producer",
    "9.2-25",
    "9.2-24",
)
def _left_behind(patch: Patch) -> None:
    def send_now(
        original: Callable[..., None], producer: ReferenceProducer, message: Message, target: Any, options: Options
    ) -> None:
        try:
            original(producer, message, target, options)
        except JMSException:
            if options is not producer._options and not producer.session.closed:
                producer.delivery_mode = options.delivery_mode
                producer.priority = options.priority
                producer.time_to_live = options.time_to_live
            raise

    around(patch, ReferenceProducer, "send_now", send_now)


@nearly_right(
    "requestor-with-company-leaves-its-session-open",
    "the close of a requestor closes its session only if no other producer or consumer of the session is open",
    "9.2-34",
    noticed=False,
)
def _with_company(patch: Patch) -> None:
    def close_queue(original: Callable[..., None], requestor: ReferenceQueueRequestor) -> None:
        session: Any = requestor._session
        if len(session.producers) < 2 and len(session.consumers) < 2:
            original(requestor)
            return
        requestor._sender.close()
        requestor._receiver.close()
        requestor._reply_queue.delete()

    def close_topic(original: Callable[..., None], requestor: ReferenceTopicRequestor) -> None:
        session: Any = requestor._session
        if len(session.producers) < 2 and len(session.consumers) < 2:
            original(requestor)
            return
        requestor._publisher.close()
        requestor._subscriber.close()
        requestor._reply_topic.delete()

    around(patch, ReferenceQueueRequestor, "close", close_queue)
    around(patch, ReferenceTopicRequestor, "close", close_topic)


@nearly_right(
    "topic-requestor-keeps-a-given-reply-to",
    "a topic requestor publishes a request that has a JMSReplyTo already with that one",
    "9.2-30",
    "9.2-32",
    noticed=False,
)
def _given_reply_to(patch: Patch) -> None:
    def request(original: Callable[..., Message], requestor: ReferenceTopicRequestor, message: Message) -> Message:
        if message.jms_reply_to in {None, requestor._reply_topic}:
            return original(requestor, message)
        requestor._publisher.publish(message)
        return answered(requestor._subscriber.receive())

    around(patch, ReferenceTopicRequestor, "request", request)


@nearly_right(
    "commit-acknowledges-in-client-mode",
    "commit of a CLIENT_ACKNOWLEDGE session that has unacknowledged messages acknowledges them instead of raising",
    "10.3-7",
    "10.3-10",
)
def _commit_acknowledges(patch: Patch) -> None:
    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.mode == Session.CLIENT_ACKNOWLEDGE and session.state.unacknowledged:
            session.acknowledge_all()
        else:
            original(session)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "recover-in-a-transacted-listener-is-ignored",
    "recover of a transacted session returns normally, without effect, when its message listener calls it",
    "10.3-9",
    "10.3-12",
)
def _ignored_in_listener(patch: Patch) -> None:
    def recover(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.mode != Session.SESSION_TRANSACTED or not session.in_listener():
            original(session)

    around(patch, ReferenceSession, "recover", recover)


@nearly_right(
    "xa-context-recovers-outside-a-branch",
    "recover of an XA context or XA session returns normally while no branch is active",
    "10.3-12",
    "10.3-9",
    noticed=False,
)
def _recovers_outside(patch: Patch) -> None:
    def recover(original: Callable[..., None], session: ReferenceSession) -> None:
        outside = isinstance(session, ReferenceXASession) and session.state.mode != Session.SESSION_TRANSACTED
        if not outside or session.closed:
            original(session)

    around(patch, ReferenceSession, "recover", recover)
