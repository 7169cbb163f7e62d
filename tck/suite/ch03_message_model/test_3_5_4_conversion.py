"""3.5.4 Property value conversion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.numbers import ACCEPTED_TEXTS, NO_TRUTHS, REFUSED_TEXTS, TRUTHS, UNTRUTHS
from tck.suite.support.values.properties import TYPES, arrived, objects, set_all
from tck.suite.support.values.property_conversions import cells, marked, unmarked
from tck.suite.support.values.seen import taken, tried

INTEGERS = ("byte", "short", "int", "long")


def _text_cells(message: api.Message, names: Mapping[str, str], pairs: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Read texts, stored under `names`, as numbers."""
    return {f"{text!r} as {target}": tried(lambda: TYPES[target].get(message, names[text])) for target, text in pairs}


@asserts("3.5.4-1")
def test_every_marked_cell_can_be_read(case: Case) -> None:
    """A value can be read as each type that its row of the table marks, and means the same."""
    link = case.link()
    message = link.text("x")
    set_all(message)
    for end, seen in link.both_ends(message):
        expect.equal(f"marked cells {end}", cells(seen, marked()), marked())


@asserts("3.5.4-2", "10.3-33")
def test_no_unmarked_cell_can_be_read(case: Case) -> None:
    """Reading a value as a type that its row of the table does not mark raises MessageFormatException, fitting or not."""
    link = case.link()
    message = link.text("x")
    set_all(message)
    for end, seen in link.both_ends(message):
        expect.equal(f"unmarked cells {end}", cells(seen, unmarked()), unmarked())


@asserts("3.5.4-3", "10.3-38")
def test_text_that_is_no_number_raises_number_format(case: Case) -> None:
    """A String property read as a number raises NumberFormatException where the type's valueOf rejects its text."""
    link = case.link()
    message = link.text("x")
    names = {text: f"t{number}" for number, text in enumerate(dict.fromkeys(text for _, text in REFUSED_TEXTS))}
    for text, name in names.items():
        message.set_string_property(name, text)
    wanted = {f"{text!r} as {target}": "raises NumberFormatException" for target, text in REFUSED_TEXTS}
    for end, seen in link.both_ends(message):
        expect.equal(f"texts that are no numbers {end}", _text_cells(seen, names, REFUSED_TEXTS), wanted)


@asserts("3.5.4-4")
def test_text_that_is_a_number_can_be_read(case: Case) -> None:
    """A String property read as a number gives the number wherever the type's valueOf accepts its text."""
    link = case.link()
    message = link.text("x")
    names = {text: f"t{number}" for number, text in enumerate(dict.fromkeys(text for _, text, _ in ACCEPTED_TEXTS))}
    for text, name in names.items():
        message.set_string_property(name, text)
    wanted = {f"{text!r} as {target}": TYPES[target].boxed(value) for target, text, value in ACCEPTED_TEXTS}
    pairs = [(target, text) for target, text, _ in ACCEPTED_TEXTS]
    for end, seen in link.both_ends(message):
        expect.equal(f"texts that are numbers {end}", _text_cells(seen, names, pairs), wanted)


@asserts("3.5.4-5")
def test_text_can_be_read_as_boolean(case: Case) -> None:
    """A String property read as boolean never raises: true for the word in any case, false for its contrary."""
    link = case.link()
    message = link.text("x")
    texts = (*TRUTHS, *UNTRUTHS, *NO_TRUTHS)
    for number, text in enumerate(texts):
        message.set_string_property(f"t{number}", text)
    for end, seen in link.both_ends(message):
        read = {text: tried(lambda: seen.get_boolean_property(f"t{number}")) for number, text in enumerate(texts)}
        shown = {text: read[text] for text in (*TRUTHS, *UNTRUTHS)}
        wanted = dict.fromkeys(TRUTHS, True) | dict.fromkeys(UNTRUTHS, False)
        expect.equal(f"texts as boolean {end}", shown, wanted)
        others = [text for text in NO_TRUTHS if not isinstance(read[text], bool)]
        expect.true("other texts raise nothing", not others, f"{others!r}: {[read[text] for text in others]!r}")
    expect.record(f"as boolean, 'yes' is {read['yes']}, '1' is {read['1']}, '' is {read['']}")


def _nulls(message: api.Message) -> None:
    """Set two properties to null; where null is refused, which 3.12-12 reports, they are unset, which reads like null (3.5.8-2)."""
    taken(lambda: message.set_string_property("from_string", None))
    taken(lambda: message.set_object_property("from_object", None))


@asserts("3.5.4-6")
def test_null_as_an_integer_raises_number_format(case: Case) -> None:
    """A null property read as byte, short, int or long raises NumberFormatException."""
    link = case.link()
    message = link.text("x")
    _nulls(message)
    for end, seen in link.both_ends(message):
        read = {
            f"{name} as {kind}": tried(lambda: TYPES[kind].get(seen, name))
            for name in ("from_string", "from_object")
            for kind in INTEGERS
        }
        expect.equal(f"null properties {end}", read, dict.fromkeys(read, "raises NumberFormatException"))


@asserts("3.5.4-7")
def test_null_as_a_fraction_raises_null_pointer(case: Case) -> None:
    """A null property read as float or double raises NullPointerException."""
    link = case.link()
    message = link.text("x")
    _nulls(message)
    for end, seen in link.both_ends(message):
        read = {
            f"{name} as {kind}": tried(lambda: TYPES[kind].get(seen, name))
            for name in ("from_string", "from_object")
            for kind in ("float", "double")
        }
        expect.equal(f"null properties {end}", read, dict.fromkeys(read, "raises NullPointerException"))


@asserts("3.5.4-8")
def test_null_as_boolean_is_false(case: Case) -> None:
    """A null property read as boolean is false."""
    link = case.link()
    message = link.text("x")
    _nulls(message)
    message.set_boolean_property("contrary", True)
    for end, seen in link.both_ends(message):
        expect.equal(f"a true property {end}", seen.get_boolean_property("contrary"), True)
        read = {name: tried(lambda: seen.get_boolean_property(name)) for name in ("from_string", "from_object")}
        expect.equal(f"null properties as boolean {end}", read, {"from_string": False, "from_object": False})


@asserts("3.5.4-9")
def test_the_type_is_kept_through_delivery(case: Case) -> None:
    """The receiver reads the type that was set, as an object and through the table."""
    link = case.link()
    message = link.text("x")
    wanted = set_all(message)
    received = link.carry(message)
    wanted = arrived(received, wanted)
    expect.equal("properties at the receiver, as objects", objects(received, wanted), wanted)
    expect.equal("unmarked cells at the receiver", cells(received, unmarked()), unmarked())
