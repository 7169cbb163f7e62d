"""Comparison: every kind of difference is found, at its step and in plain words; what is equal is no difference."""

import pytest
from programs_support import (
    NOTHING,
    OK,
    again,
    allowances,
    browsed,
    delivering,
    differences,
    do,
    drained,
    end,
    got,
    judge,
    kinds,
    raises,
    sent,
    view,
)

SEND = do("send", on="p1", message="m1")
RECEIVE = do("receive", "r1", on="k1")
DRAIN = do("drain", on="k1")
BODY = do("receive_body", on="k1", type="string")
BROWSE = do("browse", on="b1")
START = do("start", on="c1")
TWO = (sent(0), sent(1))


def test_equal_runs_do_not_differ():
    rows = [
        (SEND, {"ok": {"headers": {"JMSPriority": 4}}}),
        (do("session", on="c2"), raises("IllegalStateException")),
        (RECEIVE, got(view())),
        (BROWSE, browsed(view(1), view(2))),
        (START, delivering(OK, k2=[view(1)])),
    ]
    found = judge(rows, TWO, k2=end("q2"))
    assert (found.differences, found.allowed) == ([], [])


# -- calls -------------------------------------------------------------------------------------------------------------

BAD = "raises IllegalStateException: no"


@pytest.mark.parametrize(
    ("step", "ours", "theirs", "expected"),
    [
        (START, OK, raises("IllegalStateException"), ("refused", "returns", BAD)),
        (RECEIVE, NOTHING, raises("IllegalStateException"), ("refused", "returns {'got': None}", BAD)),
        (START, raises("IllegalStateException"), OK, ("accepted", "raises IllegalStateException", "returns")),
        (
            RECEIVE,
            raises("IllegalStateException"),
            NOTHING,
            ("accepted", "raises IllegalStateException", "returns {'got': None}"),
        ),
        (
            START,
            raises("InvalidClientIDException"),
            raises("IllegalStateException"),
            ("exception", "raises InvalidClientIDException", BAD),
        ),
        (START, raises("IllegalStateException"), raises("JMSException"), ("exception", "raises IllegalStateException", "raises JMSException: no")),
        (START, raises("JMSException"), raises("ValueError"), ("exception", "raises JMSException", "raises ValueError: no")),
        (START, raises("JMSException"), raises("JMSRuntimeException"), ("exception", "raises JMSException", "raises JMSRuntimeException: no")),
        (START, OK, {"hung": True}, ("hung", "returns", "the call does not return")),
        (START, raises("JMSException"), {"hung": True}, ("hung", "raises JMSException", "the call does not return")),
        (do("get", on="s1", what="mode"), {"ok": 1}, {"ok": 2}, ("value", "1", "2")),
        (do("set", on="p1", what="ttl"), {"ok": {"kept": True}}, {"ok": {"kept": False}}, ("value kept", "kept: True", "kept: False")),
        (
            do("reads", on="m1", what="property"),
            {"ok": {"a": {"int": ["int", 5], "long": ["long", 5]}}},
            {"ok": {"a": {"int": ["int", 5], "long": {"raises": "X"}}}},
            ("value long", "a long: ['long', 5]", "a long: {'raises': 'X'}"),
        ),
        (
            do("items", on="m1", types=["int", "int"]),
            {"ok": [["int", 5], ["int", 6]]},
            {"ok": [["int", 5], ["int", 7]]},
            ("value 1", "1: ['int', 6]", "1: ['int', 7]"),
        ),
        (do("items", on="m1", types=["int"]), {"ok": [["int", 5]]}, {"ok": []}, ("value", "[['int', 5]]", "[]")),
    ],
)  # fmt: skip
def test_a_call_that_differs(step, ours, theirs, expected):
    found = judge([(do("queue", "q1"), OK), (step, ours, theirs)])
    assert differences(found) == [(1, *expected)]
    assert found.allowed == []


def test_a_call_that_must_be_refused_is_so_where_the_order_is_open_too():
    rows = [(RECEIVE, raises("IllegalStateException"), NOTHING)]
    assert kinds(judge(rows, [sent(0), sent(1, producer="p2")])) == ["accepted"]


@pytest.mark.parametrize("seen", ["IllegalStateException", "InvalidClientIDException", "JMSException"])
def test_an_exception_may_be_of_a_subclass(seen):
    assert allowances(judge([(START, raises("JMSException"), raises(seen))])) == []


def test_nothing_after_a_call_that_does_not_return_is_compared():
    found = judge([(START, OK, {"hung": True}), (RECEIVE, got(view()), NOTHING)], [sent(0)], hung=True)
    assert kinds(found) == ["hung"]


