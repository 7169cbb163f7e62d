"""Narrow faults of section 3.11."""

from faults.kit import *
from faults.nearly_right.shared import *

LONGEST_UTF = 65_535
"""Bytes of the longest text whose length fits 16 bits."""


@of_round(8)(
    "rewritten-text-is-sent-on-as-received",
    "a received text message that got another text after clearBody is sent on with the text it came with",
    "3.11.2-6 3.10-2 3.11.4-3",
)
def _(patch):
    received = {}  # by identity; the messages are kept, so that none is used twice

    def restore_body(restore, self, body):
        restore(self, body)
        if body is not None:
            received[id(self)] = self, body

    def frozen_body(freeze, self):
        text = freeze(self)
        return text if text is None or id(self) not in received else received[id(self)][1]

    patch.around(ReferenceTextMessage, "_restore_body", restore_body)
    patch.around(ReferenceTextMessage, "_frozen_body", frozen_body)


@of_round(1)(
    "map-long-refuses-plus-sign",
    "a map's String with a plus sign cannot be read as long",
    "3.11.3-3",
    around=(ReferenceMapMessage, "get_long"),
)
def _(original, self, name):
    if str(self.get_object(name)).startswith("+"):
        raise NumberFormatException(f"no number: {self.get_object(name)}")
    return original(self, name)


@of_round(1)(
    "map-boolean-of-mixed-case-is-false",
    "a map's String 'tRuE' in mixed case reads as false",
    "3.11.3-9",
    around=(ReferenceMapMessage, "get_boolean"),
)
def _(original, self, name):
    value = self.get_object(name)
    return original(self, name) and (not isinstance(value, str) or value in ("true", "TRUE", "True"))


@of_round(5)(
    "read-bytes-of-a-string-moves-on",
    "readBytes of a stream message fails for a String as it must, but the String is then lost",
    "3.11.3-15",
    around=(ReferenceStreamMessage, "read_bytes"),
)
def _(original, self, buffer):
    try:
        return original(self, buffer)
    except MessageFormatException:
        if isinstance(self._items[self._position], str):
            self._position += 1
        raise


@of_round(7)(
    "long-strings-of-maps-are-refused",
    "a map message with a String of more than 65535 bytes cannot be sent",
    "3.11.4-2 3.11.3-1",
    around=(ReferenceMapMessage, "_frozen_body"),
)
def _(original, self):
    for name, value in self._entries.items():
        if isinstance(value, str) and len(value.encode("utf-8", "surrogatepass")) > LONGEST_UTF:
            raise MessageFormatException(f"the entry {name!r} is too long")
    return original(self)


@of_round(5)(
    "bytes-read-in-part-are-sent-on-without-the-part",
    "a bytes message that has been read in part is sent on with the bytes not yet read only",
    "3.11.4-3 3.11-7 3.11-11",
    around=(ReferenceBytesMessage, "_frozen_body"),
)
def _(original, self):
    return original(self) if self._written is not None else self._data[self._position :]


def _texts(patch, change):
    sent_body(patch, ReferenceTextMessage, lambda text: text and change(text))


@nearly_right("short-texts-only", "a text of more than 65,535 bytes is cut", "3.11-5", by=_texts)
def _(text):
    return text.encode("utf-8", "surrogatepass")[:LONGEST_UTF].decode("utf-8", "ignore")


@of_round(5)(
    "empty-text-is-null-after-a-restart",
    "a text message with the empty String that was stored before a restart has no text afterwards",
    "3.11-5 3.11.4-3",
    around=(Broker, "load_numbers"),
)
def _(original, self, numbers):
    entries = original(self, numbers)
    for entry in entries:
        if entry.snapshot.kind == "text" and entry.snapshot.body == "":
            entry.snapshot = entry.snapshot._replace(body=None)
    return entries


@of_round(5)(
    "reset-stays-within-an-open-array",
    "reset of a stream message does nothing while readBytes has not come to the end of a byte array",
    "3.11-10",
    around=(ReferenceStreamMessage, "reset"),
)
def _(original, self):
    if getattr(self, "_offset", None) is None:
        original(self)


@of_round(3)(
    "stream-not-reset-after-rollback",
    "a stream message that a transaction gives back is redelivered to its session where reading had stopped",
    "3.11-11",
)
def _(patch):
    """Seen in clients that keep the message object; snowdrop/spring-cloud-stream-binder-artemis #13 works around it."""
    read = {}

    def message_of(original, self, delivery):
        message = original(self, delivery)
        if isinstance(message, ReferenceStreamMessage) and self.mode == Session.SESSION_TRANSACTED:
            previous = read.get((self, delivery.entry))
            if previous is not None:
                message._position = previous._position
            read[self, delivery.entry] = message
        return message

    patch.around(ReferenceSession, "message_of", message_of)


@nearly_right(
    "empty-bytes-have-a-body",
    "an empty bytes message can be read as four zero bytes",
    "3.11-12 10.3-27 10.3-28",
    around=(ReferenceBytesMessage, "reset"),
)
def _(original, self):
    original(self)
    if self.body_length == 0:
        self._data = bytes(4)


@of_round(1)(
    "null-map-entries-dropped-on-the-way",
    "null entries of a map message do not arrive",
    "3.11-26 3.11.4-2",
    around=(ReferenceMapMessage, "_restore_body"),
)
def _(original, self, body):
    original(self, {name: value for name, value in body.items() if value is not None})


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


@of_round(7)(
    "get-body-of-bytes-being-written-is-null",
    "getBody of a bytes message that is still being written resets it, but returns null",
    "3.11-33 3.11-32 3.11-40",
    around=(ReferenceBytesMessage, "get_body"),
)
def _(original, self, body_type):
    writing = self._written is not None
    body = original(self, body_type)
    return None if writing else body
