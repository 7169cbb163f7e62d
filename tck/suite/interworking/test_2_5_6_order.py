"""Interworking 2.5.6: the order of what a bridge carries."""

from __future__ import annotations

from tck.interworking import PRIORITY, Any_, Kind, event
from tck.interworking.bridge import ExternalEndpoint, MessageType
from tck.interworking.qos import FIFO_ORDER, ORDER_POLICY, PRIORITY_ORDER
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.crossing import (
    GROUPS,
    PULL,
    PUSH,
    SEQUENCE,
    STRUCTURED,
    Crossing,
    names_of,
    texts_of,
)

MANY = 200


def _in_order(crossing: Crossing, *, to_jms: bool, count: int = MANY) -> None:
    """Send numbered items of one priority, and demand them in order."""
    texts = [str(each) for each in range(count)]
    if to_jms:
        supplier = crossing.supplier()
        for text in texts:
            supplier.push_structured_event(event("d", "t", text))
        expect.equal("the events at the destination", names_of(crossing.received(count)), texts)
        return
    consumer = crossing.consumer()
    for text in texts:
        crossing.sender.send(text)
    expect.equal("the messages at the channel", texts_of(crossing.pulled(consumer, count)), texts)


@asserts("iw-2.5.6-1", plain=True)
def test_items_of_one_priority_stay_in_order(case: Case) -> None:
    """Two hundred items of one priority come out in the order in which they were sent, through each kind of bridge."""
    for points, to_jms in ((_there, True), (_back, False), (_pulled, False)):
        crossing = Crossing(case)
        crossing.bridge(points(crossing))
        _in_order(crossing, to_jms=to_jms)


def _there(crossing: Crossing) -> tuple[ExternalEndpoint, ExternalEndpoint]:
    return crossing.to_jms()


def _back(crossing: Crossing) -> tuple[ExternalEndpoint, ExternalEndpoint]:
    return crossing.to_channel(STRUCTURED, PUSH)


def _pulled(crossing: Crossing) -> tuple[ExternalEndpoint, ExternalEndpoint]:
    return crossing.to_channel(STRUCTURED, PULL)


@asserts("iw-2.5.6-8", plain=True)
def test_batches_keep_the_order(case: Case) -> None:
    """A hundred items stay in order where batches become messages, and messages batches."""
    there, back = Crossing(case), Crossing(case)
    there.bridge(there.to_jms(SEQUENCE))
    _in_order(there, to_jms=True, count=100)
    back.bridge(back.to_channel(SEQUENCE))
    _in_order(back, to_jms=False, count=100)


@asserts("iw-2.5.6-9", "iw-2.5.6-2", plain=True)
def test_within_each_priority_the_order_is_kept(case: Case) -> None:
    """Of events of two priorities in batches, those of each come out in order; which goes first is recorded."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms(SEQUENCE))
    supplier = crossing.supplier()
    for each in range(30):
        level = 2 if each % 2 else 7
        supplier.push_structured_event(event("d", "t", str(each), header={PRIORITY: Any_.of(Kind.SHORT, level)}))
    came = [int(name or -1) for name in names_of(crossing.received(30))]
    for rest in (0, 1):
        mine = [each for each in came if each % 2 == rest]
        expect.equal("those of one priority", mine, list(range(rest, 30, 2)))


def _policy(case: Case, type_: MessageType) -> int:
    """Return the OrderPolicy of the proxy of a bridge that has carried something."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms(type_))
    _in_order(crossing, to_jms=True, count=2)
    return crossing.proxy_suppliers()[-1].get_qos()[ORDER_POLICY]


@asserts("iw-2.5.6-5", plain=True)
def test_the_policy_of_the_proxy(case: Case) -> None:
    """The proxy of the bridge has FifoOrder or PriorityOrder."""
    for type_ in GROUPS:
        policy = _policy(case, type_)
        expect.true("the policy is one of both", policy in (FIFO_ORDER, PRIORITY_ORDER), str(policy))


@asserts("iw-2.5.6-6", plain=True)
def test_the_policy_on_a_channel_whose_priority_order_is_stable(case: Case) -> None:
    """Where the channel keeps events of one priority in their order, as that of the kit does, the bridge's proxy has PriorityOrder."""
    if not Crossing(case).channels.stable_priority:
        raise Unsupported("PriorityOrder of the channels of the bridge's profile is not stable")
    for type_ in GROUPS:
        expect.equal("the policy", _policy(case, type_), PRIORITY_ORDER)
