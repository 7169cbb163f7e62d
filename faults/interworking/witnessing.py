"""What witnesses of faults of bridges share: a provider, channels, bridges and a converter, with or without a fault, and clients."""

import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from faults.interworking.kit import *
from reference_provider.adapter import open_provider

PUSH = FlowStyle.PUSH
ONE, TO_JMS = MessageType.STRUCTURED_EVENT, MessageType.JMS_MESSAGE
SOURCE, SINK = EndpointRole.SOURCE, EndpointRole.SINK
S = 10_000_000
SOUND = Fault("sound", "does as it should", (), bridge=BridgeChanges())


class World:
    """What a witness gets: it sees the fault through the interfaces alone."""

    def __init__(self, fault, provider):
        self.provider, self.clock = provider, provider.clock
        self.channels = open_channels(fault, self.clock)
        self.bridges = open_factory(fault, self.channels, provider)
        self.converter = open_converter(fault)
        self.service = TransactionService(self.clock, "witness")
        self.channels.use_transactions(self.service.current("channel"))
        self.bridges.use_transactions(self.service.current("bridge"))
        self.connection = provider.connection_factory().create_connection()
        self.session = self.connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        self.queue = self.session.create_queue("q")
        self.connection.start()

    def sleep(self, ms):
        self.clock.event().wait(ms)

    def channel(self, **qos):
        return self.channels.create_channel(qos, {})[0]

    def acknowledged(self):
        """Return a channel with acknowledgment."""
        reliable = {EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT}
        return self.channel(**reliable, **{DELIVERY_RELIABILITY: ACKNOWLEDGMENT, RETRY_INTERVAL: S, RETRIES: 3})

    def to_jms(self, channel, *factory_name):
        """Return a bridge from a channel, or from the id of one, to the queue."""
        place = JMSDestination(DestinationType.QUEUE, "q", *factory_name)
        source = ExternalEndpoint(SOURCE, getattr(channel, "id", channel), PUSH, ONE)
        return self.bridges.create_bridge(source, ExternalEndpoint(SINK, place, PUSH, TO_JMS))[0]

    def from_jms(self, channel, kind=DestinationType.QUEUE):
        """Return a bridge from a queue or topic to a channel."""
        source = ExternalEndpoint(SOURCE, JMSDestination(kind, "q"), PUSH, TO_JMS)
        return self.bridges.create_bridge(source, ExternalEndpoint(SINK, channel.id, PUSH, ONE))[0]

    def refuse_once(self):
        """Let the first transaction that is asked for its vote be refused."""
        refused = []
        self.service.hooks.append(lambda point, _: point != Point.ASKED or refused or refused.append(point) is not None)

    def made(self, given):
        """Return what the converter makes of an event."""
        return self.converter.to_message(given, self.session, self.clock.now())

    def carried(self, message):
        """Return the event that the converter makes of a message."""
        return self.converter.to_event(message, self.clock.now())

    def send(self, text):
        self.session.create_producer(self.queue).send(self.session.create_text_message(text))

    def received(self):
        """Return the texts in the queue."""
        with self.session.create_consumer(self.queue) as consumer:
            return [each.text for each in iter(partial(consumer.receive, 500), None)]

    def publish(self, channel, *names):
        """Push an event of each name to a channel."""
        proxy = channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_supplier(None)
        for each in names:
            proxy.push_structured_event(event("d", "t", each, body=Any_.of(Kind.STRING, each)))

    def heard(self, channel):
        """Return a list that gets the bodies of what a channel pushes."""
        got = []
        proxy = channel.default_consumer_admin.obtain_notification_push_supplier(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_consumer(_Collector(got))
        return got


class _Collector(StructuredPushConsumer):
    def __init__(self, got):
        self.got = got

    def push_structured_event(self, event):
        self.got.append(event.remainder_of_body.value)

    def disconnect_structured_push_consumer(self):
        pass


class Puller(StructuredPullConsumer):
    def disconnect_structured_pull_consumer(self):
        pass


@contextmanager
def world(fault=SOUND):
    """Open a world with a fault, or without one."""
    with (
        tempfile.TemporaryDirectory() as place,
        open_provider({"clock": "virtual"}, Path(place)) as provider,
        provider.clock.actor(),
    ):
        made = World(fault, provider)
        try:
            yield made
        finally:
            made.bridges.close()
            made.channels.close()
            made.connection.close()
