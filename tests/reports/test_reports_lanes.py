"""The layout of events: lanes, calls in one row or two, messages followed by letter, long traces shortened."""

from __future__ import annotations

import dataclasses

import synthetic_bundles as synthetic

from tck.reports.html import event_table, lanes
from tck.reports.html.lane_rows import RowText


def rows(diagram: lanes.Diagram) -> list[RowText]:
    return [step.row_text for step in diagram.steps]


def find(diagram: lanes.Diagram, member: str) -> list[lanes.Step]:
    return [step for step in diagram.steps if step.row_text.member == member]


def test_no_events_make_an_empty_diagram():
    diagram = lanes.build([])
    assert (diagram.steps, diagram.tokens, diagram.height) == ((), (), 0)
    assert lanes.text(diagram) == []


def test_each_session_has_its_lane_and_connections_share_the_first():
    diagram = lanes.build(synthetic.conversation("x").events)
    assert [lane.label for lane in diagram.lanes] == ["suite", "session-1", "session-2"]
    assert diagram.lanes[1].note == "Session, auto, of connection-1"


def test_a_call_that_nothing_interrupts_takes_one_row_with_both_numbers():
    diagram = lanes.build(synthetic.conversation("x", ("a",)).events)
    send = find(diagram, "send")[0]
    assert (send.kind, send.numbers, send.until) == ("call", (13, 14), 0)


def test_a_call_that_others_interrupt_is_drawn_from_invoke_to_return():
    trace, _ = synthetic.interleaved("x")
    diagram = lanes.build(trace.events)
    begun = [step for step in diagram.steps if step.kind == "invoke"]
    back = [step for step in diagram.steps if step.kind == "return"]
    assert begun[0].until == back[0].row
    assert "never returned" in begun[-1].row_text.tags
    assert begun[-1].until == diagram.height


def test_a_listener_is_called_from_below():
    trace, _ = synthetic.interleaved("x")
    heard = find(lanes.build(trace.events), "on_message")
    assert [step.kind for step in heard] == ["delivered", "return"]
    assert "thread provider-3" in heard[0].row_text.tags


def test_a_message_keeps_its_letter_from_send_to_receive():
    diagram = lanes.build(synthetic.conversation("x", ("a", "b")).events)
    sent = [step.row_text.given.letter for step in find(diagram, "send") if step.row_text.given]
    came = [step.row_text.got.letter for step in find(diagram, "receive") if step.row_text.got]
    assert sent == came == ["A", "B"]
    assert [token.body for token in diagram.tokens] == ["“a”", "“b”"]


def test_an_object_that_is_sent_twice_is_two_messages():
    trace = synthetic.prelude("x")
    first = synthetic.message("message-1", 1, "same object")
    trace.send("session-1", "producer-1", first, "queue:tck.q.7")
    trace.send("session-1", "producer-1", first | {"id": "ID:2"}, "queue:tck.q.7")
    diagram = lanes.build(trace.events)
    assert [step.row_text.given.letter for step in find(diagram, "send") if step.row_text.given] == ["A", "B"]


def test_a_receive_that_gets_nothing_says_null():
    trace = synthetic.prelude("x")
    trace.receive("session-2", "consumer-1", None)
    assert rows(lanes.build(trace.events))[-1].answer == "null"


def test_a_property_that_is_set_reads_as_an_assignment_and_codes_have_their_meaning():
    trace = synthetic.prelude("x")
    trace.call("session-1", "message-1", "Message.jms_type", args={"value": "order"})
    trace.call("session-1", "producer-1", "MessageProducer.delivery_mode", args={"value": 1}, value=1)
    recorded = [
        f"{row_text.member}{row_text.arguments}{row_text.answer}" for row_text in rows(lanes.build(trace.events))[-2:]
    ]
    assert recorded == ["jms_type = “order”", "delivery_mode = 1 (non-persistent)"]


def test_destinations_have_short_names():
    diagram = lanes.build(synthetic.conversation("x").events)
    assert [(place.short, place.label) for place in diagram.places] == [("Q1", "queue:tck.q.7")]
    assert find(diagram, "send")[0].row_text.arguments == "(destination=Q1)"


def test_a_failed_call_shows_the_exception_and_a_redelivery_its_count():
    trace, cites = synthetic.interleaved("x")
    diagram = lanes.build(trace.events, cites)
    failed = [step for step in diagram.steps if step.failed]
    assert [step.row_text.answer for step in failed] == [
        "IllegalStateException: the session is transacted (error code AMQ-71)"
    ]
    assert [step.row_text.tags for step in diagram.steps if step.cited] == [("redelivered, delivery 2",)] * 2


def test_time_that_stood_still_is_not_shown():
    events = [event | {"t_ns": synthetic.START + event["seq"]} for event in synthetic.conversation("x").events]
    assert not lanes.build(events).timed
    assert lanes.build(synthetic.conversation("x").events).timed


def test_of_a_long_trace_the_middle_is_left_out_but_for_what_is_cited():
    trace = synthetic.prelude("x")
    for number in range(1, 3001):
        trace.send("session-1", "producer-1", synthetic.message(f"message-{number}", number, "x"), "queue:tck.q.7")
    cited = trace.events[3000]["seq"]
    diagram = lanes.build(trace.events, [cited])
    assert len(diagram.steps) < lanes.LONGEST
    assert len(diagram.steps) + sum(gap.count for gap in diagram.gaps) == 3006
    assert [step.cited for step in diagram.steps].count(True) == 1
    taken = sorted([step.row for step in diagram.steps] + [gap.row for gap in diagram.gaps])
    assert taken == list(range(1, diagram.height + 1))


def test_an_open_call_whose_return_was_left_out_ends_within_the_diagram():
    trace = synthetic.prelude("x")
    trace.begin("session-2", "consumer-1", "MessageConsumer.receive")
    for number in range(1, 1001):
        trace.send("session-1", "producer-1", synthetic.message(f"message-{number}", number, "x"), "queue:tck.q.7")
    diagram = lanes.build(trace.events)
    assert [step.until for step in diagram.steps if step.until] == [diagram.height]


def test_facts_are_reported_once():
    trace = synthetic.prelude("x")
    trace.send("session-1", "producer-1", synthetic.message("message-1", 1, "a"), "queue:tck.q.7")
    before, after = event_table.rows(trace.events)[-2:]
    assert dict(before.message)["body"] == "“a”"
    assert (after.known_from, [key for key, _ in after.message]) == (before.number, ["label", "id", "timestamp"])


def test_rows_that_only_lay_the_pipes_may_be_folded_unless_they_are_the_story():
    diagram = lanes.build(synthetic.conversation("x").events)
    folded = [step.row_text.member for step in diagram.steps if step.setup]
    assert folded == ["create_connection", "create_session", "create_session"]
    cited = lanes.build(synthetic.conversation("x").events, [2])
    assert not cited.steps[0].setup
    short = lanes.build(synthetic.prelude("x").events[:4])
    assert not [step for step in short.steps if step.setup]


def test_odd_events_do_not_stop_a_report():
    event = synthetic.conversation("x").events[0]
    odd = [
        {key: event[key] for key in ("seq", "t_ns", "op", "phase")},
        event | {"seq": 2, "args": None, "message": {"label": None}, "value": {"type": "odd", "len": "?"}, "on": None},
        event | {"seq": 3, "phase": "unknown", "call": 99, "created": {"label": 5, "session_mode": {}}},
    ]
    diagram = lanes.build(odd, [3])
    assert len(diagram.steps) == 3
    assert len(event_table.rows(odd)) == 3
    assert dataclasses.asdict(diagram)
