"""6.2.7 Transactions: what commit and rollback do to the messages sent and received in a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import every_call
from tck.suite.support.values.seen import tried

TRANSACTED = ("transacted",)
THREE = ["one", "two", "three"]


@asserts("6.2.7-1", ack=TRANSACTED)
def test_commit_acknowledges_queue_messages(case: Case) -> None:
    """Queue messages received and committed come to nobody again."""
    link = case.link()
    link.send_all(THREE)
    link.take_all(3)
    link.client.commit()
    link.client.close()
    expect.only(case.link(destination=link.destination), [])


@asserts("6.2.7-1", ack=TRANSACTED, variant="after-rollback")
def test_commit_acknowledges_queue_messages_that_came_again(case: Case) -> None:
    """Queue messages that came again after a rollback come to nobody once they are committed."""
    link = case.link()
    link.send_all(THREE)
    link.take_all(3)
    link.client.rollback()
    link.take_all(3)
    link.client.commit()
    expect.only(link, [])
    link.client.close()
    expect.only(case.link(destination=link.destination), [])


@asserts("6.2.7-2", ack=TRANSACTED)
def test_commit_acknowledges_messages_of_a_durable_subscription(case: Case) -> None:
    """What a durable subscription delivered and a commit acknowledged is not redelivered when it is resumed."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(THREE)
    link.take_all(3)
    link.client.commit()
    link.client.close()
    expect.only(case.link(destination=link.destination, durable=name), [])


@asserts("6.2.7-3", ack=TRANSACTED)
def test_commit_sends_everything(case: Case) -> None:
    """Commit sends all messages of the transaction, whatever destinations they go to."""
    first, second = case.link("auto"), case.link("auto")
    client = case.client()
    for number, link in enumerate((first, second, first, second)):
        client.sender(link.destination).send(client.text(f"message {number}"))
    client.commit()
    expect.arrives(first, ["message 0", "message 2"])
    expect.arrives(second, ["message 1", "message 3"])


@asserts("6.2.7-4", ack=TRANSACTED, variant="another-session")
def test_nothing_reaches_another_session_before_commit(case: Case) -> None:
    """A message sent in a transaction reaches no consumer of another session before the commit."""
    watcher = case.link("auto")
    sender = case.link(destination=watcher.destination, consumes=False)
    sender.put("sent in a transaction")
    expect.nothing_before(watcher, "marker", lambda: watcher.put("marker"))
    sender.client.commit()
    expect.arrives(watcher, ["sent in a transaction"])
    expect.trace("uncommitted-invisible")


@asserts("6.2.7-4", ack=TRANSACTED, variant="same-session")
def test_nothing_reaches_the_same_session_before_commit(case: Case) -> None:
    """A message sent in a transaction does not reach a consumer of its own session before the commit either."""
    link = case.link()
    other = case.link("auto", destination=link.destination, consumes=False)
    link.put("sent in a transaction")
    expect.nothing_before(link, "marker", lambda: other.put("marker"), settle=False)
    link.client.commit()
    expect.arrives(link, ["sent in a transaction"])


@asserts("6.2.7-5", ack=TRANSACTED)
def test_rollback_destroys_what_was_sent(case: Case) -> None:
    """What a rolled back transaction sent never arrives, not even with the next commit."""
    watcher = case.link("auto")
    sender = case.link(destination=watcher.destination, consumes=False)
    sender.put("rolled back")
    sender.client.rollback()
    sender.put("committed")
    sender.client.commit()
    expect.only(watcher, ["committed"])
    expect.trace("rolled-back-invisible")


@asserts("6.2.7-6", ack=TRANSACTED)
def test_rollback_brings_queue_messages_back(case: Case) -> None:
    """Queue messages received in a rolled back transaction are redelivered."""
    link = case.link()
    link.send_all(THREE)
    link.take_all(3)
    link.client.rollback()
    expect.arrives(link, THREE, ordered=False)


@asserts("6.2.7-7", ack=TRANSACTED)
def test_rollback_brings_messages_of_a_durable_subscription_back(case: Case) -> None:
    """What a durable subscription delivered in a rolled back transaction is redelivered."""
    link = case.link(durable=case.name("s"))
    link.send_all(THREE)
    link.take_all(3)
    link.client.rollback()
    expect.arrives(link, THREE, ordered=False)


