"""8.7 Receiving messages asynchronously."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener

ALL = ("auto", "client", "dups_ok", "transacted")


def _sender(case: Case, link: Link) -> Link:
    return case.link("auto", destination=link.destination, consumes=False)


@asserts("8.7-1", ack=ALL)
def test_a_listener_gets_each_message_once(case: Case) -> None:
    """Of twenty messages, persistent or not, sent before and after the listener is set and after some were received."""
    for received, waiting, mode in ((0, 0, 1), (0, 10, 2), (4, 0, 2), (4, 10, 1), (4, 20, 1), (4, 20, 2)):
        link, listener, texts = case.link(), CollectingListener(case), numbered(20)
        sender = _sender(case, link)
        for number, text in enumerate(texts):
            if number == max(received, waiting):
                expect.arrives(link, texts[:received])
                link.consumer.message_listener = listener
            sender.send(text, mode=mode)
        if waiting == len(texts):
            expect.arrives(link, texts[:received])
            link.consumer.message_listener = listener
        listener.after(20 - received)
        sender.send("behind", mode=mode)
        what = f"what a listener got, set after {received} were received and {waiting} sent"
        expect.equal(what, listener.after(21 - received), [*texts[received:], "behind"])


@asserts("8.7-1", ack=ALL, variant="several")
def test_each_listener_of_a_session_gets_its_messages(case: Case) -> None:
    """Three consumers of a session on three destinations, listeners set before the start, before the messages and after them."""
    links = [case.link()]
    links += [case.link(client=links[0].client) for _ in range(2)]
    listeners = [CollectingListener(case) for _ in links]
    links[0].client.stop()
    senders = [_sender(case, link) for link in links]
    for link, sender, listener in zip(links[1:], senders[1:], listeners[1:], strict=True):
        link.consumer.message_listener = listener
        sender.send_all(numbered(5))
    senders[0].send_all(numbered(5))
    links[0].consumer.message_listener = listeners[0]
    links[0].client.start()
    for number in range(6, 11):
        for sender in senders:
            sender.send(f"{number:03d}")
    for listener in listeners:
        listener.after(10)
    for sender in senders:
        sender.send("behind")
    for listener in listeners:
        expect.equal("what a listener got", listener.after(11), [*numbered(10), "behind"])


@asserts("8.7-1", ack=ALL, variant="one-by-one")
def test_a_later_listener_gets_what_waits(case: Case) -> None:
    """Listeners are set one by one in a running session; each gets what waits for its consumer, without a further message."""
    links = [case.link()]
    links += [case.link(client=links[0].client) for _ in range(2)]
    for link in links:
        _sender(case, link).send_all(numbered(3))
    for at, link in enumerate(links, 1):
        listener = CollectingListener(case)
        link.consumer.message_listener = listener
        expect.equal(f"what listener {at} of a session got", listener.after(3), numbered(3))


@asserts("8.7-15")
def test_a_consumer_tells_its_listener(case: Case) -> None:
    """getMessageListener() gives the listener that was set last, and null when there is none."""
    link = case.link()
    before = link.consumer.message_listener
    listener = CollectingListener(case)
    link.consumer.message_listener = listener
    seen = link.consumer.message_listener
    expect.true("the listener is the one that was set", seen is listener, f"it was {seen!r}")
    link.send("x")
    expect.equal("what the listener got", listener.after(1), ["x"])
    link.consumer.message_listener = None
    expect.equal(
        "the listener before any was set, and after null", [before, link.consumer.message_listener], [None] * 2
    )


@asserts("8.7-16", ack=ALL)
def test_null_takes_the_listener_away(case: Case) -> None:
    """While the connection is stopped the listener is set to null: what waits and what comes then goes to receive()."""
    link, listener = case.link(), CollectingListener(case)
    sender = _sender(case, link)
    for turn in range(2):
        link.consumer.message_listener = listener
        sender.send_all(numbered(3))
        expect.equal(f"what the listener got in turn {turn}", listener.after(3 * turn + 3), numbered(3) * (turn + 1))
        link.client.stop()
        sender.send_all([f"{turn} while stopped {text}" for text in numbered(2)])
        link.consumer.message_listener = None
        link.consumer.message_listener = None
        expect.equal("getMessageListener() then", link.consumer.message_listener, None)
        link.client.start()
        sender.send_all([f"{turn} after the start {text}" for text in numbered(2)])
        wanted = [f"{turn} {words} {text}" for words in ("while stopped", "after the start") for text in numbered(2)]
        expect.arrives(link, wanted)
        expect.equal(f"what the listener got after turn {turn}", listener.bodies, numbered(3) * (turn + 1))


@asserts("8.7-16", ack=ALL, variant="other")
def test_null_takes_the_listener_of_one_consumer_away(case: Case) -> None:
    """The listener of another consumer of the session goes on, and a new listener gets what came to the first meanwhile."""
    link, listener, other_listener = case.link(), CollectingListener(case), CollectingListener(case)
    other = case.link(client=link.client)
    senders = [_sender(case, link), _sender(case, other)]
    link.consumer.message_listener = listener
    other.consumer.message_listener = other_listener
    for sender in senders:
        sender.send("first")
    expect.equal("what both got", [listener.after(1), other_listener.after(1)], [["first"], ["first"]])
    link.client.stop()
    link.consumer.message_listener = None
    link.client.start()
    for sender in senders:
        sender.send("second")
    expect.equal("what the other got", other_listener.after(2), ["first", "second"])
    senders[0].dispatched()
    link.client.stop()
    later = CollectingListener(case)
    link.consumer.message_listener = later
    link.client.start()
    expect.equal("what the later one got", later.after(1), ["second"])
    expect.equal("what the first one got", listener.bodies, ["first"])
