"""8.5 Receiving synchronously: messages that live and lie behind expired ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.clients.subscriptions import subscription, working_kinds
from tck.suite.support.lifecycle.stopping import receiving, sender_to
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body

DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
EXPLICIT = ("auto", "transacted")
NUMBER = 4
"""The number of messages that live, each behind an expired one."""
MANY = 10
"""The number of expired messages before the last."""
LIVING = [f"red lives {number}" for number in range(NUMBER)]


class _Place:
    """A consumer, a sender to its destination, and words for both."""

    def __init__(self, link: Link, where: str, mode: int) -> None:
        self.link, self.where = link, f"{where}, selector {link.consumer.message_selector}"
        self.sender = sender_to(link)
        self.sender.sender.set(mode=mode)

    def send(self, texts: list[str], ttl: int = 0) -> None:
        """Send messages that live for a time, or for ever."""
        self.sender.sender.set(ttl=ttl)
        send_coloured(self.sender, texts)


def _places(case: Case) -> list[_Place]:
    """Open a queue, or each kind of subscription, without a selector and with one."""
    links: list[tuple[Link, str]] = []
    for selector in (None, RED):
        if case.domain == "queue":
            links.append((case.link(selector=selector), "a queue"))
            continue
        kinds = working_kinds(case, case.client(client_id=case.name("c")))
        links += [
            (subscription(case, kind, selector=selector).open(), f"a subscription that is {kind}") for kind in kinds
        ]
    return [_Place(link, where, DELIVERY_MODES[at // 2 % 2]) for at, (link, where) in enumerate(links)]


def _send(case: Case, places: list[_Place], *, expired: bool) -> None:
    """Send messages that live, each behind one that expires if asked for; return when those have expired and all is settled."""
    for place in places:
        for text in LIVING:
            if expired:
                place.send([f"red expired {text}"] * (MANY if text == LIVING[-1] else 1), case.timing.delay)
            place.send([text])
    case.pass_time(3 * case.timing.delay, "the messages must expire, and the others be there")


def _living(link: Link, bodies: list[object]) -> list[object]:
    """Return those that live; whether expired ones may come is for other rows."""
    link.case.witness(f"received {bodies}")
    return [each for each in bodies if each in LIVING]


def _drained(link: Link, seen: list[object]) -> None:
    """Receive until all messages that live have been seen."""
    while len(_living(link, seen)) < NUMBER:
        seen.append(body(link.receive()))


def _no_wait(case: Case, call: Callable[[Link], object], what: str) -> None:
    """Demand that a call that does not wait finds messages behind expired ones as it finds them without expired ones.

    Where it misses messages that have nothing before them, they were not there yet, and nothing is judged.
    """
    places = _places(case)
    counts: dict[str, list[int]] = {place.where: [] for place in places}
    for expired in (False, True):
        _send(case, places, expired=expired)
        for place in places:
            seen = [call(place.link) for _ in LIVING]
            counts[place.where].append(len([each for each in seen if each is not None]))
            _drained(place.link, seen)
    with expect.all_of():
        for where, (plain, behind) in counts.items():
            claim = f"{NUMBER} calls of {what} on {where} find what they find without expired messages, but for one"
            expect.true(claim, behind >= plain - 1, f"they found {behind} messages instead of {plain}")


def _received_at_once(link: Link) -> object:
    message = link.consumer.receive_no_wait()
    link.client.settle(message)
    return body(message)


@asserts("8.5-3", ack=EXPLICIT, variant="expired")
def test_receive_no_wait_finds_a_message_behind_expired_ones(case: Case) -> None:
    """receiveNoWait() returns messages that are there, each behind an expired one: on queues and on each kind of subscription."""
    _no_wait(case, _received_at_once, "receiveNoWait()")


@asserts("8.5-3", ack=EXPLICIT, variant="each-kind")
def test_receive_no_wait_returns_each_message_in_the_end(case: Case) -> None:
    """receiveNoWait(), called again for a bounded time, returns each message, also one behind many expired ones, from wherever it comes."""
    places = _places(case)
    for place in places:
        for text in LIVING:
            place.send([text])
            expect.polls(place.link, text)
        place.send(["red expired"] * MANY, case.timing.delay)
    case.pass_time(3 * case.timing.delay, "the messages must expire")
    for place in places:
        place.send(["red late"])
        expect.polls(place.link, "red late", beside=("red expired",))


def _all_come(case: Case, receive: Callable[[Link], object], what: str) -> None:
    """Demand that all messages that live come, in order, and that no call returns null while there are some."""
    places = _places(case)
    _send(case, places, expired=True)
    with expect.all_of():
        for place in places:
            seen: list[object] = []
            while len(_living(place.link, seen)) < NUMBER and None not in seen:
                message: Any = receive(place.link)
                place.link.client.settle(message)
                seen.append(body(message))
            claim = f"what {what} returns on {place.where}, without expired messages"
            expect.equal(claim, _living(place.link, seen), LIVING)


@asserts("8.5-1", ack=EXPLICIT, variant="expired")
def test_receive_returns_the_messages_behind_expired_ones(case: Case) -> None:
    """receive() returns each message that lives, in order, and no null, though an expired one lies before each."""
    _all_come(case, lambda link: expect.returns(receiving(link), "receive()"), "receive()")


@asserts("8.5-2", ack=EXPLICIT, variant="expired")
def test_receive_with_timeout_returns_the_messages_behind_expired_ones(case: Case) -> None:
    """receive(timeout) returns each message that lives, in order, and no null, though an expired one lies before each."""
    _all_come(case, lambda link: link.poll(), "receive(timeout)")


@asserts("8.5-2", variant="expired-before")
def test_receive_with_timeout_goes_on_waiting_behind_an_expired_message(case: Case) -> None:
    """receive(timeout) that finds nothing but expired messages goes on waiting, and returns a message that comes in time."""
    places = _places(case)
    for place in places:
        place.send(["red expired"], case.timing.delay)
    case.pass_time(3 * case.timing.delay, "the messages must expire")
    calls = [case.spawn("receive(timeout)", partial(place.link.poll, 3 * case.timing.deadline)) for place in places]
    case.pass_time(case.timing.delay, "the receivers wait before anything else is sent")
    for place in places:
        place.send(["red late"])
    with expect.all_of():
        for place, call in zip(places, calls, strict=True):
            seen = body(expect.returns(call, f"receive(timeout) on {place.where}"))
            permitted = ("red late", "red expired")  # whether an expired one may come is for other rows
            expect.true(
                f"receive(timeout) on {place.where} returns a message", seen in permitted, f"it returned {seen}"
            )
