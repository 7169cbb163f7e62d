"""11.2.7 The result: messages stay under the control of the provider until they reach the listener."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.stopping import HeldListener, settling
from tck.suite.support.server.application_server import ROOMY
from tck.suite.support.server.judgement import serves, together
from tck.suite.support.server.places import place
from tck.suite.support.server.steps import CALLED, STARTED
from tck.suite.support.server.threads import Postponed

MODES = ("auto", "client", "dups_ok", "transacted")


def _refuse(what: str, call: Callable[[], None]) -> None:
    """Refuse to run a server session."""
    del call
    raise api.JMSException(f"the server cannot start {what}")


@asserts("11.2.7-1", ack=MODES, plain=True)
def test_messages_of_a_session_that_never_runs_are_not_lost(case: Case) -> None:
    """Messages are loaded, and the server never runs the session: after close() of the connection another consumer gets them."""
    here = place(case)
    server = here.server(max_messages=5, employ=Postponed(case).employ)
    here.sender().send_all(numbered(3))
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    server.leave()
    server.client.close()
    expect.arrives(here.link(), numbered(3), ordered=False)


@asserts("11.2.7-1", ack=MODES, variant="batch", plain=True)
def test_a_batch_of_a_session_that_never_runs_is_not_lost(case: Case) -> None:
    """A backlog is loaded into several sessions, up to two each, none of which runs: another consumer gets every message."""
    here = place(case)
    server = here.server(max_messages=2, sessions=3, employ=Postponed(case).employ)
    server.pool.withhold()
    sender = here.sender()
    sender.send_all(numbered(6))
    server.pool.release()
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    sender.dispatched()
    server.leave()
    server.client.close()
    expect.arrives(here.link(), numbered(6), ordered=False)


@asserts("11.2.7-1", ack=("auto", "client", "transacted"), variant="start", plain=True)
def test_messages_of_a_server_session_that_does_not_start_are_not_lost(case: Case) -> None:
    """start() of the server session raises JMSException: after close() of the connection another consumer gets the messages."""
    here = place(case)
    server = here.server(max_messages=2, employ=_refuse)
    here.sender().send_all(numbered(3))
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    server.leave()
    server.client.close()
    expect.arrives(here.link(), numbered(3), ordered=False)


@asserts("11.2.7-1", ack=("auto", "client", "transacted"), variant="pool", plain=True)
def test_messages_are_not_lost_if_the_pool_fails(case: Case) -> None:
    """getServerSession() raises JMSException: after close() of the connection another consumer gets the messages."""
    here = place(case)
    sender, modes = here.sender(), (api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT)
    for text, mode in zip(numbered(4), 2 * modes, strict=True):
        sender.send(text, mode=mode)
    server = here.server(max_messages=2, fails=True)
    sender.send("later")
    expect.true("the pool is called", server.steps.reach(CALLED, 1), "it was not")
    server.client.close()
    expect.arrives(here.link(), [*numbered(4), "later"], ordered=False)


@asserts("11.2.7-1", ack=("auto", "client", "transacted"), variant="rest", plain=True)
def test_the_rest_of_a_batch_is_not_lost(case: Case) -> None:
    """The connection is closed while the listener has the first of four messages: the others come, here or to another consumer."""
    held, here = HeldListener(case), place(case)

    def work(client: Client, message: api.Message) -> None:
        held.on_message(message)
        settling(client, message)

    server = here.server(max_messages=4, work=work)
    sender = here.sender("transacted")
    for text in numbered(4):
        sender.put(text)
    sender.client.commit()  # all at once, so that they can be of one batch
    held.occupied()
    server.close()
    closing = case.spawn("close()", server.client.close)
    case.until_blocked(closing, "close() waits for the listener")
    held.release()
    expect.returns(closing, "close() of the connection")
    other = CollectingListener(case)
    here.link().consumer.message_listener = other
    together(case, [lambda: server.bodies, lambda: other.bodies], numbered(4), sender=None)


@asserts("11.2.7-1", ack=("auto", "client", "transacted"), variant="late", plain=True)
def test_messages_of_a_session_that_runs_late_are_not_lost(case: Case) -> None:
    """A server session runs long after its start: its messages come then, and those sent meanwhile as well."""
    here, postponed = place(case), Postponed(case)
    server = here.server(sessions=ROOMY, max_messages=3, employ=postponed.employ)
    sender = here.sender()
    sender.send_all(numbered(2))
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    sender.send("later")
    sender.dispatched()
    server.pool.employ = case.spawn
    postponed.run()
    serves(server, here.destination, [*numbered(2), "later"])


@asserts("11.2.7-1", ack=("auto", "client", "transacted"), variant="severed", plain=True)
def test_messages_of_a_session_that_never_ran_survive_a_broken_link(case: Case) -> None:
    """Messages are loaded, and the link of the connection breaks before the session runs: another consumer gets them."""
    case.needs(api.Hook.SEVER)
    here = place(case)
    server = here.server(max_messages=5, employ=Postponed(case).employ)
    here.sender().send_all(numbered(3))
    expect.true("start() is called", server.steps.reach(STARTED, 1), "it was not")
    server.close()
    case.provider.sever(server.client.connection)
    expect.arrives(here.link(), numbered(3), ordered=False)
