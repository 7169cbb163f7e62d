"""Faults in 10.3: exceptions of deleted destinations."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from tck.api import InvalidDestinationRuntimeException, JMSRuntimeException


@saboteur(
    "10.3-24",
    "JMSContext.createConsumer on a deleted destination raises a plain JMSRuntimeException",
    collateral={"10.3-22": "a case of it meets the fault under a condition that varies"},
)
def _(patch: Patch) -> None:
    original = ReferenceContext.create_consumer

    def create_consumer(self: ReferenceContext, *arguments: Any) -> object:
        try:
            return original(self, *arguments)
        except InvalidDestinationRuntimeException as error:
            raise JMSRuntimeException(str(error)) from error

    patch.replace(ReferenceContext, "create_consumer", create_consumer)
