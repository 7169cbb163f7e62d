"""8.3.3 Unshared durable subscriptions."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect


@asserts("8.3.3-40", api=("classic", "domain-specific"))
def test_a_durable_subscriber_needs_a_topic(case: Case) -> None:
    """createDurableSubscriber() of null, with and without a selector, raises InvalidDestinationException."""
    session = case.client(domain="topic", client_id=case.name("c")).session
    make, topic = session.create_durable_subscriber, case.topic()
    wrong, names = api.InvalidDestinationException, [case.name("s") for _ in range(4)]
    what = "createDurableSubscriber(null, name)"
    expect.raises(wrong, lambda: make(None, names[0]), what=what, though_works=lambda: make(topic, names[1]))
    expect.raises(
        wrong,
        lambda: make(None, names[2], "a = 1", False),
        what="createDurableSubscriber(null, name, selector, noLocal)",
        though_works=lambda: make(topic, names[3], "a = 1", False),
    )


@asserts("8.3.3-40", api=("simplified",), variant="context")
def test_a_durable_consumer_needs_a_topic(case: Case) -> None:
    """createDurableConsumer() of null, with and without a selector, raises InvalidDestinationRuntimeException."""
    context = case.client(client_id=case.name("c")).session
    make, topic = context.create_durable_consumer, case.topic()
    wrong, names = api.InvalidDestinationRuntimeException, [case.name("s") for _ in range(4)]
    what = "createDurableConsumer(null, name)"
    expect.raises(wrong, lambda: make(None, names[0]), what=what, though_works=lambda: make(topic, names[1]))
    expect.raises(
        wrong,
        lambda: make(None, names[2], "a = 1", False),
        what="createDurableConsumer(null, name, selector, noLocal)",
        though_works=lambda: make(topic, names[3], "a = 1", False),
    )
