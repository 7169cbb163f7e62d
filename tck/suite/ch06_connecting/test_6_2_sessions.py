"""6.2 Sessions: what their end gives back."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect

MANUAL = ("client", "transacted")


@asserts("6.2-12", ack=MANUAL, variant="manual")
def test_the_end_of_a_session_gives_queue_messages_back(case: Case) -> None:
    """Queue messages that a session had received and not acknowledged when it was closed come to the next consumer."""
    link = case.link()
    link.send_all(("one", "two"))
    expect.arrives(link, ["one", "two"], settle=False)
    link.client.close_session()
    expect.arrives(case.link("auto", destination=link.destination), ["one", "two"])


@asserts("6.2-13", ack=MANUAL, variant="manual")
def test_the_end_of_a_session_keeps_messages_of_a_durable_subscription(case: Case) -> None:
    """What a durable subscription delivered and its session had not acknowledged when it was closed comes when it is resumed."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(("one", "two"))
    expect.arrives(link, ["one", "two"], settle=False)
    link.client.close()
    expect.arrives(case.link("auto", destination=link.destination, durable=name), ["one", "two"])


@asserts("6.2.15-23", ack=("client",))
def test_acknowledge_after_the_session_was_closed(case: Case) -> None:
    """acknowledge() of a message raises IllegalStateException once the session it came through is closed."""
    link = case.link()
    link.send_all(("one", "two"))
    expect.works("acknowledge() before", link.take().acknowledge)
    message = link.take()
    link.client.close_session()
    expect.raises(api.IllegalStateException, message.acknowledge, what="acknowledge() after the close of the session")
