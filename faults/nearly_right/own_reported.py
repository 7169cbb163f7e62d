"""Faults that users of brokers reported: what harms an object is something beside it, before it, or a call that failed."""

from faults.kit import *


@nearly_right(
    "temporary-destination-outlives-its-session",
    "a temporary destination that holds a message cannot be deleted once the session that made it is closed",
    "4.1.5-8",
    "4.2.7-8",
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

    around(patch, ReferenceSession, "create_temporary_queue", make)
    around(patch, ReferenceSession, "create_temporary_topic", make)
    patch.at(fault_points.TEMPORARY_DELETED, delete)


@nearly_right(
    "loses-what-a-listener-of-a-transaction-had-at-a-cut",
    "a link breaks while a listener of a transacted session runs: the message that it has is lost",
    "9.1-1",
    "6.2-17",
    origin="reported",
)
def _(patch):
    """As AMQ-9829."""

    def abandon(original, dispatcher):
        held, session = dispatcher.current, dispatcher.session
        with session.broker.lock:
            if (
                held is not None
                and session.state.mode == Session.SESSION_TRANSACTED
                and held in session.state.work.acks
            ):
                session.state.work.acks.remove(held)
                held.remove_from_queue()
        return original(dispatcher)

    patch.at(fault_points.LISTENER_ABANDONED, abandon)


@nearly_right(
    "deleting-a-subscription-empties-another",
    "unsubscribe() drops what another inactive shared durable subscription of the topic holds",
    "4.2.2-21",
    "8.3.4-17",
    origin="reported",
)
def _(patch):
    """As andes issue 454."""

    def unsubscribe(original, factory, name):
        subscriptions = factory.broker.subscriptions
        found = subscriptions.durable((factory.connection.client_id_or_none, name or ""))
        original(factory, name)
        with factory.broker.lock:
            for other in subscriptions.all_durable():
                same = found is not None and other.delivery_queue.physical is found.delivery_queue.physical
                if same and other.shared and not other.consumers:
                    for entry in list(other.delivery_queue.free_entries()):
                        other.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)


@nearly_right(
    "delayed-message-goes-to-the-newest-subscription",
    "a delayed message goes to a durable subscription that is made before its delivery time, and to no other",
    "7.9-8",
    origin="reported",
)
def _(patch):
    """As openmq issue 184."""
    waiting = dict[int, tuple[StoredDeliveryQueue, StoredMessage]]()
    moved = dict[int, StoredDeliveryQueue]()

    def admit(original, broker, queue, entry):
        if entry.delivery_time > broker.clock.now():
            waiting[entry.number] = queue, entry
        original(broker, queue, entry)

    def open_stored(original, factory, *given, **named):
        known = set(factory.broker.subscriptions.all_durable())
        receiver = original(factory, *given, **named)
        with factory.broker.lock:
            for number, (queue, entry) in list(waiting.items()):
                if receiver.subscription not in known and queue.physical is receiver.physical:
                    moved[number] = receiver.delivery_queue
                    factory.broker.schedule.add(receiver.delivery_queue, entry)
        return receiver

    def offer(original, broker, queue, entry):
        waiting.pop(entry.number, None)
        if moved.get(entry.number, queue) is queue:
            original(broker, queue, entry)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.OFFERED, offer)


@nearly_right(
    "rollback-of-an-unknown-branch-empties-the-current-one",
    "rollback() of a branch that was never begun is refused, and what the current branch has sent is gone",
    "11.3.5-7",
    origin="reported",
)
def _(patch):
    """As ARTEMIS-5806."""

    def rollback(original, resource, xid):
        try:
            original(resource, xid)
        except XAException:
            session_behind(resource).state.work.sends.clear()
            raise

    patch.at(fault_points.XA_ROLLBACK, rollback)


@nearly_right(
    "long-life-is-over-at-once",
    "a message that lives for 25 days or longer has expired when it arrives",
    "7.8-1",
    origin="reported",
)
def _(patch):
    """As ARTEMIS-4820: milliseconds in an int."""

    def is_expired(original, broker, entry):
        return original(broker, entry) or (entry.expiration and entry.expiration - entry.timestamp > 2**31 - 1) > 0

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@nearly_right(
    "message-of-a-failed-send-stays-locked",
    "no property of a message can be set once a send of it has failed on a lost link",
    "3.9-4",
    origin="reported",
)
def _(patch):
    """As QPIDJMS-457."""

    def send(original, producer, message, *given, **named):
        try:
            original(producer, message, *given, **named)
        except JMSException:
            if producer.session.closed and hasattr(message, "_properties_writable"):
                message._properties_writable = False
            raise

    around(patch, ReferenceProducer, "send", send)
