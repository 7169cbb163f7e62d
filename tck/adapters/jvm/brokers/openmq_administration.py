"""What an administrator of an embedded OpenMQ can do, and messages that it fails by the broker's own injection of faults."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Any, ClassVar, Final

from tck.adapters.jvm.brokers.administration import Administration
from tck.adapters.jvm.machine import Machine

_S: Final = "com.sun.messaging.jmq.jmsserver."
_SEND: Final = "msg.send.1.exception"
"""The fault of a message before anything is done with it: the broker refuses it with an exception."""
_OWN: Final = ("admin:", "guest:")
"""The users of a new broker; a client without credentials is the guest."""


class Faults:
    """The set of faults that the broker is to inject; methods are named as those of Java's set.

    The broker asks in the thread that handles a packet, and tells only the fault's name. So the packet is that of the
    connection which this thread serves, and only a message to a failing destination is struck, whoever sends beside it.
    """

    _failing: ClassVar[dict[tuple[str, str], int]] = {}
    """How many more messages fail, by kind and name of the destination; the broker's set outlives the broker, too."""
    _lock: ClassVar[threading.Lock] = threading.Lock()
    """Guards the numbers; no other lock is taken within."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def fail(self, destination: tuple[str, str], count: int) -> None:
        """Fail so many more messages to a destination."""
        with self._lock:
            self._failing[destination] = count
        faults = self._machine.type(f"{_S}FaultInjection").getInjection()
        _field(faults, "injections").set(faults, self._machine.jpype.JProxy("java.util.Set", inst=self))
        faults.setFaultInjection(True)

    def contains(self, fault: Any) -> bool:
        """Whether a fault strikes now; then it is counted."""
        packet = self._packet() if self._failing and str(fault) == _SEND else None
        if packet is None:
            return False
        destination = ("queue" if packet.getIsQueue() else "topic", str(packet.getDestination()))
        with self._lock:
            left = self._failing.pop(destination, 0)
            if left > 1:
                self._failing[destination] = left - 1
        return left > 0

    def remove(self, _fault: Any) -> bool:
        """Keep the set: the broker removes a fault that has struck."""
        return True

    def _packet(self) -> Any:
        """Return the packet that the current thread of the broker handles; None if it is that of no connection."""
        name = str(self._machine.type("java.lang.Thread").currentThread().getName())
        for each in self._machine.type(f"{_S}Globals").getConnectionManager().getConnectionList(None):
            reads = _field(each, "read_assigned").get(each)
            if reads is not None and name == f"Thread-jms[{reads.getId()}]":
                return _field(each, "readpkt").get(each)
        return None


def _field(value: Any, name: str) -> Any:
    """Return the accessible field of an object's class, or of one above it, as the broker has it."""
    kind = value.getClass()
    while name not in (str(each.getName()) for each in kind.getDeclaredFields()):
        kind = kind.getSuperclass()
    field = kind.getDeclaredField(name)
    field.setAccessible(True)
    return field


class Administrator(Administration):
    """The actions of `tck.api.Provider.administer` on a running broker, whose password file is `passwords`."""

    product = "OpenMQ"

    def __init__(self, machine: Machine, passwords: Path) -> None:
        self._machine = machine
        self._passwords = passwords
        self.actions = {
            "fail-next-sends": lambda destination, count=1: Faults(self._machine).fail(destination, count),
            "users": self._users,
            "connections": lambda: int(self._type("Globals").getConnectionManager().getConnectionList(None).size()),
            "destinations": self._destinations,
            "subscriptions": self._subscriptions,
        }

    def _type(self, name: str) -> Any:
        return self._machine.type(f"{_S}{name}")

    def _users(self, **passwords: str) -> None:
        """Write the file that the broker reads at each login: MD5 of name and password as a signed number, group and state."""
        lines = [each for each in self._passwords.read_text("utf-8").splitlines() if each.startswith(_OWN)]
        for name, password in passwords.items():
            digest = hashlib.md5(f"{name}:{password}".encode(), usedforsecurity=False).digest()
            lines.append(f"{name}:{int.from_bytes(digest, 'big', signed=True):x}:user:1")
        self._passwords.write_text("".join(f"{each}\n" for each in lines), "utf-8")

    def _destinations(self) -> list[str]:
        every = self._machine.jpype.JObject(None, self._type("persist.api.PartitionedStore"))
        found = [each for some in self._type("core.DestinationList").getAllDestinations(every) for each in some]
        return sorted(str(each.getDestinationName()) for each in found)

    def _subscriptions(self) -> list[str]:
        found = self._type("core.Subscription").getAllDurableSubscriptions(None)
        return sorted(str(each.getDurableName()) for each in found)
