"""A bookseller: each order charges the card and goes to the warehouse, as one unit with its receipt."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.clients.gathering import drained, numbered

ORDERS = [f"order {number}" for number in numbered(10)]
ROLLED_BACK, CLOSED = ORDERS[2], ORDERS[6]


@scenario("pj-bookseller")
def test_bookseller(case: Case) -> None:
    """Card and warehouse get the same orders, each once, although one order was rolled back and one worker closed."""
    shop = Shop(case)
    shop.serve()
    card, warehouse = drained(shop.card, len(ORDERS)), drained(shop.warehouse, len(ORDERS))

    with expect.for_row("pj-bookseller-1"):
        expect.equal("the orders charged", shop.finished(card), ORDERS)
        expect.equal("the orders for the warehouse", shop.finished(warehouse), ORDERS)
    with expect.for_row("pj-bookseller-2"):
        flags = [message.jms_redelivered for message in shop.received if text(message) == ROLLED_BACK]
        expect.equal("JMSRedelivered of the order that was rolled back, at the second receipt", flags[1:], [True])
    with expect.for_row("pj-bookseller-3"):
        case.witness(f"{len(card)} and {len(warehouse)} messages came")
        sent = [each for each in card + warehouse if each in shop.closed_attempts]
        expect.equal("the messages of the worker that closed without a commit", sent, [])


def text(message: api.Message) -> str:
    """Return the text of an order."""
    return str(message.text)  # type: ignore[attr-defined]  # all are text messages


class Shop:
    """The three queues, and the notes of the workers."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self.orders, self.card, self.warehouse = case.queue(), case.link("auto"), case.link("auto")
        self.received: list[api.Message] = []
        self.closed_attempts: list[str] = []
        self._mishaps = {ROLLED_BACK, CLOSED}
        client = case.client("auto")
        entry = client.sender(self.orders)
        for order in ORDERS:
            entry.send(client.text(order))

    def serve(self) -> None:
        """Let workers work, one after the other, until all orders are done."""
        left = set(ORDERS)
        while left:
            worker = Worker(self._case, self)
            while left and worker.open:
                left.discard(worker.work())

    def finished(self, messages: list[str]) -> list[str]:
        """Return the order of each message, without those of closed workers, sorted."""
        return sorted(each.partition(",")[0] for each in messages if each not in self.closed_attempts)

    def mishap(self, order: str) -> bool:
        """Return whether the work on an order goes wrong, which it does once."""
        bad = order in self._mishaps
        self._mishaps.discard(order)
        return bad


class Worker:
    """A connection with a transacted session that serves orders until it fails."""

    def __init__(self, case: Case, shop: Shop) -> None:
        self._case = case
        self._shop = shop
        self._client = case.client("transacted")
        self._orders = self._client.consumer(shop.orders)
        self._card = self._client.sender(shop.card.destination)
        self._warehouse = self._client.sender(shop.warehouse.destination)
        self.open = True

    def work(self) -> str:
        """Serve one order; return it when it is done."""
        message = from_consumer(self._case, self._orders)
        self._shop.received.append(message)
        order = text(message)
        unit = f"{order}, attempt {len(self._shop.received)}"
        bad = self._shop.mishap(order)
        self._card.send(self._client.text(unit))
        if bad and order == ROLLED_BACK:
            self._client.rollback()
            return ""
        self._warehouse.send(self._client.text(unit))
        if bad:
            self._shop.closed_attempts.append(unit)
            self._client.close()
            self.open = False
            return ""
        self._client.commit()
        return order
