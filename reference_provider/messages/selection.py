"""The values of a message that a selector sees: six headers and the properties set on send (3.8.1.1-34 to -43).

The body is not among them (3.8.1-3), and neither is null: a null value is absent (3.8.1.1-31, -41, -97).
"""

from __future__ import annotations

from reference_provider.messages.model import Snapshot, Version
from reference_provider.selector.values import SelectorValue, Wide, selector_value
from tck.api import DeliveryMode

MODE_NAMES = {DeliveryMode.PERSISTENT: "PERSISTENT", DeliveryMode.NON_PERSISTENT: "NON_PERSISTENT"}
"""How selectors call the delivery modes (3.8.1.3-1)."""


def selection(
    snapshot: Snapshot,
    *,
    message_id: str | None,
    timestamp: int,
    delivery_mode: int,
    priority: int,
    version: Version = "3.1",
) -> dict[str, SelectorValue]:
    """Return the values that a selector may refer to; built once per message, for all selectors.

    `version` is the sender's: in 1.0 a disabled timestamp is null, later it is zero (3.4.4-5, 3.4.4-8).
    """
    view = property_values(snapshot)
    view["JMSDeliveryMode"] = MODE_NAMES[delivery_mode]
    view["JMSPriority"] = priority
    if timestamp or version != "1.0":
        view["JMSTimestamp"] = Wide(timestamp)
    if message_id is not None:
        view["JMSMessageID"] = message_id
    if snapshot.type is not None:
        view["JMSType"] = snapshot.type
    correlation = correlation_text(snapshot.correlation)
    if correlation is not None:
        view["JMSCorrelationID"] = correlation
    return view


def property_values(snapshot: Snapshot) -> dict[str, SelectorValue]:
    """Return the properties that are not null, each in the type it was set with (3.8.1.1-30)."""
    return {name: selector_value(value) for name, value in snapshot.properties.items() if value is not None}


def correlation_text(correlation: str | bytes | None) -> str | None:
    """Return the correlation id as its String getter does."""
    return correlation.decode("utf-8", "replace") if isinstance(correlation, bytes) else correlation
