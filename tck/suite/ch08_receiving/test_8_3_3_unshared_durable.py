"""8.3.3 Unshared durable subscriptions."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.members import every_call


@asserts("8.3.3-40", api=("classic", "domain-specific"))
def test_a_durable_subscriber_needs_a_topic(case: Case) -> None:
    """createDurableSubscriber() of null, with and without a selector, raises InvalidDestinationException."""
    session = case.client(domain="topic", client_id=case.name("c")).session
    calls = partial(every_call, case, "Session", lambda: session, only=["createDurableSubscriber"])
    expect.all_raise(api.InvalidDestinationException, calls(topic=None), though_work=calls())


@asserts("8.3.3-40", api=("simplified",), variant="context")
def test_a_durable_consumer_needs_a_topic(case: Case) -> None:
    """createDurableConsumer() of null, with and without a selector, raises InvalidDestinationRuntimeException."""
    context = case.client(client_id=case.name("c")).session
    calls = partial(every_call, case, "JMSContext", lambda: context, only=["createDurableConsumer"])
    expect.all_raise(api.InvalidDestinationRuntimeException, calls(topic=None), though_work=calls())
