"""5.3 Connection factories: their types, their parameters, and their use by several threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Login
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.administered import (
    bound,
    client_on,
    configured_factory,
    connection_from,
    exchanged,
    factory_of,
    logins,
    refusal,
    wrong,
)
from tck.suite.support.values.seen import body, tried


def _makes(case: Case, factory_type: type, connection_type: type) -> None:
    """Demand the types of the provider's factory and of its connections, with credentials, without, and after a close."""
    factory = factory_of(case)
    expect.true(
        f"it is a {factory_type.__name__}", isinstance(factory, factory_type), f"it was a {type(factory).__name__}"
    )
    for login in (None, *logins(case), None):
        connection = expect.works("creating a connection", partial(connection_from, case, factory, login))
        expect.true(
            f"what it makes is a {connection_type.__name__}",
            isinstance(connection, connection_type),
            f"it was a {type(connection).__name__}",
        )
        exchanged(case, client_on(case, connection))
        connection.close()


@asserts("5.3-1")
def test_connections_have_the_parameters_of_their_factory(case: Case) -> None:
    """Each of three factories gives its connections the client identifier it was configured with, without other calls."""
    names = [case.name("c") for _ in range(3)]
    factories = [configured_factory(case, client_id=name) for name in names]
    connections = [connection_from(case, factory) for factory in reversed(factories)]
    expect.equal("getClientID(), the last factory first", [each.client_id for each in connections], names[::-1])
    for connection in connections:
        exchanged(case, client_on(case, connection))


@asserts("5.3-1", variant="user")
def test_connections_have_the_user_of_their_factory(case: Case) -> None:
    """A factory that is configured with credentials connects with them: with right ones, and not with wrong ones."""
    case.needs(api.Hook.AUTHENTICATION)
    right, _ = logins(case)
    unknown = Login(right.user, "wrong")
    good, bad = (configured_factory(case, user_name=each.user, password=each.password) for each in (right, unknown))
    exchanged(case, client_on(case, connection_from(case, good)))
    expect.raises(
        case.thrown(api.JMSSecurityException),
        partial(connection_from, case, bad),
        what="connecting by a factory with a wrong password",
    )
    given = expect.works("connecting by it with right credentials", partial(connection_from, case, bad, right))
    exchanged(case, client_on(case, given))


@asserts("5.3-1", variant="credentials")
def test_credentials_do_not_displace_the_parameters(case: Case) -> None:
    """A factory that is configured with a client identifier gives it to connections that bring a user and a password too."""
    case.needs(api.Hook.AUTHENTICATION)
    right, other = logins(case)
    for login in (right, other, right):
        name = case.name("c")
        connection = connection_from(case, configured_factory(case, client_id=name), login)
        expect.equal(f"getClientID() of a connection of {login.user}", connection.client_id, name)
        exchanged(case, client_on(case, connection))


@asserts("5.3-1", variant="user-of-one-call")
def test_credentials_of_one_call_are_not_those_of_the_next(case: Case) -> None:
    """A factory connects with its configured credentials, right or wrong, though calls before brought others, right or wrong."""
    case.needs(api.Hook.AUTHENTICATION)
    right, other = logins(case)
    unlike = {"right": right, "another user's": other, **wrong(right, other)}
    refused = refusal(case)
    seen, wanted = {}, {}
    for configured in (right, Login(right.user, "wrong")):
        factory = configured_factory(case, user_name=configured.user, password=configured.password)
        for what, login in unlike.items():
            given = tried(lambda: connection_from(case, factory, login).close())
            plain = tried(lambda: connection_from(case, factory).close())
            seen[f"{configured.password}, after {what}"] = given, plain
            accepted = None if login in (right, other) else refused
            wanted[f"{configured.password}, after {what}"] = accepted, None if configured == right else refused
    expect.equal("the calls with and without credentials, by the password that is configured", seen, wanted)


