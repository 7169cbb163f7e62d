"""Interworking 2.5.6 by programs: what differs between items of one priority, and leaves their order as it is."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from tck import api
from tck.interworking import EVENT_RELIABILITY, PRIORITY, TIMEOUT, Any_, Kind, StructuredEvent, event
from tck.interworking.bridge import ExternalEndpoint, FlowStyle, MessageType
from tck.interworking.qos import (
    ANY_ORDER,
    DEADLINE_ORDER,
    FIFO_ORDER,
    MAXIMUM_BATCH_SIZE,
    ORDER_POLICY,
    PACING_INTERVAL,
    PRIORITY_ORDER,
    ChannelError,
    PropertiesRefused,
)
from tck.suite.support import Case, asserts
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.bridging import KINDS, TICKS
from tck.suite.support.interworking.crossing import (
    GROUPS,
    PULL,
    PUSH,
    SEQUENCE,
    SINK,
    SOURCE,
    Crossing,
    crosses_to_jms,
    names_of,
)
from tck.suite.support.interworking.programs import Draw, Table

COUNT: Final = 20
PRIORITIES: Final = (None, None, None, 0, 7, 7, -3, 300, 5)
RELIABILITIES: Final = (None, 0, 1)
LIVES: Final = (None, None, 3_600_000, 60_000, 600_000, 86_400_000)
TYPES: Final = ("t", "a", "z", "%TextMessage")
BODIES: Final = (
    Any_.of(Kind.STRING, "x"),
    Any_.of(Kind.STRING, ""),
    Any_.of(Kind.LONG, 1),
    Any_.octets(b"x" * 3000),
    Any_.properties({}),
)
BATCHES: Final = (1, 2, 5, 12)
STYLES: Final = ((PUSH, PUSH), (PULL, PULL), (PULL, PUSH), (PUSH, PULL))


def _order(name: str, keys: Sequence[object], came: Sequence[int], table: Table, rows: str) -> None:
    """Note, for each key, that the items with it came in the order of their numbers."""
    table.demand("iw-2.5.6-1", f"{name}: what came", sorted(came), list(range(len(keys))))
    for key in sorted(set(keys), key=repr):
        seen = [each for each in came if keys[each] == key]
        table.demand(rows, f"{name}: those with {key}", seen, sorted(seen))


def _event(draw: Draw, number: int, priorities: Sequence[int | None]) -> StructuredEvent:
    """Return an event in which much is drawn; its name is its number."""
    priority, reliability, life = draw.each(priorities), draw.each(RELIABILITIES), draw.each(LIVES)
    header = {
        PRIORITY: None if priority is None else Any_.of(Kind.SHORT, priority),
        EVENT_RELIABILITY: None if reliability is None else Any_.of(Kind.SHORT, reliability),
        TIMEOUT: None if life is None else Any_.of(Kind.ULONGLONG, life * TICKS),
    }
    held = {name: value for name, value in header.items() if value is not None}
    data = {f"f{each}": Any_.of(Kind.LONG, 1) for each in range(draw.random.randrange(4))}
    return event("d", draw.each(TYPES), str(number), header=held, data=data, body=draw.each(BODIES))


def _key(given: StructuredEvent) -> object:
    """Return priority and delivery mode: between two of them JMS leaves the order open."""
    priority, reliability = given.field(PRIORITY), given.field(EVENT_RELIABILITY)
    return (None if priority is None else priority.value), reliability is None or reliability.value == 1


def _there(case: Case, table: Table, priorities: Sequence[int | None], seed: int) -> None:
    """Push events one by one and in batches, through each kind of bridge that is offered."""
    for style in (PUSH, PULL):
        for type_ in GROUPS:
            for admin in ({}, {MAXIMUM_BATCH_SIZE: 7, PACING_INTERVAL: 100 * TICKS}):
                seed += 1
                try:
                    crossing, draw = Crossing(case, admin), Draw(seed)
                except PropertiesRefused as error:
                    case.witness(f"the channel has no such quality: {error}")
                    continue
                _ = crossing.link
                try:
                    crossing.offered((crossing.channel_end(SOURCE, style, type_), crossing.destination(SINK)))
                except Unsupported as left_out:
                    case.witness(str(left_out))
                    continue
                events = [_event(draw, each, priorities) for each in range(COUNT)]
                single, batches, left = crossing.supplier(), crossing.supplier_of_batches(), list(events)
                by_batches = draw.chance(0.7)
                while left:
                    size = draw.each(BATCHES) if by_batches else 1
                    if by_batches:
                        batches.push_structured_events(tuple(left[:size]))
                    else:
                        single.push_structured_event(left[0])
                    del left[:size]
                name = f"{style.name} {type_.name} {seed}"
                got = table.attempt("iw-2.5.6-1", name, lambda: crossing.received(COUNT))
                came = [int(each or -1) for each in names_of(got)]
                rows = "iw-2.5.6-1 iw-2.5.6-9" + (" iw-2.5.6-8 iw-2.5.6-10" if len(set(priorities)) == 1 else "")
                _order(name, [_key(each) for each in events], came, table, rows)


def _back(case: Case, table: Table, *, mixed: bool, seed: int) -> None:
    """Send messages, through each kind of bridge that is offered."""
    for style, of_channel in STYLES:
        for type_ in GROUPS:
            seed += 1
            _back_by(Crossing(case), table, (style, of_channel, type_), mixed=mixed, seed=seed)


def _back_by(
    crossing: Crossing, table: Table, way: tuple[FlowStyle, FlowStyle, MessageType], *, mixed: bool, seed: int
) -> None:
    style, of_channel, type_ = way
    draw, keys = Draw(seed), []
    try:
        crossing.offered((crossing.destination(SOURCE, style), crossing.channel_end(SINK, of_channel, type_)))
    except Unsupported as left_out:
        crossing.case.witness(str(left_out))
        return
    consumer = crossing.consumer()
    consumer.set_qos({ORDER_POLICY: FIFO_ORDER})
    for number in range(COUNT // 2):
        mode = draw.each((api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT))
        priority, life = (draw.each((4, 4, 9, 1)) if mixed else 4), draw.each(LIVES) or 0
        message = crossing.sender.message(draw.each(KINDS), "x")
        message.set_int_property("number", number)
        message.jms_correlation_id = draw.each((None, "a", "z"))
        crossing.sender.send(message, mode=mode, priority=priority, ttl=life)
        keys.append((priority, mode))
    name = f"{style.name} to {of_channel.name} {type_.name} {seed}"
    events = table.attempt("iw-2.5.6-1", name, lambda: crossing.pulled(consumer, len(keys)))
    came = [int(str(found.value)) if (found := each.data("number")) else -1 for each in events]
    rows = "iw-2.5.6-1 iw-2.5.6-9" + (" iw-2.5.6-8 iw-2.5.6-10" if type_ == SEQUENCE and not mixed else "")
    _order(name, keys, came, table, rows)


@asserts("iw-2.5.6-9", "iw-2.5.6-8", "iw-2.5.6-10", "iw-2.5.6-1", variant="program", domain=("queue",), plain=True)
def test_what_differs_leaves_the_order_of_events(case: Case) -> None:
    """Events of one priority and reliability stay in order, whatever their lives, types, fields and bodies, and in batches of all sizes."""
    table = Table()

    def program() -> None:
        _there(case, table, (None,), 40)
        _there(case, table, PRIORITIES, 50)

    table.play(program)


@asserts(
    "iw-2.5.6-9", "iw-2.5.6-8", "iw-2.5.6-10", "iw-2.5.6-1", variant="program-messages", domain=("topic",), plain=True
)
def test_what_differs_leaves_the_order_of_messages(case: Case) -> None:
    """Messages of one priority and delivery mode stay in order on the channel, whatever their types, lives and headers."""
    table = Table()

    def program() -> None:
        _back(case, table, mixed=False, seed=60)
        _back(case, table, mixed=True, seed=70)

    table.play(program)


POLICIES: Final = (ANY_ORDER, FIFO_ORDER, PRIORITY_ORDER, DEADLINE_ORDER)


@asserts("iw-2.5.6-5", "iw-2.5.6-3", "iw-2.5.6-4", "iw-2.5.6-6", variant="program", domain=("queue",), plain=True)
def test_the_policy_wherever_it_is_asked_for(case: Case) -> None:
    """Whichever policy channel and admin ask for, and whatever the style, the proxy of a bridge from the channel that carries has FifoOrder or
    PriorityOrder, and PriorityOrder where that is stable.
    """
    table = Table()

    def program() -> None:
        plain = Crossing(case)
        plain.bridge(plain.to_jms())
        table.attempt("iw-2.5.6-5", "a plain bridge carries", lambda: crosses_to_jms(plain))
        for policy, at_admin, style, type_ in itertools.product(POLICIES, (False, True), (PUSH, PULL), GROUPS):
            crossing = Crossing(case, {} if at_admin else {ORDER_POLICY: policy})
            if at_admin:
                try:
                    crossing.channel.default_consumer_admin.set_qos({ORDER_POLICY: policy})
                except ChannelError as error:
                    case.witness(f"an admin has no policy of its own: {error}")
                    continue
            name = f"policy {policy} at the {'admin' if at_admin else 'channel'}, {style.name} {type_.name}"
            _policy(crossing, table, name, policy, crossing.channel_end(SOURCE, style, type_))

    table.play(program)


def _policy(crossing: Crossing, table: Table, name: str, policy: int, source: ExternalEndpoint) -> None:
    """Note the policy of the proxy of a bridge from a source that carries."""
    _ = crossing.link
    try:
        crossing.factory.create_bridge(source, crossing.destination(SINK))[0].start_bridge()
    except Exception as error:  # noqa: BLE001 - any refusal is permitted
        crossing.case.witness(f"it is refused: {type(error).__name__}: {error}")
        return
    crossing.supplier().push_structured_event(event("d", "t", "0"))
    table.attempt("iw-2.5.6-5", name, lambda: crossing.received(1))
    found = crossing.proxy_suppliers()[-1].get_qos()[ORDER_POLICY]
    rows = "iw-2.5.6-5" + {ANY_ORDER: " iw-2.5.6-3", DEADLINE_ORDER: " iw-2.5.6-4"}.get(policy, "")
    for row in rows.split():
        table.note(row, f"{name}: FifoOrder or PriorityOrder", found in (FIFO_ORDER, PRIORITY_ORDER), True)
    if crossing.channels.stable_priority:
        table.note("iw-2.5.6-6", f"{name}: the policy", found, PRIORITY_ORDER)
