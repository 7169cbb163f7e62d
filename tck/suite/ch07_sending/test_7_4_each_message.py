"""7.4 Message delivery options: defaults, accepted values, the delivery delay, and the hints that leave headers out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.sender import Sender
from tck.suite.support.clients.timed_send import Sending, timed_send
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body, tried

MODES = (api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT)
LONG = 48 * 3_600_000
"""A time in ms that does not end during the case."""
NUMBER = 2
"""The number of sends under one setting: the first one may differ from the later ones."""
TERMS: tuple[Mapping[str, int], ...] = ({}, {"mode": MODES[0]}, {"priority": 7}, {"ttl": LONG}, {})
"""Options of sends in turn: none, each alone, and none again."""
DEFAULTS = {
    "delivery_mode": api.DeliveryMode.PERSISTENT,
    "priority": 4,
    "time_to_live": 0,
    "delivery_delay": 0,
    "disable_message_id": False,
    "disable_message_timestamp": False,
}


def _options(sender: Sender, case: RunningCase) -> dict[str, object]:
    """Read all options of a producer that the version has."""
    producer: Any = sender.producer
    names = [name for name in DEFAULTS if name != "delivery_delay" or case.offers("delivery delays")]
    if case.api == "simplified":
        return {name: getattr(producer, f"get_{name}")() for name in names}
    return {name: getattr(producer, name) for name in names}


def _defaults(names: Mapping[str, object]) -> dict[str, object]:
    return {name: DEFAULTS[name] for name in names}


def _setting(link: Link, **options: Any) -> Callable[[], object]:
    return lambda: link.sender.set(**options)


def _limited(link: Link, text: str, ttl: int | None = None, delay: int | None = None) -> None:
    """Send with a time to live, and a delay of the producer if it is given; demand the times at both ends."""
    message = link.text(text)
    sending = timed_send(link, message, ttl=ttl)
    _times(f"after the send {text}", message, sending, delay)
    _times(f"at the receiver, sent {text}", link.receive(), sending, delay)


def _times(end: str, message: api.Message, sending: Sending, delay: int | None) -> None:
    low, high = sending.called + LONG, sending.returned + LONG
    expect.between(f"JMSExpiration {end}", message.jms_expiration, low, high)
    if delay is not None:
        low, high = sending.called + delay, sending.returned + delay
        expect.between(f"JMSDeliveryTime {end}", message.jms_delivery_time, low, high)


@asserts("7.4-10", ack=("auto", "transacted"), plain=True)
def test_the_defaults_of_a_new_producer(case: Case) -> None:
    """A new producer has the default options, also one that is created after another one of the session was changed."""
    first = case.link()
    expect.equal("JMSPriority of a plain send", first.carry(first.text("x")).jms_priority, 4)
    expect.equal(
        "the options of the first producer", _options(first.sender, case), _defaults(_options(first.sender, case))
    )
    first.sender.set(mode=MODES[0], priority=7, ttl=LONG, disable_id=True, disable_timestamp=True)
    first.carry(first.text("changed"))
    changed = Link(first.client, case.destination())
    changed.sender.set(mode=MODES[0], priority=1, ttl=LONG, disable_id=True, disable_timestamp=True)
    changed.send("changed too")
    changed.sender.close()
    for client in (first.client, first.client.peer(), case.client()):
        link = Link(client, case.destination())
        expect.equal(
            "the options of a later producer", _options(link.sender, case), _defaults(_options(link.sender, case))
        )
        message = link.carry(link.text("plain"))
        seen = [message.jms_delivery_mode, message.jms_priority, message.jms_expiration]
        expect.equal("mode, priority and expiration of its message", seen, [MODES[1], 4, 0])


@asserts("7.4-10", ack=("auto", "transacted"), plain=True, variant="after-others")
def test_a_producer_takes_over_nothing_of_one_that_is_closed(case: Case) -> None:
    """After producers with other options sent and were closed, with their session, or with their connection, a new one has the defaults."""
    with expect.all_of():
        for ends in ("producer", "session", "connection"):
            for named, sends in itertools.product((True, False), (True, False)):
                link, client = case.link(), case.client()
                former = client.peer() if ends == "session" else client
                sender = former.sender(link.destination if named else None)
                _change(case, sender)
                if sends:
                    sender.send(former.text("former"), to=None if named else link.destination)
                    former.settle()
                _END[ends](sender, former)
                user = case.client() if ends == "connection" else client
                _plain(link, user, named, f"after a {ends} with a producer that {'sent' if sends else 'did not send'}")


_END: Mapping[str, Callable[[Sender, Client], object]] = {
    "producer": lambda sender, _: sender.close(),
    "session": lambda _, client: client.close_session(),
    "connection": lambda _, client: client.close(),
}


def _change(case: Case, sender: Sender) -> None:
    """Give a producer other options than the defaults; whether it takes a delivery delay is for another row."""
    sender.set(mode=MODES[0], priority=7, ttl=LONG, disable_id=True, disable_timestamp=True)
    if case.offers("delivery delays"):
        tried(partial(sender.set, delay=case.long_delay()))


def _plain(link: Link, client: Client, named: bool, when: str) -> None:
    """Demand that a new producer of a client has the default options, and sends with them."""
    new = client.sender(link.destination if named else None)
    seen = _options(new, link.case)
    expect.equal(f"the options of a new producer, {when}", seen, _defaults(seen))
    message = client.text("plain")
    new.send(message, to=None if named else link.destination)
    client.settle()
    received = expect.arrival(link)
    while body(received) == "former":  # in versions without delivery delays
        received = expect.arrival(link)
    link.client.settle(received)
    headers = [received.jms_delivery_mode, received.jms_priority, received.jms_expiration]
    expect.equal(
        f"body, mode, priority and expiration of its message, {when}",
        [body(received), *headers],
        ["plain", MODES[1], 4, 0],
    )
    new.close()


@asserts("7.4-12", ack=("auto", "transacted"))
def test_all_priorities_and_modes_are_accepted(case: Case) -> None:
    """Each priority with each delivery mode is accepted by a producer and by a send, and is on the message."""
    link = case.link()
    wanted = [(mode, priority) for mode in MODES for priority in range(10)]
    seen: list[tuple[int, int]] = []
    for mode, priority in wanted:
        expect.works(f"priority {priority} in mode {mode}", _setting(link, mode=mode, priority=priority))
        message = link.carry(link.text(f"{mode} {priority}"))
        seen.append((message.jms_delivery_mode, message.jms_priority))
    expect.equal("mode and priority, set on the producer", seen, wanted)
    link, seen = case.link(), []
    for mode, priority in wanted:
        link.send(f"{mode} {priority}", mode=mode, priority=priority)
        message = link.receive()
        seen.append((message.jms_delivery_mode, message.jms_priority))
    expect.equal("mode and priority, given in the send", seen, wanted)


@asserts("7.4-13")
def test_illegal_options_are_refused(case: Case) -> None:
    """A priority outside of 0 to 9 and a delivery mode that does not exist are refused when they are set."""
    link = case.link()
    priorities = {f"priority {one}": _setting(link, priority=one) for one in (-1, 10, 255, -(2**31), 2**31 - 1)}
    modes = {f"delivery mode {one}": _setting(link, mode=one) for one in (-1, 0, 3, -(2**31), 2**31 - 1)}
    works = dict.fromkeys(priorities, _setting(link, priority=9)) | dict.fromkeys(modes, _setting(link, mode=MODES[0]))
    link.carry(link.text("x"))
    expect.all_raise(case.thrown(api.JMSException), priorities | modes, though_work=works)


def _sent_delayed(link: Link, delay: int, terms: Sequence[Mapping[str, Any]]) -> list[Sending]:
    """Send a message with each of these options, and demand its JMSDeliveryTime."""
    sendings = []
    for at, options in enumerate(terms):
        called = link.case.now()
        message = link.put(f"delayed {at}", **options)
        sendings.append(Sending(called, link.case.now()))
        low, high = called + delay, sendings[-1].returned + delay
        expect.between(f"JMSDeliveryTime of the send with {dict(options)}", message.jms_delivery_time, low, high)
    return sendings


@asserts("7.4-4", ack=("auto", "transacted"))
def test_the_delivery_delay_of_a_producer(case: Case) -> None:
    """The delivery delay of a producer counts for each message, with options of the send and without, until it is changed."""
    link = case.link()
    delay = case.long_delay()
    link.sender.set(delay=delay)
    sendings = _sent_delayed(link, delay, TERMS)
    link.client.settle()
    arrivals: list[tuple[str, int]] = []
    for _ in sendings:
        message = expect.present("the next message", link.poll(case.timing.deadline + delay))
        arrivals.append((str(body(message)), case.now()))
        link.client.settle(message)
    due = {f"delayed {at}": one.called + delay - case.timing.tolerance for at, one in enumerate(sendings)}
    early = [f"{text} at {at}, due {due[text]}" for text, at in arrivals if at < due[text]]
    expect.equal("the messages", sorted(text for text, _ in arrivals), sorted(due))
    expect.true("none arrives before its delivery time", not early, "; ".join(early))


@asserts("7.4-4", variant="changed")
def test_a_changed_delivery_delay(case: Case) -> None:
    """Each change of a producer's delivery delay counts for all later messages, and 0 ends it."""
    link = case.link()
    for delay in (LONG, 3 * LONG, 2 * LONG):
        link.sender.set(delay=delay)
        _sent_delayed(link, delay, TERMS)
    link.sender.set(delay=0)
    link.send("at once")
    expect.only(link, ["at once"])


