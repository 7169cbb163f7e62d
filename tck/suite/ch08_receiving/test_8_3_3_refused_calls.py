"""8.3.3 Unshared durable subscriptions after calls on them that were refused."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.lifecycle.refused_subscribing import after_refusals


@asserts("8.3.3-17", ack=("auto",), variant="refused-calls")
def test_a_subscription_outlives_refused_calls(case: Case) -> None:
    """After each refused opening and deletion, with a consumer and without, it has what it held and what is sent since."""
    with expect.all_of():
        for active in (False, True):
            for after in after_refusals(case, "durable", active=active):
                with expect.all_of():
                    send_coloured(after.sender, ["red after"])
                    after.link.consumer.close()
                    send_coloured(after.sender, ["red closed"])
                    again = expect.works(
                        f"resuming, {after.what}", partial(after.watched.open, client=after.link.client)
                    )
                    expect.arrives(again, ["red before", "red after", "red closed"])


@asserts("8.3.3-25", ack=("auto",), variant="refused-calls")
def test_a_closed_consumer_is_inactive_after_refused_calls(case: Case) -> None:
    """Whatever was refused while a consumer was open, after its close unsubscribe() deletes the subscription."""
    with expect.all_of():
        for after in after_refusals(case, "durable", active=True):
            with expect.all_of():
                expect.arrives(after.link, ["red before"])
                after.link.consumer.close()
                session = after.link.client.session
                expect.works(f"unsubscribe(), {after.what}", partial(session.unsubscribe, after.watched.name))


@asserts("8.3.3-33", ack=("auto",), variant="refused-calls")
def test_refused_calls_leave_the_selector(case: Case) -> None:
    """After each refused opening and deletion still only what matches its selector joins, with a consumer and without."""
    with expect.all_of():
        for active in (False, True):
            for after in after_refusals(case, "durable", active=active):
                with expect.all_of():
                    send_coloured(after.sender, ["blue after", "red after"])
                    after.link.consumer.close()
                    again = after.watched.open(client=after.link.client)
                    expect.arrives(again, ["red before", "red after"])
