"""7.9 Message delivery delay: it holds up no other message, and what expires before it is due is not delivered. Some cases need a hook."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.subscriptions import publisher, subscription, unattended, working_kinds
from tck.suite.support.clients.timed_send import delayed
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.lifecycle.stopping import sender_to

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
EVERY = ("auto", "client", "dups_ok", "transacted")
HOUR = 3_600_000


@asserts("7.9-6", ack=EVERY)
def test_a_delayed_message_holds_up_no_other(case: Case) -> None:
    """Behind messages with an hour's delay, also more urgent ones and many, one without a delay comes at once."""
    for mode in (PERSISTENT, NON_PERSISTENT):
        link = case.link()
        for priority in (0, 4, 9):
            delayed(link, "in an hour", HOUR, mode=mode, priority=priority)
        link.send("at once", mode=mode)
        expect.arrives(link, ["at once"])
        for text in numbered(40):
            delayed(link, text, HOUR, mode=mode)
        link.send("at once, behind many", mode=mode)
        expect.arrives(link, ["at once, behind many"])


@asserts("7.9-6", ack=("transacted",), variant="transaction")
def test_a_delayed_message_holds_up_no_other_of_its_transaction(case: Case) -> None:
    """Of a transaction that sent with and without a delay in turn, what has none comes at the commit, in order."""
    link = case.link()
    for text in numbered(4):
        delayed(link, f"in an hour {text}", HOUR)
        link.put(text)
    link.client.commit()
    expect.arrives(link, numbered(4))


@asserts("7.9-6", variant="later-consumer", plain=True)
def test_a_delayed_message_holds_up_no_other_for_a_later_consumer(case: Case) -> None:
    """A consumer, of a queue or durable subscription, that is opened later gets at once what has no delay."""
    sender, name = unattended(case)
    delayed(sender, "in an hour", HOUR)
    sender.send("1")
    delayed(sender, "in two hours", 2 * HOUR, mode=NON_PERSISTENT)
    sender.send("2")
    sender.client.close()
    expect.only(case.link(destination=sender.destination, durable=name), ["1", "2"])


@asserts("7.9-6", variant="restart")
def test_a_delayed_message_holds_up_no_other_after_a_restart(case: Case) -> None:
    """After a restart PERSISTENT messages without a delay come at once, those sent before it and those sent since."""
    case.needs(api.Hook.RESTART)
    sender, name = unattended(case)
    delayed(sender, "in an hour", HOUR)
    sender.send("before", mode=PERSISTENT)
    case.provider.restart()
    again = reconnected(case, sender.destination, durable=name)
    again.send("after")
    expect.arrives(again, ["before", "after"])


@asserts("7.9-6", domain=("topic",), variant="kinds")
def test_a_delayed_message_holds_up_no_other_on_any_subscription(case: Case) -> None:
    """On each kind of subscription a receive, and then a listener, get at once what has no delay."""
    for kind in working_kinds(case, case.client(client_id=case.name("c"))):
        watched = subscription(case, kind)
        link, sender = watched.open(), publisher(case, watched.topic)
        delayed(sender, "in an hour", HOUR)
        sender.send("received")
        expect.arrives(link, ["received"])
        heard = CollectingListener(case)
        link.consumer.message_listener = heard
        delayed(sender, "in an hour too", HOUR)
        sender.send("heard")
        expect.equal(f"what the listener got, {kind}", heard.after(1), ["heard"])


# -- a time to live that ends before the delivery time ----------------------------------------------------------------


def _expires_first(case: Case, sender: Link, mode: int) -> bool:
    """Send a message that expires before it is due, and let both times pass; return whether the send was refused."""
    delay = case.timing.delay
    sender.sender.set(mode=mode)  # of the marker too
    refused = expect.works_or(
        case.thrown(api.JMSException), lambda: delayed(sender, "never", 3 * delay, mode=mode, ttl=2 * delay)
    )
    sender.sender.set(delay=0)
    sender.client.settle()
    case.pass_time(4 * delay, "the message must expire and its delivery time must come")
    return refused


@asserts("7.9-11", ack=EVERY)
def test_what_expires_before_it_is_due_is_not_delivered(case: Case) -> None:
    """A message whose time to live ends before its delivery time is never received; its send may be refused instead."""
    for mode in (PERSISTENT, NON_PERSISTENT):
        link = case.link()
        refused = _expires_first(case, link, mode)
        expect.only(link)
    expect.record("the send is refused" if refused else "the message is dropped")


@asserts("7.9-11", variant="later-consumer")
def test_what_expires_before_it_is_due_does_not_come_to_a_later_consumer(case: Case) -> None:
    """The same where the consumer, of a queue or durable subscription, is opened later."""
    sender, name = unattended(case)
    _expires_first(case, sender, PERSISTENT)
    expect.only(case.link(destination=sender.destination, durable=name))


@asserts("7.9-11", ack=("auto", "client"), variant="listener")
def test_what_expires_before_it_is_due_does_not_reach_a_listener(case: Case) -> None:
    """The same where a listener consumes."""
    link = case.link()
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    sender = sender_to(link)
    for mode in (PERSISTENT, NON_PERSISTENT):
        _expires_first(case, sender, mode)
    sender.send("marker")
    expect.equal("what the listener got", heard.after(1), ["marker"])


@asserts("7.9-11", domain=("topic",), variant="kinds")
def test_what_expires_before_it_is_due_comes_on_no_subscription(case: Case) -> None:
    """The same on each kind of subscription."""
    for kind in working_kinds(case, case.client(client_id=case.name("c"))):
        watched = subscription(case, kind)
        link, sender = watched.open(), publisher(case, watched.topic)
        _expires_first(case, sender, PERSISTENT)
        expect.only(link)
