"""Faults in 3.5.4: the conversion table of properties."""

from faults.kit import *

CELLS = "the case reads the same cells of the table"


def _cell(patch, target, stored, conversion):
    """Put another conversion into a cell of the property table; None empties it."""
    column = dict(conversions.PROPERTY_TABLE[target])
    column[stored] = conversion
    table = {**conversions.PROPERTY_TABLE, target: {kind: made for kind, made in column.items() if made is not None}}
    patch.replace(conversions, "PROPERTY_TABLE", table)


saboteur("3.5.4-1", "a byte property cannot be read as long", lambda patch: _cell(patch, "long", Byte, None))


@saboteur(
    "3.5.4-2",
    "an int property that fits can be read as short on the sender's message",
    around=(ReferenceMessage, "get_short_property"),
)
def _(original, self, name):
    value = self._property(name)
    if isinstance(value, Int) and self._properties_writable and -32768 <= value.value <= 32767:
        return value.value
    return original(self, name)


def _refuse_text(text):
    try:
        return conversions.int_of_text(text)
    except NumberFormatException as error:
        raise MessageFormatException(str(error)) from error


saboteur(
    "3.5.4-3",
    "reading a text that is not an int as int raises MessageFormatException",
    lambda patch: _cell(patch, "int", str, _refuse_text),
)


def _without_plus(text):
    if text.startswith("+"):
        raise NumberFormatException("a plus sign")
    return conversions.long_of_text(text)


saboteur(
    "3.5.4-4",
    "a text with a leading plus sign cannot be read as long",
    lambda patch: _cell(patch, "long", str, _without_plus),
)


def _strict(text):
    if text.lower() not in {"true", "false"}:
        raise MessageFormatException(f"{text!r} is neither true nor false")
    return text.lower() == "true"


saboteur(
    "3.5.4-5",
    "a text other than true and false cannot be read as boolean",
    lambda patch: _cell(patch, "boolean", str, _strict),
)
saboteur(
    "3.5.4-6",
    "a null property is read as the short 0",
    lambda patch: _cell(patch, "short", type(None), lambda value: 0),
)


saboteur(
    "3.5.4-7",
    "reading a null property as float raises NumberFormatException",
    lambda patch: _cell(patch, "float", type(None), conversions.integer_of_null),
)


def _no_boolean(value):
    raise NullPointerException("null is no boolean")


saboteur(
    "3.5.4-8",
    "reading a null property as boolean raises NullPointerException",
    lambda patch: _cell(patch, "boolean", type(None), _no_boolean),
)
saboteur(
    "3.5.4-9",
    "boolean properties arrive as text",
    lambda patch: in_transit(patch, bool, conversions.text_of_boolean),
    collateral={"3.5.4-2": CELLS},
)
