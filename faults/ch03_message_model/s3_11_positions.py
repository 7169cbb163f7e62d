"""Faults in 3.11: when bytes and stream messages are written and read, and from which position."""

from faults.kit import *


@saboteur(
    "3.11-9",
    "a stream can be read while it is written",
    around=(ReferenceStreamMessage, *methods(StreamMessage, "read_")),
)
def _(original, self, *arguments):
    if not (self._writable and self._items):
        return original(self, *arguments)
    self._writable = False
    try:
        return original(self, *arguments)
    finally:
        self._writable = True


@saboteur("3.11-10", "a second reset of a stream does nothing", around=(ReferenceStreamMessage, "reset"))
def _(original, self):
    if getattr(self, "_writable", True) or self._position == 0 or len(self._items) != 2:
        original(self)


@saboteur(
    "3.11-11",
    "a received stream of one number is at its end until it is reset",
    by=lambda patch, made: restored(patch, ReferenceStreamMessage, made),
)
def _(message, body):
    if len(body) == 1 and isinstance(body[0], int):
        message._position = 1


@saboteur("3.11-12", "readLong beyond the end returns 0", around=(ReferenceBytesMessage, "read_long"))
def _(original, self):
    try:
        return int(original(self))
    except MessageEOFException:
        return 0
