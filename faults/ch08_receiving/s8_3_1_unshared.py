"""Faults in 8.3.1: opening unshared non-durable subscriptions, and the time in which they collect."""

from collections import defaultdict

from faults.kit import *

NOTHING = "1 = 2"


def _selects(destination, terms):
    return isinstance(destination, Topic) and bool(terms) and isinstance(terms[0], str) and terms[0] != ""


def _deaf(patch, owner, method, applies):
    """Let a method make a consumer that gets nothing, if it has a selector."""

    def create(original, maker, topic, *terms):
        if _selects(topic, terms) and applies(maker):
            return original(maker, topic, NOTHING, *terms[1:])
        return original(maker, topic, *terms)

    patch.around(owner, method, create)


@saboteur(
    "8.3.1-1",
    "createConsumer() of a session with a selector returns a consumer that gets nothing",
    collateral=dict.fromkeys(
        ("8.3.1-7", "8.3.1-8", "8.3.1-11", "8.3.1-13", "8.3.1-14", "8.3.1-15", "8.3.1-16"),
        "its consumer has a selector",
    ),
)
def _(patch):
    inside = inside_contexts(patch, "create_consumer")
    _deaf(
        patch,
        ReferenceSession,
        "create_consumer",
        lambda session: not inside() and not isinstance(session, ReferenceTopicSession),
    )


saboteur(
    "8.3.1-2",
    "createConsumer() of a context with a selector returns a consumer that gets nothing",
    lambda patch: _deaf(patch, ReferenceContext, "create_consumer", lambda _context: True),
)


@saboteur(
    "8.3.1-3",
    "createSubscriber() with a selector returns a subscriber that gets nothing",
    collateral={"8.3.1-20": "its subscriber has a selector"},
)
def _(patch):
    calls = []

    def create(original, session, *arguments):
        calls.append("createConsumer")
        try:
            return original(session, *arguments)
        finally:
            calls.pop()

    _deaf(patch, ReferenceTopicSession, "create_subscriber", lambda _session: not calls)
    patch.around(ReferenceTopicSession, "create_consumer", create)


@saboteur(
    "8.3.1-4",
    "createConsumer() of a TopicSession with a selector is refused",
    around=(ReferenceTopicSession, "create_consumer"),
)
def _(original, session, topic, *terms):
    if _selects(topic, terms):
        raise IllegalStateException("use createSubscriber")
    return original(session, topic, *terms)


@saboteur(
    "8.3.1-7",
    "while its connection is stopped an unshared subscription gets nothing",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, found, entry):
    session = found.session
    return original(found, entry) and (session is None or session.connection.running)


def _opened(patch, fault):
    """Run `fault` on the receiver of each unshared non-durable subscription that is opened, under the broker lock."""

    def open_plain(original, session, *arguments):
        receiver = original(session, *arguments)
        if receiver.subscription is not None:
            with session.broker.lock:
                fault(receiver)
        return receiver

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@saboteur(
    "8.3.1-8",
    "a new subscription gets what waits in another one",
    collateral={
        **dict.fromkeys(("8.3.1-1", "8.3.1-2"), "messages wait elsewhere when its consumer is opened"),
        **dict.fromkeys(("8.3.1-3", "8.3.1-4"), "a case of it meets the fault under a condition that varies"),
    },
    by=_opened,
)
def _(receiver):
    found = receiver.subscription
    if found is None or not isinstance(receiver.physical, PhysicalTopic):
        return
    for other in receiver.physical.subscriptions:
        free = list(other.delivery_queue.free_entries()) if other is not found else []
        put_again(receiver, free)


@nearly_right(
    "selecting-subscription-gets-what-waits-elsewhere",
    "a new subscription with a selector gets what waits in another one and is not persistent",
    "8.3.1-8",
    by=_opened,
)
def _(receiver):
    found = receiver.subscription
    if found is None or found.selector is None or not isinstance(receiver.physical, PhysicalTopic):
        return
    for other in receiver.physical.subscriptions:
        free = list(other.delivery_queue.free_entries()) if other is not found else []
        put_again(receiver, [one for one in free if one.delivery_mode == DeliveryMode.NON_PERSISTENT])


@saboteur("8.3.1-11", "what waits in an unshared subscription comes to a consumer after a restart")
def _(patch):
    kept = defaultdict(list)

    def fault(receiver):
        put_again(receiver, kept.pop(receiver.physical.destination.name, []))

    def restart(original, server):
        connections = list(server.connections)
        for session in [one for connection in connections for one in connection.sessions]:
            for consumer in session.consumers:
                found = consumer.receiver.subscription
                if found is not None and found.session is not None:
                    free = found.delivery_queue.free_entries()
                    kept[consumer.receiver.physical.destination.name] += list(free)
        original(server)

    _opened(patch, fault)
    patch.at(fault_points.PROVIDER_RESTARTED, restart)
