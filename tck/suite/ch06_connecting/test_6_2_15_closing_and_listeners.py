"""6.2.15 Closing a session while its listeners run: what close() waits for, and a close() from a listener."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.stopping import (
    CallingListener,
    HeldListener,
    Load,
    held,
    sender_to,
    settling,
    under_way,
)

MODES = ("auto", "client", "dups_ok", "transacted")
REFUSED = "close() of a listener's own session is refused"
CLOSED = "a listener closes its own session"


@asserts("6.2.15-2", ack=MODES)
def test_no_listener_is_called_after_the_close(case: Case) -> None:
    """Once close() has returned under load no listener of the session is called; that of another session goes on."""
    client = case.client()
    session = client.peer()
    other, gathering = case.link(client=client.peer("auto")), CollectingListener(case)
    other.consumer.message_listener = gathering
    load = Load([case.link(client=session), case.link(client=session)])
    session.close_session()
    load.rests("close()")
    sender_to(other).send("after the close")
    expect.equal("what the listener of another session got", gathering.after(1), ["after the close"])


@asserts("6.2.15-5", ack=MODES)
def test_close_waits_for_a_running_listener(case: Case) -> None:
    """close() of a session returns after its running listener, of the first consumer or another; other sessions are not waited for."""
    with expect.all_of():
        for position in range(2):
            client = case.client()
            session = client.peer()
            links = [case.link(client=session), case.link(client=session)]
            elsewhere = held(case.link(client=client), HeldListener(case))
            listener = held(links[position], HeldListener(case))
            closing = case.spawn("close", session.close_session)
            case.until_blocked(closing, "close() should wait for the listener")
            early = closing.returned
            listener.release()
            expect.returns(closing, "close() after the listener")
            what = f"close() waits for the listener of consumer {position}"
            expect.true(what, not early, f"close() returned before the listener of consumer {position}")
            elsewhere.release()


@asserts("6.2.15-7", ack=MODES)
def test_a_running_listener_sends_while_close_waits(case: Case) -> None:
    """A listener sends while close() waits for it, through a producer made before and one made then, and both arrive."""
    link, receiver = case.link(client=case.client().peer()), case.link("auto")
    early = link.client.sender(receiver.destination)

    def work(message: api.Message) -> None:
        early.send(link.text("through an early producer"))
        link.client.sender(receiver.destination).send(link.text("through a late producer"))
        settling(link.client, message)

    listener = held(link, HeldListener(case, work))
    closing = under_way(case, "close", link.client.close_session)
    listener.release()
    expect.true("the listener comes to its end", listener.finished(), "a call in the listener did not return")
    expect.returns(closing, "close()")
    expect.equal("the result of the calls in the listener", listener.results[:1], [None])
    expect.arrives(receiver, ["through an early producer", "through a late producer"])


@asserts("6.2.15-7", ack=("client", "transacted"), variant="settles")
def test_a_running_listener_settles_while_close_waits(case: Case) -> None:
    """A commit or an acknowledge() in a listener works while close() waits for it, and covers what was received before."""
    for before in (0, 2):
        name = case.name("s")
        base = case.client(client_id=name if case.domain == "topic" else None)
        link = case.link(client=base.peer(), destination=case.destination(), durable=name)
        sender_to(link).send_all(numbered(before))
        expect.arrives(link, numbered(before), settle=False)
        listener = held(link, HeldListener(case, partial(settling, link.client)))
        closing = under_way(case, "close", link.client.close_session)
        listener.release()
        expect.true("the listener comes to its end", listener.finished(), "the call in the listener did not return")
        expect.returns(closing, "close()")
        expect.equal("the result of the call in the listener", listener.results, [None])
        base.close()
        expect.only(case.link("auto", destination=link.destination, durable=name))


def _outcome(case: Case, result: object) -> str:
    """Return the kind of result that close() in a listener had."""
    if isinstance(result, case.thrown(api.IllegalStateException)):
        return "refused"
    return "closed" if result is None else f"raised {type(result).__name__}"


def _judge_close_in_listener(case: Case) -> None:
    """Call close() in a listener; it returns or is refused, in time, what it closed is closed, and a sibling works on."""
    client = case.client()
    link, sibling = case.link(client=client.peer()), case.link("auto", client=client.peer("auto"))
    listener = CallingListener(case, lambda _: link.client.close_session())
    link.consumer.message_listener = listener
    sender_to(link).send("x")
    listener.occupied()
    expect.true("close() in a listener returns", listener.finished(), "it had not returned")
    outcome = _outcome(case, listener.results[0])
    expect.one_of("close() in a listener", outcome, {"refused": REFUSED, "closed": CLOSED})
    sibling.send("of a sibling")
    expect.arrives(sibling, ["of a sibling"])
    if outcome == "closed":
        illegal, create = case.thrown(api.IllegalStateException), partial(link.client.session.create_text_message, "x")
        expect.raises(illegal, create, what="createTextMessage() after the close")


@asserts("6.2.15-8", ack=MODES)
def test_a_listener_closes_its_own_session(case: Case) -> None:
    """close() in a listener of the session raises IllegalStateException or closes it, and does not hang; others work on."""
    _judge_close_in_listener(case)


@asserts("6.2.15-9", ack=MODES)
def test_a_listener_closes_its_own_context(case: Case) -> None:
    """close() in a listener of a context that has a sibling raises or closes it, and does not hang; the sibling works on."""
    _judge_close_in_listener(case)


@asserts("6.2.15-10", ack=("auto",))
def test_a_message_is_acknowledged_though_its_listener_closed_the_session(case: Case) -> None:
    """The message whose listener called close() is not redelivered, whether the call succeeded or was refused."""
    name = case.name("s")
    base = case.client(client_id=name if case.domain == "topic" else None)
    link = case.link(client=base.peer(), destination=case.destination(), durable=name)
    listener = CallingListener(case, lambda _: link.client.close_session())
    link.consumer.message_listener = listener
    sender_to(link).send("x")
    listener.occupied()
    expect.true("close() in a listener returns", listener.returned(), "it had not returned")
    link.client.close_session()
    base.close()
    expect.only(case.link("auto", destination=link.destination, durable=name))
    outcome = _outcome(case, listener.results[0])
    expect.one_of("close() in a listener", outcome, {"refused": REFUSED, "closed": CLOSED})
