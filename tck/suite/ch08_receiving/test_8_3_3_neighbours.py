"""8.3.3 Unshared durable subscriptions: those of one client and their namesakes keep a selector each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription
from tck.suite.support.values.colours import BLUE, RED

COLOURS = {None: ("red", "blue"), RED: ("red",), BLUE: ("blue",), f"NOT ({BLUE})": ("red",)}
"""Each selector with the colours that it chooses."""


def _neighbours(case: Case, topic: api.Topic) -> list[Subscription]:
    """Create a subscription of one client for each selector, and one of each name with the next selector of another client."""
    names, own, foreign, selectors = [case.name("s") for _ in COLOURS], case.name("c"), case.name("c"), list(COLOURS)
    every = [
        subscription(
            case, "durable", topic, name=name, client_id=client_id, selector=selectors[(at + turn) % len(names)]
        )
        for turn, client_id in enumerate((own, foreign))
        for at, name in enumerate(names)
    ]
    for each in every:
        each.open().client.close()
    return every


def _have_their_own(every: list[Subscription], rounds: list[str]) -> None:
    """Demand of each subscription what its selector chooses of a red and a blue message in each round."""
    for each in every:
        with expect.all_of():
            link = each.open()
            expect.arrives(link, [f"{colour} {turn}" for turn in rounds for colour in COLOURS[each.selector]])
            link.client.close()


def _publish(sender: Link, turn: str) -> None:
    send_coloured(sender, [f"red {turn}", f"blue {turn}"])


@asserts("8.3.3-33", ack=("auto",), variant="neighbours-restarted")
def test_each_subscription_of_a_client_has_its_selector_after_a_restart(case: Case) -> None:
    """Before a restart, after it and after another one each of many subscriptions on a topic collects by its own selector."""
    case.needs(api.Hook.RESTART)
    topic = case.topic()
    every = _neighbours(case, topic)
    for turn in ("first", "second", "third"):
        _publish(publisher(case, topic), turn)
        case.provider.restart()
    with expect.all_of():
        _have_their_own(every, ["first", "second", "third"])
        _publish(publisher(case, topic), "fourth")
        _have_their_own(every, ["fourth"])


_EVENTS: dict[str, Callable[[Subscription], object]] = {
    "unsubscribe()": lambda one: one.unsubscribe(),
    "another selector": lambda one: replace(one, selector="colour = 'green'").open("auto").client.close(),
    "another topic": lambda one: replace(one, topic=one.case.topic()).open("auto").client.close(),
    "noLocal": lambda one: replace(one, no_local=True).open("auto").client.close(),
}
"""What ends a subscription, or replaces it by one of its name."""


@asserts("8.3.3-33", ack=("auto",), variant="neighbours")
def test_the_end_of_a_subscription_leaves_the_selectors_of_others(case: Case) -> None:
    """After unsubscribe() or a change of one, of the first and of the last, each of the others collects by its own selector."""
    with expect.all_of():
        for event in _EVENTS.values():
            for ending in (0, -1):
                topic = case.topic()
                every, sender = _neighbours(case, topic), publisher(case, topic)
                _publish(sender, "before")
                event(every.pop(ending))
                _publish(sender, "after")
                _have_their_own(every, ["before", "after"])
