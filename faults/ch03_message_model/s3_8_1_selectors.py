"""Faults in 3.8.1: the messages that a consumer with a selector gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.selectors import seen, table, walked
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, Predicate
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.receivers import Receiver
from reference_provider.selector.nodes import And, Comparison, Identifier
from reference_provider.selector.values import selector_value
from reference_provider.selector.walker import Walker


def _choosing(patch: Patch, fault: Any) -> None:  # makes a predicate of a predicate
    """Replace the predicates of queue consumers."""

    def receiver(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        physical: PhysicalDestination,
        text: str | None,
        matches: Predicate | None,
        kept: Any,
    ) -> Receiver:
        faulty = matches is not None and isinstance(physical, PhysicalQueue)
        return original(factory, physical, text, fault(matches) if faulty else matches, kept)

    patch.at(fault_points.SUBSCRIPTION_OPENED, receiver)


@saboteur("3.8.1-1", "a selector is applied only until it has chosen one message")
def _(patch: Patch) -> None:
    def fault(matches: Predicate) -> Predicate:
        found: list[StoredMessage] = []

        def faulty(entry: StoredMessage) -> bool:
            if not found and matches(entry):
                found.append(entry)
            return bool(found)

        return faulty

    _choosing(patch, fault)


@saboteur("3.8.1-2", "a message behind two that were not chosen is not looked at")
def _(patch: Patch) -> None:
    def fault(matches: Predicate) -> Predicate:
        passed: dict[int, StoredMessage] = {}
        hidden: dict[int, StoredMessage] = {}

        def faulty(entry: StoredMessage) -> bool:
            if id(entry) in hidden:
                return False
            if not matches(entry):
                passed[id(entry)] = entry
                return False
            if len(passed) == 2:
                hidden[id(entry)] = entry
            passed.clear()
            return id(entry) not in hidden

        return faulty

    _choosing(patch, fault)


def _map_entries(values: dict[str, Any], entry: StoredMessage) -> None:
    body = entry.snapshot.body
    if isinstance(body, Mapping):
        values.update({name: selector_value(value) for name, value in body.items() if name not in values})


def _priority_alone(walker: Walker, node: And) -> Any:
    for each in node.conditions:
        if isinstance(each, Comparison) and each.left == Identifier("JMSPriority"):
            return walker.condition(each)
    return NotImplemented


table(
    ("3.8.1-3", "selectors see the entries of a MapMessage as properties", seen(_map_entries)),
    ("3.8.1-4", "a condition on JMSPriority hides the conditions joined to it", walked(and_=_priority_alone)),
)
