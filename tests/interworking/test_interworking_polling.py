"""Bridges that ask: their rhythm, a stop, what cannot be handed on, a channel that ends, and a buffer that is pulled."""

import itertools
import threading

import pytest

from reference_interworking.bridge.carrying import ASK_MS
from reference_interworking.bridge.factory import ReferenceFactory
from reference_interworking.channel import StandInFactory
from reference_provider.adapter import open_provider
from tck import api as jms
from tck.interworking import event
from tck.interworking.bridge import (
    BridgeStatus,
    DestinationType,
    EndpointErrorCode,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import ClientType
from tck.interworking.qos import PACING_INTERVAL
from tck.suite.support.interworking.coordinator import TransactionService
from tck.suite.support.interworking.recorded import recorded

SOURCE, SINK = EndpointRole.SOURCE, EndpointRole.SINK
PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL
STRUCTURED, SEQUENCE = MessageType.STRUCTURED_EVENT, MessageType.SEQUENCE_EVENT
TICKS = 10_000


class World:
    """A channel, a queue, a client at each, and a factory of bridges."""

    def __init__(self, folder, qos=None, *, transactions=False):
        self.provider = open_provider({"clock": "virtual"}, folder)
        self.clock = self.provider.clock
        self.service = TransactionService(self.clock, "test")
        channels = StandInFactory(self.clock)
        self.channels = recorded(channels)
        self.factory = ReferenceFactory(self.channels, self.provider)
        if transactions:
            channels.use_transactions(self.service.current("channel"))
            self.factory.use_transactions(self.service.current("bridge"))
        self.channel, self.number = self.channels.create_channel(qos or {}, {})
        self.connection = self.provider.connection_factory().create_connection()
        self.connection.start()
        self.session = self.connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        self.queue = self.session.create_queue("q")
        self.producer = self.session.create_producer(self.queue)
        self.consumer = None
        self.supplier = self.channel.default_supplier_admin.obtain_notification_push_consumer(
            ClientType.STRUCTURED_EVENT
        )[0]
        self.supplier.connect_structured_push_supplier(None)
        self.puller = self.channel.default_consumer_admin.obtain_notification_pull_supplier(
            ClientType.STRUCTURED_EVENT
        )[0]
        self.puller.connect_structured_pull_consumer(None)

    def points(self, source, sink, type_=STRUCTURED, *, to_jms):
        place = JMSDestination(DestinationType.QUEUE, "q")
        jms_end = ExternalEndpoint(
            SINK if to_jms else SOURCE, place, sink if to_jms else source, MessageType.JMS_MESSAGE
        )
        other = ExternalEndpoint(SOURCE if to_jms else SINK, self.number, source if to_jms else sink, type_)
        return (other, jms_end) if to_jms else (jms_end, other)

    def started(self, *styles, **named):
        bridge = self.factory.create_bridge(*self.points(*styles, **named))[0]
        bridge.start_bridge()
        return bridge

    def push(self, *names):
        for each in names:
            self.supplier.push_structured_event(event("d", "t", each))

    def came(self):
        """Return the names of the events at the queue, or the texts of the messages there."""
        self.consumer = self.consumer or self.session.create_consumer(self.queue)
        found = []
        while (message := self.consumer.receive(1_000)) is not None:
            found.append(message.get_string_property("$event_name"))
        return found

    def pulled(self):
        found = []
        while (made := self.puller.try_pull_structured_event()) is not None:
            found.append(made.remainder_of_body.value)
        return found

    def send(self, *texts):
        for each in texts:
            self.producer.send(self.session.create_text_message(each))

    def pass_ms(self, ms):
        self.clock.event().wait(ms)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.factory.close()
    made.provider.close()


def test_the_rhythm_is_that_of_pacing_interval(tmp_path):
    world = World(tmp_path, {PACING_INTERVAL: 700 * TICKS})
    world.started(PULL, PUSH, to_jms=True)
    world.pass_ms(3_000)
    pulls = [each.began for each in world.channels.calls("try_pull_structured_event")]
    assert {after - before for before, after in itertools.pairwise(pulls)} == {700}
    world.factory.close()
    world.provider.close()


def test_what_cannot_be_pushed_is_pushed_later(world):
    world.channel.set_admin({"MaxQueueLength": 1, "RejectNewEvents": True})
    world.started(PULL, PUSH, to_jms=False)
    world.send("a", "b", "c")
    found = []
    for _ in range(6):
        world.pass_ms(2 * ASK_MS)
        found += world.pulled()
    assert found == ["a", "b", "c"]


@pytest.mark.parametrize("to_jms", [True, False])
def test_the_end_of_the_channel_ends_the_asking(world, to_jms):
    bridge = world.started(PULL, PUSH, to_jms=to_jms)
    world.channel.destroy()
    world.pass_ms(5 * ASK_MS)
    asked = len(world.channels.calls())
    world.pass_ms(10 * ASK_MS)
    assert bridge.get_status() == BridgeStatus.STOPPED
    assert len(world.channels.calls()) == asked
    bridge.destroy()


@pytest.mark.parametrize("to_jms", [True, False])
def test_a_start_after_a_lost_connection_asks_once_more(world, to_jms):
    bridge = world.started(PULL, PUSH, to_jms=to_jms)
    world.provider.sever(bridge.connection)
    world.pass_ms(2 * ASK_MS)
    assert bridge.get_status() == BridgeStatus.STOPPED
    bridge.start_bridge()
    if to_jms:
        world.push("a", "b")
        assert world.came() == ["a", "b"]
    else:
        world.send("a", "b")
        world.pass_ms(2 * ASK_MS)
        assert world.pulled() == ["a", "b"]


def test_a_start_after_a_lost_connection_waits_for_an_event_that_is_on_its_way(world):
    bridge = world.started(PULL, PUSH, to_jms=True)
    asked, opening = threading.Event(), threading.Event()
    carry, open_again = bridge.carrier.carry, bridge._open_again

    def carry_late(event):
        asked.set()
        assert opening.wait(60)
        carry(event)

    def tell():
        opening.set()
        open_again()

    bridge.carrier.carry, bridge._open_again = carry_late, tell
    world.push("a")
    assert asked.wait(60)
    world.provider.sever(bridge.connection)
    assert bridge.broken.wait(60)
    start = threading.Thread(target=bridge.start_bridge, daemon=True)
    start.start()
    start.join(60)
    assert not start.is_alive()
    assert world.came() == ["a"]


def once(target, name, error):
    """Let the next call of an object's method raise."""

    def fail(*_):
        delattr(target, name)
        raise error

    setattr(target, name, fail)


WAYS = [(PUSH, PUSH, True), (PULL, PUSH, True), (PUSH, PUSH, False), (PULL, PUSH, False), (PULL, PULL, False)]


def crosses(world, to_jms, name):
    """Return whether an item crosses."""
    if to_jms:
        world.push(name)
        return name in world.came()
    world.send(name)
    world.pass_ms(5_000)
    return name in world.pulled()


@pytest.mark.parametrize(("source", "sink", "to_jms"), WAYS)
@pytest.mark.parametrize("again", [False, True])
def test_a_start_after_one_that_failed_works(world, source, sink, to_jms, again):
    bridge = world.factory.create_bridge(*world.points(source, sink, to_jms=to_jms))[0]
    if again:
        bridge.start_bridge()
        bridge.stop_bridge()
    once(bridge, "_start_connection", jms.JMSException("not now"))
    with pytest.raises(InvalidExternalEndPoints) as refused:
        bridge.start_bridge()
    assert [each.code for each in refused.value.errors] == [EndpointErrorCode.INVALID_JMSDESTINATION]
    assert bridge.get_status() == BridgeStatus.STOPPED
    assert not crosses(world, to_jms, "while stopped")
    bridge.start_bridge()
    assert crosses(world, to_jms, "after it")


@pytest.mark.parametrize(("source", "sink", "to_jms"), WAYS[:-1])
@pytest.mark.parametrize("step", ["_factory", "_prepare"])
def test_a_start_after_one_that_could_not_connect_again_works(world, source, sink, to_jms, step):
    """Not so where the channel pulls: a pull that meets the loss ends the connection to the channel."""
    bridge = world.started(source, sink, to_jms=to_jms)
    world.provider.sever(bridge.connection)
    assert bridge.broken.wait(60)
    once(bridge, step, jms.JMSException("not now"))
    with pytest.raises(InvalidExternalEndPoints):
        bridge.start_bridge()
    assert bridge.get_status() == BridgeStatus.STOPPED
    bridge.start_bridge()
    assert crosses(world, to_jms, "after it")


@pytest.mark.parametrize(("source", "sink", "to_jms"), WAYS)
def test_a_start_after_a_stop_that_failed_works(world, source, sink, to_jms):
    bridge = world.started(source, sink, to_jms=to_jms)
    once(bridge, "_stop_connection", jms.JMSException("not now"))
    with pytest.raises(jms.JMSException):
        bridge.stop_bridge()
    assert bridge.get_status() == BridgeStatus.STOPPED
    bridge.start_bridge()
    assert crosses(world, to_jms, "after it")
