"""Narrow faults of section 11.3 but for the protocol of branches."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right("xa-client-id-apart", "XA connections and ordinary ones may have one client identifier", "11.3.2-3")
def _(patch):
    honest = vars(ReferenceConnection)["client_id"]

    def set_client_id(connection, client_id):
        server = connection.server
        holder = server._client_ids.get(client_id)
        if holder is not None and isinstance(holder, ReferenceXAConnection) is not isinstance(
            connection, ReferenceXAConnection
        ):
            del server._client_ids[client_id]
        honest.fset(connection, client_id)

    patch.replace(ReferenceConnection, "client_id", property(honest.fget, set_client_id))


@nearly_right(
    "xa-commit-swaps",
    "the second phase swaps the first two of three or more messages of a branch",
    "11.3.3-4",
    by=before_commit_of_branch,
)
def _(resource, branch):
    if branch.row and len(branch.work.routed_sends) > 2:
        one, two = (entry for _, entry, _ in branch.work.routed_sends[:2])
        one.snapshot, two.snapshot = two.snapshot, one.snapshot


nearly_right(
    "xa-priority-at-once",
    "messages of the highest priority leave a branch at once",
    "11.3.3-4 11.3.3-5 11.3.4-3",
    install=lambda patch: sent_at_once(patch, lambda session, physical, entry: entry.priority == 9),
)


@of_round(10)(
    "asynchronous-sends-leave-the-branch",
    "a message that an XA session sends with a completion listener within a branch is available at once",
    "11.3.3-4 11.3.3-5 11.3.4-3",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, *arguments):
    session = producer.session
    mode = session.state.mode
    if isinstance(session, ReferenceXASession):
        session.state.mode = session.resource.outside_mode
    try:
        original(producer, *arguments)
    finally:
        session.state.mode = mode


@of_round(10)(
    "receipts-of-a-joined-session-come-back",
    "commit of a branch in which two sessions have received returns what the session of the other resource has received",
    "11.3.3-6 11.3.5-9",
)
def _(patch):
    def session_of(delivery):
        return getattr(delivery.consumer, "session", None)

    def give_back(resource, branch):
        own = session_behind(resource)
        acks = branch.work.acks
        foreign = [one for one in acks if session_of(one) not in {None, own}]
        if foreign and any(session_of(one) is own for one in acks):
            resource.broker.redelivery.redeliver(take_out(branch, foreign))

    before_commit_of_branch(patch, give_back)


@nearly_right(
    "xa-prepared-rollback-unmarked",
    "a message that a prepared branch returned comes again without JMSRedelivered",
    "11.3.3-7 11.3.4-3",
)
def _(patch):
    returned = []

    def fault(resource, branch):
        if branch.row:
            returned.extend(one.entry for one in branch.work.acks)

    def unmarked(message, delivery):
        if any(one is delivery.entry for one in returned):
            message.jms_redelivered = False

    before_rollback_of_branch(patch, fault)
    as_received(patch, unmarked)


@nearly_right(
    "xa-second-rollback-consumes",
    "the second rollback of a message consumes it",
    "11.3.3-7 11.3.4-3 11.3.5-12",
    by=before_rollback_of_branch,
)
def _(resource, branch):
    consume(resource, take_out(branch, [one for one in branch.work.acks if one.count > 1]))


def _consume_last(consumer, received):
    """Acknowledge what a consumer has just received, if it was in a branch."""
    session = consumer.session
    if received is not None and isinstance(session, ReferenceXASession) and session.resource._branch is not None:
        work = session.state.work
        work.acks, last = work.acks[:-1], work.acks[-1:]
        session.state.acknowledge(last, durable=True)


@nearly_right(
    "xa-no-wait-consumes",
    "receiveNoWait() in a branch consumes the message at once",
    "11.3.3-7 11.3.4-3",
    around=(ReferenceConsumer, "receive_no_wait"),
)
def _(original, consumer):
    message = original(consumer)
    _consume_last(consumer, message)
    return message


@of_round(10)(
    "rollback-after-the-close-consumes-receipts",
    "the messages of a branch that is rolled back are gone if the session that received them was closed before",
    "11.3.3-7 11.3.5-4",
    by=before_rollback_of_branch,
)
def _(resource, branch):
    if branch.state is State.WORKING and not branch.rollback_code:
        closed = [one for one in branch.work.acks if getattr(getattr(one.consumer, "session", None), "closed", False)]
        consume(resource, take_out(branch, closed))


@nearly_right(
    "xa-receive-body-consumes",
    "receiveBody() in a branch consumes the message at once",
    "11.3.4-3",
    at=fault_points.BODY_RECEIVED,
)
def _(original, consumer, delivery, read):
    body = original(consumer, delivery, read)
    _consume_last(consumer, delivery)
    return body
