"""The point of a test's axes at which a case runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """The rows, domain, interface and acknowledge mode of a case; its name is a path and a selector."""

    assertions: tuple[str, ...]
    domain: str
    api: str
    ack: str
    variant: str = ""

    @property
    def area(self) -> str:
        """The domain as the catalogue and profiles name it: `ptp` or `pubsub`."""
        return "ptp" if self.domain == "queue" else "pubsub"

    @property
    def name(self) -> str:
        """For instance `3.4.1-1/queue/classic/auto`."""
        parts = (self.assertions[0], self.domain, self.api, self.ack, self.variant)
        return "/".join(part for part in parts if part)
