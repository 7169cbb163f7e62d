"""Short lines of events read back as the events, whatever order, keys and values those have, and are short."""

import json
import random

import pytest
from record_samples import NAMES, RUN, begin, case, end_run, events, open_bundle, result

from tck.record import BundleWriter
from tck.record.compressed import pack
from tck.record.lines import decode
from tck.record.short_events import Shortener, restore

VALUES = [
    None,
    True,
    1,
    1.0,
    -0.0,
    0.0,
    False,
    0,
    "x",
    "\ud800",
    {"type": "Int", "value": 1},
    {"type": "Int", "value": True},
]
WHERE = ["queue:a", "topic:b", None]


def read(lines):
    return list(restore(map(decode, lines.splitlines())))


def as_json(rows):
    return [json.dumps(row, sort_keys=True) for row in rows]


def some_events(seed, count=200):
    """Calls of several threads, cut, nested and delivered, with messages of several shapes."""
    draw = random.Random(seed)  # noqa: S311 - test data
    made, open_calls, seq, now = [], [], 0, 1_763_740_000_000_000_000
    for _ in range(count):
        seq += draw.choice([1, 1, 1, 1, 3])
        now += draw.choice([1, 1, 1, 7, -5, 1_000_000])
        head = {"case": NAMES[0], "seq": seq, "t_ns": now}
        if open_calls and draw.random() < 0.5:
            begun = open_calls.pop(draw.choice([-1, -1, -1, 0]))
            phase = draw.choice(["ok", "ok", "ok", "fail", "unknown"])
            event = {**begun, **head, "phase": phase, "call": begun["seq"]}
            del event["args"]
            event.pop("message", None)
            event |= {"value": draw.choice(VALUES)} if phase == "ok" else {"error": {"type": "X"}}
            event |= draw.choice([{}, {"created": {"label": "s"}}, {"end": True}, {"message_id": "ID:1"}])
        else:
            event = {
                **head,
                "thread": draw.choice(["main", "t1"]),
                "actor": draw.choice(["suite", "session-1"]),
                "on": draw.choice(["session-1", "queue:a"]),
                "op": draw.choice(["Session.close", "Queue.queue_name"]),
                "phase": draw.choice(["invoke", "invoke", "delivered"]),
                "call": None,
                "args": draw.choice([{}, {"a": draw.choice(VALUES)}]),
                "destination": draw.choice(WHERE),
                "subscription": None,
                "message_id": None,
            }
            open_calls.append(event)
        if draw.random() < 0.4:
            event["message"] = {"label": draw.choice(WHERE), "body": draw.choice(VALUES), **draw.choice([{}, {"n": 1}])}
        if draw.random() < 0.02:
            event["strange"] = draw.choice(VALUES)
        if draw.random() < 0.02:
            event.pop("destination", None)
        made.append(event)
    return made


@pytest.mark.parametrize("seed", range(30))
def test_any_events_read_back_as_they_were(seed):
    wanted = some_events(seed)
    assert as_json(read(Shortener(NAMES[0]).lines(wanted))) == as_json(wanted)


def test_lines_of_whole_events_are_read_as_bundles_before_schema_3_have_them():
    wanted = some_events(1)
    lines = b"".join(json.dumps(event).encode() + b"\n" for event in wanted)
    assert as_json(read(lines)) == as_json(wanted)


def test_a_line_without_those_before_it_is_refused():
    second = Shortener(NAMES[0]).lines(events(NAMES[0])).splitlines()[1]
    with pytest.raises(ValueError, match="does not follow"):
        read(second)


def test_a_call_takes_a_few_bytes():
    block = Shortener(NAMES[0]).lines(events(NAMES[0], 2000))
    assert len(block) < 2000 * 35
    assert len(pack(block)) < 2000


def test_attempts_share_a_frame_and_are_read_one_by_one(tmp_path):
    begin(tmp_path / "r", RUN)
    writer = BundleWriter(tmp_path / "r", "gw0")
    names = [f"3.4.1-{number}/queue/classic/auto" for number in range(1, 400)]
    for name in names:
        writer.start(case(name))
        writer.finish(result(name), events(name, 20))
    writer.close()
    alone = (tmp_path / "r/parts/events.gw0.ndjson.zst").stat().st_size
    bundle = open_bundle(end_run(tmp_path / "r"))
    assert (tmp_path / "r/events/gw0.ndjson.zst").stat().st_size < alone / 4
    for name in reversed(names):
        assert bundle.events(name) == events(name, 20)
    places = {bundle.result(name).events.offset for name in names}
    assert 1 < len(places) < 10
