"""6.2 Sessions: their modes, and what they create."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import MODES, Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import connection_of
from tck.suite.support.clients.subscriptions import SubscriptionKind, publisher, subscription, working_kinds
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")
Make = Callable[[Any], Any]
"""Makes a session on a connection."""


def _by_overload(case: Case, make: Make) -> tuple[Client, str]:
    """Make a session on a connection of its own, in the case's mode by its behaviour; return it started, with its identifier."""
    connection = connection_of(case)
    name = case.name("s")
    connection.client_id = name
    session = make(connection)
    connection.start()
    if case.api == "domain-specific":
        return DomainClient(case, case.ack, case.domain, connection, session), name
    return ClassicClient(case, case.ack, connection, session), name


def _settles_as(case: Case, client: Client, name: str) -> None:
    """Demand that a session settles as the case's mode does: a batch is returned and settled, and then its client is closed."""
    link = case.link(client=client, destination=case.destination(), durable=name)
    _send_as(case, link)
    if case.ack in {"client", "transacted"}:
        came = expect.arrives(link, ["one", "two"], settle=False)
        _ignored(case, came)
        client.return_all()
    expect.arrives(link, ["one", "two"])
    client.close()
    again = reconnected(case, link.destination, durable=name)
    expect.only(again, [])


def _ignored(case: Case, messages: Sequence[api.Message]) -> None:
    """Acknowledge messages of a transacted session, which is without effect there, whatever its acknowledge mode was to be."""
    for message in messages if case.ack == "transacted" else ():
        expect.works("acknowledge() in a transaction", message.acknowledge)


def _send_as(case: Case, link: Link) -> None:
    if case.ack == "transacted":
        link.put("rolled back")
        expect.works("rollback()", link.client.rollback)
    link.send_all(("one", "two"))


@asserts("6.2-1")
def test_a_session_is_automatic_by_default(case: Case) -> None:
    """createSession() makes a session that is not transacted, in AUTO_ACKNOWLEDGE, and acknowledges by itself."""
    client, name = _by_overload(case, lambda connection: connection.create_session())
    mode, transacted = client.session.acknowledge_mode, client.session.transacted
    _settles_as(case, client, name)
    expect.equal("getAcknowledgeMode()", mode, api.Session.AUTO_ACKNOWLEDGE)
    expect.equal("getTransacted()", transacted, False)


@asserts("6.2-2", ack=ALL)
def test_a_session_has_the_mode_asked_for(case: Case) -> None:
    """createSession(int) makes a session that has the mode, by its getters and by what it does."""
    client, name = _by_overload(case, lambda connection: connection.create_session(session_mode=MODES[case.ack]))
    mode = client.session.acknowledge_mode
    _settles_as(case, client, name)
    expect.equal("getAcknowledgeMode()", mode, MODES[case.ack])


def _two_arguments(case: Case) -> list[tuple[bool, int]]:
    """Return the arguments by which a session of the case's mode is made: a transacted one with any acknowledge mode."""
    if case.ack != "transacted":
        return [(False, MODES[case.ack])]
    return [(True, mode) for mode in (MODES["auto"], MODES["client"], MODES["dups_ok"], MODES["transacted"])]


@asserts("6.2-3", ack=ALL)
def test_a_session_has_the_mode_of_two_arguments(case: Case) -> None:
    """createSession(boolean, int) makes a transacted session whatever the mode, and otherwise one of the mode."""
    for transacted, mode in _two_arguments(case):
        client, name = _by_overload(case, partial(_classic, transacted, mode))
        seen = client.session.acknowledge_mode
        _settles_as(case, client, name)
        expect.equal("getAcknowledgeMode()", seen, MODES[case.ack])


def _classic(transacted: bool, mode: int, connection: Any) -> Any:
    return connection.create_session(transacted=transacted, session_mode=mode)


def _domain(transacted: bool, mode: int, connection: Any) -> Any:
    if isinstance(connection, api.QueueConnection):
        return connection.create_queue_session(transacted, mode)
    return connection.create_topic_session(transacted, mode)


@asserts("6.2-4", "9.2-16", "9.2-17", ack=ALL)
def test_a_session_of_one_domain_has_the_mode_asked_for(case: Case) -> None:
    """createQueueSession() and createTopicSession() make a transacted session, or one of the acknowledge mode, as asked."""
    for transacted, mode in _two_arguments(case)[:3]:
        client, name = _by_overload(case, partial(_domain, transacted, mode))
        seen = client.session.transacted
        _settles_as(case, client, name)
        expect.equal("getTransacted()", seen, transacted)


def _creations(case: Case, mode: int) -> Mapping[str, Callable[[], object]]:
    """Return the calls that make a session or context of a mode, by their signatures."""
    if case.api == "simplified":
        factory, context = case.provider.connection_factory(), case.client("auto").session
        return {
            "createContext(int) of a factory": lambda: _kept(case, factory.create_context(session_mode=mode)),
            "createContext(int) of a context": lambda: _kept(case, context.create_context(mode)),
        }
    connection: Any = connection_of(case)
    if case.api == "domain-specific":
        return {"create...Session(false, int)": lambda: _domain(False, mode, connection)}
    calls = {"createSession(false, int)": lambda: _classic(False, mode, connection)}
    if case.offers("simplified"):
        calls["createSession(int)"] = lambda: connection.create_session(session_mode=mode)
    return calls


