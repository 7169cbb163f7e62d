"""Faults in 7.3.9: the message of an asynchronous send after its callback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.producers import ReferenceProducer
from tck.api import IllegalStateException, Message, Session


@saboteur("7.3.9-4", "a message that a transacted session sent asynchronously cannot be sent again")
def _(patch: Patch) -> None:
    locked = list[Message]()

    def prepare(original: Callable[..., Any], producer: ReferenceProducer, message: Message, *arguments: Any) -> Any:
        if any(one is message for one in locked):
            raise IllegalStateException("the message is locked")
        return original(producer, message, *arguments)

    def send_later(
        original: Callable[..., None], producer: ReferenceProducer, message: Message, *arguments: Any
    ) -> None:
        original(producer, message, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            locked.append(message)

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
