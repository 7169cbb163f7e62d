"""7.1 Producers: with a destination and without, of invalid ones, closed, and those of a context."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, Send, ending_of, of_own_destination, to_given_destination
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import every_call
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.lifecycle.null_messages import OPTIONS, refuses_null_messages, send_of
from tck.suite.support.values.seen import headers, shown, tried

MODES = ("auto", "transacted")
PARTS = ("classic", "domain-specific")
Calls = Mapping[str, Callable[[], object]]


def _producer(link: Link, destination: api.Destination | None) -> Any:
    """Create a producer of the case's interface for a destination, or for none."""
    return link.client.sender(destination).producer


@asserts("7.1-1", ack=MODES)
def test_a_producer_sends_to_its_destination(case: Case) -> None:
    """Producers of one session, of two queues and two topics, each send to the destination they were created for."""
    client = case.client()
    links = [case.link(client=client, destination=case.destination(domain)) for domain in 2 * ("queue", "topic")]
    with expect.all_of():
        for turn in ("in order", "and back"):
            for link in links if turn == "in order" else links[::-1]:
                link.put(f"{turn}: {shown(link.destination)}")
            client.settle()
        for link in links:
            expect.only(link, [f"{turn}: {shown(link.destination)}" for turn in ("in order", "and back")])


@asserts("7.1-2", ack=MODES)
def test_a_producer_without_a_destination_takes_it_from_each_send(case: Case) -> None:
    """One producer created with null sends to queues and topics in turn, with options and without; each gets its own."""
    client = case.client()
    links = [case.link(client=client, destination=case.destination(domain)) for domain in 2 * ("queue", "topic")]
    sender = client.sender()
    for turn, link in itertools.product((1, 2, 3), links):
        priority = 7 if turn == 2 else None
        sender.send(client.text(f"{turn}: {shown(link.destination)}"), to=link.destination, priority=priority)
        client.settle()
    with expect.all_of():
        for link in links:
            expect.only(link, [f"{turn}: {shown(link.destination)}" for turn in (2, 1, 3)], ordered=False)


def _sends(producer: Any, link: Link, text: str, **given: Any) -> Calls:
    """Return the sends of a producer without options and with them, by any further arguments."""
    words, send = ", ".join(given) or "the message alone", send_of(producer, link)
    return {
        f"a send of {words}": lambda: send(link.text(text), **given),
        f"a send of {words}, with options": lambda: send(link.text(text), **given, **OPTIONS),
    }


def _refused(link: Link, wrong: Calls, right: Calls) -> None:
    """Demand UnsupportedOperationException of the wrong sends, though the right ones work, and that nothing else arrives."""
    expect.all_raise(
        api.UnsupportedOperationException, wrong, though_work=dict(zip(wrong, right.values(), strict=True))
    )
    link.client.settle()
    expect.only(link, len(right) * ["right"], ordered=False)


def _needs_a_destination(case: Case) -> None:
    link = case.link()
    used, fresh = _producer(link, None), _producer(link, None)
    right = _sends(used, link, "right", destination=link.destination)
    with expect.all_of():
        _refused(link, _sends(used, link, "wrong"), right)
        _refused(link, _sends(fresh, link, "wrong"), right)


@asserts("7.1-3", ack=MODES, api=("classic",))
def test_a_producer_without_a_destination_needs_one_in_each_send(case: Case) -> None:
    """A send without a destination by a producer without one is refused, before and after sends that named one."""
    _needs_a_destination(case)


@asserts("7.1-3", "9.2-21", ack=MODES, api=("domain-specific",))
def test_a_domain_producer_without_a_destination_needs_one_in_each_send(case: Case) -> None:
    """A send without a destination by a QueueSender or TopicPublisher without one is refused, before and after others."""
    _needs_a_destination(case)


@asserts("7.1-4", ack=MODES)
def test_a_producer_with_a_destination_refuses_another(case: Case) -> None:
    """A send that names a destination by a producer that has one is refused, be it another one or the same."""
    link, other = case.link(), case.link()
    producer = link.sender.producer
    with expect.all_of():
        for destination in (link.destination, other.destination):
            wrong = _sends(producer, link, "wrong", destination=destination)
            _refused(link, wrong, _sends(producer, link, "right"))
        expect.only(other)


