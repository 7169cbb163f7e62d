"""3.5.8 Properties that are not set."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.properties import TYPES
from tck.suite.support.values.seen import tried

PRIMITIVES = ("boolean", "byte", "short", "int", "long", "float", "double")
AS_NULL = {
    "boolean": False,
    **dict.fromkeys(("byte", "short", "int", "long"), "raises NumberFormatException"),
    **dict.fromkeys(("float", "double"), "raises NullPointerException"),
}
"""What the seven getters of primitives do with null."""


def _primitives(message: api.Message, name: str) -> dict[str, object]:
    """Read a property with each of the seven getters that give a primitive; `raises TYPE` where one refuses."""
    return {kind: tried(partial(one.get, message, name)) for kind, one in TYPES.items() if kind != "string"}


@asserts("3.5.8-1")
def test_an_unset_property_reads_as_null(case: Case) -> None:
    """A name never used reads as null, as String and as object, at both ends and after clearing."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("used", "text")
    for end, seen in link.both_ends(message):
        values = [
            seen.get_string_property("used"),
            seen.get_string_property("unused"),
            seen.get_object_property("unused"),
        ]
        expect.equal(f"a used and an unused name as String, the unused as object, {end}", values, ["text", None, None])
        seen.clear_properties()
        expect.equal(f"an unused name as String {end}, cleared", seen.get_string_property("unused"), None)


@asserts("3.5.8-2")
def test_an_unset_property_reads_like_a_null_one(case: Case) -> None:
    """A name never used reads as a primitive just as a property does that is null."""
    link = case.link()
    message = link.text("x")
    message.set_object_property("empty", None)
    for end, seen in link.both_ends(message):
        expect.equal(f"an unused name as primitive {end}", _primitives(seen, "unused"), AS_NULL)
        expect.equal(f"just as a null property {end}", _primitives(seen, "unused"), _primitives(seen, "empty"))


@asserts("3.5.8-3")
def test_a_property_exists_once_set(case: Case) -> None:
    """A property exists when it was set, be it to null, and not before, nor after clearing."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("text", "x")
    message.set_string_property("empty", None)
    for end, seen in link.both_ends(message):
        exist = {name: tried(partial(seen.property_exists, name)) for name in ("text", "empty", "unused")}
        expect.equal(f"which properties exist {end}", exist, {"text": True, "empty": True, "unused": False})
        seen.clear_properties()
        exist = {name: tried(partial(seen.property_exists, name)) for name in ("text", "empty")}
        expect.equal(f"which properties exist {end} after clearing", exist, {"text": False, "empty": False})


@asserts("3.5.8-4", api=("domain-specific",))
def test_an_unset_property_refuses_to_be_a_primitive(case: Case) -> None:
    """In 1.0 a name never used raises NullPointerException when read as any primitive, on each kind of message object."""
    link = case.link()
    message = link.text("x")
    message.set_boolean_property("used", True)
    wanted = dict.fromkeys(PRIMITIVES, "raises NullPointerException")
    expect.equal("a used name", message.get_boolean_property("used"), True)
    expect.equal("an unused name on a fresh message", _primitives(message, "unused"), wanted)
    for end, seen in link.both_ends(message):
        expect.equal(f"an unused name {end}", _primitives(seen, "unused"), wanted)
        seen.clear_properties()
        expect.equal(f"an unused name {end}, cleared", _primitives(seen, "unused"), wanted)
