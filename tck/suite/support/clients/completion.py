"""Asynchronous sends, and the message as their completion listener saw it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided


class Completion(api.CompletionListener):
    """A completion listener that looks at the message in the callback.

    Attributes:
        seen: the result of `look`, once the send has completed.
        error: the exception of a failed send.
    """

    def __init__(self, done: api.Event, look: Callable[[api.Message], Mapping[str, object]]) -> None:
        self.done = done
        self._look = look
        self.seen: Mapping[str, object] | None = None
        self.error: Exception | None = None

    def on_completion(self, message: api.Message) -> None:
        """Look at the message."""
        try:
            self.seen = self._look(message)
        finally:
            self.done.set()

    def on_exception(self, message: api.Message, exception: Exception) -> None:
        """Keep the error."""
        del message
        self.error = exception
        self.done.set()


def seen_at_completion(
    link: Link, message: api.Message, look: Callable[[api.Message], Mapping[str, object]]
) -> Mapping[str, object]:
    """Send a message asynchronously; return the result of `look` inside the completion callback.

    Raises:
        Undecided: the send failed, or did not complete within the profile's deadline.
    """
    done = link.case.provider.clock.event()
    listener = Completion(done, look)
    producer: Any = link.sender.producer
    if link.case.api == "simplified":
        producer.set_async(listener).send(link.destination, message)
    else:
        producer.send(message, completion_listener=listener)
    if not done.wait(link.case.timing.deadline) or listener.seen is None:
        raise Undecided(f"the asynchronous send did not complete: {listener.error or 'no callback'}")
    return listener.seen
