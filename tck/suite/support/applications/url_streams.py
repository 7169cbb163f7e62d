"""Byte streams behind URLs: `jms://Queue/NAME` and `jms://Topic/NAME` open as files to read from or to write to.

A process has one connection for queues and one for topics; each stream has a session of its own. What is written collects
until `flush` sends it as one bytes message, whose length is its int property `MessageLengthInBytes`. A reader gives the bytes
of one message after the other. Knows nothing of scenarios and of any provider.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tck import api
from tck.suite.support.clients.client import Client, Consumer

_Result = TypeVar("_Result")

LENGTH = "MessageLengthInBytes"
DOMAINS: Mapping[str, str] = {"Queue": "queue", "Topic": "topic"}
"""The domain of each host that a URL may have."""


class UrlError(Exception):
    """A URL or an option that is wrong, or an error of the provider; `linked` is the text of the provider's own cause."""

    def __init__(self, text: str, linked: str = "") -> None:
        super().__init__(text)
        self.linked = linked


class Urls:
    """The streams of a process.

    Args:
        connect: opens a started connection with a session, for `queue` or `topic`.
        find: returns the destination of a domain with a name.
    """

    def __init__(self, connect: Callable[[str], Client], find: Callable[[str, str], api.Destination]) -> None:
        self._connect, self._find = connect, find
        self._clients: dict[str, Client] = {}

    def writer(self, url: str, options: Mapping[str, str] | None = None) -> UrlWriter:
        """Open a stream to write to; options as for `UrlWriter.set`.

        Raises:
            UrlError: the URL or an option is wrong, or the provider refuses.
        """
        session, destination = self._session(url)
        return UrlWriter(session, destination, options or {})

    def reader(self, url: str, timeout: int, selector: str | None = None) -> UrlReader:
        """Open a stream to read from; it ends when no message comes within `timeout` ms.

        Raises:
            UrlError: the URL is wrong, or the provider refuses.
        """
        session, destination = self._session(url)
        return UrlReader(session, explained(lambda: session.consumer(destination, selector)), timeout)

    def _session(self, url: str) -> tuple[Client, api.Destination]:
        scheme, host, path, *_ = urlsplit(url)
        if scheme != "jms" or host not in DOMAINS or not path.strip("/"):
            raise UrlError(f"expected jms://Queue/NAME or jms://Topic/NAME; saw {url}")
        domain = DOMAINS[host]
        if domain not in self._clients:
            self._clients[domain] = explained(lambda: self._connect(domain))
        return explained(self._clients[domain].peer), self._find(domain, path.strip("/"))


def explained(call: Callable[[], _Result]) -> _Result:
    """Call the provider; turn its errors into one of this module.

    Raises:
        UrlError: the provider raised.
    """
    try:
        return call()
    except (api.JMSException, api.JMSRuntimeException) as error:
        cause = error.linked_exception if isinstance(error, api.JMSException) else error.__cause__
        raise UrlError(str(error), str(cause or "")) from error


class _UrlStream(io.RawIOBase):
    """A stream of a session."""

    def __del__(self) -> None:
        """Leave a stream that nobody closed as it is.

        Python's streams close themselves when they are collected. That can happen in any call, the provider's too: a
        session closed there would wait for a lock that its own thread holds.
        """


class UrlWriter(_UrlStream):
    """A stream to write to."""

    def __init__(self, client: Client, destination: api.Destination, options: Mapping[str, str]) -> None:
        super().__init__()
        self._client = client
        self._sender = client.sender(destination).set(mode=api.DeliveryMode.PERSISTENT, priority=9, ttl=0)
        self._content = bytearray()
        for name, value in options.items():
            self.set(name, value)

    def set(self, name: str, value: str) -> None:
        """Set an option of the messages to come: `persistent`, `priority` or `timeToLive` (ms).

        Raises:
            UrlError: there is no such option, or it cannot have that value.
        """
        if name == "persistent" and value in ("true", "false"):
            modes = {"true": api.DeliveryMode.PERSISTENT, "false": api.DeliveryMode.NON_PERSISTENT}
            self._sender.set(mode=modes[value])
        elif name == "priority" and value.isdecimal() and int(value) <= 9:
            self._sender.set(priority=int(value))
        elif name == "timeToLive" and value.isdecimal():
            self._sender.set(ttl=int(value))
        else:
            raise UrlError(f"expected persistent, priority or timeToLive with a value it can have; saw {name}={value}")

    def close(self) -> None:
        """Send what was written since the last flush, and close the session of the stream."""
        if not self.closed:
            self.flush()
            self._client.close_session()
        super().close()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, content: Any, /) -> int:  # noqa: ANN401 - any buffer, as io has it
        """Collect bytes."""
        self._content += content
        return len(content)

    def flush(self) -> None:
        """Send what was written since the last flush; nothing if nothing was written."""
        content, self._content = bytes(self._content), bytearray()
        if content:
            message: api.BytesMessage = self._client.session.create_bytes_message()
            message.write_bytes(content)
            message.set_int_property(LENGTH, len(content))
            self._sender.send(message)


class UrlReader(_UrlStream):
    """A stream to read from.

    Attributes:
        message: the message that is being read, or was read last.
    """

    def __init__(self, client: Client, consumer: Consumer, timeout: int) -> None:
        super().__init__()
        self._client = client
        self._consumer, self._timeout = consumer, timeout
        self.message: api.BytesMessage | None = None

    def close(self) -> None:
        """Close the session of the stream."""
        if not self.closed:
            self._client.close_session()
        super().close()

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - likewise
        """Read bytes of the current message, or of the next when that is at its end; 0 at the end of the stream."""
        if len(buffer) == 0:
            return 0
        while (read := self._part(buffer)) <= 0:
            message = self._consumer.receive(self._timeout)
            if not isinstance(message, api.BytesMessage):
                return 0
            self.message = message
        return read

    def _part(self, buffer: Any) -> int:  # noqa: ANN401 - likewise
        part = bytearray(len(buffer))
        read = -1 if self.message is None else self.message.read_bytes(part)
        buffer[: max(read, 0)] = part[: max(read, 0)]
        return read


def write_utf(stream: io.RawIOBase, text: str) -> None:
    """Write a text with its length in two bytes before it."""
    content = text.encode()
    stream.write(len(content).to_bytes(2, "big") + content)


def read_utf(stream: io.RawIOBase) -> str:
    """Read a text that `write_utf` wrote."""
    length = int.from_bytes(exactly(stream, 2), "big")
    return exactly(stream, length).decode()


def exactly(stream: io.RawIOBase, size: int) -> bytes:
    """Read so many bytes, or fewer at the end of the stream."""
    content = bytearray()
    while len(content) < size and (part := stream.read(size - len(content))):
        content += part
    return bytes(content)
