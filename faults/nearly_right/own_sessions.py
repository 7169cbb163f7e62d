"""Faults of sessions that are closed, and of empty selectors, under one condition only."""

from collections import Counter

from faults.kit import *


def _is_persistent(entry):
    return entry.delivery_mode == DeliveryMode.PERSISTENT


@nearly_right(
    "session-close-sends-non-persistent",
    "close of a session sends the NON_PERSISTENT messages of its open transaction",
    "6.2.15-14",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    if alone(session):
        work = Work(session.broker)
        work.sends = [one for one in session.state.work.sends if not _is_persistent(one[1])]
        work.perform()
    original(session)


@nearly_right(
    "session-close-forgets-listener",
    "close of a session that has committed before loses what its listener got in the open transaction",
    "6.2.15-15",
    "6.2.15-16",
)
def _forgets(patch):
    committed = set[ReferenceSession]()

    def commit(original, session):
        original(session)
        committed.add(session)

    def drop(original, session):
        if session in committed and session.dispatcher is not None and alone(session):
            lost, session.state.work.acks = session.state.work.acks, []
            session.state.acknowledge(lost, durable=True)
        original(session)

    patch.at(fault_points.COMMIT, commit)
    patch.at(fault_points.SESSION_ENDED, drop)


@nearly_right(
    "session-close-drops-second-send",
    "the second message that a listener sends while its session is being closed is lost",
    "6.2.15-7",
)
def _drops(patch):
    sent = Counter[ReferenceSession]()

    def submit(original, session, *arguments):
        sent[session] += alone(session) and session.in_listener()
        if sent[session] != 2:
            original(session, *arguments)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right(
    "empty-selector-persistent-only",
    "a consumer of a queue with an empty selector in a transacted session gets PERSISTENT messages only",
    "8.1-5",
    at=fault_points.PLAIN_CONSUMER_OPENED,
)
def _(original, session, *arguments):
    receiver = original(session, *arguments)
    empty = isinstance(arguments[1], str) and not arguments[1]
    if empty and session.mode == Session.SESSION_TRANSACTED and isinstance(receiver.physical, PhysicalQueue):
        receiver.matches = _is_persistent
    return receiver
