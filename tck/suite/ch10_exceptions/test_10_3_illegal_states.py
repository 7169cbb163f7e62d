"""10.3 Standard exceptions: IllegalStateException for calls that the session, its domain or the moment does not permit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.lifecycle.administered import client_on, exchanged, untouched
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.lifecycle.refusals import (
    before_everything,
    refused,
    with_open_work,
    with_returned_work,
    within_a_listener,
)
from tck.suite.support.lifecycle.unstarted import unstarted

PLAIN = ("auto", "client", "dups_ok")
TRANSACTED = ("transacted",)
METHODS: Mapping[str, str] = {
    "10.3-7": "commit",
    "10.3-8": "rollback",
    "10.3-9": "recover",
    "10.3-10": "commit",
    "10.3-11": "rollback",
    "10.3-12": "recover",
    "10.3-50": "commit",
}
"""The method of each row."""

Scenario = Callable[[Link, Callable[[], None]], None]


def _for_each_row(case: Case, judge: Callable[[str], None]) -> None:
    """Judge the method of each row of the case in a block of its own."""
    with expect.all_of():
        for row in case.rows:
            with expect.for_row(row.id):
                judge(METHODS[row.id])


def _calls(case: Case, session: Any, method: str) -> Rows:
    """Return the call of a method of a session or context."""
    interface = "JMSContext" if case.api == "simplified" else "Session"
    return every_call(case, interface, lambda: session, only=[method])


def _refused(case: Case, session: Any, method: str) -> None:
    refused(case.thrown(api.IllegalStateException), _calls(case, session, method))


def _with_work(case: Case, scenario: Scenario) -> None:
    def judge(method: str) -> None:
        link = case.link()
        scenario(link, partial(_refused, case, link.client.session, method))

    _for_each_row(case, judge)


def _by_a_listener(case: Case) -> None:
    def judge(method: str) -> None:
        link = case.link()
        calls = _calls(case, link.client.session, method)
        within_a_listener(link, case.thrown(api.IllegalStateException), calls)

    _for_each_row(case, judge)


def _beside_a_listener(case: Case) -> None:
    """Demand refusals by a session whose connection has a listener on another session, which gets its messages before and after."""

    def judge(method: str) -> None:
        link = case.link("auto")
        listener = CollectingListener(case)
        link.consumer.message_listener = listener
        sender = case.link("auto", destination=link.destination, consumes=False)
        sender.send("before")
        expect.equal("what the listener got at first", listener.after(1), ["before"])
        _refused(case, link.client.peer(case.ack).session, method)
        sender.send("after")
        expect.equal("what the listener got in the end", listener.after(2), ["before", "after"])

    _for_each_row(case, judge)


def _first_of_all(case: Case) -> None:
    def judge(method: str) -> None:
        client = unstarted(case)
        before_everything(client, partial(_refused, case, client.session, method))

    _for_each_row(case, judge)


# -- commit and rollback without a transaction -------------------------------------------------------------------------


@asserts("10.3-7", "10.3-8", ack=PLAIN)
def test_a_plain_session_has_no_transaction(case: Case) -> None:
    """commit() and rollback() of a session without transactions are refused, twice; unacknowledged messages stay so."""
    _with_work(case, with_open_work)


@asserts("10.3-10", "10.3-11", ack=PLAIN)
def test_a_plain_context_has_no_transaction(case: Case) -> None:
    """commit() and rollback() of a context without transactions are refused, twice; unacknowledged messages stay so."""
    _with_work(case, with_open_work)


@asserts("10.3-7", "10.3-8", ack=("client",), variant="returned")
def test_a_plain_session_has_no_transaction_after_recover(case: Case) -> None:
    """commit() and rollback() are refused before recover(), which returns all that was received, and after it."""
    _with_work(case, with_returned_work)


@asserts("10.3-10", "10.3-11", ack=("client",), variant="returned")
def test_a_plain_context_has_no_transaction_after_recover(case: Case) -> None:
    """commit() and rollback() of a context are refused before recover(), which returns all that was received, and after it."""
    _with_work(case, with_returned_work)


@asserts("10.3-7", "10.3-8", ack=PLAIN, variant="listener")
def test_a_listener_of_a_plain_session_has_no_transaction(case: Case) -> None:
    """commit() and rollback() are refused within a listener of the session, which settles its message and gets the next."""
    _by_a_listener(case)


@asserts("10.3-10", "10.3-11", ack=PLAIN, variant="listener")
def test_a_listener_of_a_plain_context_has_no_transaction(case: Case) -> None:
    """commit() and rollback() are refused within a listener of the context, which settles its message and gets the next."""
    _by_a_listener(case)


@asserts("10.3-7", "10.3-8", ack=PLAIN, variant="beside-listener")
def test_a_plain_session_beside_a_listener_has_no_transaction(case: Case) -> None:
    """commit() and rollback() are refused though another session of the connection has a listener, which goes on."""
    _beside_a_listener(case)


@asserts("10.3-10", "10.3-11", ack=PLAIN, variant="beside-listener")
def test_a_plain_context_beside_a_listener_has_no_transaction(case: Case) -> None:
    """commit() and rollback() are refused though another context of the connection has a listener, which goes on."""
    _beside_a_listener(case)


@asserts("10.3-7", "10.3-8", ack=PLAIN, variant="first")
def test_a_new_plain_session_has_no_transaction(case: Case) -> None:
    """commit() and rollback() are refused as the first call on a session whose connection is not started; it then serves."""
    _first_of_all(case)


@asserts("10.3-10", "10.3-11", ack=PLAIN, variant="first")
def test_a_new_plain_context_has_no_transaction(case: Case) -> None:
    """commit() and rollback() are refused as the first call on a context, which then serves."""
    _first_of_all(case)


def _beside_a_transaction(case: Case) -> None:
    """Demand refusals beside a transacted session of the connection, whose transaction is then whole: undone, or committed."""

    def judge(method: str) -> None:
        link = case.link("transacted")
        plain = link.client.peer(case.ack)
        watcher = case.link("auto")
        forward = link.client.sender(watcher.destination)
        link.send("received")
        link.take()
        forward.send(link.text("rolled back"))
        _refused(case, plain.session, method)
        link.client.rollback()
        expect.arrives(link, ["received"], settle=False)
        forward.send(link.text("committed"))
        _refused(case, plain.session, method)
        marker = "before the commit"
        expect.nothing_before(watcher, marker, partial(watcher.put, marker))
        link.client.commit()
        expect.only(watcher, ["committed"])
        expect.only(link)

    _for_each_row(case, judge)


@asserts("10.3-7", "10.3-8", ack=PLAIN, variant="beside-transaction")
def test_a_plain_session_has_no_part_in_the_transaction_of_another(case: Case) -> None:
    """commit() and rollback() are refused though another session of the connection has a transaction, which stays as it is."""
    _beside_a_transaction(case)


@asserts("10.3-10", "10.3-11", ack=PLAIN, variant="beside-transaction")
def test_a_plain_context_has_no_part_in_the_transaction_of_another(case: Case) -> None:
    """commit() and rollback() are refused though another context of the connection has a transaction, which stays as it is."""
    _beside_a_transaction(case)


@asserts("10.3-50", ack=PLAIN)
def test_a_plain_session_of_the_first_version_does_not_commit(case: Case) -> None:
    """In version 1.0 commit() of a session without transactions is refused, twice; unacknowledged messages stay so."""
    _with_work(case, with_open_work)


@asserts("10.3-50", ack=("client",), variant="returned")
def test_a_plain_session_of_the_first_version_does_not_commit_after_recover(case: Case) -> None:
    """In version 1.0 commit() is refused before recover(), which returns all that was received, and after it."""
    _with_work(case, with_returned_work)


@asserts("10.3-50", ack=PLAIN, variant="beside-transaction")
def test_a_plain_session_of_the_first_version_commits_no_transaction_of_another(case: Case) -> None:
    """In version 1.0 commit() is refused though another session of the connection has a transaction, which stays as it is."""
    _beside_a_transaction(case)


# -- recover in a transaction ------------------------------------------------------------------------------------------


@asserts("10.3-9", ack=TRANSACTED)
def test_a_transacted_session_does_not_recover(case: Case) -> None:
    """recover() of a transacted session is refused, twice, and the transaction is then committed as a whole."""
    _with_work(case, with_open_work)


@asserts("10.3-12", ack=TRANSACTED)
def test_a_transacted_context_does_not_recover(case: Case) -> None:
    """recover() of a transacted context is refused, twice, and the transaction is then committed as a whole."""
    _with_work(case, with_open_work)


@asserts("10.3-9", ack=TRANSACTED, variant="returned")
def test_a_transacted_session_does_not_recover_after_a_rollback(case: Case) -> None:
    """recover() is refused before a rollback, which undoes the transaction as a whole, and after it."""
    _with_work(case, with_returned_work)


@asserts("10.3-12", ack=TRANSACTED, variant="returned")
def test_a_transacted_context_does_not_recover_after_a_rollback(case: Case) -> None:
    """recover() of a context is refused before a rollback, which undoes the transaction as a whole, and after it."""
    _with_work(case, with_returned_work)


@asserts("10.3-9", ack=TRANSACTED, variant="listener")
def test_a_listener_of_a_transacted_session_does_not_recover(case: Case) -> None:
    """recover() is refused within a listener of a transacted session, which commits its message and gets the next."""
    _by_a_listener(case)


@asserts("10.3-12", ack=TRANSACTED, variant="listener")
def test_a_listener_of_a_transacted_context_does_not_recover(case: Case) -> None:
    """recover() is refused within a listener of a transacted context, which commits its message and gets the next."""
    _by_a_listener(case)


@asserts("10.3-9", ack=TRANSACTED, variant="first")
def test_a_new_transacted_session_does_not_recover(case: Case) -> None:
    """recover() is refused as the first call on a transacted session whose connection is not started; it then serves."""
    _first_of_all(case)


@asserts("10.3-12", ack=TRANSACTED, variant="first")
def test_a_new_transacted_context_does_not_recover(case: Case) -> None:
    """recover() is refused as the first call on a transacted context, which then serves."""
    _first_of_all(case)


# -- methods that a domain does not have -------------------------------------------------------------------------------


def _of_the_other_domain(case: Case, session: Any) -> Rows:
    """Return the calls on a session of one domain that only sessions of the other are made for, by their signatures."""
    of_topics = ("createTopic", "createTemporaryTopic", "createDurableSubscriber", "unsubscribe")
    newer = ("createDurableConsumer", "createSharedConsumer", "createSharedDurableConsumer")
    of_queues = ("createQueue", "createTemporaryQueue", "createBrowser")
    only = of_queues if case.domain == "topic" else of_topics + (newer if case.offers("simplified") else ())
    return every_call(case, "Session", lambda: session, only=only)


@asserts("10.3-13", ack=("auto", "transacted"))
def test_a_method_of_the_other_domain_is_an_illegal_state(case: Case) -> None:
    """Each method that a session of the other domain does raises the API's IllegalStateException, by a first session and a second."""
    link = case.link()
    other = case.client(domain=case.other_domain, client_id=case.name("c"))
    link.send("before")
    expect.arrives(link, ["before"])
    own = case.client(client_id=case.name("c"))
    with expect.all_of():
        for client in (own, own.peer()):
            wrong = _of_the_other_domain(case, client.session)
            all_refused(api.IllegalStateException, wrong, though_work=_of_the_other_domain(case, other.session))
            exchanged(case, client)


