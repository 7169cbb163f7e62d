"""11.2.1 Session: its own listener, which gets the messages that a connection consumer assigns to the session."""

from __future__ import annotations

import contextlib
import itertools
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.stopping import settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.seen import Seen
from tck.suite.support.server.steps import ENTERED
from tck.suite.support.values.seen import body, tried

MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("11.2.1-1", ack=MODES, plain=True)
def test_a_session_keeps_its_own_listener(case: Case) -> None:
    """GetMessageListener returns the listener that was set last, and null in another session, where none was set."""
    link = case.link("auto")
    link.carry(link.text("the provider delivers"))
    client = case.client()
    other = client.peer()
    first, second = CollectingListener(case), CollectingListener(case)
    with expect.all_of():
        for listener in (first, second):
            client.session.message_listener = listener
            seen = client.session.message_listener
            expect.true("the session's own listener is the one that was set", seen is listener, f"it was {seen!r}")
        seen = other.session.message_listener
        expect.true("the own listener of another session is null", seen is None, f"it was {seen!r}")


@asserts("11.2.1-1", ack=MODES, variant="in-use", plain=True)
def test_a_session_in_use_keeps_its_own_listener(case: Case) -> None:
    """GetMessageListener returns the session's own listener within its call, and after it."""
    within: list[object] = []

    def work(client: Client, message: api.Message) -> None:
        within.append(client.session.message_listener)
        settling(client, message)

    server, link = ApplicationServer(case, sessions=0, work=work), case.link("auto", consumes=False)
    server_session = server.server_session()
    own = expect.present("the own listener that was set", server_session.client.session.message_listener)
    server.pool.add(server_session)
    server.consume(link.destination)
    for count in (1, 2):
        link.send(str(count))
        server.take(count)
        server.idle()
    within.append(server_session.client.session.message_listener)
    seen = [one is own for one in within]
    expect.equal("whether it is the own listener, in two calls and after them", seen, [True, True, True])


@asserts("11.2.1-2", ack=MODES, plain=True)
def test_the_own_listener_gets_assigned_messages(case: Case) -> None:
    """The own listeners of the sessions in a pool are called with every message sent to the destination."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(5))
    serves(server, link.destination, numbered(5))


@asserts("11.2.1-2", ack=MODES, variant="one", plain=True)
def test_the_only_own_listener_gets_assigned_messages(case: Case) -> None:
    """The own listener of the only session in a pool is called with every message sent to the destination, in order."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(5))
    serves(server, link.destination, numbered(5), ordered=True)


@asserts("11.2.1-2", ack=("auto", "transacted"), variant="sendings", plain=True)
def test_the_own_listener_gets_messages_however_sent(case: Case) -> None:
    """The own listener gets messages of each delivery mode and several priorities, mortal ones, and those of a transaction."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination)
    modes, priorities = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT), (0, 4, 9)
    sent = []
    for mode, priority in itertools.product(modes, priorities):
        sent.append(f"mode {mode}, priority {priority}")
        link.put(sent[-1], mode=mode, priority=priority)
    link.put("mortal", ttl=600_000)
    case.link("transacted", destination=link.destination, consumes=False).send("in a transaction")
    serves(server, link.destination, [*sent, "mortal", "in a transaction"])


@asserts("11.2.1-2", ack=("auto", "transacted"), variant="delayed", plain=True)
def test_the_own_listener_gets_delayed_messages(case: Case) -> None:
    """The own listener gets messages that were sent with a delivery delay, where the version has that, beside others."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    delayed = case.link("auto", destination=link.destination, consumes=False)
    delayed.sender.set(delay=case.timing.delay if case.offers("delivery delays") else None)
    delayed.send_all(["delayed", "delayed too"])
    link.send("at once")
    case.pass_time(case.timing.delay, "the delayed messages become due")
    serves(server, link.destination, ["delayed", "delayed too", "at once"])


@asserts("11.2.1-2", ack=MODES, variant="replaced", plain=True)
def test_another_own_listener_gets_later_messages(case: Case) -> None:
    """After another own listener was set on a session that has got a message, that one is called with the next."""
    server, link = ApplicationServer(case, sessions=0), case.link("auto", consumes=False)
    server_session = server.server_session()
    server.pool.add(server_session)
    server.consume(link.destination)
    link.send("to the first")
    server.take(1)
    server.idle()
    second = CollectingListener(case)
    server_session.client.session.message_listener = second
    link.send("to the second")
    with expect.all_of():
        expect.equal("what the second listener got", second.after(1), ["to the second"])
        expect.equal("what the first listener got", server.bodies, ["to the first"])


