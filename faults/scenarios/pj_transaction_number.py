"""Faults of a number in a property."""

from faults.kit import *


@saboteur(
    "pj-transaction-number-1",
    "an int property that fits can be read as byte",
    around=(ReferenceMessage, "get_byte_property"),
)
def _(original, message, name):
    value = message._property(name)
    return value.value if isinstance(value, Int) and -128 <= value.value <= 127 else original(message, name)


@saboteur(
    "pj-transaction-number-2", "an absent property is the empty text", around=(ReferenceMessage, "get_string_property")
)
def _(original, message, name):
    return original(message, name) if message.property_exists(name) else ""


@saboteur(
    "pj-transaction-number-3",
    "the property that was set last has no name",
    around=(ReferenceMessage, "get_property_names"),
)
def _(original, message):
    return iter(list(original(message))[:-1])


@saboteur(
    "pj-transaction-number-4",
    "clearProperties of a received message clears the body too",
    around=(ReferenceMessage, "clear_properties"),
)
def _(original, message):
    received = not message._properties_writable
    original(message)
    if received:
        message.clear_body()
