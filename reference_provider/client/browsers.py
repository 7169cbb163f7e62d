"""`ReferenceBrowser`: looks at the messages of a queue without taking them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue, Predicate
from reference_provider.broker.stored_message import StoredMessage
from tck.api import IllegalStateException, Message, Queue, QueueBrowser

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker


class BrowserSession(Protocol):
    """The interface that a browser needs from its session; see `ReferenceSession`."""

    broker: Broker

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session."""

    def message_of(self, delivery: Delivery) -> Message:
        """Create the message object of a delivery."""
        ...


class ReferenceBrowser(QueueBrowser):
    """A browser. Each enumeration is a snapshot: the messages deliverable at its creation, in order of delivery."""

    __slots__ = ("_matches", "_physical", "_queue", "_selector", "closed", "session")

    def __init__(
        self,
        session: BrowserSession,
        queue: Queue,
        physical: PhysicalQueue,
        selector: str | None,
        matches: Predicate | None,
    ) -> None:
        self.session = session
        self.closed = False
        self._queue = queue
        self._physical = physical
        self._selector = selector
        self._matches = matches

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed browser or session."""
        self.session.check_open()
        if self.closed:
            raise IllegalStateException("the browser is closed", "BROWSER_CLOSED")

    @property
    def queue(self) -> Queue:
        """Return the queue."""
        self.check_open()
        return self._queue

    @property
    def message_selector(self) -> str | None:
        """Return the message selector, None if there is none."""
        self.check_open()
        return self._selector or None

    def get_enumeration(self) -> Iterator[Message]:
        """Return a fresh iterator over the messages that could be delivered now; it ends with the browser.

        It is a snapshot. A long queue is read in parts, to release the lock in between; messages taken in the meantime
        may be left out.
        """
        self.check_open()
        broker = self.session.broker
        seen: list[Delivery] = []
        with broker.lock:
            broker.release_due_now()
            parts = list(self._physical.delivery_queue.free_in_parts())
        for number, part in enumerate(parts):
            if number:
                broker.clock.give_way()
            with broker.lock:
                seen += [self._view(entry) for entry in part() if self.shows(entry)]
        return BrowsedMessages(self, seen)

    def shows(self, entry: StoredMessage) -> bool:
        """Return whether an enumeration shows a message. Needs B."""
        return not self.session.broker.is_expired(entry) and (self._matches is None or self._matches(entry))

    def _view(self, entry: StoredMessage) -> Delivery:
        """Show a message as its next delivery would be; browsing is not a delivery and needs no acknowledgement."""
        return Delivery(self._physical.delivery_queue, entry, self, lambda: None, self.session.broker.clock.now())

    def close(self) -> None:
        """Close the browser."""
        self.closed = True


class BrowsedMessages(Iterator[Message]):
    """The messages of one enumeration; those that expire in the meantime are left out."""

    __slots__ = ("_browser", "_seen")

    def __init__(self, browser: ReferenceBrowser, seen: list[Delivery]) -> None:
        self._browser = browser
        self._seen = iter(seen)

    def __next__(self) -> Message:
        self._browser.check_open()
        session = self._browser.session
        return next(session.message_of(one) for one in self._seen if not session.broker.is_expired(one.entry))
