"""Faults of a rectangle in a stream message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import MessageEOFException, MessageFormatException


@saboteur("pj-stream-rectangle-1", "an int can be read from a stream while it is written")
def _(patch: Patch) -> None:
    def read_int(original: Callable[..., int], stream: Any) -> int:
        if not (stream._writable and stream._items):
            return original(stream)
        stream._writable = False
        try:
            return original(stream)
        finally:
            stream._writable = True

    around(patch, ReferenceStreamMessage, "read_int", read_int)


@saboteur("pj-stream-rectangle-2", "writing an int into a read-only stream does nothing")
def _(patch: Patch) -> None:
    def write_int(original: Callable[..., None], stream: Any, value: int) -> None:
        if stream._writable:
            original(stream, value)

    around(patch, ReferenceStreamMessage, "write_int", write_int)


@saboteur("pj-stream-rectangle-3", "a number reads back from a stream as a text with a sign")
def _(patch: Patch) -> None:
    def read_string(original: Callable[..., str | None], stream: Any) -> str | None:
        text = original(stream)
        return f"+{text}" if text is not None and text.isdecimal() else text

    around(patch, ReferenceStreamMessage, "read_string", read_string)


@saboteur("pj-stream-rectangle-4", "an int beyond the end of a stream is zero")
def _(patch: Patch) -> None:
    def read_int(original: Callable[..., int], stream: Any) -> int:
        try:
            return original(stream)
        except MessageEOFException:
            return 0

    around(patch, ReferenceStreamMessage, "read_int", read_int)


@saboteur("pj-stream-rectangle-5", "a read as short that fails goes past the value")
def _(patch: Patch) -> None:
    def read_short(original: Callable[..., int], stream: Any) -> int:
        try:
            return original(stream)
        except MessageFormatException:
            stream._position += 1
            raise

    around(patch, ReferenceStreamMessage, "read_short", read_short)


@saboteur("pj-stream-rectangle-6", "clearBody of a received stream clears the properties too")
def _(patch: Patch) -> None:
    def clear_body(original: Callable[..., None], stream: Any) -> None:
        original(stream)
        if not stream._properties_writable:
            stream._properties = {}

    around(patch, ReferenceStreamMessage, "clear_body", clear_body)
