"""Faults that strangers found unnoticed in two red rounds, told from their descriptions; see docs/strength.md."""

import re

from faults.kit import *


def _is_recovered(delivery):
    """Return whether a message that is not persistent comes again in a session that is not transacted."""
    consumer = delivery.consumer
    again = delivery.count > 1 and delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT
    return again and consumer is not None and consumer.session.mode != Session.SESSION_TRANSACTED


@nearly_right(
    "recovered-non-persistent-uncounted",
    "recover does not count messages that are not persistent",
    "6.2.10-32",
    by=lambda patch, made: provider_property(patch, "JMSXDeliveryCount", made),
)
def _(one):
    return Int(1 if _is_recovered(one) else one.count)


@nearly_right(
    "recovered-non-persistent-unflagged",
    "recover does not flag messages that are not persistent",
    "6.2.10-31",
    by=as_received,
)
def _(message, delivery):
    if _is_recovered(delivery):
        message.jms_redelivered = False


@nearly_right(
    "ttl-behind-the-delay",
    "the time to live begins when the delivery delay ends",
    "7.8-1",
    at=fault_points.HEADERS_COMPUTED,
)
def _(original, producer, physical, options):
    stamp = original(producer, physical, options)
    return stamp._replace(expiration=stamp.expiration + options.delivery_delay) if stamp.expiration else stamp


@nearly_right(
    "non-persistent-undelayed",
    "a queue delivers messages that are not persistent without their delay",
    "7.9-3",
    at=fault_points.ARRIVED,
)
def _(original, broker, queue, entry):
    honest = entry.delivery_time
    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(queue.physical, PhysicalQueue):
        entry.delivery_time = min(honest, broker.clock.now())
    original(broker, queue, entry)
    entry.delivery_time = honest


@nearly_right("large-last", "the large messages of a transaction come last", "6.2.9.2-10")
def _(patch):
    large = {}

    def prepare(original, producer, message, *others):
        physical, entry = original(producer, message, *others)
        if is_large(message):
            large[id(entry)] = entry
        return physical, entry

    def commit(original, session):
        session.state.work.sends.sort(key=lambda sent: id(sent[1]) in large)
        original(session)

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "forwarded-keeps-timestamp",
    "a message sent again without timestamps keeps its old one",
    "3.4.4-5",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, *others):
    before = message.jms_timestamp
    physical, entry = original(producer, message, *others)
    if producer.disable_message_timestamp and before:
        entry.timestamp = before
        message.jms_timestamp = before
    return physical, entry


@nearly_right("count-begins-again", "JMSXDeliveryCount begins with 1 in each further session", "3.5.11-2")
def _(patch):
    before = {}

    def count(delivery):
        consumer = delivery.consumer
        if consumer is None or delivery.count < 3:
            return delivery.count
        missed = before.setdefault((delivery.entry.number, consumer.session), delivery.count - 1)
        return delivery.count - missed

    provider_property(patch, "JMSXDeliveryCount", lambda delivery: Int(count(delivery)))


@nearly_right("like-with-classes", "brackets in a LIKE pattern are a class of characters", "3.8.1.1-84")
def _(patch):
    def match(pattern, text):
        head, inside, tail = re.fullmatch(r"(.*?)\[([^\[\]]+)\](.*)", pattern, re.DOTALL).groups()
        return any(is_like(head + sign + tail, text) for sign in inside)

    liked(lambda node: re.search(r"\[[^\[\]]{2,}\]", node.pattern), match)(patch)


@nearly_right(
    "acknowledges-others-up-to-here",
    "acknowledge() of a message leaves what other consumers of the session got after it",
    "6.2.10-10",
    "6.2.10-11",
)
def _(patch):
    made = {}
    called = []

    def message_of(original, session, delivery):
        message = original(session, delivery)
        made[id(message)] = message, delivery
        return message

    def acknowledge(original, message):
        called[:] = [made[id(message)][1]] if id(message) in made else []
        original(message)
        called.clear()

    def acknowledge_all(original, session):
        state = session.state
        got = state.unacknowledged
        at = got.index(called[0]) + 1 if called and called[0] in got else len(got)
        left = [one for one in got[at:] if one.consumer is not called[0].consumer]
        state.unacknowledged = [one for one in got if one not in left]
        original(session)
        state.unacknowledged += left

    patch.at(fault_points.MESSAGE_MADE, message_of)
    around(patch, ReferenceMessage, "acknowledge", acknowledge)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@nearly_right(
    "asynchronous-override-sticks",
    "the time to live of an asynchronous send becomes the producer's own",
    "7.4-9",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, *arguments):
    original(producer, *arguments)
    options = arguments[2]
    if options.time_to_live:
        producer.time_to_live = options.time_to_live


@nearly_right(
    "unsubscribed-comes-back",
    "a shared durable subscription that was unsubscribed is there again after a restart",
    "8.3.4-17",
)
def _(patch):
    def statements(subscription):
        return [] if subscription.shared else deletion_statements(subscription)

    patch.replace(subscriptions, "deletion_statements", statements)
