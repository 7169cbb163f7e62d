"""3.5.11 JMSXDeliveryCount."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import counted, delivery_count, from_consumer
from tck.suite.support.clients.link import Link

COUNT = "JMSXDeliveryCount"
REPEATING = ("client", "transacted")


def _repeatedly(link: Link, times: int) -> list[api.Message]:
    """Receive the waiting message `times` times, by rollback or recover in between; settle the last delivery."""
    messages = [link.take()]
    for _ in range(times - 1):
        messages += link.returned(1)
    link.client.settle(messages[-1])
    return messages


@asserts("3.5.11-1", ack=("auto", "client", "dups_ok", "transacted"))
def test_the_first_delivery_counts_one(case: Case) -> None:
    """A message received for the first time has a count of 1."""
    link = case.link()
    link.send("x")
    expect.equal(f"{COUNT} at the first receipt", delivery_count(link.receive()), 1)


@asserts("3.5.11-1", domain=("topic",), variant="durable")
def test_the_first_delivery_of_a_durable_subscription_counts_one(case: Case) -> None:
    """A message received for the first time from a durable subscription has a count of 1, though it waited there."""
    name = case.name("s")
    place = case.destination()
    case.link(destination=place, durable=name).client.close()
    case.link(destination=place, consumes=False).send("x")
    link = case.link(destination=place, durable=name)
    expect.equal(f"{COUNT} at the first receipt", delivery_count(link.receive()), 1)


@asserts("3.5.11-1", domain=("topic",), api=("classic", "simplified"), variant="shared")
def test_the_first_delivery_of_a_shared_subscription_counts_one(case: Case) -> None:
    """A message received for the first time from a shared subscription has a count of 1."""
    link = case.link(consumes=False)
    consumer = link.client.session.create_shared_consumer(link.destination, case.name("s"))
    link.send("x")
    expect.equal(f"{COUNT} at the first receipt", delivery_count(from_consumer(case, consumer)), 1)


@asserts("3.5.11-2", ack=REPEATING)
def test_the_count_grows_with_each_delivery(case: Case) -> None:
    """The count is above 1 at each repeated delivery; whether it is exact is recorded."""
    link = case.link()
    link.send("x")
    counts = [delivery_count(message) for message in _repeatedly(link, 4)]
    expect.true(f"{COUNT} is above 1 for a repeated delivery", min(counts[1:]) >= 2, f"the counts were {counts}")
    expect.record(f"counts of four deliveries are {'exact' if counts == [1, 2, 3, 4] else counts}")


@asserts("3.5.11-2", ack=REPEATING, variant="sessions")
def test_the_count_grows_over_sessions(case: Case) -> None:
    """The count of a message that several sessions return, and that two connections then get, is above 1; whether it falls is recorded."""
    name = case.name("s")
    client = case.client(client_id=name if case.domain == "topic" else None)
    place, counts = case.destination(), list[int]()
    for turn in range(4):
        link = case.link(client=client.peer(), destination=place, durable=name)
        if turn == 0:
            link.send("x")
        counts += [delivery_count(message) for message in (link.take(), *link.returned(1))]
        link.client.close_session()
    client.close()
    counts.append(delivery_count(case.link(destination=place, durable=name).take()))
    expect.true(f"{COUNT} is above 1 for a repeated delivery", min(counts[1:]) >= 2, f"the counts were {counts}")
    expect.record(f"the count {'rises over sessions' if counts == sorted(counts) else f'falls: {counts}'}")


@asserts("3.5.11-3", ack=REPEATING)
def test_what_is_flagged_counts_two_or_more(case: Case) -> None:
    """A delivery flagged as repeated has a count of 2 or more, so one that counts 1 is not flagged."""
    link = case.link()
    link.send("x")
    seen = [counted(message) for message in _repeatedly(link, 3)]
    wrong = [count for flag, count in seen if flag and count < 2]
    expect.true(f"flagged deliveries have a {COUNT} of 2 or more", not wrong, f"flag and count were {seen}")


@asserts("3.5.11-4", ack=REPEATING)
def test_what_counts_two_or_more_is_flagged(case: Case) -> None:
    """A delivery with a count of 2 or more is flagged as repeated."""
    link = case.link()
    link.send("x")
    seen = [counted(message) for message in _repeatedly(link, 3)]
    wrong = [count for flag, count in seen if count >= 2 and not flag]
    expect.true(f"deliveries with a {COUNT} of 2 or more are flagged", not wrong, f"flag and count were {seen}")
