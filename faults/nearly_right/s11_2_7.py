"""Narrow faults of section 11.2.7."""

from collections import defaultdict

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "failing-pool-loses-non-persistent-messages",
    "the NON_PERSISTENT message that a connection consumer has in hand is lost if the pool raises an exception",
    "11.2.7-1",
)
def _(patch):
    last = {}

    def take_message(original, receiver):
        taken = original(receiver)
        if taken is not None:
            last[taken.consumer] = taken
        return taken

    def take(original, consumer):
        try:
            return original(consumer)
        except Exception:
            held = last.get(consumer)
            if held is not None and held.entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
                held.held = False
            raise

    patch.at(fault_points.MESSAGE_TAKEN, take_message)
    patch.at(server_points.SERVER_SESSION_TAKEN, take)


@nearly_right(
    "acknowledge-covers-loaded-messages",
    "acknowledge() in a session's own listener acknowledges the loaded messages too that have not reached it yet",
    "11.2.7-1 11.2.7-2",
)
def _(patch):
    acknowledged = list[Delivery]()

    def acknowledge(original, session):
        original(session)
        if session.runner.is_current_thread() and session.mode == Session.CLIENT_ACKNOWLEDGE:
            acknowledged.extend(session.runner.loaded)

    def drop(original, runner):
        return [one for one in original(runner) if one not in acknowledged]

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)
    patch.at(server_points.SESSION_UNLOADED, drop)


of_round(10)(
    "only-one-of-the-messages-that-never-ran-returns",
    "of several messages loaded into a session that is closed before it runs, only the first goes back",
    "11.2.7-1",
    install=lambda patch: patch.at(server_points.SESSION_UNLOADED, lambda original, runner: original(runner)[:1]),
)


@nearly_right(
    "own-listener-acknowledged-before-its-call",
    "in AUTO_ACKNOWLEDGE a message of a durable subscription is acknowledged before the session's own listener is called",
    "11.2.7-2",
)
def _(patch):
    early = list[Delivery]()

    def fault(call, runner, listener, delivery):
        session = runner.session
        if session.mode != Session.AUTO_ACKNOWLEDGE or delivery.source.subscription is None:
            return call(runner, listener, delivery)
        session.state.settle(delivery)
        early.append(delivery)
        call(runner, listener, delivery)
        return False

    def settle(original, state, delivery):
        if not any(one is delivery for one in early):
            original(state, delivery)

    patch.at(fault_points.SETTLED, settle)
    patch.at(server_points.OWN_LISTENER_CALLED, fault)


@nearly_right(
    "commit-covers-one-run",
    "a commit in a server session covers the messages of the current run() only; those of earlier runs come again",
    "11.2.7-2",
)
def _(patch):
    carried = defaultdict[ReferenceSession, list[Delivery]](list)

    def run(original, session):
        carried[session] = list(session.state.work.acks)
        original(session)

    def commit(original, session):
        work = session.state.work
        old = [one for one in work.acks if one in carried[session]]
        work.acks = [one for one in work.acks if one not in old]
        original(session)
        session.broker.redelivery.redeliver(old)

    patch.around(ReferenceSession, "run", run)
    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "failing-own-listener-loses-messages-of-a-topic",
    "in AUTO_ACKNOWLEDGE a message of a non-durable subscription is not redelivered when the own listener fails",
    "11.2.7-2",
    at=server_points.OWN_LISTENER_CALLED,
)
def _(call, runner, listener, delivery):
    failed = call(runner, listener, delivery)
    lasting = isinstance(delivery.source.physical, PhysicalQueue) or delivery.source.subscription is not None
    return failed and lasting


@nearly_right(
    "recover-within-a-batch-is-ignored",
    "recover() of a session's own listener has no effect while other messages are loaded",
    "11.2.7-2",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if not (session.runner.is_current_thread() and session.runner.loaded):
        original(session)


@of_round(10)(
    "acknowledge-takes-the-rest-of-the-batch-along",
    "acknowledge within run also acknowledges the loaded messages that the listener has not had yet",
    "11.2.7-2 11.2.7-1",
    at=fault_points.ACKNOWLEDGED,
)
def _(original, session):
    original(session)
    if session.runner.is_current_thread():
        loaded = list(session.runner.loaded)
        session.state.acknowledge(loaded, durable=True)
        for delivery in loaded:
            delivery.held = False


@of_round(8)(
    "acknowledge-after-the-run-is-ignored",
    "acknowledge() of a message of a connection consumer has no effect once run() has returned",
    "11.2.7-2",
    at=fault_points.MESSAGE_ACKNOWLEDGED,
)
def _(original, session):
    session.check_open()
    fed = any(isinstance(one.consumer, ReferenceConnectionConsumer) for one in session.state.unacknowledged)
    if not fed or session.runner._current is not None:
        original(session)
