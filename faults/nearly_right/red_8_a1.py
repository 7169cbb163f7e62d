"""Red round 8, first half: faults of reliability, of common interfaces and of exceptions, written without sight of the suite.

Declared by `nearly_right`.
"""

from faults.kit import *

_LARGE = 100 * 1024


def _is_large(entry):
    body = entry.snapshot.body
    return isinstance(body, str | bytes) and len(body) > _LARGE


# --- 9 Reliability and common interfaces ------------------------------------------------------------------------------


@of_round(8)(
    "large-message-in-the-place-of-a-consumed-one-is-not-stored",
    "a PERSISTENT message of more than 100 KiB does not survive the provider if a large one of its destination was consumed before",
    "9.1-1",
)
def _large_not_stored(patch):
    emptied = set()

    def remove_from_queue(original, delivery):
        original(delivery)
        if _is_large(delivery.entry):
            emptied.add(delivery.source.physical.destination)

    def stores(original, physical, entry, delivery_queues):
        in_a_used_place = _is_large(entry) and physical.destination in emptied
        return original(physical, entry, delivery_queues) and not in_a_used_place

    patch.at(fault_points.REMOVED, remove_from_queue)
    patch.at(fault_points.STORED, stores)


@of_round(8)(
    "message-consumed-by-a-transaction-that-sends-to-its-queue-comes-again",
    "what a transaction has received from a destination to which it also sends is delivered again after a restart",
    "9.1-2",
)
def _comes_again(patch):
    original = Work.statements

    def statements(self):
        found = original(self)
        for ack in self.acks:
            if ack.stored and any(ack.source in delivery_queues for _, _, delivery_queues in self.routed_sends):
                found = [one for one in found if one not in ack.forget_statements()]
        return found

    patch.replace(Work, "statements", statements)


@of_round(8)(
    "acknowledged-non-persistent-messages-come-again-after-a-severed-link",
    "the last NON_PERSISTENT messages that a client has acknowledged are delivered again if its link breaks afterwards",
    "9.1-3",
)
def _acknowledged_come_again(patch):
    on_the_way = {}

    def acknowledge_all(original, session):
        session.state.acknowledge(on_the_way.pop(session, []), durable=False)
        with session.broker.lock:
            owed = session.state.unacknowledged
            kept_back = [one for one in owed if one.entry.delivery_mode == DeliveryMode.NON_PERSISTENT]
            session.state.unacknowledged = [one for one in owed if one not in kept_back]
        on_the_way[session] = kept_back
        original(session)

    def drop_unfinished(original, session):
        kept_back = on_the_way.pop(session, [])
        if getattr(session.connection, "lost", None) is None:
            session.state.acknowledge(kept_back, durable=False)
        else:
            session.broker.redelivery.redeliver(kept_back)
        original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@of_round(8)(
    "null-destination-with-options-is-unsupported",
    "a QueueSender or TopicPublisher without destination refuses null with UnsupportedOperationException if delivery options follow",
    "9.2-27",
    "10.3-21",
)
def _null_unsupported(patch):
    original = ReferenceProducer.send

    def send(self, message, *, destination=OMITTED, **options):
        given = options.get("delivery_mode", OMITTED) is not OMITTED
        if given and destination is None and isinstance(self, ReferenceSender | ReferencePublisher):
            self.check_open()
            raise UnsupportedOperationException("the destination of the producer is null: name one with each send")
        original(self, message, destination=destination, **options)

    patch.replace(ReferenceProducer, "send", send)


# --- 10 Exceptions ----------------------------------------------------------------------------------------------------


@of_round(8)(
    "temporary-destination-that-ended-with-its-connection-takes-messages",
    "a send to a temporary destination whose connection was closed succeeds; after delete() it is refused",
    "10.3-23",
    "10.3-24",
)
def _takes_messages(patch):
    ended = set()
    delete_all = TemporaryDestinations.delete_all
    physical_destination = Broker.physical_destination

    def recording(self):
        ended.update(self._physical)
        delete_all(self)

    def recreating(self, destination):
        try:
            return physical_destination(self, destination)
        except InvalidDestinationException:
            for identity in ended:
                if identity == destination:
                    return self.add_physical_destination(identity, self.next_row(), temporary=True)
            raise

    patch.replace(TemporaryDestinations, "delete_all", recording)
    patch.replace(Broker, "physical_destination", recreating)


@of_round(8)(
    "unknown-users-are-no-matter-of-security",
    "a user who is unknown is refused with a plain JMSException; one with a wrong password with JMSSecurityException",
    "10.3-15",
    "10.3-16",
    "10.3-17",
    "11.3.1-5",
)
def _unknown_users(patch):
    original = Server.authenticate

    def authenticate(self, user, password):
        if self.users and user is not None and user not in self.users:
            raise JMSException(f"there is no user {user!r}", "NO_USER")
        original(self, user, password)

    patch.replace(Server, "authenticate", authenticate)


@of_round(8)(
    "read-utf-beyond-the-end-gives-what-is-left",
    "readUTF of a bytes message returns a shorter text if fewer bytes are left than its length says",
    "10.3-28",
)
def _what_is_left(patch):
    original = ReferenceBytesMessage.read_utf

    def read_utf(self):
        try:
            return original(self)
        except MessageEOFException:
            left = self._data[self._position + 2 :]
            if not left:
                raise
            self._position = len(self._data)
            return utf.decode(left)

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)


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