@asserts("6.2.7-8", ack=TRANSACTED)
def test_rollback_brings_messages_of_a_nondurable_subscription_back(case: Case) -> None:
    """What a non-durable subscription delivered in a rolled back transaction is redelivered while its consumer lives."""
    link = case.link()
    link.send_all(THREE)
    link.take_all(3)
    link.client.rollback()
    expect.arrives(link, THREE, ordered=False)


@asserts("6.2.7-9", ack=TRANSACTED)
def test_rollback_frees_queue_messages_for_other_consumers(case: Case) -> None:
    """After a rollback the queue messages may go to any consumer, in another session too."""
    link = case.link()
    link.send_all(THREE)
    link.take_all(3)
    link.client.rollback()
    link.consumer.close()
    expect.arrives(case.link("auto", destination=link.destination), THREE, ordered=False)


@asserts("6.2.7-10", ack=TRANSACTED)
def test_a_transaction_spans_the_consumers_of_its_session(case: Case) -> None:
    """Rollback brings back, and commit acknowledges, what each consumer of the session received."""
    client = case.client()
    first, second = case.link(client=client), case.link(client=client)
    first.send("to the first")
    second.send("to the second")
    first.take()
    second.take()
    client.rollback()
    expect.arrives(first, ["to the first"], settle=False)
    expect.arrives(second, ["to the second"], settle=False)
    client.commit()
    client.rollback()
    expect.only(first, [])
    expect.only(second, [])


@asserts("6.2.7-11", ack=TRANSACTED)
def test_a_transaction_spans_the_producers_of_its_session(case: Case) -> None:
    """Rollback destroys, and commit sends, what each producer of the session sent."""
    first, second = case.link("auto"), case.link("auto")
    client = case.client()
    senders = [client.sender(first.destination), client.sender(second.destination)]
    for sender in senders:
        sender.send(client.text("rolled back"))
    client.rollback()
    for sender in senders:
        sender.send(client.text("committed"))
    client.commit()
    expect.only(first, ["committed"])
    expect.only(second, ["committed"])


@asserts("6.2.7-12", ack=TRANSACTED)
def test_receives_and_sends_of_a_transaction_share_its_fate(case: Case) -> None:
    """Rollback undoes what was received and what was sent; commit makes both last."""
    source = case.link()
    target = case.link("auto")
    forward = source.client.sender(target.destination)
    source.send("input")
    source.take()
    forward.send(source.text("rolled back output"))
    source.client.rollback()
    expect.arrives(source, ["input"], settle=False)
    forward.send(source.text("committed output"))
    source.client.commit()
    expect.only(target, ["committed output"])
    source.client.rollback()
    expect.only(source, [])


@asserts("6.2.7-13", ack=TRANSACTED)
def test_a_transaction_spans_both_domains(case: Case) -> None:
    """One transaction covers what is received in one domain and what is sent in the other."""
    source = case.link()
    target = case.link("auto", domain=case.other_domain)
    forward = source.client.sender(target.destination)
    source.send("input")
    source.take()
    forward.send(source.text("rolled back output"))
    source.client.rollback()
    expect.arrives(source, ["input"], settle=False)
    forward.send(source.text("committed output"))
    expect.nothing_before(target, "marker", lambda: target.put("marker"))
    source.client.commit()
    expect.only(target, ["committed output"])


@asserts("6.2.7-16", ack=TRANSACTED)
def test_transactions_of_two_sessions_are_independent(case: Case) -> None:
    """Commit and rollback in one session leave the open work of another session of the same connection alone."""
    watcher = case.link("auto")
    one = case.client()
    other = one.peer()
    one.sender(watcher.destination).send(one.text("from one"))
    other.sender(watcher.destination).send(other.text("from the other"))
    one.commit()
    expect.only(watcher, ["from one"])
    one.sender(watcher.destination).send(one.text("rolled back"))
    one.rollback()
    other.commit()
    expect.only(watcher, ["from the other"])


@asserts("6.2.7-17", ack=TRANSACTED)
def test_only_commit_and_rollback_end_a_transaction(case: Case) -> None:
    """Acknowledging, closing a producer or a consumer, creating objects and waiting do not end a transaction."""
    watcher = case.link("auto")
    link = case.link()
    link.send("seed")
    pending = link.client.sender(watcher.destination)
    pending.send(link.text("pending"))
    link.take().acknowledge()
    pending.close()
    link.consumer.close()
    link.client.sender(link.destination).close()
    case.pass_time(case.long_delay(), "a transaction must not end by waiting")
    expect.nothing_before(watcher, "marker", lambda: watcher.put("marker"))
    link.client.commit()
    expect.arrives(watcher, ["pending"])


