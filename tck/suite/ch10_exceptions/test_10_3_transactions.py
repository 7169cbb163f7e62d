"""10.3 Standard exceptions: transactions in progress, and transactions that were rolled back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body

OLDER = ("classic", "domain-specific")
TRANSACTED = ("transacted",)
Work = Mapping[str, Callable[[Link, Link], None]]


def _receive(source: Link, target: Link) -> None:
    del target
    source.take()


def _send(source: Link, target: Link) -> None:
    target.client.sender(target.destination).send(target.text("sent"))
    del source


def _both(source: Link, target: Link) -> None:
    _receive(source, target)
    _send(source, target)


def _nothing(source: Link, target: Link) -> None:
    del source, target


WORK: Work = {"a receive": _receive, "a send": _send, "a receive and a send": _both}
"""Work of one transaction: it receives from the first link, and sends to the second."""


def _links(case: Case, client: Any) -> tuple[Link, Link, Link]:
    """Return source and target of a client's work, with a message in the source, and a watcher of the target."""
    watcher = case.link("auto")
    source = case.link(client=client)
    target = case.link(client=client, destination=watcher.destination, consumes=False)
    case.link("auto", destination=source.destination, consumes=False).send("waiting")
    return source, target, watcher


def _commit_is_refused_in_a_branch(case: Case) -> None:
    """Judge commit() in a branch with work of each kind; the branch commits as a whole all the same."""
    case.client().commit()
    with expect.all_of():
        for what, work in {**WORK, "no work": _nothing}.items():
            with expect.all_of():
                side: Branching = branching(case)
                source, target, watcher = _links(case, side.client)
                watcher.send("before")
                expect.arrives(watcher, ["before"])
                xid = side.begin()
                work(source, target)
                for turn in ("commit()", "a second commit()"):
                    wanted = case.thrown(api.TransactionInProgressException)
                    expect.raises(wanted, side.client.session.commit, what=f"{turn} in a branch with {what}")
                expect.nothing_before(watcher, "marker", lambda: watcher.put("marker"))
                side.end(xid)
                side.resource.commit(xid, True)
                expect.only(watcher, ["sent"] if "send" in what else [])


@asserts("10.3-46", ack=TRANSACTED, api=OLDER)
def test_commit_of_a_session_in_a_branch_is_refused(case: Case) -> None:
    """commit() of a session in a branch raises TransactionInProgressException and commits nothing, whatever the work in it."""
    _commit_is_refused_in_a_branch(case)


@asserts("10.3-47", ack=TRANSACTED)
def test_commit_of_a_context_in_a_branch_is_refused(case: Case) -> None:
    """commit() of a context in a branch raises TransactionInProgressRuntimeException and commits nothing, whatever the work in it."""
    _commit_is_refused_in_a_branch(case)


def _a_rollback_is_reported(case: Case) -> None:
    """Judge commit() that ends in a rollback, with work of each kind; the next commit works."""
    with expect.all_of():
        for what, work in WORK.items():
            with expect.all_of():
                source, target, watcher = _links(case, case.client())
                target.put("before")
                target.client.commit()
                expect.arrives(watcher, ["before"])
                work(source, target)
                case.administer("fail-next-commit", connection=target.client.connection)
                wanted = case.thrown(api.TransactionRolledBackException)
                expect.raises(wanted, target.client.session.commit, what=f"commit() of {what} that is rolled back")
                expect.equal("the message that was received, or waits", body(source.take()), "waiting")
                target.put("after")
                expect.works("the next commit()", target.client.session.commit)
                expect.only(watcher, ["after"])
                expect.only(source)


@asserts("10.3-48", ack=TRANSACTED, api=OLDER)
def test_a_commit_that_is_rolled_back_raises(case: Case) -> None:
    """commit() that ends in a rollback raises TransactionRolledBackException, whatever the work in it; the next one works."""
    _a_rollback_is_reported(case)


@asserts("10.3-49", ack=TRANSACTED)
def test_a_commit_of_a_context_that_is_rolled_back_raises(case: Case) -> None:
    """commit() of a context that ends in a rollback raises TransactionRolledBackRuntimeException, whatever the work in it."""
    _a_rollback_is_reported(case)
