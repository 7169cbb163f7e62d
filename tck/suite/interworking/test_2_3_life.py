"""Interworking 2.3: the life of a bridge: made, started, stopped, started again, destroyed."""

from __future__ import annotations

from tck.interworking.bridge import MessageType
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.crossing import (
    CONNECTING,
    LISTENING,
    OPENING,
    PULL,
    PUSH,
    RECEIVING,
    SEQUENCE,
    SINK,
    SOURCE,
    STARTED,
    STOPPED,
    STRUCTURED,
    Crossing,
    crosses_to_channel,
    crosses_to_jms,
    names_of,
    numbered,
    texts_of,
)

CONNECTS = tuple(
    f"connect_{kind}_{style}_{client}"
    for kind in ("structured", "sequence")
    for style in ("push", "pull")
    for client in ("consumer", "supplier")
)
"""The operations by which clients connect to proxies."""


def _own(crossing: Crossing, operation: str) -> int:
    """Return how often the bridge connected by an operation: with an object of its own, as probes do not."""
    return sum(each.arguments != (None,) for each in crossing.recorded(operation, by_channel=False))


@asserts("iw-2.3-3", "iw-2.2-1", plain=True)
def test_a_bridge_knows_its_end_points(case: Case) -> None:
    """Two end points are all that create_bridge needs; the receiver of the bridge is the source, and its sender the sink."""
    crossing = Crossing(case)
    for points in (crossing.to_jms(), crossing.to_channel(SEQUENCE)):
        bridge = crossing.bridge(points, started=False)
        expect.equal("receiver and sender", (bridge.end_point_receiver, bridge.end_point_sender), points)


@asserts("iw-2.3-4", plain=True)
def test_a_destination_that_pushes_has_a_listener(case: Case) -> None:
    """For a source with PUSH the bridge sets a listener, and never calls receive."""
    crossing = Crossing(case)
    before = [crossing.provider_calls(*each) for each in (LISTENING, RECEIVING)]
    crossing.bridge(crossing.to_channel(STRUCTURED, PUSH))
    crosses_to_channel(crossing)
    listens, receives = (
        crossing.provider_calls(*each) - was for each, was in zip((LISTENING, RECEIVING), before, strict=True)
    )
    expect.true("a listener was set", listens > 0, "none was")
    expect.equal("calls of receive", receives, 0)


@asserts("iw-2.3-5", plain=True)
def test_a_destination_that_is_pulled_is_received_from(case: Case) -> None:
    """For a source with PULL the bridge calls receive, whatever the style of the channel, and sets no listener."""
    styles = []
    for sink in (PULL, PUSH):
        crossing = Crossing(case)
        points = crossing.destination(SOURCE, PULL), crossing.channel_end(SINK, sink)
        before = [crossing.provider_calls(*each) for each in (LISTENING, RECEIVING)]
        try:
            crossing.offered(points)
        except Unsupported as left_out:
            case.witness(str(left_out))
            continue
        crosses_to_channel(crossing)
        now = [crossing.provider_calls(*each) for each in (LISTENING, RECEIVING)]
        expect.true("the bridge receives", now[1] > before[1], "it never did")
        expect.equal("listeners that were set", now[0] - before[0], 0)
        styles.append(sink)
    if not styles:
        raise Unsupported("the bridge offers no destination that is pulled")


def _pulls(case: Case, type_: MessageType, connect: str, *pulls: str) -> None:
    """A pull consumer is connected for a channel that is pulled, and pulls what becomes messages."""
    crossing = Crossing(case)
    _ = crossing.link
    crossing.offered((crossing.channel_end(SOURCE, PULL, type_), crossing.destination(SINK)))
    crosses_to_jms(crossing)
    expect.equal(f"{connect} calls", sum(1 for _ in crossing.recorded(connect, by_channel=False)), 1)
    made = crossing.recorded(*pulls, by_channel=False)
    expect.equal("events that the bridge pulled", sum(len(each.events) for each in made), 3)


@asserts("iw-2.3-8", plain=True)
def test_the_bridge_pulls_single_events(case: Case) -> None:
    """For a source with PULL a consumer of single events is connected, and pulls."""
    calls = ("pull_structured_event", "try_pull_structured_event")
    _pulls(case, STRUCTURED, "connect_structured_pull_consumer", *calls)


@asserts("iw-2.3-9", plain=True)
def test_the_bridge_pulls_batches(case: Case) -> None:
    """For a source of sequences with PULL a consumer of batches is connected, and pulls."""
    calls = ("pull_structured_events", "try_pull_structured_events")
    _pulls(case, SEQUENCE, "connect_sequence_pull_consumer", *calls)


