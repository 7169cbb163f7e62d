"""6.2.10 Message acknowledgment: what acknowledge() covers."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect

CLIENT = ("client",)


@asserts("6.2.10-9", ack=CLIENT)
def test_acknowledging_a_message_covers_all_before_it(case: Case) -> None:
    """acknowledge() of a message covers what its session delivered before, and nothing that comes after."""
    link = case.link()
    link.send_all(("one", "two", "three"))
    link.take()
    expect.works("acknowledge() of the second message", link.take().acknowledge)
    link.take()
    link.client.recover()
    expect.only(link, ["three"])


@asserts("6.2.10-14", ack=CLIENT)
def test_a_context_acknowledges_all_that_it_delivered(case: Case) -> None:
    """acknowledge() of a JMSContext covers everything its session has delivered so far."""
    link = case.link()
    link.send_all(("one", "two", "three"))
    link.take_all(2)
    expect.works("acknowledge() of the context", link.client.session.acknowledge)
    link.take()
    link.client.recover()
    expect.only(link, ["three"])


@asserts("6.2.10-15", api=("simplified",), ack=("auto", "dups_ok"))
def test_acknowledge_of_a_context_is_ignored_where_it_is_automatic(case: Case) -> None:
    """Where acknowledgment is automatic, acknowledge of the JMSContext raises nothing and changes nothing."""
    link = case.link()
    expect.works("acknowledge() before anything came", link.client.session.acknowledge)
    link.send("first")
    link.send("second")
    link.take()
    expect.works("acknowledge() after the first message", link.client.session.acknowledge)
    expect.arrives(link, ["second"])
    expect.only(link, [])
