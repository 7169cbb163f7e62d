"""Values out of the texts of verdicts."""

import pytest

from tck import api
from tck.reports.reproduce.verdict.wording import Difference, differences, scan


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("None", None),
        ("True", True),
        ("-4", -4),
        ("0.5", 0.5),
        ("'it\\'s'", "it's"),
        ('"it\'s"', "it's"),
        ("b'\\x00\\xff'", b"\x00\xff"),
        ("[1, 'a', [True]]", [1, "a", [True]]),
        ("('a', 2)", ("a", 2)),
        ("('a',)", ("a",)),
        ("{}", {}),
        ("{'a': b'x'}", {"a": b"x"}),
        ("Byte(1)", api.Byte(1)),
        ("Char('x')", api.Char("x")),
        ("Float(0.5)", api.Float(0.5)),
    ],
)
def test_a_value_is_read_as_python_shows_it(text, value):
    read = scan(text)
    assert read == (value, len(text))
    assert type(read[0]) is type(value)


@pytest.mark.parametrize("text", ["", "some text", "[1, ... 7]", "Byte(x)", "'open"])
def test_what_is_no_value_is_none(text):
    assert scan(text) is None


def test_a_single_value_is_paired_with_the_wanted_one():
    found = differences("JMSType was 'order'", "JMSType is None")
    assert found == (Difference("JMSType", "order", None),)


def test_a_table_is_paired_key_by_key():
    observed = "messages chosen: `a = 1` was 'x', `b, c` was ''; the rest was 5"
    expected = "messages chosen: `a = 1` is '', `b, c` is 'y'; the rest is 4"
    assert differences(observed, expected) == (
        Difference("messages chosen: `a = 1`", "x", ""),
        Difference("messages chosen: `b, c`", "", "y"),
        Difference("the rest", 5, 4),
    )


def test_a_value_that_is_shown_in_part_ends_its_statement():
    observed = "cells: `a` was None, `b` was b'\\x00'... (738 characters); the rest was 5"
    expected = "cells: `a` is b'', `b` is b'\\x01'... (738 characters); the rest is 4"
    assert [each.what for each in differences(observed, expected)] == ["cells: `a`", "the rest"]


def test_a_verb_among_the_words_is_none():
    found = differences("a list that was set was [1, 2]", "a list that was set is [1]")
    assert found == (Difference("a list that was set", [1, 2], [1]),)


def test_words_without_a_counterpart_are_left_out():
    assert differences("some were not", "all are as wanted") == ()
