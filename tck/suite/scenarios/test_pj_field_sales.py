"""Orders of a salesperson: a laptop keeps them, a gateway moves them to the office, each when the others are away."""

from __future__ import annotations

from collections import Counter

from tck import api
from tck.suite.support import Case, expect, scenario

ORDERS = list(range(1, 101))
BATCH = 10
FAILING = 6
"""The batch after which the gateway fails, before it has told the laptop's queue."""


@scenario("pj-field-sales")
def test_orders_of_a_salesperson(case: Case) -> None:
    """All orders reach the office through a gateway that fails once, when the office has a batch and the laptop keeps it."""
    local, office = case.queue(), case.queue()
    laptop(case, local)
    moved = gateway(case, local, office)
    seen = office_program(case, office)
    before, failed = moved[: FAILING * BATCH], moved[(FAILING - 1) * BATCH : FAILING * BATCH]
    with expect.for_row("pj-field-sales-1"):
        expect.equal("the orders that the office saw", sorted(set(seen)), ORDERS)
        expect.equal("the orders that the gateway got before it failed", before, ORDERS[: FAILING * BATCH])
        expect.equal("the orders in the order of the gateway", list(dict.fromkeys(seen)), list(dict.fromkeys(moved)))
    with expect.for_row("pj-field-sales-2"):
        twice = sorted(number for number, times in Counter(seen).items() if times > 1)
        expect.equal("the orders that came more than once", twice, sorted(failed))
        expect.equal("the most times that one order came", max(Counter(seen).values(), default=0), 2)


def laptop(case: Case, local: api.Queue) -> None:
    """Write down the orders while there is no way to the office, and end."""
    client = case.client()
    sender = client.sender(local).set(mode=api.DeliveryMode.PERSISTENT)
    for number in ORDERS:
        sender.send(order(client.text(f"order {number}"), number))
    client.close()


def gateway(case: Case, local: api.Queue, office: api.Queue) -> list[int]:
    """Move all orders in batches, with a transaction on either side, and end; return the orders as they were moved."""
    inbound, outbound = case.client("transacted"), case.client("transacted")
    consumer, sender = inbound.consumer(local), outbound.sender(office).set(mode=api.DeliveryMode.PERSISTENT)
    moved: list[int] = []
    batches = 0
    while set(moved) != set(ORDERS) and (batch := received(case, consumer, BATCH)):
        for number in batch:
            sender.send(order(outbound.text(f"order {number}"), number))
        outbound.commit()
        batches += 1
        moved += batch
        (inbound.rollback if batches == FAILING else inbound.commit)()
    sender.send(order(outbound.text("no more orders"), 0))
    outbound.commit()
    inbound.close()
    outbound.close()
    return moved


def office_program(case: Case, office: api.Queue) -> list[int]:
    """Receive orders until there are no more."""
    consumer = case.client().consumer(office)
    seen: list[int] = []
    while batch := [number for number in received(case, consumer, 1) if number]:
        seen += batch
    return seen


def order(message: api.Message, number: int) -> api.Message:
    """Write the number of the order on a message."""
    message.set_int_property("order", number)
    return message


def received(case: Case, consumer: api.MessageConsumer | api.JMSConsumer, most: int) -> list[int]:
    """Receive orders, fewer than `most` if one does not come; return their numbers."""
    numbers: list[int] = []
    while len(numbers) < most and (message := consumer.receive(case.timing.deadline)):
        numbers.append(message.get_int_property("order"))
    return numbers
