"""Faults in 3.8.1 and 3.8.1.1: what a consumer with a selector is given, having none, and when selectors are checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, Predicate
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client import consumer_factory, simplified
from reference_provider.client.consumer_factory import ConsumerFactory, selector_text
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.domain_specific import ReferenceQueueSession
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.of_selectors import seen, walked
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.selector.nodes import And, Comparison, Identifier
from reference_provider.selector.values import selector_value
from reference_provider.selector.walker import Walker
from tck.api import InvalidSelectorException, NullPointerException


def _choosing(patch: Patch, fault: Any) -> None:  # makes a predicate of a predicate
    """Give the consumers of queues other predicates than their selectors'."""
    original = ConsumerFactory.open_receiver

    def receiver(
        self: ConsumerFactory, physical: PhysicalDestination, text: str | None, matches: Predicate | None, kept: Any
    ) -> Receiver:
        faulty = matches is not None and isinstance(physical, PhysicalQueue)
        return original(self, physical, text, fault(matches) if faulty else matches, kept)

    patch.replace(ConsumerFactory, "open_receiver", receiver)


@saboteur("3.8.1-1", "a selector is applied up to the first message that it chooses")
def _(patch: Patch) -> None:
    def fault(matches: Predicate) -> Predicate:
        found: list[StoredMessage] = []

        def faulty(entry: StoredMessage) -> bool:
            if not found and matches(entry):
                found.append(entry)
            return bool(found)

        return faulty

    _choosing(patch, fault)


@saboteur("3.8.1-2", "what stands behind two messages that are not chosen is not looked at")
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


@saboteur("3.8.1-3", "names that no property has are looked up in a MapMessage")
def _(patch: Patch) -> None:
    def change(values: dict[str, Any], entry: StoredMessage) -> None:
        body = entry.snapshot.body
        if isinstance(body, Mapping):
            values.update({name: selector_value(value) for name, value in body.items() if name not in values})

    seen(patch, change)


@saboteur("3.8.1-4", "beside a condition on JMSPriority others are ignored")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def and_(self, node: And) -> bool | None:
            for each in node.conditions:
                if isinstance(each, Comparison) and each.left == Identifier("JMSPriority"):
                    return self.condition(each)
            return super().and_(node)

    walked(patch, Faulty)


def _presenting(patch: Patch, offence: object, error: Exception) -> None:
    """Have one way of saying "no selector" refused when a consumer is made."""

    def text(selector: Any) -> str | None:
        if selector == offence:
            raise error
        return selector_text(selector)

    patch.replace(consumer_factory, "selector_text", text)


@saboteur("3.8.1.1-1", "an empty selector is refused")
def _(patch: Patch) -> None:
    _presenting(patch, "", InvalidSelectorException("the selector is empty"))


@saboteur("3.8.1.1-2", "null as selector is refused")
def _(patch: Patch) -> None:
    _presenting(patch, None, NullPointerException("the selector is null"))


@saboteur("3.8.1.1-3", "a consumer without selector tells the empty text")
def _(patch: Patch) -> None:
    patch.replace(ReferenceConsumer, "message_selector", property(lambda self: self.receiver.selector or ""))


def _unchecked(patch: Patch, owner: type, name: str) -> None:
    """Have a malformed selector ignored by one method that takes a destination and a selector."""
    original = getattr(owner, name)

    def created(self: Any, destination: Any, *selector: Any) -> Any:
        try:
            return original(self, destination, *selector)
        except InvalidSelectorException:
            return original(self, destination)

    patch.replace(owner, name, created)


@saboteur("3.8.1.1-100", "a context reports a malformed selector by a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    others = {kind: runtime for kind, runtime in simplified._RUNTIME.items() if kind is not InvalidSelectorException}
    patch.replace(simplified, "_RUNTIME", others)


@saboteur(
    "3.8.1.1-101",
    "a malformed selector of a browser is ignored",
    collateral={"3.8.1.1-100": "contexts make browsers too"},
)
def _(patch: Patch) -> None:
    _unchecked(patch, ReferenceSession, "create_browser")


@saboteur("3.8.1.1-103", "create_receiver() does not check its selector")
def _(patch: Patch) -> None:
    _unchecked(patch, ReferenceQueueSession, "create_receiver")


@saboteur("3.8.1.1-102", "a durable subscription is stored before its selector is parsed")
def _(patch: Patch) -> None:
    original = ConsumerFactory._resume_or_store

    def resume_or_store(
        self: ConsumerFactory, topic: Any, key: Any, text: Any, no_local: Any, *, shared: bool
    ) -> Receiver:
        try:
            return original(self, topic, key, text, no_local, shared=shared)
        except InvalidSelectorException:
            self.close(original(self, topic, key, None, no_local, shared=shared))
            raise

    patch.replace(ConsumerFactory, "_resume_or_store", resume_or_store)
