"""11.2.4 ConnectionConsumer: it delivers while its connection is started, and takes nothing more after its close."""

from __future__ import annotations

from collections.abc import Sequence

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.stopping import HeldListener, settling, stop, stopped
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves, together
from tck.suite.support.server.steps import CALLED, STARTED
from tck.suite.support.server.threads import Postponed

MODES = ("auto", "client", "dups_ok", "transacted")


def _held_server(case: Case, held: HeldListener, *, sessions: int = 1) -> ApplicationServer:
    """Connect a server whose listeners are held until the release."""

    def work(client: Client, message: api.Message) -> None:
        held.on_message(message)
        settling(client, message)

    return ApplicationServer(case, sessions=sessions, work=work)


def _rested(
    server: ApplicationServer, destination: api.Destination, bodies: Sequence[str], early: Sequence[object]
) -> None:
    """Demand that nothing came while the connection was not started (11.2.4-7), and that all came after start() (8.4-2)."""
    with expect.for_row("8.4-2"):
        serves(server, destination, bodies)
    with expect.for_row("11.2.4-7"):
        if not server.bodies:
            raise Undecided("no message came to a listener of the server at all")
        server.case.witness(f"{server.bodies!r} came to the listeners")
        expect.equal("messages at listeners while the connection was not started", early, [])


@asserts("11.2.4-7", "8.4-2", ack=MODES, plain=True)
def test_a_connection_consumer_needs_a_started_connection(case: Case) -> None:
    """On a connection that was never started no message comes to a listener; after start() all do."""
    server, link = ApplicationServer(case, sessions=ROOMY, started=False), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(3))
    link.dispatched()
    early = server.bodies
    server.client.start()
    _rested(server, link.destination, numbered(3), early)


@asserts("11.2.4-7", "8.4-2", ack=MODES, variant="stopped", plain=True)
def test_a_connection_consumer_rests_while_the_connection_is_stopped(case: Case) -> None:
    """After stop() no message comes to a listener, after start() those sent meanwhile do, and so once more."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    sent: list[str] = []
    for number in (1, 2):
        link.send(f"started {number}")
        sent += [f"started {number}", f"stopped {number}", f"stopped again {number}"]
        server.take(len(sent) - 2)
        stop(server.client)
        link.send_all(sent[-2:])
        link.dispatched()
        early = server.bodies[len(sent) - 2 :]
        server.client.start()
        _rested(server, link.destination, sent, early)


@asserts("11.2.4-7", "8.4-2", ack=("auto", "client", "transacted"), variant="assigned", plain=True)
def test_assigned_messages_rest_while_the_connection_is_stopped(case: Case) -> None:
    """The connection is stopped after start() of a server session and before run(): its messages come after the next start()."""
    postponed = Postponed(case)
    server, link = ApplicationServer(case, employ=postponed.employ), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send("x")
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    stop(server.client)
    postponed.run()
    link.dispatched()
    early = server.bodies
    server.client.start()
    _rested(server, link.destination, ["x"], early)


@asserts("11.2.4-7", "8.4-2", ack=("auto", "client", "transacted"), variant="batch", plain=True)
def test_the_rest_of_a_batch_rests_while_the_connection_is_stopped(case: Case) -> None:
    """stop() during the first of several messages: no other comes until start(), although run() has been called."""
    held = HeldListener(case)
    server, link = _held_server(case, held, sessions=ROOMY), case.link("auto", consumes=False)
    server.pool.withhold()
    server.consume(link.destination, max_messages=3)
    link.send_all(numbered(3))
    server.pool.release()
    held.occupied()
    stopping = case.spawn("stop()", server.client.stop)
    case.until_blocked(stopping, "stop() waits for the listener")
    held.release()
    expect.returns(stopping, "stop() after the listener has returned")
    stopped(server.client)
    before = len(server.bodies)
    link.dispatched()
    early = server.bodies[before:]
    server.client.start()
    _rested(server, link.destination, numbered(3), early)


@asserts("11.2.4-7", "8.4-2", ack=("auto", "transacted"), domain=("topic",), variant="durable", plain=True)
def test_a_durable_backlog_waits_for_a_started_connection(case: Case) -> None:
    """The backlog of a durable subscription does not come before start(), and comes after it."""
    durable = subscription(case, "durable")
    durable.open("auto").client.close()
    sender = publisher(case, durable.topic)
    sender.send_all(numbered(3))
    server = ApplicationServer(case, client_id=durable.client_id, started=False, sessions=ROOMY)
    server.serve(durable, max_messages=3)
    sender.dispatched()
    early = server.bodies
    server.client.start()
    _rested(server, durable.topic, numbered(3), early)


def _leaves_to_another(case: Case, server: ApplicationServer, link: Link) -> None:
    """Demand that what is sent now comes to an ordinary consumer, and nothing to the pool."""
    calls, bodies = len(server.steps.all(CALLED)), server.bodies
    other = Link(case.client("auto"), link.destination)
    link.send_all(["sent", "sent too"])
    with expect.all_of():
        expect.arrives(other, ["sent", "sent too"])
        link.dispatched()
        expect.equal("messages at listeners after the close", server.bodies[len(bodies) :], [])
        expect.equal("calls of the pool after the close", len(server.steps.all(CALLED)) - calls, 0)


@asserts("11.2.4-16", ack=MODES, plain=True)
def test_a_closed_connection_consumer_takes_nothing(case: Case) -> None:
    """After close() of a connection consumer that has fed messages, what is sent comes to an ordinary consumer alone."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    consumer = server.consume(link.destination, max_messages=2)
    link.send_all(numbered(3))
    server.take(3)
    server.idle()
    consumer.close()
    _leaves_to_another(case, server, link)


