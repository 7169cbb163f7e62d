"""11.2.5 How a connection consumer uses a server session: out of the pool, its session, the messages, its start."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.steps import ASKED, ENTERED, RAN, STARTED, TAKEN

MODES = ("auto", "client", "dups_ok", "transacted")


def _wrong_orders(server: ApplicationServer) -> list[str]:
    """Return the uses of server sessions in an order other than: out of the pool, its session asked for, its start."""
    at: dict[int, str] = {}
    wrong = []
    before = {ASKED: (TAKEN, ASKED), STARTED: (ASKED,)}
    for step in server.steps.all(TAKEN, ASKED, STARTED):
        if step.what in before and at.get(step.number) not in before[step.what]:
            wrong.append(f"session {step.number}: {step.what} after {at.get(step.number, 'nothing')}")
        at[step.number] = step.what
    return wrong


def _late(case: Case, server: ApplicationServer, link: Link) -> None:
    """Send one message after the other, each when the server is idle, so that server sessions are used again."""
    for number in range(1, 4):
        link.send(f"single {number}")
        server.take(number)
        server.idle()
    case.witness("three messages came one after the other")


@asserts("11.2.5-1", ack=MODES, plain=True)
def test_the_steps_of_a_dispatch_have_their_order(case: Case) -> None:
    """For each batch the server session is taken, asked for its session, and started, in this order, with messages loaded."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=3)
    link.send_all(numbered(9))
    serves(server, link.destination, numbered(9))
    expect.equal("steps in another order", _wrong_orders(server), [])


@asserts("11.2.5-1", ack=("auto", "client", "transacted"), variant="again", plain=True)
def test_the_steps_of_a_later_dispatch_have_their_order(case: Case) -> None:
    """The only server session is used for three messages one after the other, each time with all steps in their order."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    _late(case, server, link)
    expect.equal("steps in another order", _wrong_orders(server), [])


@asserts("11.2.5-1", ack=("auto", "transacted"), domain=("topic",), variant="durable", plain=True)
def test_the_steps_of_a_dispatch_from_a_durable_subscription(case: Case) -> None:
    """For the backlog of a durable subscription the steps of each dispatch have their order."""
    durable = subscription(case, "durable")
    durable.open("auto").client.close()
    publisher(case, durable.topic).send_all(numbered(5))
    server = ApplicationServer(case, sessions=ROOMY, client_id=durable.client_id)
    server.serve(durable, max_messages=2)
    serves(server, durable.topic, numbered(5))
    expect.equal("steps in another order", _wrong_orders(server), [])


def _without_messages(server: ApplicationServer) -> int:
    """Wait until all server sessions are back; return the number of calls of run() in which no message came."""
    server.idle()
    return sum(run[-1].what == RAN and all(step.what != ENTERED for step in run) for run in server.runs())


@asserts("11.2.5-2", ack=MODES, plain=True)
def test_no_server_session_is_started_without_a_message(case: Case) -> None:
    """Over many messages, and a time without one, no call of run() ends without a call of the listener."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=3)
    link.send_all(numbered(9))
    server.take(9)
    link.dispatched()
    expect.equal("calls of run() without a message", _without_messages(server), 0)


@asserts("11.2.5-2", ack=("auto", "client", "transacted"), variant="single", plain=True)
def test_no_server_session_is_started_between_messages(case: Case) -> None:
    """Between messages that come one after the other the only server session is not started."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=3)
    _late(case, server, link)
    link.dispatched()
    expect.equal("calls of run() without a message", _without_messages(server), 0)
    expect.equal("starts for three messages", len(server.steps.all(STARTED)), 3)


@asserts("11.2.5-2", ack=("auto", "transacted"), variant="selector", plain=True)
def test_no_server_session_is_started_for_a_message_that_is_not_chosen(case: Case) -> None:
    """Messages that the selector does not choose start no server session."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, "JMSPriority > 6", max_messages=3)
    for text, priority in (("low", 2), ("high", 8), ("low again", 3)):
        link.send(text, priority=priority)
    server.take(1)
    link.dispatched()
    expect.equal("calls of run() without a message", _without_messages(server), 0)


@asserts("11.2.5-2", ack=("auto", "transacted"), domain=("queue",), variant="consumed", plain=True)
def test_no_server_session_is_started_for_a_message_of_another_consumer(case: Case) -> None:
    """Messages that an ordinary consumer of the queue gets start no server session."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", selector="JMSPriority < 7")
    server.consume(link.destination, "JMSPriority > 6", max_messages=2)
    link.send("ordinary")
    expect.arrives(link, ["ordinary"])
    link.send("high", priority=8)
    server.take(1)
    expect.equal("calls of run() without a message", _without_messages(server), 0)


@asserts("11.2.5-3", ack=MODES, plain=True)
def test_a_connection_consumer_loads_sessions_of_its_own_kind(case: Case) -> None:
    """A connection consumer of a Connection, QueueConnection or TopicConnection loads sessions that this connection created."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(4))
    serves(server, link.destination, numbered(4))
    kind = api.Session if case.api == "classic" else {"queue": api.QueueSession, "topic": api.TopicSession}[case.domain]
    session = server.server_session().client.session
    expect.true(f"the session is a {kind.__name__}", isinstance(session, kind), f"it was {session!r}")


@asserts("11.2.5-3", ack=("auto", "transacted"), api=("domain-specific",), variant="started-later", plain=True)
def test_a_domain_specific_connection_consumer_loads_sessions_made_later(case: Case) -> None:
    """Sessions of a QueueConnection or TopicConnection that are created after the connection consumer are loaded as well."""
    server, link = ApplicationServer(case, sessions=0), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    for _ in range(4):
        server.pool.add(server.server_session())
    link.send_all(numbered(4))
    serves(server, link.destination, numbered(4))
