"""Faults in 3.4.8: JMSType."""

from __future__ import annotations

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from tck.api import Message


@saboteur("3.4.8-1", "JMSType arrives as the class name of the message")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if message.jms_type is not None:
            message.jms_type = type(message).__name__

    as_received(patch, fault)


@saboteur("3.4.8-2", "a JMSType that was not set arrives as the empty string")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if message.jms_type is None:
            message.jms_type = ""

    as_received(patch, fault)
