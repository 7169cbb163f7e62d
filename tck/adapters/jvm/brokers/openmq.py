"""OpenMQ in this process, reached at a port of this machine, or directly, without a socket."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.brokers import connection_of, free_port
from tck.adapters.jvm.brokers.openmq_administration import Administrator
from tck.adapters.jvm.brokers.proxied import Proxied
from tck.api import Hook, UnsupportedOperationException
from tck.profile.errors import AdapterError

_Q: Final = "com.sun.messaging."
_ATTEMPTS: Final = 20
_PAUSE: Final = 0.1
_ALONE: Final = {"imq.cluster.port": "0", "imq.jmx.enabled": "false"}
_NO_SOCKETS: Final = {"imq.portmapper.bind": "false", "imq.service.activelist": ""}
_LOCAL: Final = {"imq.service.activelist": "jms", "imq.hostname": "127.0.0.1"}


class _Events:
    """Keeps the broker from ending the process."""

    def brokerEvent(self, event: Any) -> None:  # noqa: N802 - a method of Java
        """Ignore the notification."""

    def exitRequested(self, event: Any, thrown: Any) -> bool:  # noqa: ARG002, N802 - a method of Java
        """Refuse."""
        return False


class OpenMQ(Proxied):
    """An embedded broker with its store in the work directory.

    Settings: ``home`` (the unpacked distribution, relative to the working directory; by default the archive among the
    coordinates), ``properties`` (a table of broker properties), ``port`` (default: a free one), ``direct`` (to be reached
    without a port; default false), ``proxy`` (default false; then the broker can be killed and administered, too).
    """

    keys = frozenset({"home", "properties", "port", "direct", "proxy"})
    hooks = frozenset({Hook.RESTART, Hook.SEVER, Hook.PENDING})

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        direct = bool(self.settings.get("direct", False))
        self._port = 0 if direct else int(self.settings.get("port", 0)) or self.free_port
        self._service = 0
        if self._port and self.settings.get("proxy"):
            self._service = free_port()
            self.hooks = self.hooks | {Hook.KILL, Hook.ADMINISTER, Hook.AUTHENTICATION, Hook.LOAD}
        self._instance = self.work_dir / "openmq" / "instances" / f"tck{self.number}"
        self._broker: Any = None
        self._events: Any = None

    def _home(self) -> Path:
        where = [Path(self.settings["home"])] if "home" in self.settings else list(self.homes)
        found = next(
            (home for place in where for home in (place, place / "mq") if (home / "lib" / "props").is_dir()), None
        )
        if found is None:
            raise AdapterError(
                "the OpenMQ distribution is not found: no lib/props in "
                f"{', '.join(map(str, where)) or 'nothing'}; name its archive among the coordinates, or set broker.home"
            )
        return found

    @property
    def placeholders(self) -> dict[str, str]:
        """Return the address of the broker; behind the proxy that of its service, which the port mapper need not tell."""
        url = f"mq://127.0.0.1:{self._port}/jms" if self._port else "mq://localhost/direct"
        if self._service:
            url = f"mqtcp://127.0.0.1:{self.reached(self._service)}/jms"
        return {**super().placeholders, "url": url}

    def start(self) -> None:
        """Start the broker.

        In memory a client's call may reach a broker during its shutdown. It then recreates settings without folders;
        the next start fails because of them, and removes them. Over TCP the port of a stopped broker may be in use for
        some 50 ms more.
        """
        for left in reversed(range(_ATTEMPTS)):
            try:
                self._start()
            except self.machine.type("java.lang.RuntimeException"):
                self.stop()
                if not left:
                    raise
                time.sleep(_PAUSE)
            else:
                return

    def _start(self) -> None:
        jpype = self.machine.jpype
        home = self._home()
        # Otherwise the client prints the stack of each failed connection to standard output.
        self.machine.type("java.lang.System").setProperty("imq.silent", "true")
        runtime = self.machine.type(f"{_Q}jmq.jmsclient.runtime.ClientRuntime").getRuntime()
        self._broker = runtime.createBrokerInstance()
        where = ["-imqhome", str(home), "-libhome", str(home / "lib"), "-varhome", str(self.work_dir / "openmq")]
        reached = ["-port", str(self._port)] if self._port else []
        arguments = jpype.JArray(jpype.JString)([*where, *reached, "-name", f"tck{self.number}", "-silent"])
        properties = self._broker.parseArgs(arguments)
        sockets = _LOCAL if self._port else _NO_SOCKETS
        service = {"imq.jms.tcp.port": self._service}
        for name, value in {**_ALONE, **sockets, **service, **self.settings.get("properties", {})}.items():
            properties.setProperty(name, str(value))
        self._events = jpype.JProxy(f"{_Q}jmq.jmsservice.BrokerEventListener", inst=_Events())
        self._broker.init(properties, self._events)
        self._broker.start()

    def stop(self) -> None:
        """Stop the broker."""
        if self._broker is not None:
            self._broker.stop()
            self._broker.shutdown()
            self._broker = None
            self._forget()

    def kill(self) -> None:
        """Keep only what the files of the store hold at this moment, as when the process is killed, and start again on that."""
        self.kill_by_copy(self._instance)

    def administer(self, action: str, arguments: Mapping[str, Any]) -> object:
        """Do what an administrator could do."""
        return Administrator(self.machine, self._instance / "etc" / "passwd").perform(action, arguments)

    def _forget(self) -> None:
        """Clear the client identifiers in use: a static field keeps them, unlike a broker in a new process."""
        with contextlib.suppress(self.machine.type("java.lang.NoSuchFieldException")):  # of another version
            kind = self.machine.type(f"{_Q}jmq.jmsserver.cluster.api.NoCluster")
            locks = kind.class_.getDeclaredField("map")
            locks.setAccessible(True)
            locks.get(None).clear()

    @property
    def _destinations(self) -> Any:
        return self.machine.type(f"{_Q}jmq.jmsserver.core.DestinationList")

    @property
    def _every_store(self) -> Any:
        store = self.machine.type(f"{_Q}jmq.jmsserver.persist.api.PartitionedStore")
        return self.machine.jpype.JObject(None, store)

    def drop(self, kind: str, name: str) -> None:
        """Remove a destination."""
        # 6.7 locks subscriptions before destinations, but here the other way round; two threads would wait for each other.
        subscriptions = self.machine.type(f"{_Q}jmq.jmsserver.core.Subscription").class_
        with self.machine.jpype.synchronized(subscriptions):
            self._destinations.removeDestination(self._every_store, name, kind == "queue", "the case is over")

    def pending(self, kind: str, name: str) -> int:
        """Count the messages of a queue.

        Raises:
            UnsupportedOperationException: It is a topic: the broker counts its messages, not those of its subscriptions.
        """
        if kind != "queue":
            raise UnsupportedOperationException("OpenMQ does not count the messages of each subscription of a topic")
        found = self._destinations.findDestination(self._every_store, name, True)
        return sum(int(each.size()) for each in found if each is not None)

    def sever(self, connection: Any) -> None:
        """Break both ends of a connection: in memory neither side notices the other's end.

        The client calls its exception listener three seconds later, as it does over TCP.
        """
        if self._service:
            super().sever(connection)
            return
        raw = connection_of(self.machine, connection)
        wanted = int(raw.getConnectionID())
        link = raw.getProtocolHandler()
        with contextlib.suppress(self.machine.type("java.io.IOException")):  # it is closed already
            if link is not None:
                link.getConnectionHandler().close()
        for each in self.machine.type(f"{_Q}jmq.jmsserver.Globals").getConnectionManager().getConnectionList(None):
            if int(each.getConnectionUID().longValue()) == wanted:
                each.cleanupConnection()  # destroying a connection in memory leaves its sessions and transactions
                each.destroyConnection(False, 0, "severed")