SESSIONS: Mapping[tuple[str, str], str] = {
    ("classic", "queue"): "Session",
    ("classic", "topic"): "Session",
    ("simplified", "queue"): "JMSContext",
    ("simplified", "topic"): "JMSContext",
    ("domain-specific", "queue"): "QueueSession",
    ("domain-specific", "topic"): "TopicSession",
}
"""The Java name of the session's interface, by interface and domain."""
ENDING = ("commit", "rollback", "close", "recover")
APART = (
    "run",
    "getMessageListener",
    "setMessageListener",
    "setClientID",
    "setExceptionListener",
    "unsubscribe",
    "stop",
)
"""Methods that a program may call in no such session, or only with preparations of their own."""


@asserts("6.2.7-17", ack=TRANSACTED, variant="calls")
def test_no_other_call_commits_a_transaction(case: Case) -> None:
    """After each other call on the session what it has sent is hidden, and a rollback brings back what it got."""
    watcher, link = _call_everything(case)
    link.client.rollback()
    expect.arrives(link, ["seed 1", "seed 2"], ordered=False, settle=False)
    expect.only(watcher, [])


@asserts("6.2.7-17", ack=TRANSACTED, variant="calls-committed")
def test_no_other_call_rolls_a_transaction_back(case: Case) -> None:
    """After all other calls on the session a commit delivers what it has sent, and what it got is not redelivered."""
    watcher, link = _call_everything(case)
    link.client.commit()
    expect.arrives(watcher, ["pending"])
    expect.only(link, [])


def _call_everything(case: Case) -> tuple[Link, Link]:
    """Call everything else on a session in a transaction; demand that nothing shows after each call.

    Return the link to the place where a message is pending, and the one by which the transaction has got two.
    """
    client = case.client(client_id=case.name("c"))
    watcher, link = case.link("auto"), case.link(client=client)
    link.send_all(("seed 1", "seed 2"))
    calls = {**every_call(case, SESSIONS[case.api, case.domain], lambda: client.session, without=(*ENDING, *APART))}
    calls |= _unsubscription(case, client)
    client.sender(watcher.destination).send(client.text("pending"))
    link.take_all(2)
    with expect.all_of():
        for what, call in calls.items():
            tried(call)
            expect.nothing_before(watcher, f"after {what}", partial(watcher.put, f"after {what}"))
    return watcher, link


def _unsubscription(case: Case, client: Client) -> Mapping[str, Callable[[], object]]:
    """Return a call that deletes a durable subscription, made before, where the session's domain has these."""
    if (case.api, case.domain) == ("domain-specific", "queue"):
        return {}
    name = case.name("s")
    client.durable(case.topic(), name).close()
    return {"unsubscribe(String)": partial(client.session.unsubscribe, name)}


@asserts("6.2.7-18", ack=TRANSACTED)
def test_a_transacted_session_is_always_in_a_transaction(case: Case) -> None:
    """The first transaction is there from the start, and the next one after each commit and each rollback."""
    watcher = case.link("auto")
    sender = case.link(destination=watcher.destination, consumes=False)
    for number in (1, 2, 3):
        sender.put(f"rolled back {number}")
        sender.client.rollback()
        sender.put(f"committed {number}")
        marker = f"marker {number}"
        expect.nothing_before(watcher, marker, partial(watcher.put, marker))
        sender.client.commit()
        expect.arrives(watcher, [f"committed {number}"])
    expect.only(watcher, [])


@asserts("6.2.7-19", ack=("auto", "client", "dups_ok"))
def test_commit_and_rollback_are_refused_outside_a_transaction(case: Case) -> None:
    """Commit and rollback on a session that is not transacted are illegal."""
    link = case.link("transacted")
    plain = case.client()
    link.send("committed")
    expect.arrives(link, ["committed"])
    link.client.rollback()
    expect.raises(case.thrown(api.IllegalStateException), plain.commit, what="commit() outside a transaction")
    expect.raises(case.thrown(api.IllegalStateException), plain.rollback, what="rollback() outside a transaction")