def test_a_close_at_the_end_that_does_not_return():
    found = judge([(START, OK), (DRAIN, drained())], hung=True)
    assert differences(found) == [(1, "hung", "all clients close", "a close at the end does not return")]


def test_steps_that_were_not_done_are_not_compared():
    found = judge([(START, OK), (RECEIVE, got(view()), NOTHING)], [sent(0)], done=1)
    assert found.differences == []


@pytest.mark.parametrize(("ours", "theirs"), [({"skipped": "m1"}, OK), (OK, {"skipped": "m1"})])
def test_a_step_that_was_skipped_is_not_compared(ours, theirs):
    assert allowances(judge([(START, ours, theirs)])) == []


def test_a_send_of_a_body_returns_nothing_that_is_compared():
    step = do("send_body", on="p1", body=["string", "x"])
    assert allowances(judge([(step, OK, {"ok": {"hints": ["disable_id"]}})])) == []
    assert kinds(judge([(step, OK, raises("JMSRuntimeException"))])) == ["refused"]


def test_attributes_that_only_one_provider_has_are_not_compared():
    ours, theirs = {"ok": {"selector": True, "queue": "q1"}}, {"ok": {"selector": True, "listener": True}}
    assert allowances(judge([(do("state", on="k1"), ours, theirs)])) == []


def test_an_attribute_that_both_providers_have_is_compared():
    ours, theirs = {"ok": {"selector": True, "queue": "q1"}}, {"ok": {"selector": False, "queue": "q1"}}
    (found,) = differences(judge([(do("state", on="k1"), ours, theirs)]))
    assert found == (0, "value selector", "selector: True", "selector: False")


def test_each_selector_that_lets_through_other_messages_is_a_difference():
    ours = {"i = 1": [0], "i = 2": [1], "i = 3": {"raises": "InvalidSelectorException"}}
    theirs = {"i = 1": [0], "i = 2": [], "i = 3": [2]}
    found = judge([(do("select", on="s1", of="q1", selectors=list(ours)), {"ok": ours}, {"ok": theirs})])
    assert differences(found) == [
        (0, "value", "i = 2: [1]", "[]"),
        (0, "value", "i = 3: {'raises' 'InvalidSelectorException'}", "[2]"),
    ]
    assert [each.selector for each in found.differences] == ["i = 2", "i = 3"]


# -- which messages come -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "ours", "theirs", "expected"),
    [
        (RECEIVE, got(view(0)), NOTHING, ("missing", "the message of send 1", "it does not come")),
        (RECEIVE, NOTHING, got(view(0)), ("extra", "no such message", "the message of send 1")),
        (RECEIVE, NOTHING, got(view(None, body=["int", 5])), ("extra", "no such message", "a text message ['int', 5]")),
        (DRAIN, drained(view(0), view(1)), drained(view(0)), ("missing", "the message of send 2", "it does not come")),
        (DRAIN, drained(view(0)), drained(view(0), view(1)), ("extra", "no such message", "the message of send 2")),
        (DRAIN, drained(view(0)), drained(view(0), view(0)), ("extra", "no such message", "the message of send 1")),
        (
            DRAIN,
            drained(view(0), view(1)),
            drained(view(1), view(0)),
            ("order", "the message of send 1 before the message of send 2", "the message of send 2 first"),
        ),
        (BROWSE, browsed(view(0)), browsed(), ("missing", "the message of send 1", "it does not come")),
        (BROWSE, browsed(), browsed(view(1)), ("extra", "no such message", "the message of send 2")),
        (
            BROWSE,
            browsed(view(0), view(1)),
            browsed(view(1), view(0)),
            ("order", "the message of send 1 before the message of send 2", "the message of send 2 first"),
        ),
        (do("next", on="b1"), got(view(0)), NOTHING, ("missing", "the message of send 1", "it does not come")),
        (BODY, got(["string", "a"]), got(["string", "b"]), ("body", "['string', 'a']", "['string', 'b']")),
        (BODY, got(["string", "a"]), NOTHING, ("missing", "['string', 'a']", "None")),
        (BODY, NOTHING, got(["string", "a"]), ("extra", "None", "['string', 'a']")),
        (BODY, got(["string", "a"]), raises("X"), ("refused", "returns {'got': ['string', 'a']}", "raises X: no")),
        (BODY, raises("MessageFormatRuntimeException"), NOTHING, ("missing", "raises MessageFormatRuntimeException", "returns {'got': None}")),
    ],
)  # fmt: skip
def test_messages_that_differ(step, ours, theirs, expected):
    found = judge([(START, OK), (step, ours, theirs)], TWO)
    assert differences(found) == [(1, *expected)]
    assert found.allowed == []


