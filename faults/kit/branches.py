"""Helpers of faults in branches of distributed transactions."""

from faults.kit.seams import *


def session_behind(resource):
    """Return the session of a resource."""
    return resource._session


def branch_behind(resource, xid):
    """Return the branch that a call on a resource is about."""
    return None if xid is None else resource.broker.branches.find(xid)


def sessions_of_connections(patch):
    """Return a predicate which knows the XA sessions of connections from those behind XA contexts."""
    made = []

    def create(original, connection):
        session = original(connection)
        made.append(session)
        return session

    patch.around(ReferenceXAConnection, "create_xa_session", create)
    patch.around(ReferenceXAQueueConnection, "create_xa_queue_session", create)
    patch.around(ReferenceXATopicConnection, "create_xa_topic_session", create)
    return lambda session: any(one is session for one in made)


def contexts(patch):
    """Return a predicate which knows the sessions behind XA contexts."""
    ordinary = sessions_of_connections(patch)
    return lambda session: not ordinary(session)


def places_of_sends(branch):
    """Return the destinations that a branch has sent to, each once, in the order of the first sends."""
    return list(dict.fromkeys(physical for physical, _ in branch.work.sends))


def places_of_receipts(branch):
    """Return the destinations that a branch has received from, each once, in the order of the first receipts."""
    return list(dict.fromkeys(delivery.source.physical for delivery in branch.work.acks))


def drop_sends(branch, physical):
    """Forget what a branch has sent to a destination."""
    branch.work.sends = [one for one in branch.work.sends if one[0] is not physical]
    branch.work.routed_sends = [one for one in branch.work.routed_sends if one[0] is not physical]


def send_now(resource, branch, physical):
    """Send what a branch has sent to a destination, whatever becomes of the branch."""
    work = Work(resource.broker)
    work.sends = [one for one in branch.work.sends if one[0] is physical]
    drop_sends(branch, physical)
    work.perform()


def take_out(branch, deliveries):
    """Take deliveries out of a branch."""
    chosen = list(deliveries)
    branch.work.acks = [one for one in branch.work.acks if one not in chosen]
    return chosen


def consume(resource, deliveries):
    """Acknowledge deliveries, whatever becomes of their branch."""
    session_behind(resource).state.acknowledge(deliveries, durable=True)


def is_persistent(delivery):
    """Whether a message that was delivered is PERSISTENT."""
    return delivery.entry.delivery_mode == DeliveryMode.PERSISTENT


def known_branches(patch):
    """Return a set that holds the identifier of each branch that was ever begun."""
    known = set()

    def start(original, resource, xid, flags):
        original(resource, xid, flags)
        known.add(xid)

    patch.at(fault_points.XA_START, start)
    return known


def unknown_accepted(patch, point, when):
    """Return normally from a call about a branch that is not there, where `when` is true of its identifier."""

    def call(original, resource, xid, *arguments):
        try:
            return original(resource, xid, *arguments)
        except XAException as error:
            if error.error_code != XAException.XAER_NOTA or not when(xid):
                raise
            return None

    patch.at(point, call)


def before_commit_of_branch(patch, fault):
    """Run `fault` before a branch is committed, in one phase or before it is prepared for two."""

    def commit(original, resource, xid, one_phase):
        branch = branch_behind(resource, xid)
        if branch is not None and not branch.active:
            fault(resource, branch)
        original(resource, xid, one_phase)

    patch.at(fault_points.XA_COMMIT, commit)


def before_rollback_of_branch(patch, fault):
    """Run `fault` before a branch is rolled back by its transaction manager."""

    def rollback(original, resource, xid):
        branch = branch_behind(resource, xid)
        if branch is not None and not branch.active:
            fault(resource, branch)
        original(resource, xid)

    patch.at(fault_points.XA_ROLLBACK, rollback)
