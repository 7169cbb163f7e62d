"""2.8 The simplified interface: JMSContext, JMSProducer, JMSConsumer."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.values.seen import body, tried


@asserts("2.8-1", ack=("transacted",), domain=("queue",))
def test_a_context_is_connection_and_session(case: Case) -> None:
    """One context sends, receives, browses, commits, rolls back, has a client identifier, starts and stops."""
    client_id = case.name("c")
    context = case.client(client_id=client_id).session
    link = case.link("auto")
    expect.equal("the client identifier", context.client_id, client_id)
    context.create_producer().send(link.destination, context.create_text_message("rolled back"))
    context.rollback()
    context.create_producer().send(link.destination, context.create_text_message("x"))
    context.commit()
    expect.only(link, ["x"])
    place = expect.works("createTemporaryQueue()", context.create_temporary_queue)
    context.create_producer().send(place, "y")
    context.commit()
    browser = expect.works("createBrowser()", lambda: context.create_browser(place))
    expect.equal("what the browser shows", [body(message) for message in browser.get_enumeration()], ["y"])
    consumer = expect.works("createConsumer()", lambda: context.create_consumer(place))
    expect.works("stop() and start()", lambda: (context.stop(), context.start()))
    expect.equal("what the context received", body(consumer.receive(int(case.timing.deadline))), "y")


def _shown(case: Case, style: str) -> dict[str, object]:
    link = case.link(client=case.client("client", api=style))
    link.sender.set(delay=case.long_delay(), priority=7, mode=api.DeliveryMode.NON_PERSISTENT)
    due = case.now() + case.long_delay()
    link.put("x")
    polled = link.look()  # on a busy machine it may take until the delivery time
    early = polled is not None and case.now() < due
    case.pass_time(case.long_delay() + case.timing.tolerance + 1, "the delivery time comes")
    first = polled if polled is not None else link.take()
    link.client.recover()
    again = link.take()
    link.sender.set(delay=0)
    link.put("sent without delay")
    return {
        "body": body(again),
        "body of what is sent without delay": body(link.take()),
        "came before the delivery time": early,
        "priority": first.jms_priority,
        "delivery mode": first.jms_delivery_mode,
        "redelivered after recover()": again.jms_redelivered,
    }


@asserts("2.8.1-1")
def test_the_simplified_interface_does_what_the_classic_one_does(case: Case) -> None:
    """Delay, priority, mode and recovery show alike in both interfaces."""
    expect.equal("what a client of the simplified interface sees", _shown(case, "simplified"), _shown(case, "classic"))


@asserts("2.8.1-2")
def test_bodies_travel_without_message_objects(case: Case) -> None:
    """A body is handed to send() and comes out of receiveBody(): text, map, bytes and an object."""
    link = case.link()
    producer = link.sender.producer
    limit = int(case.timing.deadline)
    for given, kind in (("text", str), ({"key": "value"}, dict), (b"bytes", bytes), (5, api.SERIALIZABLE)):
        producer.send(link.destination, given)
        seen = expect.works("receiveBody()", lambda: link.consumer.receive_body(kind, limit))  # type: ignore[union-attr] # a JMSConsumer
        expect.equal("the body received", seen, given)


@asserts("2.8.2-1", "7.1-6")
def test_one_producer_serves_many_destinations(case: Case) -> None:
    """Each send of a JMSProducer names its destination, and each destination gets its own messages alone."""
    links = [case.link() for _ in range(3)]
    client = case.client()
    producer = client.sender(None)
    for turn in (1, 2):
        for number, link in enumerate(links):
            producer.send(client.text(f"to {number} in turn {turn}"), to=link.destination)
    for number, link in enumerate(links):
        expect.only(link, [f"to {number} in turn 1", f"to {number} in turn 2"])


@asserts("2.8.2-1", domain=("queue",), variant="namesakes")
def test_one_producer_keeps_a_queue_and_a_topic_of_one_name_apart(case: Case) -> None:
    """A JMSProducer that sends to a queue and to a topic of its name reaches those that two producers reach."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    for first in (0, 1):
        by_two = tried(partial(_namesakes, case, first, alone=False))
        by_one = tried(partial(_namesakes, case, first, alone=True))
        expect.equal("what a queue and a topic of one name get from one producer", by_one, by_two)
        expect.record(f"a queue and a topic of one name are {'two' if by_two == APART else 'not two'} destinations")


