"""Connections that are stopped or closed while their listeners are at work, and connections that were never started."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from tck import api
from tck.catalogue.versions import OLDEST
from tck.suite.support import expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.harness.threads import Call
from tck.suite.support.values.seen import body

_MODES_THAT_SETTLE = ("transacted", "client")


class HeldListener(api.MessageListener):
    """A listener that is held in its first call until it is released, and then does some work with each message.

    Attributes:
        results: the value or the exception of the work, for each message.
        bodies: the bodies of the messages whose calls have begun.
    """

    def __init__(self, case: RunningCase, work: Callable[[api.Message], object] | None = None) -> None:
        self._case = case
        self._work = work
        self._entered, self._released, self._done = (case.provider.clock.event() for _ in range(3))
        self._lock = threading.Lock()  # guards the lists; no other lock is taken under it
        self.results: list[object] = []
        self.bodies: list[object] = []

    def on_message(self, message: api.Message) -> None:
        """Wait for the release, then work; a bounded wait, so that no case hangs for it."""
        with self._lock:
            self.bodies.append(body(message))
        self._entered.set()
        self._released.wait(600_000 if self._case.provider.clock.virtual else 4 * self._case.timing.deadline)
        result = None if self._work is None else ended(lambda: self._work(message))  # type: ignore[misc]  # not None
        with self._lock:
            self.results.append(result)
        self._done.set()

    def occupied(self) -> None:
        """Wait until the listener has been called.

        Raises:
            Undecided: it has not, within the profile's deadline.
        """
        if not self._entered.wait(self._case.timing.deadline):
            raise Undecided("the listener was never called")
        self._case.witness("a listener was called, and stays in the call")

    def release(self) -> None:
        """Let this call and all later ones go on."""
        self._released.set()

    def finished(self) -> bool:
        """Wait for the end of the first call, at most until the profile's deadline; return whether it has ended."""
        return self._done.wait(self._case.timing.deadline)

    def returned(self) -> bool:
        """Do as `finished`, and let the provider go on after that call; nothing shows when it has acknowledged, for instance."""
        finished = self.finished()
        self._case.linger("the listener must have returned")
        return finished

    def early(self) -> list[object]:
        """Release, and return the results of the calls that end though what they do must wait for somebody else."""
        self.release()
        self._case.linger("a call in a listener must wait")
        with self._lock:
            return list(self.results)


class CallingListener(HeldListener):
    """A listener that is not held: it does its work at once."""

    def __init__(self, case: RunningCase, work: Callable[[api.Message], object] | None = None) -> None:
        super().__init__(case, work)
        self.release()


class Load:
    """Listeners of some consumers that have been called three times at least, of thirty; each call takes a while."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._case = links[0].case
        self._begun = self._case.provider.clock.event()
        self._listeners = [Listener(self._receive) for _ in links]
        for link, listener in zip(links, self._listeners, strict=True):
            link.consumer.message_listener = listener
        self._senders = [sender_to(link) for link in links]
        for sender in self._senders:
            sender.send_all(numbered(30))
        called = self._begun.wait(self._case.timing.deadline)
        expect.true("the listeners are called", called, "they were not called three times")

    def _receive(self, message: api.Message, ordinal: int) -> None:
        del message
        self._case.provider.clock.event().wait(10)
        if ordinal == 3:
            self._begun.set()

    def rests(self, after: str) -> None:
        """Demand that no call begins from now on, though more is sent; a listener has no marker that it could not have either."""
        calls = [listener.calls for listener in self._listeners]
        for sender in self._senders:
            sender.send(f"after {after}")
        self._case.linger("no call of a listener may begin")
        seen = [listener.calls for listener in self._listeners]
        expect.equal(f"the number of calls some time after {after}", seen, calls)


def ended(call: Callable[[], object]) -> object:
    """Call, and return the value or the exception."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return error


def settling(client: Client, message: api.Message) -> None:
    """Commit or acknowledge, inside a listener as well as outside, where the mode leaves that to the client."""
    if client.ack in _MODES_THAT_SETTLE:
        client.settle(message)


def stop(client: Client) -> None:
    """Stop the connection; in version 1.0 some messages may still come after that, so their time passes."""
    client.stop()
    stopped(client)


def stopped(client: Client) -> None:
    """Let the time pass after a stop() in which version 1.0 may still deliver some messages."""
    if client.case.version == OLDEST:
        client.case.linger("a connection of version 1.0 may still deliver some messages after stop()")


def controller(client: Client) -> Client:
    """Return a client on the same connection that another thread may use: a context serves one thread, so it gets a sibling.

    The sibling has a consumer, as a context that has been in use.
    """
    if client.case.api != "simplified":
        return client
    sibling = client.peer()
    Link(sibling, client.case.destination())
    return sibling


def sender_to(link: Link) -> Link:
    """Open a sender to the link's destination, on a connection of its own."""
    return Link(connect(link.case, "auto"), link.destination, consumes=False)


def receiving(link: Link, *timeout: int) -> Call[object]:
    """Call receive() on a thread of its own."""

    def receive() -> object:
        return link.consumer.receive(*timeout)

    return link.case.spawn(f"receive{timeout}", receive)


def held(link: Link, listener: HeldListener) -> HeldListener:
    """Set a listener, and send a message that it is held with."""
    link.consumer.message_listener = listener
    sender_to(link).send("x")
    listener.occupied()
    return listener


def under_way(case: RunningCase, what: str, call: Callable[[], object]) -> Call[object]:
    """Call on a thread of its own, which is in the call when this returns."""
    started = case.spawn(what, call)
    case.until_blocked(started, f"the other thread is in {what}() by now")
    return started


def sessions_of(client: Client, count: int) -> list[Client]:
    """Return clients of sessions that end with this one's close(): further sessions, or the one session of a context."""
    if client.case.api == "simplified":
        return [client] * count
    return [client, *(client.peer() for _ in range(count - 1))]
