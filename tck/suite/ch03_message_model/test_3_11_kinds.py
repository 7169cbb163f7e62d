"""3.11 Message bodies: what each kind carries."""

from __future__ import annotations

import random
from functools import partial

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
from tck.suite.support.values.object_types import Bomb, Ledger, Parcel, Tally
from tck.suite.support.values.seen import tried

TEXTS = {
    "empty": "",
    "ascii": "plain text",
    "accents": "größer, où, señor",
    "east": "東京都 서울",
    "beyond 16 bits": "\N{GRINNING FACE}\N{MUSICAL SYMBOL G CLEF}",
    "controls": "\0\x01\t\r\n\x7f\x85",
    "xml": '<?xml version="1.0" encoding="UTF-8"?>\n<a b="c">&lt;ä</a>',
    "long": "0123456789ü" * 100_000,
}


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
    wanted = ["empty", "null bytes", "null text", "number", "text"]
    for end, seen in both_ends(link, message):
        expect.equal(f"names {end}", sorted(seen.get_map_names()), wanted)


@asserts("3.11-5")
def test_a_text_arrives_unchanged(case: Case) -> None:
    """Texts of all kinds of characters, an empty one and a long one arrive as they were sent."""
    link = case.link()
    seen = {name: carried(link, link.text(text)).text for name, text in TEXTS.items()}
    expect.equal(
        "whether the texts are the same",
        {name: seen[name] == TEXTS[name] for name in TEXTS},
        dict.fromkeys(TEXTS, True),
    )


@asserts("3.11-6")
def test_an_object_arrives_equal(case: Case) -> None:
    """A text, a number, bytes, nested collections and objects of types of the application arrive equal."""
    link = case.link()
    case.provider.register_types(Parcel, Ledger, Tally)
    objects = {
        "text": "größer, 東京, \N{GRINNING FACE}",
        "number": api.Int(5),
        "list": [1, "two", [3.5, None, True]],
        "bytes": bytes(range(256)),
        "wide list": [[number] for number in range(200)],
        "wide and deep list": [[[number], [number]] for number in range(100)],
        "extremes": [2**63 - 1, -(2**63), float("inf"), -float("inf"), api.Float(float("inf")), -0.0, api.Char("c")],
        "map": {"a": [1, 2], "b": {"c": "d"}},
        "map by number": {1: "one", 2: "two"},
        "map of odd keys": {"$": ["int", "1"], "": 0, "@type": "map", "$type": None, "__class__": "x", "a.b[0]": 1},
        "parcel": Parcel("brown", 7),
        "ledger": Ledger("first", "second"),
        "tally": Tally.of("word", 7),
    }
    seen = {}
    for name, one in objects.items():
        message = expect.works(f"a message of a {name}", lambda: link.client.session.create_object_message(one))
        received = carried(link, message)
        seen[name] = tried(lambda: received.object)
    expect.equal("the objects at the receiver", seen, objects)


@asserts("3.11-7")
def test_bytes_arrive_unchanged(case: Case) -> None:
    """Every byte value, no bytes at all, and very many bytes arrive as they were sent."""
    link = case.link()
    bodies = {"each": bytes(range(256)), "none": b"", "many": random.Random(7).randbytes(1_000_000)}  # noqa: S311 - any bytes will do
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
    message.set_string("text", "x")
    message.set_string("null", None)
    for end, seen in both_ends(link, message):
        found = {name: seen.item_exists(name) for name in ("text", "null", "other")}
        expect.equal(f"whether entries exist {end}", found, {"text": True, "null": True, "other": False})
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
