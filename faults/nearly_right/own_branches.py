"""Faults of distributed transactions that show only in one phase, in one state of a branch, or to one sort of consumer."""

from faults.kit import *


def _all_branches(broker):
    return list(broker.branches._branches.values())


@nearly_right(
    "xa-restart-frees-receipts",
    "after a restart the messages that a prepared branch received are free",
    "11.3.5-6",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    for branch in _all_branches(server.broker):
        server.broker.redelivery.redeliver(take_out(branch, branch.work.acks))


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


@nearly_right(
    "xa-close-hides-doubt", "recover() leaves out a branch once the connection that prepared it is closed", "11.3.5-6"
)
def _(patch):
    prepared = {}

    def prepare(original, resource, xid):
        vote = original(resource, xid)
        prepared[xid] = session_behind(resource).connection
        return vote

    def recover(original, resource, flags):
        return [xid for xid in original(resource, flags) if xid not in prepared or not prepared[xid].closed]

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.XA_RECOVER, recover)


@nearly_right(
    "xa-scan-stops", "a scan in several calls lists the first two branches only", "11.3.5-5", at=fault_points.XA_RECOVER
)
def _(original, resource, flags):
    found = original(resource, flags)
    return found[:2] if flags == resource.TMSTARTRSCAN else found


@nearly_right(
    "xa-receipts-stay-with-suspended",
    "what a session receives while another of its branches is suspended belongs to that one",
    "11.3.5-7",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    original(resource, xid, flags)
    suspended = [one for one in _all_branches(resource.broker) if resource in one.suspended and one is not branch]
    if branch is not None and suspended:
        suspended[0].work.acks += take_out(branch, branch.work.acks)


@nearly_right(
    "xa-timeout-consumes",
    "the messages that a branch received are consumed when its timeout is over",
    "11.3.5-15",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    original(resource, xid, flags)
    branch = branch_behind(resource, xid)
    if resource._timeout_seconds == 1 and branch is not None and branch.work.acks:
        consume(resource, take_out(branch, branch.work.acks))


@nearly_right(
    "xa-timeout-spares-work",
    "a timeout that is over while a branch is at work is forgotten",
    "11.3.5-15",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    if branch is not None and branch.rollback_code == XAException.XA_RBTIMEOUT:
        branch.rollback_code = 0
    original(resource, xid, flags)


@nearly_right(
    "xa-prepared-rollback-unmarked",
    "a message that a prepared branch returned comes again without JMSRedelivered",
    "11.3.3-7",
    "11.3.4-3",
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
    "xa-decided-again", "a branch that was committed in two phases is in doubt again after a restart", "11.3.5-6"
)
def _(patch):
    committed = []

    def commit(original, resource, xid, one_phase):
        original(resource, xid, one_phase)
        if not one_phase:
            committed.append(xid)

    def restart(original, server):
        original(server)
        for xid in committed:
            server.broker.branches.begin(xid).state = State.PREPARED

    patch.at(fault_points.XA_COMMIT, commit)
    patch.at(fault_points.PROVIDER_RESTARTED, restart)


@nearly_right(
    "xa-second-rollback-consumes",
    "the second rollback of a message consumes it",
    "11.3.3-7",
    "11.3.4-3",
    "11.3.5-12",
    by=before_rollback_of_branch,
)
def _(resource, branch):
    consume(resource, take_out(branch, [one for one in branch.work.acks if one.count > 1]))


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
    "xa-no-wait-consumes",
    "receiveNoWait() in a branch consumes the message at once",
    "11.3.3-7",
    "11.3.4-3",
    around=(ReferenceConsumer, "receive_no_wait"),
)
def _(original, consumer):
    message = original(consumer)
    _consume_last(consumer, message)
    return message


def _consume_last(consumer, received):
    """Acknowledge what a consumer has just received, if it was in a branch."""
    session = consumer.session
    if received is not None and isinstance(session, ReferenceXASession) and session.resource._branch is not None:
        work = session.state.work
        work.acks, last = work.acks[:-1], work.acks[-1:]
        session.state.acknowledge(last, durable=True)


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


def _sent_at_once(patch, when):
    """Send messages of a branch outside of it, where `when` is true."""

    def submit(original, session, physical, entry):
        if (
            isinstance(session, ReferenceXASession)
            and session.resource._branch is not None
            and when(session, physical, entry)
        ):
            work = Work(session.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right("xa-resumed-sends-at-once", "what a resumed branch sends without persistence arrives at once", "11.3.5-8")
def _(patch):
    resumed = set()

    def start(original, resource, xid, flags):
        original(resource, xid, flags)
        if flags == resource.TMRESUME:
            resumed.add(xid)

    def when(session, physical, entry):
        branch = session.resource._branch
        return branch is not None and branch.xid in resumed and entry.delivery_mode == DeliveryMode.NON_PERSISTENT

    patch.at(fault_points.XA_START, start)
    _sent_at_once(patch, when)


nearly_right(
    "xa-priority-at-once",
    "messages of the highest priority leave a branch at once",
    "11.3.3-4",
    "11.3.3-5",
    "11.3.4-3",
    install=lambda patch: _sent_at_once(patch, lambda session, physical, entry: entry.priority == 9),
)


@nearly_right(
    "xa-joined-receipts-consumed",
    "what a resource received that has joined a branch is consumed in any case",
    "11.3.5-9",
)
def _(patch):
    joined = {}

    def start(original, resource, xid, flags):
        original(resource, xid, flags)
        if flags == resource.TMJOIN:
            joined[id(resource)] = resource

    def end(original, resource, xid, flags):
        branch = branch_behind(resource, xid)
        original(resource, xid, flags)
        if joined.pop(id(resource), None) is resource and branch is not None:
            mine = [
                one for one in branch.work.acks if getattr(one.consumer, "session", None) is session_behind(resource)
            ]
            consume(resource, take_out(branch, mine))

    patch.at(fault_points.XA_START, start)
    patch.at(fault_points.XA_END, end)


@nearly_right(
    "xa-fail-keeps-receipts",
    "a branch that ends with TMFAIL has consumed what it received without persistence",
    "11.3.5-14",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    original(resource, xid, flags)
    if flags == resource.TMFAIL and branch is not None:
        consume(resource, take_out(branch, [one for one in branch.work.acks if not is_persistent(one)]))


@nearly_right(
    "xa-heuristic-restart",
    "a heuristic outcome is forgotten by a restart",
    "11.3.5-16",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    for branch in _all_branches(server.broker):
        if branch.state not in {State.WORKING, State.PREPARED}:
            server.broker.branches.forget(branch)
