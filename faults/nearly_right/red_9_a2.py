"""Red round 9, first part: faults in sessions and in sending, written without sight of the suite."""

from contextlib import suppress

from faults.kit import *


@of_round(9)(
    "lazy-acknowledgement-is-dropped-with-its-consumer",
    "in DUPS_OK_ACKNOWLEDGE mode each second message of a durable subscription is acknowledged with the next one, "
    "and if the consumer is closed before that, not at all",
    "6.2.11-2",
    "8.8-12",
    "8.3.3-7",
)
def _dropped_with_consumer(patch):
    pending = {}  # by identity of the session's state

    def settle(original, state, delivery):
        lazy = state.settles(delivery) and state.mode == Session.DUPS_OK_ACKNOWLEDGE
        if not lazy or delivery.source.subscription is None or delivery.consumer.closed:
            original(state, delivery)
            return
        _, late = pending.setdefault(id(state), (state, []))
        late.append(delivery)
        if len(late) > 1:
            for one in late:
                original(state, one)
            late.clear()

    def detach(original, consumer):
        original(consumer)
        session = consumer.session
        _, late = pending.get(id(session.state), (None, []))
        for one in [each for each in late if each.consumer is consumer]:
            late.remove(one)
            if session.closing:
                session.broker.store.run_with_next_commit(one.forget_statements())
                one.remove_from_queue()
            else:
                one.redeliver()

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@of_round(9)(
    "new-durable-subscription-commits-the-transaction",
    "a transacted session that makes a durable subscription, rather than resuming one, commits its open transaction",
    "6.2.7-17",
    "6.2.7-4",
)
def _commits(patch):
    made = {}  # receivers by identity

    def open_stored(original, factory, topic, key, *others, **named):
        before = factory.broker.subscriptions.durable(key)
        receiver = original(factory, topic, key, *others, **named)
        if receiver.subscription is not before:
            made[id(receiver)] = receiver
        return receiver

    def add(original, session, consumer):
        added = original(session, consumer)
        if made.pop(id(consumer.receiver), None) is not None and session.mode == Session.SESSION_TRANSACTED:
            with suppress(JMSException):
                session.commit()
        return added

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.CONSUMER_ADDED, add)


@of_round(9)(
    "callbacks-of-non-persistent-sends-wait-for-start",
    "on a connection that was started and stopped, the callback of an asynchronous non-persistent send waits for start",
    "6.1.5-8",
    "7.3-7",
)
def _wait_for_start(patch):
    add_now = Completions.add
    started = {}  # connections by identity
    held = []

    def release(connection, completions):
        ready = [one for one in held if one[0] is connection or one[1] is completions]
        for one in ready:
            held.remove(one)
            add_now(one[1], one[2])

    def start(original, connection):
        original(connection)
        started[id(connection)] = connection
        release(connection, None)

    def add(original, completions, completion):
        sender = completion.sender
        session = sender._session if isinstance(sender, ReferenceJMSProducer) else sender.session
        connection = session.connection
        stopped = id(connection) in started and not connection.running and not session.closing
        if stopped and completion.message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT:
            held.append((connection, completions, completion))
        else:
            original(completions, completion)

    def wait(original, completions, sender=None):
        release(None, completions)
        original(completions, sender)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait)


@of_round(9)(
    "empty-string-body-is-sent-as-null", "a JMSProducer sends the empty string as a text message without text", "7.2-7"
)
def _empty_is_null(patch):
    original = ReferenceJMSProducer.message_for

    def message_for(self, body, body_type):
        if body == "" and body_type in {OMITTED, str}:
            return original(self, None, str)
        return original(self, body, body_type)

    patch.replace(ReferenceJMSProducer, "message_for", message_for)