@asserts("iw-2.3-24", plain=True)
def test_how_a_start_activates_jms_is_recorded(case: Case) -> None:
    """What is sent before the start comes to the channel after it; by which call the connection is activated is left open."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_channel(), started=False)
    consumer = crossing.consumer()
    crossing.sender.send("early")
    before = crossing.provider_calls("Connection.start")
    crossing.calls("start_bridge", bridge.start_bridge)
    crossing.sender.send("late")
    came: list[object] = []
    while not came or came[-1] != "late":
        came += texts_of(crossing.pulled(consumer, 1))
    expect.true("nothing comes twice", came in (["early", "late"], ["late"]), repr(came))
    begun = crossing.provider_calls("Connection.start") > before
    expect.record("by Connection.start" if begun else "without Connection.start")


@asserts("iw-2.3-33", plain=True)
def test_asking_for_the_state_changes_nothing(case: Case) -> None:
    """Asked ten times, an active bridge is active, on one proxy; whether it asks the channel is recorded."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    proxies = [each.id for each in crossing.proxy_suppliers()]
    before = sum(_own(crossing, each) for each in CONNECTS)
    expect.equal("the states", [crossing.state(bridge) for _ in range(10)], [STARTED] * 10)
    expect.equal("the proxies", [each.id for each in crossing.proxy_suppliers()], proxies)
    asks = sum(_own(crossing, each) for each in CONNECTS) > before
    crosses_to_jms(crossing)
    expect.record("it connects again to see" if asks else "it does not connect again")


@asserts("iw-2.3-6", "iw-2.3-10", plain=True)
def test_single_events_become_messages(case: Case) -> None:
    """A push consumer of single events is connected, each event is pushed to it, and each becomes one message."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    expect.equal("connect calls", _own(crossing, "connect_structured_push_consumer"), 1)
    pushed = crossing.recorded("push_structured_event", by_channel=True)
    expect.equal("events pushed to the bridge", len(pushed), 3)


@asserts("iw-2.3-7", "iw-2.5.6-10", plain=True)
def test_batches_become_messages(case: Case) -> None:
    """A push consumer of batches is connected; every event of a batch is a message of its own, in the order of the batch."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms(SEQUENCE))
    crossing.supplier_of_batches().push_structured_events(tuple(numbered(3)))
    expect.equal("the messages", names_of(crossing.received(3)), ["0", "1", "2"])
    expect.equal("connect calls", _own(crossing, "connect_sequence_push_consumer"), 1)
    pushed = crossing.recorded("push_structured_events", by_channel=True)
    expect.equal("events pushed to the bridge", sum(len(each.events) for each in pushed), 3)


@asserts("iw-2.3-11", plain=True)
def test_messages_become_single_events(case: Case) -> None:
    """A push supplier is connected, and there is one push for each message."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_channel(STRUCTURED))
    crosses_to_channel(crossing)
    expect.equal("connect calls", _own(crossing, "connect_structured_push_supplier"), 1)
    expect.equal("pushes of the bridge", len(crossing.recorded("push_structured_event", by_channel=False)), 3)


@asserts("iw-2.3-12", plain=True)
def test_messages_become_batches(case: Case) -> None:
    """A push supplier of batches is connected; its batches together are the messages, in order."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_channel(SEQUENCE))
    crosses_to_channel(crossing)
    expect.equal("connect calls", _own(crossing, "connect_sequence_push_supplier"), 1)
    batches = crossing.recorded("push_structured_events", by_channel=False)
    events = [each for call in batches for each in call.arguments[0]]  # type: ignore[attr-defined]
    expect.equal("the events in the batches", texts_of(events), ["0", "1", "2"])


@asserts("iw-2.3-13", plain=True)
def test_the_channel_pulls_single_events(case: Case) -> None:
    """A pull supplier is connected, which the channel pulls: one event for each message."""
    crossing = Crossing(case)
    crossing.served(STRUCTURED)
    crosses_to_channel(crossing)
    expect.equal("connect calls", _own(crossing, "connect_structured_pull_supplier"), 1)
    pulls = crossing.recorded("pull_structured_event", "try_pull_structured_event", by_channel=True)
    expect.equal("events that pulls gave", len([each for each in pulls if each.events]), 3)


