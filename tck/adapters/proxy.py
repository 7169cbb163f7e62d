"""A TCP proxy between clients and a broker, for the failures of a network. It knows nothing of what it carries.

A client's connection and the proxy's own one to the broker make a link, which is named by the client's local port. One
thread owns all sockets and does what it is asked between two events: when a method returns, its effect is complete.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeVar

T = TypeVar("T")
PATIENCE: Final = 30.0
"""Seconds that a method may wait for the proxy's thread."""
_CONNECTING: Final = 5.0
"""Seconds that connecting to the broker may take; other links wait meanwhile."""
_CHUNK: Final = 1 << 16
_RESET: Final = struct.pack("ii", 1, 0)
"""The option by which closing a socket resets its connection, in place of ending it in good order."""


class Side(StrEnum):
    """An end of a link."""

    CLIENT = "client"
    BROKER = "broker"


@dataclass(slots=True)
class _Way:
    """One direction of a link: what `source` sent and `sink` has not taken yet."""

    source: socket.socket
    sink: socket.socket
    stalled: bool = False
    ended: bool = False
    held: bytes = b""

    def carry(self) -> None:
        """Send the bytes held, or else read and send; neither waits."""
        if not self.held:
            self.held = self.source.recv(_CHUNK)
            self.ended = not self.held
        if self.held:
            with contextlib.suppress(BlockingIOError):
                self.held = self.held[self.sink.send(self.held) :]
        if self.ended:
            self.sink.shutdown(socket.SHUT_WR)


@dataclass(slots=True)
class _Link:
    sockets: dict[Side, socket.socket]
    ways: dict[Side, _Way] = field(init=False)
    """The directions by the side that sends."""

    def __post_init__(self) -> None:
        client, broker = self.sockets[Side.CLIENT], self.sockets[Side.BROKER]
        self.ways = {Side.CLIENT: _Way(client, broker), Side.BROKER: _Way(broker, client)}
        for each in self.sockets.values():
            each.setblocking(False)
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def interests(self) -> Iterable[tuple[socket.socket, int]]:
        """Give for each socket the events that a direction waits for."""
        moving = [way for way in self.ways.values() if not way.stalled and not way.ended]
        for each in self.sockets.values():
            reads = any(way.source is each and not way.held for way in moving)
            writes = any(way.sink is each and way.held for way in moving)
            yield each, selectors.EVENT_READ * reads | selectors.EVENT_WRITE * writes


class Proxy:
    """Listens at a free `port` of this machine and forwards to a broker until `close`.

    Args:
        host: The broker's.
        port: The broker's. It may start to listen later: a client is cut off as long as nobody does.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._links: dict[int, _Link] = {}
        self._open = True
        self._asked: deque[Callable[[], None]] = deque()
        self._waking, self._wakes = socket.socketpair()
        self._selector.register(self._wakes, selectors.EVENT_READ)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="tck-proxy", daemon=True)
        self._thread.start()

    # -- what may be asked from any thread -----------------------------------------------------------------------

    def links(self) -> tuple[int, ...]:
        """Return the open links, oldest first: the local ports of their clients."""
        return self._ask(lambda: tuple(self._links))

    def cut(self, link: int | None = None) -> None:
        """Reset both sides of a link, or of all; what was under way is lost. One that is gone already is no error."""
        self._ask(lambda: self._cut(*self._named(link)))

    def stall(self, link: int | None = None, source: Side | None = None) -> None:
        """Forward nothing more, or nothing that the side `source` sends; its bytes are kept. All links: admit no new one."""
        self._ask(lambda: self._set_stalled(link, source, True))

    def resume(self, link: int | None = None) -> None:
        """Forward again, first what was kept; all links: admit new ones, first those that have waited."""
        self._ask(lambda: self._set_stalled(link, None, False))

    def half_open(self, link: int, closed: Side) -> None:
        """Reset one side of a link, which the other does not hear of until `resume`."""
        self.stall(link)
        self._ask(lambda: self._reset(*(self._links[each].sockets[closed] for each in self._named(link))))

    def close(self) -> None:
        """Cut all links and listen no longer; once more is no error."""
        with contextlib.suppress(RuntimeError):
            self._ask(self._end)
        self._thread.join(PATIENCE)
        self._waking.close()

    def _ask(self, action: Callable[[], T]) -> T:
        """Let the proxy's thread do something, and return what it gives.

        Raises:
            RuntimeError: The proxy is closed.
        """
        if not self._open:
            raise RuntimeError("the proxy is closed")
        done: Future[T] = Future()
        self._asked.append(lambda: done.set_result(action()))
        self._waking.send(b"!")
        return done.result(PATIENCE)

    # -- what its own thread does --------------------------------------------------------------------------------

    def _run(self) -> None:
        while self._open:
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    self._admit()
                elif key.fileobj is self._wakes:
                    self._wakes.recv(1)
                    self._asked.popleft()()
                else:
                    self._carry(key.data)

    def _admit(self) -> None:
        with contextlib.suppress(OSError):  # it gave up meanwhile
            client, address = self._listener.accept()
            try:
                broker = socket.create_connection(self._target, _CONNECTING)
            except OSError:
                self._reset(client)
                return
            self._links[address[1]] = _Link({Side.CLIENT: client, Side.BROKER: broker})
            self._watch(address[1])

    def _carry(self, name: int) -> None:
        if name not in self._links:  # it was cut by an earlier event of the same round
            return
        try:
            for way in self._links[name].ways.values():
                if not way.stalled and not way.ended:
                    with contextlib.suppress(BlockingIOError):
                        way.carry()
        except OSError:
            self._cut(name)
        else:
            self._watch(name)

    def _watch(self, name: int) -> None:
        """Wait for the events that a link needs now; forget it if it is over."""
        link = self._links[name]
        if all(way.ended for way in link.ways.values()):
            for each in self._links.pop(name).sockets.values():
                self._unwatch(each)
                each.close()
            return
        for each, events in link.interests():
            self._unwatch(each)
            if events:
                self._selector.register(each, events, name)

    def _named(self, link: int | None) -> list[int]:
        return [each for each in self._links if link in (None, each)]

    def _set_stalled(self, link: int | None, source: Side | None, stalled: bool) -> None:
        for name in self._named(link):
            for side, way in self._links[name].ways.items():
                if source in (None, side):
                    way.stalled = stalled
            if any(each.fileno() < 0 for each in self._links[name].sockets.values()):
                self._cut(name)
            else:
                self._watch(name)
        if link is None:
            self._unwatch(self._listener)
            if not stalled:
                self._selector.register(self._listener, selectors.EVENT_READ)

    def _cut(self, *names: int) -> None:
        for name in names:
            self._reset(*self._links.pop(name).sockets.values())

    def _reset(self, *ends: socket.socket) -> None:
        """Close sockets so that calls at their other ends fail, where those are not ended already."""
        for end in ends:
            if end.fileno() >= 0:
                self._unwatch(end)
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.close()

    def _unwatch(self, end: socket.socket) -> None:
        if end in self._selector.get_map():
            self._selector.unregister(end)

    def _end(self) -> None:
        self._open = False
        self._cut(*self._links)
        self._reset(self._listener, self._wakes)
        self._selector.close()
