"""6.2.7 Transactions when something breaks: the commit, the client, the provider. Each needs a hook."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body

TRANSACTED = ("transacted",)
THREE = numbered(3)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One transaction that moved `texts` from `source` to `target`; `committed` if its commit returned."""

    source: api.Destination
    target: api.Destination
    texts: tuple[str, ...]
    committed: bool
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Seen:
    """The messages of a transfer after the crash."""

    inputs: tuple[object, ...]
    outputs: tuple[object, ...]
    transfer: Transfer

    @property
    def wanted(self) -> str:
        """The permitted result."""
        return "all moved" if self.transfer.committed else "all moved or none"

    @property
    def observed(self) -> str:
        """The observed result."""
        return f"{len(self.inputs)} inputs and {len(self.outputs)} outputs of {len(self.transfer.texts)}"

    @property
    def whole(self) -> bool:
        """Whether the transaction took effect as a whole or, if its commit did not return, not at all."""
        texts = sorted(self.transfer.texts)
        moved = not self.inputs and sorted(map(str, self.outputs)) == texts
        stayed = not self.outputs and sorted(map(str, self.inputs)) == texts
        return moved or (stayed and not self.transfer.committed)


def _commit_into_a_kill(case: Case, *, rounds: int, messages: int) -> list[Transfer]:
    """Kill the provider while a commit is under way, `rounds` times; the last round kills after the commit returned."""
    transfers = []
    for number in range(rounds):
        names = (case.name("s"), case.name("s"))
        source, target = case.link(durable=names[0]), case.link(durable=names[1])
        texts = tuple(f"transfer {number} message {position}" for position in range(messages))
        source.send_all(texts)
        forward = source.client.sender(target.destination)
        for _ in texts:
            forward.send(source.text(str(body(source.take()))))
        call = case.spawn("commit", source.client.commit)
        if number == rounds - 1:
            call.ends_within()
        case.provider.kill()
        call.ends_within()
        transfers.append(Transfer(source.destination, target.destination, texts, _succeeded(call.result), names))
    return transfers


def _succeeded(result: object) -> bool:
    try:
        result()  # type: ignore[operator]  # a bound method without arguments
    except Undecided:
        raise
    except Exception:  # noqa: BLE001 - the provider died under the commit: it is in doubt
        return False
    return True


def _outcome_of_transfer(case: Case, transfers: list[Transfer]) -> list[Seen]:
    """Reconnect, and drain both destinations of each transfer."""
    seen = []
    for transfer in transfers:
        inputs = _drain(case.link("auto", destination=transfer.source, durable=transfer.names[0]))
        outputs = _drain(case.link("auto", destination=transfer.target, durable=transfer.names[1]))
        seen.append(Seen(inputs, outputs, transfer))
    return seen


def _drain(link: Link) -> tuple[object, ...]:
    """Receive up to a marker sent now; return the bodies before it.

    Raises:
        Undecided: it does not come.
    """
    marker = link.mark()
    texts: list[object] = []
    while (text := body(link.take())) != marker:
        texts.append(text)
    with contextlib.suppress(api.JMSException):
        link.client.close()
    return tuple(texts)


@asserts("6.2.7-14", ack=TRANSACTED)
def test_a_commit_is_atomic_across_a_crash(case: Case) -> None:
    """After the provider died around a commit, all of its sends and receives have happened, or none."""
    transfer = _commit_into_a_kill(case, rounds=3, messages=4)
    for number, seen in enumerate(_outcome_of_transfer(case, transfer)):
        expect.true(f"transfer {number} is whole: {seen.wanted}", seen.whole, f"transfer {number} left {seen.observed}")


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
    case.administer("fail-next-commit", connection=link.client.connection)
    link.put("lost with its commit")
    expect.raises(case.thrown(api.TransactionRolledBackException), link.client.commit, what="the refused commit")
    link.client.rollback()
    expect.only(watcher, [])


@asserts("6.2.7-20", ack=TRANSACTED, variant="with-receives")
def test_a_failed_commit_brings_back_what_it_received(case: Case) -> None:
    """After a commit that ended in a rollback what it received is redelivered, what it sent is not delivered, and the next one works."""
    target = case.link("auto")
    source = case.link()
    forward = source.client.sender(target.destination)
    source.send_all(THREE)
    source.take_all(2)
    forward.send(source.text("lost with its commit"))
    case.administer("fail-next-commit", connection=source.client.connection)
    wanted = case.thrown(api.TransactionRolledBackException)
    expect.raises(wanted, source.client.commit, what="the refused commit")
    came = expect.arrives(source, THREE, ordered=False, settle=False)
    flags = {str(body(message)): message.jms_redelivered for message in came}
    expect.equal("JMSRedelivered of what it had received", [flags["001"], flags["002"]], [True, True])
    forward.send(source.text("committed"))
    source.client.commit()
    expect.only(target, ["committed"])
    expect.only(source, [])
