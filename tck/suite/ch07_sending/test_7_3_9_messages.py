"""7.3.9 The message of an asynchronous send once its callback was called."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")


def _changed(message: Any) -> str:
    """Read all parts of a text message and change each; return its text as it was."""
    text = str(message.text)
    _ = (message.jms_message_id, message.jms_timestamp, message.jms_destination, list(message.get_property_names()))
    message.clear_body()
    message.text = f"{text}, changed"
    message.clear_properties()
    message.set_int_property("version", 2)
    message.jms_type = "changed"
    return text


def _facts(message: Any) -> list[object]:
    version = tried(lambda: message.get_int_property("version"))
    return [message.text, version, message.jms_type]


def _completed(link: Link, work: Callable[[api.Message], object]) -> tuple[api.TextMessage, object]:
    """Send a message asynchronously, with work in its callback; return it, and the result of the work."""
    message = link.text("first")
    message.set_int_property("version", 1)
    message.jms_type = "fresh"
    listener = Callbacks(link.case, work)
    send_async(link.sender, message, listener)
    listener.one()
    return message, listener.results[0]


def _settled(link: Link) -> None:
    if link.client.transacted:
        link.client.commit()


def _both_arrive(link: Link, *, count: int = 2) -> None:
    _settled(link)
    arrivals = [_facts(expect.arrival(link)) for _ in range(count)]
    link.client.settle()
    changed = ["first, changed", 2, "changed"]
    expect.equal("the messages received", arrivals, [["first", 1, "fresh"], *(count - 1) * [changed]])


@asserts("7.3.9-4", ack=("auto", "dups_ok", "transacted"))
def test_a_message_is_used_after_its_callback(case: Case) -> None:
    """After its callback a message is read, changed and sent again, synchronously and not; each version arrives as it was sent."""
    link = case.link()
    message, _ = _completed(link, lambda _: None)
    expect.equal(
        "the text after the callback", expect.works("reading and changing", partial(_changed, message)), "first"
    )
    expect.works("the synchronous send", partial(link.put, message))
    again = Callbacks(case)
    expect.works("the asynchronous send", partial(send_async, link.sender, message, again))
    again.one()
    _both_arrive(link, count=3)


@asserts("7.3.9-4", ack=("auto", "dups_ok", "transacted"), variant="in-callback")
def test_a_message_is_used_in_its_callback(case: Case) -> None:
    """In its callback a message is read, changed and sent again; both versions arrive as they were sent."""
    link = case.link()
    sender = link.client.sender(link.destination)

    def work(message: api.Message) -> str:
        text = _changed(message)
        sender.send(message)
        return text

    _, result = _completed(link, work)
    expect.equal("the result of the calls in the callback", result, "first")
    _both_arrive(link)


@asserts("7.3.9-4", ack=("auto",), variant="received")
def test_a_received_message_is_sent_on_asynchronously(case: Case) -> None:
    """A received message that is sent on asynchronously can be changed and sent once more after its callback."""
    link = case.link()
    _completed(link, lambda _: None)
    received = expect.arrival(link)
    listener = Callbacks(case, _changed)
    send_async(link.sender, received, listener)
    listener.one()
    expect.equal("the result of the calls in the callback", listener.results[0], "first")
    expect.works("the synchronous send", partial(link.send, received))
    _both_arrive(link)
