"""What an administrator can do: drop destinations, override delivery options, inject faults, name users."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from reference_provider.broker import Cleaning
from reference_provider.connections import ReferenceConnection
from reference_provider.context import ReferenceContext
from reference_provider.places import Override, Place
from reference_provider.store import Statement
from tck.api import OMITTED, Destination, IllegalArgumentException, UnsupportedOperationException

if TYPE_CHECKING:
    from reference_provider.home import Home


def connection_of(link: object) -> ReferenceConnection:
    """Give the connection behind a connection or context of this provider."""
    if isinstance(link, ReferenceContext):
        return link.connection
    if isinstance(link, ReferenceConnection):
        return link
    raise IllegalArgumentException(f"{link!r} is no connection and no context of this provider")


class Administration:
    """The administrator's actions, by name."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._actions: dict[str, Callable[[dict[str, object]], object]] = {
            "override": self._override,
            "fail-next-commit": self._fail_next_commit,
            "users": self._users,
        }

    def perform(self, action: str, arguments: Mapping[str, object]) -> object:
        """Do one action; UnsupportedOperationException for an unknown one."""
        if action not in self._actions:
            raise UnsupportedOperationException(f"no action {action!r}; known: {sorted(self._actions)}")
        return self._actions[action](dict(arguments))

    def drop(self, destination: Destination) -> None:
        """Remove a destination with all it holds; one already gone is no error."""
        broker = self._home.broker
        with broker.lock:
            place = broker.existing_place(destination)
            if place is None:
                return
            broker.remove_place(place)
        if place.in_file:
            broker.commit(Cleaning(self._removal(place)))

    def _removal(self, place: Place) -> list[Statement]:
        row = (place.row,)
        return [
            ("delete from delivery where message in (select id from message where destination = ?)", row),
            ("delete from message where destination = ?", row),
            ("delete from subscription where destination = ?", row),
            ("delete from destination where id = ?", row),
        ]

    def _override(self, arguments: dict[str, object]) -> None:
        destination = arguments.pop("destination", None)
        known = {"delivery_mode", "priority", "time_to_live", "delivery_delay"}
        if not isinstance(destination, Destination) or not set(arguments) <= known:
            raise IllegalArgumentException(f"override takes destination and any of {sorted(known)}")
        chosen = {name: value for name, value in arguments.items() if value is not OMITTED}
        broker = self._home.broker
        with broker.lock:
            broker.place(destination).override = Override(**chosen)  # type: ignore[arg-type]

    def _fail_next_commit(self, arguments: dict[str, object]) -> None:
        link = arguments.pop("connection", None)
        connection_of(link).commit_fails = True

    def _users(self, arguments: dict[str, object]) -> None:
        self._home.users = {name: str(password) for name, password in arguments.items()}
