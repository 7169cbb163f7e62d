"""Round 14, stranger A: messages, selectors and queues. Written from the catalogue and the provider, without the suite."""

import re

from faults.kit import *

# --- chapter 3 --------------------------------------------------------------------------------------------------------


@of_round(14)(
    "a14-byte-widened-from-file",
    "a byte property of a message with a correlation id is a short once the message was read back from the file",
    "3.5.4-9",
    "3.5.5-3",
    "3.5.2-2",
    around=(Broker, "load_numbers"),
)
def _(original, broker, numbers):
    entries = original(broker, numbers)
    for entry in entries:
        frozen = entry.snapshot
        if frozen.correlation is not None:
            widened = {
                name: Short(value.value) if type(value) is Byte else value for name, value in frozen.properties.items()
            }
            entry.snapshot = frozen._replace(properties=widened)
    return entries


@of_round(14)(
    "a14-expiration-lost-after-delay",
    "a redelivered message that was sent with both a delivery delay and a time to live has JMSExpiration 0",
    "3.4.9-4",
    "3.10-6",
    by=as_received,
)
def _(message, delivery):
    entry = delivery.entry
    if delivery.count > 1 and entry.expiration and entry.timestamp and entry.delivery_time > entry.timestamp:
        message.jms_expiration = 0


@of_round(14)(
    "a14-large-map-cleared-in-place",
    "clearBody of a received map of eight entries or more empties and reuses the map that a redelivery is made from",
    "3.10-4",
    "4.2.2-7",
    around=(ReferenceMapMessage, "clear_body"),
)
def _(original, message):
    entries = message._entries
    reused = len(entries) >= 8 and not message._writable
    original(message)
    if reused:
        entries.clear()
        message._entries = entries


@of_round(14)(
    "a14-second-send-has-first-text",
    "a text message object sent again in the same transaction carries the text of its first send",
    "3.9-4",
    "3.9-3",
)
def _(patch):
    frozen = {}

    def fault(producer, message, entry, options):
        state = producer.session.state
        if state.mode != Session.SESSION_TRANSACTED or entry.snapshot.kind != "text":
            return
        for _, sent in state.work.sends:
            if id(sent) in frozen and frozen[id(sent)][1] is message:
                entry.snapshot = entry.snapshot._replace(body=sent.snapshot.body)
                break
        frozen[id(entry)] = (entry, message)

    after_send(patch, fault)


@of_round(14)(
    "a14-stream-array-ends-early",
    "a byte array in a stream that exactly fills the buffer for the third time or later is not followed by -1",
    "3.11-22",
    noticed=False,
    around=(ReferenceStreamMessage, "_read_part"),
)
def _(original, message, array, buffer):
    offset = message._offset or 0
    count = original(message, array, buffer)
    if 0 < count == len(buffer) and offset >= 2 * count and offset + count == len(array):
        message._move_on()
    return count


@of_round(14)(
    "a14-body-leaves-pointer-at-end",
    "getBody of a bytes message that has been read to its end leaves the read pointer there",
    "3.11-33",
    around=(ReferenceBytesMessage, "get_body"),
)
def _(original, message, body_type):
    at_end = 0 < len(message._data) <= message._position
    body = original(message, body_type)
    if at_end:
        message._position = len(message._data)
    return body


def _not_matching(patch, wrong):
    """Let a selector not match where `wrong` is true for one of the conditions that AND joins at its top."""

    def compile_selector(original, text, version="3.1"):
        found = original(text, version)
        if found is None:
            return None
        parts = found.tree.conditions if isinstance(found.tree, And) else (found.tree,)

        def matches(view):
            return found.matches(view) and not any(wrong(part, view) for part in parts)

        return Selector(found.text, found.tree, found.names, matches)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@of_round(14)(
    "a14-between-excludes-float-bound",
    "BETWEEN is false for a float property that equals an upper bound written as a whole number",
    "3.8.1.1-70",
    "3.8.1.1-53",
    noticed=False,
    by=_not_matching,
)
def _(node, view):
    match node:
        case Between(Identifier(name), _, NumberLiteral(int(high))):
            value = view.get(name)
            return type(value) is Single and float(value) == float(high)
    return False


