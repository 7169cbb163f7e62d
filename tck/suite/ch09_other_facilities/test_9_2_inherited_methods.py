"""9.2 Inherited methods which a domain does not have."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.colours import RED


@asserts("9.2-28", variant="queue")
def test_a_browser_needs_a_queue(case: Case) -> None:
    """createBrowser() of null, with and without a selector, raises InvalidDestinationException at once."""
    session = case.client().session
    make, queue = session.create_browser, case.queue()
    wrong, selecting = api.InvalidDestinationException, "createBrowser(null, selector)"
    expect.raises(wrong, lambda: make(None), what="createBrowser(null)", though_works=lambda: make(queue))
    expect.raises(wrong, lambda: make(None, RED), what=selecting, though_works=lambda: make(queue, RED))
