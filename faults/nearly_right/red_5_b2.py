"""Red round 5, second group: faults in messaging domains, written without sight of the suite.

Temporary destinations, browsers, requestors and the four kinds of subscription.
"""

from faults.kit import *

# --- temporary destinations -------------------------------------------------------------------------------------------


@of_round(5)(
    "younger-connections-take-temporary-queues-for-deleted",
    "a connection cannot send to a temporary queue that another connection made before this one was opened",
    "4.1.5-7",
    "2.16-3",
)
def _younger_connection(patch):
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


@of_round(5)(
    "temporary-queue-of-a-second-context-is-its-own",
    "only the context itself can consume from a temporary queue that a context made from another context has created",
    "4.1.5-6",
    "2.8.2-6",
    "4.1.5-3",
    "6.2.2-2",
)
def _own_context(patch):
    second = []
    owners = {}
    create_context = ReferenceContext.create_context
    create_queue = ReferenceSession.create_temporary_queue

    def made_context(self, session_mode):
        context = create_context(self, session_mode)
        second.append(context.session)
        return context

    def made_queue(self):
        queue = create_queue(self)
        if any(self is each for each in second):
            owners[queue.queue_name] = self
        return queue

    def open_plain(original, session, destination, *others):
        if owners.get(getattr(destination, "name", None), session) is not session:
            raise InvalidDestinationException(f"{destination} belongs to another context")
        return original(session, destination, *others)

    patch.replace(ReferenceContext, "create_context", made_context)
    patch.replace(ReferenceSession, "create_temporary_queue", made_queue)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@of_round(5)(
    "temporary-topic-with-shared-consumers-can-be-deleted",
    "a temporary topic can be deleted while a consumer of a shared subscription is open on it",
    "4.2.7-9",
    at=fault_points.TEMPORARY_DELETED,
)
def _(original, temporaries, destination):
    with temporaries.broker.lock:
        physical = temporaries.broker.find_physical_destination(destination)
        shared = (
            sum(one.consumers for one in physical.subscriptions if one.shared)
            if isinstance(physical, PhysicalTopic)
            else 0
        )
        if physical is not None:
            physical.consumers -= shared
    try:
        original(temporaries, destination)
    except JMSException:
        if physical is not None:
            physical.consumers += shared
        raise


@of_round(5)(
    "requestor-leaves-its-queue-if-a-reply-is-left",
    "close of a QueueRequestor does not delete the temporary queue if a reply is left in it",
    "4.1.7-5",
)
def _reply_left(patch):
    original = ReferenceQueueRequestor.close

    def close(self):
        session = self._session
        if session.closed or not session.broker.pending(self._reply_queue):
            original(self)
            return
        self._sender.close()
        self._receiver.close()
        session.close()

    patch.replace(ReferenceQueueRequestor, "close", close)


# --- queues and browsers ----------------------------------------------------------------------------------------------


def _enumerated(patch, change):
    """Change what each enumeration of a browser goes through."""
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        made = original(self)
        return BrowsedMessages(self, change(self, list(made._seen)))

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(5)(
    "browsing-in-a-transacted-session-counts-as-delivery",
    "a message that a browser of a transacted session has shown counts as delivered when it is first received",
    "4.1.6-1",
    "3.5.11-1",
    "3.4-1",
    by=_enumerated,
)
def _(browser, seen):
    session = browser.session
    if session.mode == Session.SESSION_TRANSACTED:
        with session.broker.lock:
            for one in seen:
                one.source.counts[one.entry.number] = one.count
    return seen


of_round(5)(
    "browser-shows-redelivered-messages-last",
    "a browser shows messages that were delivered before after all others, although they are received first",
    "4.1.6-6",
    install=lambda patch: _enumerated(patch, lambda _, seen: sorted(seen, key=lambda one: one.redelivered)),
)


@of_round(5)(
    "passed-over-messages-wait-for-the-selecting-consumer",
    "messages that a selecting consumer has looked at and passed over reach no other consumer while it is open",
    "4.1.2-7",
)
def _passed_over(patch):
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


