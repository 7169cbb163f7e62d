"""3.11 Message bodies: what each kind carries."""

from __future__ import annotations

import random
from functools import partial
from itertools import cycle, islice

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, fresh
from tck.suite.support.values.bodies import (
    ALL_MIXED,
    TYPES,
    array_of,
    set_entries,
    typed,
    typed_entries,
    typed_items,
    write_items,
)
from tck.suite.support.values.names import ENTRY_NAMES, FEW, VERY_MANY
from tck.suite.support.values.numbers import ARRAYS, LONG_ARRAY
from tck.suite.support.values.object_types import Bomb, Container, Ledger, Parcel, Tally
from tck.suite.support.values.objects import object_table
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import taken, tried
from tck.suite.support.values.texts import HALVES, TEXTS

VERY_LONG = {"beyond a million": "0123456789ü" * 100_000}


@asserts("3.11-1", variant="many")
def test_a_stream_of_several_items(case: Case) -> None:
    """No item, one and several are read in order, at both ends."""
    link = case.link()
    for count in FEW:
        message = fresh(link, "stream")
        for number in range(count):
            message.write_int(number)
        for end, seen in both_ends(link, message):
            read = [tried(seen.read_int) for _ in range(count)]
            expect.equal(f"{count} items {end}", read, [*range(count)])


@asserts("3.11-1", domain=("queue",), variant="very-many")
def test_a_stream_of_very_many_items(case: Case) -> None:
    """Five hundred items are read in order at the receiver."""
    link = case.link()
    message = fresh(link, "stream")
    for number in range(VERY_MANY):
        message.write_int(number)
    received = carried(link, message)
    read = [tried(received.read_int) for _ in range(VERY_MANY)]
    expect.equal("five hundred items", read, [*range(VERY_MANY)])


@asserts("3.11-2", variant="names")
def test_a_map_of_every_name(case: Case) -> None:
    """Any text but the empty one names an entry of any type; names that differ a little are two."""
    link = case.link()
    for turn in (0, 3):
        message = fresh(link, "map")
        types = dict(zip(ENTRY_NAMES, islice(cycle(TYPES.values()), turn, None), strict=False))
        wanted: dict[str, object] = {}
        for number, (name, one) in enumerate(types.items()):
            value = one.values[number % len(one.values)]
            expect.works(f"a {one.name} entry named {name[:20]!r}", partial(one.set, message, name, value))
            wanted[name] = one.boxed(value)
        for end, seen in both_ends(link, message):
            read = {name: tried(partial(one.get, seen, name)) for name, one in types.items()}
            expect.equal(f"entries {end}", read, wanted)
            expect.equal(f"names {end}", sorted(seen.get_map_names()), sorted(ENTRY_NAMES))


@asserts("3.11-3", variant="many")
def test_the_names_of_several_entries(case: Case) -> None:
    """No entry, one and several are enumerated, by each of two enumerations that are open together, and can be read."""
    link = case.link()
    for count in FEW:
        message = fresh(link, "map")
        names = [f"e{number}" for number in range(count)]
        for number, name in enumerate(names):
            message.set_int(name, number)
        for end, seen in both_ends(link, message):
            one, other = seen.get_map_names(), seen.get_map_names()
            first = next(other, None)
            expect.equal(f"{count} names {end}", sorted(one), sorted(names))
            expect.equal(f"the other enumeration {end}", sorted([*other, *([first] if count else [])]), sorted(names))
            values = [tried(partial(seen.get_int, name)) for name in names]
            expect.equal(f"values of {count} entries {end}", values, [*range(count)])


@asserts("3.11-3", domain=("queue",), variant="very-many")
def test_the_names_of_very_many_entries(case: Case) -> None:
    """Five hundred entries are enumerated at the receiver, and can be read."""
    link = case.link()
    message = fresh(link, "map")
    for number in range(VERY_MANY):
        message.set_int(f"e{number}", number)
    received = carried(link, message)
    expect.equal("the names", sorted(received.get_map_names()), sorted(f"e{number}" for number in range(VERY_MANY)))
    some = range(0, VERY_MANY, 17)
    expect.equal("some of the values", [tried(partial(received.get_int, f"e{at}")) for at in some], [*some])


