"""9.2 Inherited methods which a domain does not have."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.members import every_call


@asserts("9.2-28", variant="queue")
def test_a_browser_needs_a_queue(case: Case) -> None:
    """createBrowser() of null, with and without a selector, raises InvalidDestinationException at once."""
    session = case.client().session
    calls = partial(every_call, case, "Session", lambda: session, only=["createBrowser"])
    expect.all_raise(api.InvalidDestinationException, calls(queue=None), though_work=calls())
