"""11.2.2 ServerSession: its session gets the messages, and its start leads to run()."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.lifecycle.stopping import HeldListener, settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.steps import ENTERED, RUN, STARTED
from tck.suite.support.server.threads import Postponed

MODES = ("auto", "client", "dups_ok", "transacted")


def _out_of_place(server: ApplicationServer) -> list[str]:
    """Return the messages that came to the listener of a session other than the one that the server session wraps."""
    running: dict[int, int] = {}
    strange = []
    for step in server.steps.all(RUN, ENTERED):
        if step.what == RUN:
            running[step.thread] = step.number
        elif running.get(step.thread) != step.number:
            strange.append(f"{step.body} in session {step.number}")
    return strange


@asserts("11.2.2-1", ack=MODES, plain=True)
def test_messages_are_loaded_into_the_session_of_the_server_session(case: Case) -> None:
    """Each message comes to the listener of the session that the started server session returned, in a pool of many."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=6)
    link.send_all(numbered(12))
    server.take(12)
    expect.equal("messages in the session of another server session", _out_of_place(server), [])


@asserts("11.2.2-1", ack=("auto", "transacted"), variant="held", plain=True)
def test_messages_are_loaded_into_the_session_of_each_held_server_session(case: Case) -> None:
    """While the listeners of some of three sessions are held, each message is in the session it was loaded into."""
    held = HeldListener(case)

    def work(client: Client, message: api.Message) -> None:
        held.on_message(message)
        settling(client, message)

    server, link = ApplicationServer(case, sessions=3, work=work), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(3))
    held.occupied()
    link.dispatched()
    held.release()
    server.take(3)
    expect.equal("messages in the session of another server session", _out_of_place(server), [])


@asserts("11.2.2-1", ack=("auto", "client"), variant="pools", plain=True)
def test_messages_are_loaded_into_the_session_of_the_own_pool(case: Case) -> None:
    """Two connection consumers of one connection have pools of their own: each loads the sessions of its pool alone."""
    first = ApplicationServer(case, sessions=ROOMY)
    second = ApplicationServer(case, sessions=ROOMY, client=first.client)
    links = [case.link("auto", consumes=False) for _ in range(2)]
    for server, link in zip((first, second), links, strict=True):
        server.consume(link.destination, max_messages=2)
    for text in numbered(5):
        for number, link in enumerate(links):
            link.send(f"{text} to {number}")
    with expect.all_of():
        for number, server in enumerate((first, second)):
            with expect.all_of():
                serves(server, links[number].destination, [f"{text} to {number}" for text in numbered(5)])
                expect.equal("messages in the session of another server session", _out_of_place(server), [])


@asserts("11.2.2-2", ack=MODES, plain=True)
def test_start_leads_to_run(case: Case) -> None:
    """Every call of the listener is made by the thread that the started server session uses, and never by the caller of start()."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=7)
    link.send_all(numbered(8))
    serves(server, link.destination, numbered(8))
    callers = {step.thread for step in server.steps.all(STARTED)}
    own = {step.thread for step in server.steps.all(RUN)}
    elsewhere = [step.body for step in server.steps.all(ENTERED) if step.thread not in own - callers]
    expect.equal("messages on a thread that is none of the server's", elsewhere, [])


@asserts("11.2.2-2", ack=("auto", "transacted"), variant="postponed", plain=True)
def test_no_message_comes_before_run(case: Case) -> None:
    """The listener is not called before the server's thread calls run(), and is called then."""
    postponed = Postponed(case)
    server, link = ApplicationServer(case, employ=postponed.employ), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send("x")
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    link.dispatched()
    early = server.bodies
    postponed.run()
    with expect.all_of():
        expect.equal("messages at the listener after run()", server.after(1), ["x"])
        expect.equal("messages at the listener before run()", early, [])
