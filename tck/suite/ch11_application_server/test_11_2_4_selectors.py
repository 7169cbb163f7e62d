"""11.2.4 ConnectionConsumer: a selector chooses the messages it feeds; null and the empty string choose all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import SubscriptionKind, publisher, subscription, working_kinds
from tck.suite.support.lifecycle.stopping import settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.seen import Seen

MODES = ("auto", "client", "dups_ok", "transacted")


def _send_numbers(link: Link, numbers: Iterable[int]) -> None:
    """Send messages with a property n, whose text is the number."""
    for number in numbers:
        message = link.text(f"{number:03d}")
        message.set_int_property("n", number)
        link.send(message)


@asserts("11.2.4-3", ack=MODES, plain=True)
def test_a_selector_chooses_what_a_connection_consumer_feeds(case: Case) -> None:
    """Of messages that match a selector and others, in turn, the listeners are called with the matching ones."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, "n > 4", max_messages=3)
    _send_numbers(link, (1, 5, 2, 6, 3, 7, 4, 8))
    serves(server, link.destination, ["005", "006", "007", "008"])
    link.dispatched()
    expect.equal("all that came to listeners", sorted(map(str, server.bodies)), ["005", "006", "007", "008"])


@asserts("11.2.4-3", ack=("auto", "transacted"), domain=("queue",), variant="others", plain=True)
def test_a_connection_consumer_leaves_other_messages_in_the_queue(case: Case) -> None:
    """Messages that the selector does not choose, before, between and after the chosen ones, wait for another consumer."""
    link = case.link("auto", consumes=False)
    _send_numbers(link, (1, 2, 5, 3))
    server = ApplicationServer(case, sessions=ROOMY)
    server.consume(link.destination, "n = 5 OR n = 6", max_messages=4)
    _send_numbers(link, (6, 4))
    serves(server, link.destination, ["005", "006"])
    server.idle()
    server.client.close()
    expect.arrives(Link(case.client("auto"), link.destination), ["001", "002", "003", "004"])


@asserts("11.2.4-3", ack=("auto", "client"), variant="headers", plain=True)
def test_a_selector_may_be_on_headers(case: Case) -> None:
    """Selectors on JMSPriority, JMSType and JMSCorrelationID each choose the message that has the value."""
    link = case.link("auto", consumes=False)
    selectors = {"urgent": "JMSPriority > 6", "typed": "JMSType = 'kind'", "answer": "JMSCorrelationID LIKE 'to %'"}
    servers = {text: ApplicationServer(case, sessions=ROOMY) for text in selectors}
    for text, server in servers.items():
        server.consume(link.destination, selectors[text])
    typed, answer = link.text("typed"), link.text("answer")
    typed.jms_type, answer.jms_correlation_id = "kind", "to you"
    for message in (typed, answer):
        link.send(message)
    link.send("urgent", priority=8)
    with expect.all_of():
        for text, server in servers.items():
            with expect.all_of():
                serves(server, link.destination, [text])


