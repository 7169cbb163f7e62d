"""Interworking 2.1: what a bridge is to the channel and to JMS."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tck import api
from tck.interworking import event
from tck.interworking.bridge import Bridge, BridgeStatus
from tck.interworking.clients import (
    SequencePullSupplier,
    SequencePushConsumer,
    SequencePushSupplier,
    StructuredPullSupplier,
    StructuredPushConsumer,
    StructuredPushSupplier,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.crossing import (
    GROUPS,
    PRODUCING,
    PULL,
    PUSH,
    SEQUENCE,
    STRUCTURED,
    WAY,
    Crossing,
    crosses_to_channel,
    crosses_to_jms,
)

CLASSES_SINCE_2_0 = ("JMSContext", "JMSProducer", "JMSConsumer")
"""Interfaces that JMS 1.1 has not."""
SINCE_2_0 = (
    "ConnectionFactory.create_context",
    "Session.create_durable_consumer",
    "Session.create_shared_consumer",
    "Session.create_shared_durable_consumer",
    "MessageProducer.delivery_delay",
    "Message.get_body",
    "Message.is_body_assignable_to",
    "Message.jms_delivery_time",
)
"""Calls that interfaces of JMS 1.1 have got with JMS 2.0."""


@asserts("iw-2.1-1", plain=True)
def test_a_bridge_joins_what_is_there(case: Case) -> None:
    """A channel and a destination that were made before are joined, in either direction."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    crossing.calls("destroy", bridge.destroy)
    other = Crossing(case)
    other.bridge(other.to_channel())
    crosses_to_channel(other)


@asserts("iw-2.1-2", plain=True)
def test_a_bridge_calls_jms_1_1_only(case: Case) -> None:
    """Of all calls to the provider while data crosses in both directions, none came with JMS 2.0."""
    there, back = Crossing(case), Crossing(case)
    points = there.to_jms()
    before = len(case.evidence.events)
    there.bridge(points)
    crosses_to_jms(there)
    back.bridge(back.to_channel())
    crosses_to_channel(back)
    made = [each for each in case.evidence.events[before:] if each.get("phase") == "invoke"]
    names = {str(each.get("op")) for each in made}
    names |= {
        f"{each.get('op')} with a CompletionListener" for each in made if "completion_listener" in str(each.get("args"))
    }
    newer = {
        each for each in names if each in SINCE_2_0 or each.partition(".")[0] in CLASSES_SINCE_2_0 or " with " in each
    }
    expect.true("the bridge makes no call of JMS 2.0", names and not newer, repr(sorted(newer)))


@asserts("iw-2.1-3", "iw-2.1-9", plain=True)
def test_end_points_are_all_that_a_bridge_needs(case: Case) -> None:
    """With two end points and nothing else, on a channel that knows no acknowledgment, data crosses in both directions."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    crossing.calls("destroy", bridge.destroy)
    other = Crossing(case)
    other.bridge(other.to_channel())
    crosses_to_channel(other)
    names = {each.operation for each in (*crossing.channels.calls(), *other.channels.calls())}
    expect.true(
        "no acknowledgment was asked for", not any("acknowledge" in name for name in names), repr(sorted(names))
    )


@asserts("iw-2.1-4", plain=True)
def test_towards_jms_a_bridge_is_a_consumer_of_the_channel_and_a_sender(case: Case) -> None:
    """A started bridge from the channel is one proxy more for consumers, and has made one producer."""
    crossing = Crossing(case)
    points = crossing.to_jms()
    before, made = len(crossing.proxy_suppliers()), crossing.provider_calls(*PRODUCING)
    crossing.bridge(points)
    expect.equal("proxies for consumers", len(crossing.proxy_suppliers()), before + 1)
    expect.equal("producers that were made", crossing.provider_calls(*PRODUCING) - made, 1)
    crosses_to_jms(crossing)


@asserts("iw-2.1-5", plain=True)
def test_towards_the_channel_a_bridge_is_a_receiver_and_a_supplier(case: Case) -> None:
    """A started bridge from a destination is one proxy more for suppliers, and consumes what is sent there."""
    crossing = Crossing(case)
    before = len(crossing.proxy_consumers())
    crossing.bridge(crossing.to_channel())
    expect.equal("proxies for suppliers", len(crossing.proxy_consumers()), before + 1)
    crosses_to_channel(crossing)


def _clients(case: Case, *connections: tuple[str, Callable[[Crossing], object], type]) -> None:
    """Each connect operation was called once, with a client that has the interface."""
    for operation, make, interface in connections:
        crossing = Crossing(case)
        make(crossing)
        calls = crossing.recorded(operation)
        expect.equal(f"the number of {operation} calls", len(calls), 1)
        client = calls[0].arguments[0] if calls else None
        expect.true(f"{operation} was given a {interface.__name__}", isinstance(client, interface), repr(client))


@asserts("iw-2.1-6", plain=True)
def test_for_push_a_bridge_has_the_push_interfaces(case: Case) -> None:
    """What a bridge connects to a proxy has the interface of its kind: push consumers and push suppliers."""
    _clients(
        case,
        ("connect_structured_push_consumer", lambda each: each.bridge(each.to_jms()), StructuredPushConsumer),
        ("connect_sequence_push_consumer", lambda each: each.bridge(each.to_jms(SEQUENCE)), SequencePushConsumer),
        ("connect_structured_push_supplier", lambda each: each.bridge(each.to_channel()), StructuredPushSupplier),
        ("connect_sequence_push_supplier", lambda each: each.bridge(each.to_channel(SEQUENCE)), SequencePushSupplier),
    )


@asserts("iw-2.1-7", plain=True)
def test_for_pull_a_bridge_has_the_pull_interfaces(case: Case) -> None:
    """What a bridge connects to a proxy that pulls has the interface of its kind."""
    _clients(
        case,
        (
            "connect_structured_pull_supplier",
            lambda each: each.served(STRUCTURED),
            StructuredPullSupplier,
        ),
        (
            "connect_sequence_pull_supplier",
            lambda each: each.served(SEQUENCE),
            SequencePullSupplier,
        ),
    )


@asserts("iw-2.1-10", plain=True)
def test_proxies_start_with_the_quality_of_their_admin(case: Case) -> None:
    """But for what other rows ask of it, the order of events and a connection that lasts, a proxy of a bridge has the quality of service
    of its admin.
    """
    changed = ("OrderPolicy", "ConnectionReliability")
    for type_ in GROUPS:
        crossing = Crossing(case)
        crossing.bridge(crossing.to_jms(type_))
        crosses_to_jms(crossing)
        proxy = crossing.proxy_suppliers()[-1]
        admin = proxy.admin
        ours: Mapping[str, int] = {name: each for name, each in proxy.get_qos().items() if name not in changed}
        theirs = {name: each for name, each in admin.get_qos().items() if name not in changed}
        expect.equal("the quality of service of the proxy", dict(ours), theirs)


@asserts("iw-2.3-1", "iw-2.2-2", plain=True)
def test_a_bridge_carries_one_way_only(case: Case) -> None:
    """Of data on both sides only that at the source crosses."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    watcher = crossing.consumer()
    crosses_to_jms(crossing)
    crossing.link.send("from JMS")
    expect.equal("the text at the destination", crossing.received(1)[0].get_string_property("$event_name"), None)
    case.pass_time(case.timing.delay / 10, "what carries the other way may do so in a thread of its own")
    expect.equal("the events that were pushed, at the channel", len(crossing.pulled(watcher, 3)), 3)
    expect.equal("a further event at the channel", watcher.try_pull_structured_event(), None)


