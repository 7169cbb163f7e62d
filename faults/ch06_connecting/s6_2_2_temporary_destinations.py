"""Faults in 6.2.2: temporary destinations of both domains."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from faults.kit.common import around_each
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.client.sessions import ReferenceSession


@saboteur("6.2.2-6", "the names of temporary destinations begin anew after forty")
def _(patch: Patch) -> None:
    numbers: defaultdict[tuple[Broker, str], Iterator[int]] = defaultdict(itertools.count)

    def unique_name(original: Callable[..., str], broker: Broker, prefix: str) -> str:
        if not prefix.startswith("temporary"):
            return original(broker, prefix)
        return f"{prefix}{broker.instance}-{next(numbers[broker, prefix]) % 40}"

    patch.at(fault_points.NAME_MADE, unique_name)


@saboteur("6.2.2-9", "temporary destinations of a long-lived connection pile up")
def _(patch: Patch) -> None:
    made: list[object] = []

    def create(original: Callable[..., Any], session: ReferenceSession) -> Any:
        made.append(original(session))
        return made[-1]

    around_each(patch, ReferenceSession, ("create_temporary_queue", "create_temporary_topic"), create)
