"""One thread per session with listeners: it takes messages for all of them, one at a time, and calls them.

No lock is held while a listener runs. What a listener raises never reaches the thread: the message is delivered again or
not, as the acknowledge mode says.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from reference_provider.broker.delivery import Delivery
from reference_provider.clock import Waiter
from tck.api import MessageListener

if TYPE_CHECKING:
    from reference_provider.client.consumers import ReferenceConsumer
    from reference_provider.client.sessions import ReferenceSession

_LOG = logging.getLogger(__name__)
_PAUSE_MS = 500  # after an acknowledgement has failed


class Dispatcher:
    """The thread of one session, and what it is doing. Its state is guarded by the broker lock.

    Attributes:
        consumers: those with a listener, in the order they were set; who was served goes to the end.
        current: the delivery in the hands of a listener.
    """

    __slots__ = (
        "_abandoned",
        "_idle_waiters",
        "_recovered",
        "_session",
        "_thread",
        "_unfinished",
        "consumers",
        "current",
    )

    def __init__(self, session: ReferenceSession) -> None:
        self._session = session
        self._thread: int | None = None
        self._idle_waiters: list[Waiter] = []
        self._recovered = False
        self._abandoned = False
        self._unfinished = False  # whether the last look for a message was cut short somewhere
        self.consumers: list[ReferenceConsumer] = []
        self.current: Delivery | None = None

    def start(self) -> None:
        """Start the thread."""
        self._session.broker.clock.spawn(self._run, "reference-provider-session")

    def is_current_thread(self) -> bool:
        """Whether the calling thread is this dispatcher, inside a listener."""
        return self._thread == threading.get_ident() and self.current is not None

    def add(self, consumer: ReferenceConsumer) -> None:
        """Serve the listener of `consumer` from now on. Needs B."""
        if consumer not in self.consumers:
            self.consumers.append(consumer)
        consumer.receiver.desk = self._session.desk
        self._session.desk.wake()

    def remove(self, consumer: ReferenceConsumer) -> None:
        """Serve `consumer` no more. Needs B."""
        if consumer in self.consumers:
            self.consumers.remove(consumer)
            consumer.receiver.step_out()

    def recover_current(self) -> None:
        """Let the message now in the hands of a listener be delivered again when the listener returns."""
        self._recovered = True

    def abandon(self) -> list[Delivery]:
        """Give up on a listener that runs; return what it holds and its mode would have settled."""
        with self._session.broker.lock:
            self._abandoned = True
            held = self.current
            return [held] if held is not None and self._session.ledger.settles(held) else []

    def wait_until_idle(self, consumer: object = None) -> None:
        """Wait until no listener runs, of all consumers or of one; returns at once on the dispatcher's own thread."""
        with self._session.broker.lock:
            if self.current is None or self._thread == threading.get_ident():
                return
            if consumer is not None and self.current.consumer is not consumer:
                return
            waiter = Waiter()
            self._idle_waiters.append(waiter)
        self._session.broker.clock.wait(waiter)

    def _run(self) -> None:
        self._thread = threading.get_ident()
        session = self._session
        while not session.closing:
            delivery = self._next()
            if delivery is not None:
                self._call(delivery)

    def _next(self) -> Delivery | None:
        session = self._session
        with session.broker.lock:
            if session.closing:
                return None
            running = session.may_deliver()
            session.broker.release_due_now()
            delivery = self._take() if running else None
            if delivery is not None:
                self.current = delivery
                return delivery
            unfinished = running and self._unfinished
            if not unfinished:
                session.desk.sit_down(ready=running)
                if running:
                    for consumer in self.consumers:
                        consumer.receiver.line_up()
        if unfinished:
            session.broker.clock.give_way()
            return None
        session.desk.wait(None)
        with session.broker.lock:
            for consumer in self.consumers:
                consumer.receiver.step_out()
            delivery = session.desk.get_up()
            session.desk.forget_leaver()
            if delivery is not None and not (session.may_deliver() and _is_open(delivery)):
                session.ledger.take_back(delivery)
                delivery = None
            self.current = delivery
            return delivery

    def _take(self) -> Delivery | None:
        self._unfinished = False
        for consumer in list(self.consumers):
            if consumer.closed:  # about to be removed; its close may have looked already whether a listener runs
                continue
            delivery = consumer.receiver.take()
            self._unfinished |= consumer.receiver.stream.cut_short
            if delivery is not None:
                self.consumers.remove(consumer)
                self.consumers.append(consumer)
                return delivery
        return None

    def _call(self, delivery: Delivery) -> None:
        try:
            while (listener := self._listener_of(delivery)) is not None:
                self._recovered = False
                self._session.ledger.mark(delivery, listener=True)
                failed = self._on_message(listener, delivery)
                if not self._after_listener(delivery, failed=failed):
                    return
            with self._session.broker.lock:  # the listener was taken away while the message was on its way
                self._session.ledger.take_back(delivery)
        except Exception:  # noqa: BLE001 # the thread must live on for the next message
            _LOG.exception("delivery to a message listener failed")
            if not self._session.closing:  # it will come again: not at once, since the disk may be full
                self._session.broker.clock.wait(Waiter(), _PAUSE_MS)
        finally:
            self._finish()

    def _listener_of(self, delivery: Delivery) -> MessageListener | None:
        listener: MessageListener | None = getattr(delivery.consumer, "listener", None)
        return listener

    def _on_message(self, listener: MessageListener, delivery: Delivery) -> bool:
        try:
            listener.on_message(self._session.message_of(delivery))
        except Exception as error:  # noqa: BLE001 # a client's listener may raise anything
            _LOG.warning("a message listener raised %s: %s", type(error).__name__, error)
            return True
        return False

    def _after_listener(self, delivery: Delivery, *, failed: bool) -> bool:
        """Acknowledge, or let the message come again, as the mode asks; return whether to deliver it again at once."""
        if self._is_abandoned() or not self._session.ledger.settles(delivery):
            return False  # the client acknowledges, commits, recovers or rolls back; or the link is broken
        if failed and self.may_repeat(delivery):
            delivery.repeat()
            return True
        if failed or self._was_recovered():
            self._session.broker.give_back([delivery])
        else:
            self._session.ledger.settle_or_return(delivery)
        return False

    def may_repeat(self, delivery: Delivery) -> bool:
        """Whether a message whose listener failed is delivered again at once, before any other."""
        session = self._session
        with session.broker.lock:
            consumer_open = delivery.consumer in self.consumers
            return consumer_open and session.may_deliver() and not session.broker.redelivery.is_exhausted(delivery)

    def _is_abandoned(self) -> bool:
        return self._abandoned

    def _was_recovered(self) -> bool:
        return self._recovered

    def _finish(self) -> None:
        with self._session.broker.lock:
            self.current = None
            waiters, self._idle_waiters = self._idle_waiters, []
        for waiter in waiters:
            self._session.broker.clock.signal(waiter)


def _is_open(delivery: Delivery) -> bool:
    """Whether the consumer that a message was handed to is open still: its close may have come in between."""
    return not getattr(delivery.consumer, "closed", False)
