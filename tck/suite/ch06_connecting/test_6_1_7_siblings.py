"""6.1.7 Exception listeners: what the sessions of a connection do and how they end leaves its listener."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.lifecycle.siblings import sibling_calls


class _Silent(api.ExceptionListener):
    """A listener that does nothing."""

    def on_exception(self, exception: api.JMSException) -> None:
        """Do nothing."""


def _keeps_the_listener(case: Case) -> None:
    """Demand the listener after each call of another session, from the first session and from one that stays beside it."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    beside = link.client.peer()
    link.client.connection.exception_listener = listener = _Silent()
    calls = sibling_calls(link.client)
    with expect.all_of():
        for what, call in calls.items():
            call()
            for words, client in (("the first", link.client), ("one beside it", beside)):
                seen = client.connection.exception_listener is listener
                expect.true(f"after {what} {words} has the listener that was set", seen, "it has another one or none")


@asserts("6.1.7-3", ack=("auto", "transacted"), api=("classic", "domain-specific"), variant="siblings")
def test_a_session_leaves_the_exception_listener(case: Case) -> None:
    """Whatever a session of the connection does, and however it ends, getExceptionListener() returns the object that was set."""
    _keeps_the_listener(case)


@asserts("6.1.7-6", ack=("auto", "transacted"), variant="siblings")
def test_a_context_leaves_the_exception_listener_of_its_siblings(case: Case) -> None:
    """Whatever a context does, and however it ends, its siblings have the listener that was set."""
    _keeps_the_listener(case)
