"""4.1.2 Queue semantics: how a queue delivers its messages to consumers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.values.colours import BLUE, RED
from tck.suite.support.values.seen import body


@asserts("4.1.2-1")
def test_messages_are_consumed_synchronously(case: Case) -> None:
    """A consumer of a queue asks for its messages with receive(), receive(timeout) and receiveNoWait()."""
    link = case.link()
    link.send("one")
    call = case.spawn("receive()", lambda: body(link.consumer.receive()))
    expect.equal("what receive() gave", expect.returns(call, "receive()"), "one")
    link.send("two")
    expect.equal("what receive(timeout) gave", body(link.poll()), "two")
    link.send("three")
    expect.polls(link, "three")


@asserts("4.1.2-2")
def test_messages_are_consumed_by_a_listener(case: Case) -> None:
    """A listener of a queue consumer gets what waits already and what comes later, each message once."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    gathering = CollectingListener(case)
    sender.send_all(numbered(3))
    link.consumer.message_listener = gathering
    sender.send_all(numbered(6)[3:])
    expect.equal("what the listener got", gathering.after(6), numbered(6))


@asserts("4.1.2-3")
def test_several_consumers_may_be_open_on_one_queue(case: Case) -> None:
    """Consumers of one session, of two sessions and of two connections are open on a queue together, and all usable."""
    first = case.link()
    second = expect.works("a second consumer", lambda: case.link(destination=first.destination, client=first.client))
    peer = first.client.peer()
    third = expect.works("one of another session", lambda: case.link(destination=first.destination, client=peer))
    for link in (first, second, third):
        link.send("shared")
    shares = shared_out([first, second, third], 3)
    expect.equal("what the three consumers got", all_of(shares), ["shared"] * 3)
    first.consumer.close()
    second.consumer.close()
    expect.only(third, [])


@asserts("4.1.2-4")
def test_each_message_goes_to_one_consumer(case: Case) -> None:
    """Four consumers of a queue get each message once between them, though one of them closes on the way."""
    links = [case.link()]
    links += [case.link(destination=links[0].destination) for _ in range(3)]
    links[0].send_all(numbered(20))
    early = body(links[0].receive())
    links[0].client.close()
    rest = case.link(destination=links[0].destination, consumes=False)
    rest.send_all(numbered(40)[20:])
    shares = shared_out(links[1:], 39)
    expect.equal("what the four consumers got", all_of([[early], *shares]), numbered(40))
    expect.trace("one-holder", "no-invention")


@asserts("4.1.2-5")
def test_a_selector_limits_what_is_delivered(case: Case) -> None:
    """A queue consumer with a selector gets the messages that match, and no other."""
    link = case.link(selector=RED)
    send_coloured(link, ["blue 1", "red 1", "blue 2", "blue 3", "red 2", "blue 4", "red 3"])
    expect.arrives(link, ["red 1", "red 2", "red 3"])
    expect.trace("selector-honoured")


@asserts("4.1.2-5", api=("domain-specific",), variant="common", needs="classic")
def test_a_selector_of_a_common_consumer_limits_what_is_delivered(case: Case) -> None:
    """A consumer with a selector that a QueueSession makes by createConsumer gets the messages that match, and no other."""
    link = case.link(consumes=False)
    session: Any = link.client.session
    create = session.create_consumer if case.offers("classic") else session.create_receiver
    link.use(expect.works("createConsumer", lambda: create(link.destination, RED)))
    send_coloured(link, ["blue 1", "red 1", "blue 2", "red 2"])
    expect.arrives(link, ["red 1", "red 2"])


@asserts("4.1.2-6")
def test_messages_not_selected_stay_on_the_queue(case: Case) -> None:
    """What a selector passes over stays: a browser sees it, and a later consumer gets it."""
    link = case.link(selector=RED)
    send_coloured(link, ["blue 1", "red 1", "blue 2", "red 2"])
    expect.arrives(link, ["red 1", "red 2"])
    link.consumer.close()
    expect.equal("what a browser shows", link.client.browse(link.destination), ["blue 1", "blue 2"])
    link.client.close()
    expect.only(case.link(destination=link.destination), ["blue 1", "blue 2"])