@asserts("11.2.1-2", ack=("auto", "client"), variant="headers", plain=True)
def test_the_own_listener_gets_whole_messages(case: Case) -> None:
    """A message at the own listener has the identifier, type, correlation identifier and properties that were sent."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    server.consume(link.destination)
    message = link.text("x")
    message.jms_type, message.jms_correlation_id = "kind", "correlated"
    message.set_string_property("colour", "red")
    link.send(message)
    server.take(1)
    (received,) = server.received
    seen = {
        "JMSMessageID": received.jms_message_id,
        "JMSType": received.jms_type,
        "JMSCorrelationID": received.jms_correlation_id,
        "JMSDestination": received.jms_destination,
        "colour": received.get_string_property("colour"),
    }
    wanted = (message.jms_message_id, "kind", "correlated", link.destination, "red")
    expect.equal("the message at the session's own listener", seen, dict(zip(seen, wanted, strict=True)))


@asserts("11.2.1-2", ack=MODES, domain=("queue",), variant="returned", plain=True)
def test_the_own_listener_gets_messages_that_were_delivered_before(case: Case) -> None:
    """Messages that a consumer has received and rolled back come to the own listener, although they wait already."""
    before = case.link("transacted")
    before.send_all(numbered(3))
    before.take_all(3)
    before.client.rollback()
    before.client.close()
    server = ApplicationServer(case, sessions=ROOMY)
    server.consume(before.destination)
    serves(server, before.destination, numbered(3))


@asserts("11.2.1-2", ack=("auto", "transacted"), variant="order", plain=True)
def test_each_session_gets_messages_in_the_order_of_sending(case: Case) -> None:
    """The messages of one sender come to each of three sessions in the order of sending, up to two at a time."""
    server, link = ApplicationServer(case, sessions=3), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(24))
    serves(server, link.destination, numbered(24))
    for number in (1, 2, 3):
        seen = [str(step.body) for step in server.steps.all(ENTERED, number=number)]
        expect.true(f"session {number} gets its share in order", seen == sorted(seen), f"it got {seen}")


@asserts("11.2.1-7", ack=MODES, plain=True)
def test_a_session_with_its_own_listener_sends(case: Case) -> None:
    """Producers of a session whose own listener is set send before, between and after the calls of the listener."""
    server, link = ApplicationServer(case, sessions=0), case.link("auto", consumes=False)
    server_session, answers = server.server_session(), case.link("auto")
    client = server_session.client
    sender = expect.works("creating a producer of a destination", lambda: client.sender(answers.destination))
    anonymous = expect.works("creating a producer without a destination", client.sender)
    sender.send(client.text("before"))
    client.settle()
    server.pool.add(server_session)
    server.consume(link.destination)
    link.send("x")
    server.take(1)
    server.idle()
    anonymous.send(client.text("after"), to=answers.destination)
    client.settle()
    expect.arrives(answers, ["before", "after"])


@asserts("11.2.1-7", ack=MODES, variant="within", plain=True)
def test_the_own_listener_sends(case: Case) -> None:
    """The own listener sends answers with its own session, through producers that it creates, and all arrive."""
    answers, link = case.link("auto"), case.link("auto", consumes=False)

    def work(client: Client, message: api.Message) -> None:
        with contextlib.closing(client.sender(answers.destination)) as sender:
            sender.send(client.text(f"{body(message)} named"))
        client.sender().send(client.text(f"{body(message)} anonymous"), to=answers.destination, priority=4)
        settling(client, message)

    server = ApplicationServer(case, sessions=ROOMY, work=work)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(3))
    server.after(3)
    sent = [f"{text} {kind}" for text in numbered(3) for kind in ("named", "anonymous")]
    expect.arrives(answers, sent, ordered=False)


@asserts("11.2.1-7", variant="asynchronous", plain=True)
def test_the_own_listener_sends_asynchronously(case: Case) -> None:
    """The own listener sends with a completion listener, where the version has that, and the messages arrive."""
    answers, link = case.link("auto"), case.link("auto", consumes=False)
    callbacks, sent = Callbacks(case), []

    def work(client: Client, message: api.Message) -> None:
        sender, answer = client.sender(answers.destination), client.text(f"{body(message)} later")
        later = partial(send_async, sender, answer, callbacks)
        sent.append(tried(later if case.offers("asynchronous sends") else partial(sender.send, answer)))

    server = ApplicationServer(case, sessions=ROOMY, work=work)
    server.consume(link.destination)
    link.send_all(numbered(2))
    server.take(2)
    expect.true("the sends are accepted", not any(isinstance(one, str) for one in sent), f"they were not: {sent}")
    expect.arrives(answers, [f"{text} later" for text in numbered(2)], ordered=False)


@asserts("11.2.1-7", ack=("transacted",), variant="rolled-back", plain=True)
def test_the_own_listener_sends_in_its_transaction(case: Case) -> None:
    """What the own listener sends takes part in the transaction of its session: a rollback drops it, a commit sends it."""
    answers, link = case.link("auto"), case.link("auto", consumes=False)

    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        again = seen.again(message)
        client.sender(answers.destination).send(client.text(f"{body(message)} {'again' if again else 'first'}"))
        end = client.commit if again else client.rollback
        end()

    server = ApplicationServer(case, sessions=ROOMY, work=work)
    server.consume(link.destination)
    link.send_all(["a", "b"])
    server.take(4)
    expect.only(answers, ["a again", "b again"], ordered=False)
