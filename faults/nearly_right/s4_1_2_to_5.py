"""Narrow faults of sections 4.1.2 to 4.1.5."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(3)(
    "queue-session-common-consumer-takes-all",
    "the consumer that a QueueSession makes by createConsumer ignores its selector",
    "4.1.2-5 2.10-1 3.8.1-1",
)
def _(patch):
    def create_consumer(self, destination, message_selector=OMITTED, no_local=OMITTED):
        self.broker.predicate(selector_text(message_selector), self.model.version)
        made = self.create_receiver(destination)
        made.receiver.selector = selector_text(message_selector)
        return made

    patch.replace(ReferenceQueueSession, "create_consumer", create_consumer)


@of_round(8)(
    "queue-drops-what-no-open-selector-chooses",
    "a NON_PERSISTENT message that no selector of the open consumers of its queue chooses is dropped",
    "4.1.2-6 4.1.2-7",
)
def _(patch):
    opened = []

    def open_receiver(original, *arguments):
        receiver = original(*arguments)
        opened.append(receiver)
        return receiver

    def offer(original, broker, delivery_queue, entry):
        if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(delivery_queue.physical, PhysicalQueue):
            opened[:] = [one for one in opened if not one.closed]
            consumers = [one for one in opened if one.delivery_queue is delivery_queue]
            if consumers and all(one.matches is not None and not one.matches(entry) for one in consumers):
                return
        original(broker, delivery_queue, entry)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.OFFERED, offer)


@of_round(11)(
    "selecting-consumer-begins-where-a-closed-one-stopped",
    "a consumer with a selector skips messages that an earlier one, with another selector, had passed over before its close",
    "4.1.2-7 4.1.2-6 8.1-2",
)
def _(patch):
    stopped = Notes()

    def forget(original, level, consumer):
        cursor = level._cursors.get(consumer)
        if cursor is not None:
            stopped.put(level, cursor)
        original(level, consumer)

    def take_matching(original, level, consumer, matches):
        level._cursors.setdefault(consumer, stopped.get(level) or 0)
        return original(level, consumer, matches)

    patch.around(PriorityLevel, "forget", forget)
    patch.around(PriorityLevel, "take_matching", take_matching)


@of_round(5)(
    "passed-over-messages-wait-for-the-selecting-consumer",
    "messages that a selecting consumer has looked at and passed over reach no other consumer while it is open",
    "4.1.2-7",
)
def _(patch):
    passed = {}

    def look(receiver):
        matches = receiver.matches
        if matches is not None:
            found = {one.number for one in receiver.delivery_queue.free_entries() if not matches(one)}
            passed.setdefault(id(receiver), (receiver, set()))[1].update(found)

    def take(original, receiver):
        delivery_queue = receiver.delivery_queue
        if receiver.subscription is not None:
            return original(receiver)
        look(receiver)
        hidden = set()
        for other, numbers in passed.values():
            if other is not receiver and not other.closed and other.delivery_queue is delivery_queue:
                hidden |= numbers
        held = [(level, number) for level in delivery_queue.levels() for number in hidden if level.take_number(number)]
        try:
            return original(receiver)
        finally:
            for level, number in held:
                level.put_back(number)

    patch.at(fault_points.MESSAGE_TAKEN, take)


# Seen in AMQP clients that declare temporary queues exclusive to the channel of their session.
@of_round(2)(
    "temporary-queue-ends-with-transacted-session",
    "closing the transacted session that made a temporary queue removes the queue",
    "4.1.5-3",
)
def _(patch):
    made = {}

    def create_temporary_queue(create, self):
        queue = create(self)
        if self.mode == ReferenceSession.SESSION_TRANSACTED:
            made.setdefault(id(self), []).append(queue.queue_name)
        return queue

    def ending(end, self):
        end(self)
        names = made.pop(id(self), [])
        temporaries = self.connection.temporaries
        with self.broker.lock:
            for identity, physical in list(temporaries._physical.items()):
                if identity.name in names and not physical.consumers:
                    temporaries._remove(identity, physical)

    patch.around(ReferenceSession, "create_temporary_queue", create_temporary_queue)
    patch.around(ReferenceSession, "_end", ending)


@of_round(7)(
    "temporary-queue-ends-with-its-last-consumer",
    "a temporary queue is deleted when the last consumer on it is closed, although its connection is open",
    "4.1.5-3 4.1.5-8 6.2.2-2 4.1.5-6 6.2.2-1",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    physical, connection = consumer.receiver.physical, consumer.session.connection
    if isinstance(physical, PhysicalQueue) and physical.temporary and not physical.consumers:
        connection.temporaries._physical.pop(physical.destination, None)
        connection.broker.remove_physical_destination(physical)


@of_round(3)(
    "temporary-queue-bound-to-its-context",
    "another JMSContext of the same connection cannot consume from a temporary queue",
    "4.1.5-6",
)
def _(patch):
    # The owner is compared by session where it should be by connection; compare apache/activemq#1722.
    makers = {}

    def create_temporary_queue(create_queue, self):
        made = create_queue(self)
        makers[made.queue_name] = self
        return made

    def consumer(create_consumer, self, destination, *arguments, **keywords):
        if isinstance(destination, TemporaryQueue) and makers.get(destination.queue_name, self) is not self:
            raise InvalidDestinationRuntimeException(f"{destination} belongs to another context")
        return create_consumer(self, destination, *arguments, **keywords)

    patch.around(ReferenceContext, "create_temporary_queue", create_temporary_queue)
    patch.around(ReferenceContext, "create_consumer", consumer)


@of_round(5)(
    "temporary-queue-of-a-second-context-is-its-own",
    "only the context itself can consume from a temporary queue that a context made from another context has created",
    "4.1.5-6 2.8.2-6 4.1.5-3 6.2.2-2",
)
def _(patch):
    second = []
    owners = {}

    def made_context(create_context, self, session_mode):
        context = create_context(self, session_mode)
        second.append(context.session)
        return context

    def made_queue(create_queue, self):
        queue = create_queue(self)
        if any(self is each for each in second):
            owners[queue.queue_name] = self
        return queue

    def open_plain(original, session, destination, *others):
        if owners.get(getattr(destination, "name", None), session) is not session:
            raise InvalidDestinationException(f"{destination} belongs to another context")
        return original(session, destination, *others)

    patch.around(ReferenceContext, "create_context", made_context)
    patch.around(ReferenceSession, "create_temporary_queue", made_queue)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@of_round(11)(
    "refused-delete-shuts-other-connections-out",
    "a delete of a temporary queue that fails, because it has a receiver, makes sends of other connections to it fail",
    "4.1.5-7 6.2.2-5",
)
def _(patch):
    refused = set()

    def delete(original, temporaries, destination):
        try:
            original(temporaries, destination)
        except JMSException:
            refused.add(destination)
            raise

    def physical_destination(original, producer, destination):
        physical = original(producer, destination)
        if destination in refused and physical.destination not in producer.session.connection.temporaries._physical:
            raise InvalidDestinationException(f"{destination} is about to be deleted")
        return physical

    patch.around(TemporaryDestinations, "delete", delete)
    patch.around(ReferenceProducer, "physical_destination", physical_destination)


@of_round(5)(
    "younger-connections-take-temporary-queues-for-deleted",
    "a connection cannot send to a temporary queue that another connection made before this one was opened",
    "4.1.5-7 2.16-3",
)
def _(patch):
    unknown = {}

    def connect(original, *arguments):
        connection = original(*arguments)
        with connection.broker.lock:
            present = {one.destination for one in connection.broker.physical_destinations() if one.temporary}
        unknown[id(connection)] = (connection, present)
        return connection

    def prepare(original, producer, message, destination, options):
        known = unknown.get(id(producer.session.connection))
        if known is not None and isinstance(destination, TemporaryQueue) and destination in known[1]:
            raise InvalidDestinationException(f"{destination} does not exist any more")
        return original(producer, message, destination, options)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.SEND_PREPARED, prepare)


@of_round(7)(
    "queue-sessions-make-no-sender-for-a-reply",
    "createSender of a QueueSession refuses the temporary queue of another connection; a sender without queue takes it",
    "4.1.5-7 2.16-3 2.5-2",
    around=(ReferenceQueueSession, "create_sender"),
)
def _(original, self, queue):
    if isinstance(queue, TemporaryQueue):
        with self.broker.lock:
            self.connection.temporaries.check_consumable(self.broker.physical_destination(queue))
    return original(self, queue)


@nearly_right(
    "temporary-destination-outlives-its-session",
    "a temporary destination that holds a message cannot be deleted once the session that made it is closed",
    "4.1.5-8 4.2.7-8",
    origin="reported",
)
def _(patch):
    """Around ARTEMIS-2189."""
    makers = dict[str, ReferenceSession]()

    def make(original, session):
        made = original(session)
        makers[made.name] = session
        return made

    def delete(original, owner, destination):
        maker = makers.get(destination.name)
        if maker is not None and maker.closed:
            raise JMSException("the session of the temporary destination is closed")
        original(owner, destination)

    patch.around(ReferenceSession, "create_temporary_queue", make)
    patch.around(ReferenceSession, "create_temporary_topic", make)
    patch.at(fault_points.TEMPORARY_DELETED, delete)


@of_round(8)(
    "temporary-queue-with-messages-cannot-be-deleted",
    "delete of a temporary queue that nobody consumes from is refused while a message is in it",
    "4.1.5-8 6.2.2-10",
    at=fault_points.TEMPORARY_DELETED,
)
def _(original, temporaries, destination):
    with temporaries.broker.lock:
        physical = temporaries.broker.find_physical_destination(destination)
        full = isinstance(physical, PhysicalQueue) and len(physical.delivery_queue) > 0
    if full:
        raise JMSException(f"{destination} is not empty", "NOT_EMPTY")
    original(temporaries, destination)