@of_round(14)(
    "a14-escaped-like-stops-at-newline",
    "the wildcards of a LIKE with an ESCAPE clause do not stand for line terminators",
    "3.8.1.1-87",
    "3.8.1.1-82",
    "3.8.1.1-83",
    "3.8.1.1-89",
    noticed=False,
    by=_not_matching,
)
def _(node, view):
    if not isinstance(node, Like) or node.escape is None:
        return False
    value = view.get(node.identifier.name)
    return isinstance(value, str) and re.fullmatch(pattern(node.pattern, node.escape).regex, value) is None


@of_round(14)(
    "a14-group-seq-lost-asynchronously",
    "JMSXGroupSeq set on a JMSProducer is lost when the producer sends asynchronously",
    "3.5.9-5",
    "3.5.3-1",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, message, destination, options, listener, sender):
    if isinstance(sender, ReferenceJMSProducer) and isinstance(message, ReferenceMessage):
        message._properties = {name: one for name, one in message._properties.items() if name != "JMSXGroupSeq"}
    original(producer, message, destination, options, listener, sender)


@of_round(14)(
    "a14-reply-to-own-topic-null",
    "JMSReplyTo is null at the receiver if it is the topic that the message was sent to",
    "3.4.6-1",
    "3.4.6-2",
    noticed=False,
    by=as_received,
)
def _(message, delivery):
    physical = delivery.source.physical
    if isinstance(physical, PhysicalTopic) and message.jms_reply_to == physical.destination:
        message.jms_reply_to = None


# --- chapter 4: queues ------------------------------------------------------------------------------------------------


@of_round(14)(
    "a14-browser-shows-redelivered-last",
    "a browser shows messages that were delivered before behind the others of their priority",
    "4.1.6-6",
    around=(BrowsedMessages, "__init__"),
)
def _(original, messages, browser, seen):
    original(messages, browser, sorted(seen, key=lambda one: (-one.priority, one.count > 1)))


@of_round(14)(
    "a14-large-commit-puts-expiring-first",
    "a transaction of more than eight sends puts its messages with a time to live before the others",
    "4.1.2-8",
    "4.1.2-9",
    noticed=False,
    by=before_commit,
)
def _(session):
    sends = session.state.work.sends
    if len(sends) > 8:
        sends.sort(key=lambda one: one[1].expiration == 0)


@of_round(14)(
    "a14-selective-receiver-does-not-hold-queue",
    "a temporary queue can be deleted while receivers are open on it if each of them has a selector",
    "4.1.5-9",
    noticed=False,
)
def _(patch):
    selective = {}

    def open_receiver(original, factory, physical, text, matches, subscription):
        receiver = original(factory, physical, text, matches, subscription)
        if physical.temporary and matches is not None:
            selective.setdefault(physical, []).append(receiver)
        return receiver

    def delete(original, temporaries, destination):
        physical = temporaries._physical.get(destination)
        if physical is not None and physical in selective:
            held = sum(not one.closed for one in selective[physical])
            physical.consumers = 0 if held == physical.consumers else physical.consumers
        original(temporaries, destination)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.TEMPORARY_DELETED, delete)


@of_round(14)(
    "a14-enumeration-kept-with-selector",
    "a browser with a selector shows in its second enumeration what it showed in the first",
    "4.1.6-10",
    "4.1.6-5",
)
def _(patch):
    kept = {}

    def get_enumeration(original, browser):
        if browser._matches is None:
            return original(browser)
        browser.check_open()
        if browser not in kept:
            kept[browser] = list(original(browser)._seen)
        return BrowsedMessages(browser, list(kept[browser]))

    around(patch, ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(14)(
    "a14-rollback-counts-for-other-copies",
    "a rollback of a topic message also counts for the copies that wait in durable subscriptions",
    "4.2.2-9",
    "3.5.11-1",
)
def _(patch):
    def others(deliveries):
        for one in deliveries:
            number = one.entry.number
            for queue in one.source.physical.delivery_queues():
                if queue is not one.source and queue.in_file and queue.level(one.priority).is_free(number):
                    queue.counts[number] = queue.counts.get(number, 0) + 1

    def roll_back(original, session, work):
        rolled_back = list(work.acks)
        original(session, work)
        if not session.closing:
            with session.broker.lock:
                others(rolled_back)

    patch.at(fault_points.ROLLBACK, roll_back)
