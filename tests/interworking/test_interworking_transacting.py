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
        self.provider, self.clock = provider, provider.clock
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

    def bridge(self, *, to_jms, style=FlowStyle.PUSH, jms_style=None):
        role, other = EndpointRole.SOURCE, EndpointRole.SINK
        place = JMSDestination(DestinationType.QUEUE, "ends")
        channel = ExternalEndpoint(role if to_jms else other, self.number, style, MessageType.STRUCTURED_EVENT)
        jms = ExternalEndpoint(
            other if to_jms else role, place, style if jms_style is None else jms_style, MessageType.JMS_MESSAGE
        )
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
    first_refused(ends)
    ends.bridge(to_jms=True).enable_transaction(1, 0)
    ends.push(0)
    received = ends.session.create_consumer(ends.queue).receive(60_000)
    assert received.get_string_property("$event_name") == "0"
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]


def first_refused(ends):
    """Let the first transaction that is asked for its vote be refused."""
    ends.service.hooks.append(lambda point, _: point != Point.ASKED or bool(ends.service.log(Did.ASK_COMMIT)[1:]))


def puller(ends):
    proxy = ends.channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
    proxy.connect_structured_pull_consumer(None)
    return proxy


def send(ends, *texts):
    for each in texts:
        ends.session.create_producer(ends.queue).send(ends.session.create_text_message(each))


def pulled(proxy, count):
    return [proxy.pull_structured_event().remainder_of_body.value for _ in range(count)]


HELD = {"style": FlowStyle.PULL, "jms_style": FlowStyle.PUSH}


@pytest.mark.parametrize("styles", [{"style": FlowStyle.PULL}, HELD])
def test_a_message_that_was_rolled_back_is_pulled_again(opened, styles):
    ends = opened()
    first_refused(ends)
    proxy = puller(ends)
    ends.bridge(to_jms=False, **styles).enable_transaction(1, 0)
    send(ends, "x")
    assert pulled(proxy, 1) == ["x"]
    assert proxy.try_pull_structured_event() is None
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]
    assert ends.service.log(Did.ENLIST)


def test_what_a_bridge_holds_when_transactions_begin_comes_once_and_first(opened):
    ends = opened()
    first_refused(ends)
    proxy = puller(ends)
    bridge = ends.bridge(to_jms=False, **HELD)
    of_bridge = ends.channel.default_supplier_admin
    of_bridge = of_bridge.get_proxy_consumer(of_bridge.pull_consumers[0])
    of_bridge.suspend_connection()
    send(ends, "a", "b")
    ends.clock.event().wait(100)
    bridge.enable_transaction(2, 0)
    send(ends, "c")
    of_bridge.resume_connection()
    assert pulled(proxy, 3) == ["a", "b", "c"]
    assert ends.ends()[:2] == [Did.ROLLED_BACK, Did.COMMITTED]
    bridge.disable_transaction()
    send(ends, "d")
    assert pulled(proxy, 1) == ["d"]
    assert proxy.try_pull_structured_event() is None


def test_a_bridge_whose_connection_was_lost_still_takes_part(opened):
    ends = opened()
    bridge = ends.bridge(to_jms=True)
    bridge.enable_transaction(1, 0)
    ends.provider.sever(bridge.connection)
    assert bridge.broken.wait(60)
    bridge.start_bridge()
    first_refused(ends)
    ends.push(0)
    consumer = ends.session.create_consumer(ends.queue)
    assert consumer.receive(60_000).get_string_property("$event_name") == "0"
    assert consumer.receive(1_000) is None
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]


@pytest.mark.parametrize(
    "styles", [{"to_jms": True, **HELD}, {"to_jms": False, "style": FlowStyle.PUSH, "jms_style": FlowStyle.PULL}]
)
def test_a_bridge_that_asks_refuses_transactions(opened, styles):
    bridge = opened().bridge(**styles)
    with pytest.raises(UnsupportedTransaction):
        bridge.enable_transaction(1, 0)
    bridge.disable_transaction()


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
