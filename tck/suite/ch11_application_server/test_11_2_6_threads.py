"""11.2.6 How an application server implements a server session: the threads are its own choice."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.steps import RUN
from tck.suite.support.server.threads import Workers

MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("11.2.6-1", ack=MODES, plain=True)
def test_a_server_session_may_use_a_new_thread_for_each_start(case: Case) -> None:
    """A connection consumer works with server sessions that run on a new thread after each start."""
    server, link = ApplicationServer(case, sessions=ROOMY), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(6))
    serves(server, link.destination, numbered(6))
    expect.record("server sessions with a new thread for each start work")


@asserts("11.2.6-1", ack=MODES, variant="borrowed", plain=True)
def test_a_server_session_may_borrow_a_thread(case: Case) -> None:
    """A connection consumer works with server sessions that run on whichever of two lent threads is free."""
    workers = Workers(case, 2)
    case.opened(workers)
    server, link = ApplicationServer(case, sessions=ROOMY, employ=workers.employ), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(10))
    serves(server, link.destination, numbered(10))
    elsewhere = {step.thread for step in server.steps.all(RUN)} - workers.threads
    expect.equal("threads of run() that are none of the lent ones", sorted(elsewhere), [])
    expect.record("server sessions on borrowed threads work")


@asserts("11.2.6-1", ack=("auto", "transacted"), variant="one-thread", plain=True)
def test_server_sessions_may_share_one_thread(case: Case) -> None:
    """A connection consumer works with several server sessions that one thread of the server runs one after the other."""
    workers = Workers(case, 1)
    case.opened(workers)
    server, link = ApplicationServer(case, sessions=ROOMY, employ=workers.employ), case.link("auto", consumes=False)
    server.consume(link.destination, max_messages=2)
    link.send_all(numbered(6))
    serves(server, link.destination, numbered(6))
    expect.record("server sessions that share one thread work")
