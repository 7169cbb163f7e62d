"""Faults in 6.2.10: recover(), and the marks of redelivered messages."""

from collections import defaultdict

from faults.kit import *


def _recovering(patch, fault):
    """Replace recover() outside of transactions."""

    def recover(original, session):
        if session.mode == Session.SESSION_TRANSACTED:
            original(session)
        else:
            fault(lambda: original(session), session)

    patch.around(ReferenceSession, "recover", recover)


def _flag_lost(patch, mode, from_=3):
    """Leave JMSRedelivered unset up to the third delivery of a message in this mode, beginning with that number."""

    def message_of(original, session, delivery):
        message = original(session, delivery)
        if session.mode == mode and from_ <= delivery.count <= 3:
            message.jms_redelivered = False
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


def _count_stuck(patch, mode):
    """Count no delivery beyond the third in sessions of this mode."""

    def message_of(original, session, delivery):
        if session.mode == mode:
            delivery.count = min(delivery.count, 3)
        return original(session, delivery)

    patch.at(fault_points.MESSAGE_MADE, message_of)


@saboteur(
    "6.2.10-23",
    "recover() covers only the consumer used last",
    collateral={"6.2.10-31": "it recovers what two consumers got"},
    by=_recovering,
)
def _(honest, session):
    owed = session.state.unacknowledged
    if owed:
        session.state.unacknowledged = [one for one in owed if one.consumer is owed[-1].consumer]
    honest()


@saboteur(
    "6.2.10-24",
    "a second recover() keeps back what came since the first, until the session is closed",
    collateral={"6.2.10-23": "it receives more before its second recover() than before the first"},
)
def _(patch):
    recovered = []

    def recover(honest, session):
        owed = session.state.unacknowledged
        again = [one for one in owed if one.count > 1]
        kept = [one for one in owed if one.count == 1] if again and session in recovered else []
        session.state.unacknowledged = [one for one in owed if one not in kept]
        recovered.append(session)
        honest()
        session.state.unacknowledged += kept

    _recovering(patch, recover)


@saboteur(
    "6.2.10-25",
    "after recover() the session delivers no more",
    collateral={
        **dict.fromkeys(
            (
                "6.2.10-6",
                "6.2.10-7",
                "6.2.10-8",
                "6.2.10-9",
                "6.2.10-10",
                "6.2.10-11",
                "6.2.10-12",
                "6.2.10-14",
                "6.2.10-24",
                "6.2.10-26",
                "6.2.10-31",
            ),
            "it receives after recover()",
        ),
        "6.2.10-23": "a case of it meets the fault under a condition that varies",
    },
)
def _(patch):
    stopped = set()

    def recover(honest, session):
        honest()
        stopped.add(session)
        if session.dispatcher is not None:
            with session.broker.lock:
                for consumer in session.consumers:
                    session.dispatcher.remove(consumer)

    def next_delivery(original, consumer, timeout):
        return None if consumer.session in stopped else original(consumer, timeout)

    _recovering(patch, recover)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.2.10-26", "recover() in AUTO_ACKNOWLEDGE goes back to the start of the session")
def _(patch):
    settled = defaultdict(list)

    def settle(original, state, delivery):
        original(state, delivery)
        if state.mode == Session.AUTO_ACKNOWLEDGE:
            settled[state].append(delivery)

    def recover(honest, session):
        honest()
        with session.broker.lock:
            for delivery in settled.pop(session.state, []):
                if isinstance(delivery.consumer, ReferenceConsumer):
                    put_again(delivery.consumer.receiver, [delivery.entry])

    patch.at(fault_points.SETTLED, settle)
    _recovering(patch, recover)


@saboteur("6.2.10-28", "recover() rolls a transaction back", around=(ReferenceSession, "recover"))
def _(original, session):
    if session.mode == Session.SESSION_TRANSACTED:
        session.rollback()
    else:
        original(session)


saboteur(
    "6.2.10-31",
    "JMSRedelivered is unset again after a second recover()",
    lambda patch: _flag_lost(patch, Session.CLIENT_ACKNOWLEDGE),
)
saboteur(
    "6.2.10-32",
    "JMSXDeliveryCount stays 3 after a third recover()",
    lambda patch: _count_stuck(patch, Session.CLIENT_ACKNOWLEDGE),
)
saboteur(
    "6.2.10-33",
    "JMSRedelivered is not set after a rollback",
    lambda patch: _flag_lost(patch, Session.SESSION_TRANSACTED, from_=2),
)
saboteur(
    "6.2.10-34",
    "JMSXDeliveryCount stays 3 after a third rollback",
    lambda patch: _count_stuck(patch, Session.SESSION_TRANSACTED),
)
