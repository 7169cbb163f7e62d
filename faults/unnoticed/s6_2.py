"""Faults of section 6.2 that no case notices yet."""

from contextlib import suppress

from faults.kit import *
from faults.kit.witnessing import *


def _temporary(provider):
    with context_of(provider, TRANSACTED) as context:
        queue = context.create_temporary_queue()
        context.rollback()
        sent = refusal(lambda: context.create_producer().send(queue, "one"))
        context.commit()
        return sent


@of_round(9)(
    "rollback-deletes-new-temporary-destinations",
    "rollback also deletes the temporary destinations that the session has created in the transaction",
    "6.2.2-2",
    witness=_temporary,
    expected=None,
)
def _(patch):
    made = {}  # by identity of the session

    def noting(name):
        original = getattr(ReferenceSession, name)

        def create(session):
            destination = original(session)
            if session.mode == Session.SESSION_TRANSACTED:
                made.setdefault(id(session), []).append(destination_of(destination.kind, destination.name))
            return destination

        patch.replace(ReferenceSession, name, create)

    def roll_back(original, session, work):
        original(session, work)
        temporaries = session.connection.temporaries
        for destination in made.pop(id(session), []):
            with suppress(JMSException):  # in use
                if not session.closing:
                    temporaries.delete(destination)

    def keep(session):
        made.pop(id(session), None)

    noting("create_temporary_queue")
    noting("create_temporary_topic")
    before_commit(patch, keep)
    patch.at(fault_points.ROLLBACK, roll_back)


def _delayed_escapes_rollback(provider):
    queue, later, context = provider.create_queue("q"), provider.create_queue("l"), context_of(provider, TRANSACTED)
    send_texts(context_of(provider), queue, "a")
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.create_producer().set_delivery_delay(100).send(later, "b")
    context.rollback()
    return context_of(provider).create_consumer(later).receive(1000)


