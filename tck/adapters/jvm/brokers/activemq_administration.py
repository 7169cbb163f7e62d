"""What an administrator of an embedded ActiveMQ Classic can do, and messages that it refuses by an interceptor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tck.adapters.jvm.brokers.administration import Administration
from tck.adapters.jvm.machine import Machine
from tck.api import UnsupportedOperationException

_B: Final = "org.apache.activemq."


class Refusal:
    """An interceptor of a destination that refuses the next messages; the method is named as Java's is."""

    def __init__(self, machine: Machine, registry: Any, destination: Any) -> None:
        self._machine = machine
        self._registry = registry
        self._destination = destination
        self._left = 0
        self._proxy = machine.jpype.JProxy(f"{_B}broker.inteceptor.MessageInterceptor", inst=self)

    def refuse(self, count: int) -> None:
        """Refuse so many messages from now on."""
        if not self._left:
            self._registry.addMessageInterceptor(self._destination, self._proxy)
        self._left = count

    def intercept(self, exchange: Any, message: Any) -> None:
        """Refuse a message, or let it pass where it overtook the end of the refusals."""
        if self._left:
            self._left -= 1
            if not self._left:
                self._registry.removeMessageInterceptor(self._destination, self._proxy)
            raise self._machine.type("java.lang.IllegalStateException")("refused, as the administrator demanded")
        self._registry.injectMessage(exchange, message)


class Administrator(Administration):
    """The actions of `tck.api.Provider.administer` on a running broker.

    Args:
        machine: The Java virtual machine.
        service: The ``BrokerService``.
        destination: Makes a destination of a kind and a name.
    """

    product = "ActiveMQ"

    def __init__(self, machine: Machine, service: Any, destination: Callable[[str, str], Any]) -> None:
        self._machine = machine
        self._service = service
        self._destination = destination
        self._refusals: dict[tuple[str, str], Refusal] = {}
        self.actions = {
            "fail-next-sends": self._fail_next_sends,
            "users": self._users,
            "connections": lambda: len(self._service.getBroker().getClients()),
            "destinations": lambda: sorted(str(each) for each in self._service.getBroker().getDestinations()),
            "subscriptions": self._subscriptions,
        }

    def _fail_next_sends(self, destination: tuple[str, str], count: int = 1) -> None:
        if destination not in self._refusals:
            kind = self._machine.type(f"{_B}broker.inteceptor.MessageInterceptorRegistry")
            registry = kind.getInstance().get(self._service)
            self._refusals[destination] = Refusal(self._machine, registry, self._destination(*destination))
        self._refusals[destination].refuse(count)

    def _users(self, **passwords: str) -> None:
        """Accept these users only, and clients without credentials."""
        kind = self._machine.type(f"{_B}security.SimpleAuthenticationBroker")
        found = self._service.getBroker().getAdaptor(kind.class_)
        if found is None:
            raise UnsupportedOperationException("the profile's coordinates lack activemq-jaas")
        words, groups = (self._machine.type("java.util.HashMap")() for _ in range(2))
        for name, password in passwords.items():
            words.put(name, password)
            groups.put(name, self._machine.type("java.util.HashSet")())
        found.setUserPasswords(words)
        found.setUserGroups(groups)

    def _subscriptions(self) -> list[str]:
        return sorted(str(each) for each in self._service.getBroker().getDurableDestinations() or ())
