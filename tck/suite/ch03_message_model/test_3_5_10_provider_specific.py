"""3.5.10 Properties of the provider, and the vendor name."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.jmsx import TYPES

BOTH = ("auto", "transacted")


@asserts("3.5.10-1", ack=BOTH)
def test_own_properties_of_a_provider_begin_with_jms(case: Case) -> None:
    """A property that the sender did not set has a JMSX name, or one that begins with JMS_."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("own", "x")
    received = link.carry(message)
    others = [name for name in received.get_property_names() if name not in TYPES and not name.startswith("JMS_")]
    expect.equal("other names at the receiver", others, ["own"])


@asserts("3.5.10-2", ack=BOTH)
def test_the_vendor_name(case: Case) -> None:
    """The provider's own properties, if it adds any, tell its name; recorded."""
    link = case.link()
    received = link.carry(link.text("x"))
    vendors = sorted({name.split("_")[1] for name in received.get_property_names() if name.startswith("JMS_")})
    expect.record(f"vendor names in its own properties: {vendors or 'it adds none'}")
