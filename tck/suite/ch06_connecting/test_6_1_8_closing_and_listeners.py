"""6.1.8 Closing a connection while message listeners run: what close() waits for, and a close() from a listener."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.threads import Call
from tck.suite.support.lifecycle.stopping import (
    CallingListener,
    HeldListener,
    Load,
    held,
    receiving,
    sender_to,
    sessions_of,
    settling,
    under_way,
)

MODES = ("auto", "client", "dups_ok", "transacted")
PARTS = ("classic", "domain-specific")
REFUSED = "close() of a listener's own connection is refused"
CLOSED = "a listener closes its own connection"


@asserts("6.1.8-7", ack=MODES)
def test_a_running_listener_sends_while_close_waits(case: Case) -> None:
    """A listener sends while close() waits for it, through a producer made before and one made then, and both arrive."""
    link, receiver = case.link(), case.link("auto")
    early = link.client.sender(receiver.destination)

    def work(message: api.Message) -> None:
        early.send(link.text("through an early producer"))
        link.client.sender(receiver.destination).send(link.text("through a late producer"))
        settling(link.client, message)

    listener = held(link, HeldListener(case, work))
    closing = under_way(case, "close", link.client.close)
    listener.release()
    expect.true("the listener comes to its end", listener.finished(), "a call in the listener did not return")
    expect.returns(closing, "close()")
    expect.equal("the result of the calls in the listener", listener.results[:1], [None])
    expect.arrives(receiver, ["through an early producer", "through a late producer"])


@asserts("6.1.8-8", ack=("client", "transacted"))
def test_a_running_listener_settles_while_close_waits(case: Case) -> None:
    """A commit or an acknowledge() in a listener works while close() waits for it, and covers what was received before."""
    for before in (0, 2):
        name = case.name("s")
        link = case.link(durable=name)
        sender_to(link).send_all(numbered(before))
        expect.arrives(link, numbered(before), settle=False)
        listener = held(link, HeldListener(case, partial(settling, link.client)))
        closing = under_way(case, "close", link.client.close)
        listener.release()
        expect.true("the listener comes to its end", listener.finished(), "the call in the listener did not return")
        expect.returns(closing, "close()")
        expect.equal("the result of the call in the listener", listener.results, [None])
        expect.only(case.link("auto", destination=link.destination, durable=name))


@asserts("6.1.8-9", ack=("auto",))
def test_the_message_of_a_running_listener_is_acknowledged(case: Case) -> None:
    """A message whose listener runs when close() is called is not redelivered; one behind it is delivered then or later."""
    name = case.name("s")
    link = case.link(durable=name)
    listener = held(link, HeldListener(case))
    sender_to(link).send_all(numbered(3))
    closing = under_way(case, "close", link.client.close)
    listener.release()
    expect.returns(closing, "close()")
    left = [text for text in numbered(3) if text not in listener.bodies]
    again = case.link("auto", destination=link.destination, durable=name)
    expect.arrives(again, left)
    expect.only(again)


@asserts("6.1.8-10", ack=MODES)
def test_close_waits_for_the_listeners_of_all_sessions(case: Case) -> None:
    """close() returns only after the running listener of each session, whichever of them is the last to return."""
    count = 1 if case.api == "simplified" else 3
    with expect.all_of():
        for last in range(count):
            client = case.client()
            links = [case.link(client=one) for one in sessions_of(client, count)]
            listeners = [held(link, HeldListener(case)) for link in links]
            closing = under_way(case, "close", client.close)
            for number, listener in enumerate(listeners):
                if number != last:
                    listener.release()
                    listener.finished()
            case.until_blocked(closing, "close() should wait for the last listener")
            returned = closing.returned
            listeners[last].release()
            expect.returns(closing, "close() after the listeners")
            what = f"close() waits for the listener of session {last}"
            expect.true(what, not returned, f"close() returned before the listener of session {last}")


@asserts("6.1.8-12", ack=MODES)
def test_no_listener_is_called_after_the_close(case: Case) -> None:
    """Once close() has returned under load no call of a listener begins, of two consumers, in two sessions where there are."""
    client = case.client()
    load = Load([case.link(client=one) for one in sessions_of(client, 2)])
    client.close()
    load.rests("close()")


def _outcome(case: Case, result: object) -> str:
    """Return the kind of result that close() in a listener had."""
    if isinstance(result, case.thrown(api.IllegalStateException)):
        return "refused"
    return "closed" if result is None else f"raised {type(result).__name__}"


def _judge_close_in_listener(case: Case) -> None:
    """Call close() in a listener; it returns or is refused, in time, and what it closed is closed."""
    link = case.link()
    listener = CallingListener(case, lambda _: link.client.close())
    link.consumer.message_listener = listener
    sender_to(link).send("x")
    listener.occupied()
    expect.true("close() in a listener returns", listener.finished(), "it had not returned")
    outcome = _outcome(case, listener.results[0])
    expect.one_of("close() in a listener", outcome, {"refused": REFUSED, "closed": CLOSED})
    if outcome == "closed":
        illegal = case.thrown(api.IllegalStateException)
        expect.raises(illegal, lambda: link.client.connection.meta_data, what="getMetaData() after the close")


@asserts("6.1.8-21", ack=MODES)
def test_a_listener_closes_its_own_connection(case: Case) -> None:
    """close() in a listener of the connection raises IllegalStateException or closes it, and does not hang."""
    _judge_close_in_listener(case)


@asserts("6.1.8-22", ack=MODES)
def test_a_listener_closes_its_own_context(case: Case) -> None:
    """close() in a listener of the context raises IllegalStateRuntimeException or closes it, and does not hang."""
    _judge_close_in_listener(case)


@asserts("6.1.8-23", ack=("auto",))
def test_a_message_is_acknowledged_though_its_listener_closed_the_connection(case: Case) -> None:
    """The message whose listener called close() is not redelivered, whether the call succeeded or was refused."""
    name = case.name("s")
    link = case.link(durable=name)
    listener = CallingListener(case, lambda _: link.client.close())
    link.consumer.message_listener = listener
    sender_to(link).send("x")
    listener.occupied()
    expect.true("close() in a listener returns", listener.returned(), "it had not returned")
    link.client.close()
    expect.only(case.link("auto", destination=link.destination, durable=name))
    outcome = _outcome(case, listener.results[0])
    expect.one_of("close() in a listener", outcome, {"refused": REFUSED, "closed": CLOSED})


@asserts("6.1.8-24", ack=("auto", "client", "transacted"), api=PARTS)
def test_a_close_from_a_listener_waits_for_the_others(case: Case) -> None:
    """Where close() in a listener succeeds, it returns after the listener and the receive() of other sessions."""
    client = case.client()
    first, second, third = (case.link(client=one) for one in sessions_of(client, 3))
    other = held(second, HeldListener(case))
    waiting = receiving(third)
    closing = held(first, HeldListener(case, lambda _: _close_and_look(first, waiting)))
    early = closing.early()
    other.release()
    expect.true("close() in a listener returns", closing.finished(), "it had not returned")
    result = closing.results[0]
    outcome = "closed" if isinstance(result, bool) else _outcome(case, result)
    expect.one_of("close() in a listener", outcome, {"refused": REFUSED, "closed": CLOSED})
    if outcome == "closed":
        expect.true("close() waits for the other listener", not early, "close() had returned")
        expect.true("close() waits for the receive()", result, "receive() was still waiting")


def _close_and_look(link: Link, call: Call[object]) -> bool:
    """Close the connection; return whether a call had ended then."""
    link.client.close()
    return link.case.over(call)
