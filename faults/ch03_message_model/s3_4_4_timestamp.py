"""Faults in 3.4.4: JMSTimestamp."""

from faults.kit import *


@saboteur("3.4.4-1", "a JMSTimestamp set by the client is kept")
def _(patch):
    def fault(sender, message, entry, preset):
        entry.timestamp = message.jms_timestamp = preset

    def when(sender, message, options):
        return message.jms_timestamp != 0 and message.jms_message_id is None

    with_preset(patch, "jms_timestamp", fault, when=when)


def _other_timestamps(patch, make):
    """Replace JMSTimestamp; `make` gets the producer and the honest time."""

    def stamp_for(original, producer, *arguments):
        stamp = original(producer, *arguments)
        return stamp._replace(timestamp=make(producer, stamp.timestamp))

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


saboteur(
    "3.4.4-2",
    "JMSTimestamp is in seconds",
    lambda patch: _other_timestamps(patch, lambda sender, honest: honest // 1000),
    collateral=dict.fromkeys(("3.4.4-1", "3.4.4-3"), "the case demands a time of the send"),
)


@saboteur("3.4.4-3", "commit sets JMSTimestamp again", by=before_commit)
def _(session):
    for _, entry in session.state.work.sends:
        entry.timestamp = session.broker.clock.now()


@saboteur("3.4.4-4", "the receiver sees the broker's time as JMSTimestamp")
def _(patch):
    plain = sent_outside_transactions(patch)

    def timestamp(delivery):
        sent = delivery.entry.timestamp
        return delivery.received_at if sent and delivery.entry in plain else sent

    received(patch, "timestamp", timestamp)


saboteur(
    "3.4.4-5", "a disabled timestamp is -1", lambda patch: _other_timestamps(patch, lambda sender, honest: honest or -1)
)


@saboteur("3.4.4-6", "all messages have the same timestamp while timestamps are disabled")
def _(patch):
    last = {}

    def make(sender, honest):
        return honest or last.setdefault(id(sender), sender.session.broker.clock.now())

    _other_timestamps(patch, make)


@saboteur("3.4.4-8", "a disabled timestamp counts as 0 in selectors", version="1.0", at=fault_points.VALUES_SELECTED)
def _(original, entry):
    values = original(entry)
    if values.get("JMSTimestamp") is None:
        values["JMSTimestamp"] = 0
    return values
