"""Interworking 2.2 and 3.1.3.1: which end points fit together."""

from __future__ import annotations

import itertools
from dataclasses import replace

from tck.interworking.bridge import (
    EndpointErrorCode,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    StyleNotOffered,
)
from tck.interworking.qos import PACING_INTERVAL
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Broken
from tck.suite.support.interworking.crossing import (
    GROUPS,
    PULL,
    PUSH,
    RECEIVING,
    SEQUENCE,
    SINK,
    SOURCE,
    STRUCTURED,
    Crossing,
    crosses_to_channel,
    crosses_to_jms,
    numbered,
    texts_of,
)

MISMATCH = EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE
NOT_THERE = 999_999
"""The id of no channel."""
TICKS = 10_000
"""Units of 100 ns in a ms."""
PACE = 100
"""A PacingInterval in ms."""
SLACK = 20
"""How much earlier than that a call may seem to begin: clocks of brokers count in steps of up to 16 ms."""
CONSISTENT = (
    (PUSH, PUSH, True),
    (PULL, PUSH, True),
    (PUSH, PUSH, False),
    (PULL, PUSH, False),
    (PULL, PULL, False),
)
"""The consistent pairs: style of the source, of the sink, and whether the sink is the destination."""


def refusal(crossing: Crossing, source: ExternalEndpoint, sink: ExternalEndpoint) -> InvalidExternalEndPoints:
    """Demand that create_bridge raises InvalidExternalEndPoints and makes nothing; return the exception."""
    before = crossing.factory.get_all_bridges()
    try:
        crossing.factory.create_bridge(source, sink)
    except InvalidExternalEndPoints as error:
        crossing.case.witness(f"create_bridge raised InvalidExternalEndPoints: {error}")
        expect.equal("the bridges afterwards", crossing.factory.get_all_bridges(), before)
        return error
    except Exception as error:
        raise Broken(
            f"create_bridge raised {type(error).__name__}: {error}", expected="InvalidExternalEndPoints"
        ) from error
    raise Broken("create_bridge made a bridge", expected="InvalidExternalEndPoints")


def _carries(case: Case, source: FlowStyle, sink: FlowStyle, *, to_jms: bool) -> bool:
    """Demand of a consistent pair that it is no mismatch, and that it carries where it is offered; return whether it is."""
    crossing = Crossing(case)
    if to_jms:
        points = crossing.channel_end(SOURCE, source), crossing.destination(SINK, sink)
    else:
        points = crossing.destination(SOURCE, source), crossing.channel_end(SINK, sink)
    try:
        bridge, _ = crossing.factory.create_bridge(*points)
    except StyleNotOffered as error:
        case.witness(f"create_bridge raised StyleNotOffered: {error}")
        return False
    except InvalidExternalEndPoints as error:
        codes = {each.code for each in error.errors}
        expect.true("a consistent pair is no mismatch", MISMATCH not in codes, str(error))
        return False
    except Exception as error:
        raise Broken(f"create_bridge raised {type(error).__name__}: {error}", expected="a bridge") from error
    crossing.calls("start_bridge", bridge.start_bridge)
    (crosses_to_jms if to_jms else crosses_to_channel)(crossing)
    crossing.calls("destroy", bridge.destroy)
    return True


@asserts("iw-2.2-7", plain=True)
def test_channel_push_and_jms_push(case: Case) -> None:
    """A channel that pushes and a destination are consistent; offered, the pair carries."""
    _carries(case, PUSH, PUSH, to_jms=True)


@asserts("iw-2.2-8", plain=True)
def test_channel_pull_and_jms_push(case: Case) -> None:
    """A channel that is pulled and a destination are consistent; offered, the pair carries."""
    _carries(case, PULL, PUSH, to_jms=True)


@asserts("iw-2.2-10", plain=True)
def test_jms_push_and_channel_push(case: Case) -> None:
    """A listener and a channel that is pushed to are consistent; offered, the pair carries."""
    _carries(case, PUSH, PUSH, to_jms=False)


