"""How recorded values become text: nothing invisible, nothing reordered, nothing illegal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.reports import show


def test_a_right_to_left_override_is_spelled_out():
    assert show.visible("queue\u202eyrev") == "queue\\u202eyrev"


def test_controls_surrogates_and_tags_are_spelled_out():
    assert show.visible("\x00\x1b[31m\ud800\U000e0041") == "\\x00\\x1b[31m\\ud800\\U000e0041"


def test_words_of_any_language_stay_as_they_are():
    text = "Grüße, 你好, שלום\n\tquoted “x”"
    assert show.visible(text) == text


REORDERING = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(st.characters()))
def test_visible_text_can_be_written_and_neither_controls_nor_reorders(text: str):
    shown = show.visible(text)
    shown.encode("utf-8")
    assert [char for char in shown if unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\t"] == []
    assert [char for char in shown if unicodedata.bidirectional(char) in REORDERING] == []


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (5, "5"),
        ("x", "“x”"),
        ("session-1", "session-1"),
        ("queue:orders", "queue:orders"),
        ("two\nlines", "“two\\nlines”"),
        ({"type": "Int", "value": 5}, "Int(5)"),
        ({"type": "bytes", "hex": "00ff"}, "bytes 00ff"),
        ({"type": "str", "len": 5000, "digest": "ab"}, "⟨str, 5000 long, digest ab⟩"),
        ({"type": "map", "value": {"a": 1}}, "{a: 1}"),
        ({"type": "list", "value": [1, "b"]}, "[1, “b”]"),
        ({"type": "Foreign", "text": "<Foreign at 0x1>"}, "Foreign: <Foreign at 0x1>"),
        ({"error": "JMSException"}, "⟨reading it raised JMSException⟩"),
        ({"type": "odd"}, "{type: “odd”}"),
    ],
)
def test_a_value_reads_as_its_writer_meant_it(recorded: object, shown: str):
    assert show.value(recorded) == shown


def test_a_long_value_says_what_was_left_out():
    assert show.value("x" * 5000, 10) == "“xxxxxxxxxx… (+4,990 characters)”"


def test_numbers_and_durations_read_well():
    assert [show.count(n, "case") for n in (0, 1, 2, 1200)] == ["no cases", "1 case", "2 cases", "1,200 cases"]
    assert [show.duration(s) for s in (0.0000042, 0.0123, 4.2, 150)] == ["4 µs", "12.3 ms", "4.2 s", "2 min 30 s"]
