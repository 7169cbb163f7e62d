"""Brokers reached over TCP, which may stand behind the kit's proxy: their links break and their process ends, whatever the product."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.brokers import Broker, connection_of, without_link
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.recipe import filled
from tck.adapters.proxy import Proxy
from tck.api import Hook
from tck.profile.errors import AdapterError, ProviderUnreachable

_OBJECTS: Final = 2000
"""The most objects that are looked at to find a connection's socket."""
_COPIES: Final = 100
"""The most copies of a store that are taken until two are equal."""
_PLATFORM: Final = ("java.", "javax.", "jakarta.", "jdk.", "sun.")


class Proxied(Broker):
    """A driver whose clients go through a proxy where the profile sets ``proxy = true``; that adds `Hook.SEVER`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.proxy: Proxy | None = None
        if self.settings.get("proxy"):
            self.hooks = self.hooks | {Hook.SEVER}

    def reached(self, port: int, host: str = "127.0.0.1") -> int:
        """Return the port of this machine at which clients reach the broker's port: the proxy's, or itself without one."""
        if not self.settings.get("proxy"):
            return port
        if self.proxy is None:
            self.proxy = Proxy(host, port)
        return self.proxy.port

    def sever(self, connection: Any) -> None:
        """Reset the link of a connection at both sides."""
        link = None
        with contextlib.suppress(*without_link(self.machine)):
            link = _link_of(self.machine, connection_of(self.machine, connection), self._proxy.links())
        if link is not None:
            self._proxy.cut(link)

    def kill_by_copy(self, store: Path) -> None:
        """Keep only what the folder `store` holds at this moment, as when the process is killed, and start again on that.

        From here on no client hears anything and none is heard, so the broker soon has nothing left to write.

        Raises:
            ProviderUnreachable: It goes on writing.
        """
        self._proxy.stall()
        copy = _settled(store, self.work_dir / "copies")
        self._proxy.cut()
        self.stop()
        shutil.rmtree(store)
        copy.rename(store)
        self.start()
        self._proxy.resume()

    @property
    def _proxy(self) -> Proxy:
        assert self.proxy is not None  # noqa: S101 - the hook is there with a proxy only, which the clients' address made
        return self.proxy

    def leave(self) -> None:
        """Close the proxy."""
        super().leave()
        if self.proxy is not None:
            self.proxy.close()


class Running(Proxied):
    """A broker that runs already, at ``url``."""

    keys = frozenset({"url", "proxy"})

    @property
    def placeholders(self) -> dict[str, str]:
        """Add the address; behind the proxy it is that one's.

        Raises:
            AdapterError: The address that the proxy is to stand for has no host and port.
        """
        values = super().placeholders
        url = filled(str(self.settings.get("url", "")), values, known_only=True)
        if self.settings.get("proxy"):
            found = re.search(r"//([^/:?,()]+):(\d+)", url)
            if found is None:
                raise AdapterError(
                    f"adapter.settings.broker.url: {url!r} has no //host:port for the proxy to stand for"
                )
            here = f"//127.0.0.1:{self.reached(int(found[2]), found[1])}"
            url = url[: found.start()] + here + url[found.end() :]
        return {**values, "url": url}


def _settled(store: Path, copies: Path) -> Path:
    """Copy a folder until two copies in a row are equal; return the last."""
    before: dict[Path, bytes] = {}
    for number in range(_COPIES):
        copy = copies / str(number)
        shutil.copytree(store, copy)
        now = {each.relative_to(copy): each.read_bytes() for each in copy.rglob("*") if each.is_file()}
        if now == before:
            return copy
        shutil.rmtree(copy)
        before = now
    raise ProviderUnreachable(
        f"the broker goes on writing to {store}, though no client is heard: it cannot be killed there"
    )


def _link_of(machine: Machine, connection: Any, links: tuple[int, ...]) -> int | None:
    """Return the link whose socket a connection holds; None if none of its sockets is that of a link.

    The fields are followed breadth first, through objects of the product, arrays and references, not through
    collections, by which a connection may know others.
    """
    seen: set[int] = set()
    identity = machine.type("java.lang.System").identityHashCode
    waiting = deque([connection])
    while waiting and len(seen) < _OBJECTS:
        value = waiting.popleft()
        if int(identity(value)) in seen:
            continue
        seen.add(int(identity(value)))
        if (port := _local_port(value)) in links:
            return port
        waiting.extend(_parts(machine, value))
    return None


def _local_port(value: Any) -> int | None:
    """Return the local port of a socket, or of a channel of Java or Netty; None if the object is neither."""
    for name in ("getLocalPort", "localAddress", "getLocalAddress"):
        with contextlib.suppress(Exception):
            found = getattr(value, name)()
            return int(found if name == "getLocalPort" else found.getPort())
    return None


def _parts(machine: Machine, value: Any) -> Iterator[Any]:
    """Give the objects that the fields of an object hold, or the elements of an array or a reference."""
    kind = value.getClass()
    if str(kind.getName()).startswith("java.util.concurrent.atomic.AtomicReference"):
        kept = value.get()
        yield from () if kept is None else (kept,)
    while kind is not None and not str(kind.getName()).startswith(_PLATFORM):
        for each in kind.getDeclaredFields():
            static = machine.type("java.lang.reflect.Modifier").isStatic(each.getModifiers())
            if not static and not each.getType().isPrimitive() and each.trySetAccessible():
                held = each.get(value)
                if held is not None and hasattr(held, "getClass"):
                    yield held
        kind = kind.getSuperclass()
