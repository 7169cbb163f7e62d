"""Faults in 3.8.1.1: malformed selectors, and when they are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.selectors import each_rewritten, rewritten, table
from reference_provider import fault_points
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.domain_specific import ReferenceQueueSession
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import InvalidSelectorException, JMSException, JMSRuntimeException

table(
    ("3.8.1.1-99", "two = in a row are accepted when the selector is presented", rewritten(r"= = 1$", "= 1")),
    ("3.8.1.1-104", "the parser stops after the first complete condition", rewritten(r"^(n = 1) n = 2$", r"\1")),
    (
        "3.8.1.1-105",
        "!=, comments, NULL as a name and literals left of LIKE and IS NULL are accepted",
        each_rewritten(
            (r"!=", "<>"),
            (r"(?<=^n = 1) (?:/\*.*\*/|-- .*)$", ""),
            (r"\bNULL =", "NULL_ ="),
            (r"'\w+' LIKE", "literal LIKE"),
            (r"^\d+ IS NULL", "FALSE"),
        ),
    ),
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
    def as_runtime(original: Callable[[JMSException], JMSRuntimeException], error: JMSException) -> JMSRuntimeException:
        if isinstance(error, InvalidSelectorException):
            return JMSRuntimeException(error.reason, error.error_code, error)
        return original(error)

    patch.at(fault_points.EXCEPTION_TRANSLATED, as_runtime)


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
    def open_stored(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        topic: Any,
        key: Any,
        selector: Any,
        no_local: Any,
        *,
        shared: bool,
    ) -> Receiver:
        try:
            return original(factory, topic, key, selector, no_local, shared=shared)
        except InvalidSelectorException:
            factory.close(original(factory, topic, key, None, no_local, shared=shared))
            raise

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
