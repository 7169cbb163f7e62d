"""Providers that refuse a legal call although all else works, and those whose refusals lack something."""

from faults.kit import *


@nearly_right(
    "closing-a-connection-raises",
    "close of a connection closes it and raises JMSException",
    "6.1.8-13",
    "3.4.7-2",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    original(connection)
    raise JMSException("closed, with an error")


@nearly_right("no-browsers", "create_browser of a session is refused", "4.1.6-2")
def _browser(patch):
    def create_browser(*_):
        raise JMSException("browsers are not supported")

    patch.replace(ReferenceSession, "create_browser", create_browser)


@nearly_right(
    "empty-bytes-have-a-body", "an empty bytes message can be read as four zero bytes", "3.11-12", "10.3-27", "10.3-28"
)
def _empty(patch):
    original = ReferenceBytesMessage.reset

    def reset(self):
        original(self)
        if self.body_length == 0:
            self._data = bytes(4)

    patch.replace(ReferenceBytesMessage, "reset", reset)


@nearly_right("end-without-description", "MessageEOFException has an empty description", "10.2-5")
def _undescribed(patch):
    original = ReferenceStreamMessage.read_object

    def read_object(self):
        try:
            return original(self)
        except MessageEOFException as error:
            raise MessageEOFException("", error.error_code) from error

    patch.replace(ReferenceStreamMessage, "read_object", read_object)


@nearly_right(
    "refused-commit-drops-the-branch", "commit within a branch raises, and drops what the branch has sent", "10.3-46"
)
def _branch(patch):
    original = ReferenceXASession.commit

    def commit(self):
        self.state.work.sends = []
        original(self)

    patch.replace(ReferenceXASession, "commit", commit)