@asserts("11.2.4-16", ack=("auto", "transacted"), variant="unused", plain=True)
def test_a_connection_consumer_closed_at_once_takes_nothing(case: Case) -> None:
    """After close() of a connection consumer that never fed a message, on a started connection and on one started later."""
    with expect.all_of():
        for started in (True, False):
            with expect.all_of():
                server, link = ApplicationServer(case, started=started), case.link("auto", consumes=False)
                consumer = server.consume(link.destination)
                consumer.close()
                server.client.start()
                _leaves_to_another(case, server, link)


@asserts("11.2.4-16", ack=("auto", "client"), variant="one-of-two", plain=True)
def test_the_close_of_one_connection_consumer_spares_the_other(case: Case) -> None:
    """After close() of one of two connection consumers with one pool, the other goes on, and nothing comes from the first."""
    server = ApplicationServer(case, sessions=ROOMY)
    closed, kept = case.link("auto", consumes=False), case.link("auto", consumes=False)
    consumer = server.consume(closed.destination)
    server.consume(kept.destination)
    closed.send("before")
    server.take(1)
    server.idle()
    consumer.close()
    other = Link(case.client("auto"), closed.destination)
    closed.send("to another")
    kept.send_all(numbered(3))
    with expect.all_of():
        expect.arrives(other, ["to another"])
        serves(server, kept.destination, ["before", *numbered(3)])


@asserts("11.2.4-16", ack=("auto", "client", "transacted"), domain=("queue",), variant="held", plain=True)
def test_a_connection_consumer_closed_while_a_listener_works(case: Case) -> None:
    """After close() while a listener works, and close() of the connection, the rest of a backlog comes to another consumer."""
    held = HeldListener(case)
    server, link = _held_server(case, held), case.link("auto", consumes=False)
    consumer = server.consume(link.destination)
    link.send_all(numbered(4))
    held.occupied()
    closing = case.spawn("close()", consumer.close)
    case.until_blocked(closing, "close() may wait for the listener, or return at once")
    held.release()
    expect.returns(closing, "close() of the connection consumer")
    server.idle()
    calls = len(server.steps.all(CALLED))
    link.dispatched()
    later = len(server.steps.all(CALLED)) - calls
    server.client.close()
    other = CollectingListener(case)
    Link(case.client("auto"), link.destination).consumer.message_listener = other
    together(case, [lambda: server.bodies, lambda: other.bodies], numbered(4), sender=None)
    expect.equal("calls of the pool after the close", later, 0)


@asserts("11.2.4-16", ack=("auto", "transacted"), domain=("queue",), variant="blocked", plain=True)
def test_a_connection_consumer_closed_while_the_pool_blocks(case: Case) -> None:
    """close() while the pool blocks, and then close() of the connection: every message comes here or to another consumer."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    server.pool.withhold()
    consumer = server.consume(link.destination, max_messages=2)
    link.send_all(numbered(4))
    expect.true("the pool is called", server.steps.reach(CALLED, 1), "it was not")
    closing = case.spawn("close()", consumer.close)
    case.until_blocked(closing, "close() may wait for the pool")
    server.pool.release()
    expect.returns(closing, "close() of the connection consumer")
    server.idle()
    server.client.close()
    other = CollectingListener(case)
    Link(case.client("auto"), link.destination).consumer.message_listener = other
    together(case, [lambda: server.bodies, lambda: other.bodies], numbered(4), sender=None)


@asserts("11.2.4-16", ack=("auto", "transacted"), domain=("topic",), variant="durable", plain=True)
def test_a_closed_connection_consumer_leaves_its_durable_subscription(case: Case) -> None:
    """What is sent after close() of a connection consumer waits in its durable subscription, for an ordinary consumer."""
    durable = subscription(case, "durable")
    durable.open("auto").client.close()
    server = ApplicationServer(case, client_id=durable.client_id)
    consumer = server.serve(durable)
    sender = publisher(case, durable.topic)
    sender.send("before")
    server.take(1)
    server.idle()
    consumer.close()
    sender.send_all(numbered(2))
    seen = len(server.bodies)
    server.client.close()
    with expect.all_of():
        expect.arrives(durable.open("auto"), numbered(2))
        expect.equal("messages at listeners", seen, 1)