@asserts("iw-2.3-14", plain=True)
def test_the_channel_pulls_batches(case: Case) -> None:
    """A pull supplier of batches is connected; no pull gives more events than were asked for."""
    crossing = Crossing(case)
    crossing.served(SEQUENCE)
    crosses_to_channel(crossing, 5)
    expect.equal("connect calls", _own(crossing, "connect_sequence_pull_supplier"), 1)
    pulls = crossing.recorded("pull_structured_events", "try_pull_structured_events", by_channel=True)
    over = [each for each in pulls if len(each.events) > int(str(each.arguments[0]))]
    expect.equal("pulls that gave more than was asked for", over, [])


@asserts("iw-2.3-15", "iw-2.3-16", plain=True)
def test_a_new_bridge_has_a_proxy_and_a_connection(case: Case) -> None:
    """create_bridge makes the proxy of the right kind, a connection, a session and a producer or consumer, and connects nothing."""
    for to_jms in (True, False):
        crossing = Crossing(case)
        listed = crossing.proxy_suppliers if to_jms else crossing.proxy_consumers
        points = crossing.to_jms() if to_jms else crossing.to_channel()
        before = len(listed())
        made = [crossing.provider_calls(*each) for each in (CONNECTING, OPENING)]
        crossing.bridge(points, started=False)
        with expect.for_row("iw-2.3-15"):
            now = [crossing.provider_calls(*each) for each in (CONNECTING, OPENING)]
            expect.equal("new connections and sessions", [b - a for a, b in zip(made, now, strict=True)], [1, 1])
        with expect.for_row("iw-2.3-16"):
            expect.equal("new proxies", len(listed()) - before, 1)


@asserts("iw-2.3-18", plain=True)
def test_a_new_bridge_is_stopped(case: Case) -> None:
    """Before its start a bridge is stopped, and what is sent does not cross until then."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms(), started=False)
    state = crossing.state(bridge)
    supplier = crossing.supplier()
    supplier.push_structured_event(numbered(1)[0])
    crossing.dispatched(supplier)
    crossing.link.send("marker")
    expect.arrives(crossing.link, ["marker"])
    expect.true("a new bridge is stopped", state == STOPPED, repr(state))
    crossing.calls("start_bridge", bridge.start_bridge)
    crosses_to_jms(crossing)


@asserts("iw-2.3-19", "iw-2.3-23", "iw-2.3-27", plain=True)
def test_the_first_start_connects_once(case: Case) -> None:
    """The first start connects to the proxy by the operation of its kind, once, and the bridge is active; creation does not."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms(), started=False)
    before = sum(_own(crossing, each) for each in CONNECTS)
    crossing.calls("start_bridge", bridge.start_bridge)
    after = {each: _own(crossing, each) for each in CONNECTS if _own(crossing, each)}
    crosses_to_jms(crossing)
    expect.equal("connect calls after the start", after, {"connect_structured_push_consumer": 1})
    expect.equal("connect calls before it", before, 0)
    expect.equal("the state", crossing.state(bridge), STARTED)


@asserts("iw-2.3-20", plain=True)
def test_a_start_that_fails_leaves_the_bridge_stopped(case: Case) -> None:
    """Where the proxy cannot be connected, the start raises and the bridge stays stopped."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    bridge = crossing.bridge(crossing.to_jms(), started=False)
    crossing.channel.destroy()
    try:
        bridge.start_bridge()
    except Exception as error:  # noqa: BLE001 - which exception it is, another row says
        case.witness(f"start_bridge raised {type(error).__name__}: {error}")
    expect.equal("the state after a start on a channel that is gone", crossing.state(bridge), STOPPED)


@asserts("iw-2.3-21", "iw-2.3-31", plain=True)
def test_a_lost_channel_makes_the_bridge_inactive(case: Case) -> None:
    """A bridge whose channel is gone is inactive, though its connection to JMS is up."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    expect.equal("the state before", crossing.state(bridge), STARTED)
    crosses_to_jms(crossing)
    crossing.channel.destroy()
    deadline = case.now() + 60_000
    while crossing.state(bridge) != STOPPED and case.now() < deadline:
        case.pass_time(case.timing.delay / 10, "the bridge learns that its channel is gone")
    expect.equal("the state after the channel was destroyed", crossing.state(bridge), STOPPED)


