"""Faults in 3.4.4: JMSTimestamp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import before_commit, received, sent_outside_transactions, with_preset
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message


@saboteur("3.4.4-1", "a JMSTimestamp set by the client is kept")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.timestamp = message.jms_timestamp = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return message.jms_timestamp != 0 and message.jms_message_id is None

    with_preset(patch, "jms_timestamp", fault, when=when)


def _other_timestamps(patch: Patch, make: Callable[[ReferenceProducer, int], int]) -> None:
    """Replace JMSTimestamp; `make` gets the producer and the honest time."""

    def stamp_for(original: Callable[..., Stamp], producer: ReferenceProducer, *arguments: Any) -> Stamp:
        stamp = original(producer, *arguments)
        return stamp._replace(timestamp=make(producer, stamp.timestamp))

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@saboteur(
    "3.4.4-2",
    "JMSTimestamp is in seconds",
    collateral=dict.fromkeys(("3.4.4-1", "3.4.4-3"), "the case demands a time of the send"),
)
def _(patch: Patch) -> None:
    _other_timestamps(patch, lambda sender, honest: honest // 1000)


@saboteur("3.4.4-3", "commit sets JMSTimestamp again")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for _, entry in session.state.work.sends:
            entry.timestamp = session.broker.clock.now()

    before_commit(patch, fault)


@saboteur("3.4.4-4", "the receiver sees the broker's time as JMSTimestamp")
def _(patch: Patch) -> None:
    plain = sent_outside_transactions(patch)

    def timestamp(delivery: Delivery) -> int:
        sent = delivery.entry.timestamp
        return delivery.received_at if sent and delivery.entry in plain else sent

    received(patch, "timestamp", timestamp)


@saboteur("3.4.4-5", "a disabled timestamp is -1")
def _(patch: Patch) -> None:
    _other_timestamps(patch, lambda sender, honest: honest or -1)


@saboteur("3.4.4-6", "all messages have the same timestamp while timestamps are disabled")
def _(patch: Patch) -> None:
    last: dict[int, int] = {}

    def make(sender: ReferenceProducer, honest: int) -> int:
        return honest or last.setdefault(id(sender), sender.session.broker.clock.now())

    _other_timestamps(patch, make)


@saboteur("3.4.4-8", "a disabled timestamp counts as 0 in selectors", version="1.0")
def _(patch: Patch) -> None:
    def selection(original: Callable[..., dict[str, Any]], entry: StoredMessage) -> dict[str, Any]:
        values = original(entry)
        if values.get("JMSTimestamp") is None:
            values["JMSTimestamp"] = 0
        return values

    patch.at(fault_points.VALUES_SELECTED, selection)
