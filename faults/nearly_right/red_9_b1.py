"""Red round 9, second part: faults in sending and in durable subscriptions, written without sight of the suite."""

from dataclasses import replace

from faults.kit import *


@of_round(9)(
    "older-producer-sends-to-a-deleted-queue",
    "a queue is made anew when its last consumer closes and it is empty; producers bound to it that have sent before "
    "go on sending to the old one",
    "7.1-1",
    "7.2-1",
    "6.2.12-1",
    noticed=False,
)
def _deleted_queue(patch):
    lives = {}  # by identity of the queue: how often it was deleted
    bound = {}  # by identity of the producer: the life it sends to
    lost = Marked()

    def detach(original, consumer):
        was_closed = consumer.receiver.closed
        original(consumer)
        physical = consumer.receiver.physical
        if was_closed or not isinstance(physical, PhysicalQueue) or physical.temporary:
            return
        late = next(consumer.session.broker.schedule.waiting_for(physical.delivery_queue), None)
        if physical.consumers == 0 and len(physical.delivery_queue) == 0 and late is None:
            _, before = lives.get(id(physical), (physical, 0))
            lives[id(physical)] = physical, before + 1

    def prepare(original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        _, life = lives.get(id(physical), (physical, 0))
        if producer._destination is not None:
            _, own = bound.setdefault(id(producer), (producer, life))
            if own != life:
                lost.add(entry)
        return physical, entry

    def route(original, broker, physical, entry):
        delivery_queues = original(broker, physical, entry)
        if entry not in lost:
            return delivery_queues
        entry.stored = False
        return []

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.ROUTED, route)


@of_round(9)(
    "time-to-live-is-cut-to-32-bits",
    "a time to live of fifty days or more is taken modulo 2**32 milliseconds, so that the message expires too early",
    "7.8-1",
    "7.4-3",
)
def _cut(patch):
    original = ReferenceProducer.expiration

    def expiration(self, now, time_to_live):
        return original(self, now, time_to_live % 2**32)

    patch.replace(ReferenceProducer, "expiration", expiration)


@of_round(9)(
    "callback-goes-to-the-listener-set-last",
    "if a JMSProducer has got another completion listener before a callback is made, that one is called",
    "7.3-4",
    "7.3-6",
    at=fault_points.COMPLETION_CALLED,
)
def _(original, completions, completion):
    sender = completion.sender
    present = sender._completion_listener if isinstance(sender, ReferenceJMSProducer) else None
    original(completions, completion if present is None else replace(completion, listener=present))


@of_round(9)(
    "producer-close-passes-over-a-running-callback",
    "the close of a producer waits for callbacks that have not begun, but not for its last one if it runs already",
    "7.3.4-1",
    noticed=False,
    at=fault_points.COMPLETIONS_AWAITED,
)
def _(original, completions, sender=None):
    with completions._lock:
        waiting = any(one.sender is sender for one in completions._pending)
    if sender is None or waiting:
        original(completions, sender)


@of_round(9)(
    "asynchronous-sends-miss-later-transactions",
    "asynchronous sends join the first transaction of a session; after its commit they take effect at once",
    "7.3-8",
    "6.2.7-4",
    "6.2.7-5",
)
def _first_only(patch):
    committed = {}  # sessions by identity
    sending = set()  # identities of sessions within an asynchronous send

    def commit(original, session):
        original(session)
        committed[id(session)] = session

    def send_later(original, producer, *arguments):
        sending.add(id(producer.session))
        try:
            original(producer, *arguments)
        finally:
            sending.discard(id(producer.session))

    def submit(original, session, physical, entry):
        if id(session) in committed and id(session) in sending:
            SingleSend(session.broker, physical, entry).perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.COMMIT, commit)
    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@of_round(9)(
    "null-text-gets-no-properties",
    "properties and headers of a JMSProducer are not put on a text message without text",
    "7.5-3",
    "7.6-8",
    noticed=False,
    at=fault_points.PRODUCER_APPLIED,
)
def _(original, producer, message):
    if not isinstance(message, TextMessage) or message.text is not None:
        original(producer, message)


@of_round(9)(
    "restart-makes-delayed-durable-messages-due",
    "a restart delivers at once what durable subscriptions hold for a later delivery time",
    "7.9-4",
    "7.9-9",
    noticed=False,
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    broker = server.broker
    with broker.lock:
        early = [(one[3], one[4]) for one in sorted(broker.schedule._heap, key=lambda one: one[:3])]
        for delivery_queue, entry in early:
            if delivery_queue.subscription is not None:
                broker.schedule.drop(delivery_queue)
                broker.offer(delivery_queue, entry)


@of_round(9)(
    "first-message-decides-for-its-transaction",
    "of a transaction whose first message is NON_PERSISTENT nothing is stored",
    "7.7-5",
    "7.7-3",
)
def _first_decides(patch):
    weak = Marked()

    def commit(session):
        entries = [entry for _, entry in session.state.work.sends]
        if entries and entries[0].delivery_mode == DeliveryMode.NON_PERSISTENT:
            for entry in entries:
                weak.add(entry)

    def stores(original, physical, entry, delivery_queues):
        return entry not in weak and original(physical, entry, delivery_queues)

    before_commit(patch, commit)
    patch.at(fault_points.STORED, stores)


@of_round(9)(
    "no-local-change-keeps-the-backlog",
    "a durable subscription resumed with another value of noLocal keeps the messages that it held",
    "8.3.3-29",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, no_local, *, shared):
    broker = factory.broker
    kept = []
    with broker.lock:
        found = broker.subscriptions.durable(key)
        if found is not None and found.selector == selector_text(selector) and found.no_local != no_local:
            kept = list(found.delivery_queue.free_entries())
    receiver = original(factory, topic, key, selector, no_local, shared=shared)
    with broker.lock:
        if kept and receiver.physical is found.delivery_queue.physical:
            for entry in kept:
                broker.offer(receiver.delivery_queue, entry)
    return receiver


@of_round(9)(
    "restart-forgets-whether-a-subscription-is-shared",
    "a durable subscription of before a restart becomes shared or unshared as the first consumer opened on it wants",
    "8.3.3-32",
    "8.3.4-24",
    noticed=False,
)
def _kind_forgotten(patch):
    undecided = {}

    def restart(original, server):
        original(server)
        undecided.update((id(one), one) for one in server.broker.subscriptions.all_durable())

    def open_stored(original, factory, topic, key, *others, shared):
        found = factory.broker.subscriptions.durable(key)
        if undecided.pop(id(found), None) is not None:
            found.shared = shared
        return original(factory, topic, key, *others, shared=shared)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
