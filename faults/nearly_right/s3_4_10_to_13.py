"""Narrow faults of sections 3.4.10 to 3.4.13."""

from array import array
from dataclasses import replace
from itertools import chain

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(5)(
    "sent-on-message-keeps-its-priority",
    "a received message that is sent on with the default priority keeps the priority it came with",
    "3.4.10-1 3.4.11-8",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, destination, options):
    if is_received(message) and options.priority == Message.DEFAULT_PRIORITY:
        options = replace(options, priority=message.jms_priority)
    return original(producer, message, destination, options)


@of_round(11)(
    "priority-override-of-one-queue-follows-the-producer",
    "a producer that sent to a queue with an administrator's priority sends with it to other queues from then on",
    "3.4.10-2 7.4-2",
)
def _(patch):
    prescribed = Notes()

    def stamp_for(original, producer, physical, options):
        stamp = original(producer, physical, options)
        if physical.override is NO_OVERRIDE:
            priority = prescribed.get(producer)
            return stamp if priority is None else stamp._replace(priority=priority)
        if physical.override.priority is not OMITTED:
            prescribed.put(producer, stamp.priority)
        return stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


def _on_asynchronous_prepare(patch, header, *, foreign_only):
    """Leave one header of the sender's message as it was when it is sent asynchronously."""
    send_later, prepare = ReferenceProducer.send_later, ReferenceProducer.prepare
    asynchronous = set()

    def later(self, *arguments):
        asynchronous.add(id(self))
        try:
            send_later(self, *arguments)
        finally:
            asynchronous.discard(id(self))

    def prepared(self, message, destination, options):
        before = getattr(message, header, None)
        made = prepare(self, message, destination, options)
        if id(self) in asynchronous and not (foreign_only and isinstance(message, ReferenceMessage)):
            setattr(message, header, before)
        return made

    patch.replace(ReferenceProducer, "send_later", later)
    patch.replace(ReferenceProducer, "prepare", prepared)


@of_round(3)(
    "redelivered-flag-travels-on",
    "a message that was received as redelivered and is sent on arrives as redelivered",
    "3.4.11-5 3.5.11-4",
)
def _(patch):
    """Seen in ActiveMQ: redeliveryCounter stays in a received message that is sent to the next queue."""
    sent_on = set()

    def keep(freeze, self, message, stamp, properties):
        entry = freeze(self, message, stamp, properties)
        if isinstance(message, ReferenceMessage) and message._acknowledge is not None and message.jms_redelivered:
            sent_on.add(entry)
        return entry

    patch.around(ReferenceProducer, "freeze", keep)
    patch.replace(Delivery, "redelivered", property(lambda self: self.count > 1 or self.entry in sent_on))


@of_round(11)(
    "failed-send-takes-the-reply-to",
    "a send to a destination that does not exist any more clears JMSReplyTo of the message, which is then sent elsewhere",
    "3.4.11-6 3.4.6-1",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, *others):
    try:
        return original(producer, message, *others)
    except InvalidDestinationException:
        message.jms_reply_to = None
        raise


@of_round(3)(
    "asynchronous-send-leaves-foreign-id",
    "an asynchronous send does not set JMSMessageID on a message of another implementation",
    "3.4.11-9 3.4.11-2",
)
def _(patch):
    """Seen in clients that send a copy of a foreign message and write headers back in the synchronous path only."""
    _on_asynchronous_prepare(patch, "jms_message_id", foreign_only=True)


@of_round(7)(
    "foreign-message-keeps-its-delivery-time",
    "a send does not set JMSDeliveryTime on a message of another provider, only the headers of JMS 1.1",
    "3.4.11-9 3.4.13-1",
    at=fault_points.HEADERS_WRITTEN,
)
def _(original, message, stamp):
    kept = message.jms_delivery_time
    original(message, stamp)
    if not isinstance(message, ReferenceMessage):
        message.jms_delivery_time = kept


