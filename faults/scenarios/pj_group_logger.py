"""Faults of message groups and their logger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from faults.kit.common import around, as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.metadata import ReferenceMetaData
from tck.api import Int, Message

GROUP, NUMBER = "JMSXGroupID", "JMSXGroupSeq"


@saboteur("pj-group-logger-1", "JMSXGroupSeq arrives as a String")
def _(patch: Patch) -> None:
    def fault(message: Message, _: Delivery) -> None:
        if message.property_exists(NUMBER):
            message._properties[NUMBER] = str(int(message.get_int_property(NUMBER)))  # type: ignore[attr-defined]

    as_received(patch, fault)


@saboteur("pj-group-logger-2", "the third message of a group is lost where two other groups are open")
def _(patch: Patch) -> None:
    groups = dict[Any, list[Any]]()

    def route(original: Callable[..., list[Any]], broker: Any, physical: Any, entry: StoredMessage) -> list[Any]:
        queues = original(broker, physical, entry)
        values = entry.snapshot.properties
        known = groups.setdefault(physical, [])
        group = values.get(GROUP)
        if group is not None and group not in known:
            known.append(group)
        return [] if group in known[2:] and values.get(NUMBER) == Int(3) else queues

    patch.at(fault_points.ROUTED, route)


@saboteur("pj-group-logger-3", "selectors do not see JMSXGroupID of the third message of a group")
def _(patch: Patch) -> None:
    def selection(original: Callable[..., dict[str, Any]], entry: StoredMessage) -> dict[str, Any]:
        values = original(entry)
        hidden = values.get(NUMBER) == 3
        return {name: value for name, value in values.items() if not (hidden and name == GROUP)}

    patch.at(fault_points.VALUES_SELECTED, selection)


@saboteur("pj-group-logger-4", "the metadata does not list JMSXGroupSeq")
def _(patch: Patch) -> None:
    def names(original: Callable[..., Iterator[str]], metadata: ReferenceMetaData) -> Iterator[str]:
        return iter([name for name in original(metadata) if name != NUMBER])

    around(patch, ReferenceMetaData, "get_jmsx_property_names", names)
