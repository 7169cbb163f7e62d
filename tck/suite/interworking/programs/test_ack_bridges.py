"""Interworking 2.6.1, 4.2: generated programs on connections of bridges with acknowledgment: losses, repetitions, and what is pending."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck.interworking import EVENT_RELIABILITY, PERSISTENT
from tck.interworking import acknowledgment as ack
from tck.interworking.bridge import FlowStyle, MessageType
from tck.interworking.clients import Batch
from tck.interworking.qos import CONNECTION_RELIABILITY
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Broken, Undecided, Unsupported
from tck.suite.support.interworking.acknowledging import INTERVAL, STEP, Push, terms
from tck.suite.support.interworking.crossing import GROUPS, PULL, PUSH, SEQUENCE, STRUCTURED, names_of, texts_of
from tck.suite.support.interworking.pending import PATIENT, Pending, Programmed, Text, item, names_in, rounds
from tck.suite.support.interworking.recorded import Call, Loss

CALLS = tuple(f"{way}_structured_event{many}" for way in ("push", "pull", "try_pull") for many in ("", "s"))
"""The calls that carry events."""
CONNECTS = ["connect_structured_push_consumer", "connect_sequence_push_consumer"]
SUPPLIES = ["connect_structured_pull_supplier", "connect_sequence_pull_supplier"]
MANY, FEW = 14, 5
"""How many items cross."""


def _bridged(case: Case, retries: int, points: Callable[[Programmed], Any]) -> Programmed:
    """Return a bridge with acknowledgment on its connection to the channel."""
    on = Programmed(case)
    on.channel.set_qos({**terms(retries), EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT})
    on.offered(points(on))
    return on


def _object(on: Programmed, operations: list[str]) -> Any:
    """Return what the bridge has connected to the channel."""
    found = [each.arguments[0] for each in on.recorded(*operations, by_channel=False)]
    own = [each for each in found if each is not None and not _of_suite(each)]
    if not own:
        raise Broken("the bridge connected no object of its own to the channel", expected="a client of the proxy")
    return own[-1]


def _of_suite(client: object) -> bool:
    return type(client).__module__.startswith("tck.suite")


class Losses:
    """Loses calls on the connection of a bridge: of those since the last acknowledgment that arrived no more than there are retries.

    Args:
        on: The crossing.
        retries: As many as the connection has.
    """

    def __init__(self, on: Programmed, retries: int) -> None:
        self._on, self._retries = on, retries
        self._lost = {"carry": 0, "acknowledge": 0}
        self.count = 0
        self._heard: set[int] = set()
        on.channels.losing(self)

    def __call__(self, call: Call) -> Loss | None:
        """Choose whether and how a call is lost."""
        acks = call.operation == "acknowledge"
        if not acks and not self._of_bridge(call):
            return None
        pulled = "pull" in call.operation or (acks and not self._pushes)
        kind = "acknowledge" if acks else "carry"
        lost = self._lost[kind] if pulled or (acks and not self._pushes) else sum(self._lost.values())
        if lost < self._retries and self._on.rng.random() < 0.4:
            self._lost[kind] += 1
            self.count += 1
            ways = (
                (Loss.OF_CALL, Loss.OF_ANSWER, Loss.UNNOTICED)
                if acks and self._pushes
                else (Loss.OF_CALL, Loss.OF_ANSWER)
            )
            return self._on.rng.choice(ways)
        new = acks and not set(call.arguments[0]) <= self._heard  # type: ignore[call-overload]
        if new:  # one that comes again need not give any retries back
            self._heard |= set(call.arguments[0])  # type: ignore[call-overload]
            self._lost = dict.fromkeys(self._lost, 0)
        return None

    _pushes = True

    def of(self, style: FlowStyle) -> Losses:
        """Say whether events are pushed or pulled across the border."""
        self._pushes = style == PUSH
        return self

    def _of_bridge(self, call: Call) -> bool:
        if call.operation not in CALLS:
            return False
        if call.by_channel:
            return not _of_suite(call.target)
        return call.proxy in self._proxies()

    def _proxies(self) -> list[object]:
        found = [each for each in self._on.channels.calls() if each.operation.startswith("connect_")]
        return [each.proxy for each in found if each.arguments[0] is not None and not _of_suite(each.arguments[0])]


def _forth(on: Programmed, count: int) -> list[object]:
    """Return what comes at the destination of events that are published."""
    for _ in range(count):
        on.some()
        on.case.pass_time(on.rng.choice((STEP, 2 * INTERVAL)), "events are on their way")
    came = list(names_of(on.received(len(on.published))))
    on.channels.losing(lambda _: None)
    on.intervals(3)
    on.link.send("marker")
    while (name := names_of(on.received(1))[0]) is not None:
        came.append(name)
    return [*came]


def _home(on: Programmed, count: int) -> list[object]:
    """Return what comes at the channel of messages that are sent."""
    out = on.pulls_from(qos=terms(**{ack.DELIVERY_RELIABILITY: ack.NONE}))
    for each in range(count):
        on.published.append(str(each))
        on.sender.send(str(each))
        if on.rng.random() < 0.3:
            on.case.pass_time(on.rng.choice((STEP, 2 * INTERVAL)), "messages are on their way")
    came: list[object] = []
    while len(set(came)) < count and (found := on.pull(out)):
        came += texts_of(found.events)
    on.channels.losing(lambda _: None)
    on.intervals(3)
    while found := on.pull(out, INTERVAL):
        came += texts_of(found.events)
    return came


@asserts(
    "iw-2.6.1-1", "iw-2.6.1-2", "iw-2.6.1-3", "iw-4.2.4-4", "iw-4.2.7-1", "iw-4.2.7.1-2", "iw-4.2.7.1-3",
    plain=True, variant="program"
)  # fmt: skip
def test_as_many_losses_as_retries_are_repaired(case: Case) -> None:
    """While at most Retries calls in a row are lost, in any way, each item comes once, and in order where it is pushed."""
    with expect.all_of():
        for to_jms, style, type_ in (
            (way, style, type_) for way in (True, False) for style in (PUSH, PULL) for type_ in GROUPS
        ):
            retries = 2 if type_ == STRUCTURED else 3
            try:
                on = _bridged(case, retries, lambda on: _points(on, to_jms, style, type_))
            except Unsupported as error:
                case.witness(f"not there: {error}")
                continue
            _ = on.link if to_jms else None
            # what is pushed to a bridge may have been lost once before the acknowledgment that the count begins at
            losses = Losses(on, retries - (to_jms and style == PUSH)).of(style)
            came = (_forth if to_jms else _home)(on, MANY if case.provider.clock.virtual else FEW)
            case.witness(f"{losses.count} calls were lost")
            _judge(on, came, ordered=style == PUSH)


def _points(on: Programmed, to_jms: bool, style: FlowStyle, type_: MessageType) -> Any:
    if not to_jms:
        return on.to_channel(type_, style)
    _ = on.link
    return on.to_jms(type_) if style == PUSH else (on.channel_end(on.to_jms()[0].role, PULL, type_), on.to_jms()[1])


def _judge(on: Programmed, came: list[object], *, ordered: bool) -> None:
    """Demand each item once."""
    for row in ("iw-2.6.1-1", "iw-4.2.7-1", "iw-4.2.7.1-2", "iw-4.2.7.1-3"):
        with expect.for_row(row):
            expect.equal("items that did not come", [each for each in on.published if each not in came], [])
    twice = ("iw-2.6.1-2", "iw-4.2.7.1-2", "iw-4.2.7.1-3") if ordered else ("iw-2.6.1-2",)
    for row in twice:  # what was acknowledged in time, at the last retry too, was not lost
        with expect.for_row(row):
            expect.equal("items that came twice", sorted({str(each) for each in came if came.count(each) > 1}), [])
    with expect.for_row("iw-4.2.4-4"):
        expect.equal("what came", sorted(map(str, came)), sorted(on.published))
    if ordered:
        with expect.for_row("iw-2.6.1-3"):
            wanted = [each for each in on.published if each in came]
            expect.equal("their order", list(dict.fromkeys(came)), wanted)


@asserts("iw-2.6.1-2", "iw-4.2.5.2-2", "iw-4.2.7.1-5", "iw-4.2.7.1-6", plain=True, variant="pushed to a bridge")
def test_a_bridge_knows_old_repetitions(case: Case) -> None:
    """A bridge that is pushed numbers of any age again sends nothing twice, and acknowledges each time; pushed as a channel would."""
    with expect.all_of():
        for type_ in GROUPS:
            on = _bridged(case, PATIENT, lambda on: on.to_jms(type_))
            client = _object(on, CONNECTS)
            on.channels.losing(
                lambda call: Loss.UNNOTICED if _acknowledges(call) else None
            )  # the channel has pushed nothing itself
            sent: list[Batch] = []
            unheard: list[int] = []
            for number in range(60 if case.provider.clock.virtual else 12):
                sent.append(item(number, on.rng.randint(1, 3) if type_ == SEQUENCE else 1))
                for each in (number, *(on.rng.randint(0, number) for _ in range(on.rng.randint(0, 2)))):
                    before = _acknowledged(on).count(each)
                    _push(on, client, sent[each])
                    on.case.pass_time(1, "an acknowledgment may follow")
                    unheard += [each] if _acknowledged(on).count(each) <= before else []
            wanted = names_in(sent)
            came = names_of(on.received(len(wanted)))
            on.link.send("marker")
            came += names_of(on.received(1))
            for row in ("iw-2.6.1-2", "iw-4.2.5.2-2", "iw-4.2.7.1-5"):
                with expect.for_row(row):
                    expect.equal("what came at the destination", came, [*wanted, None])
            with expect.for_row("iw-4.2.7.1-6"):
                on.until("all that was pushed was acknowledged", lambda: _acknowledged(on).count(0) > 0)
                late = [each for each in set(unheard) if _acknowledged(on).count(each) < 2]
                expect.equal("repetitions that were not acknowledged", sorted(late), [])


def _acknowledges(call: Call) -> bool:
    return call.operation == "acknowledge" and not call.by_channel


def _acknowledged(on: Programmed) -> list[int]:
    calls = on.recorded("acknowledge", by_channel=False)
    return [number for each in calls for number in each.arguments[0]]  # type: ignore[attr-defined]


def _push(on: Programmed, client: Any, events: Batch) -> None:
    if hasattr(client, "push_structured_events"):
        on.calls("a push", lambda: client.push_structured_events(events))
    else:
        on.calls("a push", lambda: client.push_structured_event(events[0]))


@asserts(
    "iw-4.2.3.2-3", "iw-2.6.1-1", "iw-4.2.6-1", "iw-4.2.5.2-1", "iw-4.2.5-3", "iw-4.2.5-7", plain=True, variant="bridge"
)
def test_programs_of_pulls_from_a_bridge(case: Case) -> None:
    """A bridge that is pulled keeps what is not acknowledged, whatever is pulled or acknowledged besides; pulled as a channel would."""
    with expect.all_of():
        for type_ in GROUPS:
            on = _bridged(case, PATIENT, lambda on: on.to_channel(type_, PULL))
            on.pulling_proxy().suspend_connection()
            case.pass_time(STEP, "a pull of the channel ends")
            client = _object(on, SUPPLIES)
            model, came = Pending(on, 3), []
            client_side = _Acknowledging(client)
            for _ in range(2 * rounds(case)):
                what = on.rng.choice(("send", "pull", "pull", "acknowledge", "pass"))
                if what == "send":
                    for _ in range(on.rng.randint(1, 4)):
                        on.sender.send(str(len(on.published)))
                        on.published.append(str(len(on.published)))
                elif what == "pull":
                    came += [found for _ in range(3) if (found := _pulled(on, client)) is not None]
                elif what == "acknowledge":
                    model.acknowledge(client_side)
                case.pass_time(on.rng.choice((1, 1, STEP, 2 * INTERVAL)), "what was pulled may be pulled again")
                model.look(came)
            _all_again(on, client, model, came)
            if [each for each in on.recorded(*CALLS, by_channel=True) if each.events]:
                raise Undecided("the channel has pulled although its connection was suspended")
            model.judge(ordered=False)


class _Acknowledging:
    """Acknowledges to a bridge."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def acknowledge(self, numbers: tuple[int, ...]) -> None:
        """Tell the numbers."""
        self._client.acknowledge(numbers)


