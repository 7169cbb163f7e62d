"""The deciding calls of a verdict, and the calls that they depend on."""

from reproduce_support import Trace

from tck.record import Fault, Outcome, Result, Verdict
from tck.reports.reproduce.answers import Other, Raises, Returns, Text, Value, answer_of
from tck.reports.reproduce.recorded import read_calls
from tck.reports.reproduce.slicing import needed
from tck.reports.reproduce.verdict.deciding import Basis, basis_of


def result(observed="", expected="", **more) -> Result:
    outcome = more.pop("outcome", Outcome.BROKEN)
    return Result("c", outcome, {}, Verdict.VIOLATION, observed=observed, expected=expected, **more)


def basis(trace: Trace, *texts: str, **more) -> Basis:
    return basis_of(read_calls(trace.events), result(*texts, **more))


def decided(found: Basis) -> list[tuple[str, object, object]]:
    return [(each.call.op, each.right, each.recorded) for each in found.calls]


def started() -> Trace:
    trace = Trace()
    trace.begin()
    trace.text(1, "x")
    return trace


def test_the_last_call_with_the_observed_value_decides():
    trace = started()
    trace.call("message-1", "Message.jms_priority", 4)
    trace.call("message-1", "Message.jms_type", "order")
    last = trace.call("message-1", "Message.jms_priority", 7)
    found = basis(trace, "JMSPriority was 7", "JMSPriority is 4", cites=(last,))
    assert decided(found) == [("Message.jms_priority", Value(4), Value(7))]
    assert found.named


def test_the_values_of_a_list_are_looked_for_in_order():
    trace = started()
    for value in (False, True, False):
        last = trace.call("message-1", "Message.jms_redelivered", value)
    found = basis(trace, "both was [True, False]", "both is [True, True]", cites=(last,))
    assert [each.call.end for each in found.calls] == [last]


def test_a_refused_call_is_found_by_its_exception():
    trace = started()
    error = {"type": "InvalidSelectorException", "text": "no: 'a'"}
    last = trace.call("session-1", "Session.create_browser", args={"queue": "queue:q"}, error=error)
    found = basis(trace, "browsing raised InvalidSelectorException: no: 'a'", "browsing raises nothing", cites=(last,))
    assert decided(found) == [("Session.create_browser", Returns(), Raises("InvalidSelectorException"))]


def test_a_call_that_should_be_refused_is_found_by_its_object():
    trace = started()
    trace.call("session-1", "Session.create_consumer", "consumer-2", type="MessageConsumer")
    last = trace.call("consumer-2", "MessageConsumer.close")
    texts = ("a consumer returned <recorded consumer-2>", "a consumer raises InvalidSelectorException")
    found = basis(trace, *texts, cites=(last,))
    assert decided(found) == [("Session.create_consumer", Raises("InvalidSelectorException"), Returns())]


def test_an_exception_that_ended_the_case_decides():
    trace = started()
    error = {"type": "UnsupportedOperationException", "text": "not today"}
    trace.call("message-1", "Message.jms_type", error=error)
    fault = Fault("UnsupportedOperationException", "not today")
    found = basis(trace, error=fault, outcome=Outcome.ABSENT)
    assert decided(found) == [("Message.jms_type", Returns(), Raises("UnsupportedOperationException"))]


def test_a_message_that_does_not_come_is_expected_by_its_text():
    trace = started()
    last = trace.receive(2, None)
    found = basis(trace, "only [] arrived", "['x'] arrive from queue:q", cites=(last,))
    assert decided(found) == [("MessageConsumer.receive", Text("x"), Value(None))]


def test_only_the_first_read_by_position_decides():
    trace = started()
    trace.call("session-1", "Session.create_bytes_message", "message-2", type="BytesMessage")
    for value in (7, 8):
        last = trace.call("message-2", "BytesMessage.read_byte", value)
    found = basis(trace, "the bytes was [7, 8]", "the bytes is [1, 2]", cites=(last,))
    assert [each.recorded for each in found.calls] == [Value(7)]


def test_a_value_that_no_call_of_that_type_returns_is_not_expected_of_it():
    trace = started()
    trace.call("session-1", "Session.create_stream_message", "message-2", type="StreamMessage")
    error = {"type": "MessageFormatException", "text": "no"}
    last = trace.call("message-2", "StreamMessage.read_byte", error=error)
    found = basis(trace, "it was 'raises MessageFormatException'", "it is 'a text'", cites=(last,))
    assert not found.named
    assert decided(found)[-1] == ("StreamMessage.read_byte", Other(), Raises("MessageFormatException"))


def test_a_verdict_that_names_no_value_rests_on_every_answer():
    trace = started()
    trace.call("message-1", "Message.jms_message_id", "ID:1")
    last = trace.call("message-1", "TextMessage.text", "x")
    found = basis(trace, "some were not", "all are as wanted", cites=(last,))
    assert not found.named
    assert decided(found)[-2:] == [
        ("Message.jms_message_id", Other(), Returns()),
        ("TextMessage.text", Other(), Value("x")),
    ]
    assert len(found.calls) == len(trace.events) / 2 - 2  # without those of the adapter


def test_an_identifier_is_another_one_in_each_run():
    trace = started()
    trace.call("message-1", "Message.jms_message_id", "ID:1")
    assert answer_of(read_calls(trace.events).calls[-1]).text == "ID:"


def test_what_a_call_returned_may_be_shown_as_an_object_of_the_suite():
    trace = started()
    last = trace.call("session-1", "Session.create_consumer", "consumer-2", type="MessageConsumer")
    found = basis(trace, "a consumer returned <Subscriber at 0x1>", "a consumer raises JMSException", cites=(last,))
    assert decided(found) == [("Session.create_consumer", Raises("JMSException"), Returns())]


def ops(trace: Trace, found: Basis) -> list[str]:
    part = needed(read_calls(trace.events), [each.call for each in found.calls])
    return [f"{call.on} {call.member}" for call in part.calls][3:]


def test_what_is_not_needed_is_left_out():
    trace = started()
    trace.text(2, "y")
    trace.call("message-1", "Message.jms_type", args={"value": "order"})
    trace.send(2, "y")
    last = trace.call("message-1", "Message.jms_type", "order")
    found = basis(trace, "JMSType was 'order'", "JMSType is None", cites=(last,))
    assert ops(trace, found) == ["session-1 create_text_message", "message-1 jms_type", "message-1 jms_type"]


def test_a_received_message_needs_all_that_was_sent_and_taken():
    trace = started()
    trace.text(2, "y")
    trace.send(1, "x")
    trace.send(2, "y")
    trace.receive(3, "x")
    last = trace.receive(4, "y")
    found = basis(trace, "['y'] arrived", "['z'] arrive from queue:q", cites=(last,))
    assert [each for each in ops(trace, found) if "send" in each or "receive" in each] == [
        "producer-1 send",
        "producer-1 send",
        "consumer-1 receive",
        "consumer-1 receive",
    ]
