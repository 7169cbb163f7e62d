"""Red round 9, second part: faults in sending and in durable subscriptions, written without sight of the suite."""

from dataclasses import replace

from faults.kit import *


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
