"""Narrow faults of section 7.8."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "long-life-is-over-at-once",
    "a message that lives for 25 days or longer has expired when it arrives",
    "7.8-1",
    origin="reported",
    at=fault_points.EXPIRY_CHECKED,
)
def _(original, broker, entry):
    """As ARTEMIS-4820: milliseconds in an int."""
    return original(broker, entry) or (entry.expiration and entry.expiration - entry.timestamp > 2**31 - 1) > 0


@of_round(9)(
    "time-to-live-is-cut-to-32-bits",
    "a time to live of fifty days or more is taken modulo 2**32 milliseconds, so that the message expires too early",
    "7.8-1 7.4-3",
    around=(ReferenceProducer, "expiration"),
)
def _(original, self, now, time_to_live):
    return original(self, now, time_to_live % 2**32)


@nearly_right(
    "zero-argument-ignored",
    "a time to live of 0 as an argument takes that of the producer",
    "7.8-3",
    at=fault_points.HEADERS_COMPUTED,
)
def _(original, producer, physical, options):
    stamp = original(producer, physical, options)
    own = 0 if options.time_to_live else producer.time_to_live
    return stamp._replace(expiration=producer.session.broker.clock.now() + own) if own else stamp


@of_round(11)(
    "expired-message-takes-its-neighbour-along",
    "when a message that expired in a queue is discarded, the next one of its priority is discarded too",
    "7.8-3 7.8-1",
    around=(Broker, "discard"),
)
def _(original, broker, queue, entry):
    original(broker, queue, entry)
    for number in queue.level(entry.priority).free_after(entry.number, 1):
        queue.remove(number, entry.priority)


@nearly_right("restart-stops-expiry", "what was in the file at a restart never expires", "7.8-4 7.8-5 7.8-7")
def _(patch):
    sent = Marked()
    after_send(patch, lambda _producer, _message, entry, _options: sent.add(entry))

    def is_expired(original, broker, entry):
        return entry in sent and original(broker, entry)

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@of_round(6)(
    "messages-given-back-to-a-queue-do-not-expire",
    "a queue message that was rolled back or recovered once is delivered however long its time-to-live is over",
    "7.8-4",
)
def _(patch):
    given_back = set()

    def redeliver(original, redelivery, deliveries):
        given_back.update(one.entry.number for one in deliveries if not one.source.physical.routes_anew)
        original(redelivery, deliveries)

    def is_expired(original, broker, entry):
        return entry.number not in given_back and original(broker, entry)

    patch.at(fault_points.REDELIVERED, redeliver)
    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


def _deathless(patch, entries):
    """Ignore the time to live of some messages."""

    def is_expired(original, broker, entry):
        return entry not in entries and original(broker, entry)

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@nearly_right("shared-durable-lives-for-ever", "messages of shared durable subscriptions never expire", "7.8-5 7.8-7")
def _(patch):
    shared = Marked()

    def admit(original, broker, source, entry):
        subscription = subscription_of(source)
        if subscription is not None and subscription.shared and subscription.durable:
            shared.add(entry)
        original(broker, source, entry)

    patch.at(fault_points.ARRIVED, admit)
    _deathless(patch, shared)


@nearly_right("expired-at-commit", "a message that expires before the commit of its send is delivered", "7.8-7 7.8-2")
def _(patch):
    late = Marked()

    def fault(session):
        for _, entry in session.state.work.sends:
            if entry.expiration and entry.expiration <= session.broker.clock.now():
                late.add(entry)

    before_commit(patch, fault)
    _deathless(patch, late)


@nearly_right("delayed-lives-for-ever", "a delayed message does not expire once it is due", "7.8-7")
def _(patch):
    due = Marked()

    def offer(original, broker, source, entry):
        if is_delayed(entry) and not broker.is_expired(entry):
            due.add(entry)
        original(broker, source, entry)

    patch.at(fault_points.OFFERED, offer)
    _deathless(patch, due)


@nearly_right(
    "sent-on-keeps-expiration", "a message that is sent on without time to live keeps its expiration", "7.8-9"
)
def _(patch):
    def fault(producer, message, entry, preset):
        message.jms_expiration = entry.expiration = preset

    def when(producer, message, options):
        return not options.time_to_live and message.jms_message_id is not None

    with_preset(patch, "jms_expiration", fault, when=when)
