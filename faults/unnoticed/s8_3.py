"""Faults of section 8.3 that no case notices yet."""

from functools import partial

from faults.kit import *
from faults.kit.witnessing import *


def _without_founder(provider):
    topic = provider.create_topic("red")
    with context_of(provider) as context:
        founder = context.create_shared_consumer(topic, "red")
        other = context.create_shared_consumer(topic, "red")
        context.create_producer().send(topic, "one")
        founder.close()
        return texts_of(other)


@of_round(9)(
    "shared-backlog-goes-with-its-founder",
    "when the consumer that has created a shared non-durable subscription closes, the others lose what is waiting",
    "8.3.2-11",
    witness=_without_founder,
    expected=["one"],
)
def _(patch):
    founders = {}  # by identity of the subscription

    def open_receiver(original, factory, *arguments):
        receiver = original(factory, *arguments)
        subscription = receiver.subscription
        if subscription is not None and subscription.shared and subscription.consumers == 1:
            founders.setdefault(id(subscription), (subscription, receiver))
        return receiver

    def detach(original, consumer):
        original(consumer)
        subscription = consumer.receiver.subscription
        _, founder = founders.get(id(subscription), (None, None))
        if founder is consumer.receiver and not subscription.durable and subscription.consumers:
            for entry in list(subscription.delivery_queue.free_entries()):
                subscription.delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _deleted(provider):
    topic = provider.create_topic("red")
    with context_of(provider, client_id="anna") as context:
        context.create_durable_consumer(topic, "news").close()
        send_texts(context, topic, "a")
        refused = refusal(lambda: context.create_durable_consumer(topic, "news", "colour = = 'blue'"))
        return refused, texts_of(context.create_durable_consumer(topic, "news"))


@of_round(11)(
    "invalid-selector-deletes-the-subscription",
    "resuming an unshared durable subscription with a selector that does not parse throws, and has deleted it",
    "8.3.3-17 4.2.2-21 8.3.3-41",
    witness=_deleted,
    expected=("InvalidSelectorRuntimeException", ["a"]),
    by=partial(after_refused_opening, of=InvalidSelectorException, shared=False),
)
def _(factory, subscription, selector):
    if not subscription.consumers:
        factory.broker.subscriptions.delete(subscription)


def _padded_selector(provider):
    topic, ctx, selector = provider.create_topic("t"), context_of(provider, client_id="c"), " a = 'x' "
    ctx.create_durable_consumer(topic, "d", selector).close()
    ctx.create_producer().send(topic, text_message(ctx, "kept", a="x"))
    provider.restart()
    return texts_of(context_of(provider, client_id="c").create_durable_consumer(topic, "d", selector))


@of_round(14)(
    "a14-padded-selector-changes-at-restart",
    "a durable subscription whose selector has blanks around it counts as changed when it is resumed after a restart",
    "8.3.3-30 8.3.4-4 8.3.3-9",
    witness=_padded_selector,
    expected=["kept"],
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    with server.broker.lock:
        for one in server.broker.subscriptions.all_durable():
            one.selector = None if one.selector is None else one.selector.strip()


def _other_kind(provider):
    topic = provider.create_topic("red")
    with context_of(provider, client_id="red") as context:
        context.create_shared_durable_consumer(topic, "red").close()
    provider.restart()
    with context_of(provider, client_id="red") as context:
        return refusal(lambda: context.create_durable_consumer(topic, "red"))


@of_round(9)(
    "restart-forgets-whether-a-subscription-is-shared",
    "a durable subscription of before a restart becomes shared or unshared as the first consumer opened on it wants",
    "8.3.3-32 8.3.4-24",
    witness=_other_kind,
    expected="JMSRuntimeException",
)
def _(patch):
    undecided = {}

    def restart(original, server):
        original(server)
        undecided.update((id(one), one) for one in server.broker.subscriptions.all_durable())

    def open_stored(original, factory, topic, key, *others, shared):
        found = factory.broker.subscriptions.durable(key)
        if undecided.pop(id(found), None) is not None:
            found.shared = shared
        return original(factory, topic, key, *others, shared=shared)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


def _differs_in_case_only(subscription, text):
    """Return whether the selector of a shared durable subscription in use differs from `text` in letter case only."""
    used = subscription.durable and subscription.shared and subscription.consumers > 0
    if not used or text is None or subscription.selector is None:
        return False
    return text.lower() == subscription.selector.lower()


def _other_case(provider):
    topic, ctx = provider.create_topic("t"), context_of(provider)
    first = ctx.create_shared_durable_consumer(topic, "s", "a = 'x'")
    refused = refusal(lambda: ctx.create_shared_durable_consumer(topic, "s", "a = 'X'").message_selector)
    return first.message_selector, refused


@of_round(14)(
    "a14-selector-case-joins-shared-durable",
    "a consumer may join a shared durable subscription in use with a selector that differs in letter case only",
    "8.3.4-23",
    witness=_other_case,
    expected=("a = 'x'", "JMSRuntimeException"),
)
def _(patch):
    def same(check_same, subscription, physical, selector):
        joins = _differs_in_case_only(subscription, selector)
        check_same(subscription, physical, subscription.selector if joins else selector)

    def match(original, terms, subscription):
        on_topic = subscription.delivery_queue.physical is terms.physical
        return original(terms, subscription) or (on_topic and _differs_in_case_only(subscription, terms.selector))

    patch.around(consumer_factory, "check_same", same)
    patch.around(Terms, "match", match)