def _identified(link: Link, terms: Mapping[str, int]) -> tuple[object, object]:
    """Send with these options; return JMSMessageID at both ends."""
    sent = link.send("x", **terms)
    return sent.jms_message_id, link.receive().jms_message_id


def _whole(identifier: object) -> bool:
    return identifier is None or (isinstance(identifier, str) and len(identifier) > 3 and identifier.startswith("ID:"))


@asserts("7.4-14", ack=("auto", "transacted"))
def test_disabled_message_identifiers(case: Case) -> None:
    """Without message identifiers, each message has none or a whole one of its own, whatever the options of the send."""
    link = case.link()
    used = [link.carry(link.text("x")).jms_message_id]
    link.sender.set(disable_id=True)
    pairs = [_identified(link, terms) for terms in TERMS for _ in range(NUMBER)]
    link.sender.set(mode=MODES[0])
    pairs += [_identified(link, terms) for terms in TERMS]
    odd = [one for pair in pairs for one in pair if not _whole(one)]
    expect.true("each identifier is null or begins with ID:", not odd, f"identifiers were {odd!r}")
    for end, seen in (("after the send", [sent for sent, _ in pairs]), ("at the receiver", [got for _, got in pairs])):
        normal = [one for one in [*used, *seen] if one is not None]
        twice = sorted({str(one) for one in normal if normal.count(one) > 1})
        expect.true(f"no identifier comes twice {end}", not twice, f"{twice} came twice")