@of_round(14)(
    "fourteen-b-delayed-escapes-rollback",
    "A rollback of a transaction that has received something does not destroy what it sent with a delivery delay.",
    "6.2.7-5 6.2.7-12",
    witness=_delayed_escapes_rollback,
    expected=None,
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if work.acks and not session.closing and session.connection.lost is None:
        for physical, entry in work.sends:
            if entry.timestamp and entry.delivery_time > entry.timestamp:
                SingleSend(session.broker, physical, entry).perform()
    original(session, work)


def _after_failed_commit(provider):
    queue = provider.create_queue("red")
    with context_of(provider, TRANSACTED) as context, context_of(provider) as other:
        provider.administer("fail-next-commit", connection=context)
        failed = refusal(context.commit)
        context.create_producer().send(queue, "one")
        return failed, texts_of(other.create_consumer(queue))


@of_round(9)(
    "sends-after-a-failed-commit-go-out-at-once",
    "after a commit that ended in rollback, what the session sends is outside of any transaction until it ends the next",
    "6.2.7-18 6.2.7-4",
    witness=_after_failed_commit,
    expected=("TransactionRolledBackRuntimeException", []),
)
def _(patch):
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


def _backlog_second_first(provider):
    topic, context = provider.create_topic("t"), context_of(provider, client_id="me")
    context.create_durable_consumer(topic, "s", "n = 1", False).close()
    send_texts(context, topic, "a", "b", "c", n=1)
    return texts_of(context.create_durable_consumer(topic, "s", "n = 1", False))


@of_round(14)(
    "fourteen-b-backlog-second-first",
    "A durable subscription with a selector that is resumed delivers the second message of its backlog before the first.",
    "6.2.9.1-4 8.3.3-5 8.3.4-11",
    witness=_backlog_second_first,
    expected=["a", "b", "c"],
)
def _(patch):
    resumed = set()

    def open_stored(original, *arguments, **named):
        receiver = original(*arguments, **named)
        if receiver.selector and len(receiver.delivery_queue) > 1:
            resumed.add(receiver)
        return receiver

    def take(original, queue, taker):
        first = original(queue, taker)
        if first is None or taker not in resumed:
            return first
        resumed.discard(taker)
        second = original(queue, taker)
        swapped = second is not None and second.priority == first.priority
        if second is not None:
            back = first if swapped else second
            queue.level(back.priority).put_back(back.number)
        return second if swapped else first

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.around(DeliveryQueue, "take", take)


def _after_restart(provider):
    topic = provider.create_topic("red")
    with context_of(provider, client_id="red") as context:
        context.create_durable_consumer(topic, "red").close()
        for text in "12":
            context.create_producer().send(topic, text)
    provider.restart()
    with context_of(provider, client_id="red") as context:
        consumer = context.create_durable_consumer(topic, "red")
        context.create_producer().send(topic, "3")
        return texts_of(consumer)


@of_round(8)(
    "durable-backlog-of-before-a-restart-comes-last",
    "a durable subscription delivers what is published after a restart before what it held from the time before",
    "6.2.9.1-4 4.2.2-12",
    witness=_after_restart,
    expected=["1", "2", "3"],
)
def _(patch):
    recovered = {}  # by identity of the queue: its largest number of before

    def load(load_order, self, number, priority, deliveries):
        load_order(self, number, priority, deliveries)
        if self.subscription is not None:
            recovered[id(self)] = self, number

    def take(original, receiver):
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

    patch.around(DeliveryQueue, "load_order", load)
    patch.at(fault_points.MESSAGE_TAKEN, take)


def _recover_one_per_group(provider):
    queue, context = provider.create_queue("q"), context_of(provider, CLIENT)
    send_texts(context, queue, "a", "b", JMSXGroupID="g")
    consumer = context.create_consumer(queue)
    first = texts_of(consumer)
    context.recover()
    return first, texts_of(consumer)


@of_round(14)(
    "fourteen-b-recover-one-per-group",
    "recover brings back only the first unacknowledged queue message of each JMSXGroupID.",
    "6.2.10-20 6.2.10-23",
    witness=_recover_one_per_group,
    expected=(["a", "b"], ["a", "b"]),
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    state = session.state
    seen = set()
    kept = []
    with session.broker.lock:
        for one in state.unacknowledged if session.mode == Session.CLIENT_ACKNOWLEDGE else []:
            group = one.entry.snapshot.properties.get("JMSXGroupID")
            if group is not None and isinstance(one.source.physical, PhysicalQueue):
                kept += [one] if group in seen else []
                seen.add(group)
        state.unacknowledged = [one for one in state.unacknowledged if one not in kept]
    original(session)
    with session.broker.lock:
        state.unacknowledged[:0] = kept


def _recovered(provider):
    queue, done = provider.create_queue("red"), provider.clock.event()
    seen = []
    with context_of(provider, CLIENT) as context:

        def look(message):
            seen.append((message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")))
            if len(seen) == 1:
                context.recover()
            else:
                message.acknowledge()
                done.set()

        context.create_producer().send(queue, "one")
        context.create_consumer(queue).message_listener = Listening(look)
        done.wait(1000)
    return seen


@of_round(9)(
    "recover-in-a-listener-does-not-count",
    "messages that come again after a recover called by a message listener look like first deliveries",
    "6.2.10-31 6.2.10-32",
    witness=_recovered,
    expected=[(False, 1), (True, 2)],
    around=(ReferenceSession, "recover"),
)
def _(original, self):
    if self.in_listener():
        with self.broker.lock:
            for one in self.state.unacknowledged:
                one.count -= 1
    original(self)


_FULL = 50


def _beside_an_idle_one(provider):
    topic = provider.create_topic("red")
    with context_of(provider) as context:
        context.create_consumer(topic)
        reading = context.create_consumer(topic)
        count = 0
        for number in range(60):
            context.create_producer().send(topic, str(number))
            count += len(texts_of(reading))
        return count


@of_round(9)(
    "subscriber-far-behind-cuts-the-others-off",
    "while a non-durable subscriber of a topic has fifty messages waiting, the others get none",
    "6.2.14-4 8.3.1-6",
    witness=_beside_an_idle_one,
    expected=60,
    at=fault_points.ROUTED,
)
def _(original, broker, physical, entry):
    delivery_queues = original(broker, physical, entry)
    if isinstance(physical, PhysicalTopic):
        full = [one for one in delivery_queues if not one.in_file and len(one) >= _FULL]
        return full or delivery_queues
    return delivery_queues
