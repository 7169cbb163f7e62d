"""Values are rendered such that what Java tells apart stays apart, and bodies get digests that any provider shares."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.api import OBJECT, Byte, Char, Double, Float, Int, Long, Short, Xid
from tck.record.events import body_facts, render


@pytest.mark.parametrize("value", [None, True, 5, 1.5, "text", ""])
def test_plain_values_stand_for_themselves(value):
    assert render(value) is value


@pytest.mark.parametrize(
    ("value", "rendered"),
    [
        (Int(5), {"type": "Int", "value": 5}),
        (Float(0.1), {"type": "Float", "value": 0.10000000149011612}),
        (Char("\ud800"), {"type": "Char", "value": "\ud800"}),
        (b"\x00\xff", {"type": "bytes", "hex": "00ff"}),
        (math.inf, {"type": "Double", "value": "inf"}),
        (Float(math.nan), {"type": "Float", "value": "nan"}),
        ({"a": Byte(1)}, {"type": "map", "value": {"a": {"type": "Byte", "value": 1}}}),
        ([1, "x"], {"type": "list", "value": [1, "x"]}),
        (dict, {"type": "type", "value": "dict"}),
        (OBJECT, {"type": "BodyMarker", "value": "OBJECT"}),
        (
            Xid(1, b"g", b"b"),
            {
                "type": "Xid",
                "value": {
                    "format_id": 1,
                    "global_transaction_id": {"type": "bytes", "hex": "67"},
                    "branch_qualifier": {"type": "bytes", "hex": "62"},
                },
            },
        ),
    ],
)
def test_other_values_say_their_type(value, rendered):
    assert render(value) == rendered
    json.dumps(rendered, allow_nan=False)


def test_long_texts_and_byte_arrays_become_length_and_digest():
    assert render("x" * 256) == "x" * 256
    assert render("x" * 257)["len"] == 257
    assert set(render(b"x" * 257)) == {"type", "len", "digest"}
    assert render("x" * 257) != render("y" * 257)


def test_a_repr_that_raises_does_not_stop_the_evidence():
    class Hostile:
        def __repr__(self):
            raise RuntimeError("no")

    assert render(Hostile()) == {"type": "Hostile", "text": "<repr raised RuntimeError>"}


def test_an_object_known_by_its_repr_has_no_digest():
    assert body_facts("object", object())["digest"] is None
    assert body_facts("object", [object()])["digest"] is None
    assert body_facts("object", {"text": "x"})["digest"] is not None
    assert body_facts("object", {"text": "x"}) == body_facts("object", {"text": "x"})


def test_bodies_of_different_kinds_differ():
    digests = {
        body_facts(kind, body)["digest"]
        for kind, body in [
            ("text", "a"),
            ("bytes", b"a"),
            ("object", "a"),
            ("text", None),
            ("message", None),
            ("map", {}),
            ("stream", []),
        ]
    }
    assert len(digests) == 7


values = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(st.characters(codec=None), max_size=300),
    st.binary(max_size=300), st.integers(-128, 127).map(Byte), st.integers(-128, 127).map(Short), st.integers(-128, 127).map(Int),
    st.integers(-128, 127).map(Long), st.floats().map(Double),
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=5), values, max_size=5))
def test_a_map_body_always_has_json_and_a_digest_free_of_order(body):
    facts = body_facts("map", body)
    json.dumps(facts, allow_nan=False)
    assert facts == body_facts("map", dict(reversed(body.items())))


def test_a_long_and_a_plain_int_are_one_content():
    for kind, boxed, plain in (
        ("stream", [Long(5), Double(1.5), Int(5)], [5, 1.5, Int(5)]),
        ("map", {"a": Long(5)}, {"a": 5}),
    ):
        assert body_facts(kind, boxed) == body_facts(kind, plain)
    assert body_facts("stream", [Int(5)])["digest"] != body_facts("stream", [5])["digest"]
