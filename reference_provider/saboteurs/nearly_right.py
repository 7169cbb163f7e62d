"""Providers that are nearly right: each fails under one circumstance only, as real ones do.

A saboteur breaks its row wherever the row applies. These providers keep all rows most of the time, so a suite that tests each
obligation once, in the simplest way, passes them. `rows` names the rows whose cases must notice; one of them is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.physical_destinations import PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import conversions
from reference_provider.messages.text_message import ReferenceTextMessage
from reference_provider.saboteurs.faults import Marked
from reference_provider.saboteurs.registry import Patch
from reference_provider.selector import compiler, fast_arithmetic, operations, selector
from reference_provider.selector.nodes import And, Or
from reference_provider.selector.values import Wide
from tck.api import Byte, Message, TextMessage

LATE_MS: Final = 2
"""Milliseconds from the expiration of a message until it expires."""
LONGEST_UTF: Final = 65_535
"""Bytes of the longest text whose length fits 16 bits."""


@dataclass(frozen=True, slots=True)
class NearlyRight:
    """One provider that is nearly right.

    Attributes:
        name: names it, in words joined by hyphens.
        title: a short sentence which says what the provider does wrong, and when.
        rows: the rows of which one case at least must notice.
        install: makes the fault.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    install: Callable[[Patch], None]


_FOUND: dict[str, NearlyRight] = {}


def nearly_right(name: str, title: str, *rows: str) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    """Declare the decorated function as the fault of a provider that is nearly right.

    Raises:
        ValueError: The name is taken.
    """

    def declare(install: Callable[[Patch], None]) -> Callable[[Patch], None]:
        if name in _FOUND:
            raise ValueError(f"two providers are called {name}: {_FOUND[name].title!r} and {title!r}")
        _FOUND[name] = NearlyRight(name, title, rows, install)
        return install

    return declare


def all_nearly_right() -> Mapping[str, NearlyRight]:
    """Return all of them by name."""
    return dict(_FOUND)


# -- delivery ------------------------------------------------------------------------------------------------------------


@nearly_right(
    "order-under-concurrency",
    "a queue swaps two messages of one sender if another sender's messages arrive between them",
    "6.2.9.1-2",
)
def _(patch: Patch) -> None:
    original = DeliveryQueue.put
    arrived: dict[int, tuple[DeliveryQueue, list[StoredMessage]]] = {}

    def put(self: DeliveryQueue, entry: StoredMessage) -> None:
        original(self, entry)
        if not isinstance(self, StoredDeliveryQueue) or not isinstance(self.physical, PhysicalQueue):
            return
        free = set(self.numbers())
        _, entries = arrived.setdefault(id(self), (self, []))
        entries[:] = [one for one in entries if one.number in free]
        own = [one for one in entries if one.sender == entry.sender]
        if len(own) == 2 and own[1] is not entries[entries.index(own[0]) + 1] and own[0].priority == own[1].priority:
            first, second = own
            first.number, second.number = second.number, first.number
            self._in_memory.update({first.number: first, second.number: second})
        entries.append(entry)

    patch.replace(DeliveryQueue, "put", put)


@nearly_right(
    "duplicate-after-rollback",
    "a message redelivered after a rollback is delivered again after its commit",
    "6.2.7-6",
    "6.2.7-7",
    "6.2.7-8",
    "6.2.7-1",
)
def _(patch: Patch) -> None:
    repeated = Marked()

    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        again = [one for one in session.state.work.acks if one.count > 1 and one.entry not in repeated]
        session.state.work.acks = [one for one in session.state.work.acks if one not in again]
        original(session)
        for one in again:
            repeated.add(one.entry)
        session.broker.redelivery.redeliver(again)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "expires-late", "a message is still delivered in the first millisecond after its expiration", "3.4.9-6", "3.4.9-7"
)
def _(patch: Patch) -> None:
    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        return entry.expiration != 0 and entry.expiration + LATE_MS <= broker.clock.now()

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)


