"""Faults of section 6.2.15 that no case notices yet."""

from faults.kit import *
from faults.kit.witnessing import *


def _ended_by_close(provider):
    clock, queue, took = provider.clock, provider.create_queue("red"), []
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        consumer = session.create_consumer(queue)

        def receive():
            at = clock.now()
            consumer.receive(1000)
            took.append(clock.now() - at)

        with meanwhile(provider, receive):
            pause(provider, 300)
            session.close()
    return took


@of_round(9)(
    "session-close-waits-out-a-timed-receive-when-stopped",
    "while the connection is stopped, the close of a session does not end a receive with a time limit",
    "6.2.15-3 6.2.15-4",
    witness=_ended_by_close,
    expected=[300],
)
def _(patch):
    timed = {}  # consumers by identity

    def next_delivery(original, consumer, timeout):
        if timeout:
            timed[id(consumer)] = consumer
        try:
            return original(consumer, timeout)
        finally:
            timed.pop(id(consumer), None)

    def wake(original_wake, self):
        if self.connection.running or self.connection.is_down():
            original_wake(self)
            return
        passed_over = [one.receiver.slot for one in self.consumers if id(one) in timed]
        for slot in self.wait_slots():
            if slot not in passed_over:
                slot.wake()

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
    patch.around(ReferenceSession, "_wake", wake)


def _given_back(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        context.create_producer().send(queue, "one")
    with context_of(provider, TRANSACTED) as context, context.create_consumer(queue) as consumer:
        assert texts_of(consumer) == ["one"]
    with context_of(provider) as context:
        return texts_of(context.create_consumer(queue))


@of_round(9)(
    "session-close-loses-what-a-closed-consumer-had",
    "the close of a transacted session consumes what it has received through a consumer that was closed before",
    "6.2.15-15 6.2.15-16 6.1.8-27 6.1.8-28",
    witness=_given_back,
    expected=["one"],
)
def _(patch):
    closed = {}  # consumers by identity

    def detach(original, consumer):
        original(consumer)
        if not consumer.session.closing:
            closed[id(consumer)] = consumer

    def end(original, session):
        work = session.state.work
        lost = [one for one in work.acks if id(one.consumer) in closed]
        if lost and session.connection.lost is None:
            work.acks = [one for one in work.acks if one not in lost]
            session.state.acknowledge(lost, durable=True)
        original(session)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.at(fault_points.SESSION_ENDED, end)


_LARGE = 100 * 1024


def _large(provider):
    queue = provider.create_queue("red")
    with context_of(provider) as context:
        context.create_producer().send(queue, "x" * 200_000)
        message = context.create_consumer(queue).receive_no_wait()
    return refusal(lambda: message.text)


@of_round(9)(
    "large-text-is-unreadable-after-close",
    "a text of 100 KiB or more that was not read before its session was closed cannot be read any more",
    "6.2.15-22 6.1.8-45",
    witness=_large,
    expected=None,
)
def _(patch):
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
