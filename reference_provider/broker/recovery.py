"""Recovery: opens a broker on a file and rebuilds destinations, subscriptions, branches and the order of delivery."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from reference_provider.broker.broker import Broker, Rules
from reference_provider.broker.physical_destinations import PhysicalQueue, PhysicalTopic
from reference_provider.broker.subscriptions import Terms
from reference_provider.destinations import destination_of
from reference_provider.store import damaged

if TYPE_CHECKING:
    from pathlib import Path

    from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
    from reference_provider.clock import ProviderClock

Delayed = list[tuple["StoredDeliveryQueue", int]]


def open_broker(file: Path, clock: ProviderClock, rules: Rules) -> Broker:
    """Open a broker on a file and rebuild its memory. Bodies stay in the file until they are needed.

    Raises JMSException for a damaged file.
    """
    broker = Broker(file, clock, rules)
    try:
        broker.count_from(*_recover(broker))
    except (ValueError, LookupError, TypeError) as error:
        broker.store.abandon()
        raise damaged(broker.store.path, error) from error
    except BaseException:
        broker.store.abandon()
        raise
    return broker


def _recover(broker: Broker) -> tuple[int, int]:
    """Return the next message number and the next row id."""
    physical_destinations, last_row = _recover_destinations(broker)
    delivery_queues, last_subscription = _recover_subscriptions(broker, physical_destinations)
    delayed: Delayed = []
    _recover_queues(broker, physical_destinations, delayed)
    _recover_deliveries(broker, delivery_queues, delayed)
    broker.branches.recover(physical_destinations, delivery_queues)
    for delivery_queue, number in delayed:
        for entry in broker.load(delivery_queue, array("q", [number])):
            broker.schedule.add(delivery_queue, entry)
    ((last_number,),) = broker.store.rows("select coalesce(max(id), 0) from message")
    return int(str(last_number)) + 1, max(last_row, last_subscription) + 1


def _rows(broker: Broker, sql: str) -> Any:  # noqa: ANN401 # the columns are what the schema says
    return broker.store.rows(sql)


def _recover_destinations(broker: Broker) -> tuple[dict[int, PhysicalDestination], int]:
    physical_destinations: dict[int, PhysicalDestination] = {}
    for row, kind, name in _rows(broker, "select id, kind, name from destination"):
        physical_destinations[row] = broker.add_physical_destination(destination_of(kind, name), row)
        physical_destinations[row].in_file = True
    return physical_destinations, max(physical_destinations, default=0)


def _recover_subscriptions(
    broker: Broker, physical_destinations: dict[int, PhysicalDestination]
) -> tuple[dict[int, StoredDeliveryQueue], int]:
    delivery_queues: dict[int, StoredDeliveryQueue] = {}
    sql = "select id, destination, client_id, name, shared, selector, no_local from subscription order by id"
    for row, destination, client_id, name, shared, selector, no_local in _rows(broker, sql):
        physical = physical_destinations[destination]
        assert isinstance(physical, PhysicalTopic)  # noqa: S101 # only topics have subscriptions
        terms = Terms(physical, selector, client_id if no_local else None)
        matches = broker.predicate(selector, broker.rules.version)
        made = broker.subscriptions.add_durable((client_id, name), row, terms, matches, shared=bool(shared))
        delivery_queues[row] = made.delivery_queue
    return delivery_queues, max(delivery_queues, default=0)


def _recover_queues(broker: Broker, physical_destinations: dict[int, PhysicalDestination], delayed: Delayed) -> None:
    queues = {
        row: physical.delivery_queue
        for row, physical in physical_destinations.items()
        if isinstance(physical, PhysicalQueue)
    }
    now = broker.clock.now()
    sql = "select id, destination, priority, due, deliveries from message where branch is null order by id"
    for number, destination, priority, due, deliveries in _rows(broker, sql):
        delivery_queue = queues.get(destination)
        if delivery_queue is None:
            continue
        if due > now:
            delayed.append((delivery_queue, number))
        else:
            delivery_queue.load_order(number, priority, deliveries)


def _recover_deliveries(broker: Broker, delivery_queues: dict[int, StoredDeliveryQueue], delayed: Delayed) -> None:
    if not delivery_queues:
        return
    now = broker.clock.now()
    sql = (
        "select d.message, d.subscription, m.priority, m.due, d.deliveries from delivery d"
        " join message m on m.id = d.message where m.branch is null order by d.message, d.subscription"
    )
    for number, subscription, priority, due, deliveries in _rows(broker, sql):
        delivery_queue = delivery_queues.get(subscription)
        if delivery_queue is None:
            continue
        if due > now:
            delayed.append((delivery_queue, number))
        else:
            delivery_queue.load_order(number, priority, deliveries)
