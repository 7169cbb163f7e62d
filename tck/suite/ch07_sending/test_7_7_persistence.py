"""7.7 Message delivery mode: PERSISTENT messages outlive a failure of the provider. Each case needs a hook."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.belongings import asking, bare, belongings, laden
from tck.suite.support.client import KINDS


@asserts("7.7-3", "9.1-1")
def test_persistent_messages_of_a_queue_survive(case: Case) -> None:
    """After the provider failed, PERSISTENT messages of every kind, full ones and empty ones, are received with all that they held."""
    link = case.link(consumes=False)
    messages = [*(laden(link, kind) for kind in KINDS), *(bare(link, kind) for kind in KINDS), asking(link)]
    for message in messages:
        link.send(message, mode=api.DeliveryMode.PERSISTENT, priority=4)
    wanted = [belongings(message) for message in messages]
    case.provider.kill()
    again = case.link(destination=link.destination)
    for held in wanted:
        message = expect.arrival(again)
        again.client.settle(message)
        expect.equal(f"the {held['kind']} message after the failure", belongings(message), held)


@asserts("7.7-4")
def test_persistent_messages_of_a_durable_subscription_survive(case: Case) -> None:
    """After the provider failed, what an inactive durable subscription held is received with all that the messages held."""
    name = case.name("s")
    link = case.link(durable=name)
    link.client.close()
    publisher = case.link("auto", destination=link.destination, consumes=False)
    messages = [laden(publisher, kind) for kind in KINDS]
    messages += [*(bare(publisher, kind) for kind in KINDS), asking(publisher)]
    for message in messages:
        publisher.send(message, mode=api.DeliveryMode.PERSISTENT, priority=4)
    wanted = [belongings(message) for message in messages]
    case.provider.kill()
    again = case.link(destination=link.destination, durable=name)
    for held in wanted:
        message = expect.arrival(again)
        expect.equal(f"the {held['kind']} message after the failure", belongings(message), held)
