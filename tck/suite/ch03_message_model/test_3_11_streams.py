"""3.11 Message bodies: arrays and objects in bytes, stream and map messages."""

from __future__ import annotations

from collections.abc import Sequence

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.body_calls import body_reads
from tck.suite.support.clients.messages import both_ends, carried, fresh
from tck.suite.support.values.bodies import (
    ONE_OF_EACH,
    TYPES,
    array_of,
    counts,
    objects,
    set_entries,
    write_items,
)
from tck.suite.support.values.numbers import LONG_ARRAY
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import tried

PARTS = {
    "a part amid": (3, 4),
    "the first part": (0, 4),
    "the last part": (6, 4),
    "the whole as a part": (0, 10),
    "none of it": (0, 0),
    "none of its end": (10, 0),
    "the last byte": (9, 1),
}
"""Parts of an array of ten bytes: offset and length."""


@asserts("3.11-19")
def test_a_part_of_an_array_can_be_written(case: Case) -> None:
    """With an offset and a length just that part of the array is written, into bytes, streams and maps."""
    link = case.link()
    for what, (offset, length) in PARTS.items():
        data, items, entries = fresh(link, "bytes"), fresh(link, "stream"), fresh(link, "map")
        written = [
            tried(lambda: data.write_bytes(b"0123456789", offset, length)),
            tried(lambda: items.write_bytes(b"0123456789", offset, length)),
            tried(lambda: entries.set_bytes("part", b"0123456789", offset, length)),
        ]
        expect.equal(f"what writing {what} answers", written, [None] * 3)
        seen = {
            "bytes": array_of(carried(link, data)) or b"",
            "stream": array_of(carried(link, items)),
            "map": carried(link, entries).get_bytes("part"),
        }
        meant = b"0123456789"[offset : offset + length]
        expect.equal(f"{what} at the receiver", seen, dict.fromkeys(seen, meant))


@asserts("3.11-21")
def test_objects_have_the_type_that_was_written(case: Case) -> None:
    """ReadObject and getObject give the wrapper of the type written, and a byte array for a byte array."""
    link = case.link()
    items, entries = fresh(link, "stream"), fresh(link, "map")
    write_items(items, ONE_OF_EACH)
    set_entries(entries, ONE_OF_EACH)
    meant = [comparable(TYPES[name].boxed(value)) for name, value in ONE_OF_EACH]
    for end, seen in both_ends(link, items):
        expect.equal(f"items as objects {end}", objects(seen, len(meant)), meant)
    for end, seen in both_ends(link, entries):
        for again in ("", ", read again"):
            read = [comparable(seen.get_object(f"e{number}")) for number, _ in enumerate(ONE_OF_EACH)]
            expect.equal(f"entries as objects {end}{again}", read, meant)


@asserts("3.11-22")
def test_an_array_in_a_stream_is_read_in_parts(case: Case) -> None:
    """ReadBytes gives an array part by part, until a part is shorter than the buffer, or -1 follows a part that filled it."""
    link = case.link()
    message = fresh(link, "stream")
    for _ in range(4):
        message.write_bytes(b"0123456789")
    message.write_string("next")
    for end, seen in both_ends(link, message):
        read = [counts(seen, 4, 3), counts(seen, 5, 3), counts(seen, 10, 2), counts(seen, 12, 1)]
        expect.equal(f"10 bytes in buffers of 4, 5, 10, 12 {end}", read, [[4, 4, 2], [5, 5, -1], [10, -1], [10]])
        expect.equal(f"what follows {end}", tried(seen.read_string), "next")


@asserts("3.11-22", variant="lengths")
def test_arrays_of_all_lengths_are_read_in_parts(case: Case) -> None:
    """Arrays shorter than the buffer, as long, longer by one and many times as long are read to their end, and no further."""
    link = case.link()
    cells = [(length, size) for length in (1, 2, 7, 8, 9, 16, 4096, 4097, 65_537) for size in (8, 4096, 70_000)]
    cells = [(length, size) for length, size in cells if length // size < 20]
    message = fresh(link, "stream")
    for length, _ in cells:
        message.write_bytes(LONG_ARRAY[:length])
        message.write_string(f"after {length}")
    for end, seen in both_ends(link, message):
        read = {
            f"{length} into {size}": [*_parts(seen, length, size), tried(seen.read_string)] for length, size in cells
        }
        wanted = {f"{length} into {size}": [-1, True, f"after {length}"] for length, size in cells}
        expect.equal(
            f"the last count, whether all bytes are the same, and what follows {end}", read, wanted | _short(cells)
        )


def _parts(message: api.StreamMessage, length: int, size: int) -> list[object]:
    """Read an array part by part; return the last count, and whether the bytes are those of `LONG_ARRAY`."""
    content: bytes = b""
    count: object = None
    for _ in range(length // size + 1):
        buffer = bytearray(size)
        count = tried(lambda: message.read_bytes(buffer))
        content += bytes(buffer[: max(count, 0)]) if isinstance(count, int) else b""
    return [count, content == LONG_ARRAY[:length]]


def _short(cells: Sequence[tuple[int, int]]) -> dict[str, object]:
    """Return what is wanted where the last part is shorter than the buffer."""
    parts = {f"{length} into {size}": (length, length % size) for length, size in cells}
    return {what: [rest, True, f"after {length}"] for what, (length, rest) in parts.items() if rest}


@asserts("3.11-23")
def test_null_and_empty_arrays_differ(case: Case) -> None:
    """ReadBytes gives -1 for a null array and 0 for an empty one."""
    link = case.link()
    message = fresh(link, "stream")
    message.write_bytes(None)
    message.write_bytes(b"")
    message.write_string("next")
    for end, seen in both_ends(link, message):
        read = [*counts(seen, 4, 2), tried(seen.read_string)]
        expect.equal(f"null, empty, and what follows {end}", read, [-1, 0, "next"])


@asserts("3.11-24")
def test_an_array_is_read_to_its_end_first(case: Case) -> None:
    """While an array is read in parts, reading anything else raises MessageFormatException, and the array can be read on."""
    link = case.link()
    message = fresh(link, "stream")
    message.write_bytes(b"0123456789")
    message.write_int(7)
    for end, seen in both_ends(link, message):
        begun = counts(seen, 8, 1)
        refused = {name: tried(call) for name, call in body_reads(case, "stream", seen, ["readBytes(byte[])"]).items()}
        expect.equal(
            f"other reads amid an array {end}", refused, dict.fromkeys(refused, "raises MessageFormatException")
        )
        rest = [*counts(seen, 8, 1), tried(seen.read_int)]
        expect.equal(f"a part, the rest, the next {end}", [begun, rest], [[8], [2, 7]])