def test_another_message_than_the_next_one_is_out_of_order():
    rows = [(RECEIVE, got(view(0)), got(view(1))), (do("receive", on="k1"), got(view(1)), got(view(0)))]
    assert differences(judge(rows, TWO)) == [(0, "order", "the message of send 1", "the message of send 2 first")]


def test_another_message_in_the_place_of_one_that_never_comes():
    rows = [
        (RECEIVE, got(view(0)), got(view(1))),
        (do("receive", on="k1"), got(view(1)), NOTHING),
        (DRAIN, drained(), drained()),
    ]
    assert differences(judge(rows, TWO)) == [(0, "missing", "the message of send 1", "it does not come")]


def test_another_message_that_should_not_be_there():
    rows = [(RECEIVE, got(view(0)), got(view(1))), (DRAIN, drained(), drained(view(0)))]
    found = judge(rows, [sent(0), sent(1, destination="q2")])
    assert differences(found) == [(0, "extra", "no such message", "the message of send 2")]


def test_a_message_of_an_earlier_send_that_only_the_other_provider_has_left():
    rows = [(RECEIVE, got(view(0)), got(view(1))), (DRAIN, drained(), drained(view(0)))]
    assert kinds(judge(rows, TWO)) == ["extra"]


def test_another_message_is_out_of_order_even_if_it_may_be_left():
    sends = [sent(0), sent(1)]
    assert kinds(judge([(RECEIVE, got(view(0)), got(view(1)))], sends)) == ["extra"]


def test_a_message_to_another_destination_is_not_left():
    rows = [(RECEIVE, got(view(0)), got(view(1)))]
    assert kinds(judge(rows, [sent(0), sent(1, destination="q2")])) == ["extra"]


def test_of_messages_of_no_known_send_another_body_is_another_message():
    rows = [(RECEIVE, got(view(None, body=["int", 1])), got(view(None, body=["int", 2])))]
    assert differences(judge(rows)) == [(0, "extra", "no such message", "a text message ['int', 2]")]


def test_messages_that_are_alike_are_compared_one_by_one():
    alike = drained(view(None, body=None), view(None, body=None, headers={"JMSPriority": 9}))
    assert allowances(judge([(DRAIN, alike)])) == []


def test_an_expired_message_that_comes_is_reported_as_expired():
    advance = (do("advance", units=3), OK)
    (found,) = judge([advance, (DRAIN, drained(), drained(view(0)))], [sent(0, ttl=2)]).differences
    assert "expired" in found.flags
    (found,) = judge([advance, (DRAIN, drained(), drained(view(0)))], [sent(0, ttl=4)]).differences
    assert "expired" in found.flags  # the clocks may be off by less than a unit
    (found,) = judge([advance, (DRAIN, drained(), drained(view(0)))], [sent(0, ttl=5)]).differences
    assert "expired" not in found.flags
    (found,) = judge([advance, (DRAIN, drained(), drained(view(0)))], [sent(0)]).differences
    assert "expired" not in found.flags


def test_a_message_before_its_delivery_time_is_reported_as_early():
    rows = [(DRAIN, drained(), drained(view(0))), (do("advance", units=3), OK), (DRAIN, drained(view(0)), drained())]
    found = judge(rows, [sent(0, delay=2)]).differences[0]
    assert "early" in found.flags


# -- what a message holds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [RECEIVE, do("next", "r1", on="b1")])
@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        (view(headers={"JMSPriority": 5}), ("header JMSPriority", "4", "5")),
        (view(properties={"a": ["int", 5]}), ("property a", "None", "['int', 5]")),
        (view(body=["string", "other"]), ("body", "['string', 'text 0']", "['string', 'other']")),
        (view(kind="bytes"), ("kind", "text", "bytes")),
    ],
)
def test_a_message_that_holds_something_else(step, theirs, expected):
    found = judge([(START, OK), (step, got(view()), got(theirs))], [sent(0)])
    assert differences(found) == [(1, *expected)]


@pytest.mark.parametrize("step", [DRAIN, BROWSE])
def test_the_second_of_several_messages_holds_something_else(step):
    outcome = drained if step is DRAIN else browsed
    rows = [(step, outcome(view(0), view(1)), outcome(view(0), view(1, headers={"JMSPriority": 9})))]
    assert differences(judge(rows, TWO)) == [(0, "header JMSPriority", "4", "9")]