@asserts("7.1-5", ack=MODES)
def test_asynchronous_sends_check_the_destination_too(case: Case) -> None:
    """The wrong asynchronous sends are refused as the synchronous ones are; nothing is sent, no callback comes."""
    link = case.link()
    wrong, right = Callbacks(case), Callbacks(case)
    with_one, without = link.sender.producer, _producer(link, None)
    with expect.all_of():
        named = _sends(with_one, link, "wrong", destination=link.destination, completion_listener=wrong)
        _refused(link, named, _sends(with_one, link, "right", completion_listener=right))
        unnamed = _sends(without, link, "wrong", completion_listener=wrong)
        _refused(link, unnamed, _sends(without, link, "right", destination=link.destination, completion_listener=right))
        expect.equal("callbacks of the right sends", [call.failed for call in right.after(4)], 4 * [False])
        expect.equal("callbacks of the wrong sends", [call.failed for call in wrong.begun], [])


def _with_and_without(case: Case) -> None:
    """Send by producers of one domain for a destination and for none, to two destinations in turn."""
    first = case.link()
    second = case.link(client=first.client)
    anywhere = first.client.sender()
    for turn in (1, 2):
        for link in (first, second):
            anywhere.send(link.text(f"{turn}, without"), to=link.destination)
            link.put(f"{turn}, with")
        first.client.settle()
    for link in (first, second):
        expect.only(link, [f"{turn}, {kind}" for turn in (1, 2) for kind in ("without", "with")])


@asserts("7.1-7", "9.2-19", domain=("queue",), ack=MODES)
def test_a_queue_sender_has_a_queue_or_takes_it_from_each_send(case: Case) -> None:
    """A QueueSender for a queue sends there; one created with null sends to the queue of each send."""
    _with_and_without(case)


@asserts("7.1-8", "9.2-19", domain=("topic",), ack=MODES)
def test_a_topic_publisher_has_a_topic_or_takes_it_from_each_publish(case: Case) -> None:
    """A TopicPublisher for a topic publishes there; one created with null publishes to the topic of each publish."""
    _with_and_without(case)


def _deleted(link: Link) -> Any:
    """Create a temporary destination, use it, and delete it; return it."""
    temporary: Any = link.client.temporary()
    own = Link(link.client, temporary)
    own.send("while it lives")
    expect.arrives(own, ["while it lives"])
    own.consumer.close()
    own.sender.close()
    temporary.delete()
    return temporary


@asserts("7.1-9", ack=("auto",))
def test_no_producer_is_created_for_a_deleted_destination(case: Case) -> None:
    """createProducer, createSender and createPublisher for a deleted temporary destination raise InvalidDestinationException."""
    link = case.link()
    temporary = _deleted(link)
    expect.raises(
        api.InvalidDestinationException,
        partial(_producer, link, temporary),
        what="a producer for a deleted temporary destination",
    )
    link.send("still usable")
    expect.arrives(link, ["still usable"])


def _to_null(link: Link) -> Calls:
    """Return the sends to a null destination."""
    producer = _producer(link, None)
    if link.case.api == "simplified":
        return {
            "a send of a message": lambda: producer.send(None, link.text("x")),
            "a send of a text": lambda: producer.send(None, "x"),
        }
    send = send_of(producer, link)
    return {
        "a send": lambda: send(link.text("x"), destination=None),
        "a send with options": lambda: send(link.text("x"), destination=None, **OPTIONS),
    }


def _refuses_null_destinations(case: Case) -> None:
    link = case.link()
    wanted = case.thrown(api.InvalidDestinationException)
    link.put("before")
    with expect.all_of():
        for what, call in _to_null(link).items():
            with expect.all_of():
                expect.raises(wanted, call, what=f"{what} to null", though_works=partial(link.put, what))
        link.client.settle()
        expect.only(link, ["before", *_to_null(link)])


@asserts("7.1-10", ack=MODES, api=("classic", "simplified"))
def test_a_send_to_null_is_refused(case: Case) -> None:
    """A send to a null destination raises InvalidDestinationException, and the session goes on; a transaction keeps the rest."""
    _refuses_null_destinations(case)


