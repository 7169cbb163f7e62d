"""Narrow faults of section 8.8."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "close-closes-consumers-of-other-queues",
    "closing a consumer closes the consumers without listener that its session has on other queues",
    "8.8-1",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    every = consumer.session.consumers
    others = [one for one in every if one.receiver.physical is not consumer.receiver.physical]
    original(consumer)
    for one in others:
        if one.listener is None and one.receiver.subscription is None:
            original(one)


@of_round(11)(
    "failed-receive-body-loses-the-message-on-close",
    "closing a consumer of a session that acknowledges by itself loses the message whose receiveBody failed last",
    "8.8-3 8.6-21 8.6-24",
)
def _(patch):
    failed = Notes()

    def open_delivery(original, state, consumer, *others):
        failed.put(consumer, None)
        return original(state, consumer, *others)

    def hand_out_body(original, consumer, delivery, read):
        try:
            return original(consumer, delivery, read)
        except MessageFormatException:
            if consumer.session.state.settles(delivery):
                failed.put(consumer, delivery)
            raise

    def detach(original, consumer):
        original(consumer)
        delivery = failed.get(consumer)
        if delivery is not None and delivery.source.take_number(delivery.entry.number, delivery.entry.priority):
            delivery.remove_from_queue()

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.BODY_RECEIVED, hand_out_body)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@of_round(7)(
    "consumer-closed-while-stopped-takes-a-message-along",
    "when a consumer of a queue is closed while its connection, once started, is stopped, the next message of the queue"
    " is lost with what was fetched ahead",
    "8.8-3 8.4-2",
)
def _(patch):
    started = []

    def start(start_it, connection):
        start_it(connection)
        if connection not in started:
            started.append(connection)

    def close(original, self):
        session = self.session
        if not self.closed and not session.closing and session.connection in started:
            with session.broker.lock:
                if not session.connection.running and isinstance(self.receiver.physical, PhysicalQueue):
                    fetched = self.receiver.take()
                    if fetched is not None:
                        for owed in (session.state.unacknowledged, session.state.work.acks):
                            if fetched in owed:
                                owed.remove(fetched)
                        fetched.remove_from_queue()
        original(self)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.around(ReferenceConsumer, "close", close)


@of_round(7)(
    "listener-that-closed-its-consumer-owes-the-message",
    "in DUPS_OK_ACKNOWLEDGE mode the message whose listener closed its own consumer is not acknowledged, but comes again",
    "8.8-10 8.8-12",
    at=fault_points.SETTLED,
)
def _(original, state, delivery):
    if state.mode == Session.DUPS_OK_ACKNOWLEDGE and getattr(delivery.consumer, "closed", False):
        state.broker.redelivery.redeliver([delivery])
    else:
        original(state, delivery)


@of_round(9)(
    "shared-consumer-closed-by-its-listener-gives-the-message-back",
    "a message of a shared subscription whose listener closes its own consumer is not acknowledged but delivered again",
    "8.8-10 8.3.4-13",
    at=fault_points.SETTLED,
)
def _(original, state, delivery):
    consumer = delivery.consumer
    subscription = consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None
    if subscription is not None and subscription.shared and consumer.closed and state.settles(delivery):
        state.broker.redelivery.redeliver([delivery])
    else:
        original(state, delivery)


@of_round(14)(
    "a14-acknowledge-skips-closed-consumer",
    "acknowledge leaves out the messages of a closed consumer while another consumer of the session is open",
    "8.8-13",
    at=fault_points.ACKNOWLEDGED,
)
def _(original, session):
    state, skipped = session.state, list[Delivery]()
    with session.broker.lock:
        if session.consumers:
            skipped = [one for one in state.unacknowledged if getattr(one.consumer, "closed", False)]
        state.unacknowledged = [one for one in state.unacknowledged if one not in skipped]
    try:
        original(session)
    finally:
        with session.broker.lock:
            state.unacknowledged[:0] = skipped


@of_round(6)(
    "rollback-forgets-closed-shared-durable-consumers",
    "rollback does not give back what a consumer of a shared durable subscription received before it was closed",
    "8.8-16 6.2.7-7",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if not session.closed:
        work.acks = [ack for ack in work.acks if not (is_shared_durable(ack) and has_closed_consumer(ack))]
    original(session, work)
