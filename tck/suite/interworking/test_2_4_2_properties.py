"""Interworking 2.4.2: fields of an event as properties of a message."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category

from tck import api
from tck.interworking import Any_, Kind, StructuredEvent, TypeCode, event, sequence_of, struct_of
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import Bridged

ALARM: Final = struct_of("Alarm", Al_name=TypeCode(Kind.STRING), Severity=TypeCode(Kind.LONG))
OUTER: Final = struct_of("Outer", a=TypeCode(Kind.LONG), inner=ALARM)
LONGS: Final = sequence_of(TypeCode(Kind.LONG))
LISTED: Final = struct_of("Listed", name=TypeCode(Kind.STRING), many=LONGS)


def text(value: str) -> Any_:
    """Return a string."""
    return Any_.of(Kind.STRING, value)


def long(value: int) -> Any_:
    """Return a long of 32 bits."""
    return Any_.of(Kind.LONG, value)


def property_of(bridged: Bridged, given: StructuredEvent, got: api.Message, *path: str) -> object:
    """Return the property of a field as an object; a missing one breaks the row."""
    name = bridged.named(given, *path)
    expect.true(f"there is a property for {' '.join(path)}", got.property_exists(name), name)
    value = got.get_object_property(name)
    return api.Long(value) if type(value) is int else api.Double(value) if type(value) is float else value


def names_of(got: api.Message) -> list[str]:
    """Return the names of the properties but those that JMS and the provider keep for themselves."""
    return sorted(name for name in got.get_property_names() if not name.startswith("JMS"))


@asserts("iw-2.4.2-3", plain=True)
def test_fields_become_properties(case: Case) -> None:
    """Fixed header, other header fields and filterable data are five properties that applications see."""
    bridged = Bridged(case)
    given = event("d", "t", "n", header={"e1": long(1)}, data={"f1": text("x")})
    got = bridged.message(given)
    expect.equal("the number of properties", len(names_of(got)), 5)
    fixed = [got.get_string_property(name) for name in ("$domain_type", "$type_name", "$event_name")]
    expect.equal("the fixed header", fixed, ["d", "t", "n"])
    others = [property_of(bridged, given, got, *path) for path in (("header", "e1"), ("data", "f1"))]
    expect.equal("the other fields", others, [api.Int(1), "x"])


@asserts("iw-2.4.2-16", plain=True)
def test_selectors_choose_by_the_fixed_header(case: Case) -> None:
    """A selector on $type_name and $domain_type receives the matching events and no other."""
    place = case.destination()
    chosen = case.link(destination=place, selector="$type_name = 'CommunicationsAlarm' AND $domain_type = 'Telecom'")
    bridged = Bridged(case, case.link(destination=place, consumes=False))
    pairs = [("Telecom", "Other"), ("Other", "CommunicationsAlarm"), ("Telecom", "CommunicationsAlarm")]
    for domain, type_ in pairs:
        given = event(domain, type_, "n", body=text(f"{domain} {type_}"))
        made = bridged.converted(given)
        bridged.link.send(made.message, mode=made.delivery_mode, priority=made.priority, ttl=made.time_to_live)
    expect.arrives(chosen, ["Telecom CommunicationsAlarm"])


def is_identifier(name: str) -> bool:
    """Return whether a name is an identifier of selectors: a Java letter, then Java letters and digits."""
    letters = {"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Sc", "Pc"}
    return (
        bool(name)
        and category(name[0]) in letters
        and all(category(each) in {*letters, "Nd", "Mn", "Mc"} for each in name)
    )


@asserts("iw-2.4.2-17", "iw-2.4.2-25", plain=True)
def test_names_are_identifiers(case: Case) -> None:
    """Every property made of a plain field has the name of an identifier, also for odd fields; a long name is carried in full."""
    bridged = Bridged(case)
    long_name = "x" * 300
    fields = ("perceived-severity", "a b", "1st", "a.b", "größe", "_a", "$a", "a!", "9", long_name, "not", "JMSType")
    given = event("d", "t", "n", data={each: text(each) for each in fields})
    got = bridged.message(given)
    with expect.for_row("iw-2.4.2-17"):
        expect.equal("names that are no identifiers", [each for each in names_of(got) if not is_identifier(each)], [])
        carried = any(long_name in name for name in names_of(got))
        expect.true("a name of 300 characters is carried in full", carried, "no property has it")
    with expect.for_row("iw-2.4.2-25"):
        found = {each: property_of(bridged, given, got, "data", each) for each in fields}
        expect.equal("the values under them", found, {each: each for each in fields})


@asserts("iw-2.4.2-26", plain=True)
def test_whether_plain_names_begin_with_a_dollar_is_recorded(case: Case) -> None:
    """Plain fields have their own names, or these behind a dollar; the same holds for all."""
    bridged = Bridged(case)
    given = event(header={"e1": long(1)}, data={"sev": long(3), "host": text("n1")})
    got = bridged.message(given)
    paths = (("header", "e1"), ("data", "sev"), ("data", "host"))
    found = [property_of(bridged, given, got, *path) for path in paths]
    expect.equal("the values", found, [api.Int(1), api.Int(3), "n1"])
    forms = {bridged.named(given, *path).replace(path[1], "NAME") for path in paths}
    expect.one_of(
        "the forms of the names", tuple(sorted(forms)), {("NAME",): "the bare name", ("$NAME",): "behind a dollar"}
    )


@asserts("iw-2.4.2-27", plain=True)
def test_how_names_are_repaired_is_recorded(case: Case) -> None:
    """Two fields whose names would be repaired alike are both found."""
    bridged = Bridged(case)
    given = event(data={"a-b": long(1), "a_b": long(2)})
    got = bridged.message(given)
    found = [property_of(bridged, given, got, "data", name) for name in ("a-b", "a_b")]
    expect.equal("the values", found, [api.Int(1), api.Int(2)])
    expect.record(f"a-b is {bridged.named(given, 'data', 'a-b')}, a_b is {bridged.named(given, 'data', 'a_b')}")


@asserts("iw-2.4.2-29", plain=True)
def test_characters_and_unsigned_values_are_recorded(case: Case) -> None:
    """Fields of types that properties do not have are carried; as what is left open."""
    bridged = Bridged(case)
    given_values = {
        Kind.CHAR: "c",
        Kind.WCHAR: "\u20ac",
        Kind.USHORT: 65535,
        Kind.ULONG: 2**32 - 1,
        Kind.ULONGLONG: 2**64 - 1,
    }
    given = event(data={kind.name: Any_.of(kind, value) for kind, value in given_values.items()})
    got = bridged.message(given)
    found = {kind.name.lower(): property_of(bridged, given, got, "data", kind.name) for kind in given_values}
    expect.true("each field is carried", None not in found.values(), repr(found))
    expect.record(", ".join(f"{name} as {value!r}" for name, value in found.items()))


def _struct(case: Case) -> tuple[Bridged, StructuredEvent, api.Message]:
    bridged = Bridged(case)
    given = event("d", "t", "n", data={"Fd_name1": Any_(ALARM, ("fire", 3))})
    return bridged, given, bridged.message(given)


@asserts("iw-2.4.2-30", plain=True)
def test_a_struct_is_one_property_for_each_member(case: Case) -> None:
    """A struct of two members becomes two properties, and none of its own."""
    bridged, given, got = _struct(case)
    expect.equal("the number of properties", len(names_of(got)) - 3, 2)
    found = [property_of(bridged, given, got, "data", "Fd_name1", member) for member in ("Al_name", "Severity")]
    expect.equal("the values", found, ["fire", api.Int(3)])


@asserts("iw-2.4.2-31", "iw-2.4.2-36", plain=True)
def test_the_name_of_a_member(case: Case) -> None:
    """A member is found under $field.member where the provider takes a dot, else under the name that the bridge documents for it."""
    bridged, given, got = _struct(case)
    found = {member: bridged.named(given, "data", "Fd_name1", member) for member in ("Al_name", "Severity")}
    wanted = {member: f"$Fd_name1.{member}" for member in found}
    with expect.for_row("iw-2.4.2-31"):
        if takes_dots(bridged):
            expect.equal("the names", {each: name.replace(".Alarm.", ".") for each, name in found.items()}, wanted)
        else:
            ends = all(name.startswith("$Fd_name1") and name.endswith(member) for member, name in found.items())
            expect.true("the names begin with the field and end with the member", ends, repr(found))
        expect.equal(
            "the names that the message has", sorted(set(names_of(got)) & {*found.values()}), sorted(found.values())
        )
    with expect.for_row("iw-2.4.2-36"):
        expect.distinct("the names", list(found.values()))
        expect.record("a dotted name" if "." in found["Al_name"] else f"an escaped name, {found['Al_name']}")


def takes_dots(bridged: Bridged) -> bool:
    """Return whether the provider takes a property whose name has a dot."""
    try:
        bridged.link.client.session.create_message().set_string_property("$a.b", "")
    except (api.JMSException, api.JMSRuntimeException, api.JavaException):
        return False
    return True


@asserts("iw-2.4.2-32", plain=True)
def test_whether_the_struct_is_part_of_the_name_is_recorded(case: Case) -> None:
    """The name of a member may or may not have the struct's name in it."""
    bridged, given, got = _struct(case)
    name = bridged.named(given, "data", "Fd_name1", "Severity")
    expect.equal("the value", got.get_object_property(name), api.Int(3))
    expect.record("it has the name of the struct" if "Alarm" in name else "it has not")


