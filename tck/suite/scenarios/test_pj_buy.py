"""Order entry: each order goes to inventory and receivables in one transaction of a session that lives long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.gathering import drained

Buy: TypeAlias = tuple[str, int, int]
"""Customer, item and quantity."""

CALLS: list[Buy] = [("Tarak Modi", 501, 10), ("John Doe", 501, 10), ("Tarak Modi", 1501, 18)]
BUYS: list[Buy] = [("Tarak Modi" if number % 3 else "John Doe", 501, number) for number in range(1, 101)]


@scenario("pj-buy")
def test_order_entry(case: Case) -> None:
    """Orders that are taken reach both departments at the commit, and refused ones reach none."""
    departments = Department(case), Department(case)
    entry = OrderEntry(case, *departments)
    first = [observed(entry, departments, call) for call in CALLS]
    for buy in BUYS:
        entry.buy(*buy)
    inventory, receivables = (department.look(67) for department in departments)
    entry.nothing_to_buy()
    further = [observed(entry, departments, buy) for buy in BUYS[:3]]

    with expect.for_row("pj-buy-1"):
        expect.equal("the results of the three calls", [result for result, _, _ in first], [True, False, False])
    with expect.for_row("pj-buy-2"):
        expect.equal(
            "the orders after each of the three calls", [late for _, _, late in first], [2 * orders(CALLS[:1]), [], []]
        )
    with expect.for_row("pj-buy-3"):
        case.witness("the markers of the observer came")
        expect.equal(
            "the orders that the observer saw between send and commit", [early for _, early, _ in first], [[]] * 3
        )
    with expect.for_row("pj-buy-4"):
        accepted = orders([buy for buy in BUYS if not refused(*buy)])
        expect.equal("the orders for inventory after the 100 buys", inventory, accepted)
        expect.equal("the orders for receivables after the 100 buys", receivables, accepted)
    with expect.for_row("pj-buy-5"):
        seen = [(len(early), len(late)) for _, early, late in further]
        expect.equal("the orders before and after the end of each further transaction", seen, [(0, 2), (0, 2), (0, 0)])


def observed(
    entry: OrderEntry, departments: tuple[Department, Department], call: Buy
) -> tuple[bool, list[str], list[str]]:
    """Buy; return the result, and the orders that an observer takes before and after the end of the transaction."""
    early: list[str] = []
    result = entry.buy(*call, meanwhile=lambda: early.extend(order for each in departments for order in each.look()))
    count = 0 if refused(*call) else 1
    return result, early, [order for each in departments for order in each.look(count)]


def refused(customer: str, item: int, _quantity: int) -> bool:
    """Return whether a department refuses an order: inventory for its item, or receivables for its customer."""
    return item > 1000 or customer == "John Doe"


def orders(buys: list[Buy]) -> list[str]:
    """Show orders as the departments get them."""
    return [f"{quantity} of {item} for {customer}" for customer, item, quantity in buys]


class Department:
    """A queue of orders, and its observer on another connection."""

    def __init__(self, case: Case) -> None:
        self.queue = case.queue()
        self._link = case.link("auto", destination=self.queue)

    def look(self, count: int = 0) -> list[str]:
        """Take all orders that are in the queue; wait for `count` of them."""
        return drained(self._link, count)


class OrderEntry:
    """One transacted session with two producers, kept over all calls."""

    def __init__(self, case: Case, inventory: Department, receivables: Department) -> None:
        self._client = case.client("transacted")
        self._departments = [self._client.sender(each.queue) for each in (inventory, receivables)]

    def buy(self, customer: str, item: int, quantity: int, meanwhile: Callable[[], object] = bool) -> bool:
        """Send an order to both departments, decide, and commit or roll back; return whether it was bought."""
        for department in self._departments:
            department.send(self._client.text(*orders([(customer, item, quantity)])))
        meanwhile()
        if refused(customer, item, quantity):
            self._client.rollback()
            return False
        try:
            self._client.commit()
        except (api.JMSException, api.JMSRuntimeException):
            return False
        return True

    def nothing_to_buy(self) -> None:
        """Roll back and commit without an order."""
        self._client.rollback()
        self._client.commit()
