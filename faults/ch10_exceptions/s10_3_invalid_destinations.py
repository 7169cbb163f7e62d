"""Faults in 10.3: destinations that a provider does not understand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from reference_provider.client.producers import ReferenceProducer
from reference_provider.destinations import ReferenceDestination
from tck.api import OMITTED, JavaException


def _cast(destination: object) -> None:
    """Raise as a cast of Java does, for a destination of another implementation."""
    if destination is not OMITTED and destination is not None and not isinstance(destination, ReferenceDestination):
        raise JavaException(f"java.lang.ClassCastException: {type(destination).__name__}")


@saboteur("10.3-21", "a send to a destination of another implementation raises ClassCastException")
def _(patch: Patch) -> None:
    def send(original: Callable[..., None], producer: ReferenceProducer, message: Any, **options: Any) -> None:
        _cast(options.get("destination"))
        original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


@saboteur("10.3-22", "JMSContext.createConsumer of a destination of another implementation raises ClassCastException")
def _(patch: Patch) -> None:
    def create_consumer(original: Callable[..., Any], context: ReferenceContext, destination: Any, *others: Any) -> Any:
        _cast(destination)
        return original(context, destination, *others)

    around(patch, ReferenceContext, "create_consumer", create_consumer)
