"""Faults of quality of service, of what the send of a message makes, and of the calls that a bridge makes to JMS."""

from faults.interworking.kit import *


@declare("iw-2.5.2-1 iw-2.5.2-2", "the connection of a bridge on a queue is BestEffort")
class _(ReferenceBridge):
    def _quality(self):
        queue = self.place.type == DestinationType.QUEUE
        return super()._quality() | ({CONNECTION_RELIABILITY: BEST_EFFORT} if queue else {})


@declare("iw-2.5.2-3", "every topic has a durable subscriber")
class _(ReferenceBridge):
    @property
    def _durable(self):
        return self._source.connector == self.place and self.place.type == DestinationType.TOPIC


@declare("iw-2.5.2-4", "no topic has a durable subscriber")
class _(ReferenceBridge):
    @property
    def _durable(self):
        return False


@declare("iw-2.5.6-3 iw-2.5.6-4", "the order is the one that the channel asks for")
class _(ReferenceBridge):
    def _quality(self):
        return {name: value for name, value in super()._quality().items() if name != ORDER_POLICY}


@declare("iw-2.5.6-7", "PriorityOrder is used whatever the channel makes of it")
class _(ReferenceBridge):
    def _quality(self):
        return super()._quality() | {ORDER_POLICY: PRIORITY_ORDER}


@declare("iw-2.1-2", "a bridge opens a JMSContext, which JMS 1.1 has not")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.provider.connection_factory().create_context().close()


@declare("iw-2.4.2-18", "messages have no identifier")
class _(at_jms.Sending):
    def prepare(self):
        super().prepare()
        self.producer.disable_message_id = True


@declare("iw-2.4.2-20", "messages have no timestamp")
class _(at_jms.Sending):
    def prepare(self):
        super().prepare()
        self.producer.disable_message_timestamp = True


@declare("iw-2.4-2", "events that were untyped are carried twice")
class _(Carrier):
    def carry(self, item):
        super().carry(item)
        if isinstance(item, StructuredEvent) and item.header.fixed_header.event_type.type_name == "%ANY":
            super().carry(item)


declare(
    "iw-2.5-1", "events have no quality of service", of_event=lambda message, made: with_header(made, lambda items: ())
)
declare(
    "iw-2.4.1-17",
    "events have no priority",
    of_event=lambda message, made: with_header(made, changed(PRIORITY, lambda value: None)),
)
