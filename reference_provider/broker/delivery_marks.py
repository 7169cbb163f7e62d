"""Delivery counts in the file, so that messages in flight are redelivered with JMSRedelivered after a crash.

A transaction writes the counts of messages ahead of their delivery (`SessionState.mark`). After a crash, messages that
were only next in line then say redelivered too, which 3.4.7 permits; a provider that stops in good order corrects such
counts.
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
    """Set the delivery counts in the file to the real ones. No client may be connected any more."""
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
    """List real count, queue row and message number of each message whose count in the file is too high."""
    return [
        (real, row, number)
        for row, number, deliveries in connection.execute(sql).fetchall()
        if row in delivery_queues and (real := delivery_queues[row].counts.get(number, 0)) < deliveries
    ]