# --- subscriptions ----------------------------------------------------------------------------------------------------


@of_round(5)(
    "client-identifier-and-name-are-joined-by-a-dot",
    "client 'a' with subscription 'b.c' and client 'a.b' with subscription 'c' have one durable subscription together",
    "4.2.2-25",
)
def _joined(patch):
    def known(factory, key):
        joined = None if key[0] is None else f"{key[0]}.{key[1]}"
        for subscription in factory.broker.subscriptions.all_durable():
            other = subscription.key
            if other is not None and other[0] is not None and f"{other[0]}.{other[1]}" == joined:
                return other
        return key

    def open_stored(original, factory, topic, key, *others, shared):
        return original(factory, topic, known(factory, key), *others, shared=shared)

    delete = ConsumerFactory._delete
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.replace(ConsumerFactory, "_delete", lambda self, key: delete(self, known(self, key)))


@of_round(5)(
    "shared-subscription-ends-with-the-session-that-opened-it",
    "a shared non-durable subscription ends when the session of its first consumer is closed, whoever else uses it",
    "4.2.2-19",
    "4.2.2-17",
)
def _ends_early(patch):
    first = {}

    def open_receiver(original, *arguments):
        receiver = original(*arguments)
        subscription = receiver.subscription
        if subscription is not None and subscription.shared and not subscription.durable:
            first.setdefault(id(subscription), (subscription, receiver))
        return receiver

    def detach(original, consumer):
        original(consumer)
        subscription = consumer.receiver.subscription
        if subscription is None or id(subscription) not in first:
            return
        if consumer.session.closed and first[id(subscription)][1] is consumer.receiver:
            consumer.session.broker.subscriptions.remove(subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@of_round(5)(
    "first-acknowledgement-deletes-the-stored-copies",
    "when one of several durable subscriptions has acknowledged a message, the others lose it at a restart",
    "4.2.2-6",
    "4.2.11-5",
)
def _all_copies(patch):
    original = Delivery.forget_statements

    def forget_statements(self):
        if self.source.subscription is None:
            return original(self)
        number = (self.entry.number,)
        return [("delete from delivery where message = ?", number), ("delete from message where id = ?", number)]

    patch.replace(Delivery, "forget_statements", forget_statements)


@of_round(5)(
    "shared-subscriptions-count-deliveries-together",
    "a message that one shared subscription delivers again counts as delivered for the other shared ones too",
    "4.2.2-9",
    "3.5.11-1",
)
def _counted_together(patch):
    original = DeliveryQueue.put_back

    def put_back(self, entry, deliveries):
        original(self, entry, deliveries)
        if not isinstance(self, StoredDeliveryQueue) or not isinstance(self.physical, PhysicalTopic):
            return
        shared = [one.delivery_queue for one in self.physical.subscriptions if one.shared]
        if any(one is self for one in shared):
            for one in shared:
                if one.level(entry.priority).is_free(entry.number):
                    one.counts[entry.number] = max(deliveries, one.counts.get(entry.number, 0))

    patch.replace(DeliveryQueue, "put_back", put_back)


class _Sender(str):
    """The identity of a sending connection that also knows the session."""

    __slots__ = ("session",)

    session: object


@of_round(5)(
    "no-local-leaves-out-the-own-session-only",
    "a non-durable subscriber with noLocal gets what other sessions of its connection publish",
    "4.2.2-29",
)
def _own_session(patch):
    def fault(producer, _, entry, __):
        entry.sender = sender = _Sender(entry.sender)
        sender.session = producer.session

    original = Subscription.is_foreign

    def is_foreign(self, entry):
        other = isinstance(entry.sender, _Sender) and entry.sender.session is not self.session
        return original(self, entry) or (self.session is not None and other)

    after_send(patch, fault)
    patch.replace(Subscription, "is_foreign", is_foreign)
