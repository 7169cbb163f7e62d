"""Faults in 3.5.9: which JMSX properties exist, their types, their announcement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around_each, as_received
from faults.kit.declaring import saboteur
from faults.kit.messages import PROPERTY_SETTERS, delivery_count, provider_property
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.metadata import ReferenceMetaData
from reference_provider.messages import JMSX_PROPERTIES, ReferenceMessage
from tck.api import IllegalArgumentException, Int, InvalidSelectorException

NOT_ANNOUNCED = "what messages have is then not announced"


def _announce(patch: Patch, *announced: str) -> None:
    patch.replace(ReferenceMetaData, "get_jmsx_property_names", lambda self: iter(announced))


def _silent(patch: Patch, name: str) -> None:
    """Announce all JMSX properties except one."""
    _announce(patch, *(each for each in JMSX_PROPERTIES if each != name))


@saboteur("3.5.9-1", "messages have an announced property JMSXVendorTrace")
def _(patch: Patch) -> None:
    provider_property(patch, "JMSXVendorTrace", lambda delivery: "trace")
    _announce(patch, *JMSX_PROPERTIES, "JMSXVendorTrace")


@saboteur("3.5.9-2", "JMSXDeliveryCount is a long")
def _(patch: Patch) -> None:
    delivery_count(patch, lambda count: count)


@saboteur("3.5.9-3", "only redelivered messages have JMSXDeliveryCount")
def _(patch: Patch) -> None:
    delivery_count(patch, lambda count: None if count == 1 else Int(count))


@saboteur("3.5.9-4", "clients cannot set JMSXGroupID")
def _(patch: Patch) -> None:
    def set_property(original: Any, self: Any, name: str, value: Any) -> None:
        if name == "JMSXGroupID":
            raise IllegalArgumentException("a JMSX name")
        original(self, name, value)

    around_each(patch, ReferenceMessage, PROPERTY_SETTERS, set_property)


@saboteur("3.5.9-5", "JMSXGroupSeq always arrives as 1")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if "JMSXGroupSeq" in message._properties:
            message._properties["JMSXGroupSeq"] = Int(1)

    as_received(patch, fault)


@saboteur("3.5.9-6", "JMSXGroupSeq is not announced")
def _(patch: Patch) -> None:
    _silent(patch, "JMSXGroupSeq")


@saboteur("3.5.9-7", "JMSXDeliveryCount is not announced", collateral={"3.5.9-8": NOT_ANNOUNCED})
def _(patch: Patch) -> None:
    _silent(patch, "JMSXDeliveryCount")


@saboteur("3.5.9-8", "JMSXRcvTimestamp is not announced")
def _(patch: Patch) -> None:
    _silent(patch, "JMSXRcvTimestamp")


@saboteur("3.5.9-14", "received messages have an announced property JMSXState")
def _(patch: Patch) -> None:
    provider_property(patch, "JMSXState", lambda delivery: Int(2))
    _announce(patch, *JMSX_PROPERTIES, "JMSXState")


@saboteur("3.5.9-17", "a selector that names JMSXState is refused")
def _(patch: Patch) -> None:
    def compiled(original: Callable[..., Any], text: str, version: str) -> Any:
        if "JMSXState" in text:
            raise InvalidSelectorException("JMSXState is not supported")
        return original(text, version)

    patch.at(fault_points.SELECTOR_COMPILED, compiled)


@saboteur("3.5.9-19", "JMSXGroupId is announced beside JMSXGroupID")
def _(patch: Patch) -> None:
    _announce(patch, *JMSX_PROPERTIES, "JMSXGroupId")
