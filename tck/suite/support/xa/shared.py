"""Demands on the sessions and contexts that share the transaction of an XA session or XA context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from tck.suite.support import expect
from tck.suite.support.clients.branches import Branching
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body
from tck.suite.support.xa.manager import COMMITS, ROLLBACKS, branch, in_one_phase


def just(link: Link, texts: Sequence[str], *, ordered: bool = True) -> None:
    """Demand that these messages come, and no other before a marker that is sent when they have come.

    Messages that different sessions sent have no order, so the marker must not be in their way.
    """
    expect.arrives(link, texts, ordered=ordered)
    expect.only(link)


def sends_share(watcher: Link, side: Branching, clients: Mapping[str, Client]) -> None:
    """Demand that the branches of a side decide on what is sent through clients, and that nothing arrives before."""
    for way, finish in {**ROLLBACKS, **COMMITS}.items():
        with branch(side) as xid:
            for name, client in clients.items():
                client.sender(watcher.destination).send(client.text(f"{name} {way}"))
        expect.nothing_before(watcher, f"marker {way}", partial(watcher.put, f"marker {way}"))
        finish(side.resource, xid)
        just(watcher, [f"{name} {way}" for name in clients if way in COMMITS])


def receipts_share(case: RunningCase, side: Branching, client: Client) -> None:
    """Demand that what a client receives is redelivered after the rollback of a branch, and not after a commit."""
    place = case.destination()
    source, sender = Link(client, place), Link(connect(case, "auto"), place, consumes=False)
    sender.send("received")
    for finish in ROLLBACKS.values():
        with branch(side) as xid:
            expect.arrives(source, ["received"], settle=False)
        finish(side.resource, xid)
    for text, finish in zip(("received", "next"), COMMITS.values(), strict=True):
        with branch(side) as xid:
            expect.arrives(source, [text], settle=False)
        sender.send("next")
        finish(side.resource, xid)
    with branch(side) as xid:
        expect.arrives(source, ["next"], settle=False)
    in_one_phase(side.resource, xid)


def came(link: Link, count: int) -> list[str]:
    """Receive up to `count` messages, without settling; return their bodies, sorted.

    It takes no second look: some providers close the consumers of an open branch only with the branch.

    Raises:
        Undecided: none came.
    """
    received = [link.take()]
    while len(received) < count and (message := link.poll()) is not None:
        received.append(message)
    return sorted(str(body(message)) for message in received)
