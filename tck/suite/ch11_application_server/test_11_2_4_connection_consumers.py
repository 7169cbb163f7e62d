"""11.2.4 ConnectionConsumer: it feeds the messages of a destination to the sessions of its pool, up to a number at a time."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import subscription
from tck.suite.support.lifecycle.stopping import HeldListener, settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves, together
from tck.suite.support.server.steps import CALLED, ENTERED, RUN

MODES = ("auto", "client", "dups_ok", "transacted")


def _created(server: ApplicationServer, destination: api.Destination, selector: str | None = None) -> None:
    """Create a connection consumer of a destination, as a demand."""
    create = server.client.connection.create_connection_consumer
    made = expect.works("createConnectionConsumer()", lambda: create(destination, selector, server.pool, 1))
    expect.present("the connection consumer", made)


def _feeds(case: Case) -> None:
    """Demand that a connection consumer feeds what is sent to its destination, on a connection started before or after."""
    with expect.all_of():
        for started in (True, False):
            with expect.all_of():
                server, link = (
                    ApplicationServer(case, sessions=ROOMY, started=started),
                    case.link("auto", consumes=False),
                )
                _created(server, link.destination)
                server.client.start()
                link.send_all(numbered(3))
                serves(server, link.destination, numbered(3))


def _feeds_backlog(case: Case) -> None:
    """Demand that a connection consumer feeds what was in the queue before it, in transactions and without, and what comes later."""
    link = case.link("auto", consumes=False)
    link.send_all(numbered(3))
    case.link("transacted", destination=link.destination, consumes=False).send("in a transaction")
    server = ApplicationServer(case, sessions=ROOMY)
    _created(server, link.destination)
    link.send("later")
    serves(server, link.destination, [*numbered(3), "in a transaction", "later"])


def _feeds_from_temporary(case: Case) -> None:
    """Demand that a connection consumer feeds what another connection sends to a temporary destination of its own."""
    server = ApplicationServer(case, sessions=ROOMY)
    temporary = server.client.temporary()
    _created(server, temporary)
    link = case.link("auto", consumes=False)
    anonymous = link.client.sender()
    for text in numbered(3):
        anonymous.send(link.text(text), to=temporary)
    server.after(3)
    expect.equal("what the listeners were called with", sorted(map(str, server.bodies)), numbered(3))


def _feeds_together(case: Case) -> None:
    """Demand that two connection consumers of a queue share its messages, and those of a topic have a copy each."""
    for client in (None, case.client()):  # on connections of their own, and on one
        _two_feed(case, [ApplicationServer(case, sessions=ROOMY, client=client) for _ in range(2)])


def _two_feed(case: Case, servers: list[ApplicationServer]) -> None:
    link = case.link("auto", consumes=False)
    for server in servers:
        _created(server, link.destination)
    link.send_all(numbered(6))
    wanted = numbered(6) if case.domain == "queue" else sorted(2 * numbered(6))
    together(case, [lambda: servers[0].bodies, lambda: servers[1].bodies], wanted, sender=link)


def _feeds_again(case: Case) -> None:
    """Demand that a second connection consumer of a destination, created after the first was closed, feeds the same pool."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    first = server.consume(link.destination)
    link.send("to the first")
    server.take(1)
    server.idle()
    first.close()
    _created(server, link.destination)
    link.send("to the second")
    serves(server, link.destination, ["to the first", "to the second"])


@asserts("11.2.4-1", ack=MODES, plain=True)
def test_a_connection_consumer_feeds_a_destination(case: Case) -> None:
    """createConnectionConsumer() of a Connection makes a connection consumer that feeds what is sent to the destination."""
    _feeds(case)


@asserts("11.2.4-1", ack=("auto", "transacted"), domain=("queue",), variant="backlog", plain=True)
def test_a_connection_consumer_feeds_a_backlog(case: Case) -> None:
    """A connection consumer of a queue feeds what was sent before it was created, and what comes later."""
    _feeds_backlog(case)


@asserts("11.2.4-1", variant="temporary", plain=True)
def test_a_connection_consumer_feeds_a_temporary_destination(case: Case) -> None:
    """A connection consumer of a temporary destination feeds what other connections send there."""
    _feeds_from_temporary(case)


@asserts("11.2.4-1", ack=("auto", "client"), variant="several", plain=True)
def test_connection_consumers_of_one_destination(case: Case) -> None:
    """Two connection consumers, of one connection or two, share the messages of a queue, and have copies of those of a topic."""
    _feeds_together(case)


@asserts("11.2.4-1", ack=("auto", "transacted"), variant="again", plain=True)
def test_a_further_connection_consumer_feeds_a_destination(case: Case) -> None:
    """After a connection consumer was closed, another one of the same destination and pool feeds the messages."""
    _feeds_again(case)


