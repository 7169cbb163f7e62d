"""What the rounds on bridges share: a provider, channels, a factory of bridges, with or without a fault, and a client of JMS."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path

from reference_bridge.channel import StandInFactory
from reference_bridge.converter import ReferenceConverter
from reference_bridge.factory import ReferenceFactory
from reference_provider.adapter import open_provider
from tck import api as jms
from tck.interworking import (
    Any_,
    Kind,
)
from tck.interworking.acknowledgment import (
    DELIVERY_RELIABILITY,
    RETRIES,
    RETRY_INTERVAL,
)
from tck.interworking.bridge import (
    DestinationType as D,
)
from tck.interworking.bridge import (
    EndpointRole as R,
)
from tck.interworking.bridge import (
    ExternalEndpoint,
    JMSDestination,
)
from tck.interworking.bridge import (
    FlowStyle as S,
)
from tck.interworking.bridge import (
    MessageType as M,
)
from tck.interworking.channel import ClientType
from tck.interworking.coordinator import TransactionService

MS = 10_000
ONE, MANY = M.STRUCTURED_EVENT, M.SEQUENCE_EVENT
ACK = {DELIVERY_RELIABILITY: 1, RETRY_INTERVAL: 1000 * MS, RETRIES: 1}


def short(value):
    return Any_.of(Kind.SHORT, value)


def text(value):
    return Any_.of(Kind.STRING, value)


class World:
    """A provider, channels, a factory of bridges, and a client of JMS."""

    def __init__(self, opens, path, transactions):
        self.provider = open_provider({"clock": "virtual"}, Path(path))
        self.clock = self.provider.clock
        self.channels = opens.open_channels(self.clock) if opens else StandInFactory(self.clock)
        self.factory = (
            opens.open_factory(self.channels, self.provider)
            if opens
            else ReferenceFactory(self.channels, self.provider)
        )
        self.converter = opens.open() if opens else ReferenceConverter()
        if transactions:
            self.service = TransactionService(self.clock, "t")
            self.channels.use_transactions(self.service.current("channel"))
            self.factory.use_transactions(self.service.current("bridge"))
        self.channel, self.id = self.channels.create_channel({}, {})
        self.connection = self.provider.connection_factory().create_connection()
        self.session = self.connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        self.queue = self.session.create_queue("Q")
        self.connection.start()

    def settle(self, ms=50):
        self.clock.event().wait(ms)

    def bridge(self, to_jms, channel_style=S.PUSH, jms_style=S.PUSH, type_=ONE, kind=D.QUEUE, channel=None):
        place = JMSDestination(kind, "Q")
        channel = channel or self.id
        if to_jms:
            ends = (
                ExternalEndpoint(R.SOURCE, channel, channel_style, type_),
                ExternalEndpoint(R.SINK, place, S.PUSH, M.JMS_MESSAGE),
            )
        else:
            ends = (
                ExternalEndpoint(R.SOURCE, place, jms_style, M.JMS_MESSAGE),
                ExternalEndpoint(R.SINK, channel, channel_style, type_),
            )
        return self.factory.create_bridge(*ends)

    def publisher(self):
        proxy = self.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_supplier(None)
        return proxy

    def puller(self):
        proxy = self.channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_pull_consumer(None)
        return proxy

    def publish(self, *events):
        proxy = self.publisher()
        for each in events:
            proxy.push_structured_event(each)

    def send(self, *texts, destination=None):
        producer = self.session.create_producer(destination or self.queue)
        for each in texts:
            producer.send(self.session.create_text_message(each))

    def received(self):
        consumer = self.session.create_consumer(self.queue)
        found = []
        while (message := consumer.receive_no_wait()) is not None:
            found.append(message)
        consumer.close()
        return found

    def carried(self, message):
        """Send a message, receive it, and return its event."""
        self.session.create_producer(self.queue).send(message)
        return self.converter.to_event(self.received()[0], self.clock.now())

    def made(self, given):
        return self.converter.to_message(given, self.session, self.clock.now())


def pulled(proxy):
    found = []
    while (each := proxy.try_pull_structured_event()) is not None:
        found.append(each)
    return found


def bodies(events):
    return [each.remainder_of_body.value for each in events]


def names(events):
    return [each.header.fixed_header.event_name for each in events]


def named(message):
    return message.get_string_property("$event_name")


@contextmanager
def world(opens, transactions=False):
    with tempfile.TemporaryDirectory() as path:
        made = World(opens, path, transactions)
        try:
            with made.clock.actor():
                yield made
        finally:
            made.factory.close()
            made.channels.close()
            made.provider.close()
