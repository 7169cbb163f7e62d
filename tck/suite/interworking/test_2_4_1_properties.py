"""Interworking 2.4.1: properties of a message as filterable data of an event."""

from __future__ import annotations

from tck import api
from tck.interworking import Kind
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import BOXES, Bridged, item, once, seen


@asserts("iw-2.4.1-40", "iw-2.4.1-41", plain=True)
def test_a_string(case: Case) -> None:
    """A String property becomes a string, or a wide one, which is left open; its characters are kept."""
    bridged = Bridged(case)
    message = bridged.link.text("x")
    text, _, _ = BOXES["String"]
    message.set_string_property("p", str(text))
    found = once(bridged.event(message).filterable_data, "p")
    with expect.for_row("iw-2.4.1-40"):
        kinds: dict[object, str] = {Kind.STRING: "string", Kind.WSTRING: "wide string"}
        expect.true("the type is one of strings", found.type.plain.kind in kinds, str(found.type))
        expect.equal("the text", found.value, text)
    with expect.for_row("iw-2.4.1-41"):
        expect.one_of("the type of a String", found.type.plain.kind, kinds)


@asserts("iw-2.4-4", "iw-2.4.1-32", plain=True)
def test_each_property_is_one_item_under_its_name(case: Case) -> None:
    """Every property that the sender sets is found once among the filterable data, under its own name."""
    bridged = Bridged(case)
    message = bridged.link.text("x")
    wanted = {}
    for name, (value, kind, there) in BOXES.items():
        message.set_object_property(f"p_{name}", value)
        wanted[f"p_{name}"] = item(kind, there)
    data = bridged.event(message).filterable_data
    expect.equal("the items", {name: seen(once(data, name)) for name in wanted}, wanted)


@asserts("iw-2.4.1-31", plain=True)
def test_jmsx_properties_are_items(case: Case) -> None:
    """JMSX properties become items as others do, those that the provider sets too."""
    bridged = Bridged(case)
    message = bridged.link.text("x")
    message.set_string_property("JMSXGroupID", "g")
    message.set_int_property("JMSXGroupSeq", 7)
    received = bridged.link.carry(message)
    made = bridged.event_of(received)
    names = sorted(name for name in received.get_property_names() if name.startswith("JMSX"))
    expect.equal("the JMSX items", sorted(each.name for each in made.filterable_data if each.name[:4] == "JMSX"), names)
    group = [seen(once(made.filterable_data, name)) for name in ("JMSXGroupID", "JMSXGroupSeq")]
    expect.equal("the group", group, [item(Kind.STRING, "g"), item(Kind.LONG, 7)])


@asserts("iw-2.4.1-42", plain=True)
def test_the_order_of_properties_is_recorded(case: Case) -> None:
    """The order of the items is left open; all of them are there."""
    bridged = Bridged(case)
    message = bridged.link.text("x")
    names = [f"p{number}" for number in (3, 1, 2)]
    for name in names:
        message.set_int_property(name, 1)
    found = [each.name for each in bridged.event(message).filterable_data if each.name in names]
    expect.equal("the names in any order", sorted(found), sorted(names))
    expect.record("in the order in which they were set" if found == names else "in another order")


def _texts(value: object) -> str:
    """Return every text in a value, and octets as text."""
    inside = getattr(value, "value", value)
    if isinstance(inside, bytes):
        return inside.decode("utf-16-be" if b"\0s" in inside else "utf-8", "replace")
    if isinstance(inside, tuple):
        return " ".join(_texts(each) for each in inside)
    return str(inside) if not isinstance(inside, api.Box) else ""
