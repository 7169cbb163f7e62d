"""Faults in 3.8.1.1: malformed selectors, and when they are refused."""

from __future__ import annotations

from typing import Any

from reference_provider.client import simplified
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.domain_specific import ReferenceQueueSession
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.selector_faults import rewritten, table
from tck.api import InvalidSelectorException

table(
    ("3.8.1.1-99", "two = in a row are accepted when the selector is presented", rewritten(r"= = 1$", "= 1")),
    ("3.8.1.1-104", "the parser stops after the first complete condition", rewritten(r"^(n = 1) n = 2$", r"\1")),
    ("3.8.1.1-105", "!= is accepted as <>", rewritten(r"!=", "<>")),
)


def _unchecked(patch: Patch, owner: type, name: str) -> None:
    """Ignore a malformed selector in one method that takes a destination and a selector."""
    original = getattr(owner, name)

    def created(self: Any, destination: Any, *selector: Any) -> Any:
        try:
            return original(self, destination, *selector)
        except InvalidSelectorException:
            return original(self, destination)

    patch.replace(owner, name, created)


@saboteur("3.8.1.1-100", "a context reports a malformed selector with a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    others = {kind: runtime for kind, runtime in simplified._RUNTIME.items() if kind is not InvalidSelectorException}
    patch.replace(simplified, "_RUNTIME", others)


@saboteur(
    "3.8.1.1-101",
    "createBrowser ignores a malformed selector",
    collateral={"3.8.1.1-100": "contexts create browsers too"},
)
def _(patch: Patch) -> None:
    _unchecked(patch, ReferenceSession, "create_browser")


@saboteur("3.8.1.1-103", "createReceiver ignores a malformed selector")
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