APART = [["1 to the queue", "2 to the queue"], ["1 to the topic", "2 to the topic"]]
"""What two destinations get."""


def _namesakes(case: Case, first: int, *, alone: bool) -> list[list[object]]:
    """Send to a queue and a topic of its name in turn, by one producer or by two; return what comes from each."""
    client, queue = case.client(), case.queue()
    places = [("queue", queue), ("topic", client.session.create_topic(queue.queue_name))]
    links = [case.link(destination=place) for _, place in places]
    senders = [client.sender(None)] * 2 if alone else [client.sender(None), client.sender(None)]
    for turn in (1, 2):
        for at in (first, 1 - first):
            name, place = places[at]
            senders[at].send(client.text(f"{turn} to the {name}"), to=place)
    return [_before_a_marker(link) for link in links]


def _before_a_marker(link: Link) -> list[object]:
    marker, came = link.mark(), []
    while (text := body(link.take())) != marker:
        came.append(text)
    return came


@asserts("2.8.2-2", "8.1-3")
def test_a_consumer_receives_synchronously_and_by_a_listener(case: Case) -> None:
    """One JMSConsumer gets its message from receive(), another one hands it to its listener."""
    waiting, listening = case.link(), case.link()
    gathering = CollectingListener(case)
    waiting.send("x")
    expect.arrives(waiting, ["x"])
    listening.consumer.message_listener = gathering
    case.link(destination=listening.destination, consumes=False).send("y")
    expect.equal("what the listener got", gathering.after(1), ["y"])


@asserts("2.8.2-5", "6.1-8")
def test_a_connection_has_several_sessions(case: Case) -> None:
    """Three sessions or contexts of one connection are open together, and each sends and receives."""
    client = case.client()
    second = expect.works("a second session", client.peer)
    third = expect.works("a third session", client.peer)
    for number, session in enumerate((client, second, third)):
        link = case.link(client=session)
        link.send(f"session {number}")
        expect.only(link, [f"session {number}"])


@asserts("2.8.2-6", "6.1-9")
def test_a_context_made_from_a_context_shares_its_connection(case: Case) -> None:
    """It has the client identifier, may consume from a temporary queue of the other, and its own transaction."""
    client_id = case.name("c")
    first = case.client("transacted", client_id=client_id)
    second = first.peer("transacted")
    expect.equal("the client identifier of the second context", second.session.client_id, client_id)
    place = first.session.create_temporary_queue()
    link = expect.works("consuming by the second context", lambda: case.link(client=second, destination=place))
    first.sender(place).send(first.text("of the first"))
    link.put("rolled back")
    second.rollback()
    first.commit()
    expect.equal("what the second context got", body(link.poll()), "of the first")


def _carried(link: Link) -> list[object]:
    return [body(link.carry(link.text(text))) for text in numbered(50)]


@asserts("2.8.2-7")
def test_contexts_of_one_connection_work_at_the_same_time(case: Case) -> None:
    """Two threads, each with a context of its own on one connection, send and receive 50 messages each."""
    client = case.client()
    links = [case.link(client=client), case.link(client=client.peer())]
    calls = [case.spawn("a thread", partial(_carried, link)) for link in links]
    for call in calls:
        expect.equal("what came back to a thread", expect.returns(call, "its work", case.timing.case), numbered(50))


@asserts("2.8.2-8", "10.2-3")
def test_a_context_throws_unchecked_exceptions(case: Case) -> None:
    """What goes wrong in a context is a JMSRuntimeException: a bad selector, a null destination, an unknown subscription."""
    link = case.link(client=case.client(client_id=case.name("c")))
    link.send("x")
    link.receive()
    context = link.client.session
    expect.raises(
        api.JMSRuntimeException,
        lambda: context.create_consumer(link.destination, "not a ( selector"),
        what="a bad selector",
    )
    producer = context.create_producer()
    expect.raises(api.JMSRuntimeException, lambda: producer.send(None, "x"), what="a null destination")
    # whether an identifier in use is refused at all, 6.1.2-13 judges
    expect.works_or(
        api.JMSRuntimeException, lambda: case.client(client_id=context.client_id), what="a client identifier in use"
    )
    expect.raises(
        api.JMSRuntimeException, lambda: context.unsubscribe(case.name("s")), what="unsubscribe without a subscription"
    )
    for make in (context.create_consumer, context.create_browser):
        expect.raises(api.JMSRuntimeException, lambda make=make: make(None), what=f"{make.__name__}(null)")  # type: ignore[misc]
