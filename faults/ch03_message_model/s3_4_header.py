"""Faults in 3.4: the header as a whole."""

from __future__ import annotations

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from tck.api import Message


@saboteur("3.4-1", "only the first receiver of a message gets its JMSCorrelationID")
def _(patch: Patch) -> None:
    seen: dict[int, StoredMessage] = {}

    def fault(message: Message, delivery: Delivery) -> None:
        if id(delivery.entry) in seen:
            message.jms_correlation_id = None
        seen[id(delivery.entry)] = delivery.entry

    as_received(patch, fault)
