"""Interworking 2.5: quality of service of a channel and of JMS, carried by bridges that run."""

from __future__ import annotations

from tck import api
from tck.interworking import BEST_EFFORT, EVENT_RELIABILITY, PERSISTENT, PRIORITY, TIMEOUT, Any_, Kind, event
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    FIFO_ORDER,
    ORDER_POLICY,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.crossing import (
    LISTENING,
    RECEIVING,
    Crossing,
    crosses_to_channel,
    crosses_to_jms,
)

TICKS = 10_000
"""Units of 100 ns in a ms."""
LIFE = 60_000
"""How long events and messages live, in ms."""
DURABLE = (
    "Session.create_durable_subscriber",
    "TopicSession.create_durable_subscriber",
    "Session.create_durable_consumer",
    "Session.create_shared_durable_consumer",
    "JMSContext.create_durable_consumer",
    "JMSContext.create_shared_durable_consumer",
)
"""The calls that make consumers on durable subscriptions."""


@asserts("iw-2.5-1", plain=True)
def test_quality_is_carried_in_both_directions(case: Case) -> None:
    """Reliability, priority and life of an event are those of its message, and the other way round."""
    there, back = Crossing(case), Crossing(case)
    there.bridge(there.to_jms())
    life = Any_.of(Kind.ULONGLONG, LIFE * TICKS)
    header = {EVENT_RELIABILITY: Any_.of(Kind.SHORT, 0), PRIORITY: Any_.of(Kind.SHORT, 7), TIMEOUT: life}
    there.supplier().push_structured_event(event("d", "t", "n", header=header))
    got = there.received(1)[0]
    expect.equal("mode and priority", (got.jms_delivery_mode, got.jms_priority), (api.DeliveryMode.NON_PERSISTENT, 7))
    expect.between("the life of the message in ms", got.jms_expiration - got.jms_timestamp, 1, LIFE)
    back.bridge(back.to_channel())
    consumer = back.consumer()
    back.sender.send("x", mode=api.DeliveryMode.NON_PERSISTENT, priority=7, ttl=LIFE)
    made = back.pulled(consumer, 1)[0]
    items = {name: value.value for name in (EVENT_RELIABILITY, PRIORITY, TIMEOUT) if (value := made.field(name))}
    expect.equal("reliability and priority", (items.get(EVENT_RELIABILITY), items.get(PRIORITY)), (0, 7))
    expect.true("the event has a Timeout", items.get(TIMEOUT), repr(items))


def _reliability(crossing: Crossing) -> int:
    """Return the ConnectionReliability of the newest proxy for suppliers: that of a bridge that was just made."""
    return crossing.proxy_consumers()[-1].get_qos()[CONNECTION_RELIABILITY]


@asserts("iw-2.5.2-1", domain=("queue",), plain=True)
def test_a_queue_goes_with_a_persistent_connection(case: Case) -> None:
    """On a channel with Persistent connections the bridge's is one, and it reads the queue with a receiver."""
    crossing = Crossing(case, {CONNECTION_RELIABILITY: PERSISTENT})
    before = crossing.provider_calls(*LISTENING, *RECEIVING)
    crossing.bridge(crossing.to_channel())
    crosses_to_channel(crossing)
    expect.equal("ConnectionReliability of the bridge's proxy", _reliability(crossing), PERSISTENT)
    reads = crossing.provider_calls(*LISTENING, *RECEIVING) - before
    expect.true("the bridge reads the queue by a receiver", reads > 0, "no listener, and no call of receive")


@asserts("iw-2.5.2-2", "iw-2.5.2-5", domain=("queue",), plain=True)
def test_best_effort_is_not_usable_with_a_queue(case: Case) -> None:
    """A bridge from a queue to a channel with BestEffort connections is refused, or has a Persistent one."""
    lasting = Crossing(case, {CONNECTION_RELIABILITY: PERSISTENT})
    lasting.bridge(lasting.to_channel())
    crosses_to_channel(lasting)
    crossing = Crossing(case, {CONNECTION_RELIABILITY: BEST_EFFORT})
    step, outcome = "create_bridge", PERSISTENT
    try:
        bridge, _ = crossing.factory.create_bridge(*crossing.to_channel())
        step = "start_bridge"
        bridge.start_bridge()
    except Exception as error:  # noqa: BLE001 - any refusal is permitted
        text = f"{step} raised {type(error).__name__}"
        case.witness(text)
    else:
        crosses_to_channel(crossing)
        outcome, text = _reliability(crossing), "the connection is Persistent all the same"
    with expect.for_row("iw-2.5.2-2"):
        expect.equal("ConnectionReliability of the bridge's proxy, if there is one", outcome, PERSISTENT)
    with expect.for_row("iw-2.5.2-5"):
        expect.true("the state is known", outcome in (BEST_EFFORT, PERSISTENT), repr(outcome))
        expect.record(text if outcome == PERSISTENT else "nothing reports it")


def _durables(case: Case, asked: int) -> tuple[int, int]:
    """Carry from a topic to a channel; return the bridge's ConnectionReliability, and how many durable subscribers there were."""
    crossing = Crossing(case, {CONNECTION_RELIABILITY: asked})
    before = crossing.provider_calls(*DURABLE)
    bridge = crossing.bridge(crossing.to_channel())
    crosses_to_channel(crossing)
    seen = _reliability(crossing), crossing.provider_calls(*DURABLE) - before
    crossing.calls("destroy", bridge.destroy)
    return seen


@asserts("iw-2.5.2-3", domain=("topic",), plain=True)
def test_best_effort_means_a_subscriber_that_is_not_durable(case: Case) -> None:
    """From a topic to a channel with BestEffort connections no durable subscriber is made."""
    reliability, made = _durables(case, BEST_EFFORT)
    if reliability != BEST_EFFORT:
        raise Unsupported("the bridge's proxy has not the BestEffort connection of its channel")
    expect.equal("durable subscribers", made, 0)


@asserts("iw-2.5.6-7", plain=True)
def test_on_a_channel_whose_priority_order_is_unstable(case: Case) -> None:
    """Where the channel says that PriorityOrder mixes events of one priority, the proxy of the bridge has FifoOrder."""
    crossing = Crossing(case, unstable=True)
    crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing, 1)
    policies = [each.get_qos()[ORDER_POLICY] for each in crossing.proxy_suppliers()]
    expect.equal("the policies of the proxies", policies, [FIFO_ORDER])
