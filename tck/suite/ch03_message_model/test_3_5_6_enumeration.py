"""3.5.6 Property names of a message."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import dressed
from tck.suite.support.values import jmsx
from tck.suite.support.values.names import FEW, VERY_MANY
from tck.suite.support.values.properties import arrived, comparable, names_of, objects, own_names, set_all
from tck.suite.support.values.seen import taken

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
    wanted = {**set_all(message), "JMSXGroupID": "group", "JMSXGroupSeq": api.Int(1)}
    message.set_string_property("JMSXGroupID", "group")
    message.set_int_property("JMSXGroupSeq", 1)
    if taken(lambda: message.set_string_property("null_string", None)):  # where null is refused, 3.12-12 reports it
        wanted["null_string"] = None
    if taken(lambda: message.set_object_property("null_object", None)):
        wanted["null_object"] = None
    ends = link.both_ends(message)
    for end, seen in ends:
        expect.equal(f"property names {end}", own_names(seen), sorted(wanted))
        present = arrived(seen, wanted)
        seen_by_name = objects(seen, [name for name in own_names(seen) if name in present or name not in wanted])
        expect.equal(f"properties {end}, by those names", seen_by_name, present)
    received = ends[-1][1]
    unnamed = {name for name in jmsx.TYPES if received.property_exists(name)} - {*names_of(received)}
    expect.equal("JMSX properties at the receiver that exist and are not named", sorted(unnamed), [])


@asserts("3.5.6-1", variant="many")
def test_two_enumerations_at_a_time(case: Case) -> None:
    """No property, one, and several are enumerated, by each of two enumerations that are open together."""
    link = case.link()
    for count in FEW:
        message = link.text("x")
        wanted = _numbered(message, count)
        for end, seen in link.both_ends(message):
            one, other = seen.get_property_names(), seen.get_property_names()
            first = next(other, None)
            names = sorted(str(name) for name in one)
            expect.equal(
                f"both enumerations of {count} names {end}",
                sorted({*map(str, other), *([str(first)] if first is not None else [])}),
                names,
            )
            expect.equal(f"{count} names {end}", own_names(seen), sorted(wanted))
            read = {name: comparable(seen.get_object_property(name)) == value for name, value in wanted.items()}
            expect.equal(f"which of {count} values differ {end}", [name for name, same in read.items() if not same], [])


def _numbered(message: api.Message, count: int) -> dict[str, object]:
    """Set so many properties, the type depending on the number; return the objects that must be read."""
    wanted: dict[str, object] = {}
    for number in range(count):
        wanted[f"p{number}"] = str(number) if number % 3 == 0 else api.Int(number)
        message.set_object_property(f"p{number}", wanted[f"p{number}"])
    return wanted


@asserts("3.5.6-1", domain=("queue",), variant="very-many")
def test_the_names_of_very_many_properties(case: Case) -> None:
    """Five hundred properties are enumerated at the receiver, and can be read."""
    link = case.link()
    message = link.text("x")
    wanted = _numbered(message, VERY_MANY)
    received = expect.delivers(link, message, "a message with very many properties")
    expect.equal("the names", own_names(received), sorted(wanted))
    some = [*wanted][::17]
    expect.equal("some of the values", objects(received, dict.fromkeys(some)), {name: wanted[name] for name in some})


@asserts("3.5.6-1", variant="changes")
def test_the_names_after_each_change(case: Case) -> None:
    """The names are current after each change: an addition, another value, null in its place, another clearing."""
    message = case.link().text("x")
    seen = [own_names(message)]
    for name, value in (("a", "1"), ("b", 2), ("a", None), ("c", True), ("b", "2")):
        taken(partial(message.set_object_property, name, value))  # null may be refused, which 3.12-9 reports
        seen.append(own_names(message))
    message.clear_properties()
    seen.append(own_names(message))
    message.set_object_property("b", 1)
    wanted = [[], ["a"], ["a", "b"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c"], [], ["b"]]
    expect.equal("the names after each change", [*seen, own_names(message)], wanted)


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
