"""Faults in 3.11.3: the conversion tables of map and stream messages."""

from faults.kit import *

AS_OBJECTS = "the case reads the same cell of values that were set as objects"


@saboteur(
    "3.11.3-1",
    "getBytes of a map cuts byte arrays to 255 bytes",
    collateral=dict.fromkeys(("3.11.3-2", "3.11.3-3"), "an array of 256 bytes is among its values"),
    around=(ReferenceMapMessage, "get_bytes"),
)
def _(original, self, name):
    value = original(self, name)
    return None if value is None else value[:255]


@saboteur("3.11.3-2", "a Short set as an object is stored as an Integer", around=(ReferenceMapMessage, "set_object"))
def _(original, self, name, value):
    original(self, name, Int(value.value) if isinstance(value, Short) else value)


saboteur(
    "3.11.3-3",
    "a char entry cannot be read as String",
    lambda patch: cell(patch, "MAP_TABLE", "String", Char, None),
    collateral={"3.11.3-2": AS_OBJECTS},
)
saboteur(
    "3.11.3-4",
    "an int entry can be read as double",
    lambda patch: cell(patch, "MAP_TABLE", "double", Int, lambda box: float(box.value)),
    collateral={"3.11.3-2": AS_OBJECTS},
)


saboteur(
    "3.11.3-5",
    "a byte item cannot be read as short",
    lambda patch: cell(patch, "STREAM_TABLE", "short", Byte, None),
    collateral={"3.11.3-2": AS_OBJECTS},
)
saboteur(
    "3.11.3-6",
    "a String item of one character can be read as char",
    lambda patch: cell(patch, "STREAM_TABLE", "char", str, conversions.first_character),
    collateral={"3.11.3-2": AS_OBJECTS, "3.11.3-15": "the same cell must fail before it is read again"},
)


@saboteur(
    "3.11.3-18",
    "positive shorts of a map that fit into a byte arrive as bytes",
    collateral=dict.fromkeys(("3.11.3-2", "3.11.3-4"), "a short that fits into a byte is among its values"),
    by=as_received,
)
def _(message, delivery):
    if isinstance(message, ReferenceMapMessage):
        for name, value in message._entries.items():
            if isinstance(value, Short) and 0 < value.value < 128:
                message._entries[name] = Byte(value.value)


saboteur(
    "3.11.3-19",
    "a String cannot be read as char",
    lambda patch: patch.replace(conversions, "MAP_TABLES", {}),
    version="1.0",
)
