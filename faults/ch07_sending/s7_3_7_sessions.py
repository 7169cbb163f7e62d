"""Faults in 7.3.7: sessions with asynchronous sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import connection_of, session_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import pause
from reference_provider import fault_points
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.producers import ReferenceProducer


@saboteur("7.3.7-2", "receive() waits for the callbacks of asynchronous sends")
def _(patch: Patch) -> None:
    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, *arguments: Any) -> Any:
        completions = session_of(consumer).completions
        if not completions.is_current_thread():
            completions.wait_until_done()
        return original(consumer, *arguments)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("7.3.7-3", "an asynchronous send in a callback waits for that callback")
def _(patch: Patch) -> None:
    def send_later(original: Callable[..., None], producer: ReferenceProducer, *arguments: Any) -> None:
        session: Any = producer.session
        if session.completions.is_current_thread():
            pause(connection_of(session))
        original(producer, *arguments)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
