"""6.1.2 Setting a client identifier: when it may be set, by whom, and with which values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import publisher
from tck.suite.support.lifecycle.administered import (
    client_on,
    configured_factory,
    connection_from,
    exchanged,
    untouched,
)
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")
CONNECTIONS = ("classic", "domain-specific")
SIMPLIFIED = ("simplified",)

Act = Callable[[Case, Any], object]
"""Something done with a connection or context before its identifier is set."""


class _Silent(api.ExceptionListener):
    def on_exception(self, exception: Exception) -> None:
        del exception


def _name(connection: Any, client_id: str) -> None:
    connection.client_id = client_id


def _late(case: Case, acts: Mapping[str, Act]) -> None:
    """Demand that setting the identifier raises IllegalStateException after each act, and works before."""
    fresh: dict[str, Callable[[], object]] = {}
    late: dict[str, Callable[[], object]] = {}
    for what, act in acts.items():
        call = f"setClientID() after {what}"
        fresh[call] = partial(_name, untouched(case), case.name("c"))
        used = untouched(case)
        act(case, used)
        late[call] = partial(_name, used, case.name("c"))
    expect.all_raise(case.thrown(api.IllegalStateException), late, though_work=fresh)


def _open(mode: str) -> Act:
    return lambda case, connection: unstarted(case, mode, connection=connection)


def _open_and_close(case: Case, connection: Any) -> None:
    unstarted(case, connection=connection).close_session()


def _start_and_stop(_: Case, connection: Any) -> None:
    connection.start()
    connection.stop()


def _listen(_: Case, connection: Any) -> None:
    connection.exception_listener = _Silent()


def _consume_in_silence(case: Case, context: Any) -> None:
    context.auto_start = False
    context.create_consumer(case.destination())


_ON_CONTEXTS: Mapping[str, Act] = {
    "createProducer": lambda _, context: context.create_producer(),
    "createConsumer": lambda case, context: context.create_consumer(case.destination()),
    "createConsumer without auto-start": _consume_in_silence,
    "createBrowser": lambda case, context: context.create_browser(case.queue()),
    "createContext": lambda _, context: context.create_context(api.Session.AUTO_ACKNOWLEDGE),
    "createTemporaryQueue": lambda _, context: context.create_temporary_queue(),
    "start": lambda _, context: context.start(),
    "stop": lambda _, context: context.stop(),
    "start and stop": _start_and_stop,
    "getMetaData": lambda _, context: context.meta_data,
    "setExceptionListener": _listen,
}


@asserts("6.1.2-2", api=CONNECTIONS)
def test_a_connection_takes_an_identifier(case: Case) -> None:
    """A fresh connection takes an identifier, and has it at once, with a session, started, and stopped again."""
    connection, name = untouched(case), case.name("c")
    expect.works("setClientID() first of all", partial(_name, connection, name))
    seen = [connection.client_id]
    client = client_on(case, connection)
    exchanged(case, client)
    seen.append(connection.client_id)
    client.stop()
    client.close_session()
    seen.append(connection.client_id)
    expect.equal("getClientID() at once, started with a session, and stopped without", seen, [name] * 3)


@asserts("6.1.2-3", api=SIMPLIFIED, ack=MODES)
def test_a_context_takes_an_identifier(case: Case) -> None:
    """A fresh context of any mode takes an identifier, which its siblings have too."""
    context, name = untouched(case), case.name("c")
    expect.works("setClientID() first of all", partial(_name, context, name))
    seen = [context.client_id]
    client = client_on(case, context)
    exchanged(case, client)
    sibling = client.peer()
    seen += [context.client_id, sibling.connection.client_id]
    expect.equal("getClientID() at once, with a consumer, and of a sibling", seen, [name] * 3)


@asserts("6.1.2-5", ack=("auto", "transacted"))
def test_an_identifier_set_first_hinders_nothing(case: Case) -> None:
    """A connection whose identifier was set first of all is used as any other; its identifier stays."""
    connection, name = untouched(case), case.name("c")
    expect.works("setClientID() first of all", partial(_name, connection, name))
    link = Link(client_on(case, connection), case.destination())
    link.send("x")
    expect.arrives(link, ["x"])
    expect.equal("getClientID() in the end", connection.client_id, name)


@asserts("6.1.2-5", domain=("topic",), variant="durable")
def test_the_identifier_set_first_names_durable_subscriptions(case: Case) -> None:
    """A durable subscription belongs to the identifier that was set first of all: who sets it again gets the messages."""
    topic, name = case.topic(), case.name("c")
    first = untouched(case)
    _name(first, name)
    client_on(case, first).durable(topic, "s")
    first.close()
    publisher(case, topic).send("x")
    second, other = untouched(case), untouched(case)
    _name(second, name)
    _name(other, case.name("c"))
    links = [Link(client_on(case, each), topic, consumes=False) for each in (second, other)]
    for link in links:
        link.use(link.client.durable(topic, "s"))
    expect.only(links[1], [])
    expect.arrives(links[0], ["x"])


@asserts("6.1.2-6", api=CONNECTIONS)
def test_an_identifier_cannot_follow_a_session(case: Case) -> None:
    """Once the connection has or had a session, of any mode, setClientID raises IllegalStateException."""
    acts: dict[str, Act] = {f"creating a session ({mode})": _open(mode) for mode in MODES}
    _late(case, acts | {"creating and closing a session": _open_and_close})


@asserts("6.1.2-7", api=CONNECTIONS)
def test_an_identifier_cannot_follow_start(case: Case) -> None:
    """Once the connection was started, setClientID raises IllegalStateException, also after stop()."""
    _late(case, {"start": lambda _, connection: connection.start(), "start and stop": _start_and_stop})


@asserts("6.1.2-8", api=CONNECTIONS)
def test_an_identifier_cannot_follow_other_calls(case: Case) -> None:
    """After getMetaData, setExceptionListener or stop, setClientID raises IllegalStateException."""
    _late(
        case,
        {
            "getMetaData": lambda _, connection: connection.meta_data,
            "setExceptionListener": _listen,
            "stop": lambda _, connection: connection.stop(),
        },
    )


@asserts("6.1.2-10", api=SIMPLIFIED, ack=("auto", "transacted"))
def test_an_identifier_cannot_follow_the_use_of_a_context(case: Case) -> None:
    """Once a context was used in any way, setClientID raises IllegalStateRuntimeException."""
    _late(case, _ON_CONTEXTS)


@asserts("6.1.2-9")
def test_an_identifier_cannot_be_set_twice(case: Case) -> None:
    """A second setClientID raises IllegalStateException, however often it is tried, and the first identifier stays."""
    connection, name = untouched(case), case.name("c")
    _name(connection, name)
    for attempt in ("a second", "a third"):
        expect.raises(
            case.thrown(api.IllegalStateException),
            partial(_name, connection, case.name("c")),
            what=f"{attempt} setClientID()",
            though_works=partial(_name, untouched(case), case.name("c")),
        )
    expect.equal("getClientID() in the end", connection.client_id, name)


@asserts("6.1.2-1")
def test_a_configured_identifier_is_given_to_every_connection(case: Case) -> None:
    """Each connection of a factory with an identifier has it at once, one after the other; another factory has its own."""
    names = [case.name("c"), case.name("c")]
    factories = [configured_factory(case, client_id=name) for name in names]
    seen = []
    for _ in range(2):
        connections = [connection_from(case, factory) for factory in factories]
        seen.append([connection.client_id for connection in connections])
        clients = [client_on(case, connection) for connection in connections]
        exchanged(case, clients[0])
        seen.append([client.connection.client_id for client in clients])
        for connection in connections:
            connection.close()
    expect.equal("getClientID() of two factories, at once and in use, twice", seen, [names] * 4)


def _failing_creations(case: Case, factory: Any) -> dict[str, Callable[[], object]]:
    """Return uses of a factory that fail, or are ended at once, by what they are; each leaves nothing open."""
    if case.api == "simplified":
        return {
            "a context with an unknown mode": lambda: factory.create_context(session_mode=77).close(),
            "a context with mode -1": lambda: factory.create_context(session_mode=-1).close(),
            "a context that is closed at once": lambda: factory.create_context().close(),
        }
    return {
        "a session with an unknown mode": lambda: _ended(
            connection_from(case, factory), partial(_session_of, case, 77)
        ),
        "a second identifier": lambda: _ended(connection_from(case, factory), lambda one: _name(one, case.name("c"))),
        "a connection that is closed at once": lambda: connection_from(case, factory).close(),
    }


def _session_of(case: Case, mode: int, connection: Any) -> object:
    if case.api == "classic":
        return connection.create_session(False, mode)
    return (connection.create_queue_session if case.domain == "queue" else connection.create_topic_session)(False, mode)


def _ended(connection: Any, use: Callable[[Any], object]) -> None:
    """Use a connection, which may fail, and close it."""
    tried(partial(use, connection))
    connection.close()


@asserts("6.1.2-1", variant="after-failures")
def test_a_configured_identifier_is_given_after_failures(case: Case) -> None:
    """The next connection of a factory with an identifier has it though one before failed, or was closed at once."""
    name = case.name("c")
    factory = configured_factory(case, client_id=name)
    with expect.all_of():
        for what, create in _failing_creations(case, factory).items():
            for _ in range(2):
                tried(create)
            connection = expect.works(f"connecting after {what}", partial(connection_from, case, factory))
            expect.equal(f"getClientID() after {what}", connection.client_id, name)
            exchanged(case, client_on(case, connection))
            connection.close()


@asserts("6.1.2-1", domain=("topic",), variant="durable")
def test_a_configured_identifier_names_durable_subscriptions(case: Case) -> None:
    """Connections of a factory with an identifier resume its durable subscriptions without setting anything."""
    factory, topic = configured_factory(case, client_id=case.name("c")), case.topic()
    first = client_on(case, connection_from(case, factory))
    first.durable(topic, "s")
    first.close()
    publisher(case, topic).send("x")
    link = Link(client_on(case, connection_from(case, factory)), topic, consumes=False)
    link.use(link.client.durable(topic, "s"))
    expect.arrives(link, ["x"])


@asserts("6.1.2-4")
def test_a_configured_identifier_cannot_be_replaced(case: Case) -> None:
    """Where the factory has an identifier, setClientID raises IllegalStateException, and the configured one stays."""
    name = case.name("c")
    connection = connection_from(case, configured_factory(case, client_id=name))
    for attempt in ("the first", "a second"):
        expect.raises(
            case.thrown(api.IllegalStateException),
            partial(_name, connection, case.name("c")),
            what=f"{attempt} setClientID()",
            though_works=partial(_name, untouched(case), case.name("c")),
        )
    expect.equal("getClientID() afterwards", connection.client_id, name)
    client_on(case, connection)
    expect.equal("getClientID() of the connection in use", connection.client_id, name)


@asserts("6.1.2-16", "10.3-19", "10.3-20")
def test_an_identifier_is_accepted_or_refused_as_invalid(case: Case) -> None:
    """Odd identifiers are accepted, or refused with InvalidClientIDException and nothing else; a plain one is accepted."""
    values = {"empty": "", "a blank": " ", "spaces": "a b ", "very long": "x" * 10_000, "other letters": "\u00fc\u4e2d"}
    values |= {"marks": "a/b:c*d>e#f,g?h=i&j'k\"l\\m", "a control character": "a\tb\n", "plain": case.name("c")}
    refused = f"raises {case.thrown(api.InvalidClientIDException).__name__}"
    endings: dict[str, object] = {}
    for what, value in values.items():
        connection = untouched(case)
        endings[what] = tried(partial(_name, connection, value)) or "accepted"
        connection.close()
    plain = untouched(case)
    _name(plain, values["plain"])
    exchanged(case, client_on(case, plain))
    permitted = {what: refused if ending == refused else "accepted" for what, ending in endings.items()}
    expect.equal("what setClientID() did", endings, permitted | {"plain": "accepted"})
    expect.record(f"refused: {', '.join(what for what in values if endings[what] == refused) or 'none'}")
