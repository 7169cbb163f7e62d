"""8.2 Consumers of a queue: those of each interface take messages off it; queue receivers."""

from __future__ import annotations

import itertools
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.lifecycle.stopping import sender_to

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
SELECTING = "colour = 'red'"


def _takes_off_the_queue(case: Case, interface: str, only: str) -> None:
    """Demand that the consumer of each overload receives what is sent before and after, and that it is gone then."""
    rows = len(_overloads(case, interface, only, case.link(consumes=False)))
    with expect.all_of():
        for number, mode in itertools.product(range(rows), DELIVERY_MODES):
            with expect.all_of():
                link = case.link(consumes=False)
                sender = sender_to(link)
                sender.put(_red(sender, "before"), mode=mode)
                what, call = list(_overloads(case, interface, only, link).items())[number]
                link.use(expect.works(what, call))  # type: ignore[arg-type]  # a consumer
                for text in numbered(2):
                    sender.put(_red(sender, text), mode=mode)
                expect.arrives(link, ["before", *numbered(2)])
                link.client.close()
                expect.only(case.link("auto", destination=link.destination))


def _overloads(case: Case, interface: str, only: str, link: Link) -> Rows:
    """Return the calls that create a consumer of the link's queue, with a selector that chooses the red where there is one."""
    session, queue = link.client.session, link.destination
    return every_call(
        case,
        interface,
        lambda: session,
        only=[only],
        message_selector=SELECTING,
        no_local=False,
        destination=queue,
        queue=queue,
    )


def _red(link: Link, text: str) -> api.Message:
    """Create a message that the selector chooses."""
    message = link.text(text)
    message.set_string_property("colour", "red")
    return message


@asserts("8.2-1", ack=MODES)
def test_a_message_consumer_takes_messages_off_its_queue(case: Case) -> None:
    """What the MessageConsumer of each createConsumer() overload receives is gone from the queue."""
    _takes_off_the_queue(case, "Session", "createConsumer")


@asserts("8.2-2", ack=MODES)
def test_a_jms_consumer_takes_messages_off_its_queue(case: Case) -> None:
    """What the JMSConsumer of each createConsumer() overload receives is gone from the queue."""
    _takes_off_the_queue(case, "JMSContext", "createConsumer")


@asserts("8.2-3", ack=MODES)
def test_a_receiver_takes_messages_off_its_queue(case: Case) -> None:
    """What the QueueReceiver of createReceiver(queue) receives is gone from the queue."""
    _takes_off_the_queue(case, "QueueSession", "createReceiver(Queue)")


@asserts("8.2-4", ack=MODES)
def test_a_receiver_with_a_selector_takes_matching_messages(case: Case) -> None:
    """A receiver gets the matching messages sent before and after its creation; the others stay for another receiver."""
    with expect.all_of():
        for mode in DELIVERY_MODES:
            with expect.all_of():
                link = case.link(consumes=False)
                sender = sender_to(link)
                before = _send_coloured(sender, "before", mode)
                link.use(link.client.session.create_receiver(link.destination, SELECTING))
                sent = before + _send_coloured(sender, "after", mode)
                expect.arrives(link, [text for text in sent if text.startswith("red")])
                link.client.close()
                rest = case.link("auto", destination=link.destination)
                expect.arrives(rest, [text for text in sent if not text.startswith("red")], ordered=False)
                expect.only(rest)


def _send_coloured(sender: Link, when: str, mode: int) -> list[str]:
    """Send messages in turn that the selector does not choose, chooses, and cannot evaluate; return their bodies."""
    texts = [f"{colour} {when} {number}" for number in (0, 1) for colour in ("blue", "red", "colourless")]
    for text in texts:
        message = sender.text(text)
        if not text.startswith("colourless"):
            message.set_string_property("colour", text.partition(" ")[0])
        sender.put(message, mode=mode)
    return texts


@asserts("8.2-9", ack=("auto", "transacted"))
def test_a_receiver_with_no_selector_text_receives_everything(case: Case) -> None:
    """Receivers created with null and with the empty string receive all messages, and nothing stays on the queue."""
    with expect.all_of():
        for selector, mode in itertools.product((None, ""), DELIVERY_MODES):
            with expect.all_of():
                link = case.link(consumes=False)
                sender = sender_to(link)
                before = _send_coloured(sender, "before", mode)
                create = partial(link.client.session.create_receiver, link.destination, selector)
                link.use(expect.works(f"createReceiver() with {selector!r}", create))
                expect.arrives(link, before + _send_coloured(sender, "after", mode))
                link.client.close()
                expect.only(case.link("auto", destination=link.destination))


@asserts("8.2-6")
def test_a_receiver_tells_its_queue(case: Case) -> None:
    """getQueue() of a receiver gives the queue it receives from."""
    link = case.link()
    with case.client().session.create_receiver(link.destination) as receiver:
        expect.equal("the queue of a receiver", receiver.queue, link.destination)


@asserts("8.2-7")
def test_a_receiver_needs_a_queue(case: Case) -> None:
    """createReceiver() of null, with and without a selector, raises InvalidDestinationException."""
    session = case.client().session
    calls = partial(every_call, case, "QueueSession", lambda: session, only=["createReceiver"])
    expect.all_raise(api.InvalidDestinationException, calls(queue=None), though_work=calls())
