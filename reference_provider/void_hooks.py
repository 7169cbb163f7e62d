"""The sound reference provider with void hooks: it offers every hook that has an effect, and none has one.

All that it does is right, so a run that finds nothing on it has taken hooks at their word.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from reference_provider.adapter import open_provider
from reference_provider.clock import ProviderClock
from reference_provider.provider import ReferenceProvider
from tck import api


class _StandingClock(api.Clock):
    """The provider's own clock, which nobody can advance."""

    def __init__(self, inner: ProviderClock) -> None:
        self._inner = inner

    @property
    def virtual(self) -> bool:
        """As the provider's."""
        return self._inner.virtual

    def now(self) -> int:
        """As the provider's."""
        return self._inner.now()

    def monotonic_ns(self) -> int:
        """As the provider's."""
        return self._inner.monotonic_ns()

    def advance(self, ms: int) -> None:
        """Do nothing."""

    def event(self) -> api.Event:
        """As the provider's."""
        return self._inner.event()

    def actor(self) -> AbstractContextManager[object]:
        """As the provider's."""
        return self._inner.actor()


class VoidHooks(ReferenceProvider):
    """A reference provider whose hooks do nothing."""

    @property
    def hooks(self) -> frozenset[api.Hook]:
        """Offer every hook of the sound provider, and that credentials are checked."""
        return super().hooks | {api.Hook.AUTHENTICATION}

    @property
    def clock(self) -> api.Clock:  # type: ignore[override] # the part that the suite sees
        """Return a clock that nobody can advance."""
        return _StandingClock(self.server.clock)

    def restart(self) -> None:
        """Do nothing."""

    def kill(self) -> None:
        """Do nothing."""

    def sever(self, connection: api.Connection | api.JMSContext) -> None:
        """Do nothing."""

    def pending(self, destination: api.Destination) -> int:
        """Count nothing."""
        del destination
        return 0

    def administer(self, action: str, **arguments: object) -> object:
        """Do nothing."""
        del action, arguments
        return None


def open_void_hooks(settings: Mapping[str, object], work_dir: Path) -> VoidHooks:
    """Open the provider with the settings of the reference provider; without users it checks no credentials."""
    sound = open_provider({key: value for key, value in settings.items() if key != "users"}, work_dir)
    return VoidHooks(sound.server, lambda: None)