@asserts("3.11-3", variant="changes")
def test_the_names_after_each_change(case: Case) -> None:
    """The names are current after each change: an addition, another value and type, null in its place, clear_body()."""
    message = fresh(case.link(), "map")
    first: object = "1"
    seen = [sorted(message.get_map_names())]
    for name, value in (("a", "1"), ("b", 2), ("a", None), ("c", True), ("b", "2")):
        last = (
            value if taken(partial(message.set_object, name, value)) else "1"
        )  # null may be refused: 3.12-9 reports it
        first = last if name == "a" else first
        seen.append(sorted(message.get_map_names()))
    expect.equal("the values", [message.get_object(name) for name in "abc"], [first, "2", True])
    message.clear_body()
    seen.append(sorted(message.get_map_names()))
    message.set_object("b", 1)
    wanted = [[], ["a"], ["a", "b"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c"], [], ["b"]]
    expect.equal("the names after each change", [*seen, sorted(message.get_map_names())], wanted)


@asserts("3.11-1")
def test_a_stream_is_read_as_it_was_written(case: Case) -> None:
    """A stream of values of all types in a mixed order is read in the order of writing."""
    link = case.link()
    message = fresh(link, "stream")
    write_items(message, ALL_MIXED)
    for end, seen in both_ends(link, message):
        expect.equal(f"items {end}", typed_items(seen, ALL_MIXED), typed(ALL_MIXED))


@asserts("3.11-2")
def test_a_map_is_read_by_name(case: Case) -> None:
    """The entries of a map of values of all types are read by their names, in another order than they were set."""
    link = case.link()
    message = fresh(link, "map")
    set_entries(message, ALL_MIXED)
    for end, seen in both_ends(link, message):
        expect.equal(f"entries {end}", typed_entries(seen, ALL_MIXED), typed(ALL_MIXED))


@asserts("3.11-3")
def test_the_names_of_a_map_can_be_enumerated(case: Case) -> None:
    """Each name comes once, those of null and of empty entries too."""
    link = case.link()
    message = fresh(link, "map")
    message.set_string("text", "x")
    message.set_int("number", 1)
    message.set_int("number", 2)
    message.set_string("null text", None)
    message.set_bytes("null bytes", None)
    message.set_string("empty", "")
    names = ["empty", "null bytes", "null text", "number", "text"]
    for end, seen in both_ends(link, message):
        wanted = [each for each in names if each != "null bytes" or seen.item_exists(each)]  # 3.12-9 reports a lost one
        expect.equal(f"names {end}", sorted(seen.get_map_names()), wanted)


@asserts("3.11-5")
def test_a_text_arrives_unchanged(case: Case) -> None:
    """Texts of all kinds of characters, an empty one and a long one arrive as they were sent."""
    link = case.link()
    texts = {**TEXTS, **VERY_LONG}
    wrong: dict[str, object] = {}
    for what, text in texts.items():
        message = link.text("another")
        message.text = text
        for how, sent in (("set", message), ("given at the creation", link.text(text))):
            for end, seen in both_ends(link, sent):
                read = [seen.text, seen.text]
                if read != [text, text]:
                    wrong[f"{what}, {how}, {end}"] = [str(one)[:40] for one in read]
    expect.equal("the texts that changed", sorted(wrong.items()), [])


@asserts("3.11-5", variant="halves")
def test_half_a_surrogate_pair_arrives(case: Case) -> None:
    """A text with half a surrogate pair, which a String may hold, arrives as it was sent."""
    link = case.link()
    seen = {what: carried(link, link.text(text)).text for what, text in HALVES.items()}
    expect.equal("the texts at the receiver", seen, HALVES)


@asserts("3.11-6")
def test_an_object_arrives_equal(case: Case) -> None:
    """A text, a number, bytes, nested collections and objects of types of the application arrive equal."""
    link = case.link()
    case.provider.register_types(Container, Parcel, Ledger, Tally)
    objects = object_table()
    seen: dict[str, object] = {}
    for name, one in objects.items():
        message = expect.works(f"a message of {name}", lambda: link.client.session.create_object_message(one))
        for end, held in both_ends(link, message):
            seen[f"{name} {end}"] = tried(lambda: comparable(held.object))
            seen[f"{name} {end}, read again"] = tried(lambda: comparable(held.object))
    wanted = {what: comparable(one) for name, one in objects.items() for what in seen if what.startswith(f"{name} on ")}
    expect.equal("the objects", seen, wanted)


@asserts("3.11-7")
def test_bytes_arrive_unchanged(case: Case) -> None:
    """Every byte value, no bytes at all, and very many bytes arrive as they were sent."""
    link = case.link()
    bodies = {f"array {number}": array for number, array in enumerate((*ARRAYS, LONG_ARRAY))}
    bodies["many"] = random.Random(7).randbytes(1_000_000)  # noqa: S311 - any bytes will do
    seen: dict[str, object] = {}
    for name, data in bodies.items():
        message = fresh(link, "bytes")
        message.write_bytes(data)
        buffer = bytearray(len(data) + 1)
        received = carried(link, message)
        seen[name] = (received.read_bytes(buffer), bytes(buffer[:-1]) == data)
    wanted = {name: (len(data) or -1, True) for name, data in bodies.items()}
    expect.equal("number of bytes, and whether they are the same", seen, wanted)


@asserts("3.11-8")
def test_bytes_may_have_properties(case: Case) -> None:
    """A bytes message with properties delivers both unchanged."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"abc")
    message.set_string_property("name", "value")
    received = carried(link, message)
    expect.equal("the property", received.get_string_property("name"), "value")
    expect.equal("the body", array_of(received), b"abc")


@asserts("3.11-20", "10.3-29", "10.3-30")
def test_only_values_can_be_written_as_objects(case: Case) -> None:
    """Wrappers of primitives, String and byte arrays can be written as objects into bytes, streams and maps; else the format is wrong."""
    link = case.link()
    entries = fresh(link, "map")
    ways = {
        "bytes": fresh(link, "bytes").write_object,
        "stream": fresh(link, "stream").write_object,
        "map": partial(entries.set_object, "name"),
    }
    for kind, write in ways.items():
        good = {name: tried(lambda: write(one.boxed(one.values[0]))) for name, one in TYPES.items()}
        bad = {
            type(value).__name__: tried(lambda: write(value))
            for value in ([1, 2], {"a": 1}, Parcel("brown", 7), Bomb(), case.provider.unsupported_value())
        }
        wanted = dict.fromkeys(TYPES, None) | dict.fromkeys(bad, "raises MessageFormatException")
        expect.equal(f"what a {kind} message answers", good | bad, wanted)


@asserts("3.11-25")
def test_an_entry_needs_a_name(case: Case) -> None:
    """Setting an entry whose name is null or empty raises IllegalArgumentException, whatever its type."""
    message = fresh(case.link(), "map")
    seen: dict[str, object] = {}
    for name in (None, ""):
        seen |= {
            f"set_{kind} with {name!r}": tried(lambda: TYPES[kind].set(message, name, TYPES[kind].values[0]))
            for kind in TYPES
        }
        seen[f"set_bytes of a part with {name!r}"] = tried(lambda: message.set_bytes(name, b"abc", 1, 1))
        seen[f"set_object with {name!r}"] = tried(lambda: message.set_object(name, "x"))
    message.set_string("a name", "x")
    expect.equal("an entry with a name", message.get_string("a name"), "x")
    expect.equal("entries without a name", seen, dict.fromkeys(seen, "raises IllegalArgumentException"))


@asserts("3.11-26")
def test_item_exists_tells_of_names(case: Case) -> None:
    """item_exists() is true for each name that was set, be its value null, and false for others and after clear_body()."""
    link = case.link()
    message = fresh(link, "map")
    for name in ENTRY_NAMES:
        message.set_string(name, "x")
    message.set_string("an entry of null", None)
    there = {**dict.fromkeys(ENTRY_NAMES, True), "an entry of null": True, "text": True}
    absent = dict.fromkeys(("other", "coLOR", "e", "  ", "Null"), False)
    for end, seen in both_ends(link, message):
        found = {name: tried(partial(seen.item_exists, name)) for name in (*there, *absent)}
        expect.equal(f"whether entries exist {end}", found, there | absent)
        seen.clear_body()
        expect.equal(f"whether an entry exists {end}, cleared", seen.item_exists("text"), False)


@asserts("3.11-27")
def test_a_new_text_or_object_message_holds_null(case: Case) -> None:
    """The content of a text or object message is null until it is set, at the receiver too."""
    link = case.link()
    for end, seen in both_ends(link, fresh(link, "text")):
        expect.equal(f"an unset text {end}", seen.text, None)
    for end, seen in both_ends(link, fresh(link, "object")):
        expect.equal(f"an unset object {end}", seen.object, None)
    expect.equal("a text that was set", carried(link, link.text("x")).text, "x")


@asserts("3.11-28")
def test_an_object_that_cannot_travel_is_refused(case: Case) -> None:
    """Setting an object that cannot be serialised raises MessageFormatException, at once and not at the send."""
    link = case.link()
    case.provider.register_types(Bomb)
    message = fresh(link, "object")
    message.object = "x"
    received = carried(link, message).object
    expect.equal("an object that can travel", received, "x")
    expect.raises(api.MessageFormatException, lambda: setattr(message, "object", Bomb()), what="an object that fails")
    unsupported = case.provider.unsupported_value()
    expect.raises(
        api.MessageFormatException,
        lambda: setattr(message, "object", unsupported),
        what="an object of a type that no message may carry",
    )
