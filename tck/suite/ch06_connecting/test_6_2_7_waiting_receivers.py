"""6.2.7 Messages that a rollback returns to their queue reach whoever waits for them already."""

from __future__ import annotations

from tck.suite.support import Case, asserts
from tck.suite.support.lifecycle.waiting import reach_the_waiting


@asserts("6.2.7-9", ack=("transacted",), variant="waiting")
def test_rollback_reaches_a_consumer_that_waits(case: Case) -> None:
    """After a rollback and the close of the consumer the messages go to a consumer of another session that waits already."""
    reach_the_waiting(case, lambda link: link.client.rollback(), closed_first=True)