@asserts("11.2.4-3", "8.4-2", ack=("auto", "transacted"), variant="stopped", plain=True)
def test_a_selector_holds_after_a_stop(case: Case) -> None:
    """After stop() and start() of the connection the selector chooses as before, of messages sent meanwhile and later."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, "n > 4", max_messages=2)
    _send_numbers(link, (5, 1))
    server.take(1)
    server.client.stop()
    _send_numbers(link, (2, 6))
    server.client.start()
    _send_numbers(link, (3, 7))
    with expect.for_row("8.4-2"):
        serves(server, link.destination, ["005", "006", "007"])
    link.dispatched()
    with expect.for_row("11.2.4-3"):
        others = [each for each in server.bodies if each not in {"005", "006", "007"}]
        expect.equal("messages at listeners that the selector does not choose", others, [])


@asserts("11.2.4-3", ack=("auto", "transacted"), variant="returned", plain=True)
def test_a_selector_holds_after_redelivery(case: Case) -> None:
    """Chosen messages that were rolled back, or whose listener failed, come again, and with them none that is not chosen."""
    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        if seen.again(message):
            settling(client, message)
        elif client.transacted:
            client.rollback()
        else:
            raise ValueError("the listener fails")

    server, link = ApplicationServer(case, sessions=ROOMY, work=work), case.link("auto", consumes=False)
    server.consume(link.destination, "n <> 2")
    _send_numbers(link, (1, 2, 3))
    server.take(2)
    expect.equal("what came, at first and again", sorted({str(each) for each in server.after(4)}), ["001", "003"])


@asserts("11.2.4-3", ack=("auto",), domain=("topic",), variant="subscriptions", plain=True)
def test_a_selector_chooses_what_a_subscription_feeds(case: Case) -> None:
    """A selector chooses the messages of each kind of subscription that a connection consumer may have."""
    with expect.all_of():
        for kind in working_kinds(case, case.client(client_id=case.name("c"))):
            with expect.all_of():
                described = subscription(case, kind, selector="n > 2")
                server = ApplicationServer(case, sessions=ROOMY, client_id=described.client_id)
                server.serve(described, max_messages=2)
                _send_numbers(publisher(case, described.topic), (1, 3, 2, 4))
                serves(server, described.topic, ["003", "004"])


def _feeds_all(case: Case, selector: str | None) -> None:
    """Demand that a connection consumer with a selector that is none feeds messages with and without properties."""
    link = case.link("auto", consumes=False)
    server = ApplicationServer(case, sessions=ROOMY)
    create = server.client.connection.create_connection_consumer
    what = f"createConnectionConsumer() with the selector {selector!r}"
    expect.works(what, lambda: create(link.destination, selector, server.pool, 2))
    link.send_all(numbered(2))
    _send_numbers(link, (3, 4))
    link.send("urgent", priority=9, mode=api.DeliveryMode.NON_PERSISTENT)
    serves(server, link.destination, [*numbered(4), "urgent"])


@asserts("11.2.4-14", ack=MODES, plain=True)
def test_a_null_or_empty_selector_chooses_all(case: Case) -> None:
    """A connection consumer with a selector of null, and one with the empty string, feed every message."""
    with expect.all_of():
        for selector in (None, ""):
            with expect.all_of():
                _feeds_all(case, selector)


def _feeds_all_of(case: Case, kind: SubscriptionKind, selector: str | None) -> None:
    """Demand that a connection consumer of a subscription with a selector that is none feeds every message."""
    described = subscription(case, kind, selector=selector)
    server = ApplicationServer(case, sessions=ROOMY, client_id=described.client_id)
    what = f"creating a connection consumer of a {kind} subscription with the selector {selector!r}"
    expect.works(what, lambda: server.serve(described))
    sender = publisher(case, described.topic)
    sender.send("plain")
    _send_numbers(sender, (1, 2))
    serves(server, described.topic, ["plain", "001", "002"])


@asserts("11.2.4-14", ack=("auto",), domain=("topic",), variant="subscriptions", plain=True)
def test_a_null_or_empty_selector_of_a_subscription_chooses_all(case: Case) -> None:
    """A selector of null or the empty string means none for each kind of subscription that a connection consumer may have."""
    with expect.all_of():
        for kind in working_kinds(case, case.client(client_id=case.name("c"))):
            for selector in (None, ""):
                with expect.all_of():
                    _feeds_all_of(case, kind, selector)


@asserts("11.2.4-14", ack=("auto", "transacted"), domain=("queue",), variant="backlog", plain=True)
def test_a_null_or_empty_selector_chooses_a_backlog(case: Case) -> None:
    """A connection consumer with no selector, in either form, feeds a backlog in which messages with properties are mixed."""
    with expect.all_of():
        for selector in (None, ""):
            with expect.all_of():
                link = case.link("auto", consumes=False)
                link.send("plain")
                _send_numbers(link, (1, 2))
                server = ApplicationServer(case, sessions=ROOMY)
                create = partial(server.client.connection.create_connection_consumer, link.destination, selector)
                expect.works(f"the selector {selector!r}", partial(create, server.pool, 3))
                serves(server, link.destination, ["plain", "001", "002"])
