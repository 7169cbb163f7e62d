"""Interworking 2.5.3, 2.6.1, 2.6.2: event acknowledgment on the connections of a bridge."""

from __future__ import annotations

from tck.interworking import EVENT_RELIABILITY, PERSISTENT
from tck.interworking import acknowledgment as ack
from tck.interworking.bridge import FlowStyle, MessageType
from tck.interworking.qos import CONNECTION_RELIABILITY
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.interworking.acknowledging import INTERVAL, Reliable, number_in, terms
from tck.suite.support.interworking.crossing import (
    GROUPS,
    PULL,
    PUSH,
    SEQUENCE,
    STRUCTURED,
    names_of,
    numbered,
)
from tck.suite.support.interworking.modes import AUTO, DUPS_OK, Moded
from tck.suite.support.interworking.recorded import Call, Loss

PUSHES = ("push_structured_event", "push_structured_events")
"""The calls by which events are pushed."""
PERSISTENCE = {EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT}
"""What acknowledgment asks of events and connections."""
SENDS = ("MessageProducer.send", "QueueSender.send", "TopicPublisher.publish", "JMSProducer.send")
"""The calls by which messages are sent."""
CONNECTS = tuple(
    f"connect_{kind}_{style}_supplier" for kind in ("structured", "sequence") for style in ("push", "pull")
)
"""The calls by which suppliers connect."""
MANY = 20
SUPPLIERS = {
    (STRUCTURED, PUSH): ack.StructuredPushSupplierAck,
    (STRUCTURED, PULL): ack.StructuredPullSupplierAck,
    (SEQUENCE, PUSH): ack.SequencePushSupplierAck,
    (SEQUENCE, PULL): ack.SequencePullSupplierAck,
}


def _there(case: Case, type_: MessageType = STRUCTURED, *, on: bool = True, persistent: bool = True) -> Reliable:
    """Return a bridge that runs from a channel to the destination, whose connections have acknowledgment or not.

    With it all is persistent, as the document has it, unless that is left to the bridge.
    """
    made = Reliable(case)
    qos = terms(5) if on else terms(**{ack.DELIVERY_RELIABILITY: ack.NONE})
    made.channel.set_qos({**qos, **PERSISTENCE} if on and persistent else qos)
    made.bridge(made.to_jms(type_))
    return made


def _back(case: Case, type_: MessageType = STRUCTURED, style: FlowStyle = PUSH) -> Reliable:
    """Return a bridge that runs from the destination to a channel whose connections have acknowledgment."""
    made = Reliable(case)
    made.channel.set_qos({**terms(5), **PERSISTENCE})
    made.bridge(made.to_channel(type_, style))
    return made


def _pushed(on: Reliable) -> list[Call]:
    """Return the pushes of the channel to the bridge."""
    return on.recorded(*PUSHES, by_channel=True)


def _acknowledged(on: Reliable, *, by_channel: bool = False) -> list[int]:
    """Return the numbers that were acknowledged: by the bridge, or to it."""
    calls = on.recorded("acknowledge", by_channel=by_channel)
    return [number for each in calls for number in each.arguments[0]]  # type: ignore[attr-defined]


def _crossed(on: Reliable, count: int) -> list[str | None]:
    """Push events, and return the names of as many messages."""
    on.publish(*range(count))
    return names_of(on.received(count))


@asserts("iw-2.5.3-1", "iw-2.6.1-4", "iw-2.6.2-2", plain=True)
def test_without_acknowledgment_nothing_is_numbered_or_acknowledged(case: Case) -> None:
    """With DeliveryReliability None events cross without numbers and acknowledge is not called; with Acknowledgment both are there."""
    for type_ in GROUPS:
        plain, other = _there(case, type_, on=False), _there(case, type_)
        for each in (plain, other):
            expect.equal("the messages", _crossed(each, 3), ["0", "1", "2"])
        other.until(
            "the last number was acknowledged", lambda: number_in(_pushed(other)[-1].events[0]) in _acknowledged(other)
        )
        numbers = [number_in(event) for each in _pushed(plain) for event in each.events]
        expect.equal("numbers and acknowledgments with None", (numbers, _acknowledged(plain)), ([None] * 3, []))


