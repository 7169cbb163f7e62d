"""Faults in 3.12: null as a value."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.messages import sent_body
from faults.kit.patch import Patch
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import MessageFormatException


@saboteur("3.12-9", "send drops null entries of a map")
def _(patch: Patch) -> None:
    sent_body(
        patch,
        ReferenceMapMessage,
        lambda entries: {name: value for name, value in entries.items() if value is not None},
    )


@saboteur("3.12-10", "send drops null items of a stream")
def _(patch: Patch) -> None:
    sent_body(patch, ReferenceStreamMessage, lambda items: tuple(value for value in items if value is not None))


@saboteur("3.12-11", "a null text arrives as the empty string")
def _(patch: Patch) -> None:
    sent_body(patch, ReferenceTextMessage, lambda text: text or "")


@saboteur("3.12-12", "setObjectProperty refuses null")
def _(patch: Patch) -> None:
    original = ReferenceMessage.set_object_property

    def set_object_property(self: Any, name: str, value: object) -> None:
        if value is None:
            raise MessageFormatException("a property cannot be null")
        original(self, name, value)

    patch.replace(ReferenceMessage, "set_object_property", set_object_property)


@saboteur("3.12-13", "writeObject of null does nothing")
def _(patch: Patch) -> None:
    original = ReferenceBytesMessage.write_object

    def write_object(self: Any, value: object) -> None:
        if value is not None:
            original(self, value)

    patch.replace(ReferenceBytesMessage, "write_object", write_object)
