"""Which fault of the reference provider each property of traces reports, and the short plan that shows it.

A plan is one that comes with the kit, by name, or a few lines of TOML for a fault that takes a certain situation. Message
bounds are for the virtual clock.
"""

from __future__ import annotations

from dataclasses import dataclass

QUEUE = """
[plan]
title = "test"
[[destination]]
name = "q"
kind = "queue"
"""
TOPIC = QUEUE.replace('kind = "queue"', 'kind = "topic"')


@dataclass(frozen=True)
class Proof:
    """A fault, by name of the property or id of a row, and the plan under which it shows."""

    saboteur: str
    plan: str
    messages: int = 300
    duration: float = 20


BURST_AND_SLOW = """
[[producer]]
name = "p"
to = ["q"]
[[consumer]]
name = "c"
from = "q"
"""

EXPIRING = (
    QUEUE
    + """
[[message]]
name = "brief"
ttl = [20]
"""
    + BURST_AND_SLOW.replace('to = ["q"]', 'to = ["q"]\nrate = 60')
    + "think = 50\n"
)

WAITING = (
    QUEUE
    + """
[[message]]
name = "any"
priority = [2, 8]
"""
    + BURST_AND_SLOW
    + "think = 5\n"
)
"""Messages of either message_kind wait for one slow consumer: a provider that looks at priorities hands over the expedited ones first."""

PROOFS: dict[str, Proof] = {
    "timestamp-within-send": Proof("3.4.4-2", "steady"),
    "expiration-computed": Proof("expiration-computed", "expiry-and-delay"),
    "delivery-time-computed": Proof("3.4.13-1", "expiry-and-delay"),
    "listener-serial": Proof(
        "listener-serial",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
[[consumer]]
name = "c"
from = "q"
how = "listener"
think = 5
""",
        100,
    ),
    "order-per-stream": Proof("order-per-stream", QUEUE + BURST_AND_SLOW + "think = 5\n", 100),
    "nothing-after-close": Proof("nothing-after-close", "shared-subscriptions"),
    "nothing-while-stopped": Proof(
        "nothing-while-stopped",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 100
[[consumer]]
name = "c"
from = "q"
how = "listener"
pause = 0.8
""",
    ),
    "exception-listener-serial": Proof("exception-listener-serial", "crash-loop", 1000),
    "completion-once": Proof("completion-once", "async-sends"),
    "completion-order": Proof("completion-order", "async-sends"),
    "completion-serial": Proof("completion-serial", "async-sends"),
    "commit-waits-for-completions": Proof("commit-waits-for-completions", "async-sends"),
    "close-waits-for-completions": Proof("close-waits-for-completions", "async-close"),
    "shared-subscription-joined": Proof("shared-subscription-joined", "joined-at-once"),
    "uncommitted-not-browsed": Proof("uncommitted-not-browsed", "seen-at-once"),
    "no-invention": Proof("no-invention", "steady"),
    "right-destination": Proof("3.4.1-3", "steady"),
    "no-corruption": Proof("no-corruption", "steady"),
    "headers-as-sent": Proof("3.4.3-7", "steady"),
    "not-after-expiry": Proof("not-after-expiry", EXPIRING),
    "expired-not-received": Proof("expired-not-received", EXPIRING),
    "not-before-send": Proof("not-before-send", "steady"),
    "not-before-delivery-time": Proof("3.4.13-6", "expiry-and-delay"),
    "selector-honoured": Proof("4.1.2-5", "selectors"),
    "no-local-honoured": Proof("no-local-honoured", "no-local"),
    "not-before-subscription": Proof("not-before-subscription", "shared-subscriptions"),
    "not-after-unsubscribe": Proof("not-after-unsubscribe", "shared-subscriptions"),
    "temporary-owner-only": Proof("temporary-owner-only", "temporary"),
    "temporary-ends-with-connection": Proof(
        "temporary-ends-with-connection",
        QUEUE.replace('kind = "queue"', 'kind = "temporary-queue"')
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 50
[[consumer]]
name = "owner"
from = "q"
session = "client"
batch = [40]
lifetime = [15]
[[consumer]]
name = "stranger"
from = "q"
trespass = true
think = 400
""",
    ),
    "repeat-is-flagged": Proof("3.4.7-2", "client-acknowledge"),
    "flag-agrees-with-count": Proof("3.5.11-3", "transactions"),
    "count-rises": Proof(
        "count-rises",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
[[consumer]]
name = "c"
from = "q"
session = "transacted"
batch = [1, 3]
rollback = 0.6
""",
        200,
    ),
    "first-count-is-one": Proof("3.5.11-1", "steady"),
    "settled-stays-settled": Proof("6.2.7-1", "transactions"),
    "settled-survives-restart": Proof(
        "settled-survives-restart",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 50
[[consumer]]
name = "c"
from = "q"
session = "transacted"
batch = [1, 3]
[[fault]]
kind = "kill"
at = [2]
""",
        200,
    ),
    "auto-last-only": Proof(
        "auto-last-only",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 50
[[consumer]]
name = "c"
from = "q"
how = "listener"
[[fault]]
kind = "sever"
at = [2]
of = ["c"]
""",
        200,
    ),
    "one-holder": Proof(
        "one-holder",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 50
[[consumer]]
name = "c"
count = 3
from = "q"
session = "client"
batch = [5, 10]
""",
        200,
    ),
    "uncommitted-invisible": Proof("uncommitted-invisible", "transactions"),
    "rolled-back-invisible": Proof("6.2.7-5", "transactions", 800),
    "transaction-atomic": Proof("transaction-atomic", "transactions"),
    "consume-produce-atomic": Proof("consume-produce-atomic", "transactions"),
    "prepared-outcome": Proof("prepared-outcome", "xa"),
    "no-loss-persistent": Proof("no-loss-persistent", "steady"),
    "durable-complete": Proof("durable-complete", "steady"),
    "nondurable-complete-while-open": Proof("nondurable-complete-while-open", "steady"),
    "nonpersistent-kept-without-failure": Proof("nonpersistent-kept-without-failure", "steady"),
    "browsing-does-not-consume": Proof("4.1.6-1", "browsers"),
    "unsettled-comes-back": Proof("6.2.7-6", "transactions"),
    "acknowledge-leaves-others": Proof(
        "acknowledge-leaves-others",
        QUEUE
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 50
[[consumer]]
name = "quick"
from = "q"
session = "client"
batch = [1, 3]
[[consumer]]
name = "slow"
from = "q"
session = "client"
batch = [40]
lifetime = [15]
""",
    ),
    "recovered-by-same-session": Proof(
        "4.2.2-26",
        TOPIC
        + """
[[producer]]
name = "p"
to = ["q"]
rate = 50
[[consumer]]
name = "c"
from = "q"
subscription = "durable"
session = "client"
batch = [2, 5]
rollback = 0.5
rival = true
""",
        200,
    ),
    "message-id-unique": Proof("message-id-unique", "steady"),
    "priority-hint": Proof("3.4.10-4", WAITING, 100),
}
