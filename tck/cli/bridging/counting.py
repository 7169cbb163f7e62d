"""Counts what bridges send and take: objects that stand before those of a provider, from it to producers and consumers.

Only calls of the common interfaces are seen; all others go through unchanged. Each key is counted by one bridge, one call at a time.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, cast

from tck import api as jms

_MAKERS: Final = frozenset(
    [
        "connection_factory",
        "create_connection",
        "create_session",
        "create_producer",
        "create_consumer",
        "create_durable_subscriber",
    ]
)


def counted(provider: jms.Provider, counts: Counter[str]) -> jms.Provider:
    """Return what stands for a provider and counts: `jms` what was sent, `channel` what a listener took or was received."""
    return cast("jms.Provider", _Seen(provider, counts))


class _Seen:
    def __init__(self, inner: object, counts: Counter[str]) -> None:
        self.__dict__.update(_inner=inner, _counts=counts)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever stands behind
        found = getattr(self._inner, name)
        if name in _MAKERS:
            return lambda *given, **named: _Seen(found(*given, **named), self._counts)
        if name == "send" or name.startswith("receive"):
            return lambda *given, **named: self._called(name, found(*given, **named))
        return found

    def _called(self, name: str, result: object) -> object:
        self._counts["jms" if name == "send" else "channel"] += name == "send" or result is not None
        return result

    def __setattr__(self, name: str, value: object) -> None:
        listens = name == "message_listener" and isinstance(value, jms.MessageListener)
        setattr(self._inner, name, _Listener(value, self._counts) if listens else value)


class _Listener(jms.MessageListener):
    def __init__(self, inner: Any, counts: Counter[str]) -> None:  # noqa: ANN401 - a listener
        self._inner, self._counts = inner, counts

    def on_message(self, message: jms.Message) -> None:
        self._inner.on_message(message)
        self._counts["channel"] += 1
