"""Red round 10, second part: faults in exceptions, written without sight of the suite."""

from faults.kit import *


@of_round(10)(
    "known-durable-subscription-takes-any-selector",
    "a selector that does not parse is ignored where the unshared durable subscription exists already: it keeps its own",
    "10.3-25",
    "10.3-26",
    noticed=False,
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


@of_round(10)(
    "text-cut-off-in-its-middle-is-read",
    "readUTF returns the rest of the bytes where fewer are left than the length before them says",
    "10.3-28",
    around=(ReferenceBytesMessage, "read_utf"),
)
def _(original, message):
    try:
        return original(message)
    except MessageEOFException:
        left = message.body_length - message._position - 2
        if left <= 0:
            raise
        text = utf.decode(message._ahead(2, left))
        message._position += 2 + left
        return text


@of_round(10)(
    "stream-that-ends-with-null-has-no-end",
    "readObject and readString return null for ever at the end of a stream whose last value is null",
    "10.3-27",
    noticed=False,
    around=(ReferenceStreamMessage, "read_object", "read_string"),
)
def _(original, message):
    try:
        return original(message)
    except MessageEOFException:
        if message._items and message._items[-1] is None:
            return None
        raise


@of_round(10)(
    "entry-with-too-large-a-number-is-of-wrong-format",
    "a map entry whose text is a whole number too large for the type raises MessageFormatException, not NumberFormatException",
    "10.3-38",
    around=(ReferenceMapMessage, "get_byte", "get_short", "get_int", "get_long"),
)
def _(original, message, name):
    try:
        return original(message, name)
    except NumberFormatException as error:
        text = message.get_object(name)
        if isinstance(text, str) and text.lstrip("-").isdigit():
            raise MessageFormatException(str(error)) from error
        raise


@of_round(10)(
    "clear-properties-makes-a-map-writable",
    "clearProperties of a received MapMessage makes its entries writable as well",
    "10.3-41",
    noticed=False,
    around=(ReferenceMapMessage, "clear_properties"),
)
def _(original, message):
    original(message)
    message._writable = True


@of_round(10)(
    "properties-that-change-nothing-are-not-refused",
    "a JMSProducer sends a received message that has all the properties of the producer already, with the same values",
    "10.3-43",
    "10.3-42",
    noticed=False,
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


@of_round(10)(
    "failed-commit-of-receipts-alone-returns",
    "commit returns normally although it ended in a rollback, if the transaction has received and not sent",
    "10.3-48",
    "10.3-49",
    at=fault_points.COMMIT,
)
def _(original, session):
    work = session.state.work
    try:
        original(session)
    except TransactionRolledBackException:
        if work.sends or not work.acks:
            raise


@of_round(10)(
    "rejected-client-identifier-counts-as-set",
    "after a rejected client identifier each further one raises IllegalStateException",
    "10.3-19",
    "10.3-20",
    noticed=False,
)
def _counts_as_set(patch):
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


@of_round(10)(
    "empty-password-passes-for-no-credentials",
    "a user who gives an empty password is let in, as if without credentials",
    "10.3-15",
    "10.3-16",
    "10.3-17",
    around=(Server, "authenticate"),
)
def _(original, server, user, password):
    original(server, None if password == "" else user, password)


@of_round(10)(
    "transacted-send-to-a-deleted-queue-returns",
    "a transacted session accepts a send to a deleted temporary queue, and drops the message",
    "10.3-23",
    "10.3-24",
    noticed=False,
    around=(ReferenceProducer, "send_now"),
)
def _(original, producer, message, target, options):
    try:
        original(producer, message, target, options)
    except InvalidDestinationException:
        transacted = producer.session.state.mode == Session.SESSION_TRANSACTED
        if not (transacted and isinstance(target, TemporaryQueue)):
            raise
