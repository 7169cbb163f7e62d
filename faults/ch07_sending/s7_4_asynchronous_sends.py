"""Faults in 7.4: delivery options of asynchronous sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.producers import Options, ReferenceProducer


@saboteur("7.4-9", "an asynchronous send ignores a time to live of its own")
def _(patch: Patch) -> None:
    def send_later(
        original: Callable[..., None],
        producer: ReferenceProducer,
        message: Any,
        target: Any,
        options: Options,
        *others: Any,
    ) -> None:
        original(producer, message, target, replace(options, time_to_live=producer.time_to_live), *others)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
