"""7.3.8 Threads and order of completion callbacks."""

from __future__ import annotations

import threading

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import ConcurrencyCounter
from tck.suite.support.harness.outcome import Undecided

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
COUNT = 30


def _varied(link: Link, text: str) -> api.Message:
    """Create a message with this text; every fifth or so is large."""
    message = link.text(text)
    if text[-1:] in "36":
        message.set_string_property("filling", 60_000 * "x")
    return message


def _settled(link: Link) -> None:
    if link.client.transacted:
        link.client.commit()


@asserts("7.3.8-1", ack=MODES)
def test_callbacks_of_a_session_come_one_by_one(case: Case) -> None:
    """Slow callbacks of three producers, each with a listener of its own, do not overlap."""
    link = case.link(consumes=False)
    counter = ConcurrencyCounter(case)

    def work(_: api.Message) -> None:
        counter.enter()
        counter.leave()

    senders = [(link.client.sender(case.destination()), Callbacks(case, work)) for _ in range(3)]
    for number in range(4):
        for sender, listener in senders:
            send_async(sender, link.text("x"), listener, mode=DELIVERY_MODES[number % 2])
    _settled(link)
    done = [len(listener.after(4)) for _, listener in senders]
    expect.equal("callbacks of each producer", done, [4, 4, 4])
    expect.equal("most callbacks at the same time", counter.most, 1)


@asserts("7.3.8-2", ack=MODES)
def test_callbacks_of_a_producer_come_in_the_order_of_its_sends(case: Case) -> None:
    """Callbacks of two producers come in the order of each one's sends, whatever size, delivery mode and priority."""
    link = case.link(consumes=False)
    listeners = [Callbacks(case), Callbacks(case)]
    senders = [link.client.sender(link.destination), link.client.sender(case.destination())]
    for number, text in enumerate(numbered(COUNT)):
        for sender, listener in zip(senders, listeners, strict=True):
            mode = DELIVERY_MODES[number // 2 % 2]
            send_async(sender, _varied(link, text), listener, mode=mode, priority=number % 10)
    _settled(link)
    for number, listener in enumerate(listeners):
        listener.after(COUNT)
        expect.equal(f"callbacks of producer {number + 1}", listener.texts, numbered(COUNT))


@asserts("7.3.8-2", ack=("auto", "transacted"), variant="several-destinations")
def test_callbacks_keep_the_order_over_destinations(case: Case) -> None:
    """Callbacks of a producer without a destination come in the order of its sends to three, with time to live or without."""
    link = case.link(consumes=False)
    places = [case.destination(), case.destination("queue"), case.destination("topic")]
    if case.api == "domain-specific":
        places = [case.destination() for _ in places]
    sender, listener = link.client.sender(), Callbacks(case)
    for number, text in enumerate(numbered(COUNT)):
        send_async(sender, _varied(link, text), listener, to=places[number % 3], ttl=3_600_000 * (number % 2))
    _settled(link)
    listener.after(COUNT)
    expect.equal("callbacks of the producer", listener.texts, numbered(COUNT))


@asserts("7.3.8-3", ack=MODES)
def test_callbacks_of_a_context_come_in_the_order_of_its_sends(case: Case) -> None:
    """Callbacks of three producers of a context come in the order of the sends, whatever size, mode and destination."""
    link = case.link(consumes=False)
    listener = Callbacks(case)
    senders = [link.client.sender(link.destination), link.client.sender(case.destination()), link.sender]
    for number, text in enumerate(numbered(COUNT)):
        send_async(senders[number % 3], _varied(link, text), listener, mode=DELIVERY_MODES[number // 2 % 2])
    _settled(link)
    listener.after(COUNT)
    expect.equal("callbacks of the context", listener.texts, numbered(COUNT))


@asserts("7.3.8-4", ack=("auto", "client"))
def test_callbacks_of_failed_sends_keep_their_place(case: Case) -> None:
    """Callbacks of sends that failed come between those that succeeded, in the order of the sends; the first is held."""
    link = case.link(consumes=False)
    listener = Callbacks(case, held=True)
    for text in numbered(10):
        if text in {"003", "008"}:
            case.administer("fail-next-sends", destination=link.destination, count=1)
        send_async(link.sender, link.text(text), listener)
        if text == "001":
            listener.occupied()
    listener.release()
    calls = listener.after(10)
    if {call.failed for call in calls} != {True, False}:  # which ones fail depends on how fast the provider is
        raise Undecided("no send, or each, has failed")
    expect.equal("callbacks of both kinds", [call.text for call in calls], numbered(10))


@asserts("7.3.8-5", ack=MODES)
def test_no_callback_runs_in_the_sending_thread(case: Case) -> None:
    """No callback runs in the thread that sends while the send is in progress, for small and large messages of both modes."""
    link = case.link(consumes=False)
    here, sending, inside = threading.get_ident(), threading.Event(), list[object]()

    def work(message: api.Message) -> None:
        if sending.is_set() and threading.get_ident() == here:
            inside.append(message.jms_message_id)

    listener = Callbacks(case, work)
    for number, text in enumerate(numbered(COUNT)):
        sending.set()
        send_async(link.sender, _varied(link, text), listener, mode=DELIVERY_MODES[number % 2])
        sending.clear()
    _settled(link)
    expect.equal("number of callbacks", len(listener.after(COUNT)), COUNT)
    expect.equal("callbacks in the thread of a send in progress", inside, [])


@asserts("7.3.8-5", ack=("auto", "transacted"), variant="held")
def test_a_held_callback_does_not_hold_the_send(case: Case) -> None:
    """A send returns though its own callback waits for something that the sender does afterwards."""
    link = case.link()
    returned = case.provider.clock.event()
    listener = Callbacks(case, lambda _: returned.wait(2 * case.timing.deadline))
    sending = case.spawn("an asynchronous send", lambda: send_async(link.sender, link.text("x"), listener))
    in_time = sending.ends_within()
    returned.set()
    expect.true("the asynchronous send returns", in_time, "it waited for its own callback")
    expect.works("the asynchronous send", sending.result)
    link.client.settle()
    expect.arrives(link, ["x"])
    expect.equal("callbacks", listener.after(1)[0].text, "x")