def _kept(case: Case, context: api.JMSContext) -> object:
    """Use the context: it may make its session only then, and refuse the mode there."""
    case.opened(context)
    context.create_consumer(case.destination()).close()
    return context


@asserts("6.2-5")
def test_an_unknown_mode_is_refused(case: Case) -> None:
    """A session or context of a mode that does not exist is refused with JMSException in its form."""
    good = _creations(case, MODES["client"])
    with expect.all_of():
        for mode in (99, -1):  # providers have modes of their own, from 4 on
            expect.all_raise(case.thrown(api.JMSException), _creations(case, mode), though_work=good)


def _transacted_by_creation(case: Case) -> dict[str, object]:
    """Read getTransacted of sessions made in every way in the case's mode."""
    mode = MODES[case.ack]
    client = case.client()
    seen = {"a first session": client.session.transacted, "a second session": client.peer().session.transacted}
    if case.api == "classic" and case.offers("simplified"):
        seen["createSession(int)"] = client.connection.create_session(session_mode=mode).transacted
    return seen


@asserts("6.2-7", ack=ALL)
def test_get_transacted_is_true_of_transacted_sessions_only(case: Case) -> None:
    """getTransacted() is true of a transacted session, however it was made, and false of all others."""
    expect.equal("getTransacted() of a transacted session", case.client("transacted").session.transacted, True)
    seen = _transacted_by_creation(case)
    expect.equal("getTransacted()", seen, dict.fromkeys(seen, case.ack == "transacted"))


def _modes(sessions: list[Any]) -> list[object]:
    return [session.acknowledge_mode for session in sessions]


@asserts("6.2-8", ack=ALL)
def test_the_acknowledge_mode_is_that_of_the_creation(case: Case) -> None:
    """getAcknowledgeMode() returns the mode, and SESSION_TRANSACTED for a transacted session however it was made."""
    connection: Any = connection_of(case)
    make = _domain if case.api == "domain-specific" else _classic
    made = [make(transacted, mode, connection) for transacted, mode in _two_arguments(case)]
    made.append(make(False, MODES["auto"], connection))
    wanted = [*[MODES[case.ack]] * (len(made) - 1), MODES["auto"]]
    expect.equal("getAcknowledgeMode(), of an automatic session at last", _modes(made), wanted)


@asserts("6.2-9", ack=ALL)
def test_the_session_mode_is_that_of_the_creation(case: Case) -> None:
    """getSessionMode() returns the mode of the context, made by a factory or by a context; AUTO_ACKNOWLEDGE without one."""
    factory, mode = case.provider.connection_factory(), MODES[case.ack]
    default = factory.create_context()
    chosen = factory.create_context(session_mode=mode)
    sibling = default.create_context(mode)
    for context in (default, chosen, sibling):
        case.opened(context)
    seen = [context.session_mode for context in (default, chosen, sibling)]
    expect.equal("getSessionMode()", seen, [MODES["auto"], mode, mode])


@asserts("6.2-10", ack=ALL)
def test_a_session_creates_browsers(case: Case) -> None:
    """createBrowser() of a session of any mode returns a browser that shows the messages of a queue, with and without a selector."""
    link = case.link(consumes=False)
    for text in ("a", "b"):
        message = link.text(text)
        message.jms_type = text
        link.send(message)
    expect.equal("what the browser shows", link.client.browse_until(link.destination, 2), ["a", "b"])
    chosen = link.client.browse_messages(link.destination, "JMSType = 'b'")
    expect.equal("what a browser with a selector shows", [body(message) for message in chosen], ["b"])


def _durable_kinds(case: Case) -> list[SubscriptionKind]:
    """Return the kinds of durable subscription that the provider opens; to refuse one breaks its own rows."""
    client = case.client("auto", client_id=case.name("c"))
    return [kind for kind in working_kinds(case, client) if kind in {"durable", "shared durable"}]


@asserts("6.2-11", ack=ALL)
def test_a_session_deletes_subscriptions(case: Case) -> None:
    """unsubscribe() of a session of any mode deletes a durable subscription: made anew, it has no earlier message."""
    for kind in _durable_kinds(case):
        described = subscription(case, kind, client_id=case.name("c"))
        link = described.open()
        link.send("received")
        expect.arrives(link, ["received"])
        link.consumer.close()
        publisher(case, described.topic).send_all(numbered(3))
        expect.works(f"unsubscribe, {kind}", partial(link.client.session.unsubscribe, described.name))
        expect.only(described.open(client=link.client), [])
        link.client.close()


@asserts("6.2.1-1", ack=ALL)
def test_a_session_serves_several_producers_and_consumers(case: Case) -> None:
    """Three producers and three consumers of one session on three destinations carry each message to its consumer."""
    client = case.client()
    links = [case.link(client=client) for _ in range(3)]
    anywhere = client.sender()
    for text in numbered(3):
        for link in links:
            link.send(f"{text} of {links.index(link)}")
    for link in links:
        anywhere.send(client.text(f"004 of {links.index(link)}"), to=link.destination)
    client.settle()
    for link in reversed(links):
        expect.arrives(link, [f"{text} of {links.index(link)}" for text in numbered(4)[:2]], settle=False)
    for link in links:
        expect.only(link, [f"{text} of {links.index(link)}" for text in numbered(4)[2:]])
