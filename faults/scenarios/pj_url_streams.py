"""Faults of byte streams behind URLs."""

from faults.kit import *

BLOCK, MANY = 1024, 40


@saboteur("pj-url-streams-1", "the first byte behind a block of 1024 arrives as zero", by=arriving)
def _(_, entry, ordinal):
    body = entry.snapshot.body
    longer = isinstance(body, bytes) and BLOCK < len(body) < BLOCK + 5
    return [changed(entry, body=body[:BLOCK] + b"\0" + body[BLOCK + 1 :]) if longer else entry]


@saboteur("pj-url-streams-2", "a bytes message of three bytes is overtaken by the next", by=exchanged)
def _(_, entry, ordinal):
    body = entry.snapshot.body
    return ordinal == 1 and isinstance(body, bytes) and len(body) == len(b"one")


def _priority(patch, mode, wrong):
    """Let urgent messages of a mode that do not expire, or others that do, arrive with a wrong priority."""

    def fault(message, delivery):
        if delivery.delivery_mode == mode and bool(delivery.expiration) is (mode == DeliveryMode.NON_PERSISTENT):
            message.jms_priority = wrong

    as_received(patch, fault)


saboteur(
    "pj-url-streams-3",
    "PERSISTENT messages that do not expire arrive with priority 8",
    lambda patch: _priority(patch, DeliveryMode.PERSISTENT, 8),
)
saboteur(
    "pj-url-streams-4",
    "NON_PERSISTENT messages that expire arrive with priority 9",
    lambda patch: _priority(patch, DeliveryMode.NON_PERSISTENT, 9),
)


@saboteur("pj-url-streams-5", "a connection with more than forty sessions loses the first message of the last of them")
def _(patch):
    known = set[ReferenceSession]()

    def submit(original, session, physical, entry):
        sessions = session.connection.sessions
        lost = len(sessions) > MANY and session in sessions[MANY:] and session not in known
        known.add(session)
        if not lost:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


saboteur(
    "pj-url-streams-6",
    "an int property arrives without what is beyond ten bits",
    lambda patch: in_transit(patch, Int, lambda number: Int(number.value % BLOCK)),
)
