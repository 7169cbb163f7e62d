"""4.2.2 Durable subscriptions beside others: what becomes of one is nothing to its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import Subscription, publisher, subscription
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import tried

Fate = Callable[[Subscription], object]


def _consumed(watched: Subscription) -> None:
    link = watched.open()
    link.receive()
    link.client.close()


def _refused_second(watched: Subscription) -> None:
    link = watched.open()
    peer = link.client.peer()
    tried(lambda: watched.open(client=peer))
    tried(lambda: peer.session.unsubscribe(watched.name))
    peer.close_session()
    link.client.close()


def _resumed(watched: Subscription) -> None:
    watched.open().client.close()


def _left_unfinished(watched: Subscription) -> None:
    link = watched.open("client")
    link.take()
    link.client.close()


def _refused_selector(watched: Subscription) -> None:
    client = watched.client("auto")
    tried(lambda: replace(watched, selector="colour = ").open(client=client))
    client.close()


def _ended_and_made_anew(watched: Subscription) -> None:
    watched.unsubscribe()
    watched.open().client.close()


FATES: dict[str, Fate] = {
    "is deleted": lambda watched: watched.unsubscribe(),
    "is deleted and made anew": _ended_and_made_anew,
    "is replaced by one with a selector": lambda watched: _resumed(replace(watched, selector=RED)),
    "is replaced by one of another topic": lambda watched: _resumed(replace(watched, topic=watched.case.topic())),
    "is replaced by one with noLocal": lambda watched: _resumed(replace(watched, no_local=True)),
    "is resumed": _resumed,
    "is consumed": _consumed,
    "is consumed without acknowledgment": _left_unfinished,
    "refuses a second consumer and its end": _refused_second,
    "is refused with a selector": _refused_selector,
}
"""What may become of a durable subscription, by words for it."""


def _filled(described: list[Subscription], topic: api.Topic) -> Link:
    """Make subscriptions, leave them without consumers, and send them three messages."""
    for each in described:
        each.open().client.close()
    sender = publisher(described[0].case, topic)
    sender.send_all(numbered(3))
    return sender


def _kept(watched: Subscription, sender: Link, what: str) -> None:
    """Demand that a subscription, whose neighbour had a fate, has its three messages, and one that is sent now."""
    sender.send("later")
    expect.arrives(expect.works(f"resuming it though another one {what}", watched.open), [*numbered(3), "later"])


@asserts("4.2.2-25", "8.3.3-15", ack=("auto", "client", "transacted"), variant="fates")
def test_a_namesake_of_another_client_is_left_alone(case: Case) -> None:
    """Whatever becomes of a subscription, that of the same name under another client identifier keeps its messages."""
    with expect.all_of():
        for what, fate in FATES.items():
            topic, name = case.topic(), case.name("s")
            one, other = (subscription(case, "durable", topic, name=name) for _ in range(2))
            sender = _filled([one, other], topic)
            fate(one)
            _kept(other, sender, what)


@asserts("4.2.2-23", ack=("auto", "client", "transacted"), variant="fates")
def test_a_neighbour_of_the_same_client_is_left_alone(case: Case) -> None:
    """Whatever becomes of a subscription, that of another name under the same client identifier keeps its messages."""
    with expect.all_of():
        for what, fate in FATES.items():
            topic, client_id = case.topic(), case.name("c")
            one, other = (subscription(case, "durable", topic, client_id=client_id) for _ in range(2))
            sender = _filled([one, other], topic)
            fate(one)
            _kept(other, sender, what)


@asserts("4.2.2-23", ack=("auto", "transacted"), plain=True, variant="restart")
def test_neighbours_keep_their_messages_over_a_restart(case: Case) -> None:
    """Whatever becomes of a subscription before a restart, its neighbour and its namesake keep their messages over it."""
    case.needs(api.Hook.RESTART)
    left = []
    for what, fate in FATES.items():
        topic, client_id, name = case.topic(), case.name("c"), case.name("s")
        one = subscription(case, "durable", topic, name=name, client_id=client_id)
        others = [
            subscription(case, "durable", topic, client_id=client_id),
            subscription(case, "durable", topic, name=name),
        ]
        sender = _filled([one, *others], topic)
        fate(one)
        sender.client.close()
        left += [(each, what) for each in others]
    case.provider.restart()
    with expect.all_of():
        for each, what in left:
            _kept(each, publisher(case, each.topic), what)


@asserts("4.2.2-27", "6.1.2-19", "8.3.4-8", ack=("auto", "transacted"), variant="fates")
def test_a_shared_namesake_of_another_client_is_left_alone(case: Case) -> None:
    """Whatever becomes of a shared durable subscription, those of its name with another client identifier, or none, keep theirs."""
    with expect.all_of():
        for what, fate in FATES.items():
            topic, name = case.topic(), case.name("s")
            clients = (case.name("c"), None, case.name("c"))
            one, *others = (subscription(case, "shared durable", topic, name=name, client_id=each) for each in clients)
            expect.works("creating the subscription", one.open).client.close()
            sender = _filled([one, *others], topic)
            tried(partial(fate, one))  # what may become of a shared one itself has rows of its own
            sender.send("later")
            for other in others:
                expect.arrives(
                    expect.works(f"resuming it though another one {what}", other.open), [*numbered(3), "later"]
                )
