"""Faults of a send in one circumstance, by tables of circumstances and effects."""

import threading

from faults.kit import *
from faults.nearly_right.shared import *

_HERE = threading.local()
"""What the current thread is doing: `later` in an asynchronous send, `seen` before a send."""


def _asynchronous(_send):
    return bool(getattr(_HERE, "later", False))


def _simplified(send):
    return bool(getattr(_HERE, "simplified", False)) and send[0].session is not None


def _domain_specific(send):
    return isinstance(send[0], ReferenceSender | ReferencePublisher)


def _transacted(send):
    return bool(send[0].session.state.mode == Session.SESSION_TRANSACTED)


def _non_persistent(send):
    return send[3].delivery_mode == DeliveryMode.NON_PERSISTENT


def _with_priority(*levels):
    return lambda send: send[3].priority in levels


def _with_ttl(send):
    return send[3].time_to_live > 0


def _delayed(send):
    return send[3].delivery_delay > 0


def _without_id(send):
    return send[0]._disable_message_id


def _without_timestamp(send):
    return send[0]._disable_message_timestamp


def _unidentified(send):
    return send[0]._destination is None


def _by_arguments(send):
    return send[3] is not send[0]._options


def _received_before(send):
    return "JMSXDeliveryCount" in getattr(_HERE, "seen", {})


def _redelivered_before(send):
    return bool(getattr(_HERE, "flag", False))


def _sent_before(send):
    return bool(getattr(_HERE, "again", False)) and not _received_before(send)


def _foreign(send):
    return type(send[1]) not in OWN


def _to_topic(send):
    return isinstance(send[2].destination, Topic)


def _watch_sends(patch):
    """Note what a send needs to know of its circumstances: whether it is asynchronous, simplified, and of which message."""

    def later(original, producer, *arguments, **named):
        _HERE.later = True
        try:
            return original(producer, *arguments, **named)
        finally:
            _HERE.later = False

    def simplified(original, producer, *arguments, **named):
        _HERE.simplified = True
        try:
            return original(producer, *arguments, **named)
        finally:
            _HERE.simplified = False

    def prepare(original, producer, message, *others):
        _HERE.seen = dict(getattr(message, "_provider_properties", {}))
        _HERE.flag = message.jms_redelivered
        _HERE.again = message.jms_message_id is not None or message.jms_timestamp != 0
        return original(producer, message, *others)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, later)
    patch.around(ReferenceJMSProducer, "send", simplified)
    patch.at(fault_points.SEND_PREPARED, prepare)


def _lost(**values):
    """Store other values of the client's part than the sender's."""

    def change(send):
        send[2].snapshot = send[2].snapshot._replace(**values)

    return change


def _header(name, value):
    """Store another value of a header than the sender's message has."""
    return lambda send: setattr(send[2], name, value(send) if callable(value) else value)


def _at_both_ends(name, value):
    """Store another value of a header, and show it to the sender."""

    def change(send):
        wrong = value(send) if callable(value) else value
        setattr(send[2], name, wrong)
        setattr(send[1], f"jms_{name}", wrong)

    return change


def _at_sender(name, value):
    """Show another value of a header to the sender alone."""
    return lambda send: setattr(send[1], f"jms_{name}", value)


def _properties(change):
    def changed(send):
        send[2].snapshot = send[2].snapshot._replace(properties=change(dict(send[2].snapshot.properties)))

    return changed


def _as_text(properties):
    return {
        name: str(getattr(value, "value", value)) if name.startswith("int_") else value
        for name, value in properties.items()
    }


def _without_last(properties):
    own = [name for name in properties if not name.startswith("JMS")]
    return {name: value for name, value in properties.items() if len(own) < 2 or name != own[-1]}


def _lower_case(properties):
    return {name if name.startswith("JMS") else name.lower(): value for name, value in properties.items()}


def _body(kind, body):
    def change(send):
        if isinstance(send[1], kind):
            send[2].snapshot = send[2].snapshot._replace(body=body(send[2].snapshot.body))

    return change


def _shorter(body):
    return body[:-1] if body else body


def _without_an_entry(body):
    return dict(list(dict(body).items())[:-1]) if body else body


