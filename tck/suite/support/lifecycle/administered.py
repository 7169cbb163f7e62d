"""Connection factories, as an administrator made them, and connections in the case's interface from any factory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.client import MODES, Client, Login
from tck.suite.support.clients.interfaces import SimplifiedClient
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import body, tried


def factory_of(case: RunningCase) -> Any:
    """Return the provider's factory for the case's interface and domain."""
    if case.api != "domain-specific":
        return case.provider.connection_factory()
    if case.domain == "queue":
        return case.provider.queue_connection_factory()
    return case.provider.topic_connection_factory()


def configured_factory(case: RunningCase, *, xa: bool = False, **parameters: str) -> Any:
    """Let an administrator make a factory, or an XA factory, for the case's interface with parameters such as `client_id`."""
    case.needs(api.Hook.ADMINISTER)
    kind = f"{case.domain}-connection-factory" if case.api == "domain-specific" else "connection-factory"
    made = case.administer("factory", kind=f"xa-{kind}" if xa else kind, **parameters)
    return expect.present("the factory that the administrator made", made)


def connection_from(case: RunningCase, factory: Any, login: Login | None = None, mode: int | None = None) -> Any:
    """Create a connection, or a context in its place, by the overload that has just these arguments."""
    credentials = () if login is None else (login.user, login.password)
    if case.api == "simplified":
        options: dict[str, Any] = {} if login is None else {"user_name": login.user, "password": login.password}
        made = (
            factory.create_context(**options) if mode is None else factory.create_context(session_mode=mode, **options)
        )
    elif case.api == "classic":
        made = factory.create_connection(*credentials)
    elif case.domain == "queue":
        made = factory.create_queue_connection(*credentials)
    else:
        made = factory.create_topic_connection(*credentials)
    case.opened(made)
    return made


def client_on(case: RunningCase, connection: Any, ack: str | None = None) -> Client:
    """Return a client that delivers, with a session on this connection, or with this context."""
    ack = ack or case.ack
    if case.api == "simplified":
        return SimplifiedClient(case, ack, connection)
    client = unstarted(case, ack, connection=connection)
    client.start()
    return client


def untouched(case: RunningCase, factory: Any = None) -> Any:
    """Create a connection or context, by the provider's factory unless one is given; nothing has been called on it yet."""
    return connection_from(
        case, factory or factory_of(case), mode=MODES[case.ack] if case.api == "simplified" else None
    )


def exchanged(case: RunningCase, client: Client, text: str = "exchanged") -> None:
    """Send a message to a fresh destination and receive it, over the same client: the connection works.

    Raises:
        Undecided: no message came within the profile's deadline.
    """
    link = Link(client, case.destination())
    expect.equal("what came over the connection", body(link.carry(link.text(text))), text)
    link.consumer.close()


def logins(case: RunningCase) -> tuple[Login, Login]:
    """Return the credentials of two users whom the provider accepts.

    An administrator makes them known. A provider that has none, and takes any credentials, takes these too.

    Raises:
        NoHook: the provider refuses them, and nobody can make them known.
    """
    one, other = Login("tck-user", "secret-1"), Login("tck-other", "secret-2")
    if api.Hook.ADMINISTER in case.provider.hooks:
        case.administer("users", **{each.user: each.password for each in (one, other)})
    elif tried(lambda: connection_from(case, factory_of(case), one)) == refusal(case):
        case.needs(api.Hook.ADMINISTER)
    return one, other


def refusal(case: RunningCase) -> str:
    """Return the form in which `tried` shows refused credentials."""
    return f"raises {case.thrown(api.JMSSecurityException).__name__}"


def wrong(one: Login, other: Login) -> dict[str, Login]:
    """Return credentials that a provider which knows just these two users must refuse, by what is wrong."""
    return {
        "a wrong password": Login(one.user, "wrong"),
        "the password in capitals": Login(one.user, one.password.upper()),
        "a part of the password": Login(one.user, one.password[:-1]),
        "the password and more": Login(one.user, f"{one.password}1"),
        "an empty password": Login(one.user, ""),
        "the password of another user": Login(one.user, other.password),
        "an unknown user": Login("tck-nobody", one.password),
    }


def bound(case: RunningCase, obj: object, name: str = "") -> str:
    """Bind an administered object in the provider's namespace, under a fresh name unless one is given; return the name."""
    name = name or case.name("b")
    case.provider.bind(name, obj)
    return name


def census(case: RunningCase) -> dict[str, object]:
    """Return what an administrator sees: the destinations, the durable subscriptions, and the number of open connections."""
    case.needs(api.Hook.ADMINISTER)
    return {each: case.administer(each) for each in ("destinations", "subscriptions", "connections")}


def what_exists(case: RunningCase) -> object:
    """Return the destinations and durable subscriptions that an administrator sees; None where there is no administrator."""
    if not case.has(api.Hook.ADMINISTER):
        return None
    return [case.administer(each) for each in ("destinations", "subscriptions")]


@contextlib.contextmanager
def nobody_connects(case: RunningCase) -> Iterator[None]:
    """Let an administrator allow no further connection within the block.

    Raises:
        Undecided: one can still connect.
    """
    case.needs(api.Hook.ADMINISTER)
    case.administer("limit", connections=0)
    try:
        if not str(tried(lambda: untouched(case))).startswith("raises "):
            raise Undecided("the administrator's limit has no effect")
        yield
    finally:
        case.administer("limit", connections=None)
