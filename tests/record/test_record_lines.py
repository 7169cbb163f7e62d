"""Lines of JSON: what one writes the other reads, whatever a message holds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.record import lines

SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
TEXTS = st.text(st.characters(exclude_categories=()))  # lone surrogates and line separators too
ROWS = st.dictionaries(
    TEXTS, st.recursive(SCALARS | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner))
)


@pytest.mark.slow
@given(st.lists(ROWS))
def test_what_is_written_is_read(rows):
    block = lines.lines(rows)
    assert block.count(b"\n") == len(rows)
    assert [lines.decode(row) for row in block.splitlines()] == rows


@given(ROWS)
def test_a_line_for_people_is_ascii_and_the_same_row(row):
    text = lines.ascii_line(row)
    assert text.isascii()
    assert json.loads(text) == row


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**40])
def test_an_integer_beyond_64_bits_keeps_its_digits(number):
    shown = {"type": "int", "value": str(number)}
    assert lines.decode(lines.line({"args": [{"value": number}]})) == {"args": [{"value": shown}]}


def test_what_is_no_json_is_refused():
    with pytest.raises(ValueError, match="Expecting value"):
        lines.decode(b'{"case": nothing}')