@nearly_right(
    "redelivered-forgotten",
    "a message redelivered after its session was closed does not have JMSRedelivered",
    "3.4.7-1",
    "3.4.7-2",
    "3.5.11-2",
)
def _(patch: Patch) -> None:
    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        for one in (*session.state.unacknowledged, *session.state.work.acks):
            one.count -= 1
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@nearly_right(
    "live-body",
    "a receiver of the same connection gets the text that the sender's message has by then",
    "3.9-1",
    "3.9-2",
)
def _(patch: Patch) -> None:
    original_freeze = ReferenceProducer.freeze
    senders: dict[int, tuple[StoredMessage, Message]] = {}

    def freeze(self: ReferenceProducer, message: Message, *arguments: Any) -> StoredMessage:
        entry = original_freeze(self, message, *arguments)
        senders[id(entry)] = (entry, message)
        return entry

    def message_of(original: Callable[..., Message], session: ReferenceSession, delivery: Delivery) -> Message:
        message = original(session, delivery)
        _, sent = senders.get(id(delivery.entry), (None, None))
        same_connection = delivery.entry.sender == session.connection.identity
        if same_connection and isinstance(sent, TextMessage) and isinstance(message, ReferenceTextMessage):
            message._restore_body(sent.text)
        return message

    patch.replace(ReferenceProducer, "freeze", freeze)
    patch.at(fault_points.MESSAGE_MADE, message_of)


# -- bodies and properties -----------------------------------------------------------------------------------------------


def _texts(patch: Patch, change: Callable[[str], str]) -> None:
    original = ReferenceTextMessage._frozen_body

    def frozen_body(self: ReferenceTextMessage) -> object:
        text = original(self)
        return change(text) if isinstance(text, str) else text

    patch.replace(ReferenceTextMessage, "_frozen_body", frozen_body)


@nearly_right("basic-plane-only", "characters beyond U+FFFF arrive as question marks", "3.11-5")
def _(patch: Patch) -> None:
    _texts(patch, lambda text: "".join("?" if character > "\uffff" else character for character in text))


@nearly_right("short-texts-only", "a text of more than 65,535 bytes is cut", "3.11-5")
def _(patch: Patch) -> None:
    _texts(patch, lambda text: text.encode("utf-8", "surrogatepass")[:LONGEST_UTF].decode("utf-8", "ignore"))


@nearly_right("unsigned-bytes", "a negative byte property is read as a positive int", "3.5.4-1")
def _(patch: Patch) -> None:
    column: dict[type, Any] = {**conversions.PROPERTY_TABLE["int"], Byte: lambda box: box.value & 0xFF}
    patch.replace(conversions, "PROPERTY_TABLE", {**conversions.PROPERTY_TABLE, "int": column})


# -- selectors -----------------------------------------------------------------------------------------------------------


@nearly_right(
    "null-cut-short",
    "AND and OR stop at the first unknown part",
    "3.8.1.2-6",
    "3.8.1.2-9",
)
def _(patch: Patch) -> None:
    def joined(self: compiler._Compiler, node: And | Or, wanted: bool) -> str:
        if isinstance(node, And) is wanted:
            return f"({' and '.join(self.test(each, wanted) for each in node.conditions)})"
        *firsts, last = node.conditions
        source = self.test(last, wanted)
        for each in reversed(firsts):
            source = f"({self.test(each, wanted)} or ({self.test(each, not wanted)} and {source}))"
        return source

    selector._cached.cache_clear()
    patch.replace(compiler._Compiler, "_joined", joined)


@nearly_right("floor-division", "negative whole numbers are divided downwards", "3.8.1.1-66")
def _(patch: Patch) -> None:
    def quotient(self: object, dividend: str, divisor: object) -> str:
        raise fast_arithmetic.NotFast

    selector._cached.cache_clear()
    patch.replace(operations, "truncated_quotient", lambda first, second: first // second)
    patch.replace(fast_arithmetic._Writer, "_quotient", quotient)


@nearly_right(
    "longs-as-doubles", "selectors compare large whole numbers as double", "3.8.1.1-14", "3.8.1.1-50", "3.8.1.1-54"
)
def _(patch: Patch) -> None:
    def rounded(value: object) -> object:
        return Wide(int(float(value))) if isinstance(value, int) and abs(value) > 2**53 else value

    def selection(original: Callable[..., dict[str, Any]], entry: StoredMessage) -> dict[str, Any]:
        return {name: rounded(value) for name, value in original(entry).items()}

    patch.at(fault_points.VALUES_SELECTED, selection)


@nearly_right(
    "selectors-mixed-up",
    "a selector that differs from an earlier one only in case is evaluated as the earlier one",
    "3.8.1.1-32",
    "3.8.1.1-61",
)
def _(patch: Patch) -> None:
    original = selector._compiled
    known: dict[tuple[str, bool], selector.Selector] = {}

    def compiled(text: str, of_1_0: bool) -> selector.Selector:
        found = known.get((text.lower(), of_1_0))
        if found is None:
            found = known[text.lower(), of_1_0] = original(text, of_1_0)
        return found

    selector._cached.cache_clear()
    patch.replace(selector, "_compiled", compiled)
