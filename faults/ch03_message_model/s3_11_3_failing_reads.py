"""Faults in 3.11.3: texts, nulls, and the position after a failed read."""

from faults.kit import *


def _refuse(error):
    def refuse(value):
        raise error(f"{value!r} cannot be read so")

    return refuse


def _numbers(parse):
    """Read a text; raise MessageFormatException if it is not a number."""

    def read(text):
        try:
            return parse(text)
        except NumberFormatException as error:
            raise MessageFormatException(str(error)) from error

    return read


saboteur(
    "3.11.3-7",
    "reading a map entry that is not an int as int raises MessageFormatException",
    lambda patch: cell(patch, "MAP_TABLE", "int", str, _numbers(conversions.int_of_text)),
)
saboteur(
    "3.11.3-8",
    "reading a stream item that is not an int as int raises MessageFormatException",
    lambda patch: cell(patch, "STREAM_TABLE", "int", str, _numbers(conversions.int_of_text)),
    collateral={"3.11.3-16": "the same read must raise NumberFormatException first"},
)


@saboteur(
    "3.11.3-9",
    "reading a text other than true and false as boolean raises MessageFormatException",
    by=lambda patch, made: cell(patch, "MAP_TABLE", "boolean", str, made),
)
def _(text):
    if text.lower() not in {"true", "false"}:
        raise MessageFormatException(f"{text!r} is neither true nor false")
    return text.lower() == "true"


saboteur(
    "3.11.3-10", "null is read as the int 0", lambda patch: cell(patch, "STREAM_TABLE", "int", NULL, lambda null: 0)
)


saboteur(
    "3.11.3-11",
    "reading null as double raises NumberFormatException",
    lambda patch: cell(patch, "STREAM_TABLE", "double", NULL, _refuse(NumberFormatException)),
)
saboteur(
    "3.11.3-12",
    "reading null as boolean raises NullPointerException",
    lambda patch: cell(patch, "STREAM_TABLE", "boolean", NULL, _refuse(NullPointerException)),
)
saboteur(
    "3.11.3-13",
    "null is read as the char 0",
    lambda patch: cell(patch, "STREAM_TABLE", "char", NULL, lambda null: "\0"),
)


@saboteur(
    "3.11.3-14",
    "reading a map entry that does not exist raises MessageFormatException",
    around=(ReferenceMapMessage, *methods(MapMessage, "get_", "get_map_names")),
)
def _(original, self, name):
    if name not in self._entries:
        raise MessageFormatException(f"there is no entry {name!r}")
    return original(self, name)


def _moves_on(patch, failure):
    def read(original, self):
        try:
            return original(self)
        except failure:
            self._move_on()
            raise

    names = methods(StreamMessage, "read_", "read_bytes", "read_object")
    around_each(patch, ReferenceStreamMessage, names, read)


saboteur(
    "3.11.3-15", "a read of the wrong type moves the position", lambda patch: _moves_on(patch, MessageFormatException)
)
saboteur(
    "3.11.3-16",
    "a read of a text that does not parse moves the position",
    lambda patch: _moves_on(patch, NumberFormatException),
)


@saboteur(
    "3.11.3-17", "a readUTF that fails moves the position past the length", around=(ReferenceBytesMessage, "read_utf")
)
def _(original, self):
    try:
        return original(self)
    except MessageFormatException:
        self._position += UNSIGNED_SHORT.size
        raise
