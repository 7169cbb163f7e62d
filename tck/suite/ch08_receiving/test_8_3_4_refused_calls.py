"""8.3.4 Shared durable subscriptions after calls on them that were refused, and after the close of one of their consumers."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.lifecycle.refused_subscribing import after_refusals


@asserts("8.3.4-25", ack=("auto",), variant="refused-calls")
def test_refused_calls_leave_the_selector(case: Case) -> None:
    """After each refused opening and deletion only what matches its selector joins, with a consumer and without."""
    with expect.all_of():
        for active in (False, True):
            for after in after_refusals(case, "shared durable", active=active):
                with expect.all_of():
                    send_coloured(after.sender, ["blue after", "red after"])
                    after.link.consumer.close()
                    send_coloured(after.sender, ["blue closed", "red closed"])
                    again = after.watched.open(client=after.link.client)
                    expect.arrives(again, ["red before", "red after", "red closed"])