SENDS = [
    (
        "async-priority",
        "an asynchronous send forgets the priority",
        _asynchronous,
        _header("priority", 4),
        ("3.4.10-2",),
    ),
    ("async-type", "an asynchronous send loses JMSType", _asynchronous, _lost(type=None), ("3.4.8-1",)),
    (
        "async-delivery-mode-header",
        "after an asynchronous send with arguments JMSDeliveryMode of the sender's message is the producer's",
        all_of(_asynchronous, _by_arguments),
        _at_sender("delivery_mode", 7),
        ("3.4.2-2",),
    ),
    (
        "transacted-reply-to",
        "a send in a transaction loses JMSReplyTo",
        _transacted,
        _lost(reply_to=None),
        ("3.4.6-1",),
    ),
    (
        "non-persistent-correlation",
        "NON_PERSISTENT messages lose JMSCorrelationID",
        _non_persistent,
        _lost(correlation=None),
        ("3.4.5-2",),
    ),
    (
        "non-persistent-types",
        "ints become Strings in properties of NON_PERSISTENT messages",
        _non_persistent,
        _properties(_as_text),
        ("3.5.4-9",),
    ),
    (
        "highest-priority-body",
        "the last byte of bytes messages of priority 9 is lost",
        _with_priority(9),
        _body(BytesMessage, _shorter),
        ("3.11-7",),
    ),
    (
        "delayed-properties",
        "delayed messages lose the property that was set last",
        _delayed,
        _properties(_without_last),
        ("3.5.3-1",),
    ),
    (
        "delayed-timestamp",
        "the timestamp of a delayed message is the time of its delivery",
        all_of(_delayed, lambda send: not _without_timestamp(send)),
        _at_both_ends("timestamp", lambda send: send[2].delivery_time),
        ("3.4.4-2",),
    ),
    (
        "no-timestamp-no-expiration",
        "without a timestamp the expiration is the time to live alone",
        all_of(_without_timestamp, _with_ttl),
        _at_both_ends("expiration", lambda send: send[3].time_to_live + 10**12),
        ("3.4.9-1",),
    ),
    (
        "no-id-no-correlation",
        "messages without an id lose JMSCorrelationID",
        _without_id,
        _lost(correlation=None),
        ("3.4.5-2",),
    ),
    (
        "unidentified-mode",
        "an unidentified producer sends with its default delivery mode, whatever the arguments",
        all_of(_unidentified, _by_arguments),
        _header("delivery_mode", DeliveryMode.PERSISTENT),
        ("3.4.2-3",),
    ),
    (
        "arguments-ttl",
        "a time to live given as argument is not in the receiver's JMSExpiration",
        all_of(_by_arguments, _with_ttl),
        _header("expiration", 0),
        ("3.4.9-4",),
    ),
    (
        "sent-on-properties",
        "a message that is sent on after its receipt loses its properties",
        _received_before,
        _properties(lambda properties: {name: value for name, value in properties.items() if name.startswith("JMS")}),
        ("3.5.3-1",),
    ),
    (
        "sent-on-redelivered-body",
        "the text of a message that is sent on after redelivery is empty",
        _redelivered_before,
        _body(TextMessage, lambda _body: ""),
        ("3.11-5",),
    ),
    (
        "sent-on-redelivered-stream",
        "a stream that is sent on after redelivery loses its last item",
        _redelivered_before,
        _body(StreamMessage, _shorter),
        ("3.11-1",),
    ),
    (
        "sent-on-old-id",
        "a message that is sent on keeps its old id at the sender",
        all_of(_received_before, lambda send: not _without_id(send)),
        _at_sender("message_id", "ID:old"),
        ("3.4.3-4", "3.4.3-7"),
    ),
    (
        "sent-twice-type",
        "the second send of an object loses JMSType",
        _sent_before,
        _lost(type=None),
        ("3.4.8-1", "3.9-4"),
    ),
    (
        "sent-twice-entries",
        "the second send of a map loses its last entry",
        _sent_before,
        _body(MapMessage, _without_an_entry),
        ("3.11-2", "3.9-4"),
    ),
    (
        "foreign-correlation",
        "messages of foreign make lose JMSCorrelationID when they are sent in a transaction",
        all_of(_foreign, _transacted),
        _lost(correlation=None),
        ("3.12-3",),
    ),
    (
        "foreign-entries",
        "maps of foreign make lose their last entry on topics",
        all_of(_foreign, _to_topic),
        _body(MapMessage, _without_an_entry),
        ("3.12-2",),
    ),
    (
        "domain-specific-names",
        "properties sent through the domain-specific interface get names in lower case",
        _domain_specific,
        _properties(_lower_case),
        ("3.5.3-1",),
    ),
    (
        "simplified-reply-to",
        "a transacted JMSContext loses JMSReplyTo",
        all_of(_simplified, _transacted),
        _lost(reply_to=None),
        ("3.4.6-1",),
    ),
]
"""Faults of sends: name, title, condition, effect and rows."""


def _sends(patch, condition, change):
    def fault(producer, message, entry, options):
        if condition((producer, message, entry, options)):
            change((producer, message, entry, options))

    after_send(patch, fault)
    _watch_sends(patch)


for _name, _title, _condition, _change, _rows in SENDS:
    nearly_right(_name, _title, *_rows)(
        lambda patch, condition=_condition, change=_change: _sends(patch, condition, change)
    )
