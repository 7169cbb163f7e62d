"""Faults in 8.2: consumers of a queue."""

from collections import defaultdict

from faults.kit import *


def _leaves_one(patch, wanted):
    """Put the third message back that a consumer of a queue received in AUTO_ACKNOWLEDGE, once it is closed."""
    settled = defaultdict(list)

    def settle(original, state, delivery):
        original(state, delivery)
        if state.mode == Session.AUTO_ACKNOWLEDGE:
            settled[delivery.consumer].append(delivery.entry)

    def detach(original, consumer):
        if len(settled[consumer]) == 3 and isinstance(consumer.receiver.physical, PhysicalQueue) and wanted(consumer):
            put_again(consumer.receiver, settled[consumer][-1:])
        original(consumer)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _leaves_the_last(patch, wanted):
    """Put the last message back that a consumer of a queue received, once it is closed."""
    last = {}

    def remove(original, delivery):
        original(delivery)
        last[delivery.consumer] = delivery.entry

    def detach(original, consumer):
        if consumer in last and isinstance(consumer.receiver.physical, PhysicalQueue) and wanted(consumer):
            put_again(consumer.receiver, [last[consumer]])
        original(consumer)

    patch.at(fault_points.REMOVED, remove)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _of_contexts(patch):
    """Return the sessions of contexts that have consumers, kept up to date."""
    sessions = set[ReferenceSession]()

    def create(original, context, *arguments, **named):
        sessions.add(context.session)
        return original(context, *arguments, **named)

    patch.around(ReferenceContext, "create_consumer", create)
    return sessions


@saboteur("8.2-1", "the last message that a MessageConsumer receives is on the queue again later")
def _(patch):
    contexts = _of_contexts(patch)
    _leaves_the_last(
        patch, lambda consumer: consumer.session not in contexts and not isinstance(consumer, ReferenceReceiver)
    )


@nearly_right(
    "third-message-of-a-selecting-consumer-is-back",
    "the third message that a MessageConsumer with a selector receives is on the queue again later",
    "8.2-1",
)
def _(patch):
    contexts = _of_contexts(patch)
    _leaves_one(
        patch,
        lambda consumer: (
            consumer.receiver.selector is not None
            and consumer.session not in contexts
            and not isinstance(consumer, ReferenceReceiver)
        ),
    )


@saboteur("8.2-2", "the last message that a JMSConsumer receives is on the queue again later")
def _(patch):
    contexts = _of_contexts(patch)
    _leaves_the_last(patch, lambda consumer: consumer.session in contexts)


@nearly_right(
    "third-message-of-a-selecting-jms-consumer-is-back",
    "the third message that a JMSConsumer with a selector receives is on the queue again later",
    "8.2-2",
)
def _(patch):
    contexts = _of_contexts(patch)
    _leaves_one(patch, lambda consumer: consumer.receiver.selector is not None and consumer.session in contexts)


saboteur(
    "8.2-3",
    "the last message that a QueueReceiver receives is on the queue again later",
    lambda patch: _leaves_the_last(patch, lambda consumer: isinstance(consumer, ReferenceReceiver)),
    collateral=dict.fromkeys(("8.2-4", "8.2-9"), "its receivers take messages off a queue"),
)


@nearly_right(
    "third-message-of-a-receiver-is-back",
    "the third message that a QueueReceiver without a selector receives is on the queue again later",
    "8.2-3",
    by=_leaves_one,
)
def _(consumer):
    return consumer.receiver.selector is None and isinstance(consumer, ReferenceReceiver)


def _received(patch, wanted, matches, *, least=0):
    """Let receivers with some selectors of a queue that has so many messages choose by `matches`."""

    def create(original, session, queue, *selector, **named):
        made = original(session, queue, *selector, **named)
        given = [*selector, *named.values()]
        if given and wanted(given[0]) and len(made.receiver.delivery_queue) >= least:
            made.receiver.matches = matches
        return made

    patch.around(ReferenceQueueSession, "create_receiver", create)


saboteur("8.2-4", "createReceiver() ignores its selector", lambda patch: _received(patch, bool, None))
saboteur(
    "8.2-9",
    "createReceiver() takes the empty string for a selector that never matches",
    lambda patch: _received(patch, lambda selector: isinstance(selector, str) and not selector, lambda _: False),
)
saboteur(
    "8.2-6",
    "getQueue() of a receiver returns null",
    lambda patch: patch.replace(ReferenceReceiver, "queue", property(lambda self: None)),
)
saboteur(
    "8.2-7",
    "createReceiver(null) raises NullPointerException",
    lambda patch: null_refused(patch, ReferenceQueueSession, "create_receiver"),
)
