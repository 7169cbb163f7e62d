"""Destinations of another implementation: the suite's own, for calls with destinations that the provider did not create.

A provider may understand a foreign queue or topic by its name; what is neither a queue nor a topic it cannot understand.
"""

from __future__ import annotations

from tck import api


class ForeignDestination(api.Destination):
    """A destination that is neither a queue nor a topic."""


class ForeignQueue(api.Queue):
    """A queue by its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def queue_name(self) -> str:
        """Return the name."""
        return self._name

    def __str__(self) -> str:
        return f"foreign queue {self._name}"


class ForeignTopic(api.Topic):
    """A topic by its name."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def topic_name(self) -> str:
        """Return the name."""
        return self._name

    def __str__(self) -> str:
        return f"foreign topic {self._name}"
