"""Faults in 3.8.1.1: header fields as identifiers."""

from faults.kit import *

CORRELATION = "a condition of the case compares the correlation id"


def _no_default_priority(values, entry):
    if values["JMSPriority"] == 4:
        values["JMSPriority"] = 0


def _id_without_prefix(values, entry):
    if "JMSMessageID" in values:
        values["JMSMessageID"] = values["JMSMessageID"].removeprefix("ID:")


def _timestamp_as_int(values, entry):
    values["JMSTimestamp"] = Wide(wrap(values["JMSTimestamp"], 32))


def _correlation_unknown(walker, node):
    return None if node.operator == "=" and node.left == Identifier("JMSCorrelationID") else NotImplemented


def _type_in_any_case(walker, node):
    value = walker.operand(node.identifier)
    if node.identifier.name == "JMSType" and isinstance(value, str):
        return Walker({"JMSType": value.lower()}).like(node)
    return NotImplemented


table(
    (
        "3.8.1.1-34",
        "JMSDeliveryMode is always NULL",
        seen(lambda values, entry: values.pop("JMSDeliveryMode")),
        dict.fromkeys(("3.8.1.3-1", "3.8.1.3-2"), "the case selects by the delivery mode"),
    ),
    ("3.8.1.1-35", "a default JMSPriority is selected as 0", seen(_no_default_priority)),
    ("3.8.1.1-36", "JMSMessageID is compared without its prefix", seen(_id_without_prefix)),
    (
        "3.8.1.1-37",
        "JMSTimestamp is compared as int",
        seen(_timestamp_as_int),
        {"3.8.1.3-3": "a condition of the case compares the timestamp"},
    ),
    (
        "3.8.1.1-38",
        "comparing JMSCorrelationID with = is unknown",
        walked(comparison=_correlation_unknown),
        dict.fromkeys(("3.8.1-4", "3.8.1.1-41"), CORRELATION),
    ),
    ("3.8.1.1-39", "LIKE on JMSType ignores case", walked(like=_type_in_any_case)),
    ("3.8.1.1-40", "selectors accept JMSExpiration, which is 0", rewritten(r"JMSExpiration", "0")),
    ("3.8.1.1-41", "a null JMSType equals the empty text", rewritten(r"JMSType = ''", "JMSType IS NULL")),
    (
        "3.8.1.1-45",
        "unknown matches where the condition is a property alone",
        rewritten(r"^(?!TRUE|FALSE)(\w+)$", r"\1 OR \1 IS NULL"),
        {"3.8.1.1-4": "a random condition of that case is a property alone"},
    ),
)
