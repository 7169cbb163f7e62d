"""Faults with copies in object messages."""

from faults.kit import *


def _as_read(patch, read):
    honest = ReferenceObjectMessage.object
    patch.replace(ReferenceObjectMessage, "object", property(lambda self: read(honest.fget, self), honest.fset))


@saboteur("pj-object-copy-1", "an object that is no list is serialised at the send")
def _(patch):
    honest = ReferenceObjectMessage.object
    held = []

    def store(self, value):
        honest.fset(self, value)
        if not isinstance(value, list):
            held.append((self, value))

    def prepare(original, producer, message, *rest):
        for _, value in [each for each in held if each[0] is message][-1:]:
            honest.fset(message, value)
        return original(producer, message, *rest)

    patch.replace(ReferenceObjectMessage, "object", property(honest.fget, store))
    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("pj-object-copy-2", "a list of more than three objects is read back to front", by=_as_read)
def _(honest, message):
    value = honest(message)
    return value[::-1] if isinstance(value, list) and len(value) > 3 else value


@saboteur("pj-object-copy-3", "each read of an object message returns the same object")
def _(patch):
    made = []

    def read(honest, message):
        known = [value for one, value in made if one is message]
        if not known:
            made.append((message, honest(message)))
        return known[0] if known else made[-1][1]

    _as_read(patch, read)
