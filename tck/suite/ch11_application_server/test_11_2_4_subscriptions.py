"""11.2.4 ConnectionConsumer: those of durable, shared and shared durable subscriptions."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.subscriptions import Subscription, SubscriptionKind, publisher, subscription
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves, together

MODES = ("auto", "client", "dups_ok", "transacted")


def _server(case: Case, described: Subscription, *, client: Client | None = None) -> ApplicationServer:
    """Connect a server for a subscription, and create a connection consumer of it, as a demand."""
    server = ApplicationServer(case, sessions=ROOMY, client=client, client_id=None if client else described.client_id)
    expect.works(f"creating a connection consumer of a {described.kind} subscription", lambda: server.serve(described))
    return server


def _with_backlog(case: Case, kind: SubscriptionKind) -> Subscription:
    """Make a durable subscription, with the client identifier of a server, that three messages wait in.

    A connection consumer of another one shows first that the provider has such.
    """
    _server(case, subscription(case, kind)).client.close()
    described = subscription(case, kind, client_id=case.name("c"))
    described.open("auto").client.close()
    publisher(case, described.topic).send_all(numbered(3))
    return described


def _feeds_backlog(case: Case, kind: SubscriptionKind) -> None:
    """Demand that a connection consumer feeds the backlog of a durable subscription and what comes later."""
    described = _with_backlog(case, kind)
    server = _server(case, described)
    publisher(case, described.topic).send("later")
    serves(server, described.topic, [*numbered(3), "later"])


def _survives(case: Case, kind: SubscriptionKind) -> None:
    """Demand that a subscription that a connection consumer created keeps what comes after it, for an ordinary consumer."""
    described = subscription(case, kind, client_id=case.name("c"))
    server = _server(case, described)
    sender = publisher(case, described.topic)
    sender.send("to the server")
    serves(server, described.topic, ["to the server"])
    server.idle()
    server.client.close()
    sender.send_all(["kept", "kept too"])
    expect.arrives(described.open("auto"), ["kept", "kept too"])


def _resumes(case: Case, kind: SubscriptionKind) -> None:
    """Demand that a second connection consumer of a durable subscription goes on where the first ended, with none twice."""
    described = _with_backlog(case, kind)
    server = _server(case, described)
    serves(server, described.topic, numbered(3))
    server.idle()
    server.client.close()
    publisher(case, described.topic).send_all(["between"])
    again = _server(case, described)
    publisher(case, described.topic).send_all(["at last"])
    serves(again, described.topic, ["between", "at last"])


def _shares(case: Case, kind: SubscriptionKind) -> None:
    """Demand that two connection consumers of one shared subscription, on two connections, get each message once together."""
    described = subscription(case, kind)
    servers = [_server(case, described) for _ in range(2)]
    sender = publisher(case, described.topic)
    sender.send_all(numbered(10))
    together(case, [lambda: servers[0].bodies, lambda: servers[1].bodies], numbered(10), sender=sender)


@asserts("11.2.4-8", ack=MODES, plain=True)
def test_a_connection_consumer_feeds_a_durable_subscription(case: Case) -> None:
    """createDurableConnectionConsumer() of an existing subscription feeds its backlog and what is sent later."""
    _feeds_backlog(case, "durable")


@asserts("11.2.4-8", ack=("auto", "client", "transacted"), variant="new", plain=True)
def test_a_connection_consumer_of_a_new_durable_subscription(case: Case) -> None:
    """What is sent after the connection was closed waits in the subscription that the connection consumer created."""
    _survives(case, "durable")


@asserts("11.2.4-8", ack=("auto", "client", "transacted"), variant="resumed", plain=True)
def test_a_durable_subscription_is_resumed_by_a_connection_consumer(case: Case) -> None:
    """A second connection consumer of a durable subscription goes on behind the messages of the first one."""
    _resumes(case, "durable")


@asserts("11.2.4-8", ack=("auto",), variant="two", plain=True)
def test_connection_consumers_of_two_durable_subscriptions(case: Case) -> None:
    """Connection consumers of two durable subscriptions of one topic and connection each feed every message to their pool."""
    one = subscription(case, "durable")
    two = subscription(case, "durable", one.topic, client_id=one.client_id)
    first = _server(case, one)
    second = _server(case, two, client=first.client)
    publisher(case, one.topic).send_all(numbered(4))
    with expect.all_of():
        for server in (first, second):
            with expect.all_of():
                serves(server, one.topic, numbered(4))


@asserts("11.2.4-8", ack=("auto", "transacted"), variant="selector", plain=True)
def test_a_connection_consumer_of_a_durable_subscription_selects(case: Case) -> None:
    """A durable subscription that a connection consumer created with a selector feeds what the selector chooses."""
    described = subscription(case, "durable", selector="n = 1")
    server = _server(case, described)
    sender = publisher(case, described.topic)
    for number in (1, 2, 1, 3):
        message = sender.text(f"n is {number}")
        message.set_int_property("n", number)
        sender.send(message)
    serves(server, described.topic, ["n is 1", "n is 1"])


@asserts("11.2.4-9", ack=MODES, plain=True)
def test_connection_consumers_share_a_subscription(case: Case) -> None:
    """Two connection consumers of a shared subscription, on two connections, get each message once between them."""
    _shares(case, "shared")


@asserts("11.2.4-9", ack=("auto", "client", "transacted"), variant="ordinary", plain=True)
def test_a_connection_consumer_and_an_ordinary_one_share_a_subscription(case: Case) -> None:
    """A connection consumer and an ordinary consumer of a shared subscription get each message once between them."""
    described = subscription(case, "shared")
    server, listener = _server(case, described), CollectingListener(case)
    described.open("auto").consumer.message_listener = listener
    sender = publisher(case, described.topic)
    sender.send_all(numbered(10))
    together(case, [lambda: server.bodies, lambda: listener.bodies], numbered(10), sender=sender)


@asserts("11.2.4-9", ack=("auto", "transacted"), variant="selector", plain=True)
def test_connection_consumers_share_a_subscription_with_a_selector(case: Case) -> None:
    """Two connection consumers of a shared subscription with a selector get each message that it chooses once between them."""
    described = subscription(case, "shared", selector="JMSPriority > 6")
    servers = [_server(case, described) for _ in range(2)]
    sender = publisher(case, described.topic)
    for text in numbered(6):
        sender.send(f"low {text}", priority=2)
        sender.send(text, priority=8)
    together(case, [lambda: servers[0].bodies, lambda: servers[1].bodies], numbered(6), sender=sender)


@asserts("11.2.4-9", ack=("auto", "transacted"), variant="names", plain=True)
def test_connection_consumers_of_two_shared_subscriptions(case: Case) -> None:
    """Connection consumers of two shared subscriptions of one topic and connection each feed every message."""
    one = subscription(case, "shared")
    first = _server(case, one)
    second = _server(case, subscription(case, "shared", one.topic), client=first.client)
    publisher(case, one.topic).send_all(numbered(4))
    with expect.all_of():
        for server in (first, second):
            with expect.all_of():
                serves(server, one.topic, numbered(4))


@asserts("11.2.4-9", ack=("auto", "transacted"), variant="ended", plain=True)
def test_a_shared_subscription_ends_with_its_last_connection_consumer(case: Case) -> None:
    """A shared subscription lasts while an ordinary consumer is on it, and ends when its connection consumer is the last to go."""
    described = subscription(case, "shared")
    server = _server(case, described)
    sender = publisher(case, described.topic)
    sender.send("before")
    serves(server, described.topic, ["before"])
    server.idle()
    server.client.close()
    sender.send("lost")
    expect.only(described.open("auto"))


@asserts("11.2.4-10", ack=MODES, plain=True)
def test_a_connection_consumer_feeds_a_shared_durable_subscription(case: Case) -> None:
    """createSharedDurableConnectionConsumer() of an existing subscription feeds its backlog and what is sent later."""
    _feeds_backlog(case, "shared durable")


@asserts("11.2.4-10", ack=MODES, variant="two", plain=True)
def test_connection_consumers_share_a_durable_subscription(case: Case) -> None:
    """Two connection consumers of a shared durable subscription get its messages once between them."""
    _shares(case, "shared durable")


@asserts("11.2.4-10", ack=("auto", "client", "transacted"), variant="backlog", plain=True)
def test_connection_consumers_share_the_backlog_of_a_durable_subscription(case: Case) -> None:
    """Two connection consumers of a shared durable subscription, on one connection, get its backlog once between them."""
    described = _with_backlog(case, "shared durable")
    first = _server(case, described)
    second = _server(case, described, client=first.client)
    sender = publisher(case, described.topic)
    sender.send_all(["later", "latest"])
    together(case, [lambda: first.bodies, lambda: second.bodies], [*numbered(3), "later", "latest"], sender=sender)


@asserts("11.2.4-10", ack=("auto", "client", "transacted"), variant="new", plain=True)
def test_a_connection_consumer_of_a_new_shared_durable_subscription(case: Case) -> None:
    """What is sent after the connection was closed waits in the subscription that the connection consumer created."""
    _survives(case, "shared durable")


@asserts("11.2.4-10", ack=("auto", "client", "transacted"), variant="resumed", plain=True)
def test_a_shared_durable_subscription_is_resumed_by_a_connection_consumer(case: Case) -> None:
    """A second connection consumer of a shared durable subscription goes on behind the messages of the first one."""
    _resumes(case, "shared durable")
