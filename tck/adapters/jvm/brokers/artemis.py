"""ActiveMQ Artemis, from 2.0 on, in this process, over its in-VM connector or a port of this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.brokers import Broker, connection_of, free_port, without_link
from tck.adapters.jvm.brokers.administration import EMBEDDED
from tck.adapters.jvm.brokers.artemis_administration import Administrator
from tck.patience import multiplier
from tck.profile.errors import AdapterError, ProviderUnreachable

_A: Final = "org.apache.activemq.artemis."
_ACCEPTED: Final = {"amqp": "AMQP", "openwire": "OPENWIRE", "tcp": "CORE"}
"""The names by which acceptors know the protocols of addresses."""
_ATTEMPTS: Final = 10
_ACTIVE: Final = 30
"""Seconds until a server must be active."""
_FOLDERS: Final = ("journal", "large", "bindings", "paging")
"""The folders of a store, in the order in which they may be copied while the server runs: no record may lack its queue."""


class Artemis(Broker):
    """An embedded server with its journal in the work directory, not synchronised to the disk by default.

    Settings: ``protocol`` (``core``, the default, in-VM; ``tcp``, the same over TCP; ``amqp`` or ``openwire`` over TCP), ``port``
    (default a free one), ``sync`` (default false), ``properties`` (of the server's ``Configuration``), ``addresses`` (properties of the
    ``AddressSettings`` of all addresses; with ``autoCreateQueues = false`` there the adapter creates the suite's destinations),
    ``also`` (a further protocol, such as ``amqp``, at the host and port ``{also}``).
    """

    keys = frozenset({"protocol", "port", "sync", "properties", "addresses", "also"})
    hooks = EMBEDDED

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._cuts = 0
        self._administrator: Administrator | None = None
        for key in {"protocol", "also"} & set(self.settings):
            if self.settings[key] not in _ACCEPTED and (key, self.settings[key]) != ("protocol", "core"):
                known = ", ".join(_ACCEPTED if key == "also" else ("core", *_ACCEPTED))
                raise AdapterError(f"adapter.settings.broker.{key}: expected {known}; saw {self.settings[key]!r}")
        self._protocol = self.settings.get("protocol", "core")
        self._port = 0 if self._protocol == "core" else int(self.settings.get("port", 0)) or free_port()
        self._embedded: Any = None
        text = self.machine.type(f"{_A}api.core.SimpleString")
        self._text = getattr(text, "of", text)  # before 2.36 a constructor

    @property
    def placeholders(self) -> dict[str, str]:
        """Return the address of the acceptor."""
        scheme = "amqp" if self._protocol == "amqp" else "tcp"
        url = f"vm://{self.number}" if self._protocol == "core" else f"{scheme}://127.0.0.1:{self._port}"
        return {**super().placeholders, "url": url, "port": str(self._port), "also": f"127.0.0.1:{self.free_port}"}

    def start(self) -> None:
        """Start the server, and wait until it is active.

        Raises:
            ProviderUnreachable: It does not become active, as where another process holds its journal.
        """
        embedded = self._embedded = self.machine.type(f"{_A}core.server.embedded.EmbeddedActiveMQ")()
        embedded.setConfiguration(self._configuration())
        embedded.setSecurityManager(self._security())
        embedded.start()
        seconds = self.machine.type("java.util.concurrent.TimeUnit").SECONDS
        if not self._server.waitForActivation(int(_ACTIVE * multiplier()), seconds):
            raise ProviderUnreachable(f"Artemis has not become active within {_ACTIVE * multiplier():g} s")

    def _security(self) -> Any:
        """Return the manager that asks an administrator's users, once there are any."""
        users = self.machine.type(f"{_A}core.config.impl.SecurityConfiguration")()
        login = f"{_A}spi.core.security.jaas.InVMLoginModule"
        return self.machine.type(f"{_A}spi.core.security.ActiveMQJAASSecurityManager")(login, users)

    def _configuration(self) -> Any:
        made = self.machine.type(f"{_A}core.config.impl.ConfigurationImpl")()
        made.setName(f"tck{self.number}")
        made.setPersistenceEnabled(True).setSecurityEnabled(False).setJMXManagementEnabled(False)
        made.setMessageExpiryScanPeriod(100)
        if hasattr(made, "setPopulateValidatedUser"):
            made.setPopulateValidatedUser(True)  # JMSXUserID, where an administrator has made users known
        if hasattr(made, "setMaxDiskUsage"):  # from 1.5 on
            made.setMaxDiskUsage(-1)  # by default it blocks every producer when the disk is nine tenths full
        if self._protocol == "core":
            made.addAcceptorConfiguration("vm", f"vm://{self.number}")
        else:
            protocol = _ACCEPTED[self._protocol]
            made.addAcceptorConfiguration("tcp", f"tcp://127.0.0.1:{self._port}?protocols={protocol}")
        if "also" in self.settings:
            protocol = _ACCEPTED[self.settings["also"]]
            made.addAcceptorConfiguration("also", f"tcp://127.0.0.1:{self.free_port}?protocols={protocol}")
        self._keep_journal(made)
        self._place_lost_messages(made)
        self.configure(made, "properties")
        return made

    @property
    def _folder(self) -> Path:
        return self.work_dir / f"artemis{self._cuts or ''}"

    def _keep_journal(self, made: Any) -> None:
        made.setJournalType(self.machine.type(f"{_A}core.server.JournalType").NIO)
        folder = self._folder
        made.setJournalDirectory(str(folder / "journal"))
        made.setBindingsDirectory(str(folder / "bindings"))
        made.setLargeMessagesDirectory(str(folder / "large"))
        made.setPagingDirectory(str(folder / "paging"))
        made.setJournalFileSize(1 << 20)
        made.setJournalMinFiles(2)
        if not self.settings.get("sync", False):
            for name in ("JournalDatasync", "JournalSyncTransactional", "JournalSyncNonTransactional"):
                setter = getattr(made, f"set{name}", None)  # the first is there from 2.0 on, and is enough
                if setter is not None:
                    setter(False)
                    break
            made.setJournalBufferTimeout_NIO(200_000)

    def _place_lost_messages(self, made: Any) -> None:
        """Route dead and expired messages to a queue; without one they vanish."""
        add = getattr(made, "addAddressSetting", None) or made.addAddressesSetting  # the older name
        add("#", self._address_settings())
        anycast = self.machine.type(f"{_A}api.core.RoutingType").ANYCAST
        modern = f"{_A}api.core.QueueConfiguration"
        for name in ("DLQ", "EXP"):
            if self.machine.has(modern):  # from 2.7 on; before 2.36 made by its constructor
                kind = self.machine.type(modern)
                queue = (kind.of(name) if hasattr(kind, "of") else kind(name)).setRoutingType(anycast)
            else:
                queue = self.machine.type(f"{_A}core.config.CoreQueueConfiguration")()
                queue.setAddress(name).setName(name).setRoutingType(anycast)
            made.addQueueConfiguration(queue)

    def _address_settings(self) -> Any:
        queue_settings = self.machine.type(f"{_A}core.settings.impl.AddressSettings")()
        queue_settings.setRedeliveryDelay(0)
        queue_settings.setMaxDeliveryAttempts(_ATTEMPTS)
        queue_settings.setDeadLetterAddress(self._address("queue", "DLQ"))
        queue_settings.setExpiryAddress(self._address("queue", "EXP"))
        for name in ("AutoDeleteQueues", "AutoDeleteAddresses", "AutoDeleteJmsQueues", "AutoDeleteJmsTopics"):
            setter = getattr(queue_settings, f"set{name}", None)  # each release has some of them
            if setter is not None:
                setter(False)
        self.configure(queue_settings, "addresses")
        return queue_settings

    def _address(self, kind: str, name: str) -> Any:
        """Return the address of a destination."""
        del kind
        return self._text(name)

    @property
    def _server(self) -> Any:
        return self._embedded.getActiveMQServer()

    def stop(self) -> None:
        """Stop the server."""
        if self._embedded is not None:
            self._embedded.stop()
            self._embedded = self._administrator = None

    def kill(self) -> None:
        """Keep only what the files of the store hold at this moment, as when the process is killed, and start again on that.

        From here on no client hears anything, so what one has heard of is in the files. Without ``sync`` a call does not wait
        for the journal's buffer, as it does by default; so that is written first.
        """
        self._silence()
        store = self._server.getStorageManager()
        for journal in (store.getMessageJournal(), store.getBindingsJournal()):
            journal.flush()
        was = self._folder
        self._cuts += 1
        for name in _FOLDERS:
            if (was / name).exists():
                shutil.copytree(was / name, self._folder / name)
        for each in list(self._server.getRemotingService().getConnections()):
            each.getTransportConnection().close()
        self.stop()
        shutil.rmtree(was, ignore_errors=True)
        self.start()

    def _silence(self) -> None:
        """Let the server say nothing more; it does not notice."""
        service = self._server.getRemotingService()
        if self._protocol == "core":
            dropped = {"intercept": lambda *_: False}
            service.addOutgoingInterceptor(self.machine.jpype.JProxy(f"{_A}api.core.Interceptor", dict=dropped))
            return
        for each in service.getConnections():
            each.getTransportConnection().getChannel().unsafe().closeForcibly()

    def administer(self, action: str, arguments: Mapping[str, Any]) -> object:
        """Do what an administrator could do."""
        if self._administrator is None:
            self._administrator = Administrator(
                self.machine, self._server, lambda raw: self._other_end(connection_of(self.machine, raw))
            )
        return self._administrator.perform(action, arguments)

    def leave(self) -> None:
        """End the pools of the in-VM connector, whose threads are no daemons."""
        for name, method in (
            ("core.remoting.impl.invm.InVMConnector", "resetThreadPool"),
            ("api.core.client.ActiveMQClient", "clearThreadPools"),
        ):
            end = getattr(self.machine.type(f"{_A}{name}"), method, None)  # not in every release
            if end is not None:
                end()

    def create(self, kind: str, name: str) -> None:
        """Create an address, and the queue of a queue, where the server does not do so at their first use."""
        if self.settings.get("addresses", {}).get("autoCreateQueues", True):
            return
        routing = self.machine.type(f"{_A}api.core.RoutingType")
        address = self._address(kind, name)
        if kind == "topic":
            info = self.machine.type(f"{_A}core.server.impl.AddressInfo")(address, routing.MULTICAST)
            self._server.addAddressInfo(info)
        elif self._server.locateQueue(address) is None:
            queue = self.machine.type(f"{_A}api.core.QueueConfiguration").of(address)
            queue.setRoutingType(routing.ANYCAST).setAutoCreateAddress(True)
            self._server.createQueue(queue)

    def drop(self, kind: str, name: str) -> None:
        """Remove an address and its queues.

        A consumer that is still there is left alone for OpenWire, whose clients do not wait until one is closed: Artemis
        would cut their connection.
        """
        address = self._address(kind, name)
        server = self._server
        if self._protocol == "openwire":
            for queue in self._queues(address):
                server.destroyQueue(queue.getName(), None, False, False)
        if server.getAddressInfo(address) is not None:
            server.removeAddressInfo(address, None, True)

    def pending(self, kind: str, name: str) -> int:
        """Count the messages of an address's queues, delivered ones included."""
        return sum(int(each.getMessageCount()) for each in self._queues(self._address(kind, name)))

    def _queues(self, address: Any) -> list[Any]:
        bindings = self._server.getPostOffice().getBindingsForAddress(address).getBindings()
        queue = self.machine.type(f"{_A}core.postoffice.QueueBinding")
        return [each.getQueue() for each in bindings if isinstance(each, queue)]

    def sever(self, connection: Any) -> None:
        """Fail the server's side of a connection, as the loss of its link does: `destroy` would forget its sessions."""
        try:
            is_end = self._other_end(connection_of(self.machine, connection))
        except without_link(self.machine):
            return
        lost = self.machine.type(f"{_A}api.core.ActiveMQNotConnectedException")("severed")
        for each in list(self._server.getRemotingService().getConnections()):
            if is_end(each):
                each.fail(lost)

    def _other_end(self, client: Any) -> Callable[[Any], bool]:
        """Return the key of a client's connection at the server; ask the client before cutting it."""
        if self._protocol in {"amqp", "openwire"}:
            # The client library is another product's: both sides know the client identifier only.
            name = str(client.getClientID())
            return lambda server: str(server.getClientID()) == name
        own = client.getSessionFactory().getConnection()
        if own is None:  # its link is lost already
            return lambda _server: False
        if self._protocol == "core":
            number = str(own.getID())
            return lambda server: str(server.getID()) == number
        address = str(own.getTransportConnection().getLocalAddress())
        return lambda server: str(server.getRemoteAddress()) == address
