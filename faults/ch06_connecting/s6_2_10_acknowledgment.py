"""Faults in 6.2.10: acknowledge(), and acknowledgement by the session."""

from collections import Counter

from faults.kit import *


def _acknowledged_by(patch, covered):
    """Let acknowledge() of a message in CLIENT_ACKNOWLEDGE cover only some of the session's deliveries."""

    def open_delivery(original, state, consumer, delivery_queue, entry):
        delivery = original(state, consumer, delivery_queue, entry)
        honest = delivery.acknowledge

        def acknowledge():
            chosen = covered(delivery, state.unacknowledged)
            kept = [one for one in state.unacknowledged if one not in chosen]
            state.unacknowledged = chosen
            try:
                honest()
            finally:
                state.unacknowledged += kept

        if state.mode == Session.CLIENT_ACKNOWLEDGE:
            delivery.acknowledge = acknowledge
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@saboteur(
    "6.2.10-5", "a message is acknowledged before its listener is called, if the listener is not in its first call"
)
def _(patch):
    settled = []
    calls = Counter()

    def call_listener(original, dispatcher, listener, delivery):
        calls[id(listener)] += 1
        state = dispatcher.session.state
        if state.mode == Session.AUTO_ACKNOWLEDGE and calls[id(listener)] > 1:
            state.acknowledge([delivery], durable=True)
            delivery.held = False
            settled.append(delivery)
        return original(dispatcher, listener, delivery)

    def settle(original, state, delivery):
        if delivery not in settled:
            original(state, delivery)

    patch.at(fault_points.LISTENER_CALLED, call_listener)
    patch.at(fault_points.SETTLED, settle)


@saboteur(
    "6.2.10-6",
    "the return of a listener acknowledges its message in CLIENT_ACKNOWLEDGE too",
    collateral={
        "6.2.10-23": "a case of it meets the fault under a condition that varies",
        "6.2.10-25": "its listener recovers what it has handled",
    },
    at=fault_points.LISTENER_CALLED,
)
def _(original, dispatcher, listener, delivery):
    failed = original(dispatcher, listener, delivery)
    state = dispatcher.session.state
    if state.mode == Session.CLIENT_ACKNOWLEDGE and not failed and delivery in state.unacknowledged:
        state.unacknowledged.remove(delivery)
        state.acknowledge([delivery], durable=True)
    return failed


saboteur(
    "6.2.10-9",
    "acknowledge() covers only the message itself",
    lambda patch: _acknowledged_by(patch, lambda delivery, owed: [one for one in owed if one is delivery]),
    collateral=dict.fromkeys(
        ("6.2.10-7", "6.2.10-8", "6.2.10-10", "6.2.10-11", "6.2.10-12", "6.2.10-13"),
        "it acknowledges several messages by one of them",
    ),
)


@saboteur("6.2.10-10", "acknowledge() covers only messages up to the one it is called on", by=_acknowledged_by)
def _(delivery, owed):
    return owed[: owed.index(delivery) + 1] if delivery in owed else owed


@saboteur(
    "6.2.10-11",
    "acknowledge() of a message covers only what its consumer got",
    collateral={"6.2.10-13": "it acknowledges what several consumers got"},
    by=_acknowledged_by,
)
def _(delivery, owed):
    return [one for one in owed if one.consumer is delivery.consumer]


@saboteur("6.2.10-12", "acknowledge() covers all sessions of its connection")
def _(patch):
    def acknowledge_all(original, session):
        original(session)
        for other in session.connection.sessions:
            other.state.acknowledge_all(other.check_open)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


saboteur(
    "6.2.10-13",
    "acknowledge() covers the messages too that wait for the consumers of its session",
    lambda patch: _covers_prefetched(patch, 1),
    collateral=dict.fromkeys(
        ("6.2.10-12", "6.2.10-14", "6.2.10-24"), "it acknowledges while a message waits that it receives later"
    ),
)
nearly_right(
    "acknowledge-covers-full-prefetch-windows",
    "acknowledge() covers prefetched messages too, four together, of consumers with more than four of them",
    "6.2.10-13",
    install=lambda patch: _covers_prefetched(patch, 4, left=1),
)


def _covers_prefetched(patch, window, left=0):
    """Let acknowledge() cover waiting messages, so many together, while that leaves so many at least."""

    def acknowledge_all(original, session):
        with session.broker.lock:
            for consumer in session.consumers:
                while len(list(consumer.receiver.delivery_queue.free_entries())) >= window + left:
                    if [consumer.receiver.take() for _ in range(window)][-1] is None:
                        break  # its selector leaves the rest out
        original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


saboteur(
    "6.2.10-14",
    "acknowledge() of a context does nothing",
    lambda patch: patch.replace(ReferenceContext, "acknowledge", lambda self: None),
)
saboteur("6.2.10-17", "DUPS_OK_ACKNOWLEDGE never acknowledges", lambda patch: _never_acknowledges(patch, 1))


def _never_acknowledges(patch, from_):
    """Let DUPS_OK_ACKNOWLEDGE acknowledge nothing from this message of a destination on."""
    counted = Counter()

    def settle(original, state, delivery):
        if state.mode == Session.DUPS_OK_ACKNOWLEDGE:
            counted[delivery.source] += 1
            if counted[delivery.source] >= from_:
                state.unacknowledged.append(delivery)
                return
        original(state, delivery)

    patch.at(fault_points.SETTLED, settle)
