"""7.8 Messages that a client gave back keep their time to live."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import Subscription, subscription, working_kinds
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

EXPLICIT = ("client", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
FIVE = numbered(5)
GIVING_BACK: dict[str, Callable[[Link], object]] = {
    "a rollback or recover()": lambda link: link.client.return_all(),
    "the close of the session": lambda link: link.client.close_session(),
    "the close of the connection": lambda link: link.client.close(),
}
Again = Callable[[Link, str], Link]
"""Returns the link that receives what was given back in a way."""


def _sent(case: Case, sender: Link, mode: int) -> None:
    """Send five messages that live for some time."""
    sender.sender.set(mode=mode, ttl=8 * case.timing.delay)
    sender.send_all(FIVE)


def _long_after(case: Case) -> None:
    case.pass_time(max(case.long_delay(), 16 * case.timing.delay), "the messages must be long expired")


def _not_all(link: Link, sender: Link, what: str) -> None:
    """Receive up to a marker, and demand that one at least of the expired messages did not come."""
    sender.sender.set(ttl=0)
    marker, came = sender.mark(), list[object]()
    while (text := body(link.receive())) != marker:
        came.append(text)
    left_out = [text for text in FIVE if text not in came]
    expect.true(f"of messages long expired not all are delivered after {what}", bool(left_out), "all were")


class _Given:
    """Messages that a client has taken, to be given back in one way, before their expiration or after it."""

    def __init__(self, case: Case, link: Link, how: str, mode: int, *, early: bool) -> None:
        self.link, self.how, self.early = link, how, early
        self.words = f"{how}, {'before' if early else 'after'} the expiration, in mode {mode}"
        self.sender = case.link("auto", destination=link.destination, consumes=False)
        _sent(case, self.sender, mode)
        link.take_all(len(FIVE))

    def give_back(self) -> None:
        """Give them back."""
        GIVING_BACK[self.how](self.link)


def _given_back(case: Case, opened: Callable[[], Link], again: Again) -> None:
    """Take all messages, give them back before their expiration or after it, and demand that not all are redelivered."""
    conditions = itertools.product(GIVING_BACK, DELIVERY_MODES, (True, False))
    given = [_Given(case, opened(), how, mode, early=early) for how, mode, early in conditions]
    for one in given:
        if one.early:
            one.give_back()
    _long_after(case)
    with expect.all_of():
        for one in given:
            if not one.early:
                one.give_back()
            receiver = again(one.link, one.how)
            _not_all(receiver, one.sender, one.words)
            receiver.client.close()


@asserts("7.8-4", ack=EXPLICIT, variant="returned")
def test_a_queue_does_not_ignore_the_time_to_live_of_messages_given_back(case: Case) -> None:
    """Of five messages that a client took and gave back, in each way and mode, not all come long after their expiration."""

    def again(link: Link, how: str) -> Link:
        return link if "rollback" in how else reconnected(case, link.destination, ack=case.ack)

    _given_back(case, case.link, again)


@asserts("7.8-5", ack=EXPLICIT, variant="returned")
def test_a_subscription_does_not_ignore_the_time_to_live_of_messages_given_back(case: Case) -> None:
    """The same of messages of a durable subscription, unshared and shared."""
    kinds = [kind for kind in working_kinds(case, case.client(client_id=case.name("c"))) if kind.endswith("durable")]
    watched: dict[api.Destination, Subscription] = {}

    def opened() -> Link:
        one = subscription(case, kinds[len(watched) % len(kinds)])
        watched[one.topic] = one
        return one.open()

    def again(link: Link, how: str) -> Link:
        if "rollback" in how:
            return link
        link.client.close()
        return watched[link.destination].open()

    _given_back(case, opened, again)


@asserts("7.8-4", ack=EXPLICIT, variant="returned-and-lost")
def test_a_queue_does_not_ignore_the_time_to_live_of_messages_given_back_by_a_restart(case: Case) -> None:
    """The same of PERSISTENT messages that a client had in hand, or had given back, when the provider was restarted."""
    case.needs(api.Hook.RESTART)
    links = {"in hand": case.link(), "given back": case.link()}
    for link in links.values():
        _sent(case, case.link("auto", destination=link.destination, consumes=False), DELIVERY_MODES[0])
        link.take_all(len(FIVE))
    links["given back"].client.return_all()
    case.provider.restart()
    _long_after(case)
    with expect.all_of():
        for what, link in links.items():
            receiver = reconnected(case, link.destination)
            _not_all(receiver, receiver, f"a restart with the messages {what}")
            receiver.client.close()
