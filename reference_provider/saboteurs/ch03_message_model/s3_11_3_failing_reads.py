"""Faults in 3.11.3: texts, nulls, and the position after a failed read."""

from __future__ import annotations

from typing import Any

from reference_provider.messages import conversions
from reference_provider.messages.bytes_message import UNSIGNED_SHORT, ReferenceBytesMessage
from reference_provider.messages.conversions import NULL, Conversion, Target
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.saboteurs.faults import cell
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import MessageFormatException, NullPointerException, NumberFormatException


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