@asserts("iw-2.2-11", plain=True)
def test_jms_push_and_channel_pull_is_recorded(case: Case) -> None:
    """A listener with a channel that pulls is the bridge's choice: it refuses the pair, or it carries."""
    crossing = Crossing(case)
    try:
        bridge, _ = crossing.factory.create_bridge(crossing.destination(SOURCE, PUSH), crossing.channel_end(SINK, PULL))
    except (InvalidExternalEndPoints, StyleNotOffered) as error:
        case.witness(f"create_bridge raised {type(error).__name__}: {error}")
        expect.record("it is refused")
        return
    except Exception as error:
        raise Broken(
            f"create_bridge raised {type(error).__name__}: {error}", expected="a bridge or a refusal"
        ) from error
    crossing.calls("start_bridge", bridge.start_bridge)
    crosses_to_channel(crossing)
    expect.record("it is offered")


@asserts("iw-2.2-12", plain=True)
def test_jms_pull_and_channel_push(case: Case) -> None:
    """A receiver and a channel that is pushed to are consistent; offered, the pair carries."""
    _carries(case, PULL, PUSH, to_jms=False)


@asserts("iw-2.2-13", plain=True)
def test_jms_pull_and_channel_pull(case: Case) -> None:
    """A receiver and a channel that pulls are consistent; offered, the pair carries."""
    _carries(case, PULL, PULL, to_jms=False)


@asserts("iw-2.2-16", plain=True)
def test_at_least_one_pair_for_each_direction(case: Case) -> None:
    """Which consistent pairs are left out is the bridge's choice, but one for each direction carries."""
    there = {
        f"{one.name}-{other.name}": _carries(case, one, other, to_jms=True)
        for one, other in ((PUSH, PUSH), (PULL, PUSH))
    }
    back = {
        f"{one.name}-{other.name}": _carries(case, one, other, to_jms=False)
        for one, other in ((PUSH, PUSH), (PULL, PUSH), (PULL, PULL))
    }
    expect.true("a pair carries from the channel", any(there.values()), repr(there))
    expect.true("a pair carries to the channel", any(back.values()), repr(back))
    offered = [f"to JMS {name}" for name, each in there.items() if each] + [
        f"to the channel {name}" for name, each in back.items() if each
    ]
    expect.record(", ".join(offered))


@asserts("iw-2.2-14", plain=True)
def test_a_pacing_interval_may_set_the_rhythm(case: Case) -> None:
    """A bridge that receives in a rhythm carries whatever PacingInterval says; whether it heeds it is its choice."""
    crossing = Crossing(case, {PACING_INTERVAL: PACE * TICKS})
    crossing.offered((crossing.destination(SOURCE, PULL), crossing.channel_end(SINK, PUSH)))
    crosses_to_channel(crossing)
    before = len(crossing.provider_times(*RECEIVING))
    for _ in range(4):
        case.pass_time(PACE, "the bridge asks for messages that are not there")
    asked = crossing.provider_times(*RECEIVING)[before:]
    gaps = [after - first for first, after in itertools.pairwise(asked)]
    expect.record("it is heeded" if gaps and min(gaps) >= PACE - SLACK else "the bridge has a rhythm of its own")


@asserts("iw-2.2-15", plain=True)
def test_between_a_listener_and_a_channel_that_pulls_is_a_buffer(case: Case) -> None:
    """Five messages that come before the channel pulls are there when it does, in order."""
    crossing = Crossing(case)
    crossing.offered((crossing.destination(SOURCE, PUSH), crossing.channel_end(SINK, PULL)))
    crosses_to_channel(crossing)
    consumer, proxy = crossing.consumer(), crossing.pulling_proxy()
    proxy.suspend_connection()
    texts = [str(each) for each in range(5)]
    for text in texts:
        crossing.sender.send(text)
    case.pass_time(case.timing.delay / 10, "the listener of the bridge is called while the channel does not pull")
    proxy.resume_connection()
    expect.equal("the messages at the channel", texts_of(crossing.pulled(consumer, 5)), texts)


