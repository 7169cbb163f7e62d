"""Faults with the listeners of sessions in several threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from faults.kit.common import around, connection_of, session_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.dispatch import Dispatcher
from reference_provider.clock import Waiter
from tck.api import MessageListener


@saboteur("pj-session-threads-1", "a session with two listeners calls each on a thread of its own")
def _(patch: Patch) -> None:
    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        if len(dispatcher.consumers) < 2:
            return original(dispatcher, listener, delivery)
        message = dispatcher.session.message_of(delivery)
        dispatcher.session.broker.clock.spawn(lambda: listener.on_message(message), "reference-provider-pool")
        return False

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur("pj-session-threads-2", "a connection with two sessions calls one listener at a time")
def _(patch: Patch) -> None:
    busy = Counter[ReferenceConnection]()

    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        connection = connection_of(session_of(dispatcher))
        while busy[connection]:
            connection.broker.clock.wait(Waiter(), 1)
        busy[connection] += 1
        try:
            return original(dispatcher, listener, delivery)
        finally:
            busy[connection] -= 1

    patch.at(fault_points.LISTENER_CALLED, call_listener)


@saboteur("pj-session-threads-3", "of two subscribers in one session, only one gets the second message")
def _(patch: Patch) -> None:
    seen = dict[object, list[str]]()
    taken = dict[tuple[object, str], Subscription]()

    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        if not original(subscription, entry):
            return False
        session, identifier = subscription.session, str(entry.message_id)
        messages = seen.setdefault(session, [])
        if identifier not in messages:
            messages.append(identifier)
        return messages.index(identifier) != 1 or taken.setdefault((session, identifier), subscription) is subscription

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur("pj-session-threads-4", "close of the only consumer of a session does not wait for its listener")
def _(patch: Patch) -> None:
    def wait(original: Callable[..., None], dispatcher: Dispatcher, consumer: object = None) -> None:
        if consumer is None or len(dispatcher.consumers) != 1:
            original(dispatcher, consumer)

    around(patch, Dispatcher, "wait_until_idle", wait)