@of_round(3)(
    "override-of-zero-ignored",
    "an administrator's priority 0 or time to live 0 counts as no prescription",
    "3.4.12-2",
    around=(producers, "overridden"),
)
def _(original, override, options):
    names = ("delivery_mode", "priority", "time_to_live", "delivery_delay")
    values = {name: getattr(override, name) for name in names}
    effective = {name: OMITTED if value is OMITTED or not value else value for name, value in values.items()}
    return original(Override(**effective), options)


@of_round(3)(
    "delivery-time-lost-at-restart",
    "a delayed message that is read from the file when it is due has its timestamp as JMSDeliveryTime",
    "3.4.13-5",
    around=(Broker, "load_numbers"),
)
def _(original, self, numbers):
    """As ARTEMIS-4768 (apache/artemis #4929): the time of a scheduled message is lost after a broker restart."""
    found = original(self, numbers)
    for entry in found:
        if entry.delivery_time <= self.clock.now() and entry.timestamp:
            entry.delivery_time = entry.timestamp
    return found


@of_round(7)(
    "delivery-time-is-lost-in-the-file",
    "a delayed message that was stored before a restart arrives in time, but with JMSDeliveryTime 0",
    "3.4.13-5 3.4-1",
)
def _(patch):
    read_back = Marked()

    def load_numbers(original, self, numbers):
        entries = original(self, numbers)
        for entry in entries:
            if 0 < entry.timestamp < entry.delivery_time:
                read_back.add(entry)
        return entries

    def forget(message, delivery):
        if delivery.entry in read_back:
            message.jms_delivery_time = 0

    patch.around(Broker, "load_numbers", load_numbers)
    as_received(patch, forget)


@of_round(11)(
    "redelivery-releases-delayed-messages",
    "recover or rollback of a message makes all delayed messages of its queue visible before their delivery time",
    "3.4.13-6 7.9-3 3.4.13-7",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    original(redelivery, deliveries)
    broker = redelivery._broker
    with broker.lock:
        for queue in {one.source for one in deliveries}:
            early = sorted(broker.schedule.waiting_for(queue), key=lambda entry: (entry.delivery_time, entry.number))
            broker.schedule.drop(queue)
            for entry in early:
                broker.offer(queue, entry)


@of_round(3)(
    "delayed-to-durable-due-at-restart",
    "after a restart a durable subscription gives out at once what is not due yet",
    "3.4.13-6 3.4.13-7",
    around=(recovery, "_recover_deliveries"),
)
def _(original, broker, delivery_queues, delayed):
    """As apache/pulsar #22716: after a restart delayed messages of a subscription are delivered immediately."""
    early = []
    original(broker, delivery_queues, early)
    for delivery_queue, number in early:
        for entry in broker.load(delivery_queue, array("q", [number])):
            delivery_queue.load_order(number, entry.priority, 0)


@of_round(3)(
    "delays-of-one-transaction-merged",
    "messages sent with different delays in one transaction all become due with the first of them",
    "3.4.13-6 3.4.13-5",
    around=(Work, "perform"),
)
def _(original, self):
    if self.sends:
        now = self.broker.clock.now()
        delayed = [entry for _, entry in self.sends if entry.delivery_time > now]
        for entry in delayed:
            entry.delivery_time = min(one.delivery_time for one in delayed)
    original(self)


@of_round(3)(
    "browser-with-selector-shows-the-future",
    "a browser with a selector also shows messages whose delivery time has not come",
    "3.4.13-7 3.4.13-6",
    around=(ReferenceBrowser, "get_enumeration"),
)
def _(original, self):
    """The question of eclipse-ee4j/openmq #184: browsers and delivery delay."""
    shown = original(self)
    broker = self.session.broker
    if self._matches is not None:
        with broker.lock:
            waiting = broker.schedule.waiting_for(self._physical.delivery_queue)
            shown._seen = chain(shown._seen, [self._view(entry) for entry in waiting if self.shows(entry)])
    return shown
