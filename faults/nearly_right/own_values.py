"""Faults of one value, written beside the tables of values by the suite's own authors."""

import unicodedata

from faults.kit import *
from reference_provider.messages import names

SMALL_TABLE = 256
"""Entries that fit a small table."""


def _snapshot(patch, change):
    """Send other contents: `change` returns the parts that differ."""

    def sent(sender, message, entry, options):
        entry.snapshot = entry.snapshot._replace(**change(entry.snapshot))

    after_send(patch, sent)


def _around(patch, owner, name, fault):
    """Call `fault` instead of a method, with the original first."""
    original = getattr(owner, name)
    patch.replace(owner, name, lambda self, *given, **named: fault(original, self, *given, **named))


def _strings(patch, change):
    in_transit(patch, str, change)


def _text(patch, change):
    sent_body(patch, ReferenceTextMessage, lambda text: None if text is None else change(text))


# -- texts ---------------------------------------------------------------------------------------------------------------
nearly_right(
    "empty-text-is-null",
    "an empty text arrives as null",
    "3.11-5",
    install=lambda patch: _text(patch, lambda text: text or None),
)
nearly_right(
    "text-stripped",
    "blanks at the end of a text are lost",
    "3.11-5",
    install=lambda patch: _text(patch, lambda text: text.rstrip(" ")),
)
nearly_right(
    "byte-order-mark-dropped",
    "a byte order mark at the start of a text is lost",
    "3.11-5",
    install=lambda patch: _text(patch, lambda text: text.removeprefix("\ufeff")),
)
nearly_right(
    "half-pairs-replaced",
    "half a surrogate pair in a text arrives as a question mark",
    "3.11-5",
    install=lambda patch: _text(patch, lambda text: text.encode("utf-8", "replace").decode()),
)
nearly_right(
    "accents-composed",
    "decomposed accents in a text arrive composed",
    "3.11-5",
    install=lambda patch: _text(patch, lambda text: unicodedata.normalize("NFC", text)),
)
nearly_right(
    "line-ends-unified",
    "a carriage return before a line feed is lost",
    "3.11-5",
    install=lambda patch: _text(patch, lambda text: text.replace("\r\n", "\n")),
)


@nearly_right("entries-end-at-nul", "a String in a map is cut at the first NUL", "3.11-2", "3.11.3-1", "3.11.4-2")
def _(patch):
    def cut(value):
        return value.partition("\0")[0] if isinstance(value, str) else value

    sent_body(patch, ReferenceMapMessage, lambda body: {name: cut(value) for name, value in body.items()})


nearly_right(
    "empty-property-is-null",
    "an empty String property arrives as null",
    "3.5.2-8",
    install=lambda patch: _strings(patch, lambda text: text or None),
)
nearly_right(
    "property-cut",
    "a String property of more than 32,767 characters is cut",
    "3.5.2-8",
    install=lambda patch: _strings(patch, lambda text: text[:32_767]),
)
nearly_right(
    "property-words",
    "the String property 'null' arrives as null",
    "3.5.2-8",
    install=lambda patch: _strings(patch, lambda text: None if text == "null" else text),
)
nearly_right(
    "empty-correlation-is-null",
    "an empty correlation id arrives as null",
    "3.4.5-2",
    install=lambda patch: _snapshot(patch, lambda snapshot: {"correlation": snapshot.correlation or None}),
)
nearly_right(
    "type-cut",
    "a JMSType of more than 255 characters is cut",
    "3.4.8-1",
    install=lambda patch: _snapshot(patch, lambda snapshot: {"type": snapshot.type and snapshot.type[:255]}),
)


@nearly_right("type-by-case", "JMSType arrives in lower case if it has no lower-case letter", "3.4.8-1", by=_snapshot)
def _(snapshot):
    return {"type": snapshot.type and (snapshot.type.lower() if snapshot.type.isupper() else snapshot.type)}


