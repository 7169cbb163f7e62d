"""Red round 11, first part: what one object does to another, in messages, queues and browsers.

Declared by `nearly_right`; written without sight of the suite.
"""

from typing import Generic, TypeVar

from faults.kit import *

_T = TypeVar("_T")


class Notes(Generic[_T]):
    """Values by object identity; it keeps the objects alive, so that no identity is used twice."""

    def __init__(self):
        self._kept = {}

    def put(self, about, value):
        """Note a value of an object."""
        self._kept[id(about)] = (about, value)

    def get(self, about):
        """Return the value of an object, None if there is none."""
        found = self._kept.get(id(about))
        return None if found is None else found[1]

    def __contains__(self, about):
        return id(about) in self._kept


# --- chapter 3 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "header-set-on-a-browsed-copy-reaches-the-receiver",
    "JMSCorrelationID set on a message that a browser returned is on the message that a consumer receives later",
    "3.4.5-2",
    "4.1.6-1",
    "3.10-6",
)
def _browsed_copy(patch):
    shown = Notes()
    original = ReferenceMessage.jms_correlation_id

    def message_of(made, session, delivery):
        message = made(session, delivery)
        if isinstance(delivery.consumer, ReferenceBrowser):
            shown.put(message, delivery.entry)
        return message

    def change(message, value):
        original.fset(message, value)
        entry = shown.get(message)
        if entry is not None:
            entry.snapshot = entry.snapshot._replace(correlation=value)

    patch.at(fault_points.MESSAGE_MADE, message_of)
    patch.replace(ReferenceMessage, "jms_correlation_id", property(original.fget, change))


@of_round(11)(
    "second-send-in-a-transaction-rewrites-the-first",
    "a message object sent twice in one transaction and changed in between: the first message has the later contents",
    "3.9-4",
    "3.9-1",
    "3.9-2",
)
def _rewritten(patch):
    sent = Notes()

    def prepare(original, producer, message, destination, options):
        physical, entry = original(producer, message, destination, options)
        state = producer.session.state
        if state.mode == Session.SESSION_TRANSACTED:
            for _, earlier in state.work.sends:
                if sent.get(earlier) is message:
                    earlier.snapshot = entry.snapshot
            sent.put(entry, message)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


@of_round(11)(
    "priority-override-of-one-queue-follows-the-producer",
    "a producer that sent to a queue with an administrator's priority sends with it to other queues from then on",
    "3.4.10-2",
    "7.4-2",
)
def _override_follows(patch):
    prescribed = Notes()

    def stamp_for(original, producer, physical, options):
        stamp = original(producer, physical, options)
        if physical.override is NO_OVERRIDE:
            priority = prescribed.get(producer)
            return stamp if priority is None else stamp._replace(priority=priority)
        if physical.override.priority is not OMITTED:
            prescribed.put(producer, stamp.priority)
        return stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@of_round(11)(
    "failed-send-takes-the-reply-to",
    "a send to a destination that does not exist any more clears JMSReplyTo of the message, which is then sent elsewhere",
    "3.4.11-6",
    "3.4.6-1",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, *others):
    try:
        return original(producer, message, *others)
    except InvalidDestinationException:
        message.jms_reply_to = None
        raise


@of_round(11)(
    "consumer-transaction-id-outlives-the-rollback",
    "a message that comes again after rollback has JMSXConsumerTXID of the transaction that was rolled back",
    "3.5.9-12",
)
def _old_transaction(patch):
    first = Notes()

    def open_delivery(original, state, consumer, queue, entry):
        delivery = original(state, consumer, queue, entry)
        if delivery.transaction is not None:
            if entry not in first:
                first.put(entry, delivery.transaction)
            delivery.transaction = first.get(entry)
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@of_round(11)(
    "redelivery-releases-delayed-messages",
    "recover or rollback of a message makes all delayed messages of its queue visible before their delivery time",
    "3.4.13-6",
    "7.9-3",
    "3.4.13-7",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    original(redelivery, deliveries)
    broker = redelivery._broker
    with broker.lock:
        for queue in {one.source for one in deliveries}:
            early = sorted(broker.schedule.waiting_for(queue), key=lambda entry: (entry.delivery_time, entry.number))
            broker.schedule.drop(queue)
            for entry in early:
                broker.offer(queue, entry)


# --- chapter 4 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "closed-publisher-takes-its-messages-along",
    "closing a connection removes the messages that it published and that wait in non-durable subscriptions of others",
    "4.2.1-2",
    "4.2.11-4",
    "8.3.1-7",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    original(connection)
    with connection.broker.lock:
        for physical in connection.broker.physical_destinations():
            for one in physical.subscriptions if isinstance(physical, PhysicalTopic) else []:
                queue = one.delivery_queue
                for entry in list(queue.free_entries()):
                    if not one.durable and entry.sender == connection.identity:
                        queue.remove(entry.number, entry.priority)


@of_round(11)(
    "refused-delete-shuts-other-connections-out",
    "a delete of a temporary queue that fails, because it has a receiver, makes sends of other connections to it fail",
    "4.1.5-7",
    "6.2.2-5",
)
def _shut_out(patch):
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

    around(patch, TemporaryDestinations, "delete", delete)
    around(patch, ReferenceProducer, "physical_destination", physical_destination)


@of_round(11)(
    "closing-a-browser-ends-the-enumeration-of-another",
    "closing a browser ends open enumerations of other browsers of the session on that queue before the last message",
    "4.1.6-4",
    "4.1.6-10",
)
def _enumeration_ends(patch):
    enumerations = []

    def get_enumeration(original, browser):
        made = original(browser)
        enumerations.append(made)
        return made

    def close(original, browser):
        original(browser)
        for one in enumerations:
            other = one._browser
            if other.session is browser.session and other._physical is browser._physical:
                one._seen = iter([])

    around(patch, ReferenceBrowser, "get_enumeration", get_enumeration)
    around(patch, ReferenceBrowser, "close", close)
