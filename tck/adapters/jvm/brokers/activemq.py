"""ActiveMQ Classic, 5 and 6, in this process, over its in-VM transport or a port of this machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tck.adapters.jvm.brokers import Broker, connection_of, without_link
from tck.api import Hook

_B: Final = "org.apache.activemq."


class ActiveMQ(Broker):
    """An embedded broker with its store in the work directory, not synchronised to the disk by default.

    Settings: ``sync`` (default false), ``scheduler`` (whether the broker's scheduler runs; default false), ``port`` (to be
    reached there, over TCP; default 0, in-VM).
    """

    keys = frozenset({"sync", "scheduler", "port"})
    hooks = frozenset({Hook.RESTART, Hook.SEVER, Hook.PENDING})

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._name = f"tck{self.number}"
        self._port = int(self.settings.get("port", 0))
        self._service: Any = None
        self._kept: Any = None

    @property
    def placeholders(self) -> dict[str, str]:
        """Return the address of the transport."""
        return {**super().placeholders, "url": self._tcp if self._port else f"vm://{self._name}?create=false"}

    @property
    def _tcp(self) -> str:
        return f"tcp://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start the broker."""
        service = self._service = self.machine.type(f"{_B}broker.BrokerService")()
        service.setBrokerName(self._name)
        service.setUseJmx(False)
        service.setUseShutdownHook(False)
        service.setSchedulerSupport(bool(self.settings.get("scheduler", False)))
        service.setDataDirectory(str(self.work_dir / "activemq"))
        store = self.machine.type(f"{_B}store.kahadb.KahaDBPersistenceAdapter")()
        store.setDirectory(self.machine.type("java.io.File")(str(self.work_dir / "activemq" / "kahadb")))
        store.setJournalMaxFileLength(4 << 20)
        store.setEnableJournalDiskSyncs(bool(self.settings.get("sync", False)))
        service.setPersistenceAdapter(store)
        entry = self.machine.type(f"{_B}broker.region.policy.PolicyEntry")()
        entry.setExpireMessagesPeriod(100)
        policy = self.machine.type(f"{_B}broker.region.policy.PolicyMap")()
        policy.setDefaultEntry(entry)
        service.setDestinationPolicy(policy)
        if self._port:
            service.addConnector(self._tcp)
        service.start()
        service.waitUntilStarted()
        if not self._port:
            # The in-VM transport is disposed with its last connection, and one that is made in that moment fails.
            self._kept = self.machine.type(f"{_B}ActiveMQConnectionFactory")(
                self.placeholders["url"]
            ).createConnection()

    def stop(self) -> None:
        """Stop the broker."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None
        if self._service is not None:
            self._service.stop()
            self._service.waitUntilStopped()
            self._service = None

    def _destination(self, kind: str, name: str) -> Any:
        return self.machine.type(f"{_B}command.ActiveMQ{kind.title()}")(name)

    def drop(self, kind: str, name: str) -> None:
        """Remove a destination."""
        broker = self._service.getBroker()
        broker.removeDestination(self._service.getAdminConnectionContext(), self._destination(kind, name), 0)

    def pending(self, kind: str, name: str) -> int:
        """Count the messages of a queue, or of the subscriptions of a topic."""
        found = self._service.getDestination(self._destination(kind, name))
        if kind == "queue":
            return int(found.getDestinationStatistics().getMessages().getCount())
        return sum(
            int(each.getPendingQueueSize()) + int(each.getDispatchedQueueSize()) for each in found.getConsumers()
        )

    def sever(self, connection: Any) -> None:
        """Break the broker's side of a connection, as a failure of its transport does."""
        try:
            is_end = self._other_end(connection_of(self.machine, connection))
        except without_link(self.machine):
            return
        broken = self.machine.type("java.io.IOException")("severed")
        for each in self._service.getBroker().getClients():
            if is_end(each):
                each.serviceException(broken)

    def _other_end(self, client: Any) -> Callable[[Any], bool]:
        """Return the key of a client's connection at the broker; ask the client before cutting it."""
        if self._port:
            name = str(client.getClientID())
            return lambda server: str(server.getConnectionId()) == name
        own = client.getTransport().getRemoteAddress()
        if own is None:  # its link is lost already
            return lambda _server: False
        address = _peer(str(own))
        return lambda server: str(server.getRemoteAddress()) == address


def _peer(address: str) -> str:
    """Return the in-VM address of the other side: transports are pairs of an even and the next odd number."""
    name, _, number = address.rpartition("#")
    return f"{name}#{int(number) ^ 1}"
