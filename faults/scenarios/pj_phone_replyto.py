"""Faults of the phone with JMSReplyTo."""

from __future__ import annotations

from faults.kit.arrivals import arriving, is_queue
from faults.kit.common import after_send, as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.destinations import ReferenceQueue
from tck.api import Destination, Message


class _Address(ReferenceQueue):
    """A queue that tells its address in place of its name."""

    __slots__ = ()

    @property
    def queue_name(self) -> str:
        return f"queue://{self.name}"


@saboteur("pj-phone-replyto-1", "JMSReplyTo of a received message tells an address in place of the queue's name")
def _(patch: Patch) -> None:
    def fault(message: Message, _: Delivery) -> None:
        reply_to = message.jms_reply_to
        if isinstance(reply_to, ReferenceQueue) and reply_to.kind == "queue":
            message.jms_reply_to = _Address(reply_to.name)

    as_received(patch, fault)


@saboteur("pj-phone-replyto-2", "a queue loses its first message if it has no receiver yet")
def _(patch: Patch) -> None:
    def fault(delivery_queue: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        unread = is_queue(delivery_queue) and delivery_queue.physical.consumers == 0
        return [] if unread and ordinal == 1 else [entry]

    arriving(patch, fault)


@saboteur("pj-phone-replyto-3", "a message without JMSReplyTo gets that of the last message to the same destination")
def _(patch: Patch) -> None:
    last: dict[Destination, Destination] = {}

    def fault(_: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        del message, options
        if entry.snapshot.reply_to is None and entry.destination in last:
            entry.snapshot = entry.snapshot._replace(reply_to=last[entry.destination])
        elif entry.snapshot.reply_to is not None:
            last[entry.destination] = entry.snapshot.reply_to

    after_send(patch, fault)
