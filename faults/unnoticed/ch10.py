"""Faults of chapter 10 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _xa_recover_refused(provider):
    with provider.xa_connection_factory().create_xa_context() as context:
        return context.transacted, refusal(context.recover)


@of_round(10)(
    "xa-context-recovers-outside-a-branch",
    "recover of an XA context or XA session returns normally while no branch is active",
    "10.3-12 10.3-9",
    witness=_xa_recover_refused,
    expected=(True, "IllegalStateRuntimeException"),
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    outside = isinstance(session, ReferenceXASession) and session.state.mode != Session.SESSION_TRANSACTED
    if not outside or session.closed:
        original(session)


def _client_identifier(provider):
    factory = provider.connection_factory()
    with factory.create_connection() as first, factory.create_connection() as second:
        first.client_id = "red"
        outcomes = [refusal(lambda: setattr(second, "client_id", "red")) for _ in range(2)]
        return [*outcomes, refusal(lambda: setattr(second, "client_id", "blue"))]


@of_round(10)(
    "rejected-client-identifier-counts-as-set",
    "after a rejected client identifier each further one raises IllegalStateException",
    "10.3-19 10.3-20",
    witness=_client_identifier,
    expected=["InvalidClientIDException", "InvalidClientIDException", None],
)
def _(patch):
    found = vars(ReferenceConnection)["client_id"]
    rejected = []

    def set_client_id(connection, client_id):
        if any(one is connection for one in rejected) and not connection.closed:
            raise IllegalStateException("the client identifier is set already", "CLIENT_ID_SET")
        try:
            found.fset(connection, client_id)
        except InvalidClientIDException:
            rejected.append(connection)
            raise

    patch.replace(ReferenceConnection, "client_id", property(found.fget, set_client_id))


def _gone(provider):
    with context_of(provider, TRANSACTED) as context:
        queue = context.create_temporary_queue()
        queue.delete()
        return refusal(lambda: context.create_producer().send(queue, "one"))


@of_round(10)(
    "transacted-send-to-a-deleted-queue-returns",
    "a transacted session accepts a send to a deleted temporary queue, and drops the message",
    "10.3-23 10.3-24",
    witness=_gone,
    expected="InvalidDestinationRuntimeException",
    around=(ReferenceProducer, "send_now"),
)
def _(original, producer, message, target, options):
    try:
        original(producer, message, target, options)
    except InvalidDestinationException:
        transacted = producer.session.state.mode == Session.SESSION_TRANSACTED
        if not (transacted and isinstance(target, TemporaryQueue)):
            raise


def _bad_selector(provider):
    topic = provider.create_topic("red")
    with context_of(provider) as context:
        context.client_id = "red"
        context.create_durable_consumer(topic, "red", "a = 1", False).close()
        return refusal(lambda: context.create_durable_consumer(topic, "red", "a = = 1", False))


@of_round(10)(
    "known-durable-subscription-takes-any-selector",
    "a selector that does not parse is ignored where the unshared durable subscription exists already: it keeps its own",
    "10.3-25 10.3-26",
    witness=_bad_selector,
    expected="InvalidSelectorRuntimeException",
    around=(ConsumerFactory, "open_durable"),
)
def _(original, factory, topic, name, selector, no_local):
    try:
        return original(factory, topic, name, selector, no_local)
    except InvalidSelectorException:
        with factory.broker.lock:
            found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name))
        if found is None:
            raise
        return original(factory, topic, name, found.selector, no_local)


def _stream_end(provider):
    with context_of(provider) as context:
        message = context.create_stream_message()
        message.write_string("a")
        message.write_string(None)
        message.reset()
        return message.read_object(), message.read_object(), refusal(message.read_object)


@of_round(10)(
    "stream-that-ends-with-null-has-no-end",
    "readObject and readString return null for ever at the end of a stream whose last value is null",
    "10.3-27",
    witness=_stream_end,
    expected=("a", None, "MessageEOFException"),
    around=(ReferenceStreamMessage, "read_object", "read_string"),
)
def _(original, message):
    try:
        return original(message)
    except MessageEOFException:
        if message._items and message._items[-1] is None:
            return None
        raise


def _read_only(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        context.create_producer().send(queue, context.create_map_message())
        message = context.create_consumer(queue).receive_no_wait()
        message.clear_properties()
        return refusal(lambda: message.set_int("a", 1))


@of_round(10)(
    "clear-properties-makes-a-map-writable",
    "clearProperties of a received MapMessage makes its entries writable as well",
    "10.3-41",
    witness=_read_only,
    expected="MessageNotWriteableException",
    around=(ReferenceMapMessage, "clear_properties"),
)
def _(original, message):
    original(message)
    message._writable = True


def _sent_on(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        producer = context.create_producer().set_property("a", 1)
        producer.send(queue, "one")
        message = context.create_consumer(queue).receive_no_wait()
        return refusal(lambda: producer.send(queue, message))


@of_round(10)(
    "properties-that-change-nothing-are-not-refused",
    "a JMSProducer sends a received message that has all the properties of the producer already, with the same values",
    "10.3-43 10.3-42",
    witness=_sent_on,
    expected="MessageNotWriteableRuntimeException",
    at=fault_points.PRODUCER_APPLIED,
)
def _(original, producer, message):
    try:
        original(producer, message)
    except MessageNotWriteableException:
        carrier = producer._carrier
        for name in carrier.get_property_names():
            if message.get_object_property(name) != carrier.get_object_property(name):
                raise


def _refused_commit(provider):
    queue = provider.create_queue("red")
    with provider.connection_factory().create_context(session_mode=TRANSACTED) as context:
        context.create_producer().send(queue, "a")
        provider.administer("fail-next-sends", destination=queue, count=1)
        return refusal(context.commit)


@of_round(8)(
    "commit-refused-by-a-destination-raises-its-own-exception",
    "a commit that is rolled back because a destination refuses a message raises ResourceAllocationException",
    "10.3-48 10.3-49",
    witness=_refused_commit,
    expected="TransactionRolledBackRuntimeException",
    at=fault_points.COMMIT,
)
def _(original, session):
    try:
        original(session)
    except TransactionRolledBackException as error:
        if isinstance(error.linked_exception, ResourceAllocationException):
            raise error.linked_exception from None
        raise
