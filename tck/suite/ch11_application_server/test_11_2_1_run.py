"""11.2.1 Session: run() passes all assigned messages to the session's own listener, one after the other, and returns."""

from __future__ import annotations

from collections import defaultdict

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import ConcurrencyCounter
from tck.suite.support.lifecycle.stopping import HeldListener, settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves, together
from tck.suite.support.server.seen import Seen
from tck.suite.support.server.steps import BACK, ENTERED, LEFT, RAN, RUN
from tck.suite.support.values.seen import body

MODES = ("auto", "client", "dups_ok", "transacted")


def _backlog(case: Case, server: ApplicationServer, count: int, max_messages: int) -> Link:
    """Create a connection consumer and let messages back up for it before the pool hands out anything."""
    link = case.link("auto", consumes=False)
    server.pool.withhold()
    server.consume(link.destination, max_messages=max_messages)
    link.send_all(numbered(count))
    server.pool.release()
    return link


@asserts("11.2.1-3", ack=MODES, plain=True)
def test_run_calls_the_listener_one_at_a_time(case: Case) -> None:
    """The calls of a session's own listener never overlap, with up to five messages assigned at a time."""
    counters = defaultdict[Client, ConcurrencyCounter](lambda: ConcurrencyCounter(case))

    def work(client: Client, message: api.Message) -> None:
        counters[client].enter()
        settling(client, message)
        counters[client].leave()

    server = ApplicationServer(case, sessions=ROOMY, work=work)
    _backlog(case, server, 10, 5)
    server.take(2)
    server.after(10)
    most = {counter.most for counter in counters.values()}
    expect.equal("the most calls of any session's listener at a time", sorted(most), [1])


@asserts("11.2.1-3", ack=MODES, variant="one", plain=True)
def test_run_of_the_only_session_calls_the_listener_one_at_a_time(case: Case) -> None:
    """The calls of the own listener of the only session in a pool never overlap, with up to five messages at a time."""
    counter = ConcurrencyCounter(case)

    def work(client: Client, message: api.Message) -> None:
        counter.enter()
        settling(client, message)
        counter.leave()

    server = ApplicationServer(case, work=work)
    _backlog(case, server, 10, 5)
    server.take(1)
    server.after(10)
    expect.equal("the most calls of the listener at a time", counter.most, 1)


@asserts("11.2.1-3", ack=("auto", "transacted"), variant="thread", plain=True)
def test_run_calls_the_listener_on_its_own_thread(case: Case) -> None:
    """run() of each session calls the listener on the thread of the call of run(), for every message."""
    server = ApplicationServer(case, sessions=ROOMY)
    _backlog(case, server, 12, 4)
    server.take(2)
    server.after(12)
    elsewhere = [step.body for run in server.runs() for step in run if step.thread != run[0].thread]
    expect.equal("messages on another thread than that of run()", elsewhere, [])


@asserts("11.2.1-3", ack=("auto", "client"), variant="failing", plain=True)
def test_run_calls_the_listener_one_at_a_time_though_it_fails(case: Case) -> None:
    """The calls of a session's own listener never overlap, though every other message fails at its first delivery."""
    counter = ConcurrencyCounter(case)

    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        counter.enter()
        counter.leave()
        if int(str(body(message))) % 2 and not seen.again(message):
            raise ValueError("the listener fails")
        settling(client, message)

    server = ApplicationServer(case, work=work)
    _backlog(case, server, 6, 6)
    server.take(1)
    server.after(6)
    expect.equal("the most calls of the listener at a time", counter.most, 1)


