"""The session's own listener, for application servers: `run` delivers the messages of a connection consumer."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import TYPE_CHECKING, Protocol

from reference_provider.client.receivers import WaitSlot
from reference_provider.clock import Waiter
from tck.api import IllegalStateException

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.broker.delivery import Delivery
    from reference_provider.client.session_state import SessionState
    from tck.api import Message, MessageListener

_LOG = logging.getLogger(__name__)


class RunningSession(Protocol):
    """The interface that the runner needs from its session; see `ReferenceSession`."""

    broker: Broker
    state: SessionState
    closing: bool

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session."""

    def may_deliver(self) -> bool:
        """Return whether messages may be delivered now. Needs B."""
        ...

    def acknowledge_from_message(self) -> None:
        """Do what `Message.acknowledge` means in this session."""

    def message_of(self, delivery: Delivery) -> Message:
        """Create the message object of a delivery."""
        ...


class ServerSessionRunner:
    """The messages that a connection consumer has loaded into one session. Guarded by the broker lock.

    Attributes:
        session: the session.
        listener: the session's own listener.
        loaded: the messages that are still to be delivered.
        slot: where `run` waits while the connection is stopped.
    """

    __slots__ = (
        "_abandoned",
        "_current",
        "_recovered",
        "_thread",
        "_watchers",
        "listener",
        "loaded",
        "session",
        "slot",
    )

    def __init__(self, session: RunningSession) -> None:
        self.session = session
        self.listener: MessageListener | None = None
        self.loaded: deque[Delivery] = deque()
        self.slot = WaitSlot(session.broker)
        self._abandoned = False
        self._current: Delivery | None = None
        self._recovered = False
        self._thread: int | None = None
        self._watchers: list[Waiter] = []

    def may_load(self) -> bool:
        """Return whether the session still accepts messages. Needs B."""
        return not self.session.closing

    def load(self, deliveries: list[Delivery]) -> None:
        """Assign messages to the session. Needs B."""
        for one in deliveries:
            one.acknowledge = self.session.acknowledge_from_message
        self.loaded.extend(deliveries)

    def drop(self) -> list[Delivery]:
        """Remove and return the messages that were loaded and never delivered. Needs B."""
        dropped = list(self.loaded)
        self.loaded.clear()
        return dropped

    def is_current_thread(self) -> bool:
        """Return whether the calling thread is in `run`, inside the listener."""
        return self._current is not None and self._thread == threading.get_ident()

    def recover_current(self) -> None:
        """Redeliver the message whose listener runs, when the listener returns."""
        self._recovered = True

    def abandon(self) -> list[Delivery]:
        """Abandon a running listener; return its delivery if the mode would have acknowledged it."""
        with self.session.broker.lock:
            self._abandoned = True
            held = self._current
            return [held] if held is not None and self.session.state.settles(held) else []

    def wait_until_idle(self) -> None:
        """Wait until the listener does not run; return at once on its own thread."""
        with self.session.broker.lock:
            if self._current is None or self._thread == threading.get_ident():
                return
            watcher = Waiter()
            self._watchers.append(watcher)
        self.session.broker.clock.wait(watcher)

    def run(self) -> None:
        """Deliver all loaded messages to the listener, one by one, and return; rest while the connection is stopped."""
        self.session.check_open()
        if self.listener is None:
            raise IllegalStateException("the session has no message listener of its own to run", "NO_LISTENER")
        self._thread = threading.get_ident()
        while (delivery := self.next_delivery()) is not None:
            self._deliver(self.listener, delivery)

    def may_run(self) -> bool:
        """Return whether the next message may be passed on now. Needs B."""
        return self.session.may_deliver()

    def next_delivery(self) -> Delivery | None:
        """Return the next loaded message, once the connection is started; None if there is none left."""
        session = self.session
        while True:
            with session.broker.lock:
                if not self.loaded or session.closing:
                    return None
                if self.may_run():
                    self._current = self.loaded.popleft()
                    session.state.enter(self._current)
                    return self._current
                self.slot.begin_wait(ready=False)
            self.slot.wait(None)
            with session.broker.lock:
                self.slot.end_wait()
                self.slot.signal_returned()

    def _deliver(self, listener: MessageListener, delivery: Delivery) -> None:
        session = self.session
        self._recovered = False
        try:
            session.state.mark(delivery, listener=True)
            failed = self.call_listener(listener, delivery)
            if not self._is_abandoned() and session.state.settles(delivery):
                if failed or self._was_recovered():
                    session.broker.redelivery.redeliver([delivery])
                else:
                    session.state.settle_or_return(delivery)
        finally:
            with session.broker.lock:
                self._current = None
                watchers, self._watchers = self._watchers, []
            for watcher in watchers:
                session.broker.clock.signal(watcher)

    def _is_abandoned(self) -> bool:
        return self._abandoned

    def _was_recovered(self) -> bool:
        return self._recovered

    def call_listener(self, listener: MessageListener, delivery: Delivery) -> bool:
        """Call the session's listener; return whether it raised."""
        try:
            listener.on_message(self.session.message_of(delivery))
        except Exception as error:  # noqa: BLE001 # a client's listener may raise anything
            _LOG.warning("a session's listener raised %s: %s", type(error).__name__, error)
            return True
        return False
