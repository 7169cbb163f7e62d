"""ActiveMQ Artemis 1 in this process: the releases before addresses, where queues and topics are created by a manager."""

from __future__ import annotations

from typing import Any, Final

from tck.adapters.jvm.brokers.artemis import Artemis
from tck.api import Hook

_A: Final = "org.apache.activemq.artemis."


class Artemis1(Artemis):
    """As `Artemis`, with a server that knows JMS destinations. Settings: as there."""

    hooks = frozenset({Hook.RESTART, Hook.SEVER, Hook.PENDING})

    def start(self) -> None:
        """Start the server, and create the queues for lost messages."""
        embedded = self._embedded = self.machine.type(f"{_A}jms.server.embedded.EmbeddedJMS")()
        embedded.setConfiguration(self._configuration())
        embedded.setJmsConfiguration(self.machine.type(f"{_A}jms.server.config.impl.JMSConfigurationImpl")())
        embedded.start()
        for name in ("DLQ", "EXP"):
            self.create("queue", name)

    def _place_lost_messages(self, made: Any) -> None:
        made.getAddressesSettings().put("#", self._address_settings())

    def _address(self, kind: str, name: str) -> Any:
        return self._text(f"jms.{kind}.{name}")

    @property
    def _manager(self) -> Any:
        return self._embedded.getJMSServerManager()

    def create(self, kind: str, name: str) -> None:
        """Create a destination; topics of the first releases do not come into being by themselves."""
        bindings = self.machine.jpype.JArray(self.machine.jpype.JString)(0)
        if kind == "queue":
            self._manager.createQueue(False, name, None, True, bindings)
        else:
            self._manager.createTopic(False, name, bindings)

    def drop(self, kind: str, name: str) -> None:
        """Remove a destination with its subscriptions."""
        remove = self._manager.destroyQueue if kind == "queue" else self._manager.destroyTopic
        remove(name, True)
