"""Faults in the order and the mutual exclusion of calls of a session; see `tck.check.properties.lane`."""

from faults.kit import *

LATER_MS = 50
"""Milliseconds, on the provider's clock, after which a closed session calls its listener again."""


@breaks("order-per-stream")
def _swapped(patch):
    strikes = now_and_then(3)

    def take(original, receiver):
        delivery_queue = receiver.delivery_queue
        first = delivery_queue.take(receiver) if strikes() else None
        if first is None:
            return original(receiver)
        second = delivery_queue.take(receiver) if not delivery_queue.counts.get(first.number) else None
        if second is None:
            delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
            return original(receiver)
        delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
        return receiver.deliver(delivery_queue, second)

    patch.at(fault_points.MESSAGE_TAKEN, take)


@breaks("listener-serial", around=(Dispatcher, "deliver"))
def _(original, self, delivery):
    self.session.broker.clock.spawn(lambda: original(self, delivery), "second-thread-of-a-session")


@breaks("nothing-after-close")
def _after_close(patch):
    last = {}

    def on_message(original, dispatcher, listener, delivery):
        last[id(dispatcher.session)] = (dispatcher.session, listener, dispatcher.session.message_of(delivery))
        return original(dispatcher, listener, delivery)

    def close(original, connection):
        sessions = list(connection.sessions)
        original(connection)
        for session in sessions:
            if id(session) in last:
                _, listener, message = last.pop(id(session))
                connection.broker.clock.spawn(lambda: _later(connection.broker, listener, message), "late-listener")

    def _later(broker, listener, message):
        broker.clock.event().wait(LATER_MS)
        listener.on_message(message)

    patch.at(fault_points.LISTENER_CALLED, on_message)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@breaks("nothing-while-stopped", at=fault_points.CONNECTION_STOPPED)
def _(original, connection):
    return connection.use()


@breaks("exception-listener-serial", at=fault_points.EXCEPTION_REPORTED)
def _(original, connection, why):
    original(connection, why)
    original(connection, why)


@breaks("shared-subscription-joined")
def _refused_now_and_then(patch):
    strikes = now_and_then(3)

    def open_receiver(original, factory, physical, selector, predicate, subscription):
        if subscription is not None and subscription.shared and strikes():
            raise JMSException("the subscription is being created")
        return original(factory, physical, selector, predicate, subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
