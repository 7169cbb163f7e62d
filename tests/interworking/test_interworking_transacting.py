"""Bridges of the kit that route by transactions, between the stand-in channel and the reference provider."""

import pytest
from channel_clients import numbered

from reference_interworking.bridge.factory import ReferenceFactory
from reference_interworking.channel import StandInFactory
from reference_provider.adapter import open_provider
from tck.api import JMSContext
from tck.interworking.bridge import (
    DestinationType,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import ClientType
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    InvalidTransaction,
    TransactionRequired,
    UnsupportedTransaction,
)
from tck.suite.support.interworking.coordinator import Did, Point, TransactionService


class Ends:
    """A channel, a destination, and a transaction service between them."""

    def __init__(self, provider, *, service=True):
        self.clock = provider.clock
        self.channels = StandInFactory(self.clock)
        self.bridges = ReferenceFactory(self.channels, provider)
        self.service = TransactionService(self.clock, "test")
        if service:
            self.channels.use_transactions(self.service.current("channel"))
            self.bridges.use_transactions(self.service.current("bridge"))
        self.channel, self.number = self.channels.create_channel({}, {})
        self.session = (connection := provider.connection_factory().create_connection()).create_session(
            transacted=False, session_mode=JMSContext.AUTO_ACKNOWLEDGE
        )
        self.connection = connection
        self.queue = provider.create_queue("ends")
        connection.start()

    def bridge(self, *, to_jms, style=FlowStyle.PUSH):
        role, other = EndpointRole.SOURCE, EndpointRole.SINK
        place = JMSDestination(DestinationType.QUEUE, "ends")
        channel = ExternalEndpoint(role if to_jms else other, self.number, style, MessageType.STRUCTURED_EVENT)
        jms = ExternalEndpoint(other if to_jms else role, place, style, MessageType.JMS_MESSAGE)
        made = self.bridges.create_bridge(*((channel, jms) if to_jms else (jms, channel)))[0]
        made.start_bridge()
        return made

    def push(self, number):
        proxy = self.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_supplier(None)
        proxy.push_structured_event(numbered(number))

    def ends(self):
        """Return how transactions ended that carried a message or an event: those with more than an empty pull."""
        self.clock.event().wait(10)  # until whoever commits has noted it
        done = {each.transaction for each in self.service.log(Did.ASK_COMMIT)}
        return [each.did for each in self.service.log(Did.COMMITTED, Did.ROLLED_BACK) if each.transaction in done]


@pytest.fixture
def opened(tmp_path):
    provider = open_provider({"clock": "virtual"}, tmp_path)
    with provider, provider.clock.actor():
        made = []

        def make(**options):
            made.append(Ends(provider, **options))
            return made[-1]

        yield make
        for each in made:
            each.bridges.close()
            each.channels.close()
            each.connection.close()


def test_an_event_that_was_rolled_back_is_sent_again(opened):
    ends = opened()
    ends.service.hooks.append(lambda point, _: point != Point.ASKED or bool(ends.service.log(Did.ASK_COMMIT)[1:]))
    ends.bridge(to_jms=True).enable_transaction(1, 0)
    ends.push(0)
    received = ends.session.create_consumer(ends.queue).receive(60_000)
    assert received.get_string_property("$event_name") == "0"
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]


def test_a_message_that_was_rolled_back_is_pulled_again(opened):
    ends = opened()
    ends.service.hooks.append(lambda point, _: point != Point.ASKED or bool(ends.service.log(Did.ASK_COMMIT)[1:]))
    proxy = ends.channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
    proxy.connect_structured_pull_consumer(None)
    ends.bridge(to_jms=False, style=FlowStyle.PULL).enable_transaction(1, 0)
    ends.session.create_producer(ends.queue).send(ends.session.create_text_message("x"))
    assert proxy.pull_structured_event().remainder_of_body.value == "x"
    assert proxy.try_pull_structured_event() is None
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]


def test_enabled_and_disabled_again(opened):
    ends = opened()
    bridge = ends.bridge(to_jms=True)
    consumer = ends.session.create_consumer(ends.queue)
    bridge.enable_transaction(1, 0)
    with pytest.raises(TransactionRequired):
        bridge.carrier.carry(numbered(9))
    ends.push(0)
    assert consumer.receive(60_000) is not None
    bridge.disable_transaction()
    ends.push(1)
    assert consumer.receive(60_000).get_string_property("$event_name") == "1"
    assert ends.ends() == [Did.COMMITTED]
    current = ends.service.current("client")
    current.begin()
    with pytest.raises(InvalidTransaction):
        bridge.carrier.carry(numbered(9))
    current.rollback()
    assert ends.channel.get_qos()[ENABLE_TRANSACTION] is False


def test_no_service_or_no_transactional_configuration(opened):
    with pytest.raises(UnsupportedTransaction):
        opened(service=False).bridge(to_jms=True).enable_transaction(1, 0)
    bridge = opened().bridge(to_jms=False)
    with pytest.raises(UnsupportedTransaction):
        bridge.enable_transaction(1, 0)
    bridge.disable_transaction()
