"""Faults in 3.8.1.1: consumers without a selector."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client import consumer_factory
from reference_provider.client.consumer_factory import selector_text
from reference_provider.client.consumers import ReferenceConsumer
from tck.api import InvalidSelectorException, NullPointerException


def _presenting(patch: Patch, offence: object, error: Exception) -> None:
    """Refuse one way of passing no selector when a consumer is created."""

    def text(selector: Any) -> str | None:
        if selector == offence:
            raise error
        return selector_text(selector)

    patch.replace(consumer_factory, "selector_text", text)


@saboteur("3.8.1.1-1", "an empty selector is refused")
def _(patch: Patch) -> None:
    _presenting(patch, "", InvalidSelectorException("the selector is empty"))


@saboteur("3.8.1.1-2", "a null selector is refused")
def _(patch: Patch) -> None:
    _presenting(patch, None, NullPointerException("the selector is null"))


@saboteur("3.8.1.1-3", "getMessageSelector() of a consumer without a selector returns the empty string")
def _(patch: Patch) -> None:
    patch.replace(ReferenceConsumer, "message_selector", property(lambda self: self.receiver.selector or ""))
