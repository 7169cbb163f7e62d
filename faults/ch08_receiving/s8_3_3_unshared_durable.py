"""Faults in 8.3.3: the calls that open unshared durable subscriptions."""

from faults.kit import *


def is_new(session, name):
    """Return whether the client of a session has no durable subscription of a name."""
    return session.broker.subscriptions.durable((session.connection.client_id_or_none, name)) is None


@saboteur(
    "8.3.3-1",
    "createDurableConsumer() of a session returns a consumer that is not on the new subscription",
    collateral={
        **dict.fromkeys(("8.3.3-31", "8.3.3-37", "8.3.3-39"), "it opens its subscription by createDurableConsumer()"),
        "8.3.3-12": "the first consumer of its pairs comes from createDurableConsumer()",
    },
)
def _(patch):
    inside = inside_contexts(patch, "create_durable_consumer")

    def create(original, session, topic, name, *terms):
        if not inside() and is_new(session, name):
            original(session, topic, name, *terms).close()
            return session.create_consumer(topic, "1 = 2")
        return original(session, topic, name, *terms)

    patch.around(ReferenceSession, "create_durable_consumer", create)


@saboteur(
    "8.3.3-2",
    "createDurableConsumer() of a context returns a consumer that is not on the new subscription",
    around=(ReferenceContext, "create_durable_consumer"),
)
def _(original, context, topic, name, *terms):
    if is_new(context.session, name):
        original(context, topic, name, *terms).close()
        return context.create_consumer(topic, "1 = 2")
    return original(context, topic, name, *terms)


@saboteur(
    "8.3.3-3",
    "createDurableSubscriber() returns a MessageConsumer",
    around=(ReferenceSession, "create_durable_subscriber"),
)
def _(original, session, topic, name, *terms):
    original(session, topic, name, *terms).close()
    return session.create_durable_consumer(topic, name, *terms)


@saboteur(
    "8.3.3-11",
    "a session does not see that another one has a consumer on the subscription",
    collateral={"8.3.3-12": "the second consumer of its pairs may be another session's"},
)
def _(patch):
    check = consumer_factory.check_free
    hidden = []

    def opened(original, session, *arguments):
        others = [one for one in session.connection.sessions if one is not session]
        hidden[:] = [
            one.receiver.subscription
            for other in others
            for one in other.consumers
            if one.receiver.subscription is not None
        ]
        return original(session, *arguments)

    def check_free(subscription, *, shared):
        if subscription not in hidden:
            check(subscription, shared=shared)

    patch.around(ReferenceSession, "open_durable", opened)
    patch.replace(consumer_factory, "check_free", check_free)


@saboteur("8.3.3-12", "a TopicSubscriber does not keep createDurableConsumer() from opening its subscription")
def _(patch):
    check = consumer_factory.check_free
    subscribers = []
    creating = []

    def subscriber(original, session, *arguments):
        made = original(session, *arguments)
        subscribers.append(made)
        return made

    def consumer(original, session, *arguments):
        creating.append(True)
        try:
            return original(session, *arguments)
        finally:
            creating.pop()

    def check_free(subscription, *, shared):
        of_subscriber = any(one.receiver.subscription is subscription for one in subscribers if not one.closed)
        if not (creating and of_subscriber):
            check(subscription, shared=shared)

    patch.around(ReferenceSession, "create_durable_subscriber", subscriber)
    patch.around(ReferenceSession, "create_durable_consumer", consumer)
    patch.replace(consumer_factory, "check_free", check_free)


@saboteur(
    "8.3.3-14",
    "a missing client identifier is reported as a plain JMSException",
    around=(ConsumerFactory, "open_durable"),
)
def _(original, factory, *arguments):
    if factory.connection.client_id_or_none is None:
        raise JMSException("set a client identifier first", "NO_CLIENT_ID")
    return original(factory, *arguments)


@saboteur(
    "8.3.3-37",
    "the short overloads mean noLocal",
    collateral=dict.fromkeys(
        ("8.3.3-6", "8.3.3-7", "8.3.3-23", "8.3.3-27", "8.3.3-28", "8.3.3-29", "8.3.3-31"),
        "it sends over the connection of its consumer",
    ),
    around=(ReferenceSession, "create_durable_consumer", "create_durable_subscriber"),
)
def _(original, session, topic, name, *terms):
    if not terms or terms[-1] is OMITTED:
        return original(session, topic, name, None, True)
    return original(session, topic, name, *terms)


@saboteur("8.3.3-39", "createDurableConsumer() begins a subscription of createDurableSubscriber() anew")
def _(patch):
    made_by = {}

    def create(method):
        def made(original, session, topic, name, *terms):
            key = (session.connection.client_id_or_none, name)
            found = session.broker.subscriptions.durable(key)
            if found is not None and not found.consumers and made_by.get(key, method) != method:
                session.broker.subscriptions.delete(found)
            consumer = original(session, topic, name, *terms)
            made_by[key] = method
            return consumer

        return made

    patch.around(ReferenceSession, "create_durable_consumer", create("consumer"))
    patch.around(ReferenceSession, "create_durable_subscriber", create("subscriber"))


@saboteur("8.3.3-40", "creating a durable consumer on null raises NullPointerException")
def _(patch):
    null_refused(patch, ReferenceSession, "create_durable_consumer")
    null_refused(patch, ReferenceSession, "create_durable_subscriber")


@saboteur(
    "8.3.3-41",
    "a durable consumer with an invalid selector is created and gets nothing",
    around=(ConsumerFactory, "open_durable"),
)
def _(original, factory, topic, name, *terms):
    try:
        return original(factory, topic, name, *terms)
    except InvalidSelectorException:
        return original(factory, topic, name, "1 = 2", terms[1])
