"""Lawful in what a message shows: identifiers, timestamps, JMSX properties, correlation and reply destinations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from faults.kit.declaring import lawful
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.destinations import ReferenceDestination
from reference_provider.messages import OWN
from reference_provider.messages.message import ReferenceMessage
from tck.api import Destination, JMSException, Message, UnsupportedOperationException


@lawful("identifiers-always", "setDisableMessageID has no effect", "3.4.3-10")
def _(patch: Patch) -> None:
    def message_id(producer: ReferenceProducer) -> str:
        return producer.session.broker.unique_name("ID:")

    patch.replace(ReferenceProducer, "message_id", message_id)


@lawful("timestamps-always", "setDisableMessageTimestamp has no effect", "3.4.4-7")
def _(patch: Patch) -> None:
    def timestamp(producer: ReferenceProducer, now: int) -> int:
        return now

    patch.replace(ReferenceProducer, "timestamp", timestamp)


@lawful(
    "few-jmsx-properties",
    "each second message lacks its optional JMSX properties",
    "3.5.9-20",
)
def _(patch: Patch) -> None:
    optional = {
        "JMSXConsumerTXID",
        "JMSXRcvTimestamp",
    }  # those of the send are in both messages, or in neither (3.5.9-15)
    original_properties = ReferenceProducer.properties
    original_received: Callable[[Delivery], Mapping[str, Any]] = vars(Delivery)["properties"].fget
    sends = itertools.count(1)

    def properties(producer: ReferenceProducer) -> Mapping[str, Any]:
        return {} if next(sends) % 2 == 0 else original_properties(producer)

    def received(delivery: Delivery) -> Mapping[str, Any]:
        given = original_received(delivery)
        if delivery.entry.number % 2 == 0:
            return {name: value for name, value in given.items() if name not in optional}
        return given

    patch.replace(ReferenceProducer, "properties", properties)
    patch.replace(Delivery, "properties", property(received))


@lawful(
    "no-correlation-in-bytes",
    "a message takes and gives a JMSCorrelationID as text only",
    "3.4.5-4",
    "7.6-6",
    lacks=("native-correlation-id",),
)
def _(patch: Patch) -> None:
    def refused(*given: object) -> None:
        raise UnsupportedOperationException("this provider has no native correlation identifiers")

    for owner in OWN:
        patch.replace(owner, "jms_correlation_id_as_bytes", property(refused, refused))
    patch.replace(ReferenceMessage, "jms_correlation_id_as_bytes", property(refused, refused))


@lawful("foreign-reply-destination-dropped", "a foreign JMSReplyTo of a foreign message is not sent along", "3.12-4")
def _(patch: Patch) -> None:
    def prepare(
        original: Callable[..., tuple[Any, StoredMessage]],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> tuple[Any, StoredMessage]:
        physical, entry = original(producer, message, destination, options)
        foreign = type(message) not in OWN and not isinstance(message, ReferenceMessage)
        if foreign and not isinstance(message.jms_reply_to, ReferenceDestination):
            entry.snapshot = entry.snapshot._replace(reply_to=None)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


@lawful(
    "message-out-of-reach-until-sent",
    "the message of an asynchronous send cannot be read before its callback",
    "7.3.9-2",
)
def _(patch: Patch) -> None:
    away = list[Message]()

    def add(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        away.append(completion.message)
        original(completions, completion)

    def call_listener(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        away[:] = [one for one in away if one is not completion.message]
        original(completions, completion)

    def guarded(getter: Callable[[Any], object]) -> Callable[[Any], object]:
        def read(message: Message) -> object:
            if any(one is message for one in away):
                raise JMSException("the message is being sent")
            return getter(message)

        return read

    for owner in OWN:
        for name in ("jms_priority", "jms_type", "text"):
            found = getattr(owner, name, None)
            if isinstance(found, property) and found.fget is not None:
                patch.replace(owner, name, property(guarded(found.fget), found.fset))
    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
