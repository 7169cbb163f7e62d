"""6.2.7 Transactions when something breaks: the commit, the client, the provider. Each needs a hook."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.crash import commit_into_a_kill, outcome_of_transfer

TRANSACTED = ("transacted",)


@asserts("6.2.7-14", ack=TRANSACTED)
def test_a_commit_is_atomic_across_a_crash(case: Case) -> None:
    """After the provider died around a commit, all of its sends and receives have happened, or none."""
    transfer = commit_into_a_kill(case, rounds=3, messages=4)
    for number, seen in enumerate(outcome_of_transfer(case, transfer)):
        expect.true(f"transfer {number} is whole: {seen.wanted}", seen.whole, f"transfer {number} left {seen.told}")


@asserts("6.2.7-15", ack=TRANSACTED)
def test_uncommitted_sends_of_a_dead_client_are_discarded(case: Case) -> None:
    """What a client sent in a transaction that it did not live to commit is never delivered."""
    watcher = case.link("auto")
    committed = case.link(destination=watcher.destination, consumes=False)
    dying = case.link(destination=watcher.destination, consumes=False)
    dying.put("of a dead client")
    committed.send("of a living client")
    case.provider.sever(dying.client.connection)
    expect.arrives(watcher, ["of a living client"])
    expect.only(watcher, [])


@asserts("6.2.7-20", ack=TRANSACTED)
def test_a_failed_commit_reports_the_rollback(case: Case) -> None:
    """A commit that ends in a rollback throws TransactionRolledBackException, and nothing of it takes effect."""
    watcher = case.link("auto")
    link = case.link(destination=watcher.destination, consumes=False)
    link.put("committed")
    link.client.commit()
    expect.arrives(watcher, ["committed"])
    case.provider.administer("fail-next-commit", connection=link.client.connection)
    link.put("lost with its commit")
    expect.raises(link.client.rolled_back, link.client.commit, what="a commit that the provider must refuse")
    link.client.rollback()
    expect.only(watcher, [])
