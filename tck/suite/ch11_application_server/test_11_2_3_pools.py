"""11.2.3 ServerSessionPool: it hands out server sessions, one for each start, and may block while it has none."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.stopping import HeldListener, settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.seen import Seen
from tck.suite.support.server.steps import BACK, CALLED, STARTED, TAKEN
from tck.suite.support.values.seen import body

MODES = ("auto", "client", "dups_ok", "transacted")


def _strange_uses(server: ApplicationServer) -> list[str]:
    """Return the uses of a server session other than: out of the pool, started once, back in the pool."""
    state: dict[int, str] = {}
    strange = []
    before = {TAKEN: BACK, STARTED: TAKEN, BACK: STARTED}
    for step in server.steps.all(TAKEN, STARTED, BACK):
        if state.get(step.number, BACK) != before[step.what]:
            strange.append(f"session {step.number}: {step.what} after {state.get(step.number, 'nothing')}")
        state[step.number] = step.what
    return strange


def _held_server(case: Case, held: HeldListener, sessions: int = 1) -> ApplicationServer:
    """Connect a server whose listeners are held until the release."""

    def work(client: Client, message: api.Message) -> None:
        held.on_message(message)
        settling(client, message)

    return ApplicationServer(case, sessions=sessions, work=work)


@asserts("11.2.3-1", ack=MODES, plain=True)
def test_each_start_has_a_server_session_of_its_own_from_the_pool(case: Case) -> None:
    """A server session is started once for each time that the pool hands it out, over many messages."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=8)
    link.send_all(numbered(10))
    serves(server, link.destination, numbered(10))
    expect.equal("strange uses of server sessions", _strange_uses(server), [])


@asserts("11.2.3-1", ack=("auto", "client"), variant="slow", plain=True)
def test_a_server_session_that_works_long_is_started_once(case: Case) -> None:
    """While the listener of the only server session is held, and messages back up, that server session is not started again."""
    held = HeldListener(case)
    server, link = _held_server(case, held), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(5))
    held.occupied()
    link.dispatched()
    started = len(server.steps.all(STARTED))
    held.release()
    server.take(5)
    with expect.all_of():
        expect.equal("starts while the only server session was out", started, 1)
        expect.equal("strange uses of server sessions", _strange_uses(server), [])


@asserts("11.2.3-1", ack=("auto", "transacted"), variant="returned", plain=True)
def test_each_redelivery_has_a_server_session_from_the_pool(case: Case) -> None:
    """A message that is redelivered, after a failure of the listener or a rollback, comes through a server session of the pool."""
    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        if seen.again(message):
            settling(client, message)
        elif client.transacted:
            client.rollback()
        else:
            raise ValueError("the listener fails")

    server, link = ApplicationServer(case, sessions=ROOMY, work=work), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(3))
    server.take(3)
    server.after(6)
    expect.equal("strange uses of server sessions", _strange_uses(server), [])


@asserts("11.2.3-2", ack=MODES, plain=True)
def test_nothing_is_lost_while_the_pool_blocks(case: Case) -> None:
    """Messages that are sent while the pool blocks come to the listeners when it does not any more."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.pool.withhold()
    server.consume(link.destination, max_messages=9)
    link.send_all(numbered(4))
    expect.true("the pool is called", server.steps.reach(CALLED, 1), "it was not")
    link.dispatched()
    link.send_all(["late", "later"])
    server.pool.release()
    serves(server, link.destination, [*numbered(4), "late", "later"])


@asserts("11.2.3-2", ack=("auto", "transacted"), variant="connection", plain=True)
def test_the_connection_works_while_the_pool_blocks(case: Case) -> None:
    """While the pool blocks, another session of the same connection sends and receives, and nothing is lost."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    other = case.link(client=server.client)
    server.pool.withhold()
    server.consume(link.destination)
    link.send("x")
    expect.true("the pool is called", server.steps.reach(CALLED, 1), "it was not")

    def exchange() -> object:
        other.send("between")
        return body(other.receive())

    call = case.spawn("send() and receive()", exchange)
    ended = call.ends_within()
    server.pool.release()
    with expect.all_of():
        expect.true("another session sends and receives while the pool blocks", ended, "it was still in its calls")
        expect.equal("what that session received", expect.returns(call, "send() and receive()"), "between")
        serves(server, link.destination, ["x"])


@asserts("11.2.3-2", ack=("auto", "transacted"), variant="listener", plain=True)
def test_a_listener_sends_while_the_pool_blocks(case: Case) -> None:
    """The listener of the only server session sends an answer while the pool, which is empty, blocks for the next message."""
    answers, link = case.link("auto"), case.link("auto", consumes=False)

    def work(client: Client, message: api.Message) -> None:
        server.steps.reach(CALLED, 2 if body(message) == "001" else 1)
        client.sender(answers.destination).send(client.text(f"answer to {body(message)}"))
        settling(client, message)

    server = ApplicationServer(case, work=work)
    server.consume(link.destination)
    link.send_all(numbered(3))
    server.after(3)
    expect.arrives(answers, [f"answer to {text}" for text in numbered(3)])


