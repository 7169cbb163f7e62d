"""Faults in 3.5.9 to 3.5.11: JMSX properties, a provider's own properties, the delivery count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client import metadata
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages import JMSX_PROPERTIES, ReferenceMessage, names
from reference_provider.saboteurs.faults import after_send, as_received, received
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import IllegalArgumentException, Int, InvalidSelectorException, Message

NOT_ANNOUNCED = "what messages have is then not announced"


def _own(patch: Patch, name: str, value: Any) -> None:
    """Put a property of the provider's own on each received message, or leave it out if `value` of the delivery is None."""

    def fault(message: Any, delivery: Delivery) -> None:
        own = {**message._provider_properties, name: value(delivery)}
        message._provider_properties = {each: given for each, given in own.items() if given is not None}

    as_received(patch, fault)


def _counts(patch: Patch, change: Any) -> None:
    """Have JMSXDeliveryCount be what `change` makes of the honest number, or be left out if that is None."""
    _own(patch, "JMSXDeliveryCount", lambda delivery: change(delivery.count))


def _announce(patch: Patch, *announced: str) -> None:
    patch.replace(metadata, "JMSX_PROPERTIES", announced)


def _silent(patch: Patch, name: str) -> None:
    """Announce all but one."""
    _announce(patch, *(each for each in JMSX_PROPERTIES if each != name))


@saboteur("3.5.9-1", "messages have a JMSXVendorTrace, and it is announced")
def _(patch: Patch) -> None:
    _own(patch, "JMSXVendorTrace", lambda delivery: "trace")
    _announce(patch, *JMSX_PROPERTIES, "JMSXVendorTrace")


@saboteur("3.5.9-2", "JMSXDeliveryCount is a long")
def _(patch: Patch) -> None:
    _counts(patch, lambda count: count)


@saboteur("3.5.9-3", "JMSXDeliveryCount is set on redelivered messages only")
def _(patch: Patch) -> None:
    _counts(patch, lambda count: None if count == 1 else Int(count))


@saboteur("3.5.9-4", "JMSXGroupID cannot be set by clients")
def _(patch: Patch) -> None:
    original = names.check_property_name

    def check_property_name(name: str, version: str = "3.1") -> None:
        original(name, version)
        if name == "JMSXGroupID":
            raise IllegalArgumentException("a JMSX name")

    patch.replace(names, "check_property_name", check_property_name)


@saboteur("3.5.9-5", "JMSXGroupSeq is numbered anew")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if "JMSXGroupSeq" in message._properties:
            message._properties["JMSXGroupSeq"] = Int(1)

    as_received(patch, fault)


@saboteur("3.5.9-6", "JMSXGroupSeq is not announced")
def _(patch: Patch) -> None:
    _silent(patch, "JMSXGroupSeq")


@saboteur("3.5.9-7", "JMSXDeliveryCount is not announced", collateral={"3.5.9-8": NOT_ANNOUNCED})
def _(patch: Patch) -> None:
    _silent(patch, "JMSXDeliveryCount")


@saboteur("3.5.9-8", "JMSXRcvTimestamp is not announced")
def _(patch: Patch) -> None:
    _silent(patch, "JMSXRcvTimestamp")


def _on_send(patch: Patch, change: Any) -> None:
    """Have other JMSX properties set on send; `change` is given the producer and the honest ones."""
    original = ReferenceProducer.properties

    def properties(self: ReferenceProducer) -> Mapping[str, Any]:
        changed: Mapping[str, Any] = change(self, original(self))
        return changed

    patch.replace(ReferenceProducer, "properties", properties)


@saboteur("3.5.9-9", "JMSXUserID names the receiving user")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if "JMSXUserID" in message._properties:
            session: Any = getattr(delivery.consumer, "session", None)
            message._properties["JMSXUserID"] = session.connection.user

    as_received(patch, fault)


@saboteur("3.5.9-10", "the receiver puts its own JMSXAppID on messages")
def _(patch: Patch) -> None:
    _own(patch, "JMSXAppID", lambda delivery: "the receiver")


@saboteur("3.5.9-11", "JMSXProducerTXID is the same in all transactions")
def _(patch: Patch) -> None:
    _on_send(
        patch,
        lambda sender, honest: {**honest, "JMSXProducerTXID": "one"} if "JMSXProducerTXID" in honest else honest,
    )


@saboteur("3.5.9-12", "JMSXConsumerTXID is the same in all transactions")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if delivery.transaction is not None:
            message._provider_properties = {**message._provider_properties, "JMSXConsumerTXID": "one"}

    as_received(patch, fault)


@saboteur("3.5.9-13", "JMSXRcvTimestamp repeats JMSTimestamp")
def _(patch: Patch) -> None:
    _own(patch, "JMSXRcvTimestamp", lambda delivery: delivery.timestamp)


@saboteur("3.5.9-14", "received messages have a JMSXState, and it is announced")
def _(patch: Patch) -> None:
    _own(patch, "JMSXState", lambda delivery: Int(2))
    _announce(patch, *JMSX_PROPERTIES, "JMSXState")


@saboteur("3.5.9-15", "JMSXProducerTXID is missing on the sender's message")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Any, entry: StoredMessage, options: Options) -> None:
        own = message._provider_properties
        message._provider_properties = {name: own[name] for name in own if name != "JMSXProducerTXID"}

    after_send(patch, fault)


@saboteur("3.5.9-16", "sender and receiver share JMSXDeliveryCount")
def _(patch: Patch) -> None:
    sent: dict[int, tuple[StoredMessage, Any]] = {}

    def remember(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        sent[id(entry)] = (entry, message)

    def fault(message: Any, delivery: Delivery) -> None:
        _, senders = sent.get(id(delivery.entry), (None, None))
        if isinstance(senders, ReferenceMessage):
            count = {"JMSXDeliveryCount": Int(delivery.count)}
            senders._provider_properties = {**senders._provider_properties, **count}

    after_send(patch, remember)
    as_received(patch, fault)


@saboteur("3.5.9-17", "a selector that names JMSXState is invalid")
def _(patch: Patch) -> None:
    original = Broker.predicate

    def predicate(self: Broker, selector: str | None, version: str) -> Any:
        if selector and "JMSXState" in selector:
            raise InvalidSelectorException("JMSXState is not supported")
        return original(self, selector, version)

    patch.replace(Broker, "predicate", predicate)


@saboteur("3.5.9-19", "a name in another case is announced too")
def _(patch: Patch) -> None:
    _announce(patch, *JMSX_PROPERTIES, "JMSXGroupId")


@saboteur("3.5.10-1", "each message gets a property brokerInTime")
def _(patch: Patch) -> None:
    _own(patch, "brokerInTime", lambda delivery: delivery.timestamp)


@saboteur("3.5.11-1", "the count begins at 0")
def _(patch: Patch) -> None:
    _counts(patch, lambda count: Int(0 if count == 1 else count))


@saboteur("3.5.11-2", "the count falls with the third delivery")
def _(patch: Patch) -> None:
    _counts(patch, lambda count: Int(count if count == 1 else max(2, 5 - count)))


@saboteur("3.5.11-3", "messages are flagged as redelivered at once")
def _(patch: Patch) -> None:
    received(patch, "redelivered", lambda delivery: True)


@saboteur("3.5.11-4", "messages are never flagged as redelivered")
def _(patch: Patch) -> None:
    received(patch, "redelivered", lambda delivery: False)
