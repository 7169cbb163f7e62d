"""The stored form: round trips of generated snapshots, and what SQL tools can read in it."""

import json
import sqlite3

from hypothesis import given, settings
from hypothesis import strategies as st

from reference_provider.messages import Snapshot, decode, encode
from tck.api import Byte, Char, Float, Int, Queue, Short


class Q(Queue):
    def __init__(self, name):
        self.queue_name = name

    queue_name = ""

    def __str__(self):
        return self.queue_name

    def __eq__(self, other):
        return self.queue_name == other.queue_name

    def __hash__(self):
        return hash(self.queue_name)


texts = st.text(st.characters())
property_values = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | texts
    | st.integers(-128, 127).map(Byte) | st.integers(-(2**15), 2**15 - 1).map(Short)
    | st.integers(-(2**31), 2**31 - 1).map(Int) | st.floats().map(Float)
)  # fmt: skip
body_values = property_values | st.binary() | st.integers(0, 0xFFFF).map(chr).map(Char)
bodies = st.one_of(
    st.just(("message", None)),
    st.tuples(st.just("text"), st.none() | texts),
    st.tuples(st.just("bytes"), st.binary()),
    st.tuples(st.just("map"), st.dictionaries(texts, body_values)),
    st.tuples(st.just("stream"), st.lists(body_values).map(tuple)),
    st.tuples(st.just("object"), st.none() | st.just(b"[1]")),
)
snapshots = st.builds(
    lambda body, *others: Snapshot(*body, *others),
    bodies,
    st.dictionaries(texts, property_values),
    st.none() | texts | st.binary(),
    st.none() | texts.map(Q),
    st.none() | texts,
)
envelopes = st.dictionaries(
    st.sampled_from(["id", "timestamp", "x"]), st.integers() | texts | st.lists(st.none()), min_size=1
)


@settings(max_examples=300, deadline=None)
@given(snapshots, envelopes)
def test_round_trip(snapshot, envelope):
    headers, body = encode(snapshot, json.dumps(envelope)[1:-1])
    restored, seen = decode(headers, body, lambda _, name: Q(name))
    assert repr(restored._replace(reply_to=None)) == repr(snapshot._replace(reply_to=None))
    assert restored.reply_to == snapshot.reply_to or snapshot.reply_to is None
    assert seen == envelope
    headers.encode("utf-8")
    assert body is None or isinstance(body, bytes)


def test_headers_are_readable_in_sql():
    snapshot = Snapshot(
        "text",
        "body",
        {"color": "grün", "n": Int(5), "l": 7, "ok": True, "nan": float("nan")},
        "c",
        Q("answers"),
        "type",
    )
    headers, body = encode(snapshot, '"id":"ID:1"')
    assert "grün" in headers
    row = (
        sqlite3.connect(":memory:")
        .execute(
            "select json_extract(h, '$.properties.color'), json_extract(h, '$.properties.n.int'), json_extract(h, '$.properties.l'),"
            " json_extract(h, '$.reply_to.name'), json_extract(h, '$.id'), cast(? as text) from (select ? as h)",
            (body, headers),
        )
        .fetchone()
    )
    assert row == ("grün", 5, 7, "answers", "ID:1", "body")
    assert json.loads(headers)["properties"]["nan"] == {"double": "nan"}
