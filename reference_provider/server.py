"""`Server`: what outlives a restart of the broker: settings, users, registered types, the clock, and connections.

Imports `broker`. Must not know `client`: `ServedConnection` is the interface it needs from a connection.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reference_provider.broker.broker import Broker, Rules
from reference_provider.broker.recovery import open_broker
from reference_provider.clock import ProviderClock
from reference_provider.messages import Limits, MessageModel, TypeRegistry
from tck.api import InvalidClientIDException, JMSSecurityException, ResourceAllocationException


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a profile.

    Attributes:
        file: the database.
        rules: the rules of the broker.
        users: passwords by user name; if empty, any name and password are accepted.
        limits: the largest messages that are accepted.
    """

    file: Path
    rules: Rules = field(default_factory=Rules)
    users: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


class ServedConnection(Protocol):
    """The interface that the server needs from a connection; see `ReferenceConnection`."""

    @property
    def client_id_or_none(self) -> str | None:
        """Return the client identifier."""
        ...

    def break_link(self, why: str) -> bool:
        """Mark the link as broken; return False if it was broken or closed before."""
        ...

    def clean_up(self, why: str) -> None:
        """Undo the unfinished work of a broken link."""


class Server:
    """The present broker with its settings, and the open connections."""

    def __init__(self, settings: Settings, clock: ProviderClock) -> None:
        self.settings = settings
        self.clock = clock
        self.version = settings.rules.version
        self.users = dict(settings.users)
        self.types = TypeRegistry()
        self.model = MessageModel(self.types, settings.rules.version, settings.limits)
        self.connections: list[ServedConnection] = []
        self.connection_limit: int | None = None
        self._client_ids: dict[str, ServedConnection] = {}
        self.broker = self._open()

    def _open(self) -> Broker:
        return open_broker(self.settings.file, self.clock, self.settings.rules)

    def authenticate(self, user: str | None, password: str | None) -> None:
        """Check a user's password; JMSSecurityException if it is wrong.

        A client without credentials is accepted; if no users are configured, any credentials are accepted.
        """
        if self.users and user is not None and self.users.get(user) != password:
            raise JMSSecurityException(f"user {user!r} is unknown or the password is wrong", "AUTHENTICATION_FAILED")

    def check_room(self) -> None:
        """Raise ResourceAllocationException if the administrator's limit of connections is reached."""
        if self.connection_limit is not None and len(self.connections) >= self.connection_limit:
            raise ResourceAllocationException(
                f"{len(self.connections)} connections are open: no more are allowed", "LIMIT"
            )

    def claim_client_id(self, client_id: str | None, connection: ServedConnection) -> None:
        """Assign a client identifier to a connection; InvalidClientIDException if it is empty or in use."""
        if not client_id:
            raise InvalidClientIDException(f"{client_id!r} is no client identifier", "BAD_CLIENT_ID")
        with self.broker.lock:
            holder = self._client_ids.get(client_id)
            if holder is not None and holder is not connection:
                raise InvalidClientIDException(f"the client identifier {client_id!r} is in use", "CLIENT_ID_IN_USE")
            self._client_ids[client_id] = connection

    def register(self, connection: ServedConnection) -> None:
        """Add a new connection."""
        with self.broker.lock:
            self.connections.append(connection)

    def forget(self, connection: ServedConnection) -> None:
        """Remove a closed or broken connection."""
        with self.broker.lock:
            if connection in self.connections:
                self.connections.remove(connection)
            client_id = connection.client_id_or_none
            if client_id is not None and self._client_ids.get(client_id) is connection:
                del self._client_ids[client_id]

    def restart(self) -> None:
        """Stop in good order and open again on the same file; connections of before are broken."""
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
        lost = [connection for connection in list(self.connections) if connection.break_link(why)]
        for connection in lost:
            connection.clean_up(why)
