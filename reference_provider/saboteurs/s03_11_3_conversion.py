"""Faults in 3.11.3: cells of the conversion tables, nulls, and the position after a failed read."""

from __future__ import annotations

from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.messages import conversions
from reference_provider.messages.bytes_message import UNSIGNED_SHORT, ReferenceBytesMessage
from reference_provider.messages.conversions import NULL, Conversion, Target
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.saboteurs.faults import as_received
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import (
    Byte,
    Char,
    Int,
    MessageFormatException,
    NullPointerException,
    NumberFormatException,
    Short,
)

AS_OBJECTS = "the case reads the same cell of values that were set as objects"


def cell(patch: Patch, table: str, target: Target, source: type, conversion: Conversion | None) -> None:
    """Change one cell of a table, or take it away."""
    changed = {each: dict(row) for each, row in getattr(conversions, table).items()}
    if conversion is None:
        del changed[target][source]
    else:
        changed[target][source] = conversion
    patch.replace(conversions, table, changed)


def _refuse(error: type[Exception]) -> Conversion:
    def refuse(value: object) -> object:
        raise error(f"{value!r} cannot be read so")

    return refuse


def _numbers(parse: Conversion) -> Conversion:
    """Read a text, and call what is no number a wrong format."""

    def read(text: str) -> object:
        try:
            return parse(text)
        except NumberFormatException as error:
            raise MessageFormatException(str(error)) from error

    return read


@saboteur("3.11.3-1", "byte arrays in maps are cut after 255 bytes")
def _(patch: Patch) -> None:
    original = ReferenceMapMessage.get_bytes

    def get_bytes(self: ReferenceMapMessage, name: str) -> bytes | None:
        value = original(self, name)
        return None if value is None else value[:255]

    patch.replace(ReferenceMapMessage, "get_bytes", get_bytes)


@saboteur("3.11.3-2", "a Short set as an object is kept as an Integer")
def _(patch: Patch) -> None:
    original = ReferenceMapMessage.set_object

    def set_object(self: ReferenceMapMessage, name: str, value: object) -> None:
        original(self, name, Int(value.value) if isinstance(value, Short) else value)

    patch.replace(ReferenceMapMessage, "set_object", set_object)


@saboteur("3.11.3-3", "a char entry cannot be read as String", collateral={"3.11.3-2": AS_OBJECTS})
def _(patch: Patch) -> None:
    cell(patch, "MAP_TABLE", "String", Char, None)


@saboteur("3.11.3-4", "an int entry can be read as double", collateral={"3.11.3-2": AS_OBJECTS})
def _(patch: Patch) -> None:
    cell(patch, "MAP_TABLE", "double", Int, lambda box: float(box.value))


@saboteur("3.11.3-5", "a byte item cannot be read as short", collateral={"3.11.3-2": AS_OBJECTS})
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "short", Byte, None)


@saboteur(
    "3.11.3-6",
    "a String item of one character can be read as char",
    collateral={"3.11.3-2": AS_OBJECTS, "3.11.3-15": "the same cell must fail before it is read again"},
)
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "char", str, conversions.first_character)


@saboteur("3.11.3-7", "text of a map that is no int raises MessageFormatException")
def _(patch: Patch) -> None:
    cell(patch, "MAP_TABLE", "int", str, _numbers(conversions.int_of_text))


@saboteur(
    "3.11.3-8",
    "text of a stream that is no int raises MessageFormatException",
    collateral={"3.11.3-16": "the same read must raise NumberFormatException first"},
)
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "int", str, _numbers(conversions.int_of_text))


@saboteur("3.11.3-9", "text other than true and false is refused as boolean")
def _(patch: Patch) -> None:
    def boolean_of_text(text: str) -> bool:
        if text.lower() not in {"true", "false"}:
            raise MessageFormatException(f"{text!r} is neither true nor false")
        return text.lower() == "true"

    cell(patch, "MAP_TABLE", "boolean", str, boolean_of_text)


@saboteur("3.11.3-10", "null read as int is 0")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "int", NULL, lambda null: 0)


@saboteur("3.11.3-11", "null read as double raises NumberFormatException")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "double", NULL, _refuse(NumberFormatException))


@saboteur("3.11.3-12", "null read as boolean raises NullPointerException")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "boolean", NULL, _refuse(NullPointerException))


@saboteur("3.11.3-13", "null read as char is the character 0")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "char", NULL, lambda null: "\0")


@saboteur("3.11.3-14", "an unknown name raises MessageFormatException")
def _(patch: Patch) -> None:
    def entry(self: ReferenceMapMessage, name: str) -> Any:
        if name not in self._entries:
            raise MessageFormatException(f"there is no entry {name!r}")
        return self._entries[name]

    patch.replace(ReferenceMapMessage, "_entry", entry)


def _moves_on(patch: Patch, failure: type[Exception]) -> None:
    original = ReferenceStreamMessage._read

    def read(self: ReferenceStreamMessage, target: Target) -> Any:
        try:
            return original(self, target)
        except failure:
            self._move_on()
            raise

    patch.replace(ReferenceStreamMessage, "_read", read)


@saboteur("3.11.3-15", "the position moves on before the type is checked")
def _(patch: Patch) -> None:
    _moves_on(patch, MessageFormatException)


@saboteur("3.11.3-16", "the position moves on when a text does not parse")
def _(patch: Patch) -> None:
    _moves_on(patch, NumberFormatException)


@saboteur("3.11.3-17", "a failed readUTF swallows the length")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.read_utf

    def read_utf(self: ReferenceBytesMessage) -> str:
        try:
            return original(self)
        except MessageFormatException:
            self._position += UNSIGNED_SHORT.size
            raise

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)


@saboteur("3.11.3-18", "positive shorts that fit into a byte arrive as bytes")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if isinstance(message, ReferenceMapMessage):
            for name, value in message._entries.items():
                if isinstance(value, Short) and 0 < value.value < 128:
                    message._entries[name] = Byte(value.value)

    as_received(patch, fault)


@saboteur("3.11.3-19", "a String cannot be read as char", version="1.0")
def _(patch: Patch) -> None:
    patch.replace(conversions, "MAP_TABLES", {})