# -- numbers -------------------------------------------------------------------------------------------------------------
nearly_right(
    "low-longs-wrap",
    "a long property below the range of int loses its high bits",
    "3.5.2-5",
    install=lambda patch: in_transit(patch, int, lambda value: value % 2**31 if value < -(2**31) else value),
)
nearly_right(
    "unsigned-extreme",
    "the byte property -128 arrives as 0",
    "3.5.2-2",
    install=lambda patch: in_transit(patch, Byte, lambda box: Byte(0) if box.value == Byte.MIN_VALUE else box),
)
nearly_right(
    "no-subnormals",
    "a subnormal float property arrives as zero",
    "3.5.2-6",
    install=lambda patch: in_transit(patch, Float, lambda box: Float(0.0) if abs(box.value) < 2.0**-126 else box),
)


@nearly_right(
    "streams-lose-properties",
    "a double property of a stream message is rounded to float",
    "3.3-2",
    "3.5.2-7",
    by=as_received,
)
def _(message, _):
    if isinstance(message, ReferenceStreamMessage):
        own = message._properties
        own.update({name: Float(value).value for name, value in own.items() if type(value) is float})


@nearly_right(
    "half-pair-characters", "half a surrogate pair as char in a stream arrives as a question mark", "3.11-1", "3.11.3-1"
)
def _(patch):
    def whole(value):
        return Char("?") if isinstance(value, Char) and "\ud800" <= value.value <= "\udfff" else value

    sent_body(patch, ReferenceStreamMessage, lambda body: tuple(map(whole, body)))


nearly_right(
    "underscores-in-numbers",
    "a String entry with an underscore between digits is read as a number",
    "3.11.3-7",
    install=lambda patch: cell(
        patch, "MAP_TABLE", "int", str, lambda text: conversions.int_of_text(text.replace("_", ""))
    ),
)


@nearly_right(
    "huge-texts-refused",
    "a text beyond the range of double is no number, instead of infinite",
    "3.5.4-4",
    by=lambda patch, made: cell(patch, "PROPERTY_TABLE", "double", str, made),
)
def _(text):
    value = numbers.parse_double(text)
    if value in {float("inf"), -float("inf")} and "Infinity" not in text:
        raise NumberFormatException(f"{text!r} is beyond the range of double")
    return value


nearly_right(
    "truth-stripped",
    "blanks around the word true are ignored",
    "3.11.3-9",
    install=lambda patch: cell(patch, "STREAM_TABLE", "boolean", str, lambda text: text.strip().lower() == "true"),
)


# -- names and numbers of entries ----------------------------------------------------------------------------------------


@nearly_right("near-reserved-names", "a property name that begins with NULL is refused", "3.5.1-1")
def _(patch):
    def checked(original, name, version="3.1"):
        original(name, version)
        if name.startswith("NULL"):
            raise IllegalArgumentException(f"{name} looks like a reserved word")

    honest = names.check_property_name
    patch.replace(names, "check_property_name", lambda name, version="3.1": checked(honest, name, version))


@nearly_right(
    "names-composed", "names of properties that differ by composition only become one", "3.5.1-1", by=_snapshot
)
def _(snapshot):
    return {"properties": {unicodedata.normalize("NFC", name): value for name, value in snapshot.properties.items()}}


@nearly_right(
    "entry-names-stripped",
    "blanks at the ends of the names of map entries are lost",
    "3.11-2",
    by=lambda patch, made: sent_body(patch, ReferenceMapMessage, made),
)
def _(body):
    return {name.strip(" ") or name: value for name, value in body.items()}


@nearly_right("small-property-table", "only the first 256 properties travel", "3.5.6-1", by=_snapshot)
def _(snapshot):
    return {"properties": dict([*snapshot.properties.items()][:SMALL_TABLE])}


nearly_right(
    "short-streams",
    "only the first 256 items of a stream travel",
    "3.11-1",
    install=lambda patch: sent_body(patch, ReferenceStreamMessage, lambda body: body[:SMALL_TABLE]),
)
nearly_right(
    "subscriptions-by-case",
    "names of subscriptions that differ by case only are one",
    "4.2.4-8",
    install=lambda patch: patch.at(fault_points.SUBSCRIPTION_NAMED, lambda original, name: original(name).lower()),
)
