"""3.5.6 Property names of a message."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import dressed
from tck.suite.support.values.properties import names_of, objects, own_names, set_all

HEADER_NAMES = (
    "JMSDestination",
    "JMSDeliveryMode",
    "JMSMessageID",
    "JMSTimestamp",
    "JMSCorrelationID",
    "JMSReplyTo",
    "JMSRedelivered",
    "JMSType",
    "JMSExpiration",
    "JMSDeliveryTime",
    "JMSPriority",
)


@asserts("3.5.6-1")
def test_all_names_are_enumerated(case: Case) -> None:
    """Each property is named once, one that is null too, and can be read by its name."""
    link = case.link()
    message = link.text("x")
    wanted = set_all(message) | {"null_string": None, "null_object": None}
    message.set_string_property("null_string", None)
    message.set_object_property("null_object", None)
    for end, seen in link.both_ends(message):
        expect.equal(f"property names {end}", own_names(seen), sorted(wanted))
        expect.equal(f"properties {end}, by those names", objects(seen, dict.fromkeys(own_names(seen))), wanted)


@asserts("3.5.6-3")
def test_header_fields_are_not_enumerated(case: Case) -> None:
    """Header fields are not among the property names, at either end."""
    link = case.link()
    message = dressed(link)
    message.set_string_property("own", "x")
    for end, seen in link.both_ends(message):
        expect.equal(f"own property names {end}", [name for name in names_of(seen) if name == "own"], ["own"])
        headers = [name for name in names_of(seen) if name in HEADER_NAMES]
        expect.equal(f"header fields among the property names {end}", headers, [])
