"""2.3 Administration: what a client needs of administered objects."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect


@asserts("2.3-1")
def test_a_factory_and_a_destination_are_all_that_a_client_needs(case: Case) -> None:
    """With a connection factory, a destination and the standard interfaces alone a message is sent and received."""
    link = expect.works("connecting, with a producer and a consumer", case.link)
    expect.works("sending", lambda: link.send("x"))
    expect.only(link, ["x"])
