"""7.3.3 Order of asynchronous sends, among themselves and with synchronous ones."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, occupied_by, send_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.sender import Sender

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
COUNT = 30


def _message(link: Link, text: str) -> api.Message:
    """Create a message with this text; every fourth is large."""
    message = link.text(text)
    if text[-1:] in "48":
        message.set_string_property("filling", 50_000 * "x")
    return message


def _settled(link: Link) -> None:
    if link.client.transacted:
        link.client.commit()


@asserts("7.3.3-1", ack=MODES)
def test_asynchronous_sends_keep_their_order(case: Case) -> None:
    """Thirty messages, some large, that one producer sends asynchronously arrive in the order of the calls, in each delivery mode."""
    link = case.link()
    listener = Callbacks(case)
    for mode in DELIVERY_MODES:
        for text in numbered(COUNT):
            send_async(link.sender, _message(link, text), listener, mode=mode)
        _settled(link)
        expect.arrives(link, numbered(COUNT))


@asserts("7.3.3-1", ack=("auto", "transacted"), variant="unidentified")
def test_an_unidentified_producer_keeps_the_order(case: Case) -> None:
    """A producer without a destination keeps the order for each of two destinations that it serves in turn."""
    first = case.link()
    second = case.link(client=first.client)
    sender, listener = first.client.sender(), Callbacks(case)
    for text in numbered(COUNT):
        for link in (first, second):
            send_async(sender, _message(link, text), listener, to=link.destination)
    _settled(first)
    for link in (first, second):
        expect.arrives(link, numbered(COUNT))


@asserts("7.3.3-1", ack=("auto", "transacted"), variant="slow-callbacks")
def test_slow_callbacks_do_not_change_the_order(case: Case) -> None:
    """Messages that are sent while a completion listener is busy arrive in the order of the calls, at a message listener too."""
    link = case.link(consumes=False)
    receiver = case.link("auto", destination=link.destination)
    gathering = CollectingListener(case)
    receiver.consumer.message_listener = gathering
    held = occupied_by(link)
    listener = Callbacks(case)
    for text in numbered(COUNT):
        send_async(link.sender, _message(link, text), listener)
    held.release()
    _settled(link)
    expect.equal("what the message listener got", gathering.after(COUNT + 1), ["held", *numbered(COUNT)])


def _alternating(link: Link, senders: list[tuple[Sender, bool]], mode: int) -> None:
    """Send numbered messages by several senders in turn, each synchronously or not; they arrive in the order of the calls."""
    listener = Callbacks(link.case)
    for number, text in enumerate(numbered(COUNT)):
        sender, asynchronous = senders[number % len(senders)]
        if asynchronous:
            send_async(sender, _message(link, text), listener, mode=mode)
        else:
            sender.send(_message(link, text), mode=mode)
    _settled(link)
    expect.arrives(link, numbered(COUNT))


@asserts("7.3.3-2", ack=MODES)
def test_synchronous_and_asynchronous_sends_keep_one_order(case: Case) -> None:
    """Messages of one producer, sent synchronously and asynchronously in turn, arrive in the order of the calls."""
    link = case.link()
    for mode in DELIVERY_MODES:
        for pattern in ((True, False), (False, True, True), (True, False, False)):
            _alternating(link, [(link.sender, one) for one in pattern], mode)


@asserts("7.3.3-3", ack=MODES)
def test_the_producers_of_a_context_keep_one_order(case: Case) -> None:
    """Messages of three producers of a context, asynchronous or not, arrive in the order of the calls."""
    link = case.link()
    senders = [link.client.sender(link.destination) for _ in range(3)]
    for mode in DELIVERY_MODES:
        for pattern in ((True, False, True), (False, True, False), (True, True, True)):
            _alternating(link, list(zip(senders, pattern, strict=True)), mode)


@asserts("7.3.3-4", ack=MODES)
def test_sends_need_not_wait_for_callbacks(case: Case) -> None:
    """While a completion listener is busy, further sends of its producer, of another and synchronous ones are accepted."""
    link = case.link()
    other = link.client.sender(link.destination)
    held, listener = occupied_by(link), Callbacks(case)

    def send() -> None:
        for number, text in enumerate(numbered(20)):
            sender = (link.sender, other)[number % 2]
            if number % 5 == 4:
                sender.send(link.text(text))
            else:
                send_async(sender, link.text(text), listener)

    case.pass_time(case.timing.delay, "the completion listener is busy for a while")
    sending = case.spawn("further sends", send)
    returned = sending.ends_within()
    held.release()
    expect.true("further sends return", returned, "one of them waited for the callback of the first")
    expect.works("the further sends", partial(sending.result))
    _settled(link)
    expect.arrives(link, ["held", *numbered(20)], ordered=False)
    expect.equal("completed sends", sorted(map(str, _all_completed(listener))), _asynchronous(numbered(20)))


def _all_completed(listener: Callbacks) -> list[object]:
    listener.after(16)
    return listener.completed


def _asynchronous(texts: list[str]) -> list[str]:
    return [text for number, text in enumerate(texts) if number % 5 != 4]
