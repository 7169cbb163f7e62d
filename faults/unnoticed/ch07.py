"""Faults of chapter 7 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _sent_again(provider):
    queue = provider.create_queue("red")
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        session = connection.create_session()
        producer = session.create_producer(queue)
        seen = []
        for text in "12":
            producer.send(session.create_text_message(text))
            with session.create_consumer(queue) as consumer:
                seen += texts_of(consumer)
        return seen


@of_round(9)(
    "older-producer-sends-to-a-deleted-queue",
    "a queue is made anew when its last consumer closes and it is empty; producers bound to it that have sent before "
    "go on sending to the old one",
    "7.1-1 7.2-1 6.2.12-1",
    witness=_sent_again,
    expected=["1", "2"],
)
def _(patch):
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


def _close_waits(provider):
    queue, began = provider.create_queue("red"), provider.clock.event()
    order = []

    def callback():
        began.set()
        pause(provider, 100)
        order.append("callback")

    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        with session.create_producer(queue) as producer:
            producer.send(session.create_text_message("one"), completion_listener=Completing(callback))
            began.wait()
        order.append("closed")
    return order


@of_round(9)(
    "producer-close-passes-over-a-running-callback",
    "the close of a producer waits for callbacks that have not begun, but not for its last one if it runs already",
    "7.3.4-1",
    witness=_close_waits,
    expected=["callback", "closed"],
    at=fault_points.COMPLETIONS_AWAITED,
)
def _(original, completions, sender=None):
    with completions._lock:
        waiting = any(one.sender is sender for one in completions._pending)
    if sender is None or waiting:
        original(completions, sender)


def _null_text(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        context.create_producer().set_property("a", 1).send(queue, None, body_type=str)
        return context.create_consumer(queue).receive_no_wait().property_exists("a")


@of_round(9)(
    "null-text-gets-no-properties",
    "properties and headers of a JMSProducer are not put on a text message without text",
    "7.5-3 7.6-8",
    witness=_null_text,
    expected=True,
    at=fault_points.PRODUCER_APPLIED,
)
def _(original, producer, message):
    if not isinstance(message, TextMessage) or message.text is not None:
        original(producer, message)


def _properties_once_for_maps(provider):
    queue, context = provider.create_queue("q"), context_of(provider)
    producer = context.create_producer().set_property("n", "x").set_async(Completing())
    producer.send(queue, {"k": "v"})
    producer.send(queue, {"k": "w"})
    consumer = context.create_consumer(queue)
    return [consumer.receive_no_wait().get_string_property("n") for _ in range(2)]


@of_round(14)(
    "fourteen-b-properties-once-for-maps",
    "A JMSProducer forgets its properties after an asynchronous send of a map.",
    "7.5-6 7.5-3",
    witness=_properties_once_for_maps,
    expected=["x", "x"],
    around=(ReferenceJMSProducer, "send"),
)
def _(original, producer, destination, body, **named):
    original(producer, destination, body, **named)
    if producer._completion_listener is not None and isinstance(body, dict):
        producer.clear_properties()
    return producer


def _old_reply_wins(provider):
    queue, old, new = (provider.create_queue(name) for name in ("q", "old", "new"))
    context = context_of(provider)
    message = context.create_text_message("a")
    message.jms_reply_to = old
    context.create_producer().send(queue, message)
    context.create_producer().set_jms_reply_to(new).send(queue, message)
    consumer = context.create_consumer(queue)
    return consumer.receive_no_wait().jms_reply_to == old, consumer.receive_no_wait().jms_reply_to == new


@of_round(14)(
    "fourteen-b-old-reply-wins",
    "A message that was sent before keeps its JMSReplyTo, whatever the JMSProducer prescribes.",
    "7.6-4",
    witness=_old_reply_wins,
    expected=(True, True),
    at=fault_points.PRODUCER_APPLIED,
)
def _(original, producer, message):
    old = message.jms_reply_to if message.jms_message_id is not None else None
    original(producer, message)
    if old is not None:
        message.jms_reply_to = old


def _own_type(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        message = context.create_text_message("one")
        message.jms_type = "own"
        context.create_producer().set_jms_type("other").set_jms_type(None).send(queue, message)
        return context.create_consumer(queue).receive_no_wait().jms_type


@of_round(9)(
    "type-set-back-to-null-still-overrides",
    "a JMSType that was set on a JMSProducer and then set to null removes the type of the messages sent",
    "7.6-9",
    witness=_own_type,
    expected="own",
)
def _(patch):
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


def _mode_of_the_last(provider):
    queue, context = provider.create_queue("q"), context_of(provider, TRANSACTED)
    producer = context.create_producer().send(queue, "a")
    producer.set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(queue, "b")
    context.commit()
    provider.kill()
    return "a" in texts_of(context_of(provider).create_consumer(queue))


@of_round(14)(
    "fourteen-b-mode-of-the-last",
    "A transaction whose last message is NON_PERSISTENT stores none of its PERSISTENT messages.",
    "7.7-5 7.7-3",
    witness=_mode_of_the_last,
    expected=True,
)
def _(patch):
    unsafe = Marked()

    def commit(session):
        sends = session.state.work.sends
        if sends and sends[-1][1].delivery_mode == DeliveryMode.NON_PERSISTENT:
            for _, entry in sends:
                unsafe.add(entry)

    def stores(original, physical, entry, queues):
        return entry not in unsafe and original(physical, entry, queues)

    before_commit(patch, commit)
    patch.at(fault_points.STORED, stores)


def _delayed_over_restart(provider):
    topic = provider.create_topic("red")
    with context_of(provider) as context:
        context.create_shared_durable_consumer(topic, "red").close()
        context.create_producer().set_delivery_delay(10_000).send(topic, "one")
    provider.restart()
    with context_of(provider) as context:
        consumer = context.create_shared_durable_consumer(topic, "red")
        early = texts_of(consumer)
        provider.clock.advance(10_000)
        return early, texts_of(consumer)


@of_round(9)(
    "restart-makes-delayed-durable-messages-due",
    "a restart delivers at once what durable subscriptions hold for a later delivery time",
    "7.9-4 7.9-9",
    witness=_delayed_over_restart,
    expected=([], ["one"]),
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


def _delay_counted_twice(provider):
    queue, context = provider.create_queue("q"), context_of(provider)
    consumer = context.create_consumer(queue)
    context.create_producer().set_delivery_delay(1000).set_time_to_live(1500).send(queue, "a")
    message = consumer.receive(1200)
    return None if message is None else message.text


@of_round(14)(
    "fourteen-b-delay-counted-twice",
    "A delayed message is discarded at its delivery time if it has less time left to live than it was delayed.",
    "7.9-5 7.8-1",
    witness=_delay_counted_twice,
    expected="a",
    at=fault_points.OFFERED,
)
def _(original, broker, queue, entry):
    delay = entry.delivery_time - entry.timestamp if entry.timestamp else 0
    if delay > 0 and entry.expiration and entry.expiration - entry.delivery_time < delay:
        broker.discard(queue, entry)
    else:
        original(broker, queue, entry)
