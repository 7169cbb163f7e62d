"""Faults in 3.11: getBody and isBodyAssignableTo."""

from faults.kit import *

MATRIX = "the case compares the answers of isBodyAssignableTo with what getBody does, and asks for this type too"


def _body(patch, owner, fault):
    patch.around(owner, "get_body", fault)


def _answer(patch, owner, fault):
    patch.around(owner, "is_body_assignable_to", fault)


def _accepting(patch, owner, accepts):
    """Accept other types in getBody and isBodyAssignableTo; `accepts` gets a message with a body, and the type."""

    def body(original, self, body_type):
        if not body_type or not self._has_body():
            return original(self, body_type)
        if not accepts(self, body_type):
            raise MessageFormatException("not as this type")
        return original(self, OBJECT)

    def answer(original, self, body_type):
        if not body_type or not self._has_body():
            return bool(original(self, body_type))
        return accepts(self, body_type)

    _body(patch, owner, body)
    _answer(patch, owner, answer)


saboteur(
    "3.11-29",
    "getBody refuses a text as CharSequence and Comparable",
    lambda patch: _accepting(patch, ReferenceTextMessage, lambda message, body_type: body_type in {str, OBJECT}),
)


@saboteur(
    "3.11-30",
    "getBody returns an object as its own class and as Serializable only",
    collateral={"3.11-35": "the case asks for each object as what it is before it asks for what it is not"},
    by=lambda patch, made: _accepting(patch, ReferenceObjectMessage, made),
)
def _(message, body_type):
    try:
        value = message.object
    except MessageFormatException:
        return False
    return body_type in ANY or body_type is type(value)


@saboteur(
    "3.11-31", "getBody of a map omits its byte arrays", by=lambda patch, made: _body(patch, ReferenceMapMessage, made)
)
def _(original, self, body_type):
    entries = original(self, body_type)
    return entries and {name: value for name, value in entries.items() if not isinstance(value, bytes)}


saboteur(
    "3.11-32",
    "getBody of a bytes message accepts byte[] only",
    lambda patch: _accepting(patch, ReferenceBytesMessage, lambda message, body_type: body_type is bytes),
)


@saboteur(
    "3.11-33",
    "getBody leaves the position of a bytes message at the end",
    by=lambda patch, made: _body(patch, ReferenceBytesMessage, made),
)
def _(original, self, body_type):
    body = original(self, body_type)
    self._position = len(self._data)
    return body


saboteur(
    "3.11-34",
    "getBody returns the items of a stream as a list",
    lambda patch: patch.replace(ReferenceStreamMessage, "get_body", lambda self, body_type: list(self._items)),
    collateral={"3.11-39": MATRIX},
)


@saboteur(
    "3.11-35", "getBody returns bytes as text", by=lambda patch, made: _accepting(patch, ReferenceBytesMessage, made)
)
def _(message, body_type):
    return body_type is str or body_type in BYTES_TYPES


@saboteur(
    "3.11-36",
    "getBody of an empty map message returns an empty map",
    by=lambda patch, made: _body(patch, ReferenceMapMessage, made),
)
def _(original, self, body_type):
    return {} if body_type is dict and not self._entries else original(self, body_type)


@saboteur(
    "3.11-37",
    "getBody of a plain message raises MessageFormatException",
    by=lambda patch, made: _body(patch, ReferenceMessage, made),
)
def _(original, self, body_type):
    if type(self) is ReferenceMessage:
        raise MessageFormatException("a plain message has no body")
    return original(self, body_type)


@saboteur(
    "3.11-38",
    "getBody returns null for an object that cannot be built",
    by=lambda patch, made: _body(patch, ReferenceObjectMessage, made),
)
def _(original, self, body_type):
    try:
        _ = self.object
    except MessageFormatException:
        return None
    return original(self, body_type)


@saboteur(
    "3.11-39",
    "isBodyAssignableTo is false for a text as Comparable",
    by=lambda patch, made: _answer(patch, ReferenceTextMessage, made),
)
def _(original, self, body_type):
    return bool(original(self, body_type)) and not (body_type is COMPARABLE and self._has_body())


@saboteur(
    "3.11-40",
    "isBodyAssignableTo is true for an object as any type",
    collateral={"3.11-39": MATRIX},
    by=lambda patch, made: _answer(patch, ReferenceObjectMessage, made),
)
def _(original, self, body_type):
    return bool(original(self, body_type)) or (isinstance(body_type, type) and bool(original(self, OBJECT)))


@saboteur(
    "3.11-41",
    "isBodyAssignableTo is true for a stream as Object",
    collateral={"3.11-39": MATRIX, "3.11-40": MATRIX},
    by=lambda patch, made: _answer(patch, ReferenceStreamMessage, made),
)
def _(original, self, body_type):
    return body_type is OBJECT or bool(original(self, body_type))


@saboteur(
    "3.11-42",
    "isBodyAssignableTo is false for an empty text as Integer",
    by=lambda patch, made: _answer(patch, ReferenceTextMessage, made),
)
def _(original, self, body_type):
    return body_type is not Int and bool(original(self, body_type))


@saboteur(
    "3.11-43",
    "isBodyAssignableTo raises the error of an object that cannot be built",
    by=lambda patch, made: _answer(patch, ReferenceObjectMessage, made),
)
def _(original, self, body_type):
    _ = self.object
    return bool(original(self, body_type))
