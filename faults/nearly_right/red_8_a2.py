"""Red round 8, second half: faults of connection consumers and of distributed transactions, written without sight of the suite.

Declared by `nearly_right`.
"""

from faults.kit import *

# --- 11.2 Connection consumers and server sessions --------------------------------------------------------------------


@of_round(8)(
    "closed-durable-connection-consumer-occupies-its-subscription",
    "an unshared durable subscription stays in use after its connection consumer was closed, until the connection is closed",
    "11.2.4-16",
    "11.2.4-8",
    noticed=False,
)
def _occupies(patch):
    occupied = {}
    close_consumer, end = ReferenceConnectionConsumer.close, ReferenceConnection._end

    def close(self):
        subscription = self._receiver.subscription
        connection = self.connection
        leaves = not self._closed and not connection.is_down()
        close_consumer(self)
        if leaves and subscription is not None and subscription.durable and not subscription.shared:
            subscription.consumers += 1
            occupied.setdefault(connection, []).append(subscription)

    def ended(self):
        for subscription in occupied.pop(self, []):
            subscription.consumers -= 1
        end(self)

    patch.replace(ReferenceConnectionConsumer, "close", close)
    patch.replace(ReferenceConnection, "_end", ended)


@of_round(8)(
    "pool-that-blocks-stops-the-listeners-of-the-connection",
    "message listeners of other sessions get nothing while a connection consumer of their connection waits for its pool",
    "11.2.3-2",
    noticed=False,
)
def _stops_listeners(patch):
    waiting = {}
    may_deliver = ReferenceSession.may_deliver

    def listens(session):
        return session.dispatcher is not None and bool(session.dispatcher.consumers)

    def allowed(self):
        return may_deliver(self) and not (waiting.get(self.connection) and listens(self))

    def take_server_session(original, consumer):
        connection = consumer.connection
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


@of_round(8)(
    "session-is-started-for-a-message-that-has-expired",
    "a server session is started without a message if the message has expired while the pool blocked",
    "11.2.5-2",
    "11.2.5-1",
    noticed=False,
    at=asf_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    broker = consumer.connection.broker
    with broker.lock:
        if not broker.is_expired(first.entry):
            following = first
        else:
            first.remove_from_queue()
            broker.discard(first.source, first.entry)
            following = consumer._receiver.take()
    return following is None or original(consumer, runner, following)


@of_round(8)(
    "failing-own-listener-ends-the-run",
    "run() returns when the session's own listener raises, and leaves the rest of the batch to the next run()",
    "11.2.1-4",
)
def _ends_the_run(patch):
    failing = set()

    def call_listener(original, runner, listener, delivery):
        failed = original(runner, listener, delivery)
        if failed:
            failing.add(runner)
        return failed

    def next_delivery(original, runner):
        if runner in failing:
            failing.discard(runner)
            return None
        return original(runner)

    patch.at(asf_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(asf_points.RUN_CONTINUED, next_delivery)


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


# --- 11.3 Distributed transactions ------------------------------------------------------------------------------------


@of_round(8)(
    "xa-rollback-of-an-unknown-branch-dooms-the-present-one",
    "rollback of an unknown xid raises XAER_NOTA, and the branch that its resource works on can only be rolled back",
    "11.3.5-7",
    "11.3.5-3",
    at=fault_points.XA_ROLLBACK,
)
def _(original, resource, xid):
    try:
        original(resource, xid)
    except XAException as error:
        if error.error_code == XAException.XAER_NOTA and resource._branch is not None:
            with resource.broker.lock:
                resource.fail(resource._branch)
        raise


@of_round(8)(
    "xa-severed-link-rolls-prepared-branches-back",
    "a branch that is prepared is rolled back when the link of the connection that prepared it breaks",
    "11.3.5-6",
)
def _severed(patch):
    prepared = {}

    def prepare(original, resource, xid):
        vote = original(resource, xid)
        branch = None if xid is None else resource.broker.branches.find(xid)
        if branch is not None:
            prepared.setdefault(resource._session.connection, []).append(branch)
        return vote

    def sever(original, connection, why):
        original(connection, why)
        branches = connection.broker.branches
        for branch in prepared.pop(connection, []):
            if branches.find(branch.xid) is branch and branch.state is State.PREPARED:
                branches.rollback_prepared(branch)

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.LINK_LOST, sever)


@of_round(8)(
    "xa-prepare-of-non-persistent-receipts-consumes-them",
    "prepare of a branch that has received NON_PERSISTENT messages and done nothing else consumes them and votes XA_RDONLY",
    "11.3.5-2",
    "11.3.3-7",
    at=fault_points.XA_PREPARE,
)
def _(original, resource, xid):
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


@of_round(8)(
    "xa-timeout-rolls-prepared-branches-back",
    "a branch that was prepared in time is rolled back when its transaction timeout is over",
    "11.3.5-2",
    "11.3.5-15",
    "11.3.5-5",
)
def _timed_out(patch):
    def prepare(original, resource, xid):
        broker = resource.broker
        branch = None if xid is None else broker.branches.find(xid)
        vote = original(resource, xid)
        if branch is not None and branch.timer is not None and vote == ReferenceXAResource.XA_OK:
            branch.timer = broker.clock.call_at(branch.timer.when, lambda: time_out(broker.branches, branch))
        return vote

    def time_out(branches, branch):
        if branches.find(branch.xid) is branch and branch.state is State.PREPARED:
            branches.rollback_prepared(branch)

    patch.at(fault_points.XA_PREPARE, prepare)


@of_round(8)(
    "xa-server-session-works-outside-of-the-branch",
    "what run() passes on in an XA session is consumed at once, whatever becomes of the branch that was started for it",
    "11.3.3-7",
    "11.2.7-2",
    noticed=False,
)
def _outside(patch):
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


@of_round(8)(
    "xa-restart-spares-the-first-subscription-only",
    "after a restart the commit of a prepared branch brings what it published to one durable subscription, not to all",
    "11.3.5-6",
    "11.3.3-4",
)
def _first_subscription(patch):
    original = Branches._recover_sends

    def recover_sends(self, branch, *tables):
        original(self, branch, *tables)
        branch.work.routed_sends = [(physical, entry, to[:1]) for physical, entry, to in branch.work.routed_sends]

    patch.replace(Branches, "_recover_sends", recover_sends)
