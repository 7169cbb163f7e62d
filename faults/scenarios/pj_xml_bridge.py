"""Faults of the bridge for XML documents."""

from __future__ import annotations

import re
from collections.abc import Callable

from faults.kit.arrivals import arriving, changed
from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from tck.api import DeliveryMode, Message


def _texts(patch: Patch, fault: Callable[[str], str | None]) -> None:
    """Change the texts of text messages on the way."""

    def arrival(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        text = entry.snapshot.body
        return [changed(entry, body=fault(text)) if isinstance(text, str) else entry]

    arriving(patch, arrival)


@saboteur("pj-xml-bridge-1", "the line ends of a text arrive in one form")
def _(patch: Patch) -> None:
    _texts(patch, lambda text: re.sub("\r\n?", "\n", text))


@saboteur("pj-xml-bridge-2", "a text that declares XML arrives with its double spaces as one")
def _(patch: Patch) -> None:
    _texts(patch, lambda text: re.sub(r"(?<=\S)  (?=\S)", " ", text) if text.startswith("<?xml") else text)


@saboteur("pj-xml-bridge-3", "PERSISTENT messages of priority 9 that expire arrive with priority 8")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if (delivery.priority, delivery.delivery_mode) == (9, DeliveryMode.PERSISTENT) and delivery.expiration:
            message.jms_priority = 8

    as_received(patch, fault)


@saboteur("pj-xml-bridge-4", "an empty text arrives as null")
def _(patch: Patch) -> None:
    _texts(patch, lambda text: text or None)


@saboteur("pj-xml-bridge-5", "bytes that are a text arrive as a text message")
def _(patch: Patch) -> None:
    def arrival(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        content = entry.snapshot.body
        is_text = entry.snapshot.kind == "bytes" and isinstance(content, bytes) and content.startswith(b"<")
        return [changed(entry, kind="text", body=content.decode()) if is_text else entry]  # type: ignore[union-attr]

    arriving(patch, arrival)
