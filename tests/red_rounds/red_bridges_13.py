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
from tck.interworking import *  # noqa: F403
from tck.interworking import Any_, Kind, event
from tck.interworking.bridge import (
    DestinationType,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import ClientType
from tck.interworking.clients import (
    StructuredPullConsumer,
    StructuredPushConsumer,
)
from tck.interworking.coordinator import TransactionService

PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL
ONE, MANY = MessageType.STRUCTURED_EVENT, MessageType.SEQUENCE_EVENT
SOURCE, SINK = EndpointRole.SOURCE, EndpointRole.SINK
S = 10_000_000


class World:
    def __init__(self, opens, provider, transacts):
        self.provider, self.clock = provider, provider.clock
        self.channels = opens.open_channels(self.clock) if opens else StandInFactory(self.clock)
        self.bridges = (
            opens.open_factory(self.channels, provider) if opens else ReferenceFactory(self.channels, provider)
        )
        self.service = TransactionService(self.clock, "red")
        if transacts:
            self.channels.use_transactions(self.service.current("channel"))
            self.bridges.use_transactions(self.service.current("bridge"))
        self.connection = provider.connection_factory().create_connection()
        self.session = self.connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        self.connection.start()

    def channel(self, **qos):
        return self.channels.create_channel(qos, {})[0]

    def to_jms(self, channel, name="q", style=PUSH, type_=ONE, place=None):
        place = place or JMSDestination(DestinationType.QUEUE, name)
        return self.bridges.create_bridge(
            ExternalEndpoint(SOURCE, channel.id, style, type_),
            ExternalEndpoint(SINK, place, PUSH, MessageType.JMS_MESSAGE),
        )[0]

    def from_jms(self, channel, name="q", styles=(PUSH, PUSH), type_=ONE, kind=DestinationType.QUEUE):
        return self.bridges.create_bridge(
            ExternalEndpoint(SOURCE, JMSDestination(kind, name), styles[0], MessageType.JMS_MESSAGE),
            ExternalEndpoint(SINK, channel.id, styles[1], type_),
        )[0]

    def sleep(self, ms):
        self.clock.event().wait(ms)

    def queue(self, name="q"):
        return self.session.create_queue(name)

    def send(self, *texts, name="q"):
        producer = self.session.create_producer(self.queue(name))
        for each in texts:
            producer.send(self.session.create_text_message(each))
        producer.close()

    def received(self, name="q"):
        consumer, found = self.session.create_consumer(self.queue(name)), []
        while (message := consumer.receive(500)) is not None:
            found.append(message)
        consumer.close()
        return found

    def supplier(self, channel):
        proxy = channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_supplier(None)
        return proxy

    def listener(self, channel):
        got = []
        proxy = channel.default_consumer_admin.obtain_notification_push_supplier(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_consumer(Collector(got))
        return got


class Collector(StructuredPushConsumer):
    def __init__(self, got):
        self.got = got

    def push_structured_event(self, event):
        self.got.append(event)

    def disconnect_structured_push_consumer(self):
        pass


class Puller(StructuredPullConsumer):
    def disconnect_structured_pull_consumer(self):
        pass


@contextmanager
def world(opens, *, transacts=False):
    with tempfile.TemporaryDirectory() as place, open_provider({"clock": "virtual"}, Path(place)) as provider:  # noqa: SIM117 - the actor comes second
        with provider.clock.actor():
            made = World(opens, provider, transacts)
            try:
                yield made
            finally:
                made.bridges.close()
                made.channels.close()
                made.connection.close()


def converter(opens):
    return opens.open() if opens else ReferenceConverter()


def text(value):
    return Any_.of(Kind.STRING, value)


def named(name, **header):
    return event("d", "t", name, header=header, body=text(name))


def bodies(events):
    return [each.remainder_of_body.value for each in events]
