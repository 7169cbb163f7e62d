"""Faults of a file in bytes messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from tck.api import Message

LARGE = 64 * 1024


@saboteur("pj-file-transfer-1", "one byte of a bytes body of 64 KiB or more is lost, and a zero takes its place")
def _(patch: Patch) -> None:
    def fault(message: Message, _: Delivery) -> None:
        if isinstance(message, ReferenceBytesMessage) and len(message._data) >= LARGE:
            message._data = message._data[: LARGE - 1] + b"\0" + message._data[LARGE:]

    as_received(patch, fault)


@saboteur("pj-file-transfer-2", "readBytes signals the end of a body with 0 once it has given a short count")
def _(patch: Patch) -> None:
    def read_bytes(original: Callable[..., int], message: ReferenceBytesMessage, *arguments: Any) -> int:
        return max(original(message, *arguments), 0)

    around(patch, ReferenceBytesMessage, "read_bytes", read_bytes)


@saboteur("pj-file-transfer-3", "getBodyLength of a body that has been read gives the number of unread bytes")
def _(patch: Patch) -> None:
    original: Any = vars(ReferenceBytesMessage)["body_length"]

    def body_length(message: ReferenceBytesMessage) -> int:
        return int(original.fget(message)) - message._position

    patch.replace(ReferenceBytesMessage, "body_length", property(body_length))
