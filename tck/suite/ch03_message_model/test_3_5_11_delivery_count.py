"""3.5.11 JMSXDeliveryCount."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import counted, from_consumer
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body

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
    expect.equal(f"{COUNT} at the first receipt", link.receive().get_int_property(COUNT), 1)


@asserts("3.5.11-1", domain=("topic",), variant="durable")
def test_the_first_delivery_of_a_durable_subscription_counts_one(case: Case) -> None:
    """A message received for the first time from a durable subscription has a count of 1, though it waited there."""
    name = case.name("s")
    place = case.destination()
    case.link(destination=place, durable=name).client.close()
    case.link(destination=place, consumes=False).send("x")
    link = case.link(destination=place, durable=name)
    expect.equal(f"{COUNT} at the first receipt", link.receive().get_int_property(COUNT), 1)


@asserts("3.5.11-1", domain=("topic",), api=("classic", "simplified"), variant="shared")
def test_the_first_delivery_of_a_shared_subscription_counts_one(case: Case) -> None:
    """A message received for the first time from a shared subscription has a count of 1."""
    link = case.link(consumes=False)
    consumer = link.client.session.create_shared_consumer(link.destination, case.name("s"))
    link.send("x")
    expect.equal(f"{COUNT} at the first receipt", from_consumer(case, consumer).get_int_property(COUNT), 1)


def _next_consumer(case: Case, link: Link, name: str) -> Link:
    """Close the consumer, and open the next one on the same session."""
    link.consumer.close()
    return case.link(client=link.client, destination=link.destination, durable=name)


def _next_session(case: Case, link: Link, name: str) -> Link:
    """Close the session, and open the next consumer on another one of the same connection."""
    peer = link.client.peer()
    link.client.close_session()
    return case.link(client=peer, destination=link.destination, durable=name)


def _next_connection(case: Case, link: Link, name: str) -> Link:
    """Close the connection, and open the next consumer on another one."""
    link.client.close()
    return case.link(destination=link.destination, durable=name)


def _next_while_stopped(case: Case, link: Link, name: str) -> Link:
    """Close the consumer while its connection is stopped, and open the next one before it starts again."""
    link.client.stop()
    again = _next_consumer(case, link, name)
    link.client.start()
    return again


NEXT = {
    "its consumer": _next_consumer,
    "its session": _next_session,
    "its connection": _next_connection,
    "its consumer, stopped,": _next_while_stopped,
}
"""Ways from a consumer to the next one of the same place, by what is closed."""
USES: dict[str, tuple[str, Callable[[Link], object]]] = {
    "received nothing": ("a", lambda _: None),
    "received one message": ("b", lambda link: link.receive()),
    "received two messages": ("c", lambda link: [link.receive() for _ in range(2)]),
}
"""What a consumer did before it was closed, with the first message that it left."""


@asserts("3.5.11-1", ack=("auto", "client", "dups_ok", "transacted"), variant="company")
def test_what_another_consumer_left_counts_one(case: Case) -> None:
    """Messages that an earlier consumer of the place did not receive count 1 at their receipt, whatever it did and how it was closed."""
    seen, wanted = {}, {}
    for closed, move in NEXT.items():
        for use, (first, act) in USES.items():
            name = case.name("s")
            link = case.link(durable=name)
            link.send_all("abcd")
            act(link)
            again = move(case, link, name)
            left = [text for text in "abcd" if text >= first]
            counts = {str(body(one)): one.get_int_property(COUNT) for one in (again.receive() for _ in left)}
            seen[f"{closed} closed, which had {use}"] = counts
            wanted[f"{closed} closed, which had {use}"] = dict.fromkeys(left, 1)
    expect.equal(f"{COUNT} at the first receipt, by what the earlier consumer did", seen, wanted)


@asserts("3.5.11-2", ack=REPEATING)
def test_the_count_grows_with_each_delivery(case: Case) -> None:
    """The count is above 1 at each repeated delivery and never falls; whether it is exact is recorded."""
    link = case.link()
    link.send("x")
    counts = [message.get_int_property(COUNT) for message in _repeatedly(link, 4)]
    good = min(counts[1:]) >= 2 and all(one <= other for one, other in pairwise(counts))
    expect.true(f"{COUNT} is above 1 for a repeated delivery, and does not fall", good, f"the counts were {counts}")
    expect.record(f"counts of four deliveries are {'exact' if counts == [1, 2, 3, 4] else counts}")


@asserts("3.5.11-2", ack=REPEATING, variant="sessions")
def test_the_count_grows_over_sessions(case: Case) -> None:
    """The count of a message that several sessions return, and that two connections then get, is above 1 and never falls."""
    name = case.name("s")
    client = case.client(client_id=name if case.domain == "topic" else None)
    place, counts = case.destination(), list[int]()
    for turn in range(4):
        link = case.link(client=client.peer(), destination=place, durable=name)
        if turn == 0:
            link.send("x")
        counts += [message.get_int_property(COUNT) for message in (link.take(), *link.returned(1))]
        link.client.close_session()
    client.close()
    counts.append(case.link(destination=place, durable=name).take().get_int_property(COUNT))
    good = min(counts[1:]) >= 2 and all(one <= other for one, other in pairwise(counts))
    expect.true(f"{COUNT} is above 1 for a repeated delivery, and does not fall", good, f"the counts were {counts}")


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
