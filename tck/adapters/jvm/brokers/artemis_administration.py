"""What an administrator of an embedded ActiveMQ Artemis can do, and failures by a plugin of the server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final

from tck.adapters.jvm.brokers.administration import Administration
from tck.adapters.jvm.machine import Machine
from tck.api import UnsupportedOperationException

_A: Final = "org.apache.activemq.artemis."
_ANYBODY: Final = "tck-anybody"
"""The user that a client without credentials is."""
_ROLE: Final = "tck"
_RIGHTS: Final = (12, 10, 8, 7)
"""The number of permissions of a role, by release."""


class Sends:
    """A plugin of the server that fails the next messages to some addresses; methods are named as Java's are."""

    def __init__(self, machine: Machine) -> None:
        self._failure = machine.type(f"{_A}api.core.ActiveMQIOErrorException")
        self._message = machine.type(f"{_A}api.core.Message")
        self._failing: dict[str, int] = {}

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Do nothing at all other events: JPype does not find the default methods that an interface inherits."""
        return lambda *_: None

    def fail(self, address: str, count: int) -> None:
        """Fail so many more messages to an address."""
        self._failing[address] = count

    def beforeSend(self, *arguments: Any) -> None:  # noqa: N802 - Java's name; with and without the session
        """Refuse a message, as an error of the store does."""
        address = str(next(each for each in arguments if isinstance(each, self._message)).getAddress())
        left = self._failing.pop(address, 0)
        if left > 1:
            self._failing[address] = left - 1
        if left:
            raise self._failure(f"{address} fails, as its administrator demanded")


class Administrator(Administration):
    """The actions of `tck.api.Provider.administer` on a running server.

    Args:
        machine: The Java virtual machine.
        server: The ``ActiveMQServer``.
        is_end: Makes the test whether a connection of the server is the other end of a client's.
    """

    product = "Artemis"

    def __init__(self, machine: Machine, server: Any, is_end: Callable[[Any], Callable[[Any], bool]]) -> None:
        self._machine = machine
        self._server = server
        self._is_end = is_end
        self._sends: Sends | None = None
        self.actions = {
            "fail-next-commit": self._fail_next_commit,
            "fail-next-sends": self._fail_next_sends,
            "users": self._users,
            "heuristic": self._heuristic,
            "connections": self._connections,
            "destinations": self._destinations,
            "subscriptions": self._subscriptions,
        }

    def _fail_next_commit(self, connection: Any) -> None:
        """Mark the open transactions as the server does when its store fails."""
        failure = self._machine.type(f"{_A}api.core.ActiveMQIOErrorException")("the store failed")
        is_end = self._is_end(connection)
        for session in list(self._server.getSessions()):
            if is_end(session.getRemotingConnection()):
                session.markTXFailed(failure)
        for each in list(self._server.getRemotingService().getConnections()):
            if is_end(each) and str(each.getProtocolName()) == "OPENWIRE":
                raise UnsupportedOperationException(
                    "a client of OpenWire begins a transaction without an answer: none may be there"
                )
            if is_end(each) and hasattr(each, "getAmqpConnection"):  # there they are not of a session
                callback = each.getAmqpConnection().getConnectionCallback()
                field = callback.getClass().getDeclaredField("transactions")
                field.setAccessible(True)
                for transaction in list(field.get(callback).values()):
                    transaction.markAsRollbackOnly(failure)

    def _fail_next_sends(self, destination: tuple[str, str], count: int = 1) -> None:
        if self._sends is None:
            kind = f"{_A}core.server.plugin.ActiveMQServerMessagePlugin"
            if not self._machine.has(kind):
                raise UnsupportedOperationException("Artemis lets sends fail from 2.7 on")
            self._sends = Sends(self._machine)
            self._server.registerBrokerPlugin(self._machine.jpype.JProxy(kind, inst=self._sends))
        self._sends.fail(destination[1], count)

    def _users(self, **passwords: str) -> None:
        """Check credentials from now on, or no longer if there are none; a client without any is a user of its own."""
        store = self._server.getSecurityStore()
        if not hasattr(store, "setSecurityEnabled"):
            raise UnsupportedOperationException("this release of Artemis cannot begin to check users while it runs")
        users = self._machine.type(f"{_A}core.config.impl.SecurityConfiguration")()
        for name, password in {**passwords, _ANYBODY: _ANYBODY}.items():
            users.addUser(name, password)
            users.addRole(name, _ROLE)
        users.setDefaultUser(_ANYBODY)
        self._server.getSecurityManager().setConfiguration(users)
        roles = self._machine.type("java.util.HashSet")()
        roles.add(self._role())
        self._server.getSecurityRepository().addMatch("#", roles)
        cache = getattr(
            store, "getAuthenticationCache", lambda: None
        )()  # not in every release, and none as long as there are no users
        if cache is not None:
            cache.invalidateAll()
        store.setSecurityEnabled(bool(passwords))

    def _role(self) -> Any:
        kind = self._machine.type(f"{_A}core.security.Role")
        for count in _RIGHTS:
            with contextlib.suppress(TypeError):
                return kind(_ROLE, *[True] * count)
        raise UnsupportedOperationException(f"{kind} has another constructor")

    def _heuristic(self, xid: Any, outcome: str) -> None:
        name = self._machine.type(f"{_A}core.transaction.impl.XidImpl").toBase64String(xid)
        control = self._server.getActiveMQServerControl()
        (control.commitPreparedTransaction if outcome == "commit" else control.rollbackPreparedTransaction)(name)

    def _connections(self) -> int:
        return len(self._server.getRemotingService().getConnections())

    def _destinations(self) -> list[str]:
        return sorted(str(each) for each in self._server.getPostOffice().getAddresses())

    def _subscriptions(self) -> list[str]:
        multicast = self._machine.type(f"{_A}api.core.RoutingType").MULTICAST
        bindings = self._machine.type(f"{_A}core.postoffice.QueueBinding")
        found = self._server.getPostOffice().getAllBindings()
        queues = [each.getQueue() for each in found.iterator() if isinstance(each, bindings)]
        return sorted(str(each.getName()) for each in queues if each.isDurable() and each.getRoutingType() == multicast)
