"""Faults of message groups and their logger."""

from typing import Any

from faults.kit import *

GROUP, NUMBER = "JMSXGroupID", "JMSXGroupSeq"


@saboteur("pj-group-logger-1", "JMSXGroupSeq arrives as a String", by=as_received)
def _(message, _):
    if message.property_exists(NUMBER):
        message._properties[NUMBER] = str(int(message.get_int_property(NUMBER)))


@saboteur("pj-group-logger-2", "the third message of a group is lost where two other groups are open")
def _(patch):
    groups = dict[Any, list[Any]]()

    def route(original, broker, physical, entry):
        queues = original(broker, physical, entry)
        values = entry.snapshot.properties
        known = groups.setdefault(physical, [])
        group = values.get(GROUP)
        if group is not None and group not in known:
            known.append(group)
        return [] if group in known[2:] and values.get(NUMBER) == Int(3) else queues

    patch.at(fault_points.ROUTED, route)


@saboteur(
    "pj-group-logger-3",
    "selectors do not see JMSXGroupID of the third message of a group",
    at=fault_points.VALUES_SELECTED,
)
def _(original, entry):
    values = original(entry)
    hidden = values.get(NUMBER) == 3
    return {name: value for name, value in values.items() if not (hidden and name == GROUP)}


@saboteur(
    "pj-group-logger-4",
    "the metadata does not list JMSXGroupSeq",
    around=(ReferenceMetaData, "get_jmsx_property_names"),
)
def _(original, metadata):
    return iter([name for name in original(metadata) if name != NUMBER])
