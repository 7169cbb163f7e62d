"""Faults in 3.5.9: which JMSX properties exist, their types, their announcement."""

from faults.kit import *

NOT_ANNOUNCED = "what messages have is then not announced"


def _announce(patch, *announced):
    patch.replace(ReferenceMetaData, "get_jmsx_property_names", lambda self: iter(announced))


def _silent(patch, name):
    """Announce all JMSX properties except one."""
    _announce(patch, *(each for each in JMSX_PROPERTIES if each != name))


@saboteur("3.5.9-1", "messages have an announced property JMSXVendorTrace")
def _(patch):
    provider_property(patch, "JMSXVendorTrace", lambda delivery: "trace")
    _announce(patch, *JMSX_PROPERTIES, "JMSXVendorTrace")


saboteur("3.5.9-2", "JMSXDeliveryCount is a long", lambda patch: delivery_count(patch, lambda count: count))
saboteur(
    "3.5.9-3",
    "only redelivered messages have JMSXDeliveryCount",
    lambda patch: delivery_count(patch, lambda count: None if count == 1 else Int(count)),
)


@saboteur("3.5.9-4", "clients cannot set JMSXGroupID", around=(ReferenceMessage, *PROPERTY_SETTERS))
def _(original, self, name, value):
    if name == "JMSXGroupID":
        raise IllegalArgumentException("a JMSX name")
    original(self, name, value)


@saboteur("3.5.9-5", "JMSXGroupSeq always arrives as 1", by=as_received)
def _(message, delivery):
    if "JMSXGroupSeq" in message._properties:
        message._properties["JMSXGroupSeq"] = Int(1)


saboteur("3.5.9-6", "JMSXGroupSeq is not announced", lambda patch: _silent(patch, "JMSXGroupSeq"))
saboteur(
    "3.5.9-7",
    "JMSXDeliveryCount is not announced",
    lambda patch: _silent(patch, "JMSXDeliveryCount"),
    collateral={"3.5.9-8": NOT_ANNOUNCED},
)
saboteur("3.5.9-8", "JMSXRcvTimestamp is not announced", lambda patch: _silent(patch, "JMSXRcvTimestamp"))


@saboteur("3.5.9-14", "received messages have an announced property JMSXState")
def _(patch):
    provider_property(patch, "JMSXState", lambda delivery: Int(2))
    _announce(patch, *JMSX_PROPERTIES, "JMSXState")


@saboteur("3.5.9-17", "a selector that names JMSXState is refused", at=fault_points.SELECTOR_COMPILED)
def _(original, text, version):
    if "JMSXState" in text:
        raise InvalidSelectorException("JMSXState is not supported")
    return original(text, version)


saboteur(
    "3.5.9-19",
    "JMSXGroupId is announced beside JMSXGroupID",
    lambda patch: _announce(patch, *JMSX_PROPERTIES, "JMSXGroupId"),
)
