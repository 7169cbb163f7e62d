"""Round 14, stranger A: messages, selectors and queues. Written from the catalogue and the provider, without the suite."""

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
