"""Red round 8, second half: faults of connection consumers and of distributed transactions, written without sight of the suite.

Declared by `nearly_right`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.transactions import SingleAcknowledgement
from reference_provider.broker.xa_branches import Branch, Branches, State
from reference_provider.client.application_server import fault_points as asf_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.objects import ReferenceXASession
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import DeliveryMode, MessageListener, ServerSession, Session, XAException, Xid

# --- 11.2 Connection consumers and server sessions --------------------------------------------------------------------


@nearly_right(
    "closed-durable-connection-consumer-occupies-its-subscription",
    "an unshared durable subscription stays in use after its connection consumer was closed, until the connection is closed",
    "11.2.4-16",
    "11.2.4-8",
    noticed=False,
)
def _occupies(patch: Patch) -> None:
    occupied: dict[object, list[Subscription]] = {}
    close_consumer, end = ReferenceConnectionConsumer.close, ReferenceConnection._end

    def close(self: ReferenceConnectionConsumer) -> None:
        subscription = self._receiver.subscription
        connection: Any = self.connection
        leaves = not self._closed and not connection.is_down()
        close_consumer(self)
        if leaves and subscription is not None and subscription.durable and not subscription.shared:
            subscription.consumers += 1
            occupied.setdefault(connection, []).append(subscription)

    def ended(self: ReferenceConnection) -> None:
        for subscription in occupied.pop(self, []):
            subscription.consumers -= 1
        end(self)

    patch.replace(ReferenceConnectionConsumer, "close", close)
    patch.replace(ReferenceConnection, "_end", ended)


@nearly_right(
    "pool-that-blocks-stops-the-listeners-of-the-connection",
    "message listeners of other sessions get nothing while a connection consumer of their connection waits for its pool",
    "11.2.3-2",
    noticed=False,
)
def _stops_listeners(patch: Patch) -> None:
    waiting: dict[object, int] = {}
    may_deliver = ReferenceSession.may_deliver

    def listens(session: ReferenceSession) -> bool:
        return session.dispatcher is not None and bool(session.dispatcher.consumers)

    def allowed(self: ReferenceSession) -> bool:
        return may_deliver(self) and not (waiting.get(self.connection) and listens(self))

    def take_server_session(
        original: Callable[[ReferenceConnectionConsumer], ServerSession], consumer: ReferenceConnectionConsumer
    ) -> ServerSession:
        connection: Any = consumer.connection
        with connection.broker.lock:
            waiting[connection] = waiting.get(connection, 0) + 1
            for session in connection.sessions:
                if listens(session):
                    session.slot.open = False
        try:
            return original(consumer)
        finally:
            with connection.broker.lock:
                waiting[connection] -= 1
                connection._wake_all()

    patch.replace(ReferenceSession, "may_deliver", allowed)
    patch.at(asf_points.SERVER_SESSION_TAKEN, take_server_session)


@nearly_right(
    "session-is-started-for-a-message-that-has-expired",
    "a server session is started without a message if the message has expired while the pool blocked",
    "11.2.5-2",
    "11.2.5-1",
    noticed=False,
)
def _started_for_nothing(patch: Patch) -> None:
    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        broker = consumer.connection.broker
        with broker.lock:
            if not broker.is_expired(first.entry):
                following: Delivery | None = first
            else:
                first.remove_from_queue()
                broker.discard(first.source, first.entry)
                following = consumer._receiver.take()
        return following is None or original(consumer, runner, following)

    patch.at(asf_points.SESSION_LOADED, load)


@nearly_right(
    "failing-own-listener-ends-the-run",
    "run() returns when the session's own listener raises, and leaves the rest of the batch to the next run()",
    "11.2.1-4",
)
def _ends_the_run(patch: Patch) -> None:
    failing: set[ServerSessionRunner] = set()

    def call_listener(
        original: Callable[..., bool], runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery
    ) -> bool:
        failed = original(runner, listener, delivery)
        if failed:
            failing.add(runner)
        return failed

    def next_delivery(
        original: Callable[[ServerSessionRunner], Delivery | None], runner: ServerSessionRunner
    ) -> Delivery | None:
        if runner in failing:
            failing.discard(runner)
            return None
        return original(runner)

    patch.at(asf_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(asf_points.RUN_CONTINUED, next_delivery)


@nearly_right(
    "acknowledge-after-the-run-is-ignored",
    "acknowledge() of a message of a connection consumer has no effect once run() has returned",
    "11.2.7-2",
)
def _ignored_after_run(patch: Patch) -> None:
    def acknowledge_from_message(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        session.check_open()
        fed = any(isinstance(one.consumer, ReferenceConnectionConsumer) for one in session.state.unacknowledged)
        if not fed or session.runner._current is not None:
            original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge_from_message)


# --- 11.3 Distributed transactions ------------------------------------------------------------------------------------


@nearly_right(
    "xa-rollback-of-an-unknown-branch-dooms-the-present-one",
    "rollback of an unknown xid raises XAER_NOTA, and the branch that its resource works on can only be rolled back",
    "11.3.5-7",
    "11.3.5-3",
)
def _dooms(patch: Patch) -> None:
    def rollback(
        original: Callable[[ReferenceXAResource, Xid | None], None], resource: ReferenceXAResource, xid: Xid | None
    ) -> None:
        try:
            original(resource, xid)
        except XAException as error:
            if error.error_code == XAException.XAER_NOTA and resource._branch is not None:
                with resource.broker.lock:
                    resource.fail(resource._branch)
            raise

    patch.at(fault_points.XA_ROLLBACK, rollback)


@nearly_right(
    "xa-severed-link-rolls-prepared-branches-back",
    "a branch that is prepared is rolled back when the link of the connection that prepared it breaks",
    "11.3.5-6",
)
def _severed(patch: Patch) -> None:
    prepared: dict[object, list[Branch]] = {}

    def prepare(
        original: Callable[[ReferenceXAResource, Xid | None], int], resource: ReferenceXAResource, xid: Xid | None
    ) -> int:
        vote = original(resource, xid)
        branch = None if xid is None else resource.broker.branches.find(xid)
        if branch is not None:
            prepared.setdefault(resource._session.connection, []).append(branch)
        return vote

    def sever(original: Callable[[ReferenceConnection, str], None], connection: ReferenceConnection, why: str) -> None:
        original(connection, why)
        branches = connection.broker.branches
        for branch in prepared.pop(connection, []):
            if branches.find(branch.xid) is branch and branch.state is State.PREPARED:
                branches.rollback_prepared(branch)

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.LINK_LOST, sever)


@nearly_right(
    "xa-prepare-of-non-persistent-receipts-consumes-them",
    "prepare of a branch that has received NON_PERSISTENT messages and done nothing else consumes them and votes XA_RDONLY",
    "11.3.5-2",
    "11.3.3-7",
)
def _votes_read_only(patch: Patch) -> None:
    def prepare(
        original: Callable[[ReferenceXAResource, Xid | None], int], resource: ReferenceXAResource, xid: Xid | None
    ) -> int:
        branch = None if xid is None else resource.broker.branches.find(xid)
        if branch is None or branch.active or branch.rollback_code or branch.state is not State.WORKING:
            return original(resource, xid)
        work = branch.work
        modes = {one.entry.delivery_mode for one in work.acks}
        if work.sends or modes != {DeliveryMode.NON_PERSISTENT}:
            return original(resource, xid)
        work.perform()
        with resource.broker.lock:
            resource.broker.branches.forget(branch)
        return ReferenceXAResource.XA_RDONLY

    patch.at(fault_points.XA_PREPARE, prepare)


@nearly_right(
    "xa-timeout-rolls-prepared-branches-back",
    "a branch that was prepared in time is rolled back when its transaction timeout is over",
    "11.3.5-2",
    "11.3.5-15",
    "11.3.5-5",
)
def _timed_out(patch: Patch) -> None:
    def prepare(
        original: Callable[[ReferenceXAResource, Xid | None], int], resource: ReferenceXAResource, xid: Xid | None
    ) -> int:
        broker = resource.broker
        branch = None if xid is None else broker.branches.find(xid)
        vote = original(resource, xid)
        if branch is not None and branch.timer is not None and vote == ReferenceXAResource.XA_OK:
            branch.timer = broker.clock.call_at(branch.timer.when, lambda: time_out(broker.branches, branch))
        return vote

    def time_out(branches: Branches, branch: Branch) -> None:
        if branches.find(branch.xid) is branch and branch.state is State.PREPARED:
            branches.rollback_prepared(branch)

    patch.at(fault_points.XA_PREPARE, prepare)


@nearly_right(
    "xa-server-session-works-outside-of-the-branch",
    "what run() passes on in an XA session is consumed at once, whatever becomes of the branch that was started for it",
    "11.3.3-7",
    "11.2.7-2",
    noticed=False,
)
def _outside(patch: Patch) -> None:
    def next_delivery(
        original: Callable[[ServerSessionRunner], Delivery | None], runner: ServerSessionRunner
    ) -> Delivery | None:
        delivery = original(runner)
        session = runner.session
        if delivery is None or not isinstance(session, ReferenceXASession):
            return delivery
        with session.broker.lock:
            if session.state.mode == Session.SESSION_TRANSACTED:
                session.state.work.acks.remove(delivery)
        return delivery

    def call_listener(
        original: Callable[..., bool], runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery
    ) -> bool:
        failed = original(runner, listener, delivery)
        session = runner.session
        if isinstance(session, ReferenceXASession) and delivery.transaction is not None:
            SingleAcknowledgement(session.broker, delivery, durable=True).perform()
        return failed

    patch.at(asf_points.RUN_CONTINUED, next_delivery)
    patch.at(asf_points.OWN_LISTENER_CALLED, call_listener)


@nearly_right(
    "xa-restart-spares-the-first-subscription-only",
    "after a restart the commit of a prepared branch brings what it published to one durable subscription, not to all",
    "11.3.5-6",
    "11.3.3-4",
)
def _first_subscription(patch: Patch) -> None:
    original = Branches._recover_sends

    def recover_sends(self: Branches, branch: Branch, *tables: Any) -> None:
        original(self, branch, *tables)
        branch.work.routed_sends = [(physical, entry, to[:1]) for physical, entry, to in branch.work.routed_sends]

    patch.replace(Branches, "_recover_sends", recover_sends)
