"""A tuple space on a queue: whoever knows the queue writes entries and takes them, by filters if the space has them."""

from __future__ import annotations

from tck import api
from tck.suite.support.clients.client import Client

FOREVER = -1
"""A take that waits without limit."""


class SpaceError(Exception):
    """A take or a write that the space cannot do; the text tells why."""


class QSpace:
    """A tuple space: one connection with one session, and a receiver for each take.

    An entry is a bytes message: its length, then its content; its filters are properties.
    """

    def __init__(
        self, client: Client, queue: api.Queue, *, filters: bool = True, mode: int = api.DeliveryMode.PERSISTENT
    ) -> None:
        self._client = client
        self._queue = queue
        self._filters = filters
        self._sender = client.sender(queue).set(mode=mode, priority=9)

    def write(self, content: bytes, **filters: str) -> None:
        """Write an entry."""
        message: api.BytesMessage = self._client.session.create_bytes_message()
        message.write_int(len(content))
        message.write_bytes(content)
        for name, value in filters.items():
            message.set_string_property(name, value)
        self._sender.send(message)

    def take(self, timeout: int = 0, selector: str | None = None) -> bytes:
        """Take the next entry that the selector matches, waiting up to `timeout` ms; 0 is not at all, -1 without limit.

        Raises:
            SpaceError: there is none, or the space cannot do that.
        """
        if timeout < FOREVER:
            raise SpaceError("Invalid Timeout specified")
        if selector is not None and not self._filters:
            raise SpaceError("Filters not Allowed in this space")
        try:
            receiver = self._client.consumer(self._queue, selector)
        except (api.IllegalStateException, api.IllegalStateRuntimeException):
            raise SpaceError("This space has been shutdown and must be restarted.") from None
        message = receiver.receive_no_wait() if timeout == 0 else receiver.receive(max(timeout, 0))
        receiver.close()
        if not isinstance(message, api.BytesMessage):
            raise SpaceError("No message to Take")
        self._client.case.witness("an entry was taken from the space")
        return content_of(message)

    def takes(self, timeout: int = 0, selector: str | None = None) -> bytes | None:
        """Take the next entry; None if there is none in time."""
        try:
            return self.take(timeout, selector)
        except SpaceError:
            return None

    def drain(self, timeout: int) -> list[bytes]:
        """Take entries until there is none for `timeout` ms."""
        taken: list[bytes] = []
        while (content := self.takes(timeout)) is not None:
            taken.append(content)
        return taken

    def shut_down(self) -> None:
        """Close the connection of the space."""
        self._client.close()


def content_of(message: api.BytesMessage) -> bytes:
    """Return the content of an entry."""
    buffer = bytearray(message.read_int())
    read = message.read_bytes(buffer) if buffer else 0
    return bytes(buffer[: max(read, 0)])
