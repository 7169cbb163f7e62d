"""Marks of delivery: what the file knows of deliveries, so that what was in a client's hands comes again as redelivered.

A transaction notes messages ahead of their delivery (`SessionState.mark`). After a crash some then come as redelivered that
were only next in turn, which 3.4.7 allows for; a provider that stops in good order takes such marks back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, Subscription

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from reference_provider.broker.physical_destinations import StoredDeliveryQueue
    from reference_provider.store import Store

_MARKED_MESSAGES = """
    select destination, id, deliveries from message
    where deliveries > 0 and branch is null and id not in (select message from branch_ack where subscription = 0)"""
_MARKED_DELIVERIES = """
    select d.subscription, d.message, d.deliveries from delivery d where d.deliveries > 0
    and not exists (select 1 from branch_ack a where a.message = d.message and a.subscription = d.subscription)"""


def correct_delivery_counts(
    store: Store, physical_destinations: Iterable[PhysicalDestination], durable: Iterable[Subscription]
) -> None:
    """Make the file say how often messages were really delivered; to be called when nobody is connected any more."""
    queues = {
        physical.row: physical.delivery_queue
        for physical in physical_destinations
        if isinstance(physical, PhysicalQueue)
    }
    subscriptions = {
        one.delivery_queue.subscription: one.delivery_queue
        for one in durable
        if one.delivery_queue.subscription is not None
    }

    def cancel_delivery(connection: sqlite3.Connection) -> None:
        wrong = _wrong(connection, _MARKED_MESSAGES, queues)
        connection.executemany(
            "update message set deliveries = ? where id = ?", [(real, number) for real, _, number in wrong]
        )
        wrong = _wrong(connection, _MARKED_DELIVERIES, subscriptions)
        connection.executemany("update delivery set deliveries = ? where subscription = ? and message = ?", wrong)

    store.exclusively(cancel_delivery)


def _wrong(
    connection: sqlite3.Connection, sql: str, delivery_queues: dict[int, StoredDeliveryQueue]
) -> list[tuple[int, int, int]]:
    """List the real count of deliveries, the row of the stream and the number of each message marked too often."""
    return [
        (real, row, number)
        for row, number, deliveries in connection.execute(sql).fetchall()
        if row in delivery_queues and (real := delivery_queues[row].counts.get(number, 0)) < deliveries
    ]
