"""Narrow faults of section 6.2 but for transactions and acknowledgment."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "order-under-concurrency",
    "a queue swaps two messages of one sender if another sender's messages arrive between them",
    "6.2.9.1-2",
)
def _(patch):
    arrived = {}

    def admit(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        if not isinstance(delivery_queue.physical, PhysicalQueue):
            return
        free = set(delivery_queue.numbers())
        _, entries = arrived.setdefault(id(delivery_queue), (delivery_queue, []))
        entries[:] = [one for one in entries if one.number in free]
        own = [one for one in entries if one.sender == entry.sender]
        if len(own) == 2 and own[1] is not entries[entries.index(own[0]) + 1] and own[0].priority == own[1].priority:
            first, second = own
            first.number, second.number = second.number, first.number
            delivery_queue._in_memory.update({first.number: first, second.number: second})
        entries.append(entry)

    patch.at(fault_points.ARRIVED, admit)


@of_round(6)(
    "delayed-messages-of-a-transaction-are-reversed",
    "messages sent to one destination in one transaction with the same delay arrive together, the last one first",
    "6.2.9.2-5 6.2.9.2-10",
)
def _(patch):
    delays = {}
    releases = {}

    def prepared(producer, message, entry, options):
        if options.delivery_delay:
            delays[entry] = options.delivery_delay

    def committed(session):
        sends = session.state.work.sends
        groups = {}
        for index, (physical, entry) in enumerate(sends):
            if entry in delays:
                groups.setdefault((physical, delays[entry]), []).append(index)
        for indexes in groups.values():
            together = [sends[index] for index in indexes]
            latest = max(entry.delivery_time for _, entry in together)
            for index, (physical, entry) in zip(indexes, reversed(together), strict=True):
                sends[index] = physical, entry
                releases[entry] = latest

    def add(original, schedule, delivery_queue, entry):
        due, entry.delivery_time = entry.delivery_time, releases.get(entry, entry.delivery_time)
        original(schedule, delivery_queue, entry)
        entry.delivery_time = due

    after_send(patch, prepared)
    before_commit(patch, committed)
    patch.around(Schedule, "add", add)


@nearly_right("large-last", "the large messages of a transaction come last", "6.2.9.2-10")
def _(patch):
    large = {}

    def prepare(original, producer, message, *others):
        physical, entry = original(producer, message, *others)
        if is_large(message):
            large[id(entry)] = entry
        return physical, entry

    def commit(original, session):
        session.state.work.sends.sort(key=lambda sent: id(sent[1]) in large)
        original(session)

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.COMMIT, commit)


@of_round(9)(
    "transaction-is-sent-producer-by-producer",
    "commit sends all messages of one producer, then those of the next, in whatever order the session sent them",
    "6.2.9.2-10 6.2.9.1-2 6.2.9.1-3",
)
@of_round(14)(
    "fourteen-b-commit-by-producer",
    "A commit sends the messages of a transaction producer by producer, not in the order of the sends.",
    "6.2.9.2-10 6.2.9.1-1",
)
def _(patch):
    senders = Senders(patch)

    def commit(session):
        sends = list(session.state.work.sends)
        first = {}
        for position, (_, entry) in enumerate(sends):
            first.setdefault(id(senders.of(entry)), position)
        session.state.work.sends = sorted(sends, key=lambda send: first[id(senders.of(send[1]))])

    before_commit(patch, commit)


@of_round(9)(
    "lazy-acknowledgement-is-dropped-with-its-consumer",
    "in DUPS_OK_ACKNOWLEDGE mode each second message of a durable subscription is acknowledged with the next one, "
    "and if the consumer is closed before that, not at all",
    "6.2.11-2 8.8-12 8.3.3-7",
)
def _(patch):
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


@of_round(7)(
    "acknowledge-is-stored-for-one-destination",
    "if a session has received from two queues or subscriptions, acknowledge is written to the file for the first only:"
    " the messages of the other come again after a restart",
    "6.2.11-4 6.2.10-11 6.2.10-7 6.2.10-8",
    around=(Work, "statements"),
)
def _(original, self):
    if self.sends or not self.acks or any(one.transaction is not None for one in self.acks):
        return original(self)
    first = self.acks[0].source
    return [each for one in self.acks if one.stored and one.source is first for each in one.forget_statements()]


_BATCH = 3


@of_round(6)(
    "listener-acknowledges-durable-messages-in-batches",
    "messages that a listener got from a durable subscription are acknowledged three at a time, so a failure repeats two",
    "6.2.11-5 6.2.10-4",
)
def _(patch):
    held = {}

    def settle(original, state, delivery):
        listened = getattr(delivery.consumer, "listener", None) is not None
        if state.mode != Session.AUTO_ACKNOWLEDGE or delivery.source.subscription is None or not listened:
            original(state, delivery)
            return
        held.setdefault(state, []).append(delivery)
        if len(held[state]) == _BATCH:
            flush(original, state)

    def flush(original, state):
        for delivery in held.pop(state, []):
            original(state, delivery)

    sound = SessionState.settle

    def drop_unfinished(original, session):
        if session.connection.lost is None:
            flush(sound, session.state)
        session.broker.redelivery.redeliver(held.pop(session.state, []))
        original(session)

    def close(original, consumer):
        original(consumer)
        flush(sound, consumer.session.state)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
    patch.around(ReferenceConsumer, "close", close)


@of_round(11)(
    "cut-returns-what-other-connections-hold",
    "when a connection is cut, unacknowledged messages that another connection took from its queues are delivered again",
    "6.2.12-1 4.1.2-4",
    at=fault_points.LINK_LOST,
)
def _(original, connection, why):
    with connection.broker.lock:
        queues = {one.receiver.delivery_queue for session in connection.sessions for one in session.consumers}
    original(connection, why)
    with connection.broker.lock:
        for other in connection.server.connections:
            for session in getattr(other, "sessions", []):
                for delivery in session.state.unacknowledged:
                    if delivery.source in queues:
                        delivery.redeliver()


@nearly_right(
    "session-after-unfinished-work-loses-a-send",
    "the first message of a session is lost that is made after another was closed with unsent messages",
    "6.2.15-1 6.2.7-18 6.2.15-14",
)
def _(patch):
    left = set[object]()
    doomed = set[object]()

    def ended(original, session):
        if session.state.work.sends:
            left.add(session.connection)
        original(session)

    def opened(original, connection, session):
        if connection in left:
            left.discard(connection)
            doomed.add(session)
        return original(connection, session)

    def submitted(original, session, physical, entry):
        if session in doomed:
            doomed.discard(session)
        else:
            original(session, physical, entry)

    patch.at(fault_points.SESSION_ENDED, ended)
    patch.at(fault_points.SESSION_OPENED, opened)
    patch.at(fault_points.SEND_SUBMITTED, submitted)


@nearly_right(
    "session-close-forgets-listener",
    "close of a session that has committed before loses what its listener got in the open transaction",
    "6.2.15-15 6.2.15-16",
)
def _(patch):
    committed = set[ReferenceSession]()

    def commit(original, session):
        original(session)
        committed.add(session)

    def drop(original, session):
        if session in committed and session.dispatcher is not None and alone(session):
            lost, session.state.work.acks = session.state.work.acks, []
            session.state.acknowledge(lost, durable=True)
        original(session)

    patch.at(fault_points.COMMIT, commit)
    patch.at(fault_points.SESSION_ENDED, drop)


@of_round(14)(
    "fourteen-b-close-after-acknowledge",
    "A CLIENT_ACKNOWLEDGE session that has acknowledged once acknowledges its later queue messages when it is closed.",
    "6.2.15-17 6.2.10-6 6.2-12",
)
def _(patch):
    acknowledged = set()

    def acknowledge(original, session):
        original(session)
        acknowledged.add(session)

    def end(original, session):
        if session in acknowledged and alone(session) and session.connection.lost is None:
            state = session.state
            with session.broker.lock:
                done = [one for one in state.unacknowledged if isinstance(one.source.physical, PhysicalQueue)]
                state.unacknowledged = [one for one in state.unacknowledged if one not in done]
            state.acknowledge(done, durable=True)
        acknowledged.discard(session)
        original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge)
    patch.at(fault_points.SESSION_ENDED, end)