@asserts("iw-2.4.2-33", plain=True)
def test_structs_in_structs_are_expanded(case: Case) -> None:
    """A struct in a struct is expanded too, with one more part in the name."""
    bridged = Bridged(case)
    given = event("d", "t", "n", data={"f": Any_(OUTER, (1, ("fire", 3)))})
    got = bridged.message(given)
    paths = (("a",), ("inner", "Al_name"), ("inner", "Severity"))
    found = [property_of(bridged, given, got, "data", "f", *path) for path in paths]
    expect.equal("the values", found, [api.Int(1), "fire", api.Int(3)])
    names = [bridged.named(given, "data", "f", *path) for path in paths]
    parts = [[part for part in re.split(r"[._]", name) if part] for name in names[::2]]
    expect.equal("the last parts of the names", [each[-1] for each in parts], ["a", "Severity"])


@asserts("iw-2.4.2-34", plain=True)
def test_a_struct_with_a_sequence_is_not_expanded(case: Case) -> None:
    """A struct with a member that is neither basic nor a struct is one complex value, and no member of it a property."""
    bridged = Bridged(case)
    given = event("d", "t", "n", data={"f": Any_(LISTED, ("x", (1, 2)))})
    got = bridged.message(given)
    names = [name for name in names_of(got) if name not in ("$domain_type", "$type_name", "$event_name")]
    expect.equal("the number of properties for it", len(names), 1)
    expect.equal("properties of members", [name for name in names if "name" in name or "many" in name], [])


@asserts("iw-2.4.2-37", "iw-2.4.2-38", plain=True)
def test_other_complex_values_can_be_decoded(case: Case) -> None:
    """A sequence, and a struct with one, are carried so that the bridge's decoder gives them back; in which form is left open."""
    bridged = Bridged(case)
    values = {"longs": Any_(LONGS, (1, -2, 3)), "listed": Any_(LISTED, ("x", (1, 2)))}
    given = event(data=values)
    got = bridged.message(given)
    names = {name: bridged.named(given, "data", name) for name in values}
    with expect.for_row("iw-2.4.2-37"):
        found = {
            name: bridged.calls("decode", lambda place=place: bridged.converter.decode(place, got))  # type: ignore[misc]
            for name, place in names.items()
        }
        expect.equal("the values", {n: v.value for n, v in found.items()}, {n: v.value for n, v in values.items()})
    with expect.for_row("iw-2.4.2-38"):
        kinds = {type(got.get_object_property(place)).__name__ for place in names.values()}
        expect.true("each is a property", kinds != {"NoneType"}, repr(kinds))
        expect.record(f"a property of type {', '.join(sorted(kinds))}")
