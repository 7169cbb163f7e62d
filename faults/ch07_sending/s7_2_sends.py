"""Faults in 7.2: synchronous sends, and the bodies of a JMSProducer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from faults.kit.asynchronous import within_method
from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.domain_specific import ReferencePublisher, ReferenceSender
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import (
    OMITTED,
    SERIALIZABLE,
    CompletionListener,
    DeliveryMode,
    Int,
    Message,
    MessageFormatRuntimeException,
    NullPointerException,
    ResourceAllocationException,
    Session,
    Short,
    StreamMessage,
    UnsupportedOperationException,
)

_Send = Callable[..., Any]


def _names_all(options: dict[str, Any]) -> bool:
    """Return whether a send has options, all of them other than the defaults, and no destination."""
    return (
        options.get("destination", OMITTED) is OMITTED
        and options.get("delivery_mode") == DeliveryMode.NON_PERSISTENT
        and options.get("priority") != Message.DEFAULT_PRIORITY
        and options.get("time_to_live", 0) is not OMITTED
        and options.get("time_to_live", 0) > 0
    )


@saboteur("7.2-1", "a send with three unusual options and no destination sends nothing")
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        if not (type(producer) is ReferenceProducer and _names_all(options)):
            original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


def _in_lazy_session(producer: ReferenceProducer, kind: type) -> bool:
    return isinstance(producer, kind) and producer.session.state.mode == Session.DUPS_OK_ACKNOWLEDGE


@saboteur("7.2-2", "a QueueSender of a DUPS_OK_ACKNOWLEDGE session cannot send to a named queue")
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        if _in_lazy_session(producer, ReferenceSender) and options.get("destination", OMITTED) is not OMITTED:
            raise UnsupportedOperationException("send to a named queue")
        original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


@saboteur("7.2-3", "a TopicPublisher of a DUPS_OK_ACKNOWLEDGE session publishes, and does not send")
def _(patch: Patch) -> None:
    publishing = within_method(patch, ReferencePublisher, "publish")

    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        if _in_lazy_session(producer, ReferencePublisher) and not publishing:
            raise UnsupportedOperationException("send")
        original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


@saboteur("7.2-4", "from the twentieth message on a destination keeps messages in memory alone")
def _(patch: Patch) -> None:
    seen = Counter[PhysicalDestination]()

    def stores(original: Callable[..., bool], physical: PhysicalDestination, *arguments: Any) -> bool:
        seen[physical] += 1
        return seen[physical] < 20 and original(physical, *arguments)

    patch.at(fault_points.STORED, stores)


@saboteur("7.2-5", "a non-persistent message that the provider rejects is dropped in silence")
def _(patch: Patch) -> None:
    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        try:
            original(session, physical, entry)
        except ResourceAllocationException:
            if entry.delivery_mode == DeliveryMode.PERSISTENT:
                raise

    patch.at(fault_points.SEND_SUBMITTED, submit)


def _sending(patch: Patch, fault: Callable[[ReferenceJMSProducer, Any, Any], Any]) -> None:
    """Let `fault` see the producer, the body and its type before each send of a JMSProducer; it returns body and type."""

    def send(original: _Send, producer: ReferenceJMSProducer, to: Any, body: Any, *, body_type: Any = OMITTED) -> Any:
        body, body_type = fault(producer, body, body_type)
        return original(producer, to, body, body_type=body_type)

    around(patch, ReferenceJMSProducer, "send", send)


@saboteur("7.2-6", "a JMSProducer refuses a StreamMessage that is not persistent")
def _(patch: Patch) -> None:
    def fault(producer: ReferenceJMSProducer, body: Any, kind: Any) -> Any:
        if isinstance(body, StreamMessage) and producer.get_delivery_mode() == DeliveryMode.NON_PERSISTENT:
            raise MessageFormatRuntimeException("a stream")
        return body, kind

    _sending(patch, fault)


@saboteur("7.2-7", "a JMSProducer sends a long text as an ObjectMessage")
def _(patch: Patch) -> None:
    _sending(
        patch, lambda _, body, kind: (body, SERIALIZABLE if isinstance(body, str) and len(body) > 30_000 else kind)
    )


@saboteur("7.2-8", "a short in a Map that a JMSProducer sends arrives as an int")
def _(patch: Patch) -> None:
    def fault(_: ReferenceJMSProducer, body: Any, kind: Any) -> Any:
        if kind is dict and isinstance(body, Mapping):
            body = {name: Int(value.value) if isinstance(value, Short) else value for name, value in body.items()}
        return body, kind

    _sending(patch, fault)


@saboteur("7.2-9", "a JMSProducer sends an empty byte array as an ObjectMessage")
def _(patch: Patch) -> None:
    _sending(patch, lambda _, body, kind: (body, SERIALIZABLE if body == b"" else kind))


@saboteur("7.2-10", "a JMSProducer sends a Boolean as its text")
def _(patch: Patch) -> None:
    _sending(patch, lambda _, body, kind: (str(body) if isinstance(body, bool) else body, kind))


@saboteur("7.2-11", "a JMSProducer raises NullPointerException for a null byte array")
def _(patch: Patch) -> None:
    def fault(_: ReferenceJMSProducer, body: Any, kind: Any) -> Any:
        if body is None and kind is bytes:
            raise NullPointerException("body")
        return body, kind

    _sending(patch, fault)


@saboteur("7.2-12", "a JMSProducer leaves out what a map message cannot hold, if something is left")
def _(patch: Patch) -> None:
    def fault(_: ReferenceJMSProducer, body: Any, kind: Any) -> Any:
        if kind is dict and isinstance(body, Mapping) and len(body) > 1:
            held = {
                name: value
                for name, value in body.items()
                if type(value).__module__ != "tck.suite.support.values.object_types"
            }
            return held, kind
        return body, kind

    _sending(patch, fault)


@saboteur("7.2-13", "a new JMSProducer takes over the completion listener that was set last in any")
def _(patch: Patch) -> None:
    last = list[CompletionListener]()

    def set_async(original: Callable[..., Any], producer: ReferenceJMSProducer, listener: Any) -> Any:
        last[:] = [listener] if listener is not None else []
        return original(producer, listener)

    def get_async(original: Callable[..., Any], producer: ReferenceJMSProducer) -> Any:
        return original(producer) or next(iter(last), None)

    around(patch, ReferenceJMSProducer, "set_async", set_async)
    around(patch, ReferenceJMSProducer, "get_async", get_async)
