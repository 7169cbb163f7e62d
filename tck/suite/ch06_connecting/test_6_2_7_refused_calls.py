"""6.2.7 Transactions in which calls are refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.values.seen import tried


def _refusable(client: Client) -> dict[str, Callable[[], object]]:
    """Return calls on a transacted session that may be refused, by the words for them."""
    session, anywhere, nothing = client.session, client.sender(), client.case.destination()
    deleted: Any = client.temporary()
    deleted.delete()
    missing: Any = None
    return {
        "recover()": session.recover,
        "a send to a deleted destination": partial(anywhere.send, client.text("x"), to=deleted),
        "a send to no destination": partial(anywhere.send, client.text("x")),
        "a send of no message": partial(anywhere.send, missing, to=nothing),
        "a send with priority 10": partial(anywhere.send, client.text("x"), to=nothing, priority=10),
        "a consumer of nothing": partial(client.consumer, missing),
        "a consumer of a deleted destination": partial(client.consumer, deleted),
        "a consumer with an invalid selector": partial(client.consumer, nothing, "=TEST 'test'"),
    }


@asserts("6.2.7-17", ack=("transacted",), variant="refused")
def test_refused_calls_do_not_end_a_transaction(case: Case) -> None:
    """After each refused call what the transaction has sent is hidden; a commit delivers it, and what it got is not redelivered."""
    watcher, link = case.link("auto"), case.link()
    pending = link.client.sender(watcher.destination)
    with expect.all_of():
        for what, call in _refusable(link.client).items():
            with expect.all_of():
                link.send_all(("one", "two"))
                expect.arrives(link, ["one"], settle=False)
                pending.send(link.text("pending"))
                case.witness(f"{what}: {tried(call)}")
                expect.nothing_before(watcher, f"after {what}", partial(watcher.put, f"after {what}"))
                link.client.commit()
                expect.arrives(watcher, ["pending"])
                expect.arrives(link, ["two"])
    expect.only(link)
