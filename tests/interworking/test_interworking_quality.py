"""What a bridge does with quality of service: durable subscriptions of its own, and the order of the channel."""

import pytest
from test_interworking_polling import PUSH, SINK, SOURCE, STRUCTURED, World

from tck.interworking import PERSISTENT
from tck.interworking.bridge import DestinationType, ExternalEndpoint, JMSDestination, MessageType
from tck.interworking.qos import CONNECTION_RELIABILITY, FIFO_ORDER, ORDER_POLICY


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path, {CONNECTION_RELIABILITY: PERSISTENT})
    yield made
    made.factory.close()
    made.provider.close()


def from_topic(world):
    place = JMSDestination(DestinationType.TOPIC, "t")
    source = ExternalEndpoint(SOURCE, place, PUSH, MessageType.JMS_MESSAGE)
    return world.factory.create_bridge(source, ExternalEndpoint(SINK, world.number, PUSH, STRUCTURED))[0]


def test_bridges_from_one_topic_have_subscriptions_of_their_own_and_end_them(world):
    bridges = [from_topic(world) for _ in range(2)]
    assert len(world.provider.administer("subscriptions")) == 2
    for each in bridges:
        each.start_bridge()
    world.session.create_producer(world.session.create_topic("t")).send(world.session.create_text_message("x"))
    world.pass_ms(100)
    assert world.pulled() == ["x", "x"]
    for each in bridges:
        each.destroy()
    assert len(world.provider.administer("subscriptions")) == 0


def test_a_channel_that_mixes_priorities_gets_fifo_order(tmp_path):
    world = World(tmp_path)
    unstable = world.channels.unstable()
    assert (world.channels.stable_priority, unstable.stable_priority) == (True, False)
    world.channels = world.factory._channels = unstable
    world.channel, world.number = unstable.create_channel({}, {})
    world.started(PUSH, PUSH, to_jms=True)
    admin = world.channel.default_consumer_admin
    assert admin.get_proxy_supplier(admin.push_suppliers[0]).get_qos()[ORDER_POLICY] == FIFO_ORDER
    world.provider.close()