def test_content_is_compared_where_the_order_is_open():
    ours = drained(view(0), view(1))
    theirs = drained(view(1), view(0, body=["string", "other"]))
    found = judge([(DRAIN, ours, theirs)], [sent(0), sent(1, producer="p2")])
    assert kinds(found) == ["body"]
    assert [each.rule for each in found.allowed] == ["order"]


def test_a_redelivered_message_without_its_flag():
    rows = [
        (RECEIVE, got(view())),
        (do("recover", on="s1"), OK),
        (do("receive", on="k1"), got(again(0)), got(view())),
    ]
    found = judge(rows, [sent(0)])
    assert differences(found) == [
        (2, "header JMSRedelivered", "True", "False"),
        (2, "property JMSXDeliveryCount", "['int', 2]", "['int', 1]"),
    ]


def test_a_first_delivery_with_the_flag():
    found = judge([(RECEIVE, got(view()), got(again(0)))], [sent(0)])
    assert kinds(found) == ["header JMSRedelivered", "property JMSXDeliveryCount"]


@pytest.mark.parametrize(
    ("theirs", "what"),
    [
        ({"headers": {"JMSPriority": 9}}, "header JMSPriority"),
        ({"callback": {"failed": "JMSException"}}, "callback"),
        ({"callback": None}, "callback"),
        ({"callback": {"completed": {"headers": {"JMSPriority": 9}}}}, "header JMSPriority"),
    ],
)
def test_a_send_that_shows_something_else(theirs, what):
    headers = {"headers": {"JMSPriority": 4}}
    ours = {"callback": {"completed": headers}} if "callback" in theirs else headers
    (found,) = judge([(SEND, {"ok": ours}, {"ok": theirs})], [sent(0)]).differences
    assert (found.step, found.what) == (0, what)
    assert ("sender" in found.flags) == (what != "callback")


# -- listeners ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ([view(0)], ("missing", "the message of send 2", "it does not come")),
        ([view(0), view(1), view(2)], ("extra", "no such message", "the message of send 3")),
        ([view(1), view(0)], ("order", "the message of send 1 before the message of send 2", "the message of send 2 first")),
        ([view(0), view(1, body=None)], ("body", "['string', 'text 1']", "None")),
    ],
)  # fmt: skip
def test_a_listener_receives_something_else(theirs, expected):
    rows = [
        (do("listen", on="k1"), delivering(OK, k1=[view(0)]), delivering(OK, k1=theirs[:1])),
        (do("queue", "q3"), delivering(OK, k1=[view(1)]), delivering(OK, k1=theirs[1:])),
        (do("queue", "q4"), OK),
    ]
    assert differences(judge(rows, [*TWO, sent(2)])) == [(1, *expected)]


def test_a_listener_receives_what_it_should_not():
    found = judge([(START, OK, delivering(OK, k1=[view(0)]))], [sent(0, destination="q2")])
    assert differences(found) == [(0, "extra", "no such message", "the message of send 1")]


def test_it_does_not_matter_during_which_step_a_listener_receives():
    rows = [(START, delivering(OK, k1=[view(0)]), OK), (SEND, OK, delivering(OK, k1=[view(0)]))]
    assert allowances(judge(rows, [sent(0)])) == []


def test_listeners_are_not_compared_after_a_call_that_does_not_return():
    rows = [(START, delivering(OK, k1=[view(0)]), {"hung": True})]
    assert kinds(judge(rows, [sent(0)], hung=True)) == ["hung"]


def test_a_listener_that_receives_during_a_receive_on_another_consumer():
    ours, theirs = [view(0), view(1)], [view(1), view(0)]
    rows = [(do("receive", on="k2"), delivering(NOTHING, k1=ours), delivering(NOTHING, k1=theirs))]
    found = judge(rows, [sent(0), sent(1, producer="p2")], k2=end("q2"))
    assert allowances(found) == ["order"]


# -- flags -------------------------------------------------------------------------------------------------------------


def test_a_difference_names_the_kind_of_endpoint_and_the_calls_before_it():
    rows = [
        (do("consumer", "k1", on="s1", of="q1"), OK),
        (do("consumer", "k2", on="s2", of="q2"), OK),
        (do("recover", on="s1"), OK),
        (do("rollback", on="s2"), OK),
        (do("kill"), OK),
        (RECEIVE, got(view()), NOTHING),
        (do("rollback", on="s1"), OK),
    ]
    (found,) = judge(rows, [sent(0)], k2=end("q2")).differences
    assert found.flags == {"queue", "after recover", "after kill"}


def test_the_flags_of_content_name_the_kind_of_the_message():
    (found,) = judge([(RECEIVE, got(view(kind="map")), got(view(kind="map", body={})))], [sent(0)]).differences
    assert found.flags == {"map", "queue"}
