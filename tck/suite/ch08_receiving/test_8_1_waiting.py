"""8.1 Consumers that wait: their selectors hold for messages that come back too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.lifecycle.stopping import receiving, sender_to
from tck.suite.support.values.colours import BLUE, RED
from tck.suite.support.values.seen import body


def _returned(link: Link) -> None:
    link.consumer.close()
    link.client.return_all()


GIVING_BACK: dict[str, Callable[[Link], object]] = {
    "a rollback or recover()": _returned,
    "the close of the session": lambda link: link.client.close_session(),
    "the close of the connection": lambda link: link.client.close(),
}
"""The ways in which a client gives messages back that it has in hand, and takes them no more itself."""
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


def _in_hand(case: Case, mode: int) -> Link:
    """Take two red messages without settling them."""
    link = case.link()
    link.sender.set(mode=mode)
    send_coloured(link, ["red 1", "red 2"])
    link.take_all(2)
    return link


def _comes_to(link: Link, first: api.Message | None) -> list[str]:
    """Show a message that came and the next one of the consumer."""
    second = link.poll()
    return sorted(str(body(one)) for one in (first, second) if one is not None)


@asserts("8.1-2", ack=("client", "transacted"), domain=("queue",), variant="waiting")
def test_returned_messages_do_not_reach_a_waiting_consumer_that_rejects_them(case: Case) -> None:
    """Messages that go back come to a waiting consumer whose selector takes them, and not to one that waits longer and rejects them."""
    with expect.all_of():
        for how, give_back in GIVING_BACK.items():
            for mode in DELIVERY_MODES:
                link = _in_hand(case, mode)
                rejecting = case.link("auto", destination=link.destination, selector=BLUE)
                selecting = case.link("auto", destination=link.destination, selector=RED)
                first, second = receiving(rejecting), receiving(selecting)
                expect.waits(first, "receive() with another selector", "while another consumer has the messages")
                expect.waits(second, "receive()", "likewise")
                give_back(link)
                came: Any = expect.returns(second, f"receive() of a consumer whose selector takes them, after {how}")
                seen = _comes_to(selecting, came)
                expect.equal(f"what the consumer gets whose selector takes them, after {how}", seen, ["red 1", "red 2"])
                send_coloured(sender_to(link), ["blue"])
                other: Any = expect.returns(first, "receive() with another selector")
                expect.equal(f"what the other one gets, after {how}", body(other), "blue")


@asserts("8.1-2", ack=("client", "transacted"), domain=("queue",), variant="listening")
def test_returned_messages_do_not_reach_a_listener_whose_consumer_rejects_them(case: Case) -> None:
    """The same of listeners: in the same session as each other, where their consumers are, and in sessions of their own."""
    with expect.all_of():
        for how, give_back in GIVING_BACK.items():
            for together in (True, False):
                link = _in_hand(case, DELIVERY_MODES[together])
                rejecting = case.link("auto", destination=link.destination, selector=BLUE)
                client = rejecting.client if together else None
                selecting = case.link("auto", client=client, destination=link.destination, selector=RED)
                listeners = [CollectingListener(case), CollectingListener(case)]
                for each, listener in zip((rejecting, selecting), listeners, strict=True):
                    each.consumer.message_listener = listener
                give_back(link)
                seen = sorted(map(str, listeners[1].after(2)))
                expect.equal(f"what the listener gets whose selector takes them, after {how}", seen, ["red 1", "red 2"])
                send_coloured(sender_to(link), ["blue"])
                expect.equal(f"what the other listener gets, after {how}", listeners[0].after(1), ["blue"])


@asserts("8.1-2", ack=("client", "transacted"), domain=("queue",), variant="returned")
def test_returned_messages_do_not_reach_a_later_consumer_that_rejects_them(case: Case) -> None:
    """Messages that went back are looked over by a consumer whose selector rejects them, and come to one that takes them."""
    with expect.all_of():
        for how, give_back in GIVING_BACK.items():
            for mode in DELIVERY_MODES:
                link = _in_hand(case, mode)
                send_coloured(sender_to(link), ["blue"])
                give_back(link)
                rejecting = case.link("auto", destination=link.destination, selector=BLUE)
                came = rejecting.poll()
                expect.equal(f"what a consumer with another selector gets, after {how}", body(came), "blue")
                selecting = case.link("auto", destination=link.destination, selector=RED)
                seen = _comes_to(selecting, selecting.poll())
                expect.equal(f"what a consumer gets whose selector takes them, after {how}", seen, ["red 1", "red 2"])
                send_coloured(sender_to(link), ["blue again"])
                expect.equal(f"what the first one gets then, after {how}", body(rejecting.poll()), "blue again")
