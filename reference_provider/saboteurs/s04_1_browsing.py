"""Faults in 4.1.6 and 4.1.7: browsers and requestors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.browsers import BrowsedMessages, ReferenceBrowser
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueSession
from reference_provider.client.requestors import ReferenceQueueRequestor, ReferenceTopicRequestor, answered
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import OMITTED, JMSException, Message, Omitted, Queue, QueueBrowser


@saboteur("4.1.6-1", "a second browser removes the first message it shows")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration
    browsed: dict[PhysicalQueue, ReferenceBrowser] = {}

    def get_enumeration(self: ReferenceBrowser) -> Iterator[Message]:
        shown = original(self)
        if browsed.setdefault(self._physical, self) is not self:
            with self.session.broker.lock:
                for entry in itertools.islice(list(self._physical.delivery_queue.free_entries()), 1):
                    self._physical.delivery_queue.remove(entry.number, entry.priority)
        return shown

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("4.1.6-2", "a QueueSession's browser ignores its selector")
def _(patch: Patch) -> None:
    def create_browser(
        self: ReferenceQueueSession, queue: Queue | None, message_selector: str | Omitted | None = OMITTED
    ) -> QueueBrowser:
        return ReferenceSession.create_browser(self, queue)

    patch.replace(ReferenceQueueSession, "create_browser", create_browser)


@saboteur("4.1.6-3", "JMSContext.createBrowser with a selector returns null")
def _(patch: Patch) -> None:
    original = ReferenceContext.create_browser

    def create_browser(
        self: ReferenceContext, queue: Queue | None, message_selector: str | Omitted | None = OMITTED
    ) -> QueueBrowser | None:
        return original(self, queue) if message_selector is OMITTED else None

    patch.replace(ReferenceContext, "create_browser", create_browser)


@saboteur("4.1.6-4", "an enumeration ends after fifteen messages")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration
    patch.replace(ReferenceBrowser, "get_enumeration", lambda self: itertools.islice(original(self), 15))


@saboteur("4.1.6-5", "a selecting browser shows every third message that does not match")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.shows
    passed: dict[ReferenceBrowser, int] = {}

    def shows(self: ReferenceBrowser, entry: StoredMessage) -> bool:
        if original(self, entry):
            return True
        passed[self] = passed.get(self, 0) + 1
        return self._matches is not None and passed[self] % 3 == 0

    patch.replace(ReferenceBrowser, "shows", shows)


@saboteur("4.1.6-6", "an enumeration is in order of arrival, whatever the priorities")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: ReferenceBrowser) -> Any:
        shown: Any = original(self)
        shown._seen = iter(sorted(shown._seen, key=lambda one: one.entry.number))
        return shown

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("4.1.6-7", "an enumeration fails when a message expires during the scan")
def _(patch: Patch) -> None:
    original = BrowsedMessages.__next__

    def following(self: BrowsedMessages) -> Message:
        broker = self._browser.session.broker
        left = list(self._seen)
        self._seen = iter(left)
        if any(broker.is_expired(one.entry) for one in left):
            raise JMSException("a message has expired")
        return original(self)

    patch.replace(BrowsedMessages, "__next__", following)


@saboteur("4.1.6-8", "a browser shows messages before their delivery time")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: ReferenceBrowser) -> Any:
        shown: Any = original(self)
        broker = self.session.broker
        with broker.lock:
            waiting = [self._view(entry) for entry in broker.schedule.waiting_for(self._physical.delivery_queue)]
        shown._seen = itertools.chain(shown._seen, waiting)
        return shown

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("4.1.6-9", "a browser does not know its queue")
def _(patch: Patch) -> None:
    patch.replace(ReferenceBrowser, "queue", property(lambda self: None))


@saboteur("4.1.6-10", "a browser's second enumeration is the exhausted first one")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration
    first: dict[ReferenceBrowser, Iterator[Message]] = {}

    def get_enumeration(self: ReferenceBrowser) -> Iterator[Message]:
        if self not in first:
            first[self] = original(self)
        return first[self]

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@saboteur("2.16-4", "request() returns the request in the place of the reply")
def _(patch: Patch) -> None:
    for requestor in (ReferenceQueueRequestor, ReferenceTopicRequestor):
        _echo(patch, requestor)


def _echo(patch: Patch, requestor: type[ReferenceQueueRequestor | ReferenceTopicRequestor]) -> None:
    original = requestor.request

    def request(self: ReferenceQueueRequestor | ReferenceTopicRequestor, message: Message) -> Message:
        original(self, message)  # type: ignore[arg-type] # of the class it came from
        return message

    patch.replace(requestor, "request", request)


@saboteur(
    "4.1.7-2",
    "a requestor asks for replies at an ordinary destination",
    collateral=dict.fromkeys(("4.1.7-5", "4.2.10-5"), "an ordinary destination outlives the requestor"),
)
def _(patch: Patch) -> None:
    def request_by_queue(self: ReferenceQueueRequestor, message: Message) -> Message:
        session = self._session
        queue = session.create_queue(f"replies-of-{id(self)}")
        receiver = session.create_receiver(queue)
        message.jms_reply_to = queue
        self._sender.send(message)
        return answered(receiver.receive())

    def request_by_topic(self: ReferenceTopicRequestor, message: Message) -> Message:
        session = self._session
        topic = session.create_topic(f"replies-of-{id(self)}")
        subscriber = session.create_subscriber(topic)
        message.jms_reply_to = topic
        self._publisher.publish(message)
        return answered(subscriber.receive())

    patch.replace(ReferenceQueueRequestor, "request", request_by_queue)
    patch.replace(ReferenceTopicRequestor, "request", request_by_topic)


@saboteur("4.1.7-5", "the close of a requestor leaves its session open")
def _(patch: Patch) -> None:
    def close_queue(self: ReferenceQueueRequestor) -> None:
        self._sender.close()
        self._receiver.close()
        self._reply_queue.delete()

    def close_topic(self: ReferenceTopicRequestor) -> None:
        self._publisher.close()
        self._subscriber.close()
        self._reply_topic.delete()

    patch.replace(ReferenceQueueRequestor, "close", close_queue)
    patch.replace(ReferenceTopicRequestor, "close", close_topic)
