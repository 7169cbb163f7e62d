"""Faults in 3.11.1: clearing a body."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.messages.message import ReferenceMessage


def _after_clearing(patch: Patch, fault: Any) -> None:
    original = ReferenceMessage.clear_body

    def clear_body(self: Any) -> None:
        entries = dict(getattr(self, "_entries", {}))
        original(self)
        fault(self, entries)

    patch.replace(ReferenceMessage, "clear_body", clear_body)


@saboteur("3.11.1-1", "clearBody keeps one entry of a map")
def _(patch: Patch) -> None:
    def fault(message: Any, entries: dict[str, Any]) -> None:
        if entries:
            message._entries = dict(list(entries.items())[:1])

    _after_clearing(patch, fault)


@saboteur("3.11.1-2", "clearBody of a map clears the properties too")
def _(patch: Patch) -> None:
    def fault(message: Any, entries: dict[str, Any]) -> None:
        if entries:
            message._properties = {}

    _after_clearing(patch, fault)


@saboteur("3.11.1-3", "clearBody clears JMSCorrelationID")
def _(patch: Patch) -> None:
    def fault(message: Any, entries: dict[str, Any]) -> None:
        message.jms_correlation_id = None

    _after_clearing(patch, fault)
