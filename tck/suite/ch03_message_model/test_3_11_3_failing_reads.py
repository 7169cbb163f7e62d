"""3.11.3 Conversion of the values of map and stream messages: texts, nulls, and where a failed read leaves the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import both_ends, everywhere, fresh
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.bodies import TYPES, Table
from tck.suite.support.values.body_conversions import REFUSED, Cell, skip_to, unmarked, wanted, write_cells
from tck.suite.support.values.numbers import NO_TRUTHS, REFUSED_TEXTS, TRUTHS, UNTRUTHS
from tck.suite.support.values.seen import taken, tried

NO_NUMBER = "raises NumberFormatException"
BAD_TEXTS = [Cell("string", text, target, NO_NUMBER) for target, text in REFUSED_TEXTS]
BOTH_FORMS = (False, True)


def _reread_cells(message: Any, cells: Sequence[Cell]) -> Table:
    """Read the cells of a stream, which fails, and then read each again in its own type."""
    table = {}
    for number, cell in enumerate(cells):
        failed = tried(lambda: TYPES[cell.target].read(message))
        again = tried(lambda: TYPES[cell.source].read(message))
        table[cell.title] = (failed, again)
        skip_to(message, number)
    return table


def _nulls(targets: tuple[str, ...], meaning: object) -> list[Cell]:
    return [Cell("string", None, target, meaning) for target in targets]


def _forms(link: Link) -> Sequence[bool]:
    """Return the forms in which null is written: not as an object where that is refused, which 3.12-9 and 3.12-10 report."""
    objects = taken(lambda: fresh(link, "map").set_object("null", None))
    return BOTH_FORMS if objects and taken(lambda: fresh(link, "stream").write_object(None)) else (False,)


@asserts("3.11.3-7", "10.3-38")
def test_text_of_a_map_that_is_no_number(case: Case) -> None:
    """A String entry read as a number raises NumberFormatException where the type's valueOf rejects its text."""
    for where, seen in everywhere(case.link(), BAD_TEXTS, kinds=("map",), forms=BOTH_FORMS):
        expect.equal(where, seen, wanted(BAD_TEXTS))


@asserts("3.11.3-8", "10.3-38")
def test_text_of_a_stream_that_is_no_number(case: Case) -> None:
    """A String item read as a number raises NumberFormatException where the type's valueOf rejects its text."""
    for where, seen in everywhere(case.link(), BAD_TEXTS, kinds=("stream",)):
        expect.equal(where, seen, wanted(BAD_TEXTS))


@asserts("3.11.3-9")
def test_text_as_boolean(case: Case) -> None:
    """A String read as boolean is true for the word in any case, and false for every other text."""
    texts = dict.fromkeys(TRUTHS, True) | dict.fromkeys((*UNTRUTHS, *NO_TRUTHS), False)
    cells = [Cell("string", text, "boolean", meaning) for text, meaning in texts.items()]
    for where, seen in everywhere(case.link(), cells, forms=BOTH_FORMS):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-10")
def test_null_as_an_integer(case: Case) -> None:
    """Null read as byte, short, int or long raises NumberFormatException."""
    cells = _nulls(("byte", "short", "int", "long"), NO_NUMBER)
    link = case.link()
    for where, seen in everywhere(link, cells, forms=_forms(link)):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-11")
def test_null_as_a_fraction(case: Case) -> None:
    """Null read as float or double raises NullPointerException."""
    cells = _nulls(("float", "double"), "raises NullPointerException")
    link = case.link()
    for where, seen in everywhere(link, cells, forms=_forms(link)):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-12")
def test_null_as_boolean(case: Case) -> None:
    """Null read as boolean is false."""
    cells = [Cell("boolean", True, "boolean", True), *_nulls(("boolean",), False)]
    link = case.link()
    for where, seen in everywhere(link, cells, forms=_forms(link)):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-13")
