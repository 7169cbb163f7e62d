"""11.2.4 ConnectionConsumer: the refusal of invalid destinations, selectors and pools."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.server.application_server import ROOMY, ApplicationServer

MALFORMED = ("=TEST 'test'", "n = = 1", "n = 'a", "(n = 1", "n BETWEEN 1")


def _creations(case: Case, server: ApplicationServer, **given: Any) -> Rows:
    """Return the calls that create connection consumers in the case's interface and domain, by their Java signatures."""
    domain = {"queue": "QueueConnection", "topic": "TopicConnection"}[case.domain]
    only = ["createConnectionConsumer"]
    if case.domain == "topic":
        shared = ["createSharedConnectionConsumer", "createSharedDurableConnectionConsumer"]
        only += ["createDurableConnectionConsumer", *(shared if case.offers("shared subscriptions") else [])]
    usual = {"destination": case.destination(), "session_pool": server.pool, "max_messages": 2, **given}
    return every_call(
        case,
        "Connection" if case.api == "classic" else domain,
        lambda: server.client.connection,
        only=only,
        topic=usual["destination"],
        **usual,
    )


def _server(case: Case) -> ApplicationServer:
    """Connect a server with a client identifier, as durable subscriptions need."""
    return ApplicationServer(case, client_id=case.name("c"))


@asserts("11.2.4-11", plain=True)
def test_a_null_destination_is_refused(case: Case) -> None:
    """Each create...ConnectionConsumer() of null raises InvalidDestinationException, and works with a destination."""
    server = _server(case)
    calls = _creations(case, server, destination=None)
    all_refused(api.InvalidDestinationException, calls, though_work=_creations(case, server))


@asserts("11.2.4-11", variant="stopped", plain=True)
def test_a_null_destination_is_refused_before_the_start(case: Case) -> None:
    """Each create...ConnectionConsumer() of null on a connection that is not started raises InvalidDestinationException."""
    server = ApplicationServer(case, client_id=case.name("c"), started=False)
    calls = _creations(case, server, destination=None, message_selector=None)
    all_refused(api.InvalidDestinationException, calls, though_work=_creations(case, server))


@asserts("11.2.4-12", plain=True)
def test_an_invalid_selector_is_refused(case: Case) -> None:
    """Each create...ConnectionConsumer() with a selector that does not parse raises InvalidSelectorException at once."""
    server = _server(case)
    with expect.all_of():
        for selector in MALFORMED:
            calls = _creations(case, server, message_selector=selector)
            all_refused(api.InvalidSelectorException, calls, though_work=_creations(case, server))


@asserts("11.2.4-12", variant="left", plain=True)
def test_an_invalid_selector_leaves_nothing_behind(case: Case) -> None:
    """After refused selectors, another connection consumer of the same destination gets every message, and the pool no call."""
    refused, server = ApplicationServer(case), ApplicationServer(case, sessions=ROOMY)
    link = case.link("auto", consumes=False)
    server.consume(link.destination, "n IS NULL", max_messages=2)
    create = refused.client.connection.create_connection_consumer
    with expect.all_of():
        for selector in MALFORMED:
            what = f"createConnectionConsumer() with {selector!r}"
            case.witness("a connection consumer with a valid selector was created")
            expect.raises(
                api.InvalidSelectorException, lambda: create(link.destination, selector, refused.pool, 1), what=what
            )
        link.send_all(numbered(4))
        expect.equal("what the other one got", sorted(map(str, server.after(4))), numbered(4))
        expect.equal("steps of the pool of the refused ones", refused.steps.all(), [])


@asserts("11.2.4-13", plain=True)
def test_a_null_pool_is_refused(case: Case) -> None:
    """Each create...ConnectionConsumer() with null in place of the pool raises JMSException, and works with a pool."""
    server = _server(case)
    calls = _creations(case, server, session_pool=None)
    all_refused(api.JMSException, calls, though_work=_creations(case, server))


@asserts("11.2.4-13", domain=("queue",), variant="left", plain=True)
def test_a_null_pool_leaves_nothing_behind(case: Case) -> None:
    """After a connection consumer without a pool was refused, the messages of the queue come to an ordinary consumer."""
    server, link = ApplicationServer(case), case.link("auto", consumes=False)
    link.send_all(numbered(2))
    create = server.client.connection.create_connection_consumer
    other = server.consume(case.destination())
    case.witness(f"a connection consumer with a pool was created: {other is not None}")
    expect.raises(api.JMSException, lambda: create(link.destination, None, None, 1), what="creating it without a pool")
    link.send_all(["later"])
    expect.arrives(Link(case.client("auto"), link.destination), [*numbered(2), "later"])
