"""Narrow faults of section 3.11."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(8)(
    "rewritten-text-is-sent-on-as-received",
    "a received text message that got another text after clearBody is sent on with the text it came with",
    "3.11.2-6",
    "3.10-2",
    "3.11.4-3",
)
def _(patch):
    restore, freeze = ReferenceTextMessage._restore_body, ReferenceTextMessage._frozen_body
    received = {}  # by identity; the messages are kept, so that none is used twice

    def restore_body(self, body):
        restore(self, body)
        if body is not None:
            received[id(self)] = self, body

    def frozen_body(self):
        text = freeze(self)
        return text if text is None or id(self) not in received else received[id(self)][1]

    patch.replace(ReferenceTextMessage, "_restore_body", restore_body)
    patch.replace(ReferenceTextMessage, "_frozen_body", frozen_body)


@of_round(1)("map-long-refuses-plus-sign", "a map's String with a plus sign cannot be read as long", "3.11.3-3")
def _(patch):
    original = ReferenceMapMessage.get_long

    def get_long(self, name):
        if str(self.get_object(name)).startswith("+"):
            raise NumberFormatException(f"no number: {self.get_object(name)}")
        return original(self, name)

    patch.replace(ReferenceMapMessage, "get_long", get_long)


@of_round(1)("map-boolean-of-mixed-case-is-false", "a map's String 'tRuE' in mixed case reads as false", "3.11.3-9")
def _(patch):
    original = ReferenceMapMessage.get_boolean

    def get_boolean(self, name):
        value = self.get_object(name)
        return original(self, name) and (not isinstance(value, str) or value in ("true", "TRUE", "True"))

    patch.replace(ReferenceMapMessage, "get_boolean", get_boolean)


# Seen in clients that keep the count of bytes left in the current array and reset it on any failed read.
@of_round(2)(
    "failed-read-restarts-a-byte-array",
    "a refused read amid a byte array of a stream message makes readBytes begin with that array again",
    "3.11.3-15",
    "3.11-24",
)
def _(patch):
    original = ReferenceStreamMessage._check_no_open_array

    def check(self):
        try:
            original(self)
        except MessageFormatException:
            self._offset = 0
            raise

    patch.replace(ReferenceStreamMessage, "_check_no_open_array", check)


@of_round(5)(
    "read-bytes-of-a-string-moves-on",
    "readBytes of a stream message fails for a String as it must, but the String is then lost",
    "3.11.3-15",
)
def _(patch):
    original = ReferenceStreamMessage.read_bytes

    def read_bytes(self, buffer):
        try:
            return original(self, buffer)
        except MessageFormatException:
            if isinstance(self._items[self._position], str):
                self._position += 1
            raise

    patch.replace(ReferenceStreamMessage, "read_bytes", read_bytes)


_LONGEST = 65_535
"""What a length of two bytes can say."""


@of_round(7)(
    "long-strings-of-maps-are-refused",
    "a map message with a String of more than 65535 bytes cannot be sent",
    "3.11.4-2",
    "3.11.3-1",
)
def _(patch):
    original = ReferenceMapMessage._frozen_body

    def frozen_body(self):
        for name, value in self._entries.items():
            if isinstance(value, str) and len(value.encode("utf-8", "surrogatepass")) > _LONGEST:
                raise MessageFormatException(f"the entry {name!r} is too long")
        return original(self)

    patch.replace(ReferenceMapMessage, "_frozen_body", frozen_body)


@of_round(5)(
    "bytes-read-in-part-are-sent-on-without-the-part",
    "a bytes message that has been read in part is sent on with the bytes not yet read only",
    "3.11.4-3",
    "3.11-7",
    "3.11-11",
)
def _(patch):
    original = ReferenceBytesMessage._frozen_body

    def frozen(self):
        return original(self) if self._written is not None else self._data[self._position :]

    patch.replace(ReferenceBytesMessage, "_frozen_body", frozen)


def _texts(patch, change):
    sent_body(patch, ReferenceTextMessage, lambda text: text and change(text))


@nearly_right("basic-plane-only", "characters beyond U+FFFF arrive as question marks", "3.11-5", by=_texts)
def _(text):
    return "".join("?" if character > "\uffff" else character for character in text)


LONGEST_UTF = 65_535
"""Bytes of the longest text whose length fits 16 bits."""


@nearly_right("short-texts-only", "a text of more than 65,535 bytes is cut", "3.11-5", by=_texts)
def _(text):
    return text.encode("utf-8", "surrogatepass")[:LONGEST_UTF].decode("utf-8", "ignore")


@of_round(5)(
    "empty-text-is-null-after-a-restart",
    "a text message with the empty String that was stored before a restart has no text afterwards",
    "3.11-5",
    "3.11.4-3",
)
def _(patch):
    original = Broker.load_numbers

    def load_numbers(self, numbers):
        entries = original(self, numbers)
        for entry in entries:
            if entry.snapshot.kind == "text" and entry.snapshot.body == "":
                entry.snapshot = entry.snapshot._replace(body=None)
        return entries

    patch.replace(Broker, "load_numbers", load_numbers)


@of_round(5)(
    "reset-stays-within-an-open-array",
    "reset of a stream message does nothing while readBytes has not come to the end of a byte array",
    "3.11-10",
)
def _(patch):
    original = ReferenceStreamMessage.reset

    def reset(self):
        if getattr(self, "_offset", None) is None:
            original(self)

    patch.replace(ReferenceStreamMessage, "reset", reset)


@of_round(3)(
    "stream-not-reset-after-rollback",
    "a stream message that a transaction gives back is redelivered to its session where reading had stopped",
    "3.11-11",
)
def _(patch):
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


@nearly_right(
    "empty-bytes-have-a-body", "an empty bytes message can be read as four zero bytes", "3.11-12", "10.3-27", "10.3-28"
)
def _(patch):
    original = ReferenceBytesMessage.reset

    def reset(self):
        original(self)
        if self.body_length == 0:
            self._data = bytes(4)

    patch.replace(ReferenceBytesMessage, "reset", reset)


# OpenLiberty #2977: written as modified UTF-8, read as strict UTF-8.
@of_round(2)(
    "read-utf-mangles-supplementary-characters",
    "readUTF returns replacement characters for what lies beyond U+FFFF",
    "3.11-15",
)
def _(patch):
    original = ReferenceBytesMessage.read_utf

    def read_utf(self):
        return "".join(each if each <= "\uffff" else "\ufffd\ufffd" for each in original(self))

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)


@of_round(1)(
    "null-map-entries-dropped-on-the-way", "null entries of a map message do not arrive", "3.11-26", "3.11.4-2"
)
def _(patch):
    original = ReferenceMapMessage._restore_body  # where a received map is filled

    def restore(self, body):
        original(self, {name: value for name, value in body.items() if value is not None})

    patch.replace(ReferenceMapMessage, "_restore_body", restore)


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
    "3.11-33",
    "3.11-32",
    "3.11-40",
)
def _(patch):
    original = ReferenceBytesMessage.get_body

    def get_body(self, body_type):
        writing = self._written is not None
        body = original(self, body_type)
        return None if writing else body

    patch.replace(ReferenceBytesMessage, "get_body", get_body)
