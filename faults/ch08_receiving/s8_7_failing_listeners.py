"""Faults in 8.7: message listeners that fail."""

from collections import Counter

from faults.kit import *


def _state_of(dispatcher):
    return dispatcher.session.state


def _after_failure(patch, mode, failed):
    """Run `failed` after a listener of a session of the mode has raised; it returns whether it has, for the dispatcher."""

    def call_listener(original, dispatcher, listener, delivery):
        if not original(dispatcher, listener, delivery):
            return False
        if _state_of(dispatcher).mode != mode:
            return True
        return failed(original, dispatcher, listener, delivery)

    patch.at(fault_points.LISTENER_CALLED, call_listener)


def _settled_at_the_fourth(patch, mode):
    failures = Counter()

    def failed(original, dispatcher, listener, delivery):
        failures[dispatcher] += 1
        return failures[dispatcher] != 4

    _after_failure(patch, mode, failed)


saboteur(
    "8.7-2",
    "in AUTO_ACKNOWLEDGE a message that a listener fails at is acknowledged",
    lambda patch: _after_failure(patch, Session.AUTO_ACKNOWLEDGE, lambda *_: False),
)


nearly_right(
    "automatic-listener-settles-its-fourth-failure",
    "in AUTO_ACKNOWLEDGE the fourth message that a listener fails at is acknowledged",
    "8.7-2",
    install=lambda patch: _settled_at_the_fourth(patch, Session.AUTO_ACKNOWLEDGE),
)
saboteur(
    "8.7-3",
    "in DUPS_OK_ACKNOWLEDGE a message that a listener fails at is acknowledged",
    lambda patch: _after_failure(patch, Session.DUPS_OK_ACKNOWLEDGE, lambda *_: False),
)


def _third(delivery):
    """Return whether a listener that has failed twice gets the message again."""
    return getattr(delivery.consumer, "listener", None) is not None and delivery.count == 3


@saboteur("8.7-4", "after two failures of a listener its message comes without JMSRedelivered", by=as_received)
def _(message, delivery):
    if _third(delivery) and delivery.transaction is None:
        message.jms_redelivered = False


@saboteur("8.7-5", "after two failures of a listener its message comes with a count of 2", at=fault_points.MESSAGE_MADE)
def _(original, session, delivery):
    if not _third(delivery):
        return original(session, delivery)
    delivery.count = 2
    try:
        return original(session, delivery)
    finally:
        delivery.count = 3


def _repeated(original, dispatcher, listener, delivery):
    """Call the listener again with the message that it failed at."""
    return original(dispatcher, listener, delivery)


saboteur(
    "8.7-7",
    "in CLIENT_ACKNOWLEDGE a listener that failed at a message gets it again at once",
    lambda patch: _after_failure(patch, Session.CLIENT_ACKNOWLEDGE, _repeated),
    collateral={"8.7-8": "a case of it meets the fault under a condition that varies"},
)
saboteur(
    "8.7-9",
    "in a transaction a listener that failed at a message gets it again at once",
    lambda patch: _after_failure(patch, Session.SESSION_TRANSACTED, _repeated),
    collateral=dict.fromkeys(("8.7-10", "8.7-11"), "its listener fails in a transaction"),
)


@saboteur(
    "8.7-8",
    "in CLIENT_ACKNOWLEDGE a message that a listener fails at is acknowledged",
    by=lambda patch, made: _after_failure(patch, Session.CLIENT_ACKNOWLEDGE, made),
)
def _(original, dispatcher, listener, delivery):
    state = _state_of(dispatcher)
    if delivery in state.unacknowledged:
        state.unacknowledged.remove(delivery)
        state.acknowledge([delivery], durable=True)
    return True


@nearly_right(
    "client-listener-settles-its-fifth-failure",
    "in CLIENT_ACKNOWLEDGE the fifth message that a listener fails at is acknowledged",
    "8.7-8",
)
def _(patch):
    failures = Counter()

    def failed(original, dispatcher, listener, delivery):
        failures[dispatcher] += 1
        state = _state_of(dispatcher)
        if failures[dispatcher] == 5 and delivery in state.unacknowledged:
            state.unacknowledged.remove(delivery)
            state.acknowledge([delivery], durable=True)
        return True

    _after_failure(patch, Session.CLIENT_ACKNOWLEDGE, failed)


@saboteur(
    "8.7-10",
    "a listener that fails after it has sent rolls its session back",
    collateral={"8.7-11": "its listener fails in a transaction that sends"},
    by=lambda patch, made: _after_failure(patch, Session.SESSION_TRANSACTED, made),
)
def _(original, dispatcher, listener, delivery):
    if _state_of(dispatcher).work.sends:
        dispatcher.session.rollback()
    return True


@saboteur(
    "8.7-11",
    "in a transaction what a listener fails at is consumed at once",
    by=lambda patch, made: _after_failure(patch, Session.SESSION_TRANSACTED, made),
)
def _(original, dispatcher, listener, delivery):
    state = _state_of(dispatcher)
    if delivery in state.work.acks:
        state.work.acks.remove(delivery)
        state.acknowledge([delivery], durable=True)
    return True