@asserts("iw-2.3-22", plain=True)
def test_a_bridge_has_its_four_operations(case: Case) -> None:
    """start_bridge, get_status, stop_bridge and destroy can be called, and do what they say."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_channel(), started=False)
    crossing.calls("start_bridge", bridge.start_bridge)
    states = [crossing.calls("get_status", lambda: crossing.state(bridge))]
    crossing.calls("stop_bridge", bridge.stop_bridge)
    states.append(crossing.calls("get_status", lambda: crossing.state(bridge)))
    expect.equal("the states", states, [STARTED, STOPPED])
    crossing.calls("destroy", bridge.destroy)


@asserts("iw-2.3-25", "iw-2.3-26", plain=True)
def test_a_second_start_resumes(case: Case) -> None:
    """After a stop a start resumes the same connection: data crosses again, and the proxy is the same."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    before = [each.id for each in crossing.proxy_suppliers()]
    crossing.calls("stop_bridge", bridge.stop_bridge)
    crossing.calls("start_bridge", bridge.start_bridge)
    with expect.for_row("iw-2.3-25"):
        expect.equal("the proxies", [each.id for each in crossing.proxy_suppliers()], before)
        crosses_to_jms(crossing)
    with expect.for_row("iw-2.3-26"):
        expect.equal("the state", crossing.state(bridge), STARTED)
        resumed = crossing.recorded("resume_connection", by_channel=False)
        expect.record("by resume_connection" if resumed else "without resume_connection")


@asserts("iw-2.3-28", "iw-2.3-29", plain=True)
def test_a_stopped_bridge_carries_nothing(case: Case) -> None:
    """After stop_bridge the bridge is stopped, and nothing crosses until the next start."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    before = crossing.provider_calls("Connection.stop")
    crossing.calls("stop_bridge", bridge.stop_bridge)
    stopped = crossing.provider_calls("Connection.stop") > before
    state = crossing.state(bridge)
    supplier = crossing.supplier()
    supplier.push_structured_event(numbered(1)[0])
    crossing.dispatched(supplier)
    crossing.link.send("marker")
    with expect.for_row("iw-2.3-28"):
        expect.arrives(crossing.link, ["marker"])
        expect.true("the bridge is stopped", state == STOPPED, repr(state))
    with expect.for_row("iw-2.3-29"):
        expect.true("the bridge is stopped", state == STOPPED, repr(state))
        expect.record("by Connection.stop" if stopped else "without Connection.stop")


@asserts("iw-2.3-30", plain=True)
def test_what_comes_of_events_at_a_stopped_bridge_is_recorded(case: Case) -> None:
    """Events that come while the bridge is stopped are all carried after the start, or none of them."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    supplier = crossing.supplier()
    crossing.calls("stop_bridge", bridge.stop_bridge)
    for each in numbered(3):
        supplier.push_structured_event(each)
    crossing.calls("start_bridge", bridge.start_bridge)
    supplier.push_structured_event(numbered(4)[3])
    came: list[str | None] = []
    while not came or came[-1] != "3":
        came += names_of(crossing.received(1))
    expect.one_of("the events", tuple(came), {("0", "1", "2", "3"): "all are carried", ("3",): "none is carried"})


@asserts("iw-2.3-35", "iw-2.3-36", plain=True)
def test_a_destroyed_bridge_leaves_nothing(case: Case) -> None:
    """After destroy no admin lists the proxy, and the connection to JMS is closed."""
    for to_jms in (True, False):
        crossing = Crossing(case)
        listed = crossing.proxy_suppliers if to_jms else crossing.proxy_consumers
        before = len(listed())
        bridge = crossing.bridge(crossing.to_jms() if to_jms else crossing.to_channel())
        expect.equal("proxies with the bridge", len(listed()), before + 1)
        closed = crossing.provider_calls("Connection.close")
        crossing.calls("destroy", bridge.destroy)
        expect.equal("proxies after it", len(listed()), before)
        closed = crossing.provider_calls("Connection.close") - closed
        expect.true("a connection was closed", closed > 0, f"{closed} were")


@asserts("iw-2.3-37", plain=True)
def test_a_bridge_converts(case: Case) -> None:
    """What comes out at the destination is a message with the properties of an event, at the channel an event of a message."""
    crossing, other = Crossing(case), Crossing(case)
    crossing.bridge(crossing.to_jms())
    crossing.supplier().push_structured_event(numbered(1)[0])
    got = crossing.received(1)[0]
    expect.equal("$type_name of the message", got.get_string_property("$type_name"), "t")
    other.bridge(other.to_channel(STRUCTURED, PUSH))
    consumer = other.consumer()
    other.sender.send("x")
    made = other.pulled(consumer, 1)[0]
    expect.equal("type_name of the event", made.header.fixed_header.event_type.type_name, "%TextMessage")
