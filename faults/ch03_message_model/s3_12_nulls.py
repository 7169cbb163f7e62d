"""Faults in 3.12: null as a value."""

from faults.kit import *


@saboteur(
    "3.12-9", "send drops null entries of a map", by=lambda patch, made: sent_body(patch, ReferenceMapMessage, made)
)
def _(entries):
    return {name: value for name, value in entries.items() if value is not None}


@saboteur(
    "3.12-10",
    "send drops null items of a stream",
    by=lambda patch, made: sent_body(patch, ReferenceStreamMessage, made),
)
def _(items):
    return tuple(value for value in items if value is not None)


saboteur(
    "3.12-11",
    "a null text arrives as the empty string",
    lambda patch: sent_body(patch, ReferenceTextMessage, lambda text: text or ""),
)


@saboteur("3.12-12", "setObjectProperty refuses null", around=(ReferenceMessage, "set_object_property"))
def _(original, self, name, value):
    if value is None:
        raise MessageFormatException("a property cannot be null")
    original(self, name, value)


@saboteur("3.12-13", "writeObject of null does nothing", around=(ReferenceBytesMessage, "write_object"))
def _(original, self, value):
    if value is not None:
        original(self, value)
