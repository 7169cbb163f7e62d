"""Faults in 8.3.1: topic subscribers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, null_refused
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.consumers import ReferenceSubscriber
from reference_provider.client.domain_specific import ReferenceTopicSession
from tck.api import InvalidSelectorException


@saboteur("8.3.1-17", "getTopic() of a subscriber returns null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "topic", property(lambda self: None))


@saboteur("8.3.1-18", "getNoLocal() always returns false")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "no_local", property(lambda self: False))


@saboteur("8.3.1-19", "createSubscriber(null) raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceTopicSession, "create_subscriber")


@saboteur("8.3.1-20", "createSubscriber() with an invalid selector makes a subscriber that gets nothing")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: ReferenceTopicSession, topic: Any, *terms: Any) -> Any:
        try:
            return original(session, topic, *terms)
        except InvalidSelectorException:
            return original(session, topic, "1 = 2", *terms[1:])

    around(patch, ReferenceTopicSession, "create_subscriber", create)
