"""The number of a transaction as a property: set as an int and as an object, read as other types, absent, and received."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.values.seen import tried

NUMBER, ABSENT, BODY = "TransactionNumber", "NoNumber", "an order"
FIRST_VERSION = dict.fromkeys(
    ("byte", "short", "int", "long", "float", "double", "boolean"), "raises NullPointerException"
)
VALUE_OF_NULL = {
    **dict.fromkeys(("byte", "short", "int", "long"), "raises NumberFormatException"),
    **dict.fromkeys(("float", "double"), "raises NullPointerException"),
    "boolean": False,
}


@scenario("pj-transaction-number")
def test_a_transaction_number(case: Case) -> None:
    """The number reads as text and as long and not as byte; who receives it sets another only after clearProperties."""
    queue = case.queue()
    orders = sender(case, queue)
    received = receiver(case, queue)
    both_ends = {**orders, **{f"{how}, received": message for how, message in received.items()}}

    with expect.for_row("pj-transaction-number-1"):
        for how, message in both_ends.items():
            seen = read(message, NUMBER, "string", "long", "byte")
            wanted = {"string": "6", "long": 6, "byte": "raises MessageFormatException"}
            expect.equal(f"the number set as {how}", seen, wanted)
    with expect.for_row("pj-transaction-number-2"):
        by_version = FIRST_VERSION if case.by_oldest else VALUE_OF_NULL
        wanted = {"string": None, "object": None, **by_version}
        for how, message in both_ends.items():
            expect.equal(f"an absent property, beside one set as {how}", read(message, ABSENT, *wanted), wanted)
    with expect.for_row("pj-transaction-number-3"):
        for how, message in both_ends.items():
            expect.equal(f"the names beside a number set as {how}", names(message), [NUMBER, "region"])
            exist = {name: message.property_exists(name) for name in (NUMBER, ABSENT)}
            expect.equal("whether the properties exist", exist, {NUMBER: True, ABSENT: False})
    with expect.for_row("pj-transaction-number-4"):
        for how, message in received.items():
            expect.equal(f"a second number beside one set as {how}", renumbered(message), RENUMBERED)


RENUMBERED = ["raises MessageNotWriteableException", None, 7, BODY]


def sender(case: Case, queue: api.Queue) -> Mapping[str, api.TextMessage]:
    """Send an order for each way to set the number; return the orders by the way."""
    client = case.client()
    entry = client.sender(queue)
    orders = {"an int": order(client), "an object": order(client)}
    orders["an int"].set_int_property(NUMBER, 6)
    orders["an object"].set_object_property(NUMBER, api.Int(6))
    for message in orders.values():
        entry.send(message)
    return orders


def order(client: Client) -> api.TextMessage:
    """Create an order of a region."""
    message = client.text(BODY)
    message.set_string_property("region", "north")
    return message


def receiver(case: Case, queue: api.Queue) -> Mapping[str, api.Message]:
    """Receive the orders on another connection."""
    consumer = case.client().consumer(queue)
    return {how: from_consumer(case, consumer) for how in ("an int", "an object")}


def read(message: api.Message, name: str, *types: str) -> Mapping[str, object]:
    """Read a property as each of the types."""
    return {each: tried(partial(getattr(message, f"get_{each}_property"), name)) for each in types}


def names(message: api.Message) -> list[str]:
    """Return the names of the properties, without those that a provider may add."""
    return sorted(name for name in message.get_property_names() if not name.startswith(("JMSX", "JMS_")))


def renumbered(message: api.Message) -> list[object]:
    """Set the number of a received order, clear its properties, and set it again; return the results, and the body."""
    refused = tried(partial(message.set_int_property, NUMBER, 7))
    message.clear_properties()
    accepted = tried(partial(message.set_int_property, NUMBER, 7))
    text = message.text if isinstance(message, api.TextMessage) else None
    return [refused, accepted, message.get_int_property(NUMBER), text]
