"""Faults with a listener that raises."""

from collections import Counter

from faults.kit import *


def _at_first_failure(patch, mode, fault):
    """Run `fault` after the first exception of a session's listener in a mode; it returns whether the listener failed."""
    failures = Counter[Dispatcher]()

    def call_listener(original, dispatcher, listener, delivery):
        failed = original(dispatcher, listener, delivery)
        failures[dispatcher] += failed
        if not failed or failures[dispatcher] > 1 or dispatcher.session.mode != mode:
            return failed
        return fault(lambda: original(dispatcher, listener, delivery), dispatcher, delivery)

    patch.at(fault_points.LISTENER_CALLED, call_listener)


saboteur(
    "pj-listener-failure-1",
    "in AUTO_ACKNOWLEDGE the first message that a listener fails at is acknowledged",
    lambda patch: _at_first_failure(patch, Session.AUTO_ACKNOWLEDGE, lambda *_: False),
)
saboteur(
    "pj-listener-failure-2",
    "in DUPS_OK_ACKNOWLEDGE the first message that a listener fails at is acknowledged",
    lambda patch: _at_first_failure(patch, Session.DUPS_OK_ACKNOWLEDGE, lambda *_: False),
)


@saboteur(
    "pj-listener-failure-3",
    "a message whose listener failed in DUPS_OK_ACKNOWLEDGE comes without JMSRedelivered",
    by=as_received,
)
def _(message, delivery):
    consumer = delivery.consumer
    if consumer is not None and consumer.session.mode == Session.DUPS_OK_ACKNOWLEDGE:
        message.jms_redelivered = False


@saboteur(
    "pj-listener-failure-4", "a message whose listener failed comes with a count of 3", at=fault_points.MESSAGE_MADE
)
def _(original, session, delivery):
    if session.mode != Session.AUTO_ACKNOWLEDGE or delivery.count != 2:
        return original(session, delivery)
    delivery.count = 3
    try:
        return original(session, delivery)
    finally:
        delivery.count = 2


saboteur(
    "pj-listener-failure-5",
    "in CLIENT_ACKNOWLEDGE the first message that a listener fails at comes again by itself",
    lambda patch: _at_first_failure(patch, Session.CLIENT_ACKNOWLEDGE, lambda call, *_: call()),
)


@saboteur(
    "pj-listener-failure-6",
    "in CLIENT_ACKNOWLEDGE the first message that a listener fails at is acknowledged",
    by=lambda patch, made: _at_first_failure(patch, Session.CLIENT_ACKNOWLEDGE, made),
)
def _(_, dispatcher, delivery):
    state = dispatcher.session.state
    state.unacknowledged.remove(delivery)
    state.acknowledge([delivery], durable=True)
    return True