@asserts("iw-2.5.3-2", "iw-2.6.2-1", "iw-2.6.2-3", "iw-2.6.2-4", "iw-2.6.2-19", plain=True)
def test_each_push_is_acknowledged(case: Case) -> None:
    """With Acknowledgment the bridge acknowledges each event or batch that is pushed to it, after the push began, by its number."""
    for type_ in GROUPS:
        on = _there(case, type_)
        expect.equal("the messages", _crossed(on, 5), ["0", "1", "2", "3", "4"])
        numbers = [number_in(each.events[0]) for each in _pushed(on)]
        on.until("all numbers were acknowledged", lambda: set(numbers) <= set(_acknowledged(on)))
        first = {number_in(each.events[0]): each.began_ns for each in reversed(_pushed(on))}
        calls = on.recorded("acknowledge", by_channel=False)
        given = [(number, each.began_ns) for each in calls for number in each.arguments[0]]  # type: ignore[attr-defined]
        early = [number for number, at in given if number not in first or at < first[number]]
        expect.equal("numbers that were acknowledged before their push", early, [])


@asserts("iw-2.6.1-5", plain=True)
def test_bridge_and_channel_have_the_interfaces(case: Case) -> None:
    """With Acknowledgment a bridge that supplies a channel can be acknowledged to, and is, in each style and group."""
    carried = 0
    for (type_, style), interface in SUPPLIERS.items():
        on = _back(case, type_, style)
        out = on.pulls_from(qos=terms(**{ack.DELIVERY_RELIABILITY: ack.NONE}))
        on.sender.send("0")
        carried += on.pull(out) is not None
        on.until("the bridge was acknowledged to", lambda: 0 in _acknowledged(on, by_channel=True))
        connected = [each.arguments[0] for each in on.recorded(*CONNECTS, by_channel=False)]
        expect.true(
            f"a {interface.__name__} was connected",
            any(isinstance(each, interface) for each in connected),
            repr(connected),
        )
    expect.equal("items that crossed", carried, len(SUPPLIERS))


@asserts("iw-2.6.1-6", "iw-2.6.1-7", plain=True)
def test_a_lost_acknowledgment_leads_to_a_repetition(case: Case) -> None:
    """Where an acknowledgment is lost the item is sent again after RetryInterval, with its number, and is carried once."""
    with expect.all_of():
        for type_ in GROUPS:
            on = _there(case, type_)
            lost: list[Call] = []
            number = -1
            on.channels.losing(lambda call: _once(call, lost))
            _ = on.link
            on.publish(0, 1, 2)
            with expect.for_row("iw-2.6.1-7"):
                on.until("an acknowledgment was lost", lambda: lost)
                number = lost[0].arguments[0][0]  # type: ignore[index]
                on.until("its number was pushed again", lambda: len(_with(on, number)) > 1)
                first, again = _with(on, number)[:2]
                expect.true(
                    "RetryInterval lies between",
                    again.began - first.began >= 0.9 * INTERVAL,
                    f"{again.began - first.began} ms",
                )
            with expect.for_row("iw-2.6.1-6"):
                on.until(
                    "the second push has ended", lambda: len(_with(on, number)) > 1 and _with(on, number)[1].ended_ns
                )
                on.link.send("marker")
                names = names_of(on.received(4))
                expect.equal("what came at the destination", sorted(map(str, names)), ["0", "1", "2", "None"])


def _once(call: Call, lost: list[Call]) -> Loss | None:
    """Lose the first acknowledgment."""
    if lost or call.operation != "acknowledge":
        return None
    lost.append(call)
    return Loss.UNNOTICED


def _with(on: Reliable, number: object) -> list[Call]:
    """Return the pushes to the bridge with a number."""
    return [each for each in _pushed(on) if number_in(each.events[0]) == number]


