"""7.3.7 Using a session while asynchronous sends are outstanding, and in their callbacks."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, occupied_by, send_async, sent_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body

MODES = ("auto", "client", "dups_ok", "transacted")


def _at_work(case: Case, link: Link, waiting: Link) -> Mapping[str, object]:
    """Use a session: create, send, receive, close; return what was seen."""
    other = case.link(client=link.client)
    other.put("to another destination")
    link.put("to its own")
    received = body(waiting.take())
    other.consumer.close()
    message = link.client.message("map", "x")
    return {"received": received, "a map made": body(message)}


@asserts("7.3.7-2", ack=MODES)
def test_a_session_is_used_while_a_callback_is_pending(case: Case) -> None:
    """While a callback is held the session creates, sends, receives and closes; nothing waits for the callback."""
    link = case.link()
    waiting = case.link(client=link.client)
    case.link("auto", destination=waiting.destination, consumes=False).send("waiting")
    held = occupied_by(link)
    working = case.spawn("work in the session", lambda: _at_work(case, link, waiting))
    in_time = working.ends_within()
    held.release()
    expect.true("the session can be used", in_time, "a call waited for the callback")
    seen = expect.works("the work in the session", working.result)
    expect.equal("what the session saw", seen, {"received": "waiting", "a map made": "x"})
    link.client.settle()
    expect.arrives(link, ["held", "to its own"])


@asserts("7.3.7-2", ack=("auto", "client", "transacted"), variant="settled")
def test_a_session_settles_after_asynchronous_sends(case: Case) -> None:
    """Acknowledgement, recover and the end of a transaction work behind asynchronous sends, completed or not."""
    link = case.link()
    listener = Callbacks(case)
    for text in numbered(10):
        sent_async(link, [text], listener)
        if link.client.transacted:
            link.client.commit()
        message = expect.arrives(link, [text], settle=False)[0]
        sent_async(link, [f"again {text}"], listener)
        link.client.settle(message)
        expect.arrives(link, [f"again {text}"])
    listener.after(20)
    expect.only(link)
    expect.equal("number of callbacks", listener.ended, 20)


@asserts("7.3.7-3", ack=MODES)
def test_a_callback_uses_its_session(case: Case) -> None:
    """A callback, while its client waits, sends synchronously and asynchronously and creates what it needs; all arrives."""
    link = case.link()
    early, nested = link.client.sender(link.destination), Callbacks(case)

    def work(_: api.Message) -> object:
        sender = link.client.sender(link.destination)
        sender.send(link.text("sent in the callback"))
        send_async(sender, link.text("sent asynchronously there"), nested)
        early.send(link.text("sent by an early producer"))
        consumer = link.client.consumer(case.destination())
        consumer.close()
        return body(link.client.message("map", "made in the callback"))

    listener = Callbacks(case, work)
    sent_async(link, ["first"], listener)
    listener.after(1)
    expect.true("the calls in the callback return", listener.ended, "one of them had not returned")
    expect.equal("the result of the calls in the callback", listener.results[0], "made in the callback")
    nested.after(1)
    expect.equal("callbacks of the send within the callback", nested.texts, ["sent asynchronously there"])
    link.client.settle()
    texts = ["first", "sent in the callback", "sent asynchronously there", "sent by an early producer"]
    expect.arrives(link, texts, ordered=False)


@asserts("7.3.7-3", ack=("auto", "client", "dups_ok"), variant="receives")
def test_a_callback_receives(case: Case) -> None:
    """A callback, while its client waits, receives the message that was sent, and settles it."""
    link = case.link()
    listener = Callbacks(case, lambda _: body(link.receive()))
    for text in numbered(3):
        sent_async(link, [text], listener)
        listener.after(int(text))
    expect.equal("what the callbacks received", listener.results, numbered(3))
    expect.only(link)
