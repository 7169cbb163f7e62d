"""3.5.10 Properties of the provider, and the vendor name."""

from __future__ import annotations

import re

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.jmsx import SET_BY_PROVIDER
from tck.suite.support.values.kinds import KINDS

BOTH = ("auto", "transacted")


@asserts("3.5.10-1", ack=BOTH)
def test_own_properties_of_a_provider_begin_with_jms(case: Case) -> None:
    """A property that the sender did not set has a JMSX name, or one that begins with JMS_."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        message.set_string_property("own", "x")
        for end, seen in link.both_ends(message):
            names = [name for name in seen.get_property_names() if name not in SET_BY_PROVIDER]
            others = [name for name in names if not re.match("JMS_[^_]", name)]
            expect.equal(f"other names of a {kind} message {end}", others, ["own"])


@asserts("3.5.10-2", ack=BOTH)
def test_the_vendor_name(case: Case) -> None:
    """The provider's own properties, if it adds any, tell its name; recorded."""
    link = case.link()
    received = link.carry(link.text("x"))
    vendors = sorted({name.split("_")[1] for name in received.get_property_names() if name.startswith("JMS_")})
    expect.record(f"vendor names in its own properties: {vendors or 'it adds none'}")