@asserts("7.1-10", "9.2-27", ack=MODES, api=("domain-specific",))
def test_a_send_in_one_domain_to_null_is_refused(case: Case) -> None:
    """A send of a QueueSender or TopicPublisher to null raises InvalidDestinationException, and the session goes on."""
    _refuses_null_destinations(case)


def _refuses_deleted_destinations(case: Case) -> None:
    link = case.link()
    sender = link.client.sender()
    temporary = _deleted(link)
    expect.raises(
        case.thrown(api.InvalidDestinationException),
        lambda: sender.send(link.text("x"), to=temporary),
        what="a send to a deleted temporary destination",
    )


@asserts("7.1-10", ack=("auto",), api=("classic", "simplified"), variant="deleted")
def test_a_send_to_a_deleted_destination_is_refused(case: Case) -> None:
    """A send to a temporary destination that its connection has deleted raises InvalidDestinationException."""
    _refuses_deleted_destinations(case)


@asserts("7.1-10", "9.2-27", ack=("auto",), api=("domain-specific",), variant="deleted")
def test_a_send_in_one_domain_to_a_deleted_destination_is_refused(case: Case) -> None:
    """A send of a QueueSender or TopicPublisher to a deleted temporary destination raises InvalidDestinationException."""
    _refuses_deleted_destinations(case)


@asserts("7.1-11", ack=("auto",), api=("classic",))
def test_a_send_of_null_is_refused(case: Case) -> None:
    """A send of a null message raises MessageFormatException by each method, and the producer goes on."""
    refuses_null_messages(case.link())


@asserts("7.1-11", ack=MODES, api=("classic",), variant="asynchronous", needs="asynchronous sends")
def test_an_asynchronous_send_of_null_is_refused(case: Case) -> None:
    """An asynchronous send of null fails with MessageFormatException by each overload."""
    link = case.link()
    _refused_as(
        link,
        "MessageFormatException",
        {**of_own_destination(link, None), **to_given_destination(link, None, link.destination)},
    )


@asserts("7.1-10", ack=MODES, api=("classic",), variant="asynchronous", needs="asynchronous sends")
def test_an_asynchronous_send_to_null_is_refused(case: Case) -> None:
    """An asynchronous send to null fails with InvalidDestinationException, with options and without."""
    link = case.link()
    _refused_as(link, "InvalidDestinationException", to_given_destination(link, link.text("refused"), None))


def _refused_as(link: Link, exception: str, sends: Mapping[str, Send]) -> None:
    """Demand of asynchronous sends that cannot work that they fail with an exception, thrown or passed to onException (7.3.2)."""
    listener = Callbacks(link.case)
    link.sender.producer.send(link.text("works"), completion_listener=listener)
    listener.one()
    with expect.all_of():
        for what, send in sends.items():
            ending = ending_of(link.case, send)
            expect.true(f"{what} fails with {exception}", ending.endswith(f" {exception}"), ending)
        link.client.settle()
        expect.only(link, ["works"])


@asserts("7.1-11", ack=("transacted",), api=("domain-specific",))
def test_a_send_of_null_in_a_transaction_of_one_domain_is_refused(case: Case) -> None:
    """A send or publish of null in a transaction raises MessageFormatException, and the transaction keeps the rest."""
    refuses_null_messages(case.link())


def _returns_its_destination(case: Case, *reads: str) -> None:
    link = case.link()
    places = [link.destination, case.destination(), link.client.temporary()]
    producers = [_producer(link, place) for place in places]
    with expect.all_of():
        for place, producer in zip(places, producers, strict=True):
            for read in reads:
                seen = tried(partial(getattr, producer, read))
                expect.equal(f"{read} of a producer", seen, shown(place))


@asserts("7.1-13", ack=("auto",), api=("classic",))
def test_a_producer_returns_its_destination(case: Case) -> None:
    """The destination that a producer returns is the one it was created for: of a name, temporary, each of several."""
    _returns_its_destination(case, "destination")


