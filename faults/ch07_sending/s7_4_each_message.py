"""Faults in 7.4: defaults, accepted values, the delivery delay, and the hints that leave headers out."""

from dataclasses import replace

from faults.kit import *


def _stamped(patch, change, options=lambda options: options):
    """Change the headers of each send, or the options they are computed from."""

    def stamp_for(original, producer, physical, given):
        used = options(given)
        return change(producer, used, original(producer, physical, used))

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


saboteur(
    "7.4-4",
    "a delivery delay is ignored for messages with a priority above 4",
    lambda patch: _stamped(
        patch,
        lambda producer, options, stamp: stamp,
        lambda options: replace(options, delivery_delay=0) if options.priority > 4 else options,
    ),
)


@saboteur("7.4-10", "a new producer of a session has the priority that the one before was set to")
def _(patch):
    original = ReferenceProducer.priority
    last = {}

    def set_priority(self, priority):
        original.fset(self, priority)
        last[self.session] = priority

    def create(made, session, destination):
        producer = made(session, destination)
        original.fset(producer, last.get(session, 4))
        return producer

    def create_for(made, context):
        return made(context).set_priority(last.get(context.session, 4))

    patch.replace(ReferenceProducer, "priority", property(original.fget, set_priority))
    patch.around(ReferenceSession, "create_producer", create)
    patch.around(ReferenceQueueSession, "create_sender", create)
    patch.around(ReferenceTopicSession, "create_publisher", create)
    patch.around(ReferenceContext, "create_producer", create_for)


saboteur(
    "7.4-12",
    "messages that are not persistent have at most priority 7",
    lambda patch: _stamped(
        patch,
        lambda producer, options, stamp: stamp,
        lambda options: (
            replace(options, priority=min(options.priority, 7))
            if options.delivery_mode == DeliveryMode.NON_PERSISTENT
            else options
        ),
    ),
    collateral={"7.4-2": "a case of it meets the fault under a condition that varies"},
)


@saboteur("7.4-13", "a priority that is too high is accepted and becomes 9")
def _(patch):
    original = ReferenceProducer.priority

    def set_priority(self, priority):
        original.fset(self, min(priority, 9))

    patch.replace(ReferenceProducer, "priority", property(original.fget, set_priority))


@saboteur("7.4-14", "messages that are not persistent share one identifier while identifiers are disabled", by=_stamped)
def _(producer, options, stamp):
    plain = stamp.message_id is None and options.delivery_mode == DeliveryMode.NON_PERSISTENT
    return stamp._replace(message_id="ID:none") if plain else stamp


@saboteur("7.4-15", "a disabled timestamp of a message with a time to live is -1", by=_stamped)
def _(producer, options, stamp):
    return stamp._replace(timestamp=-1) if not stamp.timestamp and options.time_to_live else stamp


@saboteur("7.4-16", "expiration counts from the timestamp, although it is disabled", by=_stamped)
def _(producer, options, stamp):
    late = options.time_to_live and not stamp.timestamp
    return stamp._replace(expiration=options.time_to_live) if late else stamp
