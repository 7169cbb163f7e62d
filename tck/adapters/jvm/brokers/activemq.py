"""ActiveMQ Classic, 5 and 6, in this process, over its in-VM transport or a port of this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.brokers import Broker, connection_of, without_link
from tck.adapters.jvm.brokers.activemq_administration import Administrator
from tck.adapters.jvm.brokers.administration import EMBEDDED

_B: Final = "org.apache.activemq."


class ActiveMQ(Broker):
    """An embedded broker with its store in the work directory, not synchronised to the disk by default.

    Settings: ``sync`` (default false), ``scheduler`` (whether the broker's scheduler runs; default false), ``port`` (to be
    reached there, over TCP; default 0, in-VM).
    """

    keys = frozenset({"sync", "scheduler", "port"})
    hooks = EMBEDDED

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._name = f"tck{self.number}"
        self._port = int(self.settings.get("port", 0))
        self._service: Any = None
        self._kept: Any = None
        self._administrator: Administrator | None = None
        self._cuts = 0

    @property
    def placeholders(self) -> dict[str, str]:
        """Return the address of the transport."""
        return {**super().placeholders, "url": self._tcp if self._port else f"vm://{self._name}?create=false"}

    @property
    def _tcp(self) -> str:
        return f"tcp://127.0.0.1:{self._port}"

    @property
    def _folder(self) -> Path:
        return self.work_dir / f"activemq{self._cuts or ''}"

    def start(self) -> None:
        """Start the broker."""
        service = self._service = self.machine.type(f"{_B}broker.BrokerService")()
        service.setBrokerName(self._name)
        service.setUseJmx(False)
        service.setUseShutdownHook(False)
        service.setPopulateJMSXUserID(True)
        service.setSchedulerSupport(bool(self.settings.get("scheduler", False)))
        service.setDataDirectory(str(self._folder))
        store = self.machine.type(f"{_B}store.kahadb.KahaDBPersistenceAdapter")()
        store.setDirectory(self.machine.type("java.io.File")(str(self._folder / "kahadb")))
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
        if self.machine.has(f"{_B}jaas.GroupPrincipal"):
            plugin = self.machine.type(f"{_B}security.SimpleAuthenticationPlugin")(
                self.machine.type("java.util.ArrayList")()
            )
            plugin.setAnonymousAccessAllowed(True)
            service.setPlugins([plugin])
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
            self._service = self._administrator = None

    def kill(self) -> None:
        """Keep only what the files of the store hold at this moment, as when the process is killed, and start again on that.

        From here on no client hears anything, so what one has heard of is in the files. Without ``sync`` a call does not wait
        until the journal is written, as it does by default; so that is awaited first. An index may be older than its journal.
        """
        links = [self._silenced(each) for each in self._service.getBroker().getClients()]
        store = self._service.getPersistenceAdapter().getStore()
        mark = self.machine.type(f"{_B}store.kahadb.data.KahaTraceCommand")()
        mark.setMessage("killed")
        store.getJournal().write(store.toByteSequence(mark), True)
        was = self._folder
        self._cuts += 1
        files = [each for each in (was / "kahadb").iterdir() if each.is_file() and each.name != "lock"]
        (self._folder / "kahadb").mkdir(parents=True)
        for each in sorted(files, key=lambda file: file.suffix == ".log"):
            shutil.copyfile(each, self._folder / "kahadb" / each.name)
        broken = self.machine.type("java.io.IOException")("killed")
        for link in links:
            link(broken)
        self.stop()
        shutil.rmtree(was, ignore_errors=True)
        self.start()

    def _silenced(self, connection: Any) -> Callable[[Any], object]:
        """Let a connection of the broker say nothing more; return a call that breaks the client's side."""
        transport = self.machine.type(f"{_B}broker.TransportConnection").class_.getDeclaredField("transport")
        transport.setAccessible(True)
        kind = self.machine.type(f"{_B}transport.vm.VMTransport")
        own = transport.get(connection).narrow(kind.class_)
        peer = kind.class_.getDeclaredField("peer")
        peer.setAccessible(True)
        client = peer.get(own)
        gone, _ = (kind(self.machine.type("java.net.URI")("vm://gone")) for _ in range(2))  # they are numbered in pairs
        peer.set(own, gone)
        listener = client.getTransportListener()
        return listener.onException if listener is not None else (lambda _: None)

    def administer(self, action: str, arguments: Mapping[str, Any]) -> object:
        """Do what an administrator could do."""
        if self._administrator is None:
            self._administrator = Administrator(self.machine, self._service, self._destination)
        return self._administrator.perform(action, arguments)

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
