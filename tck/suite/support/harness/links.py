"""The part of a link that judging needs: `clients.link.Link` is the link that tests use."""

from __future__ import annotations

from typing import Protocol

from tck import api


class Settling(Protocol):
    """A client that can settle a message."""

    def settle(self, message: api.Message | None = None, /) -> None:
        """Commit a transacted session, or acknowledge the message where its mode asks for that."""


class AnyLink(Protocol):
    """A client with one destination, a producer and a consumer."""

    @property
    def client(self) -> Settling:
        """The client."""

    @property
    def destination(self) -> api.Destination:
        """The destination."""

    @property
    def consumer(self) -> api.MessageConsumer | api.JMSConsumer:
        """The consumer."""

    def put(self, message: api.Message | str, /) -> api.Message:
        """Send without settling; a string is sent as a text message."""

    def send(self, message: api.Message | str, /) -> api.Message:
        """Send, and commit if transacted."""

    def poll(self, milliseconds: float | None = None, /) -> api.Message | None:
        """Receive one message without settling, or None after a timeout."""

    def mark(self, *, mode: int | None = None, priority: int | None = None) -> str:
        """Send a marker and return its body."""
