"""The settings of a profile: what they do, and what is said about wrong ones."""

import re
from pathlib import Path

import pytest
from rp_support import session_of, texts_of

from reference_provider import adapter
from reference_provider.adapter import open_provider
from tck.api import IllegalArgumentException, MessageFormatException, ResourceAllocationException, Session


@pytest.fixture
def small(tmp_path):
    settings = {"max_body_bytes": 100, "max_header_bytes": 150, "max_object_depth": 3}
    with open_provider(settings, tmp_path) as provider:
        yield provider


@pytest.mark.parametrize("mode", [Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED])
def test_a_body_beyond_the_limit_is_refused_by_the_send_and_leaves_nothing(small, mode):
    session, queue = session_of(small, mode), small.create_queue("q")
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("x" * 100))
    with pytest.raises(ResourceAllocationException, match=r"101 bytes.* accepts 100"):
        producer.send(session.create_text_message("x" * 101))
    if mode == Session.SESSION_TRANSACTED:
        session.commit()
    assert texts_of(session.create_consumer(queue)) == ["x" * 100]


def test_each_kind_of_body_is_limited(small):
    session = session_of(small)
    producer = session.create_producer(small.create_queue("q"))
    data, values, items = session.create_bytes_message(), session.create_map_message(), session.create_stream_message()
    data.write_bytes(bytes(101))
    values.set_string("name", "x" * 90)
    for _ in range(7):
        items.write_int(1)
    for message in (data, values, items, session.create_object_message("x" * 100)):
        with pytest.raises(ResourceAllocationException, match="accepts 100"):
            producer.send(message)


def test_header_and_properties_beyond_the_limit_are_refused(small):
    session = session_of(small)
    producer = session.create_producer(small.create_queue("q"))
    message = session.create_message()
    message.set_string_property("long", "x" * 200)
    with pytest.raises(ResourceAllocationException, match=r"header and properties .* accepts 150"):
        producer.send(message)


def test_an_object_that_nests_too_deep_is_refused(small):
    session = session_of(small)
    session.create_object_message([[[1]]])
    with pytest.raises(MessageFormatException, match="too deep"):
        session.create_object_message([[[[1]]]])


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("max_body_bytes", -1, "from 0 on"),
        ("max_body_bytes", "1 MB", "from 0 on"),
        ("max_header_bytes", 1.5, "from 0 on"),
        ("max_object_depth", 0, "from 1 to 100"),
        ("max_object_depth", 101, "from 1 to 100"),
        ("redelivery_limit", True, "from 0 on"),
        ("max_pages", None, "from 0 on"),
        ("clock", "sundial", "one of"),
        ("version", "4.0", "one of"),
        ("users", "ann", "table of passwords"),
        ("colour", "red", "it knows"),
    ],
)
def test_a_wrong_setting_says_what_was_expected(tmp_path, setting, value, expected):
    with pytest.raises(IllegalArgumentException, match=expected) as caught:
        open_provider({setting: value}, tmp_path)
    assert setting in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_each_setting_is_documented():
    page = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")
    section = page.split("## Settings of the reference provider")[1].split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) == sorted(adapter._KNOWN)


@pytest.mark.parametrize("settings", [{"colour": "red"}, {"clock": "sundial"}, {"version": "4.0"}, {"users": "me"}])
def test_unknown_settings_are_refused_by_name(settings, tmp_path):
    with pytest.raises(IllegalArgumentException, match=next(iter(settings))):
        open_provider(settings, tmp_path)
