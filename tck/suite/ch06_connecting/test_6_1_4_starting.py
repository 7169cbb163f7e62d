"""6.1.4 Starting a connection: nothing is delivered before, everything after, and sending needs no start."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.raw import connection_of
from tck.suite.support.lifecycle.unstarted import seen_at, sent_ahead, sent_to, silent_peer, unstarted
from tck.suite.support.values.seen import body

MODES = ("auto", "client", "dups_ok", "transacted")
CONNECTIONS = ("classic", "domain-specific")


def _received(link: Link) -> object:
    return body(link.poll())


@asserts("6.1.4-3", "8.4-1", ack=MODES)
def test_nothing_is_received_before_start(case: Case) -> None:
    """Every receive with a time limit, and every one that does not wait, finds nothing before start()."""
    link = Link(unstarted(case), case.destination())
    sent_to(case, link.destination, "x")
    before = seen_at(link)
    link.client.start()
    expect.equal("what came before start() and after it", [before, _received(link)], [[], "x"])


@asserts("6.1.4-3", "8.4-1", variant="blocking")
def test_a_receive_without_limit_waits_for_start(case: Case) -> None:
    """receive() without a limit that began before start() waits for it, although a message is there."""
    link = Link(unstarted(case), case.destination())
    sent_ahead(case, (link.destination, "x"))
    starter = silent_peer(link.client)
    call = case.spawn("receive()", lambda: body(link.consumer.receive()))
    case.until_blocked(call, "receive() must not return before start()")
    early = call.returned
    starter.start()
    expect.equal("receive() once delivery is started", call.result(), "x")
    expect.equal("whether it returned before start()", early, wanted=False)


@asserts("6.1.4-3", "8.4-1", domain=("queue",), variant="older")
def test_older_messages_wait_for_start_in_every_session(case: Case) -> None:
    """Messages that are in the queue before the consumers reach no session of the connection before start()."""
    queue = case.queue()
    sent_to(case, queue, "older")
    client = unstarted(case)
    links = [Link(client, queue), Link(silent_peer(client), queue)]
    before = [seen_at(link) for link in links]
    links[1].consumer.close()
    client.start()
    expect.equal("what came before start() and after it", [*before, _received(links[0])], [[], [], "older"])


@asserts("6.1.4-4", ack=MODES)
def test_no_listener_is_called_before_start(case: Case) -> None:
    """A listener is not called before start(), whether it was set before the message came, after, or in place of another."""
    client = unstarted(case)
    early, late, replaced = (Link(client, case.destination()) for _ in range(3))
    listeners = [CollectingListener(case) for _ in range(3)]
    early.consumer.message_listener = listeners[0]
    replaced.consumer.message_listener = CollectingListener(case)
    sender = sent_ahead(case, *((link.destination, f"message {n}") for n, link in enumerate((early, late, replaced))))
    late.consumer.message_listener = listeners[1]
    replaced.consumer.message_listener = listeners[2]
    sender.dispatched()
    before = [listener.bodies for listener in listeners]
    client.start()
    after = [listener.after(1) for listener in listeners]
    expect.equal("what listeners got after start()", after, [["message 0"], ["message 1"], ["message 2"]])
    expect.equal("what listeners got before start()", before, [[], [], []])


@asserts("6.1.4-2", api=("simplified",), ack=MODES)
def test_a_new_context_is_stopped(case: Case) -> None:
    """A context delivers nothing until start() or its first consumer with auto-start, in whatever mode it was made."""
    client = unstarted(case)
    first, second = Link(client, case.destination()), Link(client, case.destination())
    for number, link in enumerate((first, second)):
        sent_to(case, link.destination, f"message {number}")
    before = [seen_at(first), seen_at(second)]
    client.connection.auto_start = True
    client.consumer(case.destination())
    after = [_received(first), _received(second)]
    expect.equal("what came before and after the start", [*before, *after], [[], [], "message 0", "message 1"])


@asserts("6.1.4-6", api=CONNECTIONS)
def test_one_start_reaches_every_consumer_of_every_session(case: Case) -> None:
    """After one start() the consumers of all sessions get their messages, by receive and by listener, whatever the mode."""
    client = unstarted(case)
    clients = [client, *(client.peer(mode) for mode in ("client", "dups_ok", "transacted", "auto"))]
    links = [Link(each, case.destination()) for each in clients]
    listening = [Link(each, case.destination()) for each in (client.peer(), client.peer())]
    listeners = [CollectingListener(case) for _ in listening]
    for link, listener in zip(listening, listeners, strict=True):
        link.consumer.message_listener = listener
    second = Link(clients[1], case.destination())
    sent_ahead(case, *((link.destination, "x") for link in (*links, *listening, second)))
    client.start()
    expect.equal("what each receive() gave", [_received(link) for link in (*links, second)], ["x"] * 6)
    expect.equal("what each listener got", [listener.after(1) for listener in listeners], [["x"], ["x"]])


@asserts("6.1.4-7", api=CONNECTIONS, ack=MODES)
def test_a_bare_connection_can_be_started_first(case: Case) -> None:
    """Sessions, consumers and listeners added to a started connection are delivered to without another start()."""
    connection: Any = connection_of(case)
    expect.works("start() of a connection without sessions", connection.start)
    client = unstarted(case, connection=connection)
    links = [Link(client, case.destination()), Link(client.peer(), case.destination())]
    listening = Link(client.peer(), case.destination())
    listener = CollectingListener(case)
    listening.consumer.message_listener = listener
    for link in (*links, listening):
        sent_to(case, link.destination, "x")
    expect.equal("what each receive() gave", [_received(link) for link in links], ["x", "x"])
    expect.equal("what the listener got", listener.after(1), ["x"])


@asserts("6.1.4-17", ack=("auto", "transacted"))
def test_messages_can_be_sent_before_start(case: Case) -> None:
    """Messages sent on a connection or context that was never started reach a started consumer, in order."""
    target = case.link("auto")
    link = Link(unstarted(case), target.destination, consumes=False)
    link.send_all(numbered(3))
    link.send("not persistent", mode=api.DeliveryMode.NON_PERSISTENT)
    expect.arrives(target, [*numbered(3), "not persistent"], ordered=False)


@asserts("6.1.4-17", variant="with-consumer")
def test_a_stopped_consumer_does_not_keep_its_client_from_sending(case: Case) -> None:
    """A client whose own consumers wait for start() can send, to their destination too."""
    target = case.link("auto")
    own = Link(unstarted(case), case.destination())
    own.send("to itself")
    own.client.sender(target.destination).send(own.text("to another"))
    expect.arrives(target, ["to another"])
    before = seen_at(own)
    own.client.start()
    expect.equal("what came before start() and after it", [before, _received(own)], [[], "to itself"])
