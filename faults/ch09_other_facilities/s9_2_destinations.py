"""Faults in 9.2: destination objects that a session of one domain creates by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.domain_specific import ReferenceQueueSession, ReferenceTopicSession


@saboteur("9.2-18", "a QueueSession or TopicSession strips the dots from the end of a name")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: Any, name: str | None) -> Any:
        return original(session, name and name.rstrip("."))

    around(patch, ReferenceQueueSession, "create_queue", create)
    around(patch, ReferenceTopicSession, "create_topic", create)