def test_null_as_a_character(case: Case) -> None:
    """Null read as char raises NullPointerException."""
    cells = _nulls(("char",), "raises NullPointerException")
    link = case.link()
    for where, seen in everywhere(link, cells, forms=_forms(link)):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-14")
def test_an_entry_that_was_never_set(case: Case) -> None:
    """Reading a name that was never set gives what a null entry gives."""
    link = case.link()
    message = fresh(link, "map")
    message.set_string("other", "x")
    meant: dict[str, object] = {"string": None, "bytes": None, "boolean": False, "char": "raises NullPointerException"}
    meant |= dict.fromkeys(("byte", "short", "int", "long"), NO_NUMBER)
    meant |= dict.fromkeys(("float", "double"), "raises NullPointerException")
    for end, seen in both_ends(link, message):
        got = {name: tried(lambda name=name: TYPES[name].get(seen, "never_set")) for name in meant}  # type: ignore[misc]
        expect.equal(f"a name that was never set {end}", got, meant)
        expect.equal(f"the same as an object {end}", tried(lambda: seen.get_object("never_set")), None)


@asserts("3.11.3-15")
def test_a_wrong_type_leaves_the_position(case: Case) -> None:
    """After a read that raised MessageFormatException the same item can be read in its own type."""
    link = case.link()
    cells = unmarked(case.version)
    message = fresh(link, "stream")
    write_cells(message, cells)
    meant = {cell.title: (REFUSED, TYPES[cell.source].boxed(cell.value)) for cell in cells}
    for end, seen in both_ends(link, message):
        expect.equal(f"failed read and second read {end}", _reread_cells(seen, cells), meant)


@asserts("3.11.3-15", variant="amid an array")
def test_a_wrong_type_leaves_the_position_in_an_array(case: Case) -> None:
    """After a read of another type that was refused amid an array, readBytes goes on behind the parts it has read."""
    link = case.link()
    message = fresh(link, "stream")
    message.write_bytes(b"0123456789")
    for end, seen in both_ends(link, message):
        part, refused, rest = bytearray(4), tried(seen.read_int), bytearray(10)
        begun = tried(lambda: seen.read_bytes(part))
        again = tried(seen.read_int)
        left = tried(lambda: seen.read_bytes(rest))
        expect.equal(
            f"a read before, a part, a read amid, the rest {end}",
            [refused, begun, bytes(part), again, left, bytes(rest[:6])],
            ["raises MessageFormatException", 4, b"0123", "raises MessageFormatException", 6, b"456789"],
        )


@asserts("3.11.3-16")
def test_a_wrong_text_leaves_the_position(case: Case) -> None:
    """After a read that raised NumberFormatException the same item can be read as String."""
    link = case.link()
    message = fresh(link, "stream")
    cells = BAD_TEXTS[::3]
    write_cells(message, cells)
    meant = {cell.title: (NO_NUMBER, cell.value) for cell in cells}
    for end, seen in both_ends(link, message):
        expect.equal(f"failed read and second read {end}", _reread_cells(seen, cells), meant)


def _fails_to_decode(message: object) -> None:
    seen = tried(message.read_utf)  # type: ignore[attr-defined]
    if seen != REFUSED:
        raise Undecided(f"reading malformed UTF {seen!r} is not reported as a wrong format")


@asserts("3.11.3-17")
def test_a_wrong_format_leaves_the_position_in_bytes(case: Case) -> None:
    """After a text of a bytes message could not be decoded its bytes can be read again, from its length on."""
    link = case.link()
    message = fresh(link, "bytes")
    message.write_bytes(b"\x00\x02\xff\xff\x07")
    for end, seen in both_ends(link, message):
        _fails_to_decode(seen)
        read = [tried(seen.read_short), *(tried(seen.read_unsigned_byte) for _ in range(3))]
        expect.equal(f"the bytes after a failed read {end}", read, [2, 255, 255, 7])
