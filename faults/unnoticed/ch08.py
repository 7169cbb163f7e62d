"""Faults of chapter 8 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _started_by_second(provider):
    topic, first = provider.create_topic("t"), context_of(provider)
    first.auto_start = False
    waiting = first.create_consumer(topic)
    first.create_context(AUTO).create_shared_durable_consumer(topic, "s")
    context_of(provider).create_producer().send(topic, "x")
    return texts_of(waiting)


@of_round(14)(
    "a14-second-context-does-not-start",
    "createSharedDurableConsumer of a context that another context made does not start their connection",
    "8.4-13 8.4-6",
    witness=_started_by_second,
    expected=["x"],
)
def _(patch):
    made = []

    def create_context(original, context, session_mode):
        made.append(original(context, session_mode))
        return made[-1]

    def create_consumer(original, context, *arguments, **named):
        auto_start = context._auto_start
        context._auto_start = auto_start and not any(one is context for one in made)
        try:
            return original(context, *arguments, **named)
        finally:
            context._auto_start = auto_start

    patch.around(ReferenceContext, "create_context", create_context)
    patch.around(ReferenceContext, "create_shared_durable_consumer", create_consumer)


class _StartedError(Exception):
    """The connection of a waiting receive was started."""


def _endless(provider):
    queue = provider.create_queue("red")
    seen = []
    with provider.connection_factory().create_connection() as connection, context_of(provider) as other:
        consumer = connection.create_session().create_consumer(queue)
        with meanwhile(provider, lambda: seen.append(consumer.receive() is not None)):
            pause(provider, 100)
            connection.start()
            pause(provider, 100)
            other.create_producer().send(queue, "one")
    return seen


@of_round(9)(
    "endless-receive-ends-when-the-connection-starts",
    "a receive without time limit, called while the connection is stopped, returns null at start if nothing is there",
    "8.5-4 8.5-6",
    witness=_endless,
    expected=[True],
)
def _(patch):
    calls = {}  # receive calls made on a stopped connection, by identity of the consumer

    def next_delivery(original, consumer, timeout):
        if timeout is None and not consumer.session.connection.running:
            calls[id(consumer)] = consumer
        try:
            return original(consumer, timeout)
        except _StartedError:
            return None
        finally:
            calls.pop(id(consumer), None)

    def end(end_wait, self):
        delivery = end_wait(self)
        if delivery is None and id(self) in calls and self.session.may_deliver():
            del calls[id(self)]
            if not any(True for _ in self.receiver.delivery_queue.free_entries()):
                raise _StartedError
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
    patch.around(ReferenceConsumer, "_end_wait", end)


def _waits_with_zero(provider):
    topic, ctx = provider.create_topic("t"), context_of(provider)
    consumer = ctx.create_shared_durable_consumer(topic, "s")
    ctx.create_producer().set_delivery_delay(500).send(topic, "late")
    message = consumer.receive(0)
    return None if message is None else message.text


@of_round(14)(
    "a14-zero-does-not-wait-for-shared",
    "receive(0) and receiveBody(type, 0) do not wait if the consumer is of a shared durable subscription",
    "8.5-6 8.6-6",
    witness=_waits_with_zero,
    expected="late",
    around=(ReferenceConsumer, "timeout"),
)
def _(original, consumer, limit):
    subscription = consumer.receiver.subscription
    if limit is not OMITTED and limit == 0 and subscription is not None:
        return 0 if subscription.shared and subscription.durable else None
    return original(consumer, limit)


def _failed_body(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context, context_of(provider) as other:
        consumer = context.create_consumer(queue)

        def send():
            pause(provider, 100)
            other.create_producer().send(queue, "one")

        with meanwhile(provider, send):
            failed = refusal(lambda: consumer.receive_body(bytes, 1000))
        message = consumer.receive_no_wait()
        return failed, message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")


@of_round(9)(
    "failed-body-counts-if-the-call-had-to-wait",
    "a receiveBody that fails counts as a delivery if the message arrived while the call was waiting",
    "8.6-22 8.6-23 8.6-24",
    witness=_failed_body,
    expected=("MessageFormatRuntimeException", False, 1),
)
def _(patch):
    handed = {}  # deliveries by identity

    def hand_over_and_note(hand_over, self, delivery_queue, entry):
        hand_over(self, delivery_queue, entry)
        delivery = self.slot.handed
        if delivery is not None:
            handed[id(delivery)] = delivery

    def hand_out_body(original, consumer, delivery, read):
        try:
            return original(consumer, delivery, read)
        except MessageFormatException:
            if id(delivery) in handed and consumer.session.state.settles(delivery):
                with consumer.session.broker.lock:
                    delivery.source.counts[delivery.entry.number] = delivery.count
            raise

    patch.around(Receiver, "hand_over", hand_over_and_note)
    patch.at(fault_points.BODY_RECEIVED, hand_out_body)


def _refused_body_counted(provider):
    queue, transacted = provider.create_queue("q"), context_of(provider, TRANSACTED)
    send_texts(context_of(provider), queue, "a")
    former = transacted.create_consumer(queue)
    former.receive_no_wait()
    transacted.rollback()
    former.close()
    consumer = context_of(provider).create_consumer(queue)
    refusal(lambda: consumer.receive_body_no_wait(bytes))
    return consumer.receive_no_wait().get_int_property("JMSXDeliveryCount")


@of_round(14)(
    "fourteen-b-refused-body-counted",
    "A receiveBody that cannot read its message raises JMSXDeliveryCount if the message had been delivered before.",
    "8.6-23 8.6-24",
    witness=_refused_body_counted,
    expected=2,
    at=fault_points.BODY_RECEIVED,
)
def _(original, consumer, delivery, read):
    try:
        return original(consumer, delivery, read)
    except MessageFormatException:
        if delivery.count > 1 and consumer.session.state.settles(delivery):
            with consumer.session.broker.lock:
                delivery.source.counts[delivery.entry.number] = delivery.count
        raise


def _set_again(provider):
    first, second = provider.create_queue("red"), provider.create_queue("blue")
    came = provider.clock.event()
    with context_of(provider) as context, context_of(provider) as sender:
        context.create_consumer(first).message_listener = Listening(lambda _: None)
        consumer = context.create_consumer(second)
        for listener in (Listening(lambda _: None), None, Listening(lambda _: came.set())):
            consumer.message_listener = listener
        sender.create_producer().send(second, "one")
        return came.wait(1000)


@of_round(9)(
    "listener-set-again-beside-another-is-not-called",
    "a listener that was set to null while another one of its session was in place can be set again, but is not called",
    "8.7-1 6.2.6-5",
    witness=_set_again,
    expected=True,
)
def _(patch):
    listener = vars(ReferenceConsumer)["message_listener"]
    deaf = {}

    def set_listener(self, value):
        had_one = self.listener is not None
        listener.fset(self, value)
        dispatcher = self.session.dispatcher
        if had_one and value is None and dispatcher is not None and dispatcher.consumers:
            deaf[id(self)] = self

    def add(original, dispatcher, consumer):
        if id(consumer) not in deaf:
            original(dispatcher, consumer)

    patch.replace(ReferenceConsumer, "message_listener", property(listener.fget, set_listener))
    patch.at(fault_points.LISTENER_ADDED, add)


def _overtaken(provider):
    queue, ctx, sender = provider.create_queue("q"), context_of(provider), context_of(provider)
    seen, event = list[str](), provider.clock.event()

    def act(message):
        seen.append(message.text)
        if len(seen) == 4:
            event.set()
        if len(seen) == 1:
            sender.create_producer().set_priority(9).send(queue, "urgent")
        if len(seen) < 3 and message.text == "slow":
            raise RuntimeError("fails")

    sender.create_producer().send(queue, "slow")
    ctx.create_consumer(queue).message_listener = Listening(act)
    event.wait(2000)
    return seen


@of_round(14)(
    "a14-second-failure-lets-others-pass",
    "a message whose listener has failed twice goes back to its queue, where one of higher priority overtakes it",
    "8.7-2 8.7-3",
    witness=_overtaken,
    expected=["slow", "slow", "slow", "urgent"],
    around=(Dispatcher, "may_repeat"),
)
def _(original, dispatcher, delivery):
    return delivery.count < 2 and original(dispatcher, delivery)


class _Failing(MessageListener):
    """Fails a number of times, and notes what it got."""

    def __init__(self, times):
        self.got = []
        self._times = times

    def on_message(self, message):
        self.got.append(message.text)  # type: ignore[attr-defined] # text messages only
        if len(self.got) <= self._times:
            raise ValueError("as ordered")


def _dups_ok_gives_up(provider):
    queue, context, listener = provider.create_queue("q"), context_of(provider, DUPS_OK), _Failing(2)
    context.create_consumer(queue).message_listener = listener
    send_texts(context_of(provider), queue, "a")
    provider.clock.event().wait(1000)
    return listener.got


@of_round(14)(
    "fourteen-b-dups-ok-gives-up",
    "In DUPS_OK_ACKNOWLEDGE a message whose listener fails a second time is given up as consumed.",
    "8.7-3 8.7-5",
    witness=_dups_ok_gives_up,
    expected=["a", "a", "a"],
    at=fault_points.LISTENER_CALLED,
)
def _(original, dispatcher, listener, delivery):
    failed = original(dispatcher, listener, delivery)
    return failed and not (delivery.count > 1 and dispatcher.session.mode == Session.DUPS_OK_ACKNOWLEDGE)


def _closed_selection_consumed(provider):
    queue, context = provider.create_queue("q"), context_of(provider, TRANSACTED)
    send_texts(context_of(provider), queue, "a", n=1)
    consumer = context.create_consumer(queue, "n = 1")
    consumer.receive_no_wait()
    consumer.close()
    context.rollback()
    return texts_of(context_of(provider).create_consumer(queue))


@of_round(14)(
    "fourteen-b-closed-selection-consumed",
    "A rollback consumes the queue messages that a consumer with a selector had received before it was closed.",
    "8.8-16 6.2.7-6",
    witness=_closed_selection_consumed,
    expected=["a"],
)
def _(patch):
    def consumed(delivery):
        consumer = delivery.consumer
        return isinstance(consumer, ReferenceConsumer) and consumer.closed and consumer.receiver.matches is not None

    def roll_back(original, session, work):
        done = [] if session.closing else [one for one in work.acks if consumed(one)]
        work.acks = [one for one in work.acks if one not in done]
        session.state.acknowledge(done, durable=True)
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)