@asserts("11.2.1-4", ack=MODES, plain=True)
def test_run_passes_on_all_assigned_messages(case: Case) -> None:
    """Of a backlog every message comes to the listener, with up to four assigned at a time, and in none but a call of run()."""
    server = ApplicationServer(case, sessions=ROOMY)
    link = _backlog(case, server, 10, 4)
    serves(server, link.destination, numbered(10))
    expect.true("run() returns", server.idle(), "it did not")
    shapes = {tuple(step.what for step in run) for run in server.runs()}
    strange = [shape for shape in shapes if shape != (RUN, *([ENTERED, LEFT] * (len(shape) // 2 - 1)), RAN)]
    expect.equal("calls of run() that do anything but call the listener", strange, [])


@asserts("11.2.1-4", variant="failing", plain=True)
def test_run_goes_on_after_a_failing_listener(case: Case) -> None:
    """A listener that fails at the first and the third message gets the other assigned messages all the same."""
    seen = Seen()

    def work(_client: Client, message: api.Message) -> None:
        if body(message) in {"001", "003"} and not seen.again(message):
            raise ValueError("the listener fails")

    server = ApplicationServer(case, sessions=ROOMY, work=work)
    _backlog(case, server, 5, 5)
    together(case, [lambda: server.bodies], numbered(5), sender=None)


@asserts("11.2.1-4", ack=("transacted",), variant="rolled-back", plain=True)
def test_run_goes_on_after_a_rollback(case: Case) -> None:
    """A listener that rolls back the second message gets the other assigned messages all the same."""
    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        end = client.rollback if body(message) == "002" and not seen.again(message) else client.commit
        end()

    server = ApplicationServer(case, sessions=ROOMY, work=work)
    _backlog(case, server, 5, 5)
    together(case, [lambda: server.bodies], numbered(5), sender=None)


@asserts("11.2.1-4", ack=("auto", "transacted"), variant="sessions", plain=True)
def test_run_of_each_session_passes_on_its_messages(case: Case) -> None:
    """Three sessions, with up to four messages each at a time, pass on a backlog; each message comes to one of them."""
    server = ApplicationServer(case, sessions=3)
    link = _backlog(case, server, 20, 4)
    serves(server, link.destination, numbered(20))


@asserts("11.2.1-4", ack=("auto", "client"), variant="pieces", plain=True)
def test_run_passes_on_messages_of_two_destinations(case: Case) -> None:
    """Two connection consumers feed the same pool: every message of both destinations comes to a listener."""
    server = ApplicationServer(case, sessions=ROOMY)
    links = [case.link("auto", consumes=False) for _ in range(2)]
    server.pool.withhold()
    for link in links:
        server.consume(link.destination, max_messages=3)
    for text in numbered(6):
        for number, link in enumerate(links):
            link.send(f"{text} to {number}")
    server.pool.release()
    serves(server, links[0].destination, [f"{text} to {number}" for text in numbered(6) for number in range(2)])


@asserts("11.2.1-5", ack=MODES, plain=True)
def test_run_returns_after_the_last_message(case: Case) -> None:
    """run() returns when the listener has processed the assigned messages, and is called again for a later message."""
    server = ApplicationServer(case, sessions=ROOMY)
    link = _backlog(case, server, 3, 3)
    server.take(3)
    calls = server.steps.all(RUN)
    expect.true("run() returns", server.steps.reach(RAN, len(calls)) and server.idle(), "it was still in its call")
    before = len(server.steps.all(RUN))
    link.send("later")
    server.take(4)
    expect.true("run() is called again for a later message", len(server.steps.all(RUN)) > before, "it was not")


@asserts("11.2.1-5", ack=MODES, variant="held", plain=True)
def test_run_does_not_return_before_the_listener(case: Case) -> None:
    """run() does not return while the listener works on the last message, and returns after it."""
    held = HeldListener(case)

    def work(client: Client, message: api.Message) -> None:
        held.on_message(message)
        settling(client, message)

    server, link = ApplicationServer(case, work=work), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send("x")
    held.occupied()
    link.dispatched()
    early = len(server.steps.all(RAN))
    held.release()
    with expect.all_of():
        expect.true("run() returns after the listener", server.steps.reach(BACK, 1), "it had not returned")
        expect.equal("calls of run() that returned while the listener worked", early, 0)


@asserts("11.2.1-5", ack=("auto", "client"), variant="failing", plain=True)
def test_run_returns_after_a_listener_that_fails(case: Case) -> None:
    """run() returns although the listener fails at the last message."""
    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        if not seen.again(message):
            raise ValueError("the listener fails")
        settling(client, message)

    server, link = ApplicationServer(case, work=work), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send("x")
    server.take(1)
    expect.true("run() returns after the listener failed", server.steps.reach(BACK, 1), "it had not returned")
