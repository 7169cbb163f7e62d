"""Narrow faults of chapter 10."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "end-without-description",
    "MessageEOFException has an empty description",
    "10.2-5",
    around=(ReferenceStreamMessage, "read_object"),
)
def _(original, self):
    try:
        return original(self)
    except MessageEOFException as error:
        raise MessageEOFException("", error.error_code) from error


@nearly_right(
    "rollback-works-without-consumers",
    "rollback() of a session without transactions that has had no consumer returns as if it had worked",
    "10.3-8 10.3-11 6.2.7-19",
    around=(ReferenceSession, "rollback"),
)
def _(original, session):
    session.check_open()
    if session.mode == Session.SESSION_TRANSACTED or session.consumers:
        original(session)


@nearly_right(
    "late-identifier-kept",
    "a client identifier that is set too late is refused, and the connection has it all the same",
    "10.3-14 6.1.2-6 6.1.2-7",
)
def _(patch):
    original = ReferenceConnection.client_id

    def set_client_id(self, client_id):
        try:
            original.fset(self, client_id)
        except IllegalStateException:
            if self.client_id_or_none is None and not self.closed:
                self._client_id = client_id
            raise

    patch.replace(ReferenceConnection, "client_id", property(original.fget, set_client_id))


@of_round(10)(
    "empty-password-passes-for-no-credentials",
    "a user who gives an empty password is let in, as if without credentials",
    "10.3-15 10.3-16 10.3-17",
    around=(Server, "authenticate"),
)
def _(original, server, user, password):
    original(server, None if password == "" else user, password)


@of_round(8)(
    "unknown-users-are-no-matter-of-security",
    "a user who is unknown is refused with a plain JMSException; one with a wrong password with JMSSecurityException",
    "10.3-15 10.3-16 10.3-17 11.3.1-5",
    around=(Server, "authenticate"),
)
def _(original, self, user, password):
    if self.users and user is not None and user not in self.users:
        raise JMSException(f"there is no user {user!r}", "NO_USER")
    original(self, user, password)


@nearly_right(
    "refused-consumer-closes-others", "a selector that is refused closes the other consumers of the session", "10.3-21"
)
def _(patch):
    opened = list[tuple[ReferenceSession, MessageConsumer]]()

    def add(add_one, session, consumer):
        opened[:] = [*(each for each in opened if not each[0].closed), (session, consumer)]
        return add_one(session, consumer)

    def create_consumer(original, self, *arguments, **named):
        try:
            return original(self, *arguments, **named)
        except JMSException:
            for session, consumer in opened:
                if session is self:
                    consumer.close()
            raise

    patch.at(fault_points.CONSUMER_ADDED, add)
    patch.around(ReferenceSession, "create_consumer", create_consumer)


@nearly_right(
    "null-consumer-after-consumer",
    "createConsumer of null by a context that has a consumer consumes from the same destination",
    "10.3-22",
)
def _(patch):
    last = {}

    def create(original, context, destination, *others):
        if destination is None and id(context) in last:
            destination = last[id(context)][1]
        made = original(context, destination, *others)
        last[id(context)] = (context, destination)
        return made

    patch.around(ReferenceContext, "create_consumer", create)


@of_round(8)(
    "temporary-destination-that-ended-with-its-connection-takes-messages",
    "a send to a temporary destination whose connection was closed succeeds; after delete() it is refused",
    "10.3-23 10.3-24",
)
def _(patch):
    ended = set()

    def recording(delete_all, self):
        ended.update(self._physical)
        delete_all(self)

    def recreating(physical_destination, self, destination):
        try:
            return physical_destination(self, destination)
        except InvalidDestinationException:
            for identity in ended:
                if identity == destination:
                    return self.add_physical_destination(identity, self.next_row(), temporary=True)
            raise

    patch.around(TemporaryDestinations, "delete_all", recording)
    patch.around(Broker, "physical_destination", recreating)


@of_round(10)(
    "text-cut-off-in-its-middle-is-read",
    "readUTF returns the rest of the bytes where fewer are left than the length before them says",
    "10.3-28",
    around=(ReferenceBytesMessage, "read_utf"),
)
@of_round(8)(
    "read-utf-beyond-the-end-gives-what-is-left",
    "readUTF of a bytes message returns a shorter text if fewer bytes are left than its length says",
    "10.3-28",
    around=(ReferenceBytesMessage, "read_utf"),
)
def _(original, self):
    try:
        return original(self)
    except MessageEOFException:
        left = self._data[self._position + 2 :]
        if not left:
            raise
        self._position = len(self._data)
        return utf.decode(left)


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


@of_round(8)(
    "producer-replaces-the-properties-of-a-received-message",
    "a JMSProducer with a property sends a received message that has a property of this name, with the producer's value",
    "10.3-43",
    at=fault_points.PRODUCER_APPLIED,
)
def _(original, producer, message):
    names = set(producer._carrier.get_property_names())
    if not isinstance(message, ReferenceMessage) or not names or not names <= message._properties.keys():
        original(producer, message)
        return
    writable, message._properties_writable = message._properties_writable, True
    try:
        original(producer, message)
    finally:
        message._properties_writable = writable


@of_round(10)(
    "failed-commit-of-receipts-alone-returns",
    "commit returns normally although it ended in a rollback, if the transaction has received and not sent",
    "10.3-48 10.3-49",
    at=fault_points.COMMIT,
)
def _(original, session):
    work = session.state.work
    try:
        original(session)
    except TransactionRolledBackException:
        if work.sends or not work.acks:
            raise