@asserts("7.1-13", "9.2-20", ack=("auto",), api=("domain-specific",))
def test_a_domain_producer_returns_its_destination(case: Case) -> None:
    """QueueSender returns its queue and TopicPublisher its topic, by both methods, also for a temporary one."""
    common = ["destination"] if case.offers("classic") else []
    _returns_its_destination(case, *common, "queue" if case.domain == "queue" else "topic")


def _named(link: Link) -> dict[str, Any]:
    """Return the destination of each send, as an argument of the messaging API."""
    return {"destination": link.destination, "topic": link.destination}


def _interface(case: Case) -> str:
    if case.api == "classic":
        return "MessageProducer"
    return "QueueSender" if case.domain == "queue" else "TopicPublisher"


@asserts("7.1-14", ack=("auto", "client", "transacted"))
def test_a_closed_producer_refuses_every_call(case: Case) -> None:
    """Every method of a closed producer, with a destination or without, raises IllegalStateException; another one goes on."""
    link = case.link()
    interface = _interface(case)
    with expect.all_of():
        for destination, named in ((link.destination, {}), (None, _named(link))):
            opened, closed = _producer(link, destination), _producer(link, destination)
            closed.close()
            refused = every_call(case, interface, lambda one=closed: one, message=link.text("refused"), **named)  # type: ignore[misc]
            worked = every_call(case, interface, lambda one=opened: one, message=link.text("sent"), **named)  # type: ignore[misc]
            all_refused(api.IllegalStateException, refused, though_work=worked)
        link.put("by another producer")
        link.client.settle()
        texts = set(map(str, _texts(link)))
        expect.equal("texts of what was sent", texts, {"sent", "by another producer"})


def _texts(link: Link) -> list[object]:
    marker, texts = link.mark(), list[object]()
    while (text := expect.arrival(link).text) != marker:  # type: ignore[attr-defined] # only texts are sent
        texts.append(text)
    link.client.settle()
    return texts


class _LeftError(Exception):
    """Ends a block."""


def _leave(*, failing: bool) -> None:
    if failing:
        raise _LeftError


@asserts("7.1-15", ack=("auto", "transacted"))
def test_a_block_closes_its_producer(case: Case) -> None:
    """A producer is closed at the end of a block that manages it, left by an exception too; what it sent arrives."""
    link = case.link()
    for destination, named in ((link.destination, {}), (None, {"destination": link.destination})):
        for failing in (False, True):
            producer = _producer(link, destination)
            with contextlib.suppress(_LeftError), producer:
                producer.send(link.text("within"), **named)
                _leave(failing=failing)
            link.client.settle()
            expect.arrives(link, ["within"])
            after = partial(producer.send, link.text("after"), **named)
            expect.raises(api.IllegalStateException, after, what="a send after the block")


@asserts("7.1-16", ack=("auto", "transacted"))
def test_each_producer_of_a_context_has_its_own_settings(case: Case) -> None:
    """Options, properties and headers of one JMSProducer show on no message of another, made before or after."""
    link = case.link()
    context = link.client.session
    before, one = context.create_producer(), context.create_producer()
    one.set_priority(8)
    one.set_delivery_mode(api.DeliveryMode.NON_PERSISTENT)
    one.set_time_to_live(3_600_000)
    one.set_property("p", "of one")
    one.set_jms_type("of one")
    one.set_jms_correlation_id("of one")
    one.set_jms_reply_to(link.destination)
    after = context.create_producer()
    for text, producer in (("before", before), ("one", one), ("after", after)):
        producer.send(link.destination, text)
        link.client.settle()
        received = link.receive()
        names = ("jms_priority", "jms_delivery_mode", "jms_type", "jms_correlation_id", "jms_reply_to")
        seen = {**headers(received, names=names), "p": tried(lambda: received.get_string_property("p"))}
        plain = dict(zip((*names, "p"), (4, 2, None, None, None, None), strict=True))
        own = dict(zip((*names, "p"), (8, 1, "of one", "of one", shown(link.destination), "of one"), strict=True))
        expect.equal(f"settings on a message of the producer {text}", seen, own if text == "one" else plain)
        expires = received.jms_expiration > 0
        expect.equal(f"whether the message of the producer {text} expires", expires, text == "one")
