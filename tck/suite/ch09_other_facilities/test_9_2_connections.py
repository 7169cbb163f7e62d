"""9.2 Connections of one domain: created stopped, with credentials, and without connection consumers of the other domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client, Login
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.members import every_call
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.lifecycle.administered import client_on, connection_from, exchanged, factory_of, logins, wrong
from tck.suite.support.lifecycle.refusals import before_everything, refused, with_open_work, with_returned_work
from tck.suite.support.lifecycle.unstarted import seen_at, sent_ahead, sent_to, unstarted
from tck.suite.support.values.seen import body, shown

MODES = ("auto", "client", "dups_ok", "transacted")
KINDS: Mapping[str, type] = {"queue": api.QueueConnection, "topic": api.TopicConnection}


# -- connection consumers of topics ------------------------------------------------------------------------------------

METHODS: Mapping[str, str] = {
    "9.2-1": "createSharedConnectionConsumer",
    "9.2-2": "createDurableConnectionConsumer",
    "9.2-3": "createSharedDurableConnectionConsumer",
}


class _Pool(api.ServerSessionPool):
    """A pool that has no session for anybody."""

    def get_server_session(self) -> api.ServerSession:
        raise api.JMSException("there is no server session")


def _for_each_row(case: Case, judge: Callable[[str], None]) -> None:
    """Judge the method of each row of the case in a block of its own."""
    with expect.all_of():
        for row in case.rows:
            with expect.for_row(row.id):
                judge(METHODS[row.id])


def _refused(case: Case, client: Client, method: str, **given: Any) -> None:
    """Demand refusals with a selector and without."""
    for selector in (None, "a = 1"):
        calls = every_call(
            case,
            "QueueConnection",
            lambda: client.connection,
            only=[method],
            session_pool=_Pool(),
            message_selector=selector,
            **given,
        )
        refused(api.IllegalStateException, calls)


def _with_work(case: Case, scenario: Callable[[Link, Callable[[], None]], None]) -> None:
    def judge(method: str) -> None:
        link = case.link(client=case.client(client_id=case.name("c")))
        scenario(link, partial(_refused, case, link.client, method))

    _for_each_row(case, judge)


@asserts("9.2-1", "9.2-2", "9.2-3", ack=MODES)
def test_a_queue_connection_has_no_connection_consumers_of_topics(case: Case) -> None:
    """Connection consumers of subscriptions are refused by a QueueConnection, twice, with messages unsettled in its session."""
    _with_work(case, with_open_work)


@asserts("9.2-1", "9.2-2", "9.2-3", ack=("client", "transacted"), variant="returned")
def test_a_queue_connection_has_no_connection_consumers_of_topics_after_a_return(case: Case) -> None:
    """Connection consumers of subscriptions are refused before and after a rollback or recover() of the session."""
    _with_work(case, with_returned_work)


@asserts("9.2-1", "9.2-2", "9.2-3", variant="first")
def test_a_new_queue_connection_has_no_connection_consumers_of_topics(case: Case) -> None:
    """Connection consumers of subscriptions are refused before a QueueConnection is started; it then serves."""

    def judge(method: str) -> None:
        client = unstarted(case, client_id=case.name("c"))
        before_everything(client, partial(_refused, case, client, method))

    _for_each_row(case, judge)


@asserts("9.2-1", "9.2-2", "9.2-3", variant="effects")
def test_a_refused_connection_consumer_creates_no_subscription(case: Case) -> None:
    """After the refusal a durable subscription of the same name and client is new, and gets no earlier message."""

    def judge(method: str) -> None:
        described = subscription(case, "durable")
        client = case.client(client_id=described.client_id)
        exchanged(case, client)
        _refused(case, client, method, topic=described.topic, subscription_name=described.name)
        client.close()
        publisher(case, described.topic).send("before there is a subscription")
        expect.only(expect.works("opening the subscription", described.open))

    _for_each_row(case, judge)


# -- creation ----------------------------------------------------------------------------------------------------------


def _created_stopped(case: Case, login: Login | None = None) -> None:
    """Demand that two connections of one factory are of their kind, and deliver nothing before each is started."""
    factory = factory_of(case)
    with expect.all_of():
        for number in ("a first", "a second"):
            connection = connection_from(case, factory, login)
            expect.true(
                f"{number} connection is of its domain", isinstance(connection, KINDS[case.domain]), f"{connection!r}"
            )
            link = Link(unstarted(case, connection=connection), case.destination())
            sent_to(case, link.destination, "x")
            before = seen_at(link)
            link.client.start()
            expect.equal(f"{number}: messages before start() and after it", [before, body(link.poll())], [[], "x"])


@asserts("9.2-14", ack=MODES)
def test_a_connection_of_one_domain_is_created_stopped(case: Case) -> None:
    """Connections created without credentials, one after the other, deliver nothing before start(), and then everything."""
    _created_stopped(case)


@asserts("9.2-14", ack=MODES, variant="credentials")
def test_a_connection_of_one_domain_with_credentials_is_created_stopped(case: Case) -> None:
    """Connections created with credentials, one after the other, deliver nothing before start(), and then everything."""
    _created_stopped(case, logins(case)[0])


def _silent_listener(case: Case, login: Login | None) -> None:
    link = Link(unstarted(case, connection=connection_from(case, factory_of(case), login)), case.destination())
    listener = CollectingListener(case)
    link.consumer.message_listener = listener
    sent_ahead(case, (link.destination, "x"))
    before = listener.bodies
    link.client.start()
    expect.equal("a listener's messages before start() and after it", [before, listener.after(1)], [[], ["x"]])


@asserts("9.2-14", variant="listener")
def test_a_new_connection_of_one_domain_calls_no_listener(case: Case) -> None:
    """A listener on a connection created without credentials is not called before start()."""
    _silent_listener(case, None)


@asserts("9.2-14", variant="listener-credentials")
def test_a_new_connection_of_one_domain_with_credentials_calls_no_listener(case: Case) -> None:
    """A listener on a connection created with credentials is not called before start()."""
    _silent_listener(case, logins(case)[0])


# -- credentials -------------------------------------------------------------------------------------------------------


def _user(client: Client, receiver: Link) -> object:
    """Send a message; return the user that the provider names as its sender, or None."""
    Link(client, receiver.destination, consumes=False).send("x")
    return shown(receiver.receive().get_object_property("JMSXUserID"))


@asserts("9.2-15", ack=("auto", "transacted"))
def test_a_connection_of_one_domain_acts_for_its_user(case: Case) -> None:
    """Connections of one factory, for two users in turn, work; where the provider names the user of a message, it is the right one."""
    one, other = logins(case)
    factory = factory_of(case)
    receiver = case.link("auto", client=client_on(case, connection_from(case, factory, one), "auto"))
    users: list[object] = []
    for login in (other, one, other, one):
        connect = partial(connection_from, case, factory, login)
        client = client_on(case, expect.works(f"connecting as {login.user}", connect))
        exchanged(case, client, login.user)
        users.append(_user(client, receiver))
    named = [user for user in users if user is not None]
    expect.equal("the users of the messages", users, users[:2] * 2)
    expect.true("the users differ", not named or len(set(map(str, named))) == 2, f"the messages were sent by {users}")


@asserts("9.2-15", variant="refused")
def test_a_connection_of_one_domain_checks_its_credentials(case: Case) -> None:
    """Wrong credentials are refused, beside open connections of the user and after their end, and right ones accepted again."""
    one, other = logins(case)
    factory = factory_of(case)
    connect: Callable[[Login], Any] = partial(connection_from, case, factory)
    with expect.all_of():
        for _ in ("beside an open connection", "after its end"):
            bad = {what: partial(connect, login) for what, login in wrong(one, other).items()}
            good = connect(one)
            exchanged(case, client_on(case, good))
            expect.all_raise(api.JMSException, bad, though_work=dict.fromkeys(bad, partial(connect, one)))
            good.close()
            expect.all_raise(api.JMSException, bad, though_work=dict.fromkeys(bad, partial(connect, other)))
    exchanged(case, client_on(case, connect(one)))
