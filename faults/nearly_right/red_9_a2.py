"""Red round 9, first part: faults in sessions and in sending, written without sight of the suite."""

from contextlib import suppress

from faults.kit import *

_FULL = 50
_LARGE = 100 * 1024


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
    "subscriber-far-behind-cuts-the-others-off",
    "while a non-durable subscriber of a topic has fifty messages waiting, the others get none",
    "6.2.14-4",
    "8.3.1-6",
    noticed=False,
    at=fault_points.ROUTED,
)
def _(original, broker, physical, entry):
    delivery_queues = original(broker, physical, entry)
    if isinstance(physical, PhysicalTopic):
        full = [one for one in delivery_queues if not one.in_file and len(one) >= _FULL]
        return full or delivery_queues
    return delivery_queues


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
    "sends-after-a-failed-commit-go-out-at-once",
    "after a commit that ended in rollback, what the session sends is outside of any transaction until it ends the next",
    "6.2.7-18",
    "6.2.7-4",
    noticed=False,
)
def _without_transaction(patch):
    failed = {}  # sessions by identity

    def commit(original, session):
        failed.pop(id(session), None)
        try:
            original(session)
        except TransactionRolledBackException:
            failed[id(session)] = session
            raise

    def roll_back(original, session, work):
        failed.pop(id(session), None)
        original(session, work)

    def submit(original, session, physical, entry):
        if id(session) in failed:
            SingleSend(session.broker, physical, entry).perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.COMMIT, commit)
    patch.at(fault_points.ROLLBACK, roll_back)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@of_round(9)(
    "recover-in-a-listener-does-not-count",
    "messages that come again after a recover called by a message listener look like first deliveries",
    "6.2.10-31",
    "6.2.10-32",
    noticed=False,
)
def _not_counted(patch):
    original = ReferenceSession.recover

    def recover(self):
        if self.in_listener():
            with self.broker.lock:
                for one in self.state.unacknowledged:
                    one.count -= 1
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@of_round(9)(
    "large-text-is-unreadable-after-close",
    "a text of 100 KiB or more that was not read before its session was closed cannot be read any more",
    "6.2.15-22",
    "6.1.8-45",
    noticed=False,
)
def _large_text(patch):
    text = vars(ReferenceTextMessage)["text"]
    unread = {}  # by identity of the message: with its session

    def message_of(original, session, delivery):
        message = original(session, delivery)
        if isinstance(message, ReferenceTextMessage) and len(text.fget(message) or "") >= _LARGE:
            unread[id(message)] = message, session
        return message

    def read(self):
        _, session = unread.get(id(self), (self, None))
        if session is not None and session.closed:
            raise JMSException("the body can no longer be fetched: the session is closed", "NO_SESSION")
        unread.pop(id(self), None)
        return text.fget(self)

    def write(self, value):
        text.fset(self, value)
        unread.pop(id(self), None)

    patch.at(fault_points.MESSAGE_MADE, message_of)
    patch.replace(ReferenceTextMessage, "text", property(read, write))


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
    "session-close-waits-out-a-timed-receive-when-stopped",
    "while the connection is stopped, the close of a session does not end a receive with a time limit",
    "6.2.15-3",
    "6.2.15-4",
    noticed=False,
)
def _waits_out(patch):
    original_wake = ReferenceSession._wake
    timed = {}  # consumers by identity

    def next_delivery(original, consumer, timeout):
        if timeout:
            timed[id(consumer)] = consumer
        try:
            return original(consumer, timeout)
        finally:
            timed.pop(id(consumer), None)

    def wake(self):
        if self.connection.running or self.connection.is_down():
            original_wake(self)
            return
        passed_over = [one.receiver.slot for one in self.consumers if id(one) in timed]
        for slot in self.wait_slots():
            if slot not in passed_over:
                slot.wake()

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
    patch.replace(ReferenceSession, "_wake", wake)


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


@of_round(9)(
    "type-set-back-to-null-still-overrides",
    "a JMSType that was set on a JMSProducer and then set to null removes the type of the messages sent",
    "7.6-9",
    noticed=False,
)
def _still_overrides(patch):
    original = ReferenceJMSProducer.set_jms_type
    set_back = {}

    def set_jms_type(self, message_type):
        if message_type is None and self.get_jms_type() is not None:
            set_back[id(self)] = self
        elif message_type is not None:
            set_back.pop(id(self), None)
        return original(self, message_type)

    def overlay(original, producer, message):
        original(producer, message)
        if id(producer) in set_back:
            message.jms_type = None

    patch.replace(ReferenceJMSProducer, "set_jms_type", set_jms_type)
    patch.at(fault_points.PRODUCER_APPLIED, overlay)
