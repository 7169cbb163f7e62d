"""8.3.4 Shared durable subscriptions: what one session holds comes to no other when another consumer ends."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.lifecycle.held_messages import stay_with_their_holder


@asserts("8.3.4-6", ack=("client", "transacted"), api=("classic", "simplified"), variant="held")
def test_what_one_consumer_holds_comes_to_no_other(case: Case) -> None:
    """What a session has received and not settled comes to no consumer, whatever ends another one of its connection."""
    with expect.all_of():
        stay_with_their_holder(case, "shared durable")
