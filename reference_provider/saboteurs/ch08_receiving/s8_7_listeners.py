"""Faults in 8.7: message listeners."""

from __future__ import annotations

from typing import Any

from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import MessageListener


@saboteur("8.7-15", "getMessageListener() returns a wrapper of the listener")
def _(patch: Patch) -> None:
    original: Any = ReferenceConsumer.message_listener

    def get(self: ReferenceConsumer) -> MessageListener | None:
        listener = original.fget(self)
        return None if listener is None else _Passing(listener)

    patch.replace(ReferenceConsumer, "message_listener", property(get, original.fset))


class _Passing(MessageListener):
    """Passes messages to a listener."""

    def __init__(self, listener: MessageListener) -> None:
        self._listener = listener

    def on_message(self, message: Any) -> None:
        """Pass a message to the listener."""
        self._listener.on_message(message)
