"""8.3.2 Shared non-durable subscriptions after calls on them that were refused."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.lifecycle.refused_subscribing import after_refusals


@asserts("8.3.2-10", ack=("auto",), api=("classic", "simplified"), variant="refused-calls")
def test_a_subscription_collects_after_refused_calls(case: Case) -> None:
    """After each refused opening of its name and each refused unsubscribe() it collects for the consumers that are open."""
    with expect.all_of():
        for after in after_refusals(case, "shared", active=True):
            with expect.all_of():
                send_coloured(after.sender, ["red after"])
                expect.arrives(after.link, ["red before", "red after"])
                join = partial(after.watched.open, client=after.link.client)
                second = expect.works(f"the opening of a second consumer, {after.what}", join)
                after.link.consumer.close()
                send_coloured(after.sender, ["red to the second"])
                expect.arrives(second, ["red to the second"])
