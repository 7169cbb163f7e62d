"""`Home`: what outlives a restart of the broker: settings, users, registered types, the clock; and who is connected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from reference_provider.broker import Broker
from reference_provider.clock import ProviderClock
from reference_provider.messages import MessageModel, TypeRegistry, Version
from reference_provider.store import StoreLimits
from tck.api import JMSSecurityException

if TYPE_CHECKING:
    from reference_provider.connections import ReferenceConnection


@dataclass(frozen=True, slots=True)
class Settings:
    """What a profile may set.

    Attributes:
        file: the database.
        version: the version of the specification to behave by.
        users: passwords by user name; empty means that anybody may connect.
    """

    file: Path
    version: Version = "3.1"
    users: Mapping[str, str] = field(default_factory=dict)
    limits: StoreLimits = field(default_factory=StoreLimits)


class Home:
    """The present broker and what it is opened with."""

    def __init__(self, settings: Settings, clock: ProviderClock) -> None:
        self.settings = settings
        self.clock = clock
        self.version = settings.version
        self.users = dict(settings.users)
        self.types = TypeRegistry()
        self.model = MessageModel(types=self.types, version=settings.version)
        self.connections: list[ReferenceConnection] = []
        self.broker = self._open()

    def _open(self) -> Broker:
        return Broker(self.settings.file, self.clock, self.settings.limits)

    def authenticate(self, user: str | None, password: str | None) -> None:
        """Check a user's password; JMSSecurityException when it is wrong. Without configured users, all may connect."""
        if self.users and (user is None or self.users.get(user) != password):
            raise JMSSecurityException(f"user {user!r} is unknown or the password is wrong", "AUTHENTICATION_FAILED")

    def register(self, connection: ReferenceConnection) -> None:
        """Keep a connection that has been made."""
        with self.broker.lock:
            self.connections.append(connection)

    def forget(self, connection: ReferenceConnection) -> None:
        """Drop a connection that is gone."""
        with self.broker.lock:
            if connection in self.connections:
                self.connections.remove(connection)

    def restart(self) -> None:
        """Stop in good order and open again on the same file; connections of before are dead."""
        self._lose_connections("the provider was restarted")
        self.broker.close()
        self.broker = self._open()

    def kill(self) -> None:
        """Lose all memory, as a killed process would, and open again on the same file."""
        self.broker.die()
        self._lose_connections("the provider died")
        self.broker = self._open()

    def close(self) -> None:
        """Stop in good order."""
        self._lose_connections("the provider was stopped")
        self.broker.close()

    def _lose_connections(self, why: str) -> None:
        for connection in list(self.connections):
            connection.sever(why)
