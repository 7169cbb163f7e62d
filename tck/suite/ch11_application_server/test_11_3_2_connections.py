"""11.3.2 XA connections: the sessions that they create, and that they are connections in all else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching_on, xa_connection_from, xa_factory_of
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.problems import ProblemListener
from tck.suite.support.lifecycle.unstarted import seen_at
from tck.suite.support.values.seen import body, tried
from tck.suite.support.xa.manager import branch, in_one_phase, in_two_phases
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)


def _unopened(case: Case) -> Any:
    return xa_connection_from(case, xa_factory_of(case))


def _creates(case: Case, kind: type, session_of: Callable[[Any], object], plain: type) -> None:
    """Demand sessions of a type whose branches are apart: one is committed, the other rolled back."""
    connection, watcher = _unopened(case), case.link("auto")
    sides = [expect.works("creating an XA session", partial(branching_on, case, connection)) for _ in range(2)]
    xids = []
    with expect.all_of():
        for side in sides:
            expect.true(f"the session is an {kind.__name__}", isinstance(side.owner, kind), f"it was {side.owner!r}")
            expect.true("it has an XAResource", side.resource is not None, "getXAResource() was null")
            inner = session_of(side.owner)
            expect.true(f"it has a {plain.__name__}", isinstance(inner, plain), f"it was {inner!r}")
    for number, side in enumerate(sides):
        with branch(side) as xid:
            side.send(watcher.destination, f"of session {number}")
        xids.append(xid)
    sides[0].resource.rollback(xids[0])
    in_two_phases(sides[1].resource, xids[1])
    just(watcher, ["of session 1"])


@asserts("11.3.2-1", ack=TRANSACTED)
def test_an_xa_connection_creates_xa_sessions(case: Case) -> None:
    """createXASession() returns an XASession with an XAResource and a Session; two of one connection have branches of their own."""
    _creates(case, api.XASession, lambda owner: owner.session, api.Session)


@asserts("11.3.2-2", ack=TRANSACTED, domain=("queue",))
def test_an_xa_queue_connection_creates_xa_queue_sessions(case: Case) -> None:
    """createXAQueueSession() returns an XAQueueSession with an XAResource and a QueueSession."""
    _creates(case, api.XAQueueSession, lambda owner: owner.queue_session, api.QueueSession)


@asserts("11.3.2-2", ack=TRANSACTED, domain=("topic",))
def test_an_xa_topic_connection_creates_xa_topic_sessions(case: Case) -> None:
    """createXATopicSession() returns an XATopicSession with an XAResource and a TopicSession."""
    _creates(case, api.XATopicSession, lambda owner: owner.topic_session, api.TopicSession)


@asserts("11.3.2-3", ack=TRANSACTED)
def test_an_xa_connection_has_metadata(case: Case) -> None:
    """The metadata of an XA connection equals that of an ordinary connection."""
    connection, watcher = _unopened(case), case.link("auto")
    side = branching_on(case, connection)
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    in_one_phase(side.resource, xid)
    just(watcher, ["sent"])
    xa, ordinary = connection.meta_data, watcher.client.connection.meta_data
    names = ("jms_version", "jms_major_version", "jms_minor_version", "jms_provider_name", "provider_version")
    with expect.all_of():
        for name in names:
            expect.equal(name, getattr(xa, name), getattr(ordinary, name))
        properties = [sorted(each.get_jmsx_property_names()) for each in (xa, ordinary)]
        expect.equal("the JMSX properties", properties[0], properties[1])


@asserts("11.3.2-3", ack=TRANSACTED, variant="client-id")
def test_an_xa_connection_has_a_client_identifier(case: Case) -> None:
    """setClientID() works before the first use and reads back, another connection may have another one, and a close frees it."""
    connection, other, name = _unopened(case), _unopened(case), case.name("s")
    connection.client_id, other.client_id = name, f"{name}-2"
    expect.equal("getClientID() of two connections", [connection.client_id, other.client_id], [name, f"{name}-2"])
    connection.close()
    ordinary = case.client("auto", client_id=name)
    expect.equal(
        "getClientID() of an ordinary connection, once the first is closed", ordinary.connection.client_id, name
    )
    link = case.link(client=ordinary)
    link.send("x")
    just(link, ["x"])
    ordinary.connection.close()
    again = _unopened(case)
    expect.works("setClientID() of an XA connection, once that is closed", partial(setattr, again, "client_id", name))
    expect.equal("getClientID() afterwards", again.client_id, name)


@asserts("11.3.2-3", ack=TRANSACTED, domain=("topic",), variant="exclusive")
def test_an_xa_connection_does_not_share_its_client_identifier(case: Case) -> None:
    """While a connection is open, none of the other kind, XA or ordinary, gets at its durable subscription under its identifier."""
    place = case.topic()
    sender = case.link("auto", destination=place, consumes=False)
    with expect.all_of():
        for kind, open_one, open_other in (("an XA", _by_xa, _ordinarily), ("an ordinary", _ordinarily, _by_xa)):
            name = case.name("s")
            holder, side = open_one(case, place, name)
            sender.send("1")
            expect.equal(f"what came to {kind} connection", _taken(holder, side), "1")
            holder.consumer.close()
            sender.send("2")
            intruder = case.spawn("another connection", partial(_intruding, partial(open_other, case, place, name)))
            got = intruder.result() if intruder.ends_within() else None
            expect.equal(f"what another got of the subscription of {kind} connection", got, None)
            again = case.link(client=holder.client, destination=place, durable=name)
            expect.equal(f"what came next to {kind} connection", _taken(again, side), "2")


_Opened: TypeAlias = tuple[Link, Branching | None]


def _ordinarily(case: Case, place: api.Topic, name: str) -> _Opened:
    return case.link("auto", destination=place, durable=name), None


def _by_xa(case: Case, place: api.Topic, name: str) -> _Opened:
    connection = _unopened(case)
    connection.client_id = name
    side = branching_on(case, connection)
    link = case.link(client=side.client, destination=place, durable=name)
    connection.start()
    return link, side


def _taken(link: Link, side: Branching | None) -> object:
    """Take a message, of an XA session in a branch that is committed; return its body, or None."""
    if side is None:
        return body(link.poll())
    with branch(side) as xid:
        taken = body(link.poll())
    in_one_phase(side.resource, xid)
    return taken


def _intruding(open_one: Callable[[], _Opened]) -> object:
    """Take a message of a subscription whose identifier is in use; return its body, or None where the provider prevents it."""
    try:
        link, side = open_one()
        got = _taken(link, side)
    except api.JMSException:
        return None
    link.client.close()
    return got


@asserts("11.3.2-3", ack=TRANSACTED, variant="durable")
def test_an_xa_connection_names_durable_subscriptions(case: Case) -> None:
    """A subscription that an XA session made under its client identifier is resumed by an ordinary connection, without what was received."""
    connection, name = _unopened(case), case.name("s")
    connection.client_id = name
    side, place = branching_on(case, connection), case.destination()
    link = case.link(client=side.client, destination=place, durable=name)
    connection.start()
    case.link("auto", destination=place, consumes=False).send_all(["1", "2"])
    with branch(side) as xid:
        expect.equal("what came first", body(link.poll()), "1")
    in_one_phase(side.resource, xid)
    connection.close()
    just(case.link("auto", destination=place, durable=name), ["2"])


@asserts("11.3.2-3", ack=TRANSACTED, variant="stop")
def test_an_xa_connection_stops_and_starts(case: Case) -> None:
    """After stop() nothing comes in a branch, after start() the message comes, and the branch goes on over both."""
    connection = _unopened(case)
    side = branching_on(case, connection)
    link = case.link(client=side.client)
    sender = case.link("auto", destination=link.destination, consumes=False)
    connection.start()
    sender.send("before")
    with branch(side) as xid:
        expect.equal("what came while the connection was started", body(link.poll()), "before")
        connection.stop()
        sender.send("after")
        sender.dispatched()
        stopped = seen_at(link)
        connection.start()
        expect.equal("what came after stop() and after start()", [stopped, body(link.poll())], [[], "after"])
    in_two_phases(side.resource, xid)
    link.consumer.close()
    expect.only(case.link("auto", destination=link.destination))


def _calls(case: Case) -> tuple[Any, dict[str, Callable[[], object]]]:
    """Open an XA connection with a session and a consumer; return it, and calls that work while it is open."""
    connection = _unopened(case)
    side = branching_on(case, connection)
    link = case.link(client=side.client)
    return connection, {
        "creating an XA session": partial(branching_on, case, connection),
        "start()": connection.start,
        "getMetaData()": lambda: connection.meta_data,
        "createTextMessage()": lambda: side.client.text("x"),
        "getTransacted()": lambda: side.owner.transacted,
        "receive(1)": lambda: link.consumer.receive(1),
        "getMessageSelector()": lambda: link.consumer.message_selector,
    }


@asserts("11.3.2-3", ack=TRANSACTED, variant="close")
def test_closing_an_xa_connection_closes_its_sessions(case: Case) -> None:
    """After close() the connection, its XA session and the consumer raise IllegalStateException; a second close() works."""
    connection, closed = _calls(case)
    connection.close()
    _, still_open = _calls(case)
    expect.all_raise(api.IllegalStateException, closed, though_work=still_open)
    expect.works("a second close()", connection.close)


@asserts("11.3.2-3", ack=TRANSACTED, variant="exceptions")
def test_an_xa_connection_has_an_exception_listener(case: Case) -> None:
    """The exception listener may be replaced, reads back, and is called when the link is lost."""
    connection = _unopened(case)
    listener = ProblemListener(case)
    connection.exception_listener = ProblemListener(case)
    connection.exception_listener = listener
    expect.true("getExceptionListener() returns it", connection.exception_listener is listener, "another was returned")
    branching_on(case, connection)
    case.needs(api.Hook.SEVER)
    case.provider.sever(connection)
    expect.true("the listener is called when the link is lost", listener.called(), "it was not called")


_CREATE = {"classic": "create_session", "queue": "create_queue_session", "topic": "create_topic_session"}


@asserts("11.3.2-4", ack=("auto",), api=("classic", "domain-specific"))
def test_an_xa_connection_creates_sessions_that_are_not_xa(case: Case) -> None:
    """createSession() and its kin return a session; what its two arguments do is left open, and recorded."""
    connection, watcher = _unopened(case), case.link("auto")
    just(watcher, [watcher.mark()])
    words = ("transacted", "session_mode" if case.api == "classic" else "acknowledge_mode")
    create, seen = getattr(connection, _CREATE["classic" if case.api == "classic" else case.domain]), []
    for arguments in ((False, api.Session.AUTO_ACKNOWLEDGE), (True, api.Session.SESSION_TRANSACTED)):
        asked = f"({str(arguments[0]).lower()}, {arguments[1]})"
        session = expect.works(
            f"creating a session {asked}", partial(create, **dict(zip(words, arguments, strict=True)))
        )
        outcome = [tried(lambda: session.transacted), tried(lambda: session.acknowledge_mode)]
        seen.append(f"{asked}: getTransacted() {outcome[0]}, getAcknowledgeMode() {outcome[1]}")
        session.close()
    expect.record("; ".join(seen))
