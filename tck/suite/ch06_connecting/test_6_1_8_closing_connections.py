"""6.1.8 Closing a connection."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect


@asserts("6.1.8-35", ack=("client",))
def test_acknowledge_after_the_connection_was_closed(case: Case) -> None:
    """acknowledge() of a message raises IllegalStateException once the connection it came through is closed."""
    link = case.link()
    link.send_all(("one", "two"))
    expect.works("acknowledge() before", link.take().acknowledge)
    message = link.take()
    link.client.close()
    expect.raises(
        api.IllegalStateException, message.acknowledge, what="acknowledge() after the close of the connection"
    )