@asserts("11.2.4-2", ack=MODES, plain=True)
def test_a_domain_specific_connection_consumer_feeds_a_destination(case: Case) -> None:
    """createConnectionConsumer() of a QueueConnection or TopicConnection feeds what is sent to the queue or topic."""
    _feeds(case)


@asserts("11.2.4-2", ack=("auto", "transacted"), domain=("queue",), variant="backlog", plain=True)
def test_a_domain_specific_connection_consumer_feeds_a_backlog(case: Case) -> None:
    """A connection consumer of a queue feeds what was sent before it was created, and what comes later."""
    _feeds_backlog(case)


@asserts("11.2.4-2", variant="temporary", plain=True)
def test_a_domain_specific_connection_consumer_feeds_a_temporary_destination(case: Case) -> None:
    """A connection consumer of a temporary queue or topic feeds what other connections send there."""
    _feeds_from_temporary(case)


@asserts("11.2.4-2", ack=("auto", "client"), variant="several", plain=True)
def test_domain_specific_connection_consumers_of_one_destination(case: Case) -> None:
    """Two connection consumers, of one connection or two, share the messages of a queue, and have copies of those of a topic."""
    _feeds_together(case)


@asserts("11.2.4-2", ack=("auto", "transacted"), variant="again", plain=True)
def test_a_further_domain_specific_connection_consumer_feeds_a_destination(case: Case) -> None:
    """After a connection consumer was closed, another one of the same destination and pool feeds the messages."""
    _feeds_again(case)


@asserts("11.2.4-4", ack=MODES, plain=True)
def test_messages_come_to_sessions_of_the_pool_alone(case: Case) -> None:
    """Every message of a backlog comes within a call of run() that a server session of the pool made; other sessions get none."""
    server = ApplicationServer(case, sessions=ROOMY)
    outside = ApplicationServer(case, client=server.client)
    link = case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(10))
    serves(server, link.destination, numbered(10))
    running = {step.thread: step.number for step in server.steps.all(RUN)}
    elsewhere = [step.body for step in server.steps.all(ENTERED) if step.thread not in running]
    expect.equal("messages outside of run() of the pool's sessions", elsewhere, [])
    expect.equal("steps of a server session that is not in the pool", outside.steps.all(), [])


@asserts("11.2.4-4", ack=("auto", "client"), variant="pools", plain=True)
def test_each_connection_consumer_uses_its_own_pool(case: Case) -> None:
    """Three connection consumers of one connection have pools of their own, and each feeds its own."""
    first = ApplicationServer(case, sessions=ROOMY)
    servers = [first, *(ApplicationServer(case, client=first.client, sessions=ROOMY) for _ in range(2))]
    links = [case.link("auto", consumes=False) for _ in servers]
    for server, link in zip(servers, links, strict=True):
        server.consume(link.destination)
    for number in (2, 1, 0):
        links[number].send_all([f"{text} to {number}" for text in numbered(3)])
    with expect.all_of():
        for number, server in enumerate(servers):
            with expect.all_of():
                serves(server, links[number].destination, [f"{text} to {number}" for text in numbered(3)])


@asserts("11.2.4-4", ack=("auto", "client"), variant="blocked", plain=True)
def test_a_blocked_pool_is_not_replaced(case: Case) -> None:
    """While the pool of a connection consumer blocks, its messages come to no other session of the connection."""
    blocked = ApplicationServer(case, sessions=ROOMY)
    other = ApplicationServer(case, sessions=ROOMY, client=blocked.client)
    links = [case.link("auto", consumes=False) for _ in range(2)]
    other.consume(links[1].destination)
    links[1].send("to the other")
    other.take(1)
    blocked.pool.withhold()
    blocked.consume(links[0].destination)
    links[0].send_all(numbered(3))
    expect.true("the pool is called", blocked.steps.reach(CALLED, 1), "it was not")
    links[0].dispatched()
    blocked.pool.release()
    with expect.all_of():
        serves(blocked, links[0].destination, numbered(3))
        expect.equal("messages at the sessions of the other pool", other.bodies, ["to the other"])


@asserts("11.2.4-4", ack=("auto", "transacted"), variant="same-queue", plain=True)
def test_connection_consumers_with_different_selectors_use_their_own_pools(case: Case) -> None:
    """Two connection consumers of one destination and connection, with complementary selectors, each use their own pool."""
    first = ApplicationServer(case, sessions=ROOMY)
    second = ApplicationServer(case, sessions=ROOMY, client=first.client)
    link = case.link("auto", consumes=False)
    first.consume(link.destination, "n < 3", max_messages=2)
    second.consume(link.destination, "n >= 3", max_messages=2)
    for number in range(6):
        message = link.text(str(number))
        message.set_int_property("n", number)
        link.send(message)
    with expect.all_of():
        for server, wanted in ((first, ["0", "1", "2"]), (second, ["3", "4", "5"])):
            with expect.all_of():
                serves(server, link.destination, wanted)


