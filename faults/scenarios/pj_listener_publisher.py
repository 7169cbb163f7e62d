"""Faults with a listener that publishes in transactions."""

from faults.kit import *


@saboteur(
    "pj-listener-publisher-1",
    "a rollback by a listener sends the third message of the transaction",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    for physical, entry in work.sends[2:3] if session.in_listener() else ():
        SingleSend(session.broker, physical, entry).perform()
    original(session, work)


@saboteur(
    "pj-listener-publisher-2", "a rollback by a listener loses the third message received", at=fault_points.ROLLBACK
)
def _(original, session, work):
    if session.in_listener():
        lost = work.acks[2:3]
        del work.acks[2:3]
        session.state.acknowledge(lost, durable=True)
    original(session, work)


@saboteur(
    "pj-listener-publisher-3", "the first message that a listener sends in a transaction does not wait for the commit"
)
def _(patch):
    seen = set[ReferenceSession]()

    def submit(original, session, physical, entry):
        if session.mode == Session.SESSION_TRANSACTED and session.in_listener() and session not in seen:
            seen.add(session)
            SingleSend(session.broker, physical, entry).perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
