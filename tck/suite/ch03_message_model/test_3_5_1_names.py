"""3.5.1 Property names."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.properties import TYPES
from tck.suite.support.seen import tried

NAMES = ("a1", "_a", "$a", "a$b_c9", "größe", "東京", "п1", "n" * 1000)
NOTHING: Any = None


@asserts("3.5.1-1")
def test_every_identifier_is_a_property_name(case: Case) -> None:
    """Letters, digits behind the first, _, $, letters of other scripts, and long names can be set, sent, read, selected by."""
    selector = " AND ".join(f"{name} = {number}" for number, name in enumerate(NAMES))
    link = case.link(selector=selector)
    message = link.text("x")
    for number, name in enumerate(NAMES):
        expect.works(f"setting property {name[:20]!r}", lambda: message.set_int_property(name, number))  # noqa: B023
    link.send(message)
    received = expect.arrival(link)
    seen = {name: tried(lambda: received.get_int_property(name)) for name in NAMES}  # noqa: B023 - called at once
    expect.equal("properties at the receiver", seen, {name: number for number, name in enumerate(NAMES)})


@asserts("3.5.1-4")
def test_null_and_empty_names_are_refused(case: Case) -> None:
    """Each setter refuses a name that is null or empty with IllegalArgumentException."""
    message = case.link().text("x")
    for one in (*TYPES.values(), TYPES["string"]):
        for name in (NOTHING, ""):
            expect.raises(
                api.IllegalArgumentException,
                lambda: one.set(message, name, one.values[0]),  # noqa: B023 - called at once
                what=f"setting a {one.name} property named {name!r}",
                though_works=lambda: (one.set(message, "named", one.values[0]), one.get(message, "named"))[1],  # noqa: B023
            )
    for name in (NOTHING, ""):
        refused = lambda: message.set_object_property(name, "x")  # noqa: B023, E731 - called at once
        expect.raises(api.IllegalArgumentException, refused, what=f"setting an object property named {name!r}")


@asserts("3.5.1-5")
def test_names_differ_by_case(case: Case) -> None:
    """Names that differ in case alone are two properties, at the receiver too."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("Color", "red")
    message.set_string_property("color", "blue")
    for end, seen in link.both_ends(message):
        values = [seen.get_string_property("Color"), seen.get_string_property("color")]
        expect.equal(f"Color and color {end}", values, ["red", "blue"])
