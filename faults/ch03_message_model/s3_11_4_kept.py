"""Faults in 3.11.4: the kind of a message on its way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import create
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import Message


def _as_other_kind(patch: Patch, kind: type[ReferenceMessage], other: Any) -> None:
    """Deliver messages of a class as another kind, with the same headers and properties."""

    def message_of(original: Callable[..., Message], session: ReferenceSession, delivery: Delivery) -> Message:
        message = original(session, delivery)
        if not isinstance(message, kind):
            return message
        made = create(other, session.model)
        if other == "message" and message._frozen_body() is not None:
            return message
        made.restore(delivery.entry.snapshot._replace(kind=other, body=made._frozen_body()), delivery, session.model)
        return made

    patch.at(fault_points.MESSAGE_MADE, message_of)


@saboteur("3.11.4-1", "stream messages arrive as bytes messages")
def _(patch: Patch) -> None:
    _as_other_kind(patch, ReferenceStreamMessage, "bytes")


@saboteur("3.11.4-2", "map messages arrive as object messages")
def _(patch: Patch) -> None:
    _as_other_kind(patch, ReferenceMapMessage, "object")


@saboteur("3.11.4-3", "a text message without a text arrives as a plain message")
def _(patch: Patch) -> None:
    _as_other_kind(patch, ReferenceTextMessage, "message")
