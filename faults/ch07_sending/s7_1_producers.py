"""Faults in 7.1: producers and their destinations."""

from collections import defaultdict
from functools import partial
from typing import Any

from faults.kit import *


def _is_synchronous(options):
    return options.get("completion_listener", OMITTED) is OMITTED


@saboteur(
    "7.1-1",
    "the fourth producer of a session sends where the first does",
    collateral={"7.1-2": "the markers are sent by producers of their own"},
)
def _(patch):
    made = defaultdict[ReferenceSession, list[ReferenceProducer]](list)

    def create_producer(original, session, destination):
        made[session].append(original(session, destination))
        return made[session][-1]

    def prepare(original, producer, message, destination, *options):
        own = made.get(producer.session, [])  # the sessions of this provider
        if own[3:4] == [producer] and producer.destination is not None:
            return original(producer, message, own[0].destination, *options)
        return original(producer, message, destination, *options)

    patch.around(ReferenceSession, "create_producer", create_producer)
    patch.at(fault_points.SEND_PREPARED, prepare)


def _sticking(patch, wanted):
    """Send to the destination of the send before, if the producer has none and it is wanted."""
    sending, later = within_method(patch, ReferenceProducer, "send"), within(patch, fault_points.SENT_ASYNCHRONOUSLY)
    before = {}

    def prepare(original, producer, message, destination, options):
        if sending and not later and producer.destination is None and wanted(producer, options):
            destination = before.get(producer, destination)
        before[producer] = destination
        return original(producer, message, destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("7.1-2", "a send with options and a destination goes where the producer's send before went", by=_sticking)
def _(producer, options):
    return type(producer) is ReferenceProducer and options.priority != 4


saboteur(
    "7.1-7",
    "a QueueSender created with null keeps the queue of its first send",
    lambda patch: _sticking(patch, lambda producer, _: isinstance(producer, ReferenceSender)),
)
saboteur(
    "7.1-8",
    "a TopicPublisher created with null keeps the topic of its first publish",
    lambda patch: _sticking(patch, lambda producer, _: isinstance(producer, ReferencePublisher)),
)


@saboteur("7.1-3", "a send without a destination goes where the producer sent before")
def _(patch):
    before = {}

    def send(original, producer, message, **options):
        named = options.get("destination", OMITTED)
        if named is OMITTED and producer in before and _is_synchronous(options):
            options["destination"] = before[producer]
        original(producer, message, **options)
        if isinstance(named, Destination):
            before[producer] = named

    patch.around(ReferenceProducer, "send", send)


@saboteur("7.1-4", "a send that names the producer's own destination is accepted", around=(ReferenceProducer, "send"))
def _(original, producer, message, **options):
    own = producer.destination
    if own is not None and options.get("destination") == own and _is_synchronous(options):
        del options["destination"]
    original(producer, message, **options)


@saboteur(
    "7.1-5",
    "an asynchronous send with the wrong destination is reported by onException",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    listener = options.get("completion_listener", OMITTED)
    try:
        original(producer, message, **options)
    except UnsupportedOperationException as error:
        if listener is OMITTED:
            raise
        report = partial(listener.on_exception, message, error)
        producer.session.broker.clock.spawn(report, "reference-provider-late")


@saboteur("7.1-9", "a producer is created for a destination that was deleted")
def _(patch):
    def create(original, session, destination):
        try:
            return original(session, destination)
        except InvalidDestinationException:
            return original(session, None)

    patch.around(ReferenceSession, "create_producer", create)
    patch.around(ReferenceQueueSession, "create_sender", create)
    patch.around(ReferenceTopicSession, "create_publisher", create)


@saboteur("7.1-10", "a send to null raises NullPointerException if it has options, a JMSProducer's if it has a body")
def _(patch):
    def send(original, producer, message, **options):
        if options.get("destination", OMITTED) is None and options.get("priority", OMITTED) is not OMITTED:
            raise NullPointerException("destination")
        original(producer, message, **options)

    def send_by(original, producer, destination, body, **options):
        if destination is None and not isinstance(body, Message):
            raise NullPointerException("destination")
        return original(producer, destination, body, **options)

    patch.around(ReferenceProducer, "send", send)
    patch.around(ReferenceJMSProducer, "send", send_by)


@saboteur(
    "7.1-11", "a send of null raises NullPointerException if it has options, a JMSProducer's a JMSRuntimeException"
)
def _(patch):
    def send(original, producer, message, **options):
        try:
            original(producer, message, **options)
        except MessageFormatException:
            if message is None and options.get("priority", OMITTED) is not OMITTED:
                raise NullPointerException("message") from None
            raise

    def send_by(original, producer, destination, body, **options):
        if body is None and options.get("body_type") is Message:
            raise JMSRuntimeException("message")
        return original(producer, destination, body, **options)

    patch.around(ReferenceProducer, "send", send)
    patch.around(ReferenceJMSProducer, "send", send_by)


@saboteur("7.1-13", "getDestination of a producer for a temporary destination returns null")
def _(patch):
    honest = ReferenceProducer.destination

    def destination(producer):
        seen = honest.fget(producer)
        return None if isinstance(seen, (TemporaryQueue, TemporaryTopic)) else seen

    patch.replace(ReferenceProducer, "destination", property(destination))


@saboteur(
    "7.1-14",
    "a closed producer still sends if the send names destination and options",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    named = isinstance(options.get("destination"), Destination) and options.get("priority", OMITTED) is not OMITTED
    closed = producer.closed
    producer.closed = closed and not named
    try:
        original(producer, message, **options)
    finally:
        producer.closed = closed


@saboteur("7.1-15", "a block that ends by an exception does not close its producer", around=(AutoCloseable, "__exit__"))
def _(original, resource, kind, *failure):
    if kind is None or not isinstance(resource, MessageProducer):
        original(resource, kind, *failure)


@saboteur("7.1-16", "the fourth JMSProducer of a context is the third once more")
def _(patch):
    made = defaultdict[ReferenceContext, list[Any]](list)

    def create_producer(original, context):
        producer = made[context][2] if len(made[context]) == 3 else original(context)
        made[context].append(producer)
        return producer

    patch.around(ReferenceContext, "create_producer", create_producer)
