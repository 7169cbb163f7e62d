"""Faults in 3.5.11: JMSXDeliveryCount."""

from __future__ import annotations

from faults.kit.common import received
from faults.kit.declaring import saboteur
from faults.kit.messages import delivery_count
from faults.kit.patch import Patch
from tck.api import Int


@saboteur("3.5.11-1", "JMSXDeliveryCount begins at 0")
def _(patch: Patch) -> None:
    delivery_count(patch, lambda count: Int(0 if count == 1 else count))


@saboteur("3.5.11-2", "JMSXDeliveryCount is 1 at the fourth delivery")
def _(patch: Patch) -> None:
    delivery_count(patch, lambda count: Int(1 if count == 4 else count))


@saboteur("3.5.11-3", "JMSRedelivered is always true")
def _(patch: Patch) -> None:
    received(patch, "redelivered", lambda delivery: True)


@saboteur("3.5.11-4", "JMSRedelivered is always false")
def _(patch: Patch) -> None:
    received(patch, "redelivered", lambda delivery: False)
