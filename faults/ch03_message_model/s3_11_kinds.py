"""Faults in 3.11: the content of each kind of body."""

from faults.kit import *

MANY = 20
"""Number of values from which on some faults apply, so that the short bodies of other rows are spared."""


@saboteur(
    "3.11-1",
    "two neighbours in a long stream are swapped",
    collateral={"3.11-22": "it reads a long stream in order"},
    by=lambda patch, made: restored(patch, ReferenceStreamMessage, made),
)
def _(message, body):
    if len(body) >= MANY:
        message._items[3], message._items[4] = message._items[4], message._items[3]


@saboteur(
    "3.11-2",
    "two entries of a large map are swapped",
    collateral={"3.11-3": "it reads the entries of a large map"},
    by=lambda patch, made: restored(patch, ReferenceMapMessage, made),
)
def _(message, body):
    if len(body) >= MANY:
        first, second = list(body)[3:5]
        message._entries = {**body, first: body[second], second: body[first]}


@saboteur("3.11-3", "getMapNames omits null entries")
def _(patch):
    def names(self):
        return iter([name for name, value in self._entries.items() if value is not None])

    patch.replace(ReferenceMapMessage, "get_map_names", names)


@saboteur("3.11-5", "text above 64 KB is cut", by=lambda patch, made: restored(patch, ReferenceTextMessage, made))
def _(message, body):
    message._text = body and body[:65535]


@saboteur("3.11-6", "lists arrive empty", collateral={"3.11-30": "a list is one of the objects it asks for"})
def _(patch):
    honest = ReferenceObjectMessage.object

    def read(self):
        value = honest.fget(self)
        return [] if isinstance(value, list) and not self._writable else value

    patch.replace(ReferenceObjectMessage, "object", property(read, honest.fset))


@saboteur(
    "3.11-7",
    "the body of a long bytes message is decoded and encoded as text",
    collateral=dict.fromkeys(("3.11-13", "3.11-14", "3.11-15", "3.11-32"), "it reads a long body of all byte values"),
    by=lambda patch, made: restored(patch, ReferenceBytesMessage, made),
)
def _(message, body):
    if len(body) >= 256:
        message._data = body.decode("ascii", "replace").encode("ascii", "replace")


@saboteur(
    "3.11-8",
    "the body of a bytes message begins with its properties",
    by=lambda patch, made: restored(patch, ReferenceBytesMessage, made),
)
def _(message, body):
    own = {name: value for name, value in message._properties.items() if not name.startswith("JMS")}
    message._data = repr(own).encode() + body if own else body


@saboteur("3.11-20", "a list in a body is stored as text")
def _(patch):
    def set_object(original, self, *arguments):
        *name, value = arguments
        original(self, *name, str(value) if isinstance(value, list) else value)

    patch.around(ReferenceMapMessage, "set_object", set_object)
    patch.around(ReferenceBytesMessage, "write_object", set_object)
    patch.around(ReferenceStreamMessage, "write_object", set_object)


@saboteur("3.11-25", "setBytes raises NullPointerException for a null name", around=(ReferenceMapMessage, "set_bytes"))
def _(original, self, name, *arguments):
    if name is None:
        raise NullPointerException("a name is wanted")
    original(self, name, *arguments)


saboteur(
    "3.11-26",
    "itemExists is false for null entries",
    lambda patch: patch.replace(
        ReferenceMapMessage, "item_exists", lambda self, name: self._entries.get(name) is not None
    ),
)


@saboteur(
    "3.11-27",
    "an unset text arrives as the empty string",
    collateral={"3.11-42": "the case asks a received message without a text too"},
    by=lambda patch, made: restored(patch, ReferenceTextMessage, made),
)
def _(message, body):
    message._text = body or ""


@saboteur("3.11-28", "setObject accepts an object that cannot be sent")
def _(patch):
    honest = ReferenceObjectMessage.object

    def store(self, value):
        try:
            honest.fset(self, value)
        except MessageFormatException:
            self._encoded = b"cannot be read"

    patch.replace(ReferenceObjectMessage, "object", property(honest.fget, store))
