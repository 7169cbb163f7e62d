"""Faults in 8.6: messages whose receiveBody failed."""

from faults.kit import *

AUTO, LAZY = Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE


CLIENT, TRANSACTED = Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED


NEXT = "the case looks at the message that comes next"


def _after_failure(patch, mode, fault):
    """Run `fault` after a receiveBody has failed in a mode and its delivery is settled as the mode demands."""

    def hand_out_body(original, consumer, delivery, read):
        try:
            return original(consumer, delivery, read)
        except MessageFormatException:
            if consumer.session.state.mode == mode:
                fault(consumer.session, delivery)
            raise

    patch.at(fault_points.BODY_RECEIVED, hand_out_body)


def _forget(session, delivery):
    """Remove the message from the queue that it was returned to."""
    delivery.source.remove(delivery.entry.number, delivery.entry.priority)


FAILED_AUTO = {"8.6-22": NEXT, "8.6-23": NEXT}
saboteur(
    "8.6-21",
    "a failed receiveBody loses its message in AUTO_ACKNOWLEDGE",
    lambda patch: _after_failure(patch, AUTO, _forget),
    collateral=FAILED_AUTO,
)


def _shows_redelivered(patch, mode, redelivered):
    """Change JMSRedelivered of deliveries whose receiveBody failed before in a mode."""
    failed = []
    _after_failure(patch, mode, lambda session, delivery: failed.append(delivery.entry))

    def fault(message, delivery):
        if any(delivery.entry is one for one in failed):
            message.jms_redelivered = redelivered

    as_received(patch, fault)


def _counts(patch, mode, count):
    """Change JMSXDeliveryCount of deliveries whose receiveBody failed before in a mode."""
    failed = []
    _after_failure(patch, mode, lambda session, delivery: failed.append(delivery.entry))

    def counted(delivery):
        return Int(count if any(delivery.entry is one for one in failed) else delivery.count)

    provider_property(patch, "JMSXDeliveryCount", counted)


saboteur(
    "8.6-22",
    "a failed receiveBody sets JMSRedelivered in AUTO_ACKNOWLEDGE",
    lambda patch: _shows_redelivered(patch, AUTO, True),
)
saboteur(
    "8.6-23", "a failed receiveBody counts as a delivery in AUTO_ACKNOWLEDGE", lambda patch: _counts(patch, AUTO, 2)
)
saboteur(
    "8.6-24",
    "a failed receiveBody loses its message in DUPS_OK_ACKNOWLEDGE",
    lambda patch: _after_failure(patch, LAZY, _forget),
)


def _again_at_once(session, delivery):
    """Return the message of a failed call to its stream, as AUTO_ACKNOWLEDGE does."""
    with session.broker.lock:
        session.state.cancel_delivery(delivery)


CLIENT_ROWS = dict.fromkeys(("8.6-26", "8.6-27", "8.6-28"), NEXT)


TRANSACTED_ROWS = dict.fromkeys(("8.6-30", "8.6-31", "8.6-32"), NEXT)
saboteur(
    "8.6-25",
    "a failed receiveBody redelivers its message at once in CLIENT_ACKNOWLEDGE",
    lambda patch: _after_failure(patch, CLIENT, _again_at_once),
    collateral=CLIENT_ROWS,
)
saboteur(
    "8.6-26",
    "a failed receiveBody acknowledges its message in CLIENT_ACKNOWLEDGE",
    lambda patch: settled_by_receive_body(patch, CLIENT, failed=True),
    collateral={"8.6-27": NEXT, "8.6-28": NEXT},
)
saboteur(
    "8.6-27",
    "recover() redelivers the message of a failed receiveBody without JMSRedelivered",
    lambda patch: _shows_redelivered(patch, CLIENT, False),
)
saboteur(
    "8.6-28",
    "recover() redelivers the message of a failed receiveBody with count 1",
    lambda patch: _counts(patch, CLIENT, 1),
)
saboteur(
    "8.6-29",
    "a failed receiveBody redelivers its message at once in a transaction",
    lambda patch: _after_failure(patch, TRANSACTED, _again_at_once),
    collateral=TRANSACTED_ROWS,
)


@saboteur("8.6-30", "commit does not acknowledge the message of a failed receiveBody")
def _(patch):
    failed = []
    _after_failure(patch, TRANSACTED, lambda session, delivery: failed.append(delivery))

    def commit(original, session):
        work = session.state.work
        left = [one for one in work.acks if any(one is each for each in failed)]
        work.acks = [one for one in work.acks if one not in left]
        original(session)
        session.broker.redelivery.redeliver(left)

    patch.at(fault_points.COMMIT, commit)


saboteur(
    "8.6-31",
    "rollback redelivers the message of a failed receiveBody without JMSRedelivered",
    lambda patch: _shows_redelivered(patch, TRANSACTED, False),
)
saboteur(
    "8.6-32",
    "rollback redelivers the message of a failed receiveBody with count 1",
    lambda patch: _counts(patch, TRANSACTED, 1),
)