@asserts("11.2.3-2", ack=("auto", "transacted"), variant="consumers", plain=True)
def test_another_connection_consumer_works_while_the_pool_blocks(case: Case) -> None:
    """While a pool blocks, a connection consumer of the same connection with another pool goes on."""
    blocked = ApplicationServer(case)
    other = ApplicationServer(case, sessions=ROOMY, client=blocked.client)
    links = [case.link("auto", consumes=False) for _ in range(2)]
    blocked.pool.withhold()
    for server, link in zip((blocked, other), links, strict=True):
        server.consume(link.destination)
    links[0].send("to the blocked one")
    expect.true("the pool is called", blocked.steps.reach(CALLED, 1), "it was not")
    links[1].send_all(numbered(3))
    seen = other.after(3)
    blocked.pool.release()
    with expect.all_of():
        expect.equal("what the other connection consumer fed", sorted(map(str, seen)), numbered(3))
        serves(blocked, links[0].destination, ["to the blocked one"])


@asserts("11.2.3-2", ack=("auto", "client", "transacted"), domain=("queue",), variant="closed", plain=True)
def test_nothing_is_lost_if_the_connection_closes_while_the_pool_blocks(case: Case) -> None:
    """The connection is closed while the pool blocks, which then fails: the messages of the queue come to another consumer."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    server.pool.withhold()
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(4))
    expect.true("the pool is called", server.steps.reach(CALLED, 1), "it was not")
    closing = case.spawn("close()", server.client.close)
    case.until_blocked(closing, "close() may wait for the pool")
    server.pool.shut()
    expect.returns(closing, "close() of the connection, when the pool does not block any more")
    expect.arrives(Link(case.client("auto"), link.destination), numbered(4), ordered=False)


@asserts("11.2.3-3", ack=MODES, plain=True)
def test_nothing_is_delivered_while_the_only_server_session_is_out(case: Case) -> None:
    """While the listener of the only server session is held, no other message of a backlog comes; after it, all come."""
    held = HeldListener(case)
    server, link = _held_server(case, held), case.link("auto", consumes=False)
    server.consume(link.destination, "other IS NULL")
    link.send_all(numbered(4))
    held.occupied()
    link.dispatched()
    early = server.bodies
    held.release()
    with expect.all_of():
        expect.equal("messages at listeners while the only server session was out", early, ["001"])
        serves(server, link.destination, numbered(4))


@asserts("11.2.3-3", ack=("auto", "transacted"), variant="sessions", plain=True)
def test_no_more_messages_are_in_work_than_there_are_server_sessions(case: Case) -> None:
    """While the listeners of both server sessions are held, no third message of a backlog comes; after them, all come."""
    held = HeldListener(case)
    server, link = _held_server(case, held, sessions=2), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(6))
    held.occupied()
    link.dispatched()
    early = server.bodies
    held.release()
    with expect.all_of():
        expect.true("at most two messages are in work at a time", len(early) <= 2, f"{early!r} were")
        serves(server, link.destination, numbered(6))


@asserts("11.2.3-3", ack=("auto", "client"), variant="withheld", plain=True)
def test_nothing_is_delivered_while_the_pool_is_withheld(case: Case) -> None:
    """While the pool returns nothing, from the begin and once more later, no message comes; in the end all do."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.pool.withhold()
    server.consume(link.destination, max_messages=3)
    for number in (1, 2):
        before, held = len(server.bodies), server.out()  # a server session that was taken in advance may still be used
        link.send_all([f"{text} of {number}" for text in numbered(4)])
        expect.true("the pool is called", server.steps.reach(CALLED, 1), "it was not")
        link.dispatched()
        early = server.bodies[before:]
        server.pool.release()
        serves(server, link.destination, [f"{text} of {one}" for one in range(1, number + 1) for text in numbered(4)])
        expect.true("nothing comes while the pool is withheld", len(early) <= 3 * held, f"{early!r} came")
        server.idle()
        server.pool.withhold()


@asserts("11.2.3-4", ack=("auto", "transacted"), plain=True)
def test_the_pool_may_have_a_fixed_size(case: Case) -> None:
    """A connection consumer works with a pool of a fixed number of server sessions."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(6))
    serves(server, link.destination, numbered(6))
    expect.record(f"a pool of {ROOMY} server sessions works")


@asserts("11.2.3-4", ack=("auto", "transacted"), variant="growing", plain=True)
def test_the_pool_may_make_server_sessions_on_demand(case: Case) -> None:
    """A connection consumer works with a pool that creates a session, within getServerSession(), whenever it has none."""
    server, link = ApplicationServer(case, sessions=0, grows=True), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(6))
    serves(server, link.destination, numbered(6))
    expect.record("a pool that makes server sessions on demand works")
