"""Subscriptions after calls that were refused: openings and deletions, by the session of their consumer or by another one.

A call that the provider accepts proves nothing here: other rows say what it must refuse, and what the call then changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, SubscriptionKind, kinds, publisher, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.colours import BLUE, RED

INVALID = "=TEST 'test'"
"""A selector that does not parse."""

_Refusable = Callable[[], object]


@dataclass(frozen=True, slots=True)
class AfterRefusal:
    """A subscription with the selector RED after one call that was refused.

    Attributes:
        what: words for the call.
        watched: the subscription, which has been sent `red before` and has not delivered it.
        link: what had its consumer, which is still open if the subscription is active.
        sender: a publisher of its topic.
    """

    what: str
    watched: Subscription
    link: Link
    sender: Link


def after_refusals(
    case: RunningCase, kind: SubscriptionKind, *, active: bool, selector: str | None = RED
) -> Iterator[AfterRefusal]:
    """Yield a fresh subscription for each call on it that the provider refuses, by its own session and by another one.

    Raises:
        Undecided: it refuses none, not even the deletion of an unknown name.
    """
    refused = 0
    for elsewhere in (False, True):
        for what in _calls(case, subscription(case, kind), connect(case, "auto", domain="topic"), active=active):
            watched = subscription(case, kind, selector=selector)
            link, sender = watched.open(), publisher(case, watched.topic)
            send_coloured(sender, ["red before"])
            if not active:
                link.consumer.close()
            by = link.client.peer() if elsewhere else link.client
            if _is_refused(case, _calls(case, watched, by, active=active)[what]):
                words = f"{what} was refused, by {'another' if elsewhere else 'its'} session, active: {active}"
                refused += 1
                yield AfterRefusal(words, watched, link, sender)
            link.client.close()
    if not refused:
        raise Undecided("none of the calls was refused")


def _calls(case: RunningCase, watched: Subscription, client: Client, *, active: bool) -> dict[str, _Refusable]:
    """Return the calls that name a subscription and may be refused, by the words for them.

    An opening with other terms while there is no consumer acts like unsubscribe() and a new creation (8.3.3-28). Whether it
    has unsubscribed when the creation is refused, for a selector that does not parse for instance, is left open.
    """

    def opening(**changes: Any) -> _Refusable:
        return lambda: replace(watched, **changes).open(client=client)

    def unsubscribing(name: str) -> _Refusable:
        return lambda: client.session.unsubscribe(name)

    calls = {"unsubscribe() of an unknown name": unsubscribing(case.name("s"))}
    if active:
        calls |= {
            "an opening with an invalid selector": opening(selector=INVALID),
            "an opening on no topic": opening(topic=cast("api.Topic", None)),
            "an opening with another selector": opening(selector=BLUE),
            "an opening on another topic": opening(topic=case.topic()),
        }
        calls["unsubscribe() of its name"] = unsubscribing(watched.name)
    if active and watched.kind == "durable":
        calls["the opening of a second consumer"] = opening()
    other: dict[SubscriptionKind, SubscriptionKind] = {"durable": "shared durable", "shared durable": "durable"}
    if other.get(watched.kind) in kinds(case):
        calls["an opening as another kind"] = opening(kind=other[watched.kind])
    return calls


def _is_refused(case: RunningCase, call: _Refusable) -> bool:
    try:
        case.refused(call)
    except (api.JMSException, api.JMSRuntimeException, api.JavaException):
        return True
    return False
