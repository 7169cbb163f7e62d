"""3.11.3 Conversion of the values of map and stream messages: the table."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import both_ends, carried, everywhere, fresh
from tck.suite.support.values.bodies import (
    ALL_MIXED,
    ONE_OF_EACH,
    TYPES,
    objects,
    set_entries,
    typed,
    typed_entries,
    typed_items,
    write_items,
)
from tck.suite.support.values.body_conversions import (
    Cell,
    marked,
    read_cells_anew,
    set_cells,
    unmarked,
    wanted,
    write_cells,
)
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import tried
from tck.suite.support.values.texts import seldom_right

LONG_ARRAY = ("bytes", bytes(range(256)) * 4)


@asserts("3.11.3-1")
def test_maps_and_streams_take_the_same_types(case: Case) -> None:
    """Each of the ten types has its method to write and its method to read in both kinds, with its least and largest values."""
    link = case.link()
    values = [each for each in (*ALL_MIXED, LONG_ARRAY) if not seldom_right(each[1])]
    entries = fresh(link, "map")
    expect.works("setting entries of every type", partial(set_entries, entries, values))
    for end, seen in both_ends(link, entries):
        expect.equal(f"entries {end}", typed_entries(seen, values), typed(values))
    plain, arrays = ([each for each in values if (each[0] == "bytes") is array] for array in (False, True))
    for array in arrays:  # one in each stream: several are 3.11-22
        items = fresh(link, "stream")
        expect.works("writing items of every type", partial(write_items, items, [array, *plain]))
        for end, seen in both_ends(link, items):
            expect.equal(f"items {end}", typed_items(seen, [array, *plain]), typed([array, *plain]))


@asserts("3.11.3-2")
def test_the_object_methods_are_the_same(case: Case) -> None:
    """A value written as an object is read by the methods of the types as the table says, and the other way round."""
    link = case.link()
    cells = [*{(one.source, one.target): one for one in (*marked(), *unmarked(case.version))}.values()]
    cells += [one for one in marked() if one.source == one.target and one not in cells]
    cells = [one for one in cells if not seldom_right(one.value)]  # that such a text arrives is 3.11-1 and 3.11-2
    ways = zip(everywhere(link, cells, forms=(True,)), everywhere(link, cells), strict=True)
    for (where, as_objects), (_, by_type) in ways:  # what each cell gives is 3.11.3-3 and those behind it
        expect.equal(where, as_objects, by_type)
    entries, items = fresh(link, "map"), fresh(link, "stream")
    set_entries(entries, ONE_OF_EACH)
    write_items(items, ONE_OF_EACH)
    meant = [comparable(TYPES[name].boxed(value)) for name, value in ONE_OF_EACH]
    for end, seen in both_ends(link, entries):
        got = [tried(lambda: comparable(seen.get_object(f"e{number}"))) for number, _ in enumerate(meant)]
        expect.equal(f"entries read as objects {end}", got, meant)
    for end, seen in both_ends(link, items):
        expect.equal(f"items read as objects {end}", objects(seen, len(meant)), meant)


@asserts("3.11.3-3")
def test_every_marked_cell_of_a_map_can_be_read(case: Case) -> None:
    """An entry can be read as each type that its row of the table marks, and means the same."""
    for where, seen in everywhere(case.link(), marked(), kinds=("map",)):
        expect.equal(where, seen, wanted(marked()))


@asserts("3.11.3-4", "10.3-31")
def test_no_unmarked_cell_of_a_map_can_be_read(case: Case) -> None:
    """Reading an entry as a type that its row of the table does not mark raises MessageFormatException, fitting or not."""
    cells = unmarked(case.version)
    for where, seen in everywhere(case.link(), cells, kinds=("map",)):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-5")
def test_every_marked_cell_of_a_stream_can_be_read(case: Case) -> None:
    """An item can be read as each type that its row of the table marks, and means the same."""
    for where, seen in everywhere(case.link(), marked(), kinds=("stream",)):
        expect.equal(where, seen, wanted(marked()))


@asserts("3.11.3-6", "10.3-31")
def test_no_unmarked_cell_of_a_stream_can_be_read(case: Case) -> None:
    """Reading an item as a type that its row of the table does not mark raises MessageFormatException, fitting or not."""
    link, cells = case.link(), unmarked(case.version)
    for source in dict.fromkeys(cell.source for cell in cells):
        mine = [cell for cell in cells if cell.source == source]
        items = fresh(link, "stream")
        write_cells(items, mine)
        for end, seen in both_ends(link, items):
            # Each from the start of the body: that the position stays at a failure is 3.11.3-15.
            expect.equal(f"items of type {source} {end}", read_cells_anew(seen, mine), wanted(mine))


@asserts("3.11.3-18")
def test_the_type_is_kept_through_delivery(case: Case) -> None:
    """The receiver reads each value in the type it was written with, as an object and through the table."""
    link = case.link()
    small = {"byte": 5, "short": 5, "int": 5, "long": 5, "float": 0.5, "double": 0.5, "char": "5"}
    forbidden = {"byte": "char", "short": "byte", "int": "short", "long": "int", "float": "long", "double": "float"}
    forbidden["char"] = "int"
    cells = [Cell(source, value, forbidden[source], "raises MessageFormatException") for source, value in small.items()]
    entries, items = fresh(link, "map"), fresh(link, "stream")
    set_cells(entries, cells)
    write_cells(items, cells)
    received, streamed = carried(link, entries), carried(link, items)
    meant = {source: comparable(TYPES[source].boxed(value)) for source, value in small.items()}
    got = {source: comparable(received.get_object(f"c{number}")) for number, source in enumerate(small)}
    expect.equal("entries at the receiver, as objects", got, meant)
    read = dict(zip(small, objects(streamed, 2 * len(small))[::2], strict=True))
    expect.equal("items at the receiver, as objects", read, meant)
    for where, seen in everywhere(link, cells):
        expect.equal(where, seen, wanted(cells))


@asserts("3.11.3-19")
def test_text_can_be_read_as_a_character(case: Case) -> None:
    """A String of one character can be read as that character, in maps and in streams."""
    cells = [Cell("string", text, "char", TYPES["char"].boxed(text)) for text in ("x", "東")]
    for where, seen in everywhere(case.link(), cells, forms=(False, True)):
        expect.equal(where, seen, wanted(cells))
