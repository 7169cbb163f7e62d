"""Faults of stock quotes in the five forms of a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import arriving, changed
from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.messages.map_message import ReferenceMapMessage


@saboteur("pj-stock-quotes-1", "a text arrives without its minus signs")
def _(patch: Patch) -> None:
    def arrival(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        text = entry.snapshot.body
        return [changed(entry, body=text.replace("-", "")) if isinstance(text, str) else entry]

    arriving(patch, arrival)


@saboteur("pj-stock-quotes-2", "a receive with a timeout gives up after half of it")
def _(patch: Patch) -> None:
    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        return original(consumer, timeout and timeout // 2)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "pj-stock-quotes-3",
    "of two doubles in a map only the first is kept",
    collateral={"pj-stock-quotes-1": "the fields of the map are among those that must come back"},
)
def _(patch: Patch) -> None:
    known = dict[int, tuple[ReferenceMapMessage, float]]()

    def set_double(original: Callable[..., None], message: ReferenceMapMessage, name: str, value: float) -> None:
        original(message, name, known.setdefault(id(message), (message, value))[1])

    around(patch, ReferenceMapMessage, "set_double", set_double)


@saboteur("pj-stock-quotes-4", "of two conditions with OR only the second counts")
def _(patch: Patch) -> None:
    def compile_selector(original: Callable[..., Any], text: str, version: Any) -> Any:
        return original(text.rpartition(" OR ")[2], version)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)
