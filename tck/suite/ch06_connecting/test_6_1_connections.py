"""6.1 Connections: how factories make connections and contexts, of which mode, how many, and for how many threads."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import MODES
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.administered import (
    client_on,
    connection_from,
    exchanged,
    factory_of,
    logins,
    untouched,
    wrong,
)
from tck.suite.support.values.seen import body, tried

ALL = ("auto", "client", "dups_ok", "transacted")
SIMPLIFIED = ("simplified",)
DOMAIN_SPECIFIC = ("domain-specific",)
NOT_TRANSACTED = "raises IllegalStateRuntimeException"


def _described(context: Any) -> list[object]:
    """Return the mode of a context, whether it is transacted, and what commit() does."""
    return [context.session_mode, context.transacted, tried(context.commit)]


def _description(ack: str) -> list[object]:
    return [MODES[ack], ack == "transacted", None if ack == "transacted" else NOT_TRANSACTED]


def _left_behind(case: Case, context: Any, ack: str) -> Link:
    """Receive a message on a context, settle nothing, and close the context; return a consumer for what is left.

    On a topic the message is that of a durable subscription.
    """
    name = case.name("s")
    context.client_id = name
    link = Link(client_on(case, context, ack), case.destination(), durable=name)
    Link(case.client("auto"), link.destination, consumes=False).send("x")
    link.take()
    context.close()
    return case.link("auto", destination=link.destination, durable=name)


@asserts("6.1-1", api=("classic",), ack=("auto", "transacted"))
def test_a_connection_needs_no_credentials(case: Case) -> None:
    """Factory.createConnection() without credentials makes a connection that carries messages, again and again."""
    factory = factory_of(case)
    for number in numbered(3):
        connection = expect.works("createConnection()", partial(connection_from, case, factory))
        exchanged(case, client_on(case, connection), number)


@asserts("6.1-2", api=("classic",), ack=("auto", "transacted"))
def test_a_connection_is_made_for_a_user(case: Case) -> None:
    """Factory.createConnection(user, password) makes a connection that carries messages, for one user and for another."""
    for login in logins(case):
        connect = partial(connection_from, case, factory_of(case), login)
        connection = expect.works(f"createConnection({login.user!r}, password)", connect)
        exchanged(case, client_on(case, connection), login.user)


@asserts("6.1-3", api=SIMPLIFIED)
def test_a_context_without_a_mode_acknowledges_automatically(case: Case) -> None:
    """Both createContext() and createContext(user, password) make contexts in AUTO_ACKNOWLEDGE: what was received is gone."""
    login, _ = logins(case)
    with expect.all_of():
        for what, given in {"createContext()": None, "createContext(user, password)": login}.items():
            context = connection_from(case, factory_of(case), given)
            expect.equal(f"mode, transacted and commit() of {what}", _described(context), _description("auto"))
            expect.only(_left_behind(case, connection_from(case, factory_of(case), given), "auto"), [])


@asserts("6.1-4", api=SIMPLIFIED, ack=ALL)
def test_a_context_has_the_mode_asked_for(case: Case) -> None:
    """Both createContext(mode) and createContext(user, password, mode) make contexts of that mode, and commit() agrees."""
    login, _ = logins(case)
    with expect.all_of():
        for what, given in {"createContext(mode)": None, "createContext(user, password, mode)": login}.items():
            context = connection_from(case, factory_of(case), given, MODES[case.ack])
            expect.equal(f"mode, transacted and commit() of {what}", _described(context), _description(case.ack))
            exchanged(case, client_on(case, context), what)


_COMES_AGAIN = {"auto": [], "client": ["x"], "transacted": ["x"]}
"""What is left of a message that was received and not settled when its context is closed."""


@asserts("6.1-4", api=SIMPLIFIED, ack=("auto", "client", "transacted"), variant="close")
def test_a_context_settles_as_its_mode_says(case: Case) -> None:
    """What a context has received and not settled is redelivered after its close, unless it acknowledges automatically."""
    login, _ = logins(case)
    with expect.all_of():
        for given in (None, login):
            context = connection_from(case, factory_of(case), given, MODES[case.ack])
            expect.only(_left_behind(case, context, case.ack), _COMES_AGAIN[case.ack])


@asserts("6.1-5", api=SIMPLIFIED)
def test_a_context_is_made_for_a_user(case: Case) -> None:
    """The overloads of createContext with credentials work for each user, and for nobody with wrong ones."""
    one, other = logins(case)
    for mode in (None, *MODES.values()):
        connect = partial(connection_from, case, factory_of(case), mode=mode)
        for login in (one, other):
            context = expect.works(f"createContext as {login.user}, mode {mode}", partial(connect, login))
            expect.equal("the mode", context.session_mode, MODES["auto"] if mode is None else mode)
        for what, login in wrong(one, other).items():
            expect.raises(
                api.JMSSecurityRuntimeException,
                partial(connect, login),
                what=f"createContext, mode {mode}, with {what}",
            )


@asserts("6.1-6", domain=("queue",), ack=("auto", "transacted"))
def test_a_queue_connection_is_made_with_credentials_and_without(case: Case) -> None:
    """Both overloads of createQueueConnection make a QueueConnection that carries messages."""
    for login in (None, *logins(case)):
        connect = partial(connection_from, case, factory_of(case), login)
        connection = expect.works(f"createQueueConnection, credentials {login}", connect)
        expect.true(
            "it is a QueueConnection", isinstance(connection, api.QueueConnection), f"it was {type(connection)}"
        )
        exchanged(case, client_on(case, connection))


@asserts("6.1-7", domain=("topic",), ack=("auto", "transacted"))
def test_a_topic_connection_is_made_with_credentials_and_without(case: Case) -> None:
    """Both overloads of createTopicConnection make a TopicConnection that carries messages."""
    for login in (None, *logins(case)):
        connect = partial(connection_from, case, factory_of(case), login)
        connection = expect.works(f"createTopicConnection, credentials {login}", connect)
        expect.true(
            "it is a TopicConnection", isinstance(connection, api.TopicConnection), f"it was {type(connection)}"
        )
        exchanged(case, client_on(case, connection))


@asserts("6.1-10", api=SIMPLIFIED, ack=ALL)
def test_a_sibling_has_the_mode_asked_for(case: Case) -> None:
    """A context made from another one has the mode asked for, whatever the mode of the first, and leaves that as it is."""
    parent = untouched(case)
    with expect.all_of():
        for ack in ALL:
            sibling = parent.create_context(MODES[ack])
            exchanged(case, client_on(case, sibling, ack), ack)
            expect.equal(
                f"mode, transacted and commit() of a sibling for {ack}", _described(sibling), _description(ack)
            )
            further = sibling.create_context(MODES[case.ack])
            expect.equal(f"those of its own sibling for {case.ack}", _described(further), _description(case.ack))
        expect.equal("those of the first context", _described(parent), _description(case.ack))


@asserts("6.1-10", api=SIMPLIFIED, ack=ALL, variant="rollback")
def test_a_sibling_settles_as_its_own_mode_says(case: Case) -> None:
    """What a transacted sibling sends comes with its commit alone, and what one in CLIENT_ACKNOWLEDGE got is redelivered."""
    watcher = case.link("auto")
    parent = client_on(case, untouched(case))
    transacted, client = parent.peer("transacted"), Link(parent.peer("client"), case.destination())
    transacted.sender(watcher.destination).send(transacted.text("rolled back"))
    transacted.rollback()
    transacted.sender(watcher.destination).send(transacted.text("committed"))
    expect.nothing_before(watcher, "marker", lambda: watcher.put("marker"))
    transacted.commit()
    expect.only(watcher, ["committed"])
    client.send("again")
    client.take()
    client.client.recover()
    expect.arrives(client, ["again"])


@asserts("6.1-12", api=DOMAIN_SPECIFIC, ack=("auto", "client", "transacted"))
def test_a_connection_of_one_domain_serves_several_threads(case: Case) -> None:
    """Five threads make sessions on one connection at once; each carries its messages, and outlives the close of the others."""
    client = case.client()
    calls = [case.spawn("creating a session", client.peer) for _ in range(5)]
    peers = [expect.returns(call, "creating a session by a thread") for call in calls]
    links = [Link(peer, case.destination()) for peer in peers]

    def works(link: Link) -> list[object]:
        link.send_all(numbered(5))
        return [body(link.receive()) for _ in range(5)]

    using = [case.spawn("using a session", partial(works, link)) for link in links]
    results = [expect.returns(call, "using a session by a thread") for call in using]
    expect.equal("what came to each session", results, [numbered(5)] * 5)
    for closed, next_one in pairwise(links):
        closed.client.close_session()
        expect.works("using a session after the close of another", partial(exchanged, case, next_one.client))


@asserts("6.1-14", ack=("auto", "transacted"))
def test_a_client_has_several_connections(case: Case) -> None:
    """Four connections of one factory carry messages from each to each; a stop or a close of one leaves the others alone."""
    factory = factory_of(case)
    clients = [client_on(case, connection_from(case, factory, mode=_mode(case))) for _ in range(4)]
    links = [Link(client, case.destination()) for client in clients]
    for number, client in enumerate(clients):
        for link in links:
            Link(client, link.destination, consumes=False).send(f"from {number}")
    for link in links:
        expect.arrives(link, [f"from {number}" for number in range(4)])
    clients[0].stop()
    clients[1].close()
    links[2].send("after a stop and a close")
    expect.arrives(links[2], ["after a stop and a close"])
    Link(clients[3], links[2].destination, consumes=False).send("from another")
    expect.only(links[2], ["from another"])


def _mode(case: Case) -> int | None:
    return MODES[case.ack] if case.api == "simplified" else None


@asserts("6.1-15")
def test_authentication_is_at_the_creation(case: Case) -> None:
    """With wrong credentials the creating call itself fails, and nothing is left of it: others still connect and go on."""
    one, other = logins(case)
    beside = client_on(case, untouched(case))
    connect = partial(connection_from, case, factory_of(case))
    exchanged(case, client_on(case, connect(one)))
    family: type[Exception] = api.JMSRuntimeException if case.api == "simplified" else api.JMSException
    for what, bad in wrong(one, other).items():
        expect.raises(family, partial(connect, bad), what=f"connecting with {what}")
    exchanged(case, beside)
    exchanged(case, client_on(case, connect(other)))
