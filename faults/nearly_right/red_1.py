"""Red round 1: faults in headers, properties, bodies and browsers, written without sight of the suite.

Declared by `nearly_right`; each changes one public method or what a received message is restored from.
"""

from faults.kit import *


def _on_receipt(patch, change):
    original = ReferenceMessage.restore

    def restore(self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        change(self, delivery)

    patch.replace(ReferenceMessage, "restore", restore)


@of_round(1)(
    "empty-correlation-id-is-null", "an empty String as JMSCorrelationID arrives as null", "3.4.5-2", by=_on_receipt
)
def _(message, _):
    if message.jms_correlation_id == "":
        message.jms_correlation_id = None


@of_round(1)(
    "reply-to-lost-on-redelivery",
    "the second delivery of a message has no JMSReplyTo",
    "3.4.6-1",
    "3.10-6",
    by=_on_receipt,
)
def _(message, _):
    if message.jms_redelivered:
        message.jms_reply_to = None


@of_round(1)(
    "non-persistent-temporary-topic-reply-to-lost",
    "a NON_PERSISTENT message whose JMSReplyTo is a temporary topic arrives without it",
    "3.4.6-1",
    by=_on_receipt,
)
def _(message, _):
    if message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(message.jms_reply_to, TemporaryTopic):
        message.jms_reply_to = None


@of_round(1)(
    "null-map-entries-dropped-on-the-way", "null entries of a map message do not arrive", "3.11-26", "3.11.4-2"
)
def _null_entries(patch):
    original = ReferenceMapMessage._restore_body  # where a received map is filled

    def restore(self, body):
        original(self, {name: value for name, value in body.items() if value is not None})

    patch.replace(ReferenceMapMessage, "_restore_body", restore)


@of_round(1)(
    "clear-body-of-a-map-opens-properties", "clearBody of a received map message makes properties writable", "3.10-2"
)
def _clear_body(patch):
    original = ReferenceMapMessage.clear_body

    def clear_body(self):
        original(self)
        self._properties_writable = True

    patch.replace(ReferenceMapMessage, "clear_body", clear_body)


@of_round(1)("browser-hides-redelivered", "a browser leaves out messages that were delivered before", "4.1.6-4")
def _browser_hides(patch):
    original = ReferenceBrowser.shows

    def shows(self, entry):
        return original(self, entry) and not self._physical.delivery_queue.counts.get(entry.number, 0)

    patch.replace(ReferenceBrowser, "shows", shows)


@of_round(1)("map-long-refuses-plus-sign", "a map's String with a plus sign cannot be read as long", "3.11.3-3")
def _plus_sign(patch):
    original = ReferenceMapMessage.get_long

    def get_long(self, name):
        if str(self.get_object(name)).startswith("+"):
            raise NumberFormatException(f"no number: {self.get_object(name)}")
        return original(self, name)

    patch.replace(ReferenceMapMessage, "get_long", get_long)


@of_round(1)("map-boolean-of-mixed-case-is-false", "a map's String 'tRuE' in mixed case reads as false", "3.11.3-9")
def _mixed_case(patch):
    original = ReferenceMapMessage.get_boolean

    def get_boolean(self, name):
        value = self.get_object(name)
        return original(self, name) and (not isinstance(value, str) or value in ("true", "TRUE", "True"))

    patch.replace(ReferenceMapMessage, "get_boolean", get_boolean)
