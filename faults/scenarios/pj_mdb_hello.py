"""Faults of a pool of listeners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from faults.kit.arrivals import arriving, doubled
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.sessions import called_once_more
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.dispatch import Dispatcher
from tck.api import MessageListener

LATE, MANY = 90, 15


@saboteur("pj-mdb-hello-1", "the 90th message of a destination is lost")
def _(patch: Patch) -> None:
    arriving(patch, lambda _, entry, ordinal: [] if ordinal == LATE else [entry])


@saboteur("pj-mdb-hello-2", "a session calls its listener with the third message on a thread of its own")
def _(patch: Patch) -> None:
    calls = Counter[Dispatcher]()

    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        calls[dispatcher] += 1
        if calls[dispatcher] != 3:
            return original(dispatcher, listener, delivery)
        message = dispatcher.session.message_of(delivery)
        dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
        return False

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur(
    "pj-mdb-hello-3",
    "the 80th message of a destination goes to two consumers",
    collateral={"pj-mdb-hello-1": "the message is handled twice"},
)
def _(patch: Patch) -> None:
    doubled(patch, lambda _, entry, ordinal: ordinal == 80)


@saboteur("pj-mdb-hello-4", "a listener that had many messages is called once more after close")
def _(patch: Patch) -> None:
    called_once_more(patch, MANY, wait=1000)