def _within_limit(server: ApplicationServer, destination: api.Destination, limit: int) -> None:
    """Let a backlog of 13 pass a pool that was withheld; demand that no call of run() gets more than `limit` of them."""
    server.pool.release()
    serves(server, destination, numbered(13))
    expect.true("run() returns", server.idle(), "it did not")
    sizes = [len(batch) for batch in server.batches()]
    expect.true(f"at most {limit} messages come in one call of run()", max(sizes) <= limit, f"they were {sizes}")


@asserts("11.2.4-5", ack=MODES, plain=True)
def test_a_session_is_loaded_with_at_most_max_messages(case: Case) -> None:
    """Of a backlog, each call of run() passes on at most maxMessages: one, two, and five."""
    with expect.all_of():
        for limit in (1, 2, 5):
            with expect.all_of():
                server, link = ApplicationServer(case, sessions=ROOMY + 1), case.link("auto", consumes=False)
                server.pool.withhold()
                server.consume(link.destination, max_messages=limit)
                link.send_all(numbered(13))
                _within_limit(server, link.destination, limit)


@asserts("11.2.4-5", ack=("auto", "transacted"), variant="sessions", plain=True)
def test_each_of_several_sessions_is_loaded_with_at_most_max_messages(case: Case) -> None:
    """With three server sessions, each call of run() passes on at most two messages of a transaction that sent 13."""
    server = ApplicationServer(case, sessions=3)
    sender = case.link("transacted", consumes=False)
    server.pool.withhold()
    server.consume(sender.destination, max_messages=2)
    for text in numbered(13):
        sender.put(text)
    sender.client.commit()
    _within_limit(server, sender.destination, 2)


@asserts("11.2.4-5", ack=("auto", "client"), variant="held", plain=True)
def test_max_messages_holds_for_messages_that_arrive_meanwhile(case: Case) -> None:
    """Messages that arrive while a session works are not added to those it has: each call of run() passes on at most two."""
    held = HeldListener(case)

    def work(client: Client, message: api.Message) -> None:
        held.on_message(message)
        settling(client, message)

    server, link = ApplicationServer(case, work=work), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(13)[:1])
    held.occupied()
    link.send_all(numbered(13)[1:])
    held.release()
    _within_limit(server, link.destination, 2)


@asserts("11.2.4-5", ack=("auto", "transacted"), domain=("topic",), variant="durable", plain=True)
def test_max_messages_holds_for_the_backlog_of_a_durable_subscription(case: Case) -> None:
    """Of the backlog of a durable subscription, each call of run() passes on at most three."""
    durable = subscription(case, "durable")
    durable.open("auto").client.close()
    Link(case.client("auto"), durable.topic, consumes=False).send_all(numbered(13))
    server = ApplicationServer(case, sessions=ROOMY + 1, client_id=durable.client_id)
    server.serve(durable, max_messages=3)
    _within_limit(server, durable.topic, 3)


@asserts("11.2.4-5", ack=("auto", "transacted"), domain=("queue",), variant="returned", plain=True)
def test_max_messages_holds_for_redelivered_messages(case: Case) -> None:
    """Of a backlog that another consumer has received and rolled back, each call of run() passes on at most three."""
    before = case.link("transacted")
    before.send_all(numbered(13))
    before.take_all(13)
    before.client.rollback()
    before.client.close()
    server = ApplicationServer(case, sessions=ROOMY + 1)
    server.consume(before.destination, max_messages=3)
    _within_limit(server, before.destination, 3)


@asserts("11.2.4-15", ack=("auto", "transacted"), plain=True)
def test_a_connection_consumer_returns_its_pool(case: Case) -> None:
    """getServerSessionPool() returns the pool the connection consumer was created with, before and after messages came."""
    first = ApplicationServer(case)
    servers = (first, ApplicationServer(case, client=first.client), ApplicationServer(case))
    link = case.link("auto", consumes=False)
    consumers = [server.consume(link.destination) for server in servers]
    for when in ("at first", "after a message"):
        owners = [[one.server_session_pool is server.pool for server in servers] for one in consumers]
        expect.equal(f"whose pool each of three has, {when}", owners, [[n == m for n in range(3)] for m in range(3)])
        link.send("x")
        link.dispatched()