@asserts("4.1.2-7")
def test_messages_not_selected_go_to_another_consumer(case: Case) -> None:
    """Each of two open consumers gets what its selector chooses, the second too while the first is idle."""
    red = case.link(selector=RED)
    blue = case.link(destination=red.destination, selector=BLUE)
    send_coloured(red, ["blue 1", "red 1", "blue 2", "red 2"])
    expect.arrives(blue, ["blue 1", "blue 2"])
    expect.arrives(red, ["red 1", "red 2"])


ENDS: dict[str, Callable[[Link], object]] = {
    "closed its consumer": lambda link: link.consumer.close(),
    "closed its session": lambda link: link.client.close_session(),
    "closed its connection": lambda link: link.client.close(),
    "returned one more and closed its connection": lambda link: (link.take(), link.client.close()),
}
"""What a consumer did after it had received one message."""


@asserts("4.1.2-7", ack=("client", "transacted"), variant="later")
def test_messages_not_selected_go_to_later_consumers(case: Case) -> None:
    """What a consumer passed over goes to those after it, each with a selector of its own, whatever it received and how it ended."""
    texts = ["blue 1", "green 1", "red 1", "blue 2", "green 2", "red 2", "red 3"]
    with expect.all_of():
        for what, end in ENDS.items():
            sender = case.link(consumes=False)
            send_coloured(sender, texts)
            first = case.link(destination=sender.destination, selector=RED)
            expect.equal("the first message selected", body(first.receive()), "red 1")
            end(first)
            for colour in ("green", "blue"):
                later = case.link(destination=sender.destination, selector=f"colour = '{colour}'")
                expect.arrives(later, [f"{colour} 1", f"{colour} 2"])
                later.client.close()
            last = case.link(destination=sender.destination)
            left = sorted(str(body(last.receive())) for _ in range(2))
            expect.equal(f"what was left in the end when a consumer {what}", left, ["red 2", "red 3"])


@asserts("4.1.2-7", ack=("client", "transacted"), variant="returned")
def test_messages_not_selected_go_to_who_has_passed_them(case: Case) -> None:
    """What one consumer did not select, and a second returned, goes to a third that has received what lay behind it."""
    red = case.link(selector=RED)
    blue = case.link(destination=red.destination, selector=BLUE)
    send_coloured(red, ["blue 1"])
    blue.take()
    third = case.link(destination=red.destination, selector="colour <> 'red'")
    send_coloured(red, ["green 2"])
    expect.arrives(third, ["green 2"])
    blue.client.return_all()
    blue.client.close()
    expect.arrives(third, ["blue 1"])


@asserts("4.1.2-8", "6.2.9.1-2")
def test_a_sole_consumer_gets_the_order_of_sending(case: Case) -> None:
    """A consumer alone on a queue gets the messages of one session in the order in which they were sent."""
    link = case.link()
    link.send_all(numbered(50))
    expect.arrives(link, numbered(50))
    expect.trace("order-per-stream")


@asserts("4.1.2-9")
def test_order_holds_with_selectors_and_competitors(case: Case) -> None:
    """What reaches each of several consumers, one with a selector, is in the order of sending."""
    picky = case.link(selector=RED)
    links = [picky, *(case.link(destination=picky.destination) for _ in range(2))]
    send_coloured(picky, [f"{colour} {text}" for text in numbered(12) for colour in ("blue", "red")])
    shares = [[str(text).split()[1] for text in share] for share in shared_out(links, 24)]
    expect.equal("number of messages that came", sum(map(len, shares)), 24)
    expect.equal("what each consumer got", shares, [sorted(share) for share in shares])
    expect.trace("order-per-stream")
