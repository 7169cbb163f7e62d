"""Faults of consumers and listeners that show on some messages, or beside another consumer, only."""

from faults.kit import *


def _non_persistent_repeated(patch, mode):
    """Call a listener that failed again with a message that is not persistent, in a session that has sent nothing."""

    def call(original, dispatcher, listener, delivery):
        failed = original(dispatcher, listener, delivery)
        state = dispatcher.session.state
        plain = delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT and not state.work.sends
        return original(dispatcher, listener, delivery) if failed and plain and state.mode == mode else failed

    patch.at(fault_points.LISTENER_CALLED, call)


nearly_right(
    "client-listener-fails-twice-at-non-persistent",
    "in CLIENT_ACKNOWLEDGE a listener that failed at a message that is not persistent gets it again",
    "8.7-7",
    install=lambda patch: _non_persistent_repeated(patch, Session.CLIENT_ACKNOWLEDGE),
)
nearly_right(
    "transacted-listener-fails-twice-at-non-persistent",
    "in a transaction a listener that failed at a message that is not persistent gets it again",
    "8.7-9",
    install=lambda patch: _non_persistent_repeated(patch, Session.SESSION_TRANSACTED),
)


@nearly_right(
    "listener-stays-beside-another",
    "setMessageListener(null) is ignored while another consumer of the session has a listener",
    "8.7-16",
)
def _(patch):
    original = ReferenceConsumer.message_listener

    def unset(self, listener):
        dispatcher = self.session.dispatcher
        if listener is not None or dispatcher is None or len(dispatcher.consumers) < 2:
            original.fset(self, listener)

    patch.replace(ReferenceConsumer, "message_listener", property(original.fget, unset))


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
