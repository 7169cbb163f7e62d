"""Where things stand in a TOML document."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.catalogue.lines import LineIndex, syntax_error

TEXT = '''\
# comment [not a table]
title = "x [y] # no comment"  # [z]
nested = { a = 1, b = [ "c", "d" ] }

[first]
"quoted key" = 'literal "string"'
dotted.inner = """
text with = signs
[and.brackets]
"""
list = [
  "one",   # ]
  "two", "three",

  { x = 1 },
]

[first.sub]
after = 1

[[rows]]
id = 1
[rows.detail]
deep = 2

[[rows]]
id = 2
[[rows.parts]]
p = 1
[[rows.parts]]
p = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 1),
        (("title",), 2),
        (("nested",), 3),
        (("nested", "b", 1), 3),
        (("first",), 5),
        (("first", "quoted key"), 6),
        (("first", "dotted", "inner"), 7),
        (("first", "list"), 11),
        (("first", "list", 0), 12),
        (("first", "list", 2), 13),
        (("first", "list", 3), 15),
        (("first", "list", 3, "x"), 15),
        (("first", "sub", "after"), 19),
        (("rows", 0), 21),
        (("rows", 0, "detail", "deep"), 24),
        (("rows", 1, "id"), 27),
        (("rows", 1, "parts", 0, "p"), 29),
        (("rows", 1, "parts", 1, "p"), 31),
        (("rows", 1, "unknown"), 26),
        (("unknown", "thing"), 1),
    ],
)
def test_lines(path, line):
    tomllib.loads(TEXT)
    assert LineIndex(TEXT).line(path) == line


def test_contains_only_what_is_written():
    index = LineIndex(TEXT)
    assert ("first", "sub", "after") in index
    assert ("first", "sub", "before") not in index


@given(st.text(alphabet="[]{}\"'=#,.\n abc\\1", max_size=80))
def test_any_text_gives_an_index(text):
    """What is not TOML is refused by the parser; the index only must not fail or give lines beyond the text."""
    index = LineIndex(text)
    for path in (("a",), ("a", 0), ("a", "b"), ("b", 3, "c")):
        assert 1 <= index.line(path) <= text.count("\n") + 1


@pytest.mark.parametrize(("text", "line"), [("a = 1\nb =\n", 2), ("a = 1\na = 2\n", 2), ("a = [1,\n", 0)])
def test_syntax_errors_tell_their_line(text, line):
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    found, message = syntax_error(caught.value)
    assert found == line
    assert message.startswith("not valid TOML: ")
    assert "(at" not in message