@asserts("iw-4.2.3.1-2", variant="bridge", plain=True)
def test_a_bridge_sends_before_it_acknowledges(case: Case) -> None:
    """When a bridge acknowledges its third event, it has called the provider for three messages."""
    for type_ in GROUPS:
        on = _there(case, type_)
        sent: list[int] = []
        before = on.provider_calls(*SENDS)
        on.channels.losing(lambda call: _noted(call, sent, on.provider_calls(*SENDS) - before))
        expect.equal("the messages", _crossed(on, 3), ["0", "1", "2"])
        on.until("the last number was acknowledged", lambda: number_in(_pushed(on)[-1].events[0]) in _acknowledged(on))
        if on.provider_calls(*SENDS) == before:
            raise Undecided("the sends of the bridge are no calls of the provider that the kit sees")
        counts = [len(each.events) for each in _pushed(on)]
        wanted = [sum(counts[: at + 1]) for at in range(len(counts))]
        few = [pair for pair in zip(sent, wanted, strict=False) if pair[0] < pair[1]]
        expect.equal("sent messages at an acknowledgment, and those due", few, [])


def _noted(call: Call, sent: list[int], count: int) -> Loss | None:
    """Note how many messages were sent when the bridge acknowledges."""
    if call.operation == "acknowledge" and not call.by_channel:
        sent.append(count)
    return None


@asserts("iw-2.6.2-17", "iw-2.6.2-18", plain=True)
def test_reliabilities_are_persistent(case: Case) -> None:
    """With Acknowledgment on the proxy of a bridge, its connection and the events of the channel are persistent."""
    with expect.all_of():
        for type_ in GROUPS:
            on = _there(case, type_, persistent=False)
            expect.equal("the messages", _crossed(on, 2), ["0", "1"])
            proxy = on.recorded(*PUSHES, by_channel=True)[-1].proxy
            qos = {**on.channel.get_qos(), **(proxy.get_qos() if proxy else {})}
            with expect.for_row("iw-2.6.2-17"):
                expect.equal("EventReliability", qos[EVENT_RELIABILITY], PERSISTENT)
            with expect.for_row("iw-2.6.2-18"):
                expect.equal("ConnectionReliability", qos[CONNECTION_RELIABILITY], PERSISTENT)


@asserts("iw-2.6.2-6", "iw-2.6.2-10", plain=True)
def test_what_is_pulled_without_acknowledgment(case: Case) -> None:
    """With DeliveryReliability None a bridge pulls events, which have no numbers, and acknowledges nothing."""
    for type_ in GROUPS:
        on = Moded(case, on=False)
        _ = on.link
        on.between(PULL, type_)
        expect.equal("the messages", _crossed(on, 3), ["0", "1", "2"])
        on.idle()
        names = [name for each in on.carried() for name in _names(each)]
        numbers = [number_in(event) for each in on.carried() for event in each.events]
        expect.equal("what was pulled", names, ["0", "1", "2"])
        expect.equal("numbers, and calls of acknowledge", (numbers, len(on.acknowledgments())), ([None] * 3, 0))


def _pulled(case: Case, type_: MessageType, mode: int) -> Moded:
    """Return a bridge that has pulled five events, and has been idle before and after."""
    on = Moded(case)
    on.receives_in(mode)
    _ = on.link
    on.between(PULL, type_)
    on.idle()
    expect.equal("calls of acknowledge before any event", len(on.acknowledgments()), 0)
    expect.equal("the messages", _crossed(on, 5), ["0", "1", "2", "3", "4"])
    on.until(
        "each number that was pulled was acknowledged",
        lambda: {on.number(each) for each in on.carried()} <= set(on.numbers()),
    )
    on.idle()
    return on


@asserts("iw-2.6.2-7", "iw-2.6.2-11", plain=True)
def test_what_is_pulled_for_dups_ok_is_acknowledged(case: Case) -> None:
    """In a DUPS_OK session each event or batch that a pull gives is acknowledged by its number after it, and nothing is where nothing came."""
    for type_ in GROUPS:
        _after_their_pulls(_pulled(case, type_, DUPS_OK))


@asserts("iw-2.6.2-8", "iw-2.6.2-12", plain=True)
def test_what_is_pulled_for_auto_is_acknowledged(case: Case) -> None:
    """In an AUTO session each event or batch that a pull gives is acknowledged by its number after it, and nothing is where nothing came."""
    for type_ in GROUPS:
        _after_their_pulls(_pulled(case, type_, AUTO))


