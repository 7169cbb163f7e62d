"""Links: a message that does not come leaves the case undecided, and breaks 8.5-2 only where a second consumer is given a fresh one."""

from types import SimpleNamespace

import pytest

from tck import api
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided


class _Queue(api.Queue):
    queue_name = "q"
    __str__ = object.__repr__


class _Topic(api.Topic):
    topic_name = "t"
    __str__ = object.__repr__


def _broken(second, *, destination=None, selector=None):
    """Return the rows that a link breaks to which no message came; `second` is what a second consumer of the queue is given."""
    elsewhere = []
    case = SimpleNamespace(
        timing=SimpleNamespace(deadline=1000),
        link=lambda _, destination: SimpleNamespace(poll=lambda: second),
        marks=SimpleNamespace(elsewhere=elsewhere),
    )
    link = Link.__new__(Link)
    link.case, link.destination = case, destination or _Queue()
    link._consumer = SimpleNamespace(message_selector=selector, close=lambda: None, receive=lambda _: None)
    with pytest.raises(Undecided, match="no message came within 1000 ms"):
        link.take()
    return [each.row for each in elsewhere]


def test_only_a_fresh_message_that_a_second_consumer_is_given_at_once_breaks_the_row():
    fresh, again = SimpleNamespace(jms_redelivered=False), SimpleNamespace(jms_redelivered=True)
    assert _broken(fresh) == ["8.5-2"]
    assert _broken(None) == []
    assert _broken(again) == []
    assert _broken(fresh, destination=_Topic()) == []
    assert _broken(fresh, selector="a = 1") == []
