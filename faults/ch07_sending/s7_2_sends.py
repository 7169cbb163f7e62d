"""Faults in 7.2: synchronous sends, and the bodies of a JMSProducer."""

from collections import Counter
from collections.abc import Mapping

from faults.kit import *


def _names_all(options):
    """Return whether a send has options, all of them other than the defaults, and no destination."""
    return (
        options.get("destination", OMITTED) is OMITTED
        and options.get("delivery_mode") == DeliveryMode.NON_PERSISTENT
        and options.get("priority") != Message.DEFAULT_PRIORITY
        and options.get("time_to_live", 0) is not OMITTED
        and options.get("time_to_live", 0) > 0
    )


@saboteur(
    "7.2-1", "a send with three unusual options and no destination sends nothing", around=(ReferenceProducer, "send")
)
def _(original, producer, message, **options):
    if not (type(producer) is ReferenceProducer and _names_all(options)):
        original(producer, message, **options)


def _in_lazy_session(producer, kind):
    return isinstance(producer, kind) and producer.session.state.mode == Session.DUPS_OK_ACKNOWLEDGE


@saboteur(
    "7.2-2",
    "a QueueSender of a DUPS_OK_ACKNOWLEDGE session cannot send to a named queue",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    if _in_lazy_session(producer, ReferenceSender) and options.get("destination", OMITTED) is not OMITTED:
        raise UnsupportedOperationException("send to a named queue")
    original(producer, message, **options)


@saboteur("7.2-3", "a TopicPublisher of a DUPS_OK_ACKNOWLEDGE session publishes, and does not send")
def _(patch):
    publishing = within_method(patch, ReferencePublisher, "publish")

    def send(original, producer, message, **options):
        if _in_lazy_session(producer, ReferencePublisher) and not publishing:
            raise UnsupportedOperationException("send")
        original(producer, message, **options)

    patch.around(ReferenceProducer, "send", send)


@saboteur("7.2-4", "from the twentieth message on a destination keeps messages in memory alone")
def _(patch):
    seen = Counter[PhysicalDestination]()

    def stores(original, physical, *arguments):
        seen[physical] += 1
        return seen[physical] < 20 and original(physical, *arguments)

    patch.at(fault_points.STORED, stores)


@saboteur(
    "7.2-5", "a non-persistent message that the provider rejects is dropped in silence", at=fault_points.SEND_SUBMITTED
)
def _(original, session, physical, entry):
    try:
        original(session, physical, entry)
    except ResourceAllocationException:
        if entry.delivery_mode == DeliveryMode.PERSISTENT:
            raise


def _sending(patch, fault):
    """Let `fault` see the producer, the body and its type before each send of a JMSProducer; it returns body and type."""

    def send(original, producer, to, body, *, body_type=OMITTED):
        body, body_type = fault(producer, body, body_type)
        return original(producer, to, body, body_type=body_type)

    patch.around(ReferenceJMSProducer, "send", send)


@saboteur("7.2-6", "a JMSProducer refuses a StreamMessage that is not persistent", by=_sending)
def _(producer, body, kind):
    if isinstance(body, StreamMessage) and producer.get_delivery_mode() == DeliveryMode.NON_PERSISTENT:
        raise MessageFormatRuntimeException("a stream")
    return body, kind


@saboteur("7.2-7", "a JMSProducer sends a long text as an ObjectMessage", by=_sending)
def _(_, body, kind):
    return (body, SERIALIZABLE if isinstance(body, str) and len(body) > 30_000 else kind)


@saboteur("7.2-8", "a short in a Map that a JMSProducer sends arrives as an int", by=_sending)
def _(_, body, kind):
    if kind is dict and isinstance(body, Mapping):
        body = {name: Int(value.value) if isinstance(value, Short) else value for name, value in body.items()}
    return body, kind


saboteur(
    "7.2-9",
    "a JMSProducer sends an empty byte array as an ObjectMessage",
    lambda patch: _sending(patch, lambda _, body, kind: (body, SERIALIZABLE if body == b"" else kind)),
)
saboteur(
    "7.2-10",
    "a JMSProducer sends a Boolean as its text",
    lambda patch: _sending(patch, lambda _, body, kind: (str(body) if isinstance(body, bool) else body, kind)),
)


@saboteur("7.2-11", "a JMSProducer raises NullPointerException for a null byte array", by=_sending)
def _(_, body, kind):
    if body is None and kind is bytes:
        raise NullPointerException("body")
    return body, kind


@saboteur("7.2-12", "a JMSProducer leaves out what a map message cannot hold, if something is left", by=_sending)
def _(_, body, kind):
    if kind is dict and isinstance(body, Mapping) and len(body) > 1:
        held = {
            name: value
            for name, value in body.items()
            if type(value).__module__ != "tck.suite.support.values.object_types"
        }
        return held, kind
    return body, kind


@saboteur("7.2-13", "a new JMSProducer takes over the completion listener that was set last in any")
def _(patch):
    last = list[CompletionListener]()

    def set_async(original, producer, listener):
        last[:] = [listener] if listener is not None else []
        return original(producer, listener)

    def get_async(original, producer):
        return original(producer) or next(iter(last), None)

    patch.around(ReferenceJMSProducer, "set_async", set_async)
    patch.around(ReferenceJMSProducer, "get_async", get_async)
