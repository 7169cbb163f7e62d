"""Faults in 3.4.13: JMSDeliveryTime."""

from faults.kit import *

SAME_HEADER = "the case reads the same header on the sender's message"


@saboteur(
    "3.4.13-1",
    "JMSDeliveryTime is the delay instead of a time",
    collateral=dict.fromkeys(("3.4.13-3", "3.4.13-4", "3.4.13-5"), SAME_HEADER),
    by=after_send,
)
def _(sender, message, entry, options):
    if options.delivery_delay:
        message.jms_delivery_time = options.delivery_delay


@saboteur("3.4.13-2", "JMSDeliveryTime is 0 if no delay is set", by=after_send)
def _(sender, message, entry, options):
    if not options.delivery_delay:
        message.jms_delivery_time = 0


@saboteur("3.4.13-3", "the delivery delay starts at the commit", by=before_commit)
def _(session):
    for _, entry in session.state.work.sends:
        if entry.delivery_time > entry.timestamp:
            entry.delivery_time += session.broker.clock.now() - entry.timestamp


@saboteur("3.4.13-4", "the local time zone is added to JMSDeliveryTime")
def _(patch):
    at_home = zone_offset()

    def write_headers(original, message, stamp):
        shifted = stamp.delivery_time + zone_offset() - at_home
        original(message, stamp._replace(delivery_time=shifted))

    patch.at(fault_points.HEADERS_WRITTEN, write_headers)


@saboteur("3.4.13-5", "JMSDeliveryTime of a delayed message is 0 at the receiver")
def _(patch):
    def delivery_time(delivery):
        entry = delivery.entry
        return 0 if entry.delivery_time > entry.timestamp else entry.delivery_time

    received(patch, "delivery_time", delivery_time)


@saboteur(
    "3.4.13-6",
    "the delivery delay is ignored on topics",
    collateral={"3.4.13-3": "the case demands that the message does not come before its time"},
    at=fault_points.ARRIVED,
)
def _(original, broker, delivery_queue, entry):
    if isinstance(delivery_queue.physical, PhysicalTopic) and not delivery_queue.gone:
        broker.offer(delivery_queue, entry)
    else:
        original(broker, delivery_queue, entry)


@saboteur("3.4.13-7", "a browser shows delayed messages at once", around=(ReferenceBrowser, "get_enumeration"))
def _(original, self):  # an iterator of messages
    broker = self.session.broker
    with broker.lock:
        waiting = list(broker.schedule.waiting_for(self._physical.delivery_queue))
        early = [self.session.message_of(self._view(entry)) for entry in waiting]
    return iter([*original(self), *early])
