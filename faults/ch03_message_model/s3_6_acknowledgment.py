"""Faults in 3.6: acknowledgment."""

from faults.kit import *

saboteur(
    "3.6-1",
    "acknowledge() of a stream message does nothing",
    lambda patch: patch.replace(ReferenceStreamMessage, "acknowledge", lambda self: None),
)


def _acknowledge(patch, mode, fault):
    """Replace `Message.acknowledge` in sessions of one mode."""

    def acknowledge_from_message(original, session):
        if session.mode == mode:
            fault(session)
        else:
            original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge_from_message)


def _refuse(session):
    raise IllegalStateException("there is nothing to acknowledge")


saboteur(
    "3.6-2",
    "acknowledge() in DUPS_OK_ACKNOWLEDGE raises IllegalStateException",
    lambda patch: _acknowledge(patch, Session.DUPS_OK_ACKNOWLEDGE, _refuse),
)


def _settle(session):
    consumed = Work(session.broker)
    consumed.acks, session.state.work.acks = session.state.work.acks, []
    consumed.perform()


saboteur(
    "3.6-3",
    "acknowledge() in a transaction consumes the message for good",
    lambda patch: _acknowledge(patch, Session.SESSION_TRANSACTED, _settle),
)
