"""Faults in 7.3.6: the message when its completion listener is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.asynchronous import within
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from tck.api import Message


@saboteur("7.3.6-2", "properties that an asynchronous send sets are on the received message only")
def _(patch: Patch) -> None:
    sending = within(patch, fault_points.SENT_ASYNCHRONOUSLY)

    def prepare(original: Callable[..., Any], producer: Any, message: Message, *arguments: Any) -> Any:
        prepared = original(producer, message, *arguments)
        if sending and all(name.startswith("JMSX") for name in message.get_property_names()):
            message.clear_properties()
        return prepared

    patch.at(fault_points.SEND_PREPARED, prepare)
