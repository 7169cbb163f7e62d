"""Trials of names for subscriptions."""

from __future__ import annotations

from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.subscriptions import NAMED, publisher, subscription


def name_serves(case: Case, name: str) -> None:
    """Demand that a name serves each kind of named subscription: it is created, gets a message, and is opened again if it lasts."""
    for kind in NAMED:
        made = subscription(case, kind, name=name, client_id=case.name("c"))
        link = expect.works(f"a {kind} subscription named {name!r}", made.open)
        sender = publisher(case, made.topic)
        sender.send("one")
        expect.arrives(link, ["one"])
        link.client.close()
        if kind == "shared":  # it ended with its consumer: what is opened next is another one
            continue
        again = expect.works(f"the same {kind} subscription again", made.open)
        sender.send("two")
        expect.arrives(again, ["two"])
        again.client.close()
