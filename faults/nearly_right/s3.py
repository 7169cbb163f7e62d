"""Narrow faults of sections 3.6, 3.9 and 3.10."""

from collections import ChainMap

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(7)(
    "message-without-its-properties-acknowledges-nothing",
    "acknowledge has no effect on a received message whose properties the client has cleared",
    "3.6-1 6.2.10-7",
    around=(ReferenceMessage, "clear_properties"),
)
def _(original, self):
    original(self)
    self._acknowledge = None


@nearly_right(
    "live-body", "a receiver of the same connection gets the text that the sender's message has by then", "3.9-1 3.9-2"
)
def _(patch):
    senders = {}

    def remember(sender, message, entry, options):
        senders[id(entry)] = (entry, message)

    def message_of(original, session, delivery):
        message = original(session, delivery)
        _, sent = senders.get(id(delivery.entry), (None, None))
        same_connection = delivery.entry.sender == session.connection.identity
        if same_connection and isinstance(sent, TextMessage) and isinstance(message, ReferenceTextMessage):
            message._restore_body(sent.text)
        return message

    after_send(patch, remember)
    patch.at(fault_points.MESSAGE_MADE, message_of)


@of_round(3)(
    "transaction-sends-object-as-last-seen",
    "an object sent several times in one transaction arrives each time with its last contents",
    "3.9-1 3.9-2 3.9-4",
)
def _(patch):
    """Seen in clients that collect references to messages until commit instead of copies."""
    sent = {}  # by transaction

    def freeze(original, self, message, stamp, properties):
        entry = original(self, message, stamp, properties)
        state = self.session.state
        if state.mode == Session.SESSION_TRANSACTED:
            for earlier, same in sent.setdefault(state.work, []):
                if earlier is message:
                    same.snapshot = entry.snapshot
            sent[state.work].append((message, entry))
        return entry

    patch.around(ReferenceProducer, "freeze", freeze)


@of_round(5)(
    "delayed-message-shows-later-properties",
    "properties that the sender changes after the send reach the receiver if the message has a delivery delay",
    "3.9-2 3.9-3",
    by=after_send,
)
def _(_, message, entry, options):
    if isinstance(message, ReferenceMessage) and options.delivery_delay:
        live = ChainMap(message._properties, dict(entry.snapshot.properties))
        entry.snapshot = entry.snapshot._replace(properties=live)


@of_round(7)(
    "sent-stream-message-is-read-only",
    "a stream message cannot be written any more once it has been sent, until its body is cleared",
    "3.9-3 3.9-1",
    by=after_send,
)
def _(_, message, __, ___):
    if isinstance(message, ReferenceStreamMessage):
        message.reset()


@nearly_right(
    "message-of-a-failed-send-stays-locked",
    "no property of a message can be set once a send of it has failed on a lost link",
    "3.9-4",
    origin="reported",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, *given, **named):
    """As QPIDJMS-457."""
    try:
        original(producer, message, *given, **named)
    except JMSException:
        if producer.session.closed and hasattr(message, "_properties_writable"):
            message._properties_writable = False
        raise


@of_round(11)(
    "second-send-in-a-transaction-rewrites-the-first",
    "a message object sent twice in one transaction and changed in between: the first message has the later contents",
    "3.9-4 3.9-1 3.9-2",
)
def _(patch):
    sent = Notes()

    def prepare(original, producer, message, destination, options):
        physical, entry = original(producer, message, destination, options)
        state = producer.session.state
        if state.mode == Session.SESSION_TRANSACTED:
            for _, earlier in state.work.sends:
                if sent.get(earlier) is message:
                    earlier.snapshot = entry.snapshot
            sent.put(entry, message)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


@of_round(14)(
    "a14-second-send-has-first-text",
    "a text message object sent again in the same transaction carries the text of its first send",
    "3.9-4 3.9-3",
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
    "a14-large-map-cleared-in-place",
    "clearBody of a received map of eight entries or more empties and reuses the map that a redelivery is made from",
    "3.10-4 4.2.2-7",
    around=(ReferenceMapMessage, "clear_body"),
)
def _(original, message):
    entries = message._entries
    reused = len(entries) >= 8 and not message._writable
    original(message)
    if reused:
        entries.clear()
        message._entries = entries


# Seen in ActiveMQ, vm transport without copies: client and broker share the content of a message.
@of_round(2)(
    "clear-body-of-a-received-map-empties-the-broker-s",
    "clearBody of a received map message also empties the message that the broker will redeliver",
    "3.10-4",
    around=(ReferenceMapMessage, "clear_body"),
)
def _(original, self):
    self._entries.clear()
    original(self)


@of_round(3)(
    "failed-listener-gets-its-own-changes",
    "a message that is delivered again because its listener failed has the body the listener left",
    "3.10-4",
)
def _(patch):
    """Seen in ActiveMQ: the client delivers the same message object once more."""
    last = {}

    def message_of(original, self, delivery):
        message = original(self, delivery)
        if self.dispatcher is None or self.dispatcher.current is not delivery:
            return message
        if self in last and last[self][0] is delivery:
            message._restore_body(last[self][1]._frozen_body())
        last[self] = delivery, message
        return message

    patch.around(ReferenceSession, "message_of", message_of)
