"""Bridges that acknowledge when an application has: what is noted, repeated, lost or refused, and which events need nobody."""

import contextlib
import threading
from types import SimpleNamespace

import pytest
from channel_clients import TICKS, Telling, numbered
from test_interworking_acknowledging import Proxy
from test_interworking_polling import PULL, PUSH, SEQUENCE, STRUCTURED, World

from reference_interworking.bridge.acknowledging import Consuming
from reference_interworking.bridge.applications import Awaiting
from reference_interworking.reliable import with_number
from tck import api as jms
from tck.interworking.acknowledgment import (
    ACKNOWLEDGMENT,
    DELIVERY_RELIABILITY,
    RETRIES,
    RETRY_INTERVAL,
    HearsApplications,
)
from tck.interworking.bridge import BridgeStatus, InvalidExternalEndPoints
from tck.interworking.channel import ProxyType
from tck.suite.support.interworking.recorded import Loss

AUTO, CLIENT = jms.JMSContext.AUTO_ACKNOWLEDGE, jms.JMSContext.CLIENT_ACKNOWLEDGE
ACK = {DELIVERY_RELIABILITY: ACKNOWLEDGMENT, RETRY_INTERVAL: 200 * TICKS, RETRIES: 100}
STYLES = [PUSH, PULL]


class Waiting(World):
    """A world whose applications acknowledge."""

    def __init__(self, folder, qos=ACK, mode=CLIENT):
        super().__init__(folder, qos)
        self.factory.use_session_mode(mode)
        self.consumer = self.session.create_consumer(self.queue)

    def given(self):
        """Return the numbers of each acknowledgment."""
        return [each.arguments[0] for each in self.channels.calls("acknowledge")]

    def ids(self, count):
        return [self.consumer.receive(1_000).jms_message_id for _ in range(count)]

    def passes(self, milliseconds=450):
        assert not self.clock.event().wait(milliseconds)


@pytest.fixture
def opened(tmp_path):
    with contextlib.ExitStack() as stack:

        def open_world(**settings):
            world = Waiting(tmp_path, **settings)
            stack.callback(world.provider.close)
            stack.callback(world.factory.close)
            stack.enter_context(world.clock.actor())
            return world

        yield open_world


def test_the_factory_hears_applications(opened):
    assert isinstance(opened().factory, HearsApplications)


@pytest.mark.parametrize("style", STYLES)
def test_an_acknowledgment_that_is_lost_is_made_again(opened, style):
    world = opened()
    world.started(style, PUSH, to_jms=True)
    losses = [Loss.OF_CALL, Loss.UNNOTICED]
    world.channels.losing(lambda call: losses.pop(0) if losses and call.operation == "acknowledge" else None)
    world.push("a")
    world.factory.messages_acknowledged(world.ids(1))
    world.passes(1_000)
    assert (world.given(), world.consumer.receive_no_wait()) == ([(0,)] * 3, None)


@pytest.mark.parametrize("style", STYLES)
def test_an_event_that_becomes_no_message_waits_for_nobody(opened, style):
    world = opened()
    bridge = world.started(style, PUSH, to_jms=True)
    bridge.converter.to_message = lambda *_: None
    world.push("expired")
    world.passes(150)
    assert (world.given(), world.consumer.receive_no_wait()) == ([(0,)], None)


@pytest.mark.parametrize("style", STYLES)
def test_batches_are_refused_at_the_start(opened, style):
    world = opened()
    bridge = world.factory.create_bridge(*world.points(style, PUSH, SEQUENCE, to_jms=True))[0]
    with pytest.raises(InvalidExternalEndPoints):
        bridge.start_bridge()
    assert bridge.get_status() == BridgeStatus.STOPPED


@pytest.mark.parametrize("settings", [{"qos": {}}, {"mode": AUTO}])
def test_batches_cross_where_no_application_acknowledges_them(opened, settings):
    world = opened(**settings)
    world.started(PUSH, PUSH, SEQUENCE, to_jms=True)
    world.push("a")
    assert len(world.ids(1)) == 1


def test_bridges_to_the_channel_are_as_ever(opened):
    world = opened()
    world.started(PUSH, PUSH, to_jms=False)
    world.factory.messages_acknowledged(["ID:1"])
    assert world.given() == []


def test_a_stop_lets_time_pass_for_the_retries_of_a_pull(opened):
    """The step under way waits on the clock, which waits for the caller of the stop."""
    world = opened()
    bridge = world.started(PULL, PUSH, to_jms=True)
    world.channels.losing(lambda call: Loss.OF_CALL if call.operation == "try_pull_structured_event" else None)
    world.passes()
    bridge.stop_bridge()
    assert bridge.get_status() == BridgeStatus.STOPPED


@pytest.mark.parametrize("type_", [STRUCTURED, SEQUENCE])
@pytest.mark.parametrize("source", STYLES)
def test_a_bridge_whose_retries_have_failed_hands_on_nothing_more(opened, source, type_):
    world = opened(qos={**ACK, RETRIES: 2})
    world.consumer.close()
    bridge = world.started(source, PUSH, type_, to_jms=False)
    pushes = ("push_structured_event", "push_structured_events")
    world.channels.losing(lambda call: Loss.OF_CALL if call.operation in pushes else None)
    world.send("a")
    world.passes(5_000)
    assert (len(world.channels.calls(*pushes)), bridge.get_status()) == (3, BridgeStatus.STOPPED)
    world.channels.losing(lambda _: None)
    world.send("b", "c", "d")
    world.passes(5_000)
    assert (len(world.channels.calls(*pushes)), world.pulled()) == (3, [])


@pytest.mark.parametrize(("source", "sink"), [(PUSH, PUSH), (PULL, PUSH), (PULL, PULL), (PUSH, PULL)])
def test_what_comes_after_the_end_of_the_channel_stays_at_its_destination(opened, source, sink):
    world = opened()
    world.consumer.close()
    bridge = world.started(source, sink, to_jms=False)
    silenced, silence = threading.Event(), bridge._silence
    bridge._silence = lambda: (silence(), silenced.set())
    world.channel.destroy()
    assert silenced.wait(60)
    world.send("a")
    world.passes(5_000)
    bridge.destroy()
    assert world.session.create_consumer(world.queue).receive(1_000).text == "a"


def test_two_pushes_at_a_time_are_noted_under_their_own_numbers(opened):
    proxy, lock = Proxy(), Telling()
    proxy.type = ProxyType.PUSH_STRUCTURED

    def hand(event):
        name = event.header.fixed_header.event_name
        if name == "0":
            threads[1].start()
            assert lock.came.wait(60)
        made.sent(lambda: None, SimpleNamespace(jms_message_id=name))

    made = Consuming(proxy, opened().clock, hand, Awaiting())
    made.agree(Proxy({}))
    made._one = lock
    batches = [with_number((numbered(each),), each) for each in range(2)]
    threads = [threading.Thread(target=made.take, args=(each,)) for each in batches]
    threads[0].start()
    for each in threads:
        each.join(60)
    assert proxy.acknowledged == []
    made.acknowledged(["0"])
    assert proxy.acknowledged == [(0,)]
