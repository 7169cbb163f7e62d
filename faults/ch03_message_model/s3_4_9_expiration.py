"""Faults in 3.4.9: JMSExpiration."""

from faults.kit import *

SAME_HEADER = "the case reads the same header on the sender's message"


@saboteur(
    "3.4.9-1",
    "JMSExpiration is the producer's time to live instead of a time",
    collateral=dict.fromkeys(("3.4.9-2", "3.4.9-3", "3.4.9-4"), f"{SAME_HEADER}, in the interface without arguments"),
    by=after_send,
)
def _(sender, message, entry, options):
    if options.time_to_live and options.time_to_live == sender.time_to_live:
        message.jms_expiration = options.time_to_live


@saboteur("3.4.9-2", "commit computes JMSExpiration again", by=before_commit)
def _(session):
    for _, entry in session.state.work.sends:
        if entry.expiration:
            entry.expiration += session.broker.clock.now() - entry.timestamp


@saboteur("3.4.9-3", "the local time zone is added to JMSExpiration")
def _(patch):
    at_home = zone_offset()

    def stamp_for(original, *arguments):
        stamp = original(*arguments)
        shifted = stamp.expiration + zone_offset() - at_home
        return stamp._replace(expiration=shifted) if stamp.expiration else stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@saboteur("3.4.9-4", "the receiver sees an expiration computed from the time of receipt")
def _(patch):
    plain = sent_outside_transactions(patch)

    def expiration(delivery):
        sent = delivery.entry
        if not sent.expiration or sent not in plain:
            return sent.expiration
        return delivery.received_at + sent.expiration - sent.timestamp

    received(patch, "expiration", expiration)


@saboteur("3.4.9-5", "JMSExpiration equals JMSTimestamp where the time to live is 0", by=after_send)
def _(sender, message, entry, options):
    if not options.time_to_live:
        message.jms_expiration = entry.timestamp


def _expiry_ignored(patch, *, with_consumer):
    """Ignore expiry of messages that arrived where a consumer was open already, or of those that did not."""
    waited_for, others = Marked(), Marked()

    def note(original, broker, delivery_queue, entry):
        (waited_for if delivery_queue.physical.consumers else others).add(entry)
        original(broker, delivery_queue, entry)

    def ignore(original, broker, entry):
        return original(broker, entry) and entry not in (waited_for if with_consumer else others)

    patch.at(fault_points.ARRIVED, note)
    patch.at(fault_points.EXPIRY_CHECKED, ignore)


saboteur(
    "3.4.9-6",
    "a message that arrives where no consumer is open never expires",
    lambda patch: _expiry_ignored(patch, with_consumer=False),
)
saboteur(
    "3.4.9-7",
    "an expired message is delivered to a consumer that was open when it arrived",
    lambda patch: _expiry_ignored(patch, with_consumer=True),
)
