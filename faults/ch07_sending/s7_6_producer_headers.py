"""Faults in 7.6: headers set on a JMSProducer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import Message, Topic

HEADERS = ("jms_correlation_id", "jms_type", "jms_reply_to")


def _overlay(patch: Patch, fault: Callable[[ReferenceJMSProducer, Message, dict[str, Any]], None]) -> None:
    """Run `fault` after the producer's headers were set on a message, with the message's own ones."""

    def overlay(original: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        before = {name: getattr(message, name) for name in HEADERS}
        original(producer, message)
        fault(producer, message, before)

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


def _message_wins(patch: Patch, header: str, applies: Callable[[Any], bool] = bool) -> None:
    """Keep the message's own header where it has one."""

    def fault(_: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        if before[header] is not None and applies(getattr(message, header)):
            setattr(message, header, before[header])

    _overlay(patch, fault)


BOTH = "the case sets the header on the producer and on the message"


@saboteur(
    "7.6-2", "the JMSCorrelationID of a message wins over the producer's", collateral={"7.6-5": BOTH, "7.6-9": BOTH}
)
def _(patch: Patch) -> None:
    _message_wins(patch, "jms_correlation_id")


@saboteur("7.6-3", "the JMSType of a message wins over the producer's", collateral={"7.6-9": BOTH})
def _(patch: Patch) -> None:
    _message_wins(patch, "jms_type")


@saboteur("7.6-4", "the JMSReplyTo of a message wins over a topic of the producer")
def _(patch: Patch) -> None:
    _message_wins(patch, "jms_reply_to", lambda reply: isinstance(reply, Topic))


@saboteur("7.6-8", "messages made of a map have no JMSType of the producer")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.send

    def send(self: ReferenceJMSProducer, destination: Any, body: object, **options: Any) -> Any:
        kept = self.get_jms_type()
        if isinstance(body, dict):
            self.set_jms_type(None)
        try:
            return original(self, destination, body, **options)
        finally:
            self.set_jms_type(kept)

    patch.replace(ReferenceJMSProducer, "send", send)


@saboteur("7.6-9", "a producer with a JMSType removes the JMSCorrelationID of the message")
def _(patch: Patch) -> None:
    def fault(producer: ReferenceJMSProducer, message: Message, before: dict[str, Any]) -> None:
        if producer.get_jms_type() is not None and producer.get_jms_correlation_id() is None:
            message.jms_correlation_id = None

    _overlay(patch, fault)


@saboteur("7.6-10", "getJMSReplyTo returns null after a topic was set")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.get_jms_reply_to

    def get(self: ReferenceJMSProducer) -> Any:
        reply = original(self)
        return None if isinstance(reply, Topic) else reply

    patch.replace(ReferenceJMSProducer, "get_jms_reply_to", get)
