"""Faults in 3.4.6: JMSReplyTo."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from tck.api import Message


@saboteur(
    "3.4.6-1",
    "a topic in JMSReplyTo arrives as a queue",
    collateral={"3.4.6-2": "a reply to the wrong kind of destination does not arrive"},
)
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        reply_to = message.jms_reply_to
        if isinstance(reply_to, ReferenceTopic):
            message.jms_reply_to = ReferenceQueue(reply_to.name)

    as_received(patch, fault)


class _DetourQueue(ReferenceQueue):
    """A queue that returns one name and leads to another."""

    @property
    def queue_name(self) -> str:
        return self.name.removesuffix(".copy")


class _DetourTopic(ReferenceTopic):
    """A topic that returns one name and leads to another."""

    @property
    def topic_name(self) -> str:
        return self.name.removesuffix(".copy")


@saboteur("3.4.6-2", "the received JMSReplyTo leads to another destination")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        reply_to = message.jms_reply_to
        if isinstance(reply_to, ReferenceQueue) and reply_to.kind == "queue":
            message.jms_reply_to = _DetourQueue(f"{reply_to.name}.copy")
        elif isinstance(reply_to, ReferenceTopic) and reply_to.kind == "topic":
            message.jms_reply_to = _DetourTopic(f"{reply_to.name}.copy")

    as_received(patch, fault)


@saboteur("3.4.6-3", "a JMSReplyTo that was not set arrives as a default queue")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if message.jms_reply_to is None:
            message.jms_reply_to = ReferenceQueue("default.reply")

    as_received(patch, fault)


@saboteur("3.4.6-4", "acknowledging a message sends a receipt to its JMSReplyTo")
def _(patch: Patch) -> None:
    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        targets = [delivery.entry.snapshot.reply_to for delivery in session.state.unacknowledged]
        original(session)
        for target in targets:
            if target is not None:
                ReferenceProducer(session, target).send(session.create_text_message("receipt"))

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)
