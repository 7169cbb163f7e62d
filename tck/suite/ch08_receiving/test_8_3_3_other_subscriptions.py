"""8.3.3 Unshared durable subscriptions: other subscriptions of the topic take nothing away that is kept, on file neither."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription, working_kinds


def _others(case: Case, topic: api.Topic) -> list[Subscription]:
    """Describe two subscriptions of each kind that the provider opens on a topic: one with all, one with none of the messages."""
    kinds = working_kinds(case, case.client(domain="topic"))
    selectors = (None, "colour = 'none'")
    return [subscription(case, kind, topic, selector=selector) for kind in kinds for selector in selectors]


def _settled_by_others(case: Case, end: Callable[[Subscription, Link], None]) -> Subscription:
    """Send to a durable subscription without consumer, and let every other one of the topic settle its messages and end."""
    kept = subscription(case, "durable")
    kept.open().client.close()
    others = _others(case, kept.topic)
    links = [other.open() for other in others]
    publisher(case, kept.topic).send_all(numbered(4))
    for other, link in zip(others, links, strict=True):
        expect.arrives(link, [] if other.selector else numbered(4))
        end(other, link)
    return kept


def _close(_other: Subscription, link: Link) -> None:
    link.client.close()


def _delete(other: Subscription, link: Link) -> None:
    link.consumer.close()
    if "durable" in other.kind:
        link.client.session.unsubscribe(other.name)
    link.client.close()


@asserts("8.3.3-9", ack=("auto", "client", "transacted"), variant="others")
def test_others_take_nothing_before_a_restart(case: Case) -> None:
    """What subscriptions of every kind settled or had filtered out before a restart is still there for the one that did not."""
    for end in (_close, _delete):
        kept = _settled_by_others(case, end)
        case.provider.restart()
        expect.arrives(kept.open(), numbered(4))


@asserts("8.3.3-9", ack=("auto", "client", "transacted"), variant="others-killed")
def test_others_take_nothing_before_a_kill(case: Case) -> None:
    """What subscriptions of every kind settled before the provider was killed is still there for the one that did not."""
    case.needs(api.Hook.KILL)
    kept = _settled_by_others(case, _close)
    case.provider.kill()
    expect.arrives(kept.open(), numbered(4))


@asserts("8.3.3-9", ack=("auto", "transacted"), variant="others-come")
def test_those_that_come_after_a_restart_take_nothing(case: Case) -> None:
    """Subscriptions made after a restart get none of the messages of before, and take none from the one that was there."""
    kept = subscription(case, "durable")
    kept.open().client.close()
    sender = publisher(case, kept.topic)
    sender.send_all(numbered(3))
    case.provider.restart()
    links = [other.open() for other in _others(case, kept.topic) if other.selector is None]
    publisher(case, kept.topic).send("4")
    with expect.all_of():
        for link in links:
            expect.arrives(link, ["4"])
        expect.arrives(kept.open(), [*numbered(3), "4"])