@asserts("iw-2.2-17", plain=True)
def test_how_a_pair_is_left_out_is_recorded(case: Case) -> None:
    """A consistent pair that is not offered is refused by whatever exception; one pair carries."""
    refused, carried = [], 0
    for source, sink, to_jms in (*CONSISTENT, (PUSH, PULL, False)):
        crossing = Crossing(case)
        there = crossing.channel_end(SOURCE, source), crossing.destination(SINK, sink)
        back = crossing.destination(SOURCE, source), crossing.channel_end(SINK, sink)
        try:
            bridge, _ = crossing.factory.create_bridge(*(there if to_jms else back))
        except Exception as error:  # noqa: BLE001 - any refusal is permitted
            refused.append(f"{source.name}-{sink.name} {'to' if to_jms else 'from'} JMS: {type(error).__name__}")
        else:
            crossing.calls("start_bridge", bridge.start_bridge)
            (crosses_to_jms if to_jms else crosses_to_channel)(crossing)
            carried += 1
    expect.true("a pair carries", carried > 0, "; ".join(refused))
    expect.record("; ".join(refused) or "none is left out")


@asserts("iw-2.2-6", "iw-2.2-9", "iw-3.1.3.1-3", "iw-3.1.3.1-6", plain=True)
def test_a_jms_sink_never_pulls(case: Case) -> None:
    """create_bridge itself refuses a destination as a sink that pulls, whatever the channel's style, as a mismatch of the sink."""
    for style in (PUSH, PULL):
        crossing = Crossing(case)
        error = refusal(crossing, crossing.channel_end(SOURCE, style), crossing.destination(SINK, PULL))
        expect.true(
            "a mismatch of the sink is told",
            (SINK, MISMATCH) in [(each.role, each.code) for each in error.errors],
            str(error),
        )


@asserts("iw-3.1.3.1-1", plain=True)
def test_one_end_is_a_channel_and_one_a_destination(case: Case) -> None:
    """Two channels and two destinations are refused."""
    crossing = Crossing(case)
    refusal(crossing, crossing.channel_end(SOURCE), crossing.channel_end(SINK))
    refusal(crossing, crossing.destination(SOURCE), crossing.destination(SINK))


@asserts("iw-3.1.3.1-2", plain=True)
def test_the_table_of_styles(case: Case) -> None:
    """Of all pairs those with a destination that pulls as a sink are refused, and the consistent ones are no mismatch."""
    crossing = Crossing(case)
    refusal(crossing, crossing.channel_end(SOURCE, PUSH), crossing.destination(SINK, PULL))
    refusal(crossing, crossing.channel_end(SOURCE, PULL), crossing.destination(SINK, PULL))
    for source, sink, to_jms in CONSISTENT:
        _carries(case, source, sink, to_jms=to_jms)


@asserts("iw-3.1.3.1-4", "iw-3.1.3-1", plain=True)
def test_an_unknown_channel_is_told(case: Case) -> None:
    """A channel id that was never given out is INVALID_CHANNELID of its role, as source and as sink."""
    crossing = Crossing(case)
    for role, error in (
        (
            SOURCE,
            refusal(crossing, replace(crossing.channel_end(SOURCE), connector=NOT_THERE), crossing.destination(SINK)),
        ),
        (
            SINK,
            refusal(crossing, crossing.destination(SOURCE), replace(crossing.channel_end(SINK), connector=NOT_THERE)),
        ),
    ):
        errors = [(each.role, each.code) for each in error.errors]
        expect.equal("what is told", errors, [(role, EndpointErrorCode.INVALID_CHANNELID)])


@asserts("iw-3.1.3.1-5", plain=True)
def test_an_unknown_connection_factory_is_told(case: Case) -> None:
    """A destination with the name of no connection factory is INVALID_JMSDESTINATION of its role."""
    crossing = Crossing(case)
    point = crossing.destination(SINK)
    assert isinstance(point.connector, JMSDestination)  # noqa: S101 - a destination
    wrong = replace(point, connector=replace(point.connector, factory_name=case.name("factory")))
    error = refusal(crossing, crossing.channel_end(SOURCE), wrong)
    errors = [(each.role, each.code) for each in error.errors]
    expect.equal("what is told", errors, [(SINK, EndpointErrorCode.INVALID_JMSDESTINATION)])