def _pulled(on: Programmed, client: Any) -> Push | None:
    """Pull from a bridge."""
    if hasattr(client, "try_pull_structured_events"):
        found = on.calls("a pull", lambda: client.try_pull_structured_events(3))
    else:
        one = on.calls("a pull", client.try_pull_structured_event)
        found = () if one is None else (one,)
    return Text(found, on.case.now()) if found else None


def _all_again(on: Programmed, client: Any, model: Pending, came: list[Push]) -> None:
    """Demand that all that is pending can be pulled again; then pull and acknowledge the rest."""
    before = {number: len(model.times[number]) for number in model.pending}

    def again() -> list[int]:
        return [each for each, count in before.items() if len(model.times[each]) <= count]

    deadline = on.case.now() + 60 * INTERVAL
    while (again() or {*on.published} - {*model.names()}) and on.case.now() < deadline:
        if (found := _pulled(on, client)) is None:
            on.case.pass_time(INTERVAL // 2, "what was pulled may be pulled again")
            continue
        came.append(found)
        model.look(came)
        if found.known not in again():
            client.acknowledge((found.known,))
            model.acknowledged[found.known] = on.case.now()
    with expect.for_row("iw-4.2.6-1"):
        expect.equal("pending numbers that could not be pulled again", again(), [])
    expect.equal("pending numbers of the bridge that could not be pulled again", again(), [])
    with expect.for_row("iw-2.6.1-1"):
        expect.equal("messages that could not be pulled", sorted({*on.published} - {*model.names()}), [])


@asserts("iw-4.2.7.3-1", plain=True, variant="bridge")
def test_a_bridge_whose_retries_have_failed_pushes_no_more(case: Case) -> None:
    """After all retries of a push have failed, a bridge pushes none of the messages that come later on that connection."""
    for type_ in GROUPS:
        on = _bridged(case, 2, lambda on, type_=type_: on.to_channel(type_))  # type: ignore[misc]
        on.channels.losing(lambda call: Loss.OF_CALL if call.operation in CALLS else None)
        on.sender.send("0")
        on.until("the push was repeated", lambda: len(on.recorded(*CALLS, by_channel=False)) > 1)
        before = on.settled(lambda: len(on.recorded(*CALLS, by_channel=False)))
        on.channels.losing(lambda _: None)
        for each in range(1, 4):
            on.sender.send(str(each))
        on.intervals(10)
        calls = on.recorded(*CALLS, by_channel=False)
        expect.equal("later pushes", [each.operation for each in calls[before:] if each.proxy is calls[0].proxy], [])
