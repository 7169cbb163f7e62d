"""Faults of single sends; see `tck.check.properties.send`."""

from __future__ import annotations

from faults.kit.common import after_send
from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from tck.api import Message


@breaks("expiration-computed")
def _expiration(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if entry.expiration:
            entry.expiration += 40
            message.jms_expiration = entry.expiration

    after_send(patch, fault)