def _after_their_pulls(on: Moded) -> None:
    """Demand that each acknowledgment names something, and only what was pulled before."""
    pulled = {on.number(each): each.ended_ns or 0 for each in reversed(on.carried())}
    given = [(numbers, each.began_ns) for numbers, each in zip(on.given(), on.acknowledgments(), strict=False)]
    wrong = [
        numbers for numbers, at in given if not numbers or any(pulled.get(number, at + 1) > at for number in numbers)
    ]
    expect.equal("acknowledgments of nothing, or of what had not been pulled", wrong, [])
    before = len(given)
    on.idle()
    on.intervals()
    expect.equal("acknowledgments while nothing comes", len(on.acknowledgments()) - before, 0)


@asserts("iw-2.6.2-15", plain=True)
def test_acknowledgments_match_pulls(case: Case) -> None:
    """For AUTO and DUPS_OK there is one acknowledgment for each pull that gave something, with its number."""
    for type_ in GROUPS:
        for mode in (AUTO, DUPS_OK):
            on = _pulled(case, type_, mode)
            wanted = sorted((on.number(each),) for each in on.carried())
            given = sorted(on.given())
            expect.equal("the numbers of each call of acknowledge", given, wanted)


def _heard(case: Case, style: FlowStyle) -> None:
    """Demand that what an application acknowledges is acknowledged to the channel, all of it, and nothing before."""
    on = Moded(case, repeats=True)
    application = on.application()
    on.between(style, STRUCTURED)
    on.publish(0, 1, 2, 3, 4)
    came = on.taken(application, 3)
    on.intervals(2)
    expect.equal("calls of acknowledge before the application did", len(on.acknowledgments()), 0)
    on.acknowledges(application, *came)
    of_names = {_names(each)[0]: on.number(each) for each in on.carried(style)}
    wanted = {of_names[str(each)] for each in names_of(came)}
    on.until("what the application acknowledged was acknowledged", lambda: wanted <= set(on.numbers()))
    on.intervals(2)
    expect.equal("the numbers that were acknowledged", set(on.numbers()), wanted)
    expect.equal("calls without a number", on.given().count(()), 0)
    while len(set(names_of(came))) < 5 and len(came) < MANY:
        more = on.taken(application, 2)
        on.acknowledges(application, *more)
        came += more
    numbers = {on.number(each) for each in on.carried(style)}
    on.until("all five were acknowledged", lambda: len(numbers) == 5 and numbers <= set(on.numbers()))


@asserts("iw-2.6.2-5", plain=True)
def test_what_is_pushed_waits_for_the_application(case: Case) -> None:
    """In a CLIENT_ACKNOWLEDGE session events that were pushed are acknowledged when the application acknowledges their messages."""
    _heard(case, PUSH)


@asserts("iw-2.6.2-9", "iw-2.6.2-13", "iw-2.6.2-16", plain=True)
def test_what_is_pulled_waits_for_the_application(case: Case) -> None:
    """In a CLIENT_ACKNOWLEDGE session events that were pulled are acknowledged when the application acknowledges their messages."""
    _heard(case, PULL)


@asserts("iw-2.6.2-14", plain=True)
def test_batches_are_not_paired_with_client_acknowledge(case: Case) -> None:
    """For a CLIENT_ACKNOWLEDGE session batches are refused, or none is acknowledged when the application has acknowledged one of its messages."""
    for style in (PUSH, PULL):
        on = Moded(case)
        application = on.application()
        alone = on.between(PUSH, STRUCTURED)
        on.publish(0)
        on.acknowledges(application, *on.taken(application, 1))
        on.until("an event alone was acknowledged", on.numbers)
        alone.destroy()
        before = len(on.acknowledgments())
        if on.refuses(style, SEQUENCE):
            continue
        on.supplier_of_batches().push_structured_events(tuple(numbered(4)[1:]))
        [first] = on.taken(application, 1)
        batch = next(each for each in on.carried(style) if names_of([first])[0] in _names(each))
        on.acknowledges(application, first)
        on.intervals(2)
        early = [number for numbers in on.given()[before:] for number in numbers]
        fits = len(batch.events) == 1 or on.number(batch) not in early
        expect.true("no batch is acknowledged with the first of its messages", fits, repr(early))


def _names(call: Call) -> list[str]:
    """Return the names of the events of a call."""
    return [each.header.fixed_header.event_name for each in call.events]
