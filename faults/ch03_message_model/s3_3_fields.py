"""Faults in 3.3: the parts of every kind of message."""

from __future__ import annotations

from typing import Any

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import BytesMessage, Message


@saboteur("3.3-1", "stream messages lose their JMSType")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if isinstance(message, ReferenceStreamMessage):
            message.jms_type = None

    as_received(patch, fault)


@saboteur("3.3-2", "bytes messages lose their properties")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if isinstance(message, BytesMessage):
            message._properties = {}  # type: ignore[attr-defined]

    as_received(patch, fault)
