"""Administrative actions: drop destinations, override delivery options, inject faults, manage users."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from reference_provider.broker.physical_destinations import Override, PhysicalDestination
from reference_provider.broker.xa_branches import State
from reference_provider.client.connection_factories import Parameters
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.naming import FACTORIES
from reference_provider.store import Cleaning, Statement
from tck.api import Destination, IllegalArgumentException, UnsupportedOperationException

if TYPE_CHECKING:
    from reference_provider.server import Server


def connection_of(link: object) -> ReferenceConnection:
    """Return the connection of a connection or context of this provider."""
    if isinstance(link, ReferenceContext):
        return link.connection
    if isinstance(link, ReferenceConnection):
        return link
    raise IllegalArgumentException(f"{link!r} is no connection and no context of this provider")


class Administration:
    """The administrator's actions by name; arguments are keywords.

    | action | arguments | effect |
    |---|---|---|
    | `override` | destination, delivery_mode, priority, time_to_live, delivery_delay | prescribes these for all messages sent there |
    | `fail-next-commit` | connection | the next commit of one of its sessions ends in a rollback |
    | `fail-next-sends` | destination, count=1 | the next sends to it fail with ResourceAllocationException |
    | `users` | one per user name: password | only these credentials are accepted from now on; without any, those of the settings |
    | `limit` | connections | the largest number of open connections; None for no limit |
    | `factory` | kind, client_id, user_name, password | returns a connection factory with these parameters |
    | `destinations` | | lists the physical destinations, `kind:name` |
    | `subscriptions` | | lists the durable subscriptions, as (client identifier, name) |
    | `connections` | | counts the open connections |
    | `consumers` | destination | counts the open consumers of a destination |
    | `heuristic` | xid, outcome (`commit` or `rollback`) | completes a prepared branch by the administrator's order |
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._actions: dict[str, Callable[[dict[str, Any]], object]] = {
            "override": self._override,
            "fail-next-commit": self._fail_next_commit,
            "fail-next-sends": self._fail_next_sends,
            "users": self._users,
            "limit": self._limit,
            "factory": self._factory,
            "destinations": self._destinations,
            "subscriptions": self._subscriptions,
            "connections": self._connections,
            "consumers": self._consumers,
            "heuristic": self._heuristic,
        }

    def perform(self, action: str, arguments: Mapping[str, object]) -> object:
        """Perform one action; UnsupportedOperationException for an unknown one."""
        if action not in self._actions:
            raise UnsupportedOperationException(f"no action {action!r}; known: {sorted(self._actions)}")
        return self._actions[action](dict(arguments))

    def drop(self, destination: Destination) -> None:
        """Remove a destination with all it holds; no effect if it does not exist."""
        broker = self._server.broker
        with broker.lock:
            physical = broker.find_physical_destination(destination)
            if physical is None:
                return
            broker.remove_physical_destination(physical)
        if physical.in_file:
            broker.commit(Cleaning(self._removal(physical)))

    def _removal(self, physical: PhysicalDestination) -> list[Statement]:
        row = (physical.row,)
        return [
            ("delete from delivery where message in (select id from message where destination = ?)", row),
            ("delete from message where destination = ?", row),
            ("delete from subscription where destination = ?", row),
            ("delete from destination where id = ?", row),
        ]

    # --- what is sent -----------------------------------------------------------------------------------------

    def _override(self, arguments: dict[str, Any]) -> None:
        destination = arguments.pop("destination", None)
        known = {"delivery_mode", "priority", "time_to_live", "delivery_delay"}
        if not isinstance(destination, Destination) or not set(arguments) <= known:
            raise IllegalArgumentException(f"override takes destination and any of {sorted(known)}")
        broker = self._server.broker
        with broker.lock:
            broker.physical_destination(destination).override = Override(**arguments)

    def _fail_next_commit(self, arguments: dict[str, Any]) -> None:
        connection_of(arguments.get("connection")).commit_fails = True

    def _fail_next_sends(self, arguments: dict[str, Any]) -> None:
        broker = self._server.broker
        with broker.lock:
            broker.physical_destination(arguments.get("destination")).failing_sends = int(arguments.get("count", 1))

    # --- who may connect --------------------------------------------------------------------------------------

    def _users(self, arguments: dict[str, Any]) -> None:
        changed = {name: str(password) for name, password in arguments.items()}
        self._server.users = changed or dict(self._server.settings.users)

    def _limit(self, arguments: dict[str, Any]) -> None:
        self._server.connection_limit = arguments.get("connections")

    def _factory(self, arguments: dict[str, Any]) -> object:
        kind = arguments.pop("kind", "connection-factory")
        if kind not in FACTORIES:
            raise IllegalArgumentException(f"kind {kind!r} of a factory: expected one of {sorted(FACTORIES)}")
        return FACTORIES[kind](self._server, Parameters(**arguments))

    # --- what there is ----------------------------------------------------------------------------------------

    def _destinations(self, arguments: dict[str, Any]) -> list[str]:
        del arguments
        broker = self._server.broker
        with broker.lock:
            for connection in self._server.connections:
                connection_of(connection).temporaries.sweep()
            return sorted(str(physical.destination) for physical in broker.physical_destinations())

    def _subscriptions(self, arguments: dict[str, Any]) -> list[tuple[str | None, str]]:
        del arguments
        broker = self._server.broker
        with broker.lock:
            return [one.key for one in broker.subscriptions.all_durable() if one.key is not None]

    def _connections(self, arguments: dict[str, Any]) -> int:
        del arguments
        return len(self._server.connections)

    def _consumers(self, arguments: dict[str, Any]) -> int:
        broker = self._server.broker
        with broker.lock:
            physical = broker.find_physical_destination(arguments["destination"])
            return 0 if physical is None else physical.consumers

    # --- transactions -----------------------------------------------------------------------------------------

    def _heuristic(self, arguments: dict[str, Any]) -> None:
        outcomes = {"commit": State.HEURISTIC_COMMIT, "rollback": State.HEURISTIC_ROLLBACK}
        outcome = outcomes.get(arguments.get("outcome", ""))
        broker = self._server.broker
        with broker.lock:
            branch = broker.branches.find(arguments["xid"])
        if branch is None or branch.state is not State.PREPARED or outcome is None:
            raise IllegalArgumentException(
                "heuristic takes the xid of a prepared branch and commit or rollback as outcome"
            )
        broker.branches.complete_heuristically(branch, outcome)
