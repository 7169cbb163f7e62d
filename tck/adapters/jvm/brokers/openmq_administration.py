"""What an administrator of an embedded OpenMQ can do."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.brokers.administration import Administration
from tck.adapters.jvm.machine import Machine

_S: Final = "com.sun.messaging.jmq.jmsserver."
_OWN: Final = ("admin:", "guest:")
"""The users of a new broker; a client without credentials is the guest."""


class Administrator(Administration):
    """The actions of `tck.api.Provider.administer` on a running broker, whose password file is `passwords`."""

    product = "OpenMQ"

    def __init__(self, machine: Machine, passwords: Path) -> None:
        self._machine = machine
        self._passwords = passwords
        self.actions = {
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
