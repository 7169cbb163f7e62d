"""Faults in 3.12: copies of arrays and objects."""

from faults.kit import *


class _Kept:
    """References to arrays and objects, by the message that they were passed to."""

    def __init__(self):
        self._things = {}

    def add(self, message, key, thing):
        """Remember an array or object, with its name or number."""
        self._things.setdefault(id(message), (message, []))[1].append((key, thing))

    def of(self, message):
        """Return the arrays and objects of a message."""
        return self._things.get(id(message), (message, []))[1]


@saboteur("3.12-5", "a map message keeps a reference to a byte array")
def _(patch):
    kept = _Kept()
    write, read = ReferenceMapMessage.set_bytes, ReferenceMapMessage.get_bytes

    def set_bytes(self, name, value, offset=OMITTED, length=OMITTED):
        write(self, name, value, offset, length)
        if offset is OMITTED:
            kept.add(self, name, value)

    def get_bytes(self, name):
        return next((bytes(array) for key, array in kept.of(self) if key == name), read(self, name))

    patch.replace(ReferenceMapMessage, "set_bytes", set_bytes)
    patch.replace(ReferenceMapMessage, "get_bytes", get_bytes)


@saboteur("3.12-6", "a stream message keeps a reference to a byte array until reset")
def _(patch):
    kept = _Kept()
    write, start = ReferenceStreamMessage.write_bytes, ReferenceStreamMessage.reset

    def write_bytes(self, value, offset=OMITTED, length=OMITTED):
        write(self, value, offset, length)
        if offset is OMITTED and value is not None:
            kept.add(self, len(self._items) - 1, value)

    def reset(self):
        for number, array in kept.of(self):
            self._items[number] = bytes(array)
        start(self)

    patch.replace(ReferenceStreamMessage, "write_bytes", write_bytes)
    patch.replace(ReferenceStreamMessage, "reset", reset)


@saboteur("3.12-7", "a bytes message keeps a reference to a byte array until reset")
def _(patch):
    kept = _Kept()
    write, start = ReferenceBytesMessage.write_bytes, ReferenceBytesMessage.reset

    def write_bytes(self, value, offset=OMITTED, length=OMITTED):
        write(self, value, offset, length)
        if offset is OMITTED:
            kept.add(self, len(self._written) - len(value), value)

    def reset(self):
        for at, array in kept.of(self) if self._written is not None else ():
            self._written[at : at + len(array)] = array
        start(self)

    patch.replace(ReferenceBytesMessage, "write_bytes", write_bytes)
    patch.replace(ReferenceBytesMessage, "reset", reset)


@saboteur("3.12-8", "an object message keeps a reference to its object")
def _(patch):
    kept = _Kept()
    honest = ReferenceObjectMessage.object

    def store(self, value):
        honest.fset(self, value)
        kept.add(self, "object", value)

    def read(self):
        for _, value in kept.of(self)[-1:]:
            self._encoded = self._encode(value)
        return honest.fget(self)

    patch.replace(ReferenceObjectMessage, "object", property(read, store))


@saboteur("3.12-14", "getBody of a map returns the map of the message itself", around=(ReferenceMapMessage, "get_body"))
def _(original, self, body_type):
    return original(self, body_type) and self._entries


@saboteur("3.12-15", "a stream message returns its own byte arrays")
def _(patch):
    original = ReferenceStreamMessage.read_object
    own = {}

    def read_object(self):
        at = self._position
        value = original(self)
        if isinstance(value, bytes):
            return own.setdefault((id(self), at), (self, bytearray(value)))[1]
        return value

    patch.replace(ReferenceStreamMessage, "read_object", read_object)


@saboteur("3.12-16", "getObject returns the same object each time")
def _(patch):
    kept = _Kept()
    honest = ReferenceObjectMessage.object

    def read(self):
        if not kept.of(self):
            kept.add(self, "object", honest.fget(self))
        return kept.of(self)[0][1]

    patch.replace(ReferenceObjectMessage, "object", property(read, honest.fset))


@saboteur("3.12-17", "getBody of a bytes message returns its own buffer", around=(ReferenceBytesMessage, "get_body"))
def _(original, self, body_type):
    if original(self, body_type) is None:
        return None
    self._data = bytearray(self._data)
    return self._data
