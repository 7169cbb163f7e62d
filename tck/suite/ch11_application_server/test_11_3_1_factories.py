"""11.3.1 XA connection factories: the connections and contexts that they create, credentials, and lookup."""

from __future__ import annotations

from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching_on, xa_connection_from, xa_factory_of
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.administered import (
    bound,
    configured_factory,
    connection_from,
    factory_of,
    logins,
    wrong,
)
from tck.suite.support.values.seen import tried
from tck.suite.support.xa.manager import branch, in_two_phases
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)


def _branches_on(watcher: Link, connection: Any, text: str = "in a branch") -> None:
    """Demand that a connection makes an XA session whose work a branch commits."""
    side: Branching = expect.works("opening an XA session", partial(branching_on, watcher.case, connection))
    with branch(side) as xid:
        side.send(watcher.destination, text)
    in_two_phases(side.resource, xid)
    just(watcher, [text])


def _created(case: Case, kind: type) -> None:
    """Demand XA connections of a type, one after the other, while others are open and after others were closed."""
    factory, watcher = xa_factory_of(case), case.link("auto")
    with expect.all_of():
        made = [expect.works("the create method", partial(xa_connection_from, case, factory)) for _ in range(2)]
        made.pop().close()
        made.append(expect.works("the create method", partial(xa_connection_from, case, factory)))
        for each in made:
            expect.true(f"the factory creates an {kind.__name__}", isinstance(each, kind), f"it created {each!r}")
            _branches_on(watcher, each)


@asserts("11.3.1-1", ack=TRANSACTED)
def test_a_factory_creates_xa_connections(case: Case) -> None:
    """createXAConnection() returns an XAConnection whose sessions take part in branches, each time that it is called."""
    _created(case, api.XAConnection)


@asserts("11.3.1-2", ack=TRANSACTED)
def test_a_factory_creates_xa_contexts(case: Case) -> None:
    """createXAContext() returns an XAJMSContext that takes part in branches, each time that it is called."""
    _created(case, api.XAJMSContext)


@asserts("11.3.1-3", ack=TRANSACTED)
def test_the_domain_specific_factories_create_connections_of_their_domain(case: Case) -> None:
    """createXAQueueConnection() and createXATopicConnection() return connections whose sessions take part in branches."""
    _created(case, api.XAQueueConnection if case.domain == "queue" else api.XATopicConnection)


@asserts("11.3.1-4", ack=TRANSACTED)
def test_an_xa_factory_takes_the_credentials_that_an_ordinary_one_takes(case: Case) -> None:
    """The default identity, where an ordinary factory takes it, and two users with their passwords connect, in turn."""
    factory, ordinary, watcher = xa_factory_of(case), factory_of(case), case.link("auto")
    defaults = [None] if not isinstance(tried(partial(connection_from, case, ordinary)), str) else []
    with expect.all_of():
        for _ in defaults:
            made = expect.works("connecting without credentials", partial(xa_connection_from, case, factory))
            _branches_on(watcher, made, "of the default user")
        one, other = logins(case)
        for login in (one, other, one):
            connect = partial(xa_connection_from, case, factory, login)
            _branches_on(watcher, expect.works(f"connecting as {login.user}", connect), login.user)


@asserts("11.3.1-5", ack=TRANSACTED)
def test_an_xa_factory_refuses_wrong_credentials(case: Case) -> None:
    """Wrong passwords and unknown users are refused by the create method with JMSSecurityException, of the interface's form."""
    one, other = logins(case)
    factory = xa_factory_of(case)
    bad = wrong(one, other)
    calls = {what: partial(xa_connection_from, case, factory, login) for what, login in bad.items()}
    right = {what: partial(xa_connection_from, case, factory, one) for what in bad}
    expect.all_raise(case.thrown(api.JMSSecurityException), calls, though_work=right)


@asserts("11.3.1-5", ack=TRANSACTED, variant="administered")
def test_an_xa_factory_with_wrong_credentials_is_refused(case: Case) -> None:
    """XA factories that are configured with wrong credentials are refused without further ones; with right ones they connect."""
    case.needs(api.Hook.AUTHENTICATION)
    one, other = logins(case)
    bad = wrong(one, other)
    configured = partial(configured_factory, case, xa=True)
    factories = {what: configured(user_name=each.user, password=each.password) for what, each in bad.items()}
    good = configured(user_name=one.user, password=one.password)
    calls = {what: partial(xa_connection_from, case, each) for what, each in factories.items()}
    right = {what: partial(xa_connection_from, case, good) for what in bad}
    expect.all_raise(case.thrown(api.JMSSecurityException), calls, though_work=right)


@asserts("11.3.1-6", ack=TRANSACTED)
def test_an_xa_factory_is_looked_up(case: Case) -> None:
    """An XA factory is bound and looked up, twice, beside an ordinary one; connections of each lookup take part in branches."""
    case.presumes("jndi")
    name = expect.works("binding an XA factory", partial(bound, case, xa_factory_of(case)))
    bound(case, factory_of(case))
    watcher = case.link("auto")
    with expect.all_of():
        for _ in range(2):
            factory = expect.works("looking up an XA factory", partial(case.provider.lookup, name))
            made = expect.works("connecting by the factory", partial(xa_connection_from, case, factory))
            _branches_on(watcher, made)
