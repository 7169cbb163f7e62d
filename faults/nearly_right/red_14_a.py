"""Round 14, stranger A: messages, selectors and queues. Written from the catalogue and the provider, without the suite."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from faults.kit.common import after_send, around, as_received, before_commit
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalTopic, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.browsers import BrowsedMessages, ReferenceBrowser
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.destinations import ReferenceDestination
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.selector import Selector
from reference_provider.selector.literals import pattern
from reference_provider.selector.nodes import And, Between, Condition, Identifier, Like, NumberLiteral
from reference_provider.selector.values import Single
from reference_provider.selector.walker import View
from tck.api import Byte, Destination, Message, Session, Short

# --- chapter 3 --------------------------------------------------------------------------------------------------------


@nearly_right(
    "a14-byte-widened-from-file",
    "a byte property of a message with a correlation id is a short once the message was read back from the file",
    "3.5.4-9",
    "3.5.5-3",
    "3.5.2-2",
)
def _(patch: Patch) -> None:
    def load(
        original: Callable[..., list[StoredMessage]], broker: Broker, numbers: Iterable[int]
    ) -> list[StoredMessage]:
        entries = original(broker, numbers)
        for entry in entries:
            frozen = entry.snapshot
            if frozen.correlation is not None:
                widened = {
                    name: Short(value.value) if type(value) is Byte else value
                    for name, value in frozen.properties.items()
                }
                entry.snapshot = frozen._replace(properties=widened)
        return entries

    around(patch, Broker, "load_numbers", load)


@nearly_right(
    "a14-expiration-lost-after-delay",
    "a redelivered message that was sent with both a delivery delay and a time to live has JMSExpiration 0",
    "3.4.9-4",
    "3.10-6",
)
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        entry = delivery.entry
        if delivery.count > 1 and entry.expiration and entry.timestamp and entry.delivery_time > entry.timestamp:
            message.jms_expiration = 0

    as_received(patch, fault)


@nearly_right(
    "a14-large-map-cleared-in-place",
    "clearBody of a received map of eight entries or more empties and reuses the map that a redelivery is made from",
    "3.10-4",
    "4.2.2-7",
)
def _(patch: Patch) -> None:
    def clear_body(original: Callable[[ReferenceMapMessage], None], message: ReferenceMapMessage) -> None:
        entries = message._entries
        reused = len(entries) >= 8 and not message._writable
        original(message)
        if reused:
            entries.clear()
            message._entries = entries

    around(patch, ReferenceMapMessage, "clear_body", clear_body)


@nearly_right(
    "a14-second-send-has-first-text",
    "a text message object sent again in the same transaction carries the text of its first send",
    "3.9-4",
    "3.9-3",
)
def _(patch: Patch) -> None:
    frozen: dict[int, tuple[StoredMessage, Message]] = {}

    def fault(producer: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        state = producer.session.state
        if state.mode != Session.SESSION_TRANSACTED or entry.snapshot.kind != "text":
            return
        for _, sent in state.work.sends:
            if id(sent) in frozen and frozen[id(sent)][1] is message:
                entry.snapshot = entry.snapshot._replace(body=sent.snapshot.body)
                break
        frozen[id(entry)] = (entry, message)

    after_send(patch, fault)


@nearly_right(
    "a14-stream-array-ends-early",
    "a byte array in a stream that exactly fills the buffer for the third time or later is not followed by -1",
    "3.11-22",
    noticed=False,
)
def _(patch: Patch) -> None:
    def read_part(
        original: Callable[..., int], message: ReferenceStreamMessage, array: bytes, buffer: bytearray
    ) -> int:
        offset = message._offset or 0
        count = original(message, array, buffer)
        if 0 < count == len(buffer) and offset >= 2 * count and offset + count == len(array):
            message._move_on()
        return count

    around(patch, ReferenceStreamMessage, "_read_part", read_part)


@nearly_right(
    "a14-body-leaves-pointer-at-end",
    "getBody of a bytes message that has been read to its end leaves the read pointer there",
    "3.11-33",
)
def _(patch: Patch) -> None:
    def get_body(original: Callable[..., object], message: ReferenceBytesMessage, body_type: Any) -> object:
        at_end = 0 < len(message._data) <= message._position
        body = original(message, body_type)
        if at_end:
            message._position = len(message._data)
        return body

    around(patch, ReferenceBytesMessage, "get_body", get_body)


def _not_matching(patch: Patch, wrong: Callable[[Condition, View], bool]) -> None:
    """Let a selector not match where `wrong` is true for one of the conditions that AND joins at its top."""

    def compile_selector(
        original: Callable[..., Selector | None], text: str | None, version: str = "3.1"
    ) -> Selector | None:
        found = original(text, version)
        if found is None:
            return None
        parts = found.tree.conditions if isinstance(found.tree, And) else (found.tree,)

        def matches(view: View) -> bool:
            return found.matches(view) and not any(wrong(part, view) for part in parts)

        return Selector(found.text, found.tree, found.names, matches)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@nearly_right(
    "a14-between-excludes-float-bound",
    "BETWEEN is false for a float property that equals an upper bound written as a whole number",
    "3.8.1.1-70",
    "3.8.1.1-53",
    noticed=False,
)
def _(patch: Patch) -> None:
    def wrong(node: Condition, view: View) -> bool:
        match node:
            case Between(Identifier(name), _, NumberLiteral(int(high))):
                value = view.get(name)
                return type(value) is Single and float(value) == float(high)
        return False

    _not_matching(patch, wrong)


@nearly_right(
    "a14-escaped-like-stops-at-newline",
    "the wildcards of a LIKE with an ESCAPE clause do not stand for line terminators",
    "3.8.1.1-87",
    "3.8.1.1-82",
    "3.8.1.1-83",
    "3.8.1.1-89",
    noticed=False,
)
def _(patch: Patch) -> None:
    def wrong(node: Condition, view: View) -> bool:
        if not isinstance(node, Like) or node.escape is None:
            return False
        value = view.get(node.identifier.name)
        return isinstance(value, str) and re.fullmatch(pattern(node.pattern, node.escape).regex, value) is None

    _not_matching(patch, wrong)


@nearly_right(
    "a14-group-seq-lost-asynchronously",
    "JMSXGroupSeq set on a JMSProducer is lost when the producer sends asynchronously",
    "3.5.9-5",
    "3.5.3-1",
)
def _(patch: Patch) -> None:
    def send_later(
        original: Callable[..., None],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
        listener: object,
        sender: object,
    ) -> None:
        if isinstance(sender, ReferenceJMSProducer) and isinstance(message, ReferenceMessage):
            message._properties = {name: one for name, one in message._properties.items() if name != "JMSXGroupSeq"}
        original(producer, message, destination, options, listener, sender)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)


@nearly_right(
    "a14-reply-to-own-topic-null",
    "JMSReplyTo is null at the receiver if it is the topic that the message was sent to",
    "3.4.6-1",
    "3.4.6-2",
    noticed=False,
)
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        physical = delivery.source.physical
        if isinstance(physical, PhysicalTopic) and message.jms_reply_to == physical.destination:
            message.jms_reply_to = None

    as_received(patch, fault)


# --- chapter 4: queues ------------------------------------------------------------------------------------------------


@nearly_right(
    "a14-browser-shows-redelivered-last",
    "a browser shows messages that were delivered before behind the others of their priority",
    "4.1.6-6",
)
def _(patch: Patch) -> None:
    def made(
        original: Callable[..., None], messages: BrowsedMessages, browser: ReferenceBrowser, seen: list[Delivery]
    ) -> None:
        original(messages, browser, sorted(seen, key=lambda one: (-one.priority, one.count > 1)))

    around(patch, BrowsedMessages, "__init__", made)


@nearly_right(
    "a14-large-commit-puts-expiring-first",
    "a transaction of more than eight sends puts its messages with a time to live before the others",
    "4.1.2-8",
    "4.1.2-9",
    noticed=False,
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if len(sends) > 8:
            sends.sort(key=lambda one: one[1].expiration == 0)

    before_commit(patch, fault)


@nearly_right(
    "a14-selective-receiver-does-not-hold-queue",
    "a temporary queue can be deleted while receivers are open on it if each of them has a selector",
    "4.1.5-9",
    noticed=False,
)
def _(patch: Patch) -> None:
    selective: dict[PhysicalDestination, list[Receiver]] = {}

    def open_receiver(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        physical: PhysicalDestination,
        text: str | None,
        matches: object,
        subscription: Subscription | None,
    ) -> Receiver:
        receiver = original(factory, physical, text, matches, subscription)
        if physical.temporary and matches is not None:
            selective.setdefault(physical, []).append(receiver)
        return receiver

    def delete(
        original: Callable[..., None], temporaries: TemporaryDestinations, destination: ReferenceDestination
    ) -> None:
        physical = temporaries._physical.get(destination)
        if physical is not None and physical in selective:
            held = sum(not one.closed for one in selective[physical])
            physical.consumers = 0 if held == physical.consumers else physical.consumers
        original(temporaries, destination)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.TEMPORARY_DELETED, delete)


@nearly_right(
    "a14-enumeration-kept-with-selector",
    "a browser with a selector shows in its second enumeration what it showed in the first",
    "4.1.6-10",
    "4.1.6-5",
)
def _(patch: Patch) -> None:
    kept: dict[ReferenceBrowser, list[Delivery]] = {}

    def get_enumeration(original: Callable[..., BrowsedMessages], browser: ReferenceBrowser) -> BrowsedMessages:
        if browser._matches is None:
            return original(browser)
        browser.check_open()
        if browser not in kept:
            kept[browser] = list(original(browser)._seen)
        return BrowsedMessages(browser, list(kept[browser]))

    around(patch, ReferenceBrowser, "get_enumeration", get_enumeration)


@nearly_right(
    "a14-rollback-counts-for-other-copies",
    "a rollback of a topic message also counts for the copies that wait in durable subscriptions",
    "4.2.2-9",
    "3.5.11-1",
)
def _(patch: Patch) -> None:
    def others(deliveries: Sequence[Delivery]) -> None:
        for one in deliveries:
            number = one.entry.number
            for queue in one.source.physical.delivery_queues():
                if queue is not one.source and queue.in_file and queue.level(one.priority).is_free(number):
                    queue.counts[number] = queue.counts.get(number, 0) + 1

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        rolled_back = list(work.acks)
        original(session, work)
        if not session.closing:
            with session.broker.lock:
                others(rolled_back)

    patch.at(fault_points.ROLLBACK, roll_back)
