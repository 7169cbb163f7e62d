"""`partial` fills the members that a class of an adapter lacks, and none that it has."""

import pytest

from tck.api import Queue, Session, TextMessage, UnsupportedOperationException, partial


@partial
class HalfSession(Session):
    def create_queue(self, queue_name):
        return queue_name


@partial
class HalfMessage(TextMessage):
    @property
    def text(self):
        return "x"


def test_what_is_written_works_and_the_rest_is_absent_by_name():
    session = HalfSession()
    assert session.create_queue("q") == "q"
    with pytest.raises(UnsupportedOperationException, match=r"Session\.create_browser is not implemented"):
        session.create_browser("q", "selector")
    with pytest.raises(UnsupportedOperationException, match=r"AutoCloseable\.close|Session\.close"):
        session.close()


def test_properties_are_absent_too_to_read_and_to_write():
    message = HalfMessage()
    assert message.text == "x"
    with pytest.raises(UnsupportedOperationException, match=r"Message\.jms_type is not implemented"):
        message.jms_type  # noqa: B018 - reading is the point
    with pytest.raises(UnsupportedOperationException, match=r"Message\.jms_type is not implemented"):
        message.jms_type = "t"
    with pytest.raises(UnsupportedOperationException, match=r"Message\.set_int_property"):
        message.set_int_property("a", 1)


def test_a_complete_class_stays_as_it_is():
    class Named(Queue):
        @property
        def queue_name(self):
            return "q"

        def __str__(self):
            return "q"

    assert partial(Named)().queue_name == "q"