@asserts("iw-2.3-2", plain=True)
def test_two_bridges_are_two_states(case: Case) -> None:
    """Of two bridges in opposite directions one goes on while the other is stopped."""
    crossing, other = Crossing(case), Crossing(case)
    there, back = crossing.bridge(crossing.to_jms()), other.bridge(other.to_channel())
    crossing.calls("stop_bridge", there.stop_bridge)
    expect.equal(
        "the states", [crossing.state(there), crossing.state(back)], [BridgeStatus.STOPPED, BridgeStatus.STARTED]
    )
    crosses_to_channel(other)
    crossing.calls("start_bridge", there.start_bridge)
    crosses_to_jms(crossing)


def _settles(crossing: Crossing, bridge: Bridge, milliseconds: float) -> BridgeStatus:
    """Return the state of a bridge once it is stopped, or after a time."""
    case = crossing.case
    deadline = case.now() + milliseconds
    while crossing.state(bridge) != BridgeStatus.STOPPED and case.now() < deadline:
        case.pass_time(case.timing.delay / 10, "the bridge learns that one of its sides is gone")
    return crossing.state(bridge)


@asserts("iw-2.3-17", plain=True)
def test_a_bridge_is_active_while_both_sides_are(case: Case) -> None:
    """Where either side is lost the bridge is inactive, though the other is there; both were, and it was active."""
    case.needs(api.Hook.SEVER)
    crossing, other = Crossing(case), Crossing(case)
    points = crossing.to_jms()
    before = len(crossing.connections(0))
    bridge = crossing.bridge(points)
    crosses_to_jms(crossing)
    expect.equal("the state with both sides", crossing.state(bridge), BridgeStatus.STARTED)
    for each in crossing.connections(before):
        case.provider.sever(each)
    crossing.supplier().push_structured_event(event("d", "t", "lost"))
    expect.equal("the state without JMS", _settles(crossing, bridge, WAY), BridgeStatus.STOPPED)
    bridge = other.bridge(other.to_jms())
    crosses_to_jms(other)
    other.channel.destroy()
    expect.equal("the state without the channel", _settles(other, bridge, WAY), BridgeStatus.STOPPED)


@asserts("iw-2.3-32", plain=True)
def test_whether_an_idle_bridge_notices_a_lost_connection_is_recorded(case: Case) -> None:
    """Without traffic a bridge may learn of a lost connection; one that is stopped does not become active by it."""
    case.needs(api.Hook.SEVER)
    crossing, other = Crossing(case), Crossing(case)
    found = []
    for each in (crossing, other):
        before = len(each.connections(0))
        bridge = each.bridge(each.to_channel())
        crosses_to_channel(each)
        found.append((bridge, each.connections(before)))
    crossing.calls("stop_bridge", found[0][0].stop_bridge)
    for _, connections in found:
        for each_one in connections:
            case.provider.sever(each_one)
    noticed = _settles(crossing, found[1][0], case.timing.deadline) == BridgeStatus.STOPPED
    expect.equal("the state of the stopped bridge", crossing.state(found[0][0]), BridgeStatus.STOPPED)
    expect.record("it notices" if noticed else "it does not notice")


@asserts("iw-2.1-8", plain=True)
def test_a_bridge_uses_a_listener_a_consumer_and_a_producer(case: Case) -> None:
    """A push source has a MessageListener, a pull source receives, and a sink sends."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_channel(STRUCTURED, PUSH))
    crosses_to_channel(crossing)
    listens = crossing.provider_calls("MessageConsumer.message_listener") > 0
    expect.true("a push source has a listener", listens, "none was called")
    other = Crossing(case)
    other.offered(other.to_channel(STRUCTURED, PULL))
    crosses_to_channel(other)
    receives = {"MessageConsumer.receive", "MessageConsumer.receive_no_wait"}
    expect.true("a pull source receives", crossing.provider_calls(*receives) > 0, "no message was received")
