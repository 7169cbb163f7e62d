"""Faults in 8.7: message listeners."""

from faults.kit import *


@saboteur(
    "8.7-1",
    "a listener misses the first of the messages that wait when it is set",
    collateral=dict.fromkeys(("8.7-2", "8.7-3", "8.7-7", "8.7-9", "8.7-16"), "messages wait when its listener is set"),
    at=fault_points.LISTENER_ADDED,
)
def _(original, dispatcher, consumer):
    for entry in list(consumer.receiver.delivery_queue.free_entries())[:1]:
        consumer.receiver.delivery_queue.remove(entry.number, entry.priority)
    original(dispatcher, consumer)


@nearly_right(
    "listener-after-a-receive-misses-one-of-many",
    "a listener that is set on a consumer that has received misses the first of many waiting messages",
    "8.7-1",
)
def _(patch):
    received = set()

    def receive(original, consumer, *arguments):
        received.add(consumer)
        return original(consumer, *arguments)

    def add(original, dispatcher, consumer):
        waiting = list(consumer.receiver.delivery_queue.free_entries())
        if consumer in received and len(waiting) > 5:
            consumer.receiver.delivery_queue.remove(waiting[0].number, waiting[0].priority)
        original(dispatcher, consumer)

    patch.around(ReferenceConsumer, "receive", receive)
    patch.at(fault_points.LISTENER_ADDED, add)


@saboteur("8.7-15", "getMessageListener() returns a wrapper of the listener")
def _(patch):
    original = ReferenceConsumer.message_listener

    def get(self):
        listener = original.fget(self)
        return None if listener is None else _Passing(listener)

    patch.replace(ReferenceConsumer, "message_listener", property(get, original.fset))


class _Passing(MessageListener):
    """Passes messages to a listener."""

    def __init__(self, listener):
        self._listener = listener

    def on_message(self, message):
        """Pass a message to the listener."""
        self._listener.on_message(message)


@saboteur("8.7-16", "setMessageListener(null) is ignored", collateral={"8.7-15": "it unsets a listener"})
def _(patch):
    original = ReferenceConsumer.message_listener

    def unset(self, listener):
        if listener is not None:
            original.fset(self, listener)

    patch.replace(ReferenceConsumer, "message_listener", property(original.fget, unset))
