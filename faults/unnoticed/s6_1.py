"""Faults of section 6.1 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _third_claim(provider):
    with context_of(provider) as holder:
        holder.client_id = "red"
        outcomes = []
        for _ in range(2):
            with context_of(provider) as other:
                outcomes.append(refusal(lambda other=other: setattr(other, "client_id", "red")))
        return outcomes


@of_round(9)(
    "failed-claim-frees-the-client-id",
    "when a connection closes that was refused a client identifier in use, the identifier is free for a third one",
    "6.1.2-11 6.1.2-16",
    witness=_third_claim,
    expected=["InvalidClientIDRuntimeException"] * 2,
)
def _(patch):
    refused = {}  # by identity of the connection

    def claim_and_note(claim, self, client_id, connection):
        try:
            claim(self, client_id, connection)
        except InvalidClientIDException:
            if client_id:
                refused[id(connection)] = connection, client_id
            raise

    def forget_and_free(forget, self, connection):
        forget(self, connection)
        _, client_id = refused.pop(id(connection), (None, None))
        if client_id is not None:
            with self.broker.lock:
                self._client_ids.pop(client_id, None)

    patch.around(Server, "claim_client_id", claim_and_note)
    patch.around(Server, "forget", forget_and_free)


def _sibling_respects_stop(provider):
    queue, context = provider.create_queue("q"), context_of(provider)
    sibling = context.create_context(AUTO)
    send_texts(context, queue, "a")
    context.stop()
    return texts_of(sibling.create_consumer(queue))


@of_round(14)(
    "fourteen-b-sibling-respects-stop",
    "After one context has stopped the shared connection, creating a consumer on another does not start it.",
    "6.1.4-10 6.1.4-9 8.4-13",
    witness=_sibling_respects_stop,
    expected=["a"],
)
def _(patch):
    stopped_by = {}

    def stop(original, context):
        original(context)
        stopped_by[context.connection] = context

    def start(original, context):
        stopped_by.pop(context.connection, None)
        original(context)

    def start_if_wanted(original, context):
        if stopped_by.get(context.connection, context) is context:
            stopped_by.pop(context.connection, None)
            original(context)

    patch.around(ReferenceContext, "stop", stop)
    patch.around(ReferenceContext, "start", start)
    patch.around(ReferenceContext, "_start_if_wanted", start_if_wanted)


def _stopped_by_one(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context, context.create_context(AUTO) as sibling:
        consumer = sibling.create_consumer(queue)
        context.start()
        sibling.start()
        context.stop()
        context.create_producer().send(queue, "one")
        return texts_of(consumer)


@of_round(9)(
    "stop-has-to-come-from-every-context-that-started",
    "stop on a context has no effect while another one over the connection has called start and not stop",
    "6.1.5-5 8.4-7 6.1.5-10",
    witness=_stopped_by_one,
    expected=[],
)
def _(patch):
    started = {}

    def start_and_note(start, self):
        start(self)
        started[id(self)] = self

    def stop_if_last(stop, self):
        started.pop(id(self), None)
        others = [one for one in started.values() if one.connection is self.connection and not one._closed]
        if not others:
            stop(self)

    patch.around(ReferenceContext, "start", start_and_note)
    patch.around(ReferenceContext, "stop", stop_if_last)


def _time_limit(provider):
    clock, queue, took = provider.clock, provider.create_queue("red"), []
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        consumer = connection.create_session().create_consumer(queue)

        def receive():
            at = clock.now()
            consumer.receive(1000)
            took.append(clock.now() - at)

        with meanwhile(provider, receive):
            pause(provider, 300)
            connection.stop()
            pause(provider, 300)
            connection.start()
    return took


@of_round(8)(
    "receive-waits-anew-after-start",
    "the time limit of a receive begins anew when its connection is stopped and started again during the call",
    "6.1.5-13 8.5-5",
    witness=_time_limit,
    expected=[1000],
)
def _(patch):
    started = {}  # by identity of the connection: when it was started again

    def start(original, connection):
        if not connection.running:
            started[id(connection)] = connection, connection.broker.clock.now()
        original(connection)

    def next_delivery(original, consumer, timeout):
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


def _heard(provider):
    heard = provider.clock.event()
    with context_of(provider) as context:
        with context.create_context(AUTO) as sibling:
            sibling.exception_listener = Hearing(heard.set)
        provider.sever(context)
        return heard.wait(1000)


@of_round(9)(
    "exception-listener-goes-with-its-context",
    "the close of a context takes the exception listener that was set through it off the connection of its siblings",
    "6.1.7-6 6.1.8-20 6.1.7-1",
    witness=_heard,
    expected=True,
)
def _(patch):
    listener = vars(ReferenceContext)["exception_listener"]
    setters = {}  # by identity of the connection

    def set_listener(self, value):
        listener.fset(self, value)
        setters[id(self.connection)] = self

    def close_with_listener(close, self):
        close(self)
        if setters.get(id(self.connection)) is self:
            del setters[id(self.connection)]
            self.connection._exception_listener = None

    patch.replace(ReferenceContext, "exception_listener", property(listener.fget, set_listener))
    patch.around(ReferenceContext, "close", close_with_listener)


def _close_while_stopped(provider):
    queue, context = provider.create_queue("q"), context_of(provider)
    connection = provider.connection_factory().create_connection()
    connection.create_session().create_consumer(queue, "n = 1")
    connection.start()
    connection.stop()
    producer = context.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT).set_property("n", 1)
    producer.send(queue, "a")
    connection.close()
    return texts_of(context.create_consumer(queue))


@of_round(14)(
    "fourteen-b-close-while-stopped",
    "A stopped connection that is closed takes along the NON_PERSISTENT queue messages its selectors match.",
    "6.1.8-33",
    witness=_close_while_stopped,
    expected=["a"],
)
def _(patch):
    stopped = set()

    def stop(original, connection):
        original(connection)
        stopped.add(connection)

    def start(original, connection):
        stopped.discard(connection)
        original(connection)

    def close(original, connection):
        if connection in stopped and not connection.is_down():
            stopped.discard(connection)
            with connection.broker.lock:
                for session in connection.sessions:
                    for receiver in [consumer.receiver for consumer in session.consumers]:
                        if receiver.subscription is None and receiver.matches is not None:
                            queue = receiver.delivery_queue
                            for entry in [*filter(receiver.matches, queue.free_entries())]:
                                if entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
                                    queue.remove(entry.number, entry.priority)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.CONNECTION_CLOSED, close)
