"""Batches of messages: each batch is published in one transaction."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.clients.gathering import drained
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient
from tck.suite.support.values.seen import body


@scenario("pj-tx-batch")
def test_batches(case: Case) -> None:
    """Batches come when they are committed, in order, and not when they are rolled back, whatever the mode given."""
    subscriber = case.link("auto")
    publisher = case.client("transacted")
    publish(publisher, subscriber.destination, "msg1", "msg2", "msg3")
    early = drained(subscriber, 0)
    publisher.commit()
    first = drained(subscriber, 3)
    publish(publisher, subscriber.destination, "msg4", "msg5", "msg6")
    publisher.rollback()
    publish(publisher, subscriber.destination, "msg7")
    publisher.commit()
    second = drained(subscriber, 1)

    with expect.for_row("pj-tx-batch-1"):
        case.witness("markers of the subscriber came")
        expect.equal("the messages before the commit", early, [])
        expect.equal("the messages after the commit", first, ["msg1", "msg2", "msg3"])
    with expect.for_row("pj-tx-batch-2"):
        expect.equal("the messages after a rollback and a commit", second, ["msg7"])
    with expect.for_row("pj-tx-batch-3"):
        for ack in ("auto", "client", "dups_ok"):
            session = case.client(ack).session
            for what, call in (("commit", session.commit), ("rollback", session.rollback)):
                expect.raises(case.thrown(api.IllegalStateException), call, what=f"{what}() of a session in mode {ack}")
    with expect.for_row("pj-tx-batch-4"):
        for mode, client in each_mode(case).items():
            expect.equal(f"the messages of a transacted session made with {mode}", batch(case, client), BATCH)


def publish(client: Client, destination: api.Destination, *texts: str) -> None:
    """Publish a batch."""
    sender = client.sender(destination)
    for text in texts:
        sender.send(client.text(text))


def each_mode(case: Case) -> dict[str, Client]:
    """Open a transacted session with each acknowledge mode; the simplified interface has no such argument."""
    base = case.client("transacted")
    if case.api == "simplified":
        return {"SESSION_TRANSACTED": base}
    modes = {
        name: getattr(api.Session, name) for name in ("AUTO_ACKNOWLEDGE", "CLIENT_ACKNOWLEDGE", "DUPS_OK_ACKNOWLEDGE")
    }
    connection = base.connection
    if case.api == "classic":
        opened = {name: connection.create_session(transacted=True, session_mode=mode) for name, mode in modes.items()}
        return {name: ClassicClient(case, "transacted", connection, session) for name, session in opened.items()}
    make = connection.create_queue_session if case.domain == "queue" else connection.create_topic_session
    opened = {name: make(True, mode) for name, mode in modes.items()}
    return {
        name: DomainClient(case, "transacted", case.domain, connection, session) for name, session in opened.items()
    }


BATCH = ["kept 1", "kept 2", "kept 1", "kept 2"]


def batch(case: Case, client: Client) -> list[object]:
    """Roll a batch back, commit one, receive it, acknowledge, roll back, receive it again; return the texts received."""
    link = case.link(client=client)
    publish(client, link.destination, "dropped 1", "dropped 2")
    client.rollback()
    publish(client, link.destination, "kept 1", "kept 2")
    client.commit()
    came = [from_consumer(case, link.consumer) for _ in range(2)]
    came[-1].acknowledge()
    client.rollback()
    again = [from_consumer(case, link.consumer) for _ in range(2)]
    client.commit()
    return [*(body(message) for message in came), *sorted(str(body(message)) for message in again)]
