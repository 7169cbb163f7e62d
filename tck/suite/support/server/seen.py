"""The messages that listeners were called with before: a listener that fails only once must know, whatever JMSRedelivered says."""

from __future__ import annotations

import threading

from tck import api
from tck.suite.support.values.seen import body


class Seen:
    """The bodies of the messages that were asked for; several listeners may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the set; no other lock is taken under it
        self._bodies: set[str] = set()

    def again(self, message: api.Message) -> bool:
        """Return whether this was called with a message of the same body before."""
        text = str(body(message))
        with self._lock:
            known = text in self._bodies
            self._bodies.add(text)
        return known
