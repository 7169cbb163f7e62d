"""Faults in 3.11: arrays and objects in bytes, stream and map messages."""

from faults.kit import *


@saboteur("3.11-19", "writeBytes ignores the offset")
def _(patch):
    def write_bytes(original, self, value, offset=OMITTED, length=OMITTED):
        original(self, value, offset if offset is OMITTED else 0, length)

    def set_bytes(original, self, name, value, offset=OMITTED, length=OMITTED):
        original(self, name, value, offset if offset is OMITTED else 0, length)

    patch.around(ReferenceBytesMessage, "write_bytes", write_bytes)
    patch.around(ReferenceStreamMessage, "write_bytes", write_bytes)
    patch.around(ReferenceMapMessage, "set_bytes", set_bytes)


@saboteur(
    "3.11-21",
    "getObject returns a byte array of a map as a list of numbers",
    around=(ReferenceMapMessage, "get_object"),
)
def _(original, self, name):
    value = original(self, name)
    return list(value) if isinstance(value, bytes) else value


@saboteur(
    "3.11-22",
    "a read after one that filled the buffer returns the next item",
    around=(ReferenceStreamMessage, "read_bytes"),
)
def _(original, self, buffer):
    if self._offset is not None and self._offset == len(self._items[self._position]):
        self._move_on()
    return original(self, buffer)


@saboteur("3.11-23", "readBytes returns 0 for a null array", around=(ReferenceStreamMessage, "read_bytes"))
def _(original, self, buffer):
    begins = self._offset is None
    count = int(original(self, buffer))
    return max(count, 0) if begins else count


@saboteur(
    "3.11-24",
    "other reads skip the rest of a byte array",
    around=(ReferenceStreamMessage, *methods(StreamMessage, "read_", "read_bytes")),
)
def _(original, self):
    if self._offset is not None:
        self._move_on()
    return original(self)
