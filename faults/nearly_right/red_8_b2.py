"""Red round 8, second part: faults in connections, sending and receiving, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.transactions import Work
from reference_provider.client.completions import Completion
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.simplified import ReferenceJMSProducer
from tck.api import InvalidDestinationException, Session, TemporaryQueue, TemporaryTopic


@nearly_right(
    "delayed-sends-outlive-the-rollback",
    "rollback drops what the transaction has sent, except messages with a delivery delay",
    "6.2.7-5",
    "6.2.7-4",
)
def _delayed_outlive(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: Any, work: Work) -> None:
        original(session, work)
        now = session.broker.clock.now()
        left = Work(session.broker)
        left.sends = [(physical, entry) for physical, entry in work.sends if entry.delivery_time > now]
        if not session.closing:
            left.perform()

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "durable-backlog-of-before-a-restart-comes-last",
    "a durable subscription delivers what is published after a restart before what it held from the time before",
    "6.2.9.1-4",
    "4.2.2-12",
    noticed=False,
)
def _backlog_last(patch: Patch) -> None:
    load_order = DeliveryQueue.load_order
    recovered: dict[int, tuple[DeliveryQueue, int]] = {}  # by identity of the queue: its largest number of before

    def load(self: Any, number: int, priority: int, deliveries: int) -> None:
        load_order(self, number, priority, deliveries)
        if self.subscription is not None:
            recovered[id(self)] = self, number

    def take(original: Callable[..., Any], receiver: Any) -> Any:
        queue = receiver.delivery_queue
        _, last = recovered.get(id(queue), (queue, None))
        if last is not None:
            for _, level in queue._by_urgency:
                for number in level.free_after(last, 1):
                    entry = queue.entry(number, level)
                    if entry is not None and not queue._owner.is_expired(entry) and level.take_number(number):
                        return receiver.deliver(queue, entry)
                if next(level.free(), None) is not None:
                    break  # older messages of this priority only
        return original(receiver)

    patch.replace(DeliveryQueue, "load_order", load)
    patch.at(fault_points.MESSAGE_TAKEN, take)


@nearly_right(
    "acknowledge-on-a-stopped-connection-is-lost",
    "acknowledge has no effect while the connection is stopped: the messages come again",
    "6.2.10-7",
    "6.2.10-8",
    "6.2.10-14",
)
def _acknowledge_while_stopped(patch: Patch) -> None:
    def acknowledge_all(original: Callable[..., None], session: Any) -> None:
        connection = session.connection
        if connection.running or connection.is_down():
            original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@nearly_right(
    "closed-producer-takes-its-uncommitted-sends-along",
    "the close of a producer drops what it has sent in the open transaction, and commit does not bring it",
    "6.2.7-3",
    "6.2.7-11",
)
def _uncommitted_dropped(patch: Patch) -> None:
    original_close = ReferenceProducer.close
    senders: dict[int, tuple[Any, ReferenceProducer]] = {}

    def prepare(original: Callable[..., Any], producer: ReferenceProducer, *arguments: Any) -> Any:
        physical, entry = original(producer, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            senders[id(entry)] = entry, producer
        return physical, entry

    def close(self: ReferenceProducer) -> None:
        original_close(self)
        work = self.session.state.work
        work.sends = [one for one in work.sends if senders.get(id(one[1]), (None, None))[1] is not self]

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.replace(ReferenceProducer, "close", close)


@nearly_right(
    "temporary-queues-are-consumed-outside-the-transaction",
    "a message that a transacted session receives from a temporary queue is gone at once: rollback does not return it",
    "6.2.7-6",
    "8.5-8",
)
def _temporary_at_once(patch: Patch) -> None:
    def open_delivery(original: Callable[..., Any], state: Any, consumer: Any, queue: Any, entry: Any) -> Any:
        delivery = original(state, consumer, queue, entry)
        if queue.physical.temporary and queue.physical.destination.kind == "temporary-queue" and delivery.transaction:
            state.work.acks.remove(delivery)
            delivery.held = False
            delivery.remove_from_queue()
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@nearly_right(
    "shared-durable-without-client-id-is-not-found-after-a-restart",
    "after a restart a shared durable subscription that was made without client identifier is another one, and empty",
    "8.3.4-8",
    "8.3.4-4",
    "4.2.2-22",
)
def _null_client_id(patch: Patch) -> None:
    def restart(original: Callable[..., None], server: Any) -> None:
        original(server)
        subscriptions = server.broker.subscriptions
        with server.broker.lock:
            for subscription in subscriptions.all_durable():
                client_id, name = subscription.key
                if client_id is None:
                    subscriptions._durable[("", name)] = subscriptions._durable.pop((None, name))
                    subscription.key = ("", name)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)


@nearly_right(
    "receive-waits-anew-after-start",
    "the time limit of a receive begins anew when its connection is stopped and started again during the call",
    "6.1.5-13",
    "8.5-5",
    noticed=False,
)
def _waits_anew(patch: Patch) -> None:
    started: dict[int, tuple[Any, int]] = {}  # by identity of the connection: when it was started again

    def start(original: Callable[..., None], connection: Any) -> None:
        if not connection.running:
            started[id(connection)] = connection, connection.broker.clock.now()
        original(connection)

    def next_delivery(original: Callable[..., Any], consumer: Any, timeout: int | None) -> Any:
        connection = consumer.session.connection
        began = connection.broker.clock.now()
        delivery = original(consumer, timeout)
        _, again = started.get(id(connection), (connection, began))
        while delivery is None and timeout and again > began:
            began, rest = again, again + timeout - connection.broker.clock.now()
            delivery = original(consumer, rest) if rest > 0 else None
            _, again = started.get(id(connection), (connection, began))
        return delivery

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@nearly_right(
    "clear-properties-of-a-producer-clears-its-headers",
    "clearProperties of a JMSProducer also forgets the JMSType, JMSCorrelationID and JMSReplyTo set on it",
    "7.6-10",
    "7.6-8",
    "7.5-7",
)
def _headers_cleared(patch: Patch) -> None:
    original = ReferenceJMSProducer.clear_properties

    def clear_properties(self: ReferenceJMSProducer) -> Any:
        self.set_jms_type(None).set_jms_correlation_id(None).set_jms_reply_to(None)
        return original(self)

    patch.replace(ReferenceJMSProducer, "clear_properties", clear_properties)


@nearly_right(
    "deleted-destination-is-reported-twice",
    "an asynchronous send to a deleted temporary destination throws, and onException is called as well",
    "7.3.2-2",
)
def _reported_twice(patch: Patch) -> None:
    def send_later(
        original: Callable[..., None],
        producer: ReferenceProducer,
        message: Any,
        destination: Any,
        options: Any,
        listener: Any,
        sender: Any,
    ) -> None:
        try:
            original(producer, message, destination, options, listener, sender)
        except InvalidDestinationException as error:
            if isinstance(destination, TemporaryQueue | TemporaryTopic):
                producer.session.completions.add(Completion(sender, listener, message, error))
            raise

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)


@nearly_right(
    "sends-of-a-callback-get-no-callback",
    "an asynchronous send that a completion callback makes through its own session is never reported",
    "7.3-6",
    "7.3.7-3",
)
def _no_nested_callback(patch: Patch) -> None:
    def add(original: Callable[..., None], completions: Any, completion: Completion) -> None:
        if not completions.is_current_thread():
            original(completions, completion)

    patch.at(fault_points.COMPLETION_QUEUED, add)


@nearly_right(
    "second-listener-waits-for-a-new-message",
    "a listener set while another of its running session has one gets the waiting messages with the next arrival only",
    "8.7-1",
    "6.2.6-5",
    "6.1.4-7",
)
def _waits_for_a_new_one(patch: Patch) -> None:
    deaf: dict[int, Any] = {}  # receivers by identity

    def add(original: Callable[..., None], dispatcher: Any, consumer: Any) -> None:
        others = [one for one in dispatcher.consumers if one is not consumer]
        if others and dispatcher.session.may_deliver():
            deaf[id(consumer.receiver)] = consumer.receiver
        original(dispatcher, consumer)

    def take(original: Callable[..., Any], receiver: Any) -> Any:
        return None if id(receiver) in deaf else original(receiver)

    def offer(original: Callable[..., None], broker: Any, delivery_queue: Any, entry: Any) -> None:
        for receiver in list(deaf.values()):
            if receiver.delivery_queue is delivery_queue:
                del deaf[id(receiver)]
        original(broker, delivery_queue, entry)

    patch.at(fault_points.LISTENER_ADDED, add)
    patch.at(fault_points.MESSAGE_TAKEN, take)
    patch.at(fault_points.OFFERED, offer)


@nearly_right(
    "listener-that-failed-twice-is-called-no-more",
    "where a failed message is not repeated at once, a listener that has raised for two messages running gets no third",
    "8.7-7",
    "8.7-9",
    "8.7-1",
)
def _called_no_more(patch: Patch) -> None:
    failures: dict[int, tuple[Any, int]] = {}  # by identity of the consumer

    def call_listener(original: Callable[..., bool], dispatcher: Any, listener: Any, delivery: Any) -> bool:
        failed = original(dispatcher, listener, delivery)
        consumer = delivery.consumer
        _, before = failures.get(id(consumer), (consumer, 0))
        failures[id(consumer)] = consumer, before + 1 if failed else 0
        if failed and before and not dispatcher.session.state.settles(delivery):
            with dispatcher.session.broker.lock:
                dispatcher.remove(consumer)
        return failed

    patch.at(fault_points.LISTENER_CALLED, call_listener)
