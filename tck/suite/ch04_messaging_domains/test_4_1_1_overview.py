"""4.1.1 Point-to-point messaging in every interface."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered


@asserts("4.1.1-1", ack=("client",))
def test_queues_behave_alike_in_every_interface(case: Case) -> None:
    """What is received and not acknowledged is redelivered, and what is acknowledged is not, in every interface."""
    link = case.link()
    link.send_all(numbered(3))
    expect.arrives(link, numbered(3), settle=False)
    link.client.recover()
    expect.arrives(link, numbered(3))
    link.client.recover()
    expect.only(link, [])
