"""Faults in 8.8: the close of a consumer, its messages, its calls that wait, and its listener."""

from faults.kit import *


@saboteur("8.8-1", "closing a consumer closes the other consumers of its session", around=(ReferenceConsumer, "close"))
def _(original, consumer):
    others = [one for one in consumer.session.consumers if one is not consumer]
    original(consumer)
    for one in others:
        original(one)


@saboteur(
    "8.8-2",
    "the listener of a consumer is called after the close of the consumer",
    collateral=dict.fromkeys(("8.8-11", "8.8-18"), "it closes a consumer with a listener"),
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    dispatcher = consumer.session.dispatcher
    if consumer.listener is None or dispatcher is None or dispatcher.current is not None:
        original(consumer)


def _queue(consumer):
    return isinstance(consumer.receiver.physical, PhysicalQueue)


@saboteur(
    "8.8-3",
    "closing a consumer loses the next message of its queue",
    collateral=dict.fromkeys(
        ("8.8-10", "8.8-11", "8.8-13", "8.8-14", "8.8-15", "8.8-16"), "messages are left when its consumer is closed"
    ),
)
def _(patch):
    counts = {}

    def opened(original, state, consumer, *arguments):
        counts[consumer] = counts.get(consumer, 0) + 1
        return original(state, consumer, *arguments)

    def detach(original, consumer):
        original(consumer)
        queue = consumer.receiver.delivery_queue
        if counts.get(consumer) and _queue(consumer) and not consumer.session.closing:
            for entry in list(queue.free_entries())[:1]:
                queue.remove(entry.number, entry.priority)

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur(
    "8.8-4",
    "close of a consumer is refused while another thread receives, or runs a listener of the session",
    collateral={"8.8-7": "it closes a consumer whose listener runs"},
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    dispatcher = consumer.session.dispatcher
    runs = dispatcher is not None and dispatcher.current is not None and not dispatcher.is_current_thread()
    if runs or (consumer.receiver.slot.blocked and consumer.listener is None):
        raise IllegalStateException("the session is used by another thread", "WRONG_THREAD")
    original(consumer)


@saboteur(
    "8.8-5",
    "close returns at once, and the receive that another thread waits in some time later",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    clock = consumer.session.broker.clock
    if not consumer.receiver.slot.blocked or consumer.listener is not None:
        original(consumer)
        return

    def later():
        clock.wait(Waiter(), LATER_MS)
        original(consumer)

    clock.spawn(later, "late-close")


LATER_MS = 3_000
"""How long after the close a waiting receive returns, in milliseconds."""


@saboteur(
    "8.8-6",
    "a receive with a timeout raises IllegalStateException when its consumer is closed",
    at=fault_points.MESSAGE_AWAITED,
)
def _(original, consumer, timeout):
    delivery = original(consumer, timeout)
    if delivery is None and timeout and consumer.closed and not consumer.session.closing:
        raise IllegalStateException("the consumer was closed", "CONSUMER_CLOSED")
    return delivery


@saboteur("8.8-7", "close of a consumer does not wait for its listener", around=(Dispatcher, "wait_until_idle"))
def _(original, dispatcher, consumer=None):
    if consumer is None:
        original(dispatcher, consumer)


def _in_own_listener(consumer):
    dispatcher = consumer.session.dispatcher
    current = dispatcher.current if dispatcher is not None else None
    return (
        dispatcher is not None
        and dispatcher.is_current_thread()
        and current is not None
        and current.consumer is consumer
    )


@saboteur(
    "8.8-8",
    "a listener must not close its own consumer",
    collateral={"8.8-10": "its listener closes the consumer"},
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    refused = _in_own_listener(consumer)
    original(consumer)
    if refused:
        raise IllegalStateException("a listener must not close its own consumer", "OWN_LISTENER")


@nearly_right(
    "client-acknowledge-listener-cannot-close-its-consumer",
    "in a session with CLIENT_ACKNOWLEDGE a listener must not close its own consumer",
    "8.8-8",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    if _in_own_listener(consumer) and consumer.session.mode == Session.CLIENT_ACKNOWLEDGE:
        original(consumer)
        raise IllegalStateException("a listener must not close its own consumer", "OWN_LISTENER")
    original(consumer)


@saboteur(
    "8.8-9",
    "after a listener closed its own consumer its session sends nothing until it returns",
    at=fault_points.SEND_SUBMITTED,
)
def _(original, session, *arguments):
    dispatcher = session.dispatcher
    current = dispatcher.current if dispatcher is not None else None
    if current is not None and dispatcher.is_current_thread() and current.consumer.closed:
        raise IllegalStateException("the consumer of this listener is closed", "CONSUMER_CLOSED")
    original(session, *arguments)
