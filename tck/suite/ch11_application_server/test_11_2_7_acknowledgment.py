"""11.2.7 The result: acknowledgment follows the mode of the session that the messages were loaded into."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.lifecycle.stopping import HeldListener, settling
from tck.suite.support.server.application_server import ROOMY, ApplicationServer
from tck.suite.support.server.judgement import serves
from tck.suite.support.server.places import Place, place
from tck.suite.support.server.seen import Seen
from tck.suite.support.values.seen import body


def _nothing(client: Client, message: api.Message) -> None:
    """Leave a message unsettled."""


def _processed(here: Place, server: ApplicationServer, count: int, least: int) -> None:
    """Send messages; when the listeners have had them, of which at least some must come, close the connection."""
    here.sender().send_all(numbered(count))
    server.after(count)
    server.take(least)
    server.idle()
    server.leave()
    server.client.close()


def _one_by_one(here: Place, server: ApplicationServer, count: int) -> None:
    """Send messages, each when all server sessions are back, so that a single one is used again."""
    sender = here.sender()
    for number, text in enumerate(numbered(count), start=1):
        sender.send(text)
        server.take(number)
        server.idle()


@asserts("11.2.7-2", ack=("auto", "client", "transacted"), plain=True)
def test_settled_messages_do_not_come_again(case: Case) -> None:
    """Messages whose listener returned, acknowledged or committed, as the mode demands, do not come to another consumer."""
    here = place(case)
    _processed(here, here.server(sessions=ROOMY, max_messages=2), 6, least=6)
    expect.only(here.link())


@asserts("11.2.7-2", ack=("auto", "client", "transacted"), variant="one", plain=True)
def test_settled_messages_of_one_session_do_not_come_again(case: Case) -> None:
    """Messages that the only session of a pool has settled, one after the other, do not come to another consumer."""
    here = place(case)
    server = here.server(max_messages=3)
    _one_by_one(here, server, 5)
    server.leave()
    server.client.close()
    expect.only(here.link())


@asserts("11.2.7-2", ack=("dups_ok",), variant="lazily", plain=True)
def test_lazily_acknowledged_messages(case: Case) -> None:
    """In DUPS_OK_ACKNOWLEDGE every message comes to a listener; whether some are redelivered after close() is recorded."""
    here = place(case)
    server = here.server(sessions=ROOMY, max_messages=2)
    here.sender().send_all(numbered(6))
    serves(server, here.destination, numbered(6))
    server.idle()
    server.client.close()
    again = here.link()
    again.send("last")
    first = body(again.receive())
    expect.record("lazily acknowledged messages " + ("do not come again" if first == "last" else "come again"))


@asserts("11.2.7-2", ack=("client", "transacted"), variant="unsettled", plain=True)
def test_unsettled_messages_come_again(case: Case) -> None:
    """Messages that a listener neither acknowledges nor commits come to another consumer after close() of the connection."""
    here = place(case)
    _processed(here, here.server(sessions=ROOMY, max_messages=2, work=_nothing), 5, least=1)
    expect.arrives(here.link(), numbered(5), ordered=False)


@asserts("11.2.7-2", ack=("client", "transacted"), variant="in-part", plain=True)
def test_a_session_settles_over_several_runs(case: Case) -> None:
    """The only session settles at its third message: the three, of several calls of run(), are gone, and two later ones come again."""

    def work(client: Client, message: api.Message) -> None:
        if body(message) == "003":
            settling(client, message)

    here = place(case)
    server = here.server(work=work)
    _one_by_one(here, server, 5)
    server.leave()
    server.client.close()
    expect.arrives(here.link(), ["004", "005"], ordered=False)


@asserts("11.2.7-2", ack=("client",), variant="outside", plain=True)
def test_messages_are_acknowledged_after_run(case: Case) -> None:
    """acknowledge() of the last message, after run() has returned, acknowledges what the session has got."""
    here = place(case)
    server = here.server(work=_nothing)
    _one_by_one(here, server, 3)
    server.received[-1].acknowledge()
    server.leave()
    server.client.close()
    expect.only(here.link())


@asserts("11.2.7-2", ack=("transacted",), variant="outside", plain=True)
def test_messages_are_committed_after_run(case: Case) -> None:
    """commit() and rollback() after run() has returned end the transaction that the message was received in."""
    here = place(case)
    server = here.server(sessions=0, work=_nothing)
    server_session = server.server_session()
    server.pool.add(server_session)
    sender = here.sender()
    for number, end in enumerate((server_session.client.commit, server_session.client.rollback), start=1):
        sender.send(str(number))
        server.take(number)
        server.idle()
        end()
    serves(server, here.destination, ["1", "2", "2"])


@asserts("11.2.7-2", ack=("client", "transacted"), variant="returned", plain=True)
def test_returned_messages_come_again(case: Case) -> None:
    """A listener that rolls back, or recovers its session, at the first delivery gets each message again."""
    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        if seen.again(message):
            settling(client, message)
        else:
            client.return_all()

    here = place(case)
    server = here.server(sessions=ROOMY, work=work)
    here.sender().send_all(numbered(3))
    serves(server, here.destination, sorted(2 * numbered(3)))
    server.idle()
    server.leave()
    server.client.close()
    expect.only(here.link())


@asserts("11.2.7-2", ack=("client", "transacted"), variant="returned-batch", plain=True)
def test_messages_returned_within_a_batch_come_again(case: Case) -> None:
    """A rollback or recover() at the second of several loaded messages: that one is redelivered, and all others come."""
    seen = Seen()

    def work(client: Client, message: api.Message) -> None:
        if body(message) == "002" and not seen.again(message):
            client.return_all()
        else:
            settling(client, message)

    here = place(case)
    server = here.server(sessions=ROOMY, max_messages=4, work=work)
    server.pool.withhold()
    here.sender().send_all(numbered(4))
    server.pool.release()
    serves(server, here.destination, ["001", "002", "002", "003", "004"])


@asserts("11.2.7-2", ack=("auto",), domain=("topic",), variant="failing-plain", plain=True)
def test_messages_of_a_plain_subscription_whose_listener_fails_come_again(case: Case) -> None:
    """In AUTO_ACKNOWLEDGE a message of a subscription that is not durable is redelivered after its listener raised."""
    seen = Seen()

    def work(_client: Client, message: api.Message) -> None:
        if not seen.again(message):
            raise ValueError("the listener fails")

    server, link = ApplicationServer(case, sessions=ROOMY, work=work), case.link("auto", consumes=False)
    server.consume(link.destination)
    link.send_all(numbered(3))
    serves(server, link.destination, sorted(2 * numbered(3)))


@asserts("11.2.7-2", ack=("auto",), variant="failing", plain=True)
def test_messages_whose_listener_fails_come_again(case: Case) -> None:
    """In AUTO_ACKNOWLEDGE a message whose listener raised is redelivered, and is acknowledged then."""
    seen = Seen()

    def work(_client: Client, message: api.Message) -> None:
        if not seen.again(message):
            raise ValueError("the listener fails")

    here = place(case)
    server = here.server(sessions=ROOMY, work=work)
    here.sender().send_all(numbered(3))
    serves(server, here.destination, sorted(2 * numbered(3)))
    server.idle()
    server.leave()
    server.client.close()
    expect.only(here.link())


@asserts("11.2.7-2", ack=("auto", "client", "transacted"), variant="severed", plain=True)
def test_a_message_is_not_acknowledged_before_its_listener_returns(case: Case) -> None:
    """The link breaks while the listener works: the message, which is not settled yet, comes to another consumer."""
    case.needs(api.Hook.SEVER)
    held, here = HeldListener(case), place(case)

    def work(_client: Client, message: api.Message) -> None:
        held.on_message(message)

    server = here.server(work=work)
    here.sender().send("x")
    held.occupied()
    server.close()
    case.provider.sever(server.client.connection)
    link = here.link()
    message = expect.arrival(link)
    held.release()
    expect.equal("the message at the other consumer", body(message), "x")
