"""Object messages carry copies: later changes of the object, at either end, have no effect on them."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.values.object_types import Container

FOUR = ["John", "Paul", "George", "Ringo"]


@scenario("pj-object-copy", domain=("queue",))
def test_object_messages_copy(case: Case) -> None:
    """The receiver gets the object as it was when it was set, and a fresh copy at each read."""
    case.provider.register_types(Container)
    queue = case.queue()
    sender(case, queue)
    person, people, kept = receiver(case, queue)
    first = kept.object
    first.word = "changed by the receiver"
    second = kept.object

    with expect.for_row("pj-object-copy-1"):
        expect.equal("the name that the receiver sees", person.object.word, "John")
    with expect.for_row("pj-object-copy-2"):
        expect.equal("the names in the list", [each.word for each in people.object], FOUR)
    with expect.for_row("pj-object-copy-3"):
        expect.equal("the name at the second read", second.word, "Mick")


def sender(case: Case, queue: api.Queue) -> None:
    """Send John, then a list, then Mick; rename John before the send, and change the others after it."""
    client = case.client()
    entry = client.sender(queue)
    john, people, mick = Container("John"), [Container(name) for name in FOUR], Container("Mick")
    messages = [client.session.create_object_message(each) for each in (john, people, mick)]
    john.word = "Jim"
    for message in messages:
        entry.send(message)
    people[0].word = "Pete"
    people.pop()
    mick.word = "Keith"


def receiver(case: Case, queue: api.Queue) -> list[Any]:
    """Receive the three messages on another connection."""
    consumer = case.client().consumer(queue)
    return [from_consumer(case, consumer) for _ in range(3)]
