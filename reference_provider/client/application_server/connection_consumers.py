"""Connection consumers: feed the messages of a destination to the server sessions of an application server's pool.

One thread per connection consumer takes messages from the delivery queue and a server session from the pool, loads the
messages into its session and starts it. The pool is client code: no lock is held while it is called, and it may block.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.clock import Waiter
from tck.api import ConnectionConsumer, IllegalStateException, ServerSession, ServerSessionPool

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.broker.physical_destinations import StoredDeliveryQueue
    from reference_provider.broker.stored_message import StoredMessage
    from reference_provider.client.consumer_factory import ConsumerFactory
    from reference_provider.client.receivers import Receiver

_LOG = logging.getLogger(__name__)

_PAUSE_MS = 1000  # after the pool has failed


class FeedingConnection(Protocol):
    """The interface that a connection consumer needs from its connection; see `ReferenceConnection`."""

    broker: Broker
    consumer_factory: ConsumerFactory
    consumers: list[ReferenceConnectionConsumer]
    running: bool

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed connection."""


class ReferenceConnectionConsumer(ConnectionConsumer):
    """A connection consumer. Its state is guarded by the broker lock.

    Attributes:
        connection: the connection it was made on.
        max_messages: how many messages it loads into a session at a time, at most.
        slot: where its thread waits for messages.
    """

    __slots__ = ("_closed", "_pool", "_receiver", "connection", "max_messages", "slot")

    def __init__(
        self, connection: FeedingConnection, receiver: Receiver, pool: ServerSessionPool, max_messages: int
    ) -> None:
        self.connection = connection
        self._receiver = receiver
        self._pool = pool
        self.max_messages = max_messages
        self._closed = False
        self.slot = receiver.slot
        receiver.deliver = self._hold

    @property
    def server_session_pool(self) -> ServerSessionPool:
        """Return the server session pool."""
        if self._closed:
            raise IllegalStateException("the connection consumer is closed", "CONSUMER_CLOSED")
        self.connection.check_open()
        return self._pool

    def begin(self) -> None:
        """Start the thread."""
        self.connection.broker.clock.spawn(self._run, "reference-provider-connection-consumer")

    def close(self) -> None:
        """Take no more messages; those loaded into sessions stay there."""
        with self.connection.broker.lock:
            if self._closed:
                return
            self._closed = True
            self.slot.wake()
            self.connection.consumer_factory.close(self._receiver)
            if self in self.connection.consumers:
                self.connection.consumers.remove(self)

    def _hold(self, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> Delivery:
        """Create a delivery for a session that is still to be found."""
        return Delivery(delivery_queue, entry, self, _no_session, self.connection.broker.clock.now())

    def _run(self) -> None:
        while not self._closed:
            first = self._first()
            if first is not None:
                self._serve(first)

    def _first(self) -> Delivery | None:
        broker = self.connection.broker
        with broker.lock:
            if self._closed:
                return None
            ready = self.may_take()
            broker.release_due_now()
            taken = self._receiver.take() if ready else None
            if taken is not None:
                return taken
            unfinished = ready and self._receiver.delivery_queue.cut_short
            if not unfinished:
                self.slot.begin_wait(ready=ready)
                if ready:
                    self._receiver.join_line()
        if unfinished:
            broker.clock.give_way()
            return None
        self.slot.wait(None)
        with broker.lock:
            self._receiver.leave_line()
            taken = self.slot.end_wait()
            if taken is not None and not self.may_take():
                taken.undo()
                return None
            return taken

    def may_take(self) -> bool:
        """Return whether messages may be taken now. Needs B."""
        return self.connection.running and not self._closed

    def _serve(self, first: Delivery) -> None:
        try:
            server_session = self.take_server_session()
            runner = runner_of(server_session)
        except Exception as error:  # noqa: BLE001 # the pool is client code
            _LOG.warning("a server session pool raised %s: %s", type(error).__name__, error)
            broker = self.connection.broker
            with broker.lock:
                first.undo()
            broker.clock.wait(Waiter(), _PAUSE_MS)
            return
        if self.load(runner, first):
            self.start(server_session)

    def take_server_session(self) -> ServerSession:
        """Take a server session out of the pool, which may block."""
        return self._pool.get_server_session()

    def load(self, runner: ServerSessionRunner, first: Delivery) -> bool:
        """Load messages into a session, up to the allowed number; return False if it takes none any more."""
        with self.connection.broker.lock:
            if self._closed or not runner.may_load():
                first.undo()
                return False
            batch = [first]
            while len(batch) < self.max_messages and self.connection.running:
                taken = self._receiver.take()
                if taken is None:
                    break
                batch.append(taken)
            runner.load(batch)
            return True

    def start(self, server_session: ServerSession) -> None:
        """Start a server session whose session has been loaded."""
        try:
            server_session.start()
        except Exception as error:  # noqa: BLE001 # the server session is client code
            _LOG.warning("a server session raised %s: %s", type(error).__name__, error)


def runner_of(server_session: ServerSession) -> ServerSessionRunner:
    """Return the runner of the session that a server session wraps; it has to be one of this provider."""
    session = server_session.session
    runner = getattr(session, "runner", None)
    if not isinstance(runner, ServerSessionRunner):
        raise TypeError(f"the server session wraps {session!r}, which is no session of this provider")
    return runner


def _no_session() -> None:
    return