@asserts("5.3-1", variant="after-failures")
def test_a_factory_keeps_its_parameters_when_calls_fail(case: Case) -> None:
    """A factory gives its client identifier to the next connection though one was refused, closed, or set up wrongly before."""
    case.needs(api.Hook.AUTHENTICATION)
    right, other = logins(case)
    name = case.name("c")
    factory = configured_factory(case, client_id=name)
    for login in (None, right, *wrong(right, other).values(), None, other):
        tried(lambda: connection_from(case, factory, login).close())
        connection = expect.works("connecting afterwards", partial(connection_from, case, factory))
        expect.equal("getClientID() of the next connection", connection.client_id, name)
        connection.close()


def _of_each_kind(case: Case, client_id: str) -> dict[str, Callable[[], Any]]:
    """Return calls that create a connection or context by a looked-up factory of each kind, configured with an identifier."""
    common = [
        f"create_{made}" for made, part in (("connection", "classic"), ("context", "simplified")) if case.offers(part)
    ]
    kinds = {"connection-factory": common} if common else {}
    kinds |= {f"{domain}-connection-factory": [f"create_{domain}_connection"] for domain in ("queue", "topic")}
    calls: dict[str, Callable[[], Any]] = {}
    for kind, methods in kinds.items():
        made = expect.present(f"a {kind}", case.administer("factory", kind=kind, client_id=client_id))
        found = expect.present(f"a {kind} that was looked up", case.provider.lookup(bound(case, made)))
        calls |= {f"{method}() of a {kind}": getattr(found, method) for method in methods}
    return calls


@asserts("5.3-1", "5.1-14", variant="looked-up")
def test_a_looked_up_factory_has_its_parameters(case: Case) -> None:
    """Factories of every kind that were bound and looked up give their connections the identifier, time after time."""
    case.needs(api.Hook.ADMINISTER)
    client_id = case.name("c")
    calls = _of_each_kind(case, client_id)
    seen: dict[str, list[object]] = {what: [] for what in calls}
    for _ in range(2):
        for what, create in calls.items():
            connection = expect.works(what, create)
            case.opened(connection)
            seen[what].append(connection.client_id)
            connection.close()
    expect.equal("getClientID() of two connections of each", seen, {what: [client_id] * 2 for what in calls})


@asserts("5.3-2", ack=("auto", "transacted"))
def test_a_connection_comes_from_a_connection_factory(case: Case) -> None:
    """The provider's factory is a ConnectionFactory, and makes Connections that work, one after the other."""
    _makes(case, api.ConnectionFactory, api.Connection)


@asserts("5.3-4", ack=("auto", "transacted"))
def test_a_queue_connection_comes_from_a_queue_connection_factory(case: Case) -> None:
    """The provider's factory for queues is a QueueConnectionFactory, and makes QueueConnections that work."""
    _makes(case, api.QueueConnectionFactory, api.QueueConnection)


@asserts("5.3-5", ack=("auto", "transacted"))
def test_a_topic_connection_comes_from_a_topic_connection_factory(case: Case) -> None:
    """The provider's factory for topics is a TopicConnectionFactory, and makes TopicConnections that work."""
    _makes(case, api.TopicConnectionFactory, api.TopicConnection)


@asserts("5.3-7")
def test_a_factory_of_one_domain_serves_several_threads(case: Case) -> None:
    """Five threads connect by one factory at once; each connection works, and outlives the close of the others."""
    factory = factory_of(case)
    calls = [case.spawn("connecting", partial(connection_from, case, factory)) for _ in range(5)]
    connections = [expect.returns(call, "connecting by a thread") for call in calls]
    clients = [client_on(case, connection) for connection in connections]
    links = [Link(client, case.destination()) for client in clients]
    using = [case.spawn("using a connection", partial(_carried, link)) for link in links]
    seen = [expect.returns(call, "using a connection by a thread") for call in using]
    expect.equal("what came over each connection", seen, [numbered(5)] * 5)
    for closed, next_one in pairwise(clients):
        closed.close()
        expect.works("using a connection after the close of another", partial(exchanged, case, next_one))


def _carried(link: Link) -> list[object]:
    """Send five messages and receive them."""
    return [body(link.carry(link.text(text))) for text in numbered(5)]
