"""Faults in 7.10: JMSProducers that are not light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from tck.api import JMSRuntimeException


@saboteur("7.10-5", "a context has at most ten thousand JMSProducers")
def _(patch: Patch) -> None:
    made = Counter[ReferenceContext]()

    def create_producer(original: Callable[..., Any], context: ReferenceContext) -> Any:
        made[context] += 1
        if made[context] > 10_000:
            raise JMSRuntimeException("too many producers")
        return original(context)

    around(patch, ReferenceContext, "create_producer", create_producer)
