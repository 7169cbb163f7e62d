"""Faults of a pool of listeners."""

from collections import Counter

from faults.kit import *

LATE, MANY = 90, 15
saboteur(
    "pj-mdb-hello-1",
    "the 90th message of a destination is lost",
    lambda patch: arriving(patch, lambda _, entry, ordinal: [] if ordinal == LATE else [entry]),
)


@saboteur("pj-mdb-hello-2", "a session calls its listener with the third message on a thread of its own")
def _(patch):
    calls = Counter[Dispatcher]()

    def call_listener(original, dispatcher, listener, delivery):
        calls[dispatcher] += 1
        if calls[dispatcher] != 3:
            return original(dispatcher, listener, delivery)
        message = dispatcher.session.message_of(delivery)
        dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
        return False

    patch.at(fault_points.LISTENER_CALLED, call_listener)


saboteur(
    "pj-mdb-hello-3",
    "the 80th message of a destination goes to two consumers",
    lambda patch: doubled(patch, lambda _, entry, ordinal: ordinal == 80),
    collateral={"pj-mdb-hello-1": "the message is handled twice"},
)


saboteur(
    "pj-mdb-hello-4",
    "a listener that had many messages is called once more after close",
    lambda patch: called_once_more(patch, MANY, wait=1000),
)