# -- wrong moments -----------------------------------------------------------------------------------------------------


def _set(connection: Any, client_id: str) -> None:
    connection.client_id = client_id


def _used(case: Case) -> Mapping[str, Any]:
    """Return connections or contexts by their use so far; each has been used as much as a client identifier forbids."""
    identified, working, ended, started = (untouched(case) for _ in range(4))
    _set(identified, case.name("c"))
    for connection in (working, ended):
        exchanged(case, client_on(case, connection))
    ended.stop()
    started.start()
    return {"setClientID()": identified, "work": working, "work and stop()": ended, "start()": started}


def _refused_late(case: Case, connection: Any, what: str) -> bool:
    """Set an identifier; demand that it works, or is refused as illegal and then not set. Return whether it was refused."""
    before = connection.client_id
    late = partial(_set, connection, case.name("c"))
    refusal = expect.works_or(case.thrown(api.IllegalStateException), late, what=f"setClientID() {what}")
    if refusal:
        expect.equal(f"getClientID() {what}", [connection.client_id], [before])
    return refusal


@asserts("10.3-14", ack=("auto", "transacted"))
def test_a_late_client_identifier_is_an_illegal_state(case: Case) -> None:
    """setClientID() after some use of the connection raises IllegalStateException and changes nothing, or works; a fresh connection takes it."""
    fresh, name = untouched(case), case.name("c")
    _set(fresh, name)
    expect.equal("getClientID() of a fresh connection", fresh.client_id, name)
    refusals: dict[str, bool] = {}
    with expect.all_of():
        for what, connection in _used(case).items():
            for turn in ("after", "again after"):
                with expect.all_of():
                    refusals[f"{turn} {what}"] = _refused_late(case, connection, f"{turn} {what}")
    exchanged(case, client_on(case, fresh))
    expect.record(f"refused: {', '.join(what for what, refusal in refusals.items() if refusal) or 'none'}")
