"""Providers that refuse a legal call although all else works, and those whose refusals lack something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.objects import ReferenceXASession
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import JMSException, MessageEOFException


@nearly_right(
    "closing-a-connection-raises", "close of a connection closes it and raises JMSException", "6.1.8-13", "3.4.7-2"
)
def _close(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        original(connection)
        raise JMSException("closed, with an error")

    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right("no-browsers", "create_browser of a session is refused", "4.1.6-2")
def _browser(patch: Patch) -> None:
    def create_browser(*_: Any) -> None:
        raise JMSException("browsers are not supported")

    patch.replace(ReferenceSession, "create_browser", create_browser)


@nearly_right(
    "empty-bytes-have-a-body", "an empty bytes message can be read as four zero bytes", "3.11-12", "10.3-27", "10.3-28"
)
def _empty(patch: Patch) -> None:
    original = ReferenceBytesMessage.reset

    def reset(self: ReferenceBytesMessage) -> None:
        original(self)
        if self.body_length == 0:
            self._data = bytes(4)

    patch.replace(ReferenceBytesMessage, "reset", reset)


@nearly_right("end-without-description", "MessageEOFException has an empty description", "10.2-5")
def _undescribed(patch: Patch) -> None:
    original = ReferenceStreamMessage.read_object

    def read_object(self: ReferenceStreamMessage) -> object:
        try:
            return original(self)
        except MessageEOFException as error:
            raise MessageEOFException("", error.error_code) from error

    patch.replace(ReferenceStreamMessage, "read_object", read_object)


@nearly_right(
    "refused-commit-drops-the-branch", "commit within a branch raises, and drops what the branch has sent", "10.3-46"
)
def _branch(patch: Patch) -> None:
    original = ReferenceXASession.commit

    def commit(self: ReferenceXASession) -> None:
        self.state.work.sends = []
        original(self)

    patch.replace(ReferenceXASession, "commit", commit)