@asserts("7.4-15", ack=("auto", "transacted"))
def test_disabled_timestamps(case: Case) -> None:
    """Without timestamps, each message has zero or the time of its send, whatever the options of the send."""
    link = case.link()
    link.sender.set(disable_timestamp=True)
    wrong: list[str] = []
    for mode in MODES[::-1]:
        link.sender.set(mode=mode)
        for terms in TERMS:
            called = case.now()
            sent = link.put("x", **terms)
            sending = Sending(called, case.now())
            link.client.settle(sent)
            case.pass_time(case.timing.tolerance + 1, "the receipt must have another time")
            for seen in (sent.jms_timestamp, link.receive().jms_timestamp):
                wrong += [f"{seen}, sent {sending}"] if seen != 0 and not sending.holds(seen) else []
    expect.true("each timestamp is zero or the time of the send", not wrong, "; ".join(wrong))


@asserts("7.4-16", ack=("auto", "transacted"))
def test_disabled_timestamps_keep_the_other_times(case: Case) -> None:
    """Without timestamps, expiration counts from the send, and the message arrives."""
    link = case.link()
    link.sender.set(disable_timestamp=True)
    _limited(link, "by argument", ttl=LONG)
    link.sender.set(ttl=LONG)
    _limited(link, "by the producer")
    _limited(link, "by the producer, again")
    link.sender.set(mode=MODES[0])
    _limited(link, "not persistent")


@asserts("7.4-16", variant="delay")
def test_disabled_timestamps_keep_the_delivery_time(case: Case) -> None:
    """Without timestamps, the delivery time counts from the send too, where the version has one."""
    link = case.link()
    delay = case.timing.delay if case.offers("delivery delays") else None
    link.sender.set(disable_timestamp=True, ttl=LONG, delay=delay)
    _limited(link, "first", delay=delay)
    _limited(link, "second", delay=delay)
    link.sender.set(mode=MODES[0])
    _limited(link, "not persistent", delay=delay)
