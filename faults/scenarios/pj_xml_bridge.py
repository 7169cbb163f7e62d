"""Faults of the bridge for XML documents."""

import re

from faults.kit import *


def _texts(patch, fault):
    """Change the texts of text messages on the way."""

    def arrival(_, entry, ordinal):
        text = entry.snapshot.body
        return [changed(entry, body=fault(text)) if isinstance(text, str) else entry]

    arriving(patch, arrival)


saboteur(
    "pj-xml-bridge-1",
    "the line ends of a text arrive in one form",
    lambda patch: _texts(patch, lambda text: re.sub("\r\n?", "\n", text)),
)


@saboteur("pj-xml-bridge-2", "a text that declares XML arrives with its double spaces as one", by=_texts)
def _(text):
    return re.sub(r"(?<=\S)  (?=\S)", " ", text) if text.startswith("<?xml") else text


@saboteur("pj-xml-bridge-3", "PERSISTENT messages of priority 9 that expire arrive with priority 8", by=as_received)
def _(message, delivery):
    if (delivery.priority, delivery.delivery_mode) == (9, DeliveryMode.PERSISTENT) and delivery.expiration:
        message.jms_priority = 8


saboteur("pj-xml-bridge-4", "an empty text arrives as null", lambda patch: _texts(patch, lambda text: text or None))


@saboteur("pj-xml-bridge-5", "bytes that are a text arrive as a text message", by=arriving)
def _(_, entry, ordinal):
    content = entry.snapshot.body
    is_text = entry.snapshot.kind == "bytes" and isinstance(content, bytes) and content.startswith(b"<")
    return [changed(entry, kind="text", body=content.decode()) if is_text else entry]
