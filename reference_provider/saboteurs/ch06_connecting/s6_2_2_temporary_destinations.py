"""Faults in 6.2.2: temporary destinations of both domains."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from reference_provider.broker.broker import Broker
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.saboteurs.faults import around
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("6.2.2-6", "the names of temporary destinations begin anew after forty")
def _(patch: Patch) -> None:
    numbers: defaultdict[tuple[Broker, str], Iterator[int]] = defaultdict(itertools.count)

    def unique_name(original: Callable[..., str], broker: Broker, prefix: str) -> str:
        if not prefix.startswith("temporary"):
            return original(broker, prefix)
        return f"{prefix}{broker.instance}-{next(numbers[broker, prefix]) % 40}"

    around(patch, Broker, "unique_name", unique_name)


@saboteur("6.2.2-9", "temporary destinations of a long-lived connection pile up")
def _(patch: Patch) -> None:
    def sweep(_self: Any) -> None:
        pass

    patch.replace(TemporaryDestinations, "sweep", sweep)
