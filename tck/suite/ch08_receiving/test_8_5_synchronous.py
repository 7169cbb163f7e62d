"""8.5 Receiving messages synchronously: receive(), receive(timeout), receiveNoWait()."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")


@asserts("8.5-1", ack=ALL)
def test_receive_returns_the_next_message(case: Case) -> None:
    """receive() gives the messages of the consumer one after the other, in the order in which they were sent."""
    link = case.link()
    wanted = [f"message {number}" for number in range(5)]
    link.send_all(wanted)
    call = case.spawn("receive() five times", lambda: [body(link.consumer.receive()) for _ in wanted])
    expect.equal("what five calls of receive() gave", expect.returns(call, "receive() five times"), wanted)
    expect.trace("order-per-stream", "no-invention", "no-corruption")


@asserts("8.5-2")
def test_receive_with_timeout_returns_as_soon_as_a_message_comes(case: Case) -> None:
    """receive(timeout) gives a message that comes while it waits, well before the time is up."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    limit = 4 * case.timing.deadline
    call = case.spawn("receive(timeout)", lambda: (body(link.poll(limit)), case.now()))
    case.pass_time(case.timing.delay, "the receiver waits before anything is sent")
    sent_at = case.now()
    sender.send("late")
    text, returned_at = expect.returns(call, "receive(timeout)", limit + case.timing.deadline)
    expect.equal("what receive(timeout) gave", text, "late")
    elapsed = returned_at - sent_at
    expect.true(f"receive({limit}) returns well before its limit", elapsed < limit / 2, f"it took {elapsed} ms")


@asserts("8.5-3")
def test_receive_no_wait_returns_a_message_that_is_there(case: Case) -> None:
    """receiveNoWait() gives a message that is there for the consumer."""
    link = case.link()
    link.send("there")
    expect.polls(link, "there")


@asserts("8.5-4")
def test_receive_waits_without_limit(case: Case) -> None:
    """receive() waits as long as nothing comes, and then gives the message."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    call = case.spawn("receive()", lambda: body(link.consumer.receive()))
    expect.waits(call, "receive()", "while nothing was sent")
    sender.send("at last")
    expect.equal("what receive() gave", expect.returns(call, "receive()"), "at last")


@asserts("8.5-5")
def test_receive_with_timeout_returns_null_when_nothing_comes(case: Case) -> None:
    """receive(timeout) gives null when the time is up, and not before."""
    link = case.link()
    link.send("first")
    link.receive()
    limit = case.timing.delay
    began = case.now()
    seen = expect.works(f"receive({limit}) with nothing there", lambda: link.poll(limit))
    expect.equal(f"what receive({limit}) gave", body(seen), None)
    expect.between(f"milliseconds in receive({limit})", case.now() - began, limit, limit + case.timing.deadline)


@asserts("8.5-6")
def test_receive_with_zero_timeout_waits_without_limit(case: Case) -> None:
    """receive(0) waits like receive(): as long as nothing comes, and then gives the message."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    call = case.spawn("receive(0)", lambda: body(link.poll(0)))
    expect.waits(call, "receive(0)", "while nothing was sent")
    sender.send("at last")
    expect.equal("what receive(0) gave", expect.returns(call, "receive(0)"), "at last")


@asserts("8.5-7")
def test_receive_no_wait_returns_null_when_nothing_is_there(case: Case) -> None:
    """receiveNoWait() gives null at once when nothing is there for the consumer."""
    link = case.link()
    link.send("first")
    link.receive()
    began = case.now()
    call = case.spawn("receive_no_wait()", lambda: body(link.consumer.receive_no_wait()))
    expect.equal("what receive_no_wait() gave", expect.returns(call, "receive_no_wait()"), None)
    elapsed = case.now() - began
    expect.true("receive_no_wait() does not wait", elapsed < case.timing.deadline / 2, f"it took {elapsed} ms")


@asserts("8.5-8", ack=("transacted",))
def test_a_message_received_in_a_transaction_is_kept_until_commit(case: Case) -> None:
    """What a transaction received is still the provider's: after a rollback it is redelivered."""
    link = case.link()
    link.send("kept")
    link.take()
    link.client.rollback()
    expect.arrives(link, ["kept"])


@asserts("8.5-9", ack=ALL)
def test_every_kind_of_consumer_has_the_three_calls(case: Case) -> None:
    """Each interface's consumer offers receive(), receive(timeout) and receiveNoWait(), with the same meaning."""
    link = case.link()
    link.send_all(("one", "two", "three"))
    first = case.spawn("receive()", lambda: body(link.consumer.receive()))
    expect.equal("what receive() gave", expect.returns(first, "receive()"), "one")
    second = expect.works("receive(timeout)", link.poll)
    expect.equal("what receive(timeout) gave", body(second), "two")
    expect.polls(link, "three")
