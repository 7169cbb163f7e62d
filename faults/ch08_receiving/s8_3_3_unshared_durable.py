"""Faults in 8.3.3: the calls that open unshared durable subscriptions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each, connection_of, null_refused
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import inside_contexts
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import OMITTED, InvalidSelectorException, JMSException


def is_new(session: ReferenceSession, name: str) -> bool:
    """Return whether the client of a session has no durable subscription of a name."""
    return session.broker.subscriptions.durable((connection_of(session).client_id_or_none, name)) is None


@saboteur(
    "8.3.3-1",
    "createDurableConsumer() of a session returns a consumer that is not on the new subscription",
    collateral={
        **dict.fromkeys(("8.3.3-31", "8.3.3-37", "8.3.3-39"), "it opens its subscription by createDurableConsumer()"),
        "8.3.3-12": "the first consumer of its pairs comes from createDurableConsumer()",
    },
)
def _(patch: Patch) -> None:
    inside = inside_contexts(patch, "create_durable_consumer")

    def create(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
        if not inside() and is_new(session, name):
            original(session, topic, name, *terms).close()
            return session.create_consumer(topic, "1 = 2")
        return original(session, topic, name, *terms)

    around(patch, ReferenceSession, "create_durable_consumer", create)


@saboteur(
    "8.3.3-2",
    "createDurableConsumer() of a context returns a consumer that is not on the new subscription",
)
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], context: ReferenceContext, topic: Any, name: Any, *terms: Any) -> Any:
        if is_new(context.session, name):
            original(context, topic, name, *terms).close()
            return context.create_consumer(topic, "1 = 2")
        return original(context, topic, name, *terms)

    around(patch, ReferenceContext, "create_durable_consumer", create)


@saboteur("8.3.3-3", "createDurableSubscriber() returns a MessageConsumer")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
        original(session, topic, name, *terms).close()
        return session.create_durable_consumer(topic, name, *terms)

    around(patch, ReferenceSession, "create_durable_subscriber", create)


@saboteur(
    "8.3.3-11",
    "a session does not see that another one has a consumer on the subscription",
    collateral={"8.3.3-12": "the second consumer of its pairs may be another session's"},
)
def _(patch: Patch) -> None:
    check = consumer_factory.check_free
    hidden: list[Subscription] = []

    def opened(original: Callable[..., Receiver], session: ReferenceSession, *arguments: Any) -> Receiver:
        others = [one for one in connection_of(session).sessions if one is not session]
        hidden[:] = [
            one.receiver.subscription
            for other in others
            for one in other.consumers
            if one.receiver.subscription is not None
        ]
        return original(session, *arguments)

    def check_free(subscription: Subscription, *, shared: bool) -> None:
        if subscription not in hidden:
            check(subscription, shared=shared)

    around(patch, ReferenceSession, "open_durable", opened)
    patch.replace(consumer_factory, "check_free", check_free)


@saboteur("8.3.3-12", "a TopicSubscriber does not keep createDurableConsumer() from opening its subscription")
def _(patch: Patch) -> None:
    check = consumer_factory.check_free
    subscribers: list[ReferenceConsumer] = []
    creating: list[bool] = []

    def subscriber(original: Callable[..., Any], session: ReferenceSession, *arguments: Any) -> Any:
        made = original(session, *arguments)
        subscribers.append(made)
        return made

    def consumer(original: Callable[..., Any], session: ReferenceSession, *arguments: Any) -> Any:
        creating.append(True)
        try:
            return original(session, *arguments)
        finally:
            creating.pop()

    def check_free(subscription: Subscription, *, shared: bool) -> None:
        of_subscriber = any(one.receiver.subscription is subscription for one in subscribers if not one.closed)
        if not (creating and of_subscriber):
            check(subscription, shared=shared)

    around(patch, ReferenceSession, "create_durable_subscriber", subscriber)
    around(patch, ReferenceSession, "create_durable_consumer", consumer)
    patch.replace(consumer_factory, "check_free", check_free)


@saboteur("8.3.3-14", "a missing client identifier is reported as a plain JMSException")
def _(patch: Patch) -> None:
    def opened(original: Callable[..., Receiver], factory: ConsumerFactory, *arguments: Any) -> Receiver:
        if factory.connection.client_id_or_none is None:
            raise JMSException("set a client identifier first", "NO_CLIENT_ID")
        return original(factory, *arguments)

    around(patch, ConsumerFactory, "open_durable", opened)


@saboteur(
    "8.3.3-37",
    "the short overloads mean noLocal",
    collateral=dict.fromkeys(
        ("8.3.3-6", "8.3.3-7", "8.3.3-23", "8.3.3-27", "8.3.3-28", "8.3.3-29", "8.3.3-31"),
        "it sends over the connection of its consumer",
    ),
)
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
        if not terms or terms[-1] is OMITTED:
            return original(session, topic, name, None, True)
        return original(session, topic, name, *terms)

    around_each(patch, ReferenceSession, ("create_durable_consumer", "create_durable_subscriber"), create)


@nearly_right(
    "second-durable-consumer-of-a-session-means-no-local",
    "the short overloads mean noLocal for the second durable consumer that a session opens",
    "8.3.3-37",
)
def _(patch: Patch) -> None:
    names: defaultdict[ReferenceSession, set[str]] = defaultdict(set)

    def create(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
        names[session].add(name)
        if len(names[session]) == 2 and (not terms or terms[-1] is OMITTED):
            return original(session, topic, name, None, True)
        return original(session, topic, name, *terms)

    around_each(patch, ReferenceSession, ("create_durable_consumer", "create_durable_subscriber"), create)


@saboteur("8.3.3-39", "createDurableConsumer() begins a subscription of createDurableSubscriber() anew")
def _(patch: Patch) -> None:
    made_by: dict[tuple[str | None, str], str] = {}

    def create(method: str) -> Callable[..., Any]:
        def made(original: Callable[..., Any], session: ReferenceSession, topic: Any, name: Any, *terms: Any) -> Any:
            key = (connection_of(session).client_id_or_none, name)
            found = session.broker.subscriptions.durable(key)
            if found is not None and not found.consumers and made_by.get(key, method) != method:
                session.broker.subscriptions.delete(found)
            consumer = original(session, topic, name, *terms)
            made_by[key] = method
            return consumer

        return made

    around(patch, ReferenceSession, "create_durable_consumer", create("consumer"))
    around(patch, ReferenceSession, "create_durable_subscriber", create("subscriber"))


@saboteur("8.3.3-40", "creating a durable consumer on null raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceSession, "create_durable_consumer")
    null_refused(patch, ReferenceSession, "create_durable_subscriber")


@saboteur("8.3.3-41", "a durable consumer with an invalid selector is created and gets nothing")
def _(patch: Patch) -> None:
    def opened(
        original: Callable[..., Receiver], factory: ConsumerFactory, topic: Any, name: Any, *terms: Any
    ) -> Receiver:
        try:
            return original(factory, topic, name, *terms)
        except InvalidSelectorException:
            return original(factory, topic, name, "1 = 2", terms[1])

    around(patch, ConsumerFactory, "open_durable", opened)
