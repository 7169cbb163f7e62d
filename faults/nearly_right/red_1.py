"""Red round 1: faults in headers, properties, bodies and browsers, written without sight of the suite.

Declared by `nearly_right`; each changes one public method or what a received message is restored from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from tck.api import DeliveryMode, NumberFormatException, TemporaryTopic


def _on_receipt(patch: Patch, change: Callable[[Any, Delivery], None]) -> None:
    original = ReferenceMessage.restore

    def restore(self: ReferenceMessage, snapshot: Any, delivery: Any, model: Any) -> None:
        original(self, snapshot, delivery, model)
        change(self, delivery)

    patch.replace(ReferenceMessage, "restore", restore)


@nearly_right("empty-correlation-id-is-null", "an empty String as JMSCorrelationID arrives as null", "3.4.5-2")
def _empty_correlation(patch: Patch) -> None:
    def change(message: Any, _: Delivery) -> None:
        if message.jms_correlation_id == "":
            message.jms_correlation_id = None

    _on_receipt(patch, change)


@nearly_right("reply-to-lost-on-redelivery", "the second delivery of a message has no JMSReplyTo", "3.4.6-1", "3.10-6")
def _reply_to_once(patch: Patch) -> None:
    def change(message: Any, _: Delivery) -> None:
        if message.jms_redelivered:
            message.jms_reply_to = None

    _on_receipt(patch, change)


@nearly_right(
    "non-persistent-temporary-topic-reply-to-lost",
    "a NON_PERSISTENT message whose JMSReplyTo is a temporary topic arrives without it",
    "3.4.6-1",
)
def _temporary_topic_reply(patch: Patch) -> None:
    def change(message: Any, _: Delivery) -> None:
        if message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(
            message.jms_reply_to, TemporaryTopic
        ):
            message.jms_reply_to = None

    _on_receipt(patch, change)


@nearly_right(
    "null-map-entries-dropped-on-the-way", "null entries of a map message do not arrive", "3.11-26", "3.11.4-2"
)
def _null_entries(patch: Patch) -> None:
    original = ReferenceMapMessage._restore_body  # where a received map is filled

    def restore(self: ReferenceMapMessage, body: Any) -> None:
        original(self, {name: value for name, value in body.items() if value is not None})

    patch.replace(ReferenceMapMessage, "_restore_body", restore)


@nearly_right(
    "clear-body-of-a-map-opens-properties", "clearBody of a received map message makes properties writable", "3.10-2"
)
def _clear_body(patch: Patch) -> None:
    original = ReferenceMapMessage.clear_body

    def clear_body(self: Any) -> None:
        original(self)
        self._properties_writable = True

    patch.replace(ReferenceMapMessage, "clear_body", clear_body)


@nearly_right("browser-hides-redelivered", "a browser leaves out messages that were delivered before", "4.1.6-4")
def _browser_hides(patch: Patch) -> None:
    original = ReferenceBrowser.shows

    def shows(self: Any, entry: Any) -> bool:
        return original(self, entry) and not self._physical.delivery_queue.counts.get(entry.number, 0)

    patch.replace(ReferenceBrowser, "shows", shows)


@nearly_right("map-long-refuses-plus-sign", "a map's String with a plus sign cannot be read as long", "3.11.3-3")
def _plus_sign(patch: Patch) -> None:
    original = ReferenceMapMessage.get_long

    def get_long(self: ReferenceMapMessage, name: str) -> int:
        if str(self.get_object(name)).startswith("+"):
            raise NumberFormatException(f"no number: {self.get_object(name)}")
        return original(self, name)

    patch.replace(ReferenceMapMessage, "get_long", get_long)


@nearly_right("map-boolean-of-mixed-case-is-false", "a map's String 'tRuE' in mixed case reads as false", "3.11.3-9")
def _mixed_case(patch: Patch) -> None:
    original = ReferenceMapMessage.get_boolean

    def get_boolean(self: ReferenceMapMessage, name: str) -> bool:
        value = self.get_object(name)
        return original(self, name) and (not isinstance(value, str) or value in ("true", "TRUE", "True"))

    patch.replace(ReferenceMapMessage, "get_boolean", get_boolean)
