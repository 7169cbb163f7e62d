"""Faults of section 11.3 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _run_in_branch(provider):
    queue, started, got = provider.create_queue("red"), provider.clock.event(), []
    send_texts(context_of(provider), queue, "a")
    connection, session, resource = xa_session_of(provider)
    session.message_listener = Listening(lambda message: got.append(message.text))
    consumer = connection.create_connection_consumer(queue, None, Serving(session, start=started.set), 1)
    resource.start(FIRST, NO_FLAGS)
    started.wait(1000)
    session.run()
    resource.end(FIRST, SUCCESS)
    consumer.close()
    resource.rollback(FIRST)
    return got, texts_at(provider, queue)


@of_round(8)(
    "xa-server-session-works-outside-of-the-branch",
    "what run() passes on in an XA session is consumed at once, whatever becomes of the branch that was started for it",
    "11.3.3-7 11.2.7-2",
    witness=_run_in_branch,
    expected=(["a"], ["a"]),
)
def _(patch):
    def next_delivery(original, runner):
        delivery = original(runner)
        session = runner.session
        if delivery is None or not isinstance(session, ReferenceXASession):
            return delivery
        with session.broker.lock:
            if session.state.mode == Session.SESSION_TRANSACTED:
                session.state.work.acks.remove(delivery)
        return delivery

    def call_listener(original, runner, listener, delivery):
        failed = original(runner, listener, delivery)
        session = runner.session
        if isinstance(session, ReferenceXASession) and delivery.transaction is not None:
            SingleAcknowledgement(session.broker, delivery, durable=True).perform()
        return failed

    patch.at(asf_points.RUN_CONTINUED, next_delivery)
    patch.at(asf_points.OWN_LISTENER_CALLED, call_listener)


def _sends(session, queue, text):
    session.create_producer(queue).send(session.create_text_message(text))


def _branch(manager, xid, queue, text, flags=SUCCESS):
    """Send a message in a new branch and end it; return the resource."""
    session, resource = manager
    resource.start(xid, NO_FLAGS)
    _sends(session, queue, text)
    resource.end(xid, flags)
    return resource


def _scans(provider):
    queue = provider.create_queue("red")
    resource = _branch(xa_session_of(provider)[1:], FIRST, queue, "one")
    resource.prepare(FIRST)
    return [len(resource.recover(XAResource.TMSTARTRSCAN)) for _ in range(2)]


@of_round(10)(
    "scan-begun-anew-lists-nothing",
    "recover with TMSTARTRSCAN lists nothing if the scan before was not ended",
    "11.3.5-5 11.3.5-1",
    witness=_scans,
    expected=[1, 1],
    at=fault_points.XA_RECOVER,
)
def _(original, resource, flags):
    return original(resource, flags & ~XAResource.TMSTARTRSCAN if resource._scan_open else flags)


def _two_formats(provider):
    queue = provider.create_queue("red")
    manager = xa_session_of(provider)[1:]
    _branch(manager, FIRST, queue, "one")
    return refusal(lambda: _branch(manager, Xid(2, b"red", b"1"), queue, "two"))


@of_round(10)(
    "format-identifier-does-not-tell-branches-apart",
    "two branches whose identifiers differ in the format identifier alone are taken for one",
    "11.3.5-7 11.3.5-1",
    witness=_two_formats,
    expected=None,
    around=(Branches, "find"),
)
def _(original, branches, xid):
    found = original(branches, xid)
    if found is None:
        parts = (xid.global_transaction_id, xid.branch_qualifier)
        for other, branch in branches._branches.items():
            if (other.global_transaction_id, other.branch_qualifier) == parts:
                return branch
    return found


def _one_producer(provider):
    queue = provider.create_queue("red")
    session, resource = xa_session_of(provider)[1:]
    producer = session.create_producer(queue)
    resource.start(FIRST, NO_FLAGS)
    producer.send(session.create_text_message("one"))
    resource.end(FIRST, SUSPEND)
    resource.start(SECOND, NO_FLAGS)
    producer.send(session.create_text_message("two"))
    resource.end(SECOND, SUCCESS)
    resource.commit(SECOND, True)
    return texts_at(provider, queue)


@of_round(10)(
    "producer-stays-with-its-first-branch",
    "a producer that has sent in a branch which is now suspended sends in that branch, whichever is active",
    "11.3.5-7 11.3.5-8 11.3.3-4",
    witness=_one_producer,
    expected=["two"],
)
def _(patch):
    homes = {}  # producers by identity: the branch of the first send

    def send_now(original, producer, message, target, options):
        session = producer.session
        state = session.state
        if not isinstance(session, ReferenceXASession) or state.mode != Session.SESSION_TRANSACTED:
            original(producer, message, target, options)
            return
        work = state.work
        _, home = homes.setdefault(id(producer), (producer, work))
        suspended = [one.work for one in session.broker.branches._branches.values() if one.suspended]
        state.work = home if any(one is home for one in suspended) else work
        try:
            original(producer, message, target, options)
        finally:
            state.work = work

    patch.around(ReferenceProducer, "send_now", send_now)


def _failed_joined(provider):
    queue = provider.create_queue("red")
    (session, first), (_, second) = xa_session_of(provider)[1:], xa_session_of(provider)[1:]
    first.start(FIRST, NO_FLAGS)
    second.start(FIRST, JOIN)
    _sends(session, queue, "one")
    first.end(FIRST, FAIL)
    second.end(FIRST, SUCCESS)
    return refusal(lambda: first.commit(FIRST, True)) is not None, texts_at(provider, queue)


@of_round(10)(
    "success-of-one-resource-covers-the-failure-of-another",
    "a branch that one resource has ended with TMFAIL can be committed if another that joined it ends with TMSUCCESS later",
    "11.3.5-14 11.3.5-9",
    witness=_failed_joined,
    expected=(True, []),
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    original(resource, xid, flags)
    if branch is not None and flags == XAResource.TMSUCCESS and branch.rollback_code == XAException.XA_RBROLLBACK:
        branch.rollback_code = 0


def _failed_suspended(provider):
    queue = provider.create_queue("red")
    resource = _branch(xa_session_of(provider)[1:], FIRST, queue, "one", SUSPEND)
    resource.end(FIRST, FAIL)
    return refusal(lambda: resource.commit(FIRST, True)) is not None, texts_at(provider, queue)


@of_round(10)(
    "failure-of-a-suspended-branch-is-not-noted",
    "a branch that is ended with TMFAIL while it is suspended can be committed",
    "11.3.5-14",
    witness=_failed_suspended,
    expected=(True, []),
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    suspended = branch is not None and resource in branch.suspended
    original(resource, xid, XAResource.TMSUCCESS if suspended and flags == XAResource.TMFAIL else flags)


def _timed_out(provider):
    queue = provider.create_queue("red")
    session, resource = xa_session_of(provider)[1:]
    resource.set_transaction_timeout(1)
    resource.start(FIRST, NO_FLAGS)
    _sends(session, queue, "one")
    resource.end(FIRST, SUSPEND)
    provider.clock.event().wait(3000)
    refusal(lambda: [resource.start(FIRST, RESUME), resource.end(FIRST, SUCCESS), resource.commit(FIRST, True)])
    return texts_at(provider, queue)


@of_round(10)(
    "suspended-branch-outlives-its-timeout",
    "the transaction timeout of a branch passes without effect while the branch is suspended",
    "11.3.5-15",
    witness=_timed_out,
    expected=[],
    around=(ReferenceXAResource, "_time_out"),
)
def _(original, resource, branch):
    if not branch.suspended:
        original(resource, branch)
