"""6.1.1 Authentication: credentials are accepted or refused where a connection is created."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import MODES, Client, Login
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.administered import (
    client_on,
    connection_from,
    exchanged,
    factory_of,
    logins,
    wrong,
)

CONNECTIONS = ("classic", "domain-specific")
Calls = dict[str, Callable[[], object]]


def _attempts(case: Case, mode: int | None = None) -> tuple[Calls, Calls]:
    """Return calls that connect with wrong credentials, and as many with right ones, by what is wrong."""
    one, other = logins(case)
    factory = factory_of(case)
    bad = wrong(one, other)
    refused: Calls = {
        f"connecting with {what}": partial(connection_from, case, factory, login, mode) for what, login in bad.items()
    }
    return refused, {what: partial(connection_from, case, factory, one, mode) for what in refused}


@asserts("6.1.1-1", ack=("auto", "transacted"))
def test_valid_credentials_are_accepted(case: Case) -> None:
    """Users connect with their names and passwords, several at once and in turn, after a refusal too, and exchange messages."""
    one, other = logins(case)
    factory = factory_of(case)
    mode = MODES[case.ack] if case.api == "simplified" else None
    with expect.all_of():
        for login in (one, other, one):
            connect = partial(connection_from, case, factory, login, mode)
            connection = expect.works(f"connecting as {login.user}", connect)
            exchanged(case, client_on(case, connection), login.user)
    expect.raises(
        case.thrown(api.JMSSecurityException),
        partial(connection_from, case, factory, Login(one.user, "wrong"), mode),
        what="connecting with a wrong password",
    )
    again = expect.works("connecting after a refusal", partial(connection_from, case, factory, one, mode))
    exchanged(case, client_on(case, again))


def _user(client: Client, receiver: Link) -> object:
    """Send a message, and return the user that the provider names as its sender."""
    Link(client, receiver.destination, consumes=False).send("x")
    return receiver.receive().get_object_property("JMSXUserID")


@asserts("6.1.1-2")
def test_a_client_without_credentials_is_nobody_else(case: Case) -> None:
    """A connection without credentials does not act for a user who has given credentials on another one."""
    case.needs(api.Hook.ADMINISTER)
    one, _ = logins(case)
    receiver = case.link(client=case.client(login=one))
    present = [case.client(login=one)]

    def goes_without() -> None:
        present.append(case.client())

    expect.becomes(
        "whether the user who sends is the one with the credentials",
        lambda: _user(present[-1], receiver) == one.user,
        True,
        False,
        by=goes_without,
    )


@asserts("6.1.1-3", "10.3-15", "10.3-16", api=CONNECTIONS)
def test_wrong_credentials_of_a_connection_are_refused(case: Case) -> None:
    """Connecting with a wrong password or an unknown user raises JMSSecurityException, whatever is wrong."""
    refused, accepted = _attempts(case)
    expect.all_raise(api.JMSSecurityException, refused, though_work=accepted)


@asserts("6.1.1-4", "10.3-17", api=("simplified",))
def test_wrong_credentials_of_a_context_are_refused(case: Case) -> None:
    """Creating a context with wrong credentials raises JMSSecurityRuntimeException, without a mode and with each."""
    with expect.all_of():
        for mode in (None, *MODES.values()):
            refused, accepted = _attempts(case, mode)
            expect.all_raise(api.JMSSecurityRuntimeException, refused, though_work=accepted)
