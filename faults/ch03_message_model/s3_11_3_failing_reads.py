"""Faults in 3.11.3: texts, nulls, and the position after a failed read."""

from __future__ import annotations

from typing import Any

from faults.kit.common import around_each
from faults.kit.declaring import saboteur
from faults.kit.messages import cell, methods
from faults.kit.patch import Patch
from reference_provider.messages import conversions
from reference_provider.messages.bytes_message import UNSIGNED_SHORT, ReferenceBytesMessage
from reference_provider.messages.conversions import NULL, Conversion
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import MapMessage, MessageFormatException, NullPointerException, NumberFormatException, StreamMessage


def _refuse(error: type[Exception]) -> Conversion:
    def refuse(value: object) -> object:
        raise error(f"{value!r} cannot be read so")

    return refuse


def _numbers(parse: Conversion) -> Conversion:
    """Read a text; raise MessageFormatException if it is not a number."""

    def read(text: str) -> object:
        try:
            return parse(text)
        except NumberFormatException as error:
            raise MessageFormatException(str(error)) from error

    return read


@saboteur("3.11.3-7", "reading a map entry that is not an int as int raises MessageFormatException")
def _(patch: Patch) -> None:
    cell(patch, "MAP_TABLE", "int", str, _numbers(conversions.int_of_text))


@saboteur(
    "3.11.3-8",
    "reading a stream item that is not an int as int raises MessageFormatException",
    collateral={"3.11.3-16": "the same read must raise NumberFormatException first"},
)
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "int", str, _numbers(conversions.int_of_text))


@saboteur("3.11.3-9", "reading a text other than true and false as boolean raises MessageFormatException")
def _(patch: Patch) -> None:
    def boolean_of_text(text: str) -> bool:
        if text.lower() not in {"true", "false"}:
            raise MessageFormatException(f"{text!r} is neither true nor false")
        return text.lower() == "true"

    cell(patch, "MAP_TABLE", "boolean", str, boolean_of_text)


@saboteur("3.11.3-10", "null is read as the int 0")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "int", NULL, lambda null: 0)


@saboteur("3.11.3-11", "reading null as double raises NumberFormatException")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "double", NULL, _refuse(NumberFormatException))


@saboteur("3.11.3-12", "reading null as boolean raises NullPointerException")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "boolean", NULL, _refuse(NullPointerException))


@saboteur("3.11.3-13", "null is read as the char 0")
def _(patch: Patch) -> None:
    cell(patch, "STREAM_TABLE", "char", NULL, lambda null: "\0")


@saboteur("3.11.3-14", "reading a map entry that does not exist raises MessageFormatException")
def _(patch: Patch) -> None:
    def get(original: Any, self: Any, name: str) -> Any:
        if name not in self._entries:
            raise MessageFormatException(f"there is no entry {name!r}")
        return original(self, name)

    around_each(patch, ReferenceMapMessage, methods(MapMessage, "get_", "get_map_names"), get)


def _moves_on(patch: Patch, failure: type[Exception]) -> None:
    def read(original: Any, self: Any) -> Any:
        try:
            return original(self)
        except failure:
            self._move_on()
            raise

    names = methods(StreamMessage, "read_", "read_bytes", "read_object")
    around_each(patch, ReferenceStreamMessage, names, read)


@saboteur("3.11.3-15", "a read of the wrong type moves the position")
def _(patch: Patch) -> None:
    _moves_on(patch, MessageFormatException)


@saboteur("3.11.3-16", "a read of a text that does not parse moves the position")
def _(patch: Patch) -> None:
    _moves_on(patch, NumberFormatException)


@saboteur("3.11.3-17", "a readUTF that fails moves the position past the length")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.read_utf

    def read_utf(self: ReferenceBytesMessage) -> str:
        try:
            return original(self)
        except MessageFormatException:
            self._position += UNSIGNED_SHORT.size
            raise

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)
