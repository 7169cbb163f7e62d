"""Red round 3a, second part: faults of objects used again, asynchronous sends, listeners and groups."""

from faults.kit import *


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


of_round(3)(
    "asynchronous-send-leaves-expiration",
    "after an asynchronous send JMSExpiration of the sender's message is what it was before",
    "3.4.11-2",
    "3.4.9-1",
    install=lambda patch: _on_asynchronous_prepare(patch, "jms_expiration", foreign_only=False),
)


@of_round(3)(
    "asynchronous-send-leaves-foreign-id",
    "an asynchronous send does not set JMSMessageID on a message of another implementation",
    "3.4.11-9",
    "3.4.11-2",
)
def _foreign_id(patch):
    """Seen in clients that send a copy of a foreign message and write headers back in the synchronous path only."""
    _on_asynchronous_prepare(patch, "jms_message_id", foreign_only=True)


@of_round(3)(
    "failed-listener-gets-its-own-changes",
    "a message that is delivered again because its listener failed has the body the listener left",
    "3.10-4",
)
def _own_changes(patch):
    """Seen in ActiveMQ: the client delivers the same message object once more."""
    original = ReferenceSession.message_of
    last = {}

    def message_of(self, delivery):
        message = original(self, delivery)
        if self.dispatcher is None or self.dispatcher.current is not delivery:
            return message
        if self in last and last[self][0] is delivery:
            message._restore_body(last[self][1]._frozen_body())
        last[self] = delivery, message
        return message

    patch.replace(ReferenceSession, "message_of", message_of)


@of_round(3)(
    "stream-not-reset-after-rollback",
    "a stream message that a transaction gives back is redelivered to its session where reading had stopped",
    "3.11-11",
)
def _not_reset(patch):
    """Seen in clients that keep the message object; snowdrop/spring-cloud-stream-binder-artemis #13 works around it."""
    original = ReferenceSession.message_of
    read = {}

    def message_of(self, delivery):
        message = original(self, delivery)
        if isinstance(message, ReferenceStreamMessage) and self.mode == Session.SESSION_TRANSACTED:
            previous = read.get((self, delivery.entry))
            if previous is not None:
                message._position = previous._position
            read[self, delivery.entry] = message
        return message

    patch.replace(ReferenceSession, "message_of", message_of)


@of_round(3)(
    "topic-copies-share-their-properties",
    "clearProperties of a message received from a topic empties the properties of all other copies",
    "3.5.3-1",
    "3.10-5",
)
def _shared_properties(patch):
    """Seen in ActiveMQ with the vm transport, where all consumers of a topic share one unmarshalled message."""
    restore, clear_properties = ReferenceMessage.restore, ReferenceMessage.clear_properties

    def share(self, snapshot, delivery, model):
        restore(self, snapshot, delivery, model)
        if isinstance(delivery.destination, Topic):
            self._properties = snapshot.properties

    def clear(self):
        self._properties.clear()
        clear_properties(self)

    patch.replace(ReferenceMessage, "restore", share)
    patch.replace(ReferenceMessage, "clear_properties", clear)


@of_round(3)(
    "override-of-zero-ignored", "an administrator's priority 0 or time to live 0 counts as no prescription", "3.4.12-2"
)
def _zero_ignored(patch):
    original = producers.overridden

    def overridden(override, options):
        names = ("delivery_mode", "priority", "time_to_live", "delivery_delay")
        values = {name: getattr(override, name) for name in names}
        effective = {name: OMITTED if value is OMITTED or not value else value for name, value in values.items()}
        return original(Override(**effective), options)

    patch.replace(producers, "overridden", overridden)


@of_round(3)("group-sequence-zero-is-none", "a JMSXGroupSeq of 0 does not arrive", "3.5.9-5")
def _no_sequence(patch):
    """Around ARTEMIS-2142 (apache/artemis #2387, #2418): converters confuse group sequence 0 with none."""
    original = ReferenceMessage.restore

    def restore(self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        if self._properties.get("JMSXGroupSeq") == Int(0):
            del self._properties["JMSXGroupSeq"]

    patch.replace(ReferenceMessage, "restore", restore)


@of_round(3)(
    "producer-transaction-of-first-send",
    "a message sent again in a later transaction keeps the JMSXProducerTXID of the first",
    "3.5.9-11",
)
def _first_transaction(patch):
    original = producers.assign_send_properties
    name = "JMSXProducerTXID"

    def assign(message, properties):
        if isinstance(message, ReferenceMessage) and name in properties and name in message._provider_properties:
            properties = {**properties, name: message._provider_properties[name]}
        original(message, properties)

    patch.replace(producers, "assign_send_properties", assign)


@of_round(3)(
    "transaction-sends-object-as-last-seen",
    "an object sent several times in one transaction arrives each time with its last contents",
    "3.9-1",
    "3.9-2",
    "3.9-4",
)
def _last_seen(patch):
    """Seen in clients that collect references to messages until commit instead of copies."""
    original = ReferenceProducer.freeze
    sent = {}  # by transaction

    def freeze(self, message, stamp, properties):
        entry = original(self, message, stamp, properties)
        state = self.session.state
        if state.mode == Session.SESSION_TRANSACTED:
            for earlier, same in sent.setdefault(state.work, []):
                if earlier is message:
                    same.snapshot = entry.snapshot
            sent[state.work].append((message, entry))
        return entry

    patch.replace(ReferenceProducer, "freeze", freeze)


@of_round(3)(
    "no-timestamp-never-expires",
    "a message of a producer that disables timestamps has no JMSExpiration and never expires",
    "3.4.9-1",
)
def _no_timestamp(patch):
    """As ActiveMQSession.send of ActiveMQ 5: the expiration is computed only if timestamps are not disabled."""
    original = ReferenceProducer.expiration

    def expiration(self, now, time_to_live):
        return 0 if self._disable_message_timestamp else original(self, now, time_to_live)

    patch.replace(ReferenceProducer, "expiration", expiration)