@asserts("iw-3.1.1.1-2", plain=True)
def test_swapped_roles_are_recorded(case: Case) -> None:
    """A source with the role of a sink is refused, or taken for what its argument says; which is left open."""
    crossing = Crossing(case)
    source, sink = crossing.to_jms()
    crossing.bridge((source, sink))
    crosses_to_jms(crossing)
    try:
        crossing.factory.create_bridge(replace(source, role=SINK), replace(sink, role=SOURCE))
    except InvalidExternalEndPoints as error:
        case.witness(f"create_bridge raised InvalidExternalEndPoints: {error}")
        expect.record("it is refused")
    else:
        expect.record("it is taken")


@asserts("iw-2.2-3", "iw-3.1.1.2-1", "iw-3.1.1.2-5", "iw-3.1.1.2-6", plain=True)
def test_the_destination_is_the_one_that_is_named(case: Case) -> None:
    """Messages come at the destination of that kind and name."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    crossing.supplier().push_structured_event(numbered(1)[0])
    expect.equal("JMSDestination", crossing.received(1)[0].jms_destination, crossing.place)


@asserts("iw-2.2-4", "iw-3.1.1.2-2", "iw-3.1.1.3-1", plain=True)
def test_the_grouping_chooses_the_proxy(case: Case) -> None:
    """For sequences the channel carries batches to the bridge, else single events."""
    for type_, operation in ((STRUCTURED, "push_structured_event"), (SEQUENCE, "push_structured_events")):
        crossing = Crossing(case)
        crossing.bridge(crossing.to_jms(type_))
        crosses_to_jms(crossing)
        pushes = crossing.recorded("push_structured_event", "push_structured_events", by_channel=True)
        expect.equal("how the channel called the bridge", {each.operation for each in pushes}, {operation})


@asserts("iw-2.2-5", plain=True)
def test_the_style_says_who_calls(case: Case) -> None:
    """With push the bridge pushes into the channel; with pull the channel pulls from the bridge."""
    pulls = (
        "pull_structured_event",
        "try_pull_structured_event",
        "pull_structured_events",
        "try_pull_structured_events",
    )
    found = {}
    for style in (PUSH, PULL):
        crossing = Crossing(case)
        if style == PULL:
            crossing.served()
        else:
            crossing.bridge(crossing.to_channel())
        crosses_to_channel(crossing)
        found[style.name] = bool(crossing.recorded(*pulls, by_channel=True))
    expect.equal("whether the channel pulled from the bridge", found, {"PUSH": False, "PULL": True})


@asserts("iw-3.1.1.2-8", plain=True)
def test_the_channel_is_the_one_that_is_named(case: Case) -> None:
    """Of two channels the bridge uses the one whose id it was given."""
    crossing = Crossing(case)
    other, _ = crossing.channels.create_channel({}, {})
    crossing.bridge(crossing.to_channel())
    crosses_to_channel(crossing)
    admins = [other.get_supplieradmin(each) for each in other.get_all_supplieradmins()]
    expect.equal("proxies on the other channel", sum(len(each.push_consumers) for each in admins), 0)


@asserts("iw-3.1.1-1", "iw-3.1.1.1-1", "iw-3.1.2-1", "iw-3.1.2-2", plain=True)
def test_the_end_points_stay_as_they_were_given(case: Case) -> None:
    """Role, connector, style and type can be read from both ends, and do not change over the life of a bridge."""
    for type_ in GROUPS:
        crossing = Crossing(case)
        for points in (crossing.to_jms(type_), crossing.to_channel(type_)):
            bridge = crossing.bridge(points, started=False)
            seen = [(bridge.end_point_receiver, bridge.end_point_sender)]
            crossing.calls("start_bridge", bridge.start_bridge)
            seen.append((bridge.end_point_receiver, bridge.end_point_sender))
            crossing.calls("stop_bridge", bridge.stop_bridge)
            seen.append((bridge.end_point_receiver, bridge.end_point_sender))
            expect.equal("both ends, new, started and stopped", seen, [points] * 3)
