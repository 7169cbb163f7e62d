"""Faults in 7.1: producers and their destinations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

from faults.kit.asynchronous import within, within_method
from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import (
    ReferencePublisher,
    ReferenceQueueSession,
    ReferenceSender,
    ReferenceTopicSession,
)
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import (
    OMITTED,
    AutoCloseable,
    Destination,
    InvalidDestinationException,
    JMSRuntimeException,
    Message,
    MessageFormatException,
    MessageProducer,
    NullPointerException,
    TemporaryQueue,
    TemporaryTopic,
    UnsupportedOperationException,
)

_Send = Callable[..., Any]


def _is_synchronous(options: dict[str, Any]) -> bool:
    return options.get("completion_listener", OMITTED) is OMITTED


@saboteur(
    "7.1-1",
    "the fourth producer of a session sends where the first does",
    collateral={"7.1-2": "the markers are sent by producers of their own"},
)
def _(patch: Patch) -> None:
    made = defaultdict[ReferenceSession, list[ReferenceProducer]](list)

    def create_producer(original: Callable[..., Any], session: ReferenceSession, destination: Any) -> Any:
        made[session].append(original(session, destination))
        return made[session][-1]

    def prepare(
        original: _Send, producer: ReferenceProducer, message: Message, destination: Destination, *options: Any
    ) -> Any:
        own = made.get(producer.session, [])  # type: ignore[call-overload]  # the sessions of this provider
        if own[3:4] == [producer] and producer.destination is not None:
            return original(producer, message, own[0].destination, *options)
        return original(producer, message, destination, *options)

    around(patch, ReferenceSession, "create_producer", create_producer)
    patch.at(fault_points.SEND_PREPARED, prepare)


def _sticking(patch: Patch, wanted: Callable[[ReferenceProducer, Any], bool]) -> None:
    """Send to the destination of the send before, if the producer has none and it is wanted."""
    sending, later = within_method(patch, ReferenceProducer, "send"), within(patch, fault_points.SENT_ASYNCHRONOUSLY)
    before: dict[ReferenceProducer, Destination] = {}

    def prepare(
        original: _Send, producer: ReferenceProducer, message: Message, destination: Destination, options: Any
    ) -> Any:
        if sending and not later and producer.destination is None and wanted(producer, options):
            destination = before.get(producer, destination)
        before[producer] = destination
        return original(producer, message, destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("7.1-2", "a send with options and a destination goes where the producer's send before went")
def _(patch: Patch) -> None:
    _sticking(patch, lambda producer, options: type(producer) is ReferenceProducer and options.priority != 4)


@saboteur("7.1-7", "a QueueSender created with null keeps the queue of its first send")
def _(patch: Patch) -> None:
    _sticking(patch, lambda producer, _: isinstance(producer, ReferenceSender))


@saboteur("7.1-8", "a TopicPublisher created with null keeps the topic of its first publish")
def _(patch: Patch) -> None:
    _sticking(patch, lambda producer, _: isinstance(producer, ReferencePublisher))


@saboteur("7.1-3", "a send without a destination goes where the producer sent before")
def _(patch: Patch) -> None:
    before: dict[ReferenceProducer, Destination] = {}

    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        named = options.get("destination", OMITTED)
        if named is OMITTED and producer in before and _is_synchronous(options):
            options["destination"] = before[producer]
        original(producer, message, **options)
        if isinstance(named, Destination):
            before[producer] = named

    around(patch, ReferenceProducer, "send", send)


@saboteur("7.1-4", "a send that names the producer's own destination is accepted")
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        own = producer.destination
        if own is not None and options.get("destination") == own and _is_synchronous(options):
            del options["destination"]
        original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


@saboteur("7.1-5", "an asynchronous send with the wrong destination is reported by onException")
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        listener: Any = options.get("completion_listener", OMITTED)
        try:
            original(producer, message, **options)
        except UnsupportedOperationException as error:
            if listener is OMITTED:
                raise
            report = partial(listener.on_exception, message, error)
            producer.session.broker.clock.spawn(report, "reference-provider-late")

    around(patch, ReferenceProducer, "send", send)


@saboteur("7.1-9", "a producer is created for a destination that was deleted")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: ReferenceSession, destination: Any) -> Any:
        try:
            return original(session, destination)
        except InvalidDestinationException:
            return original(session, None)

    around(patch, ReferenceSession, "create_producer", create)
    around(patch, ReferenceQueueSession, "create_sender", create)
    around(patch, ReferenceTopicSession, "create_publisher", create)


@saboteur("7.1-10", "a send to null raises NullPointerException if it has options, a JMSProducer's if it has a body")
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        if options.get("destination", OMITTED) is None and options.get("priority", OMITTED) is not OMITTED:
            raise NullPointerException("destination")
        original(producer, message, **options)

    def send_by(original: _Send, producer: ReferenceJMSProducer, destination: Any, body: Any, **options: Any) -> Any:
        if destination is None and not isinstance(body, Message):
            raise NullPointerException("destination")
        return original(producer, destination, body, **options)

    around(patch, ReferenceProducer, "send", send)
    around(patch, ReferenceJMSProducer, "send", send_by)


@saboteur(
    "7.1-11", "a send of null raises NullPointerException if it has options, a JMSProducer's a JMSRuntimeException"
)
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message | None, **options: Any) -> None:
        try:
            original(producer, message, **options)
        except MessageFormatException:
            if message is None and options.get("priority", OMITTED) is not OMITTED:
                raise NullPointerException("message") from None
            raise

    def send_by(original: _Send, producer: ReferenceJMSProducer, destination: Any, body: Any, **options: Any) -> Any:
        if body is None and options.get("body_type") is Message:
            raise JMSRuntimeException("message")
        return original(producer, destination, body, **options)

    around(patch, ReferenceProducer, "send", send)
    around(patch, ReferenceJMSProducer, "send", send_by)


@saboteur("7.1-13", "getDestination of a producer for a temporary destination returns null")
def _(patch: Patch) -> None:
    honest: Any = ReferenceProducer.destination

    def destination(producer: ReferenceProducer) -> Destination | None:
        seen: Destination | None = honest.fget(producer)
        return None if isinstance(seen, (TemporaryQueue, TemporaryTopic)) else seen

    patch.replace(ReferenceProducer, "destination", property(destination))


@saboteur("7.1-14", "a closed producer still sends if the send names destination and options")
def _(patch: Patch) -> None:
    def send(original: _Send, producer: ReferenceProducer, message: Message, **options: Any) -> None:
        named = isinstance(options.get("destination"), Destination) and options.get("priority", OMITTED) is not OMITTED
        closed = producer.closed
        producer.closed = closed and not named
        try:
            original(producer, message, **options)
        finally:
            producer.closed = closed

    around(patch, ReferenceProducer, "send", send)


@saboteur("7.1-15", "a block that ends by an exception does not close its producer")
def _(patch: Patch) -> None:
    def leave(original: Callable[..., None], resource: AutoCloseable, kind: Any, *failure: Any) -> None:
        if kind is None or not isinstance(resource, MessageProducer):
            original(resource, kind, *failure)

    around(patch, AutoCloseable, "__exit__", leave)


@saboteur("7.1-16", "the fourth JMSProducer of a context is the third once more")
def _(patch: Patch) -> None:
    made = defaultdict[ReferenceContext, list[Any]](list)

    def create_producer(original: Callable[..., Any], context: ReferenceContext) -> Any:
        producer = made[context][2] if len(made[context]) == 3 else original(context)
        made[context].append(producer)
        return producer

    around(patch, ReferenceContext, "create_producer", create_producer)
