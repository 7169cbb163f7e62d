"""A wrapper around a provider's objects, such as the recorder of traces: all that running a program needs to know of it."""

from __future__ import annotations

from typing import Any, Protocol


class Wrapper(Protocol):
    """Wraps a provider, and every object that comes from it."""

    def wrap(self, provider: Any) -> Any:
        """Return a provider whose calls pass through the wrapper."""

    def unwrap(self, value: Any, owner: object) -> Any:
        """Return the provider's own object; any other value as it is."""
