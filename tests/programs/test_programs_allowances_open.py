"""What a comparison leaves open since the specification does: outcomes that differ lawfully, and calls that an older version has not."""

import copy
from dataclasses import replace

import pytest
from story_support import Story, client, do, partner, sending

from tck.programs.comparing.ambiguous import nul

CONSUMER = do("consumer", "k1", on="c2", of="q1")
RECEIVE = do("receive", on="k1")


@pytest.fixture(scope="module")
def made():
    with partner() as found:
        yield lambda *steps: Story(found, *steps)


@pytest.mark.parametrize(("closing", "differs"), [([], []), ([do("close", on="b1")], [("delete", "refused")])])
def test_whether_a_browsed_temporary_queue_can_be_deleted_is_open(made, closing, differs):
    browsing = [do("temporary", "d1", on="c1", kind="queue"), do("browser", "b1", on="c1", of="d1")]
    story = made(*client(), *browsing, *closing, do("delete", on="d1"))
    assert "ok" in story.at("delete")
    story.at("delete").clear()
    story.at("delete").update({"raises": "JMSException", "text": "in use"})
    assert story.differences() == differs


@pytest.mark.parametrize(
    ("types", "nth", "differs"),
    [
        (["long", "byte"], 0, True), (["long", "byte"], 1, False), (["long", "length"], 1, True), (["byte", "long"], 0, True),
        (["long", "reset", "byte"], 2, True),
    ],
)  # fmt: skip
def test_where_a_message_stands_after_a_read_beyond_its_end_is_open(made, types, nth, differs):
    message = do("message", "m1", on="c1", kind="bytes", body=[["short", 200]])
    story = made(*client(), message, do("reset", on="m1"), do("items", on="m1", types=types))
    story.at("items")["ok"][nth] = {"raises": "MessageNotReadableException"}
    assert [call for call, _ in story.differences()] == (["items"] if differs else [])


def test_what_was_raised_with_a_text_that_no_bridge_carries_is_open(made):
    message = do("message", "m1", on="c1", kind="text", properties=[["x", "string", "a"]])
    story = made(*client(), message, do("reads", on="m1", what="property"))
    for name, differs in (("UnicodeDecodeError", []), ("MessageEOFException", [("reads", "value raises")])):
        story.at("reads")["ok"]["x"]["byte"] = {"raises": name}
        assert story.differences() == differs


def test_a_property_that_a_provider_adds_is_not_judged_by_reads_and_one_that_it_leaves_is(made):
    message = do("message", "m1", on="c1", kind="text", properties=[["x", "string", "a"]])
    steps = (message, do("clear_properties", on="m1"), do("reads", on="m1", what="property"))
    for name, differs in (("_added", 0), ("x", 1), ("JMSXGroupID", 1)):
        story = made(*client(), *steps)
        story.at("reads")["ok"][name] = {"int": ["int", 5]}
        assert len(story.differences()) == differs, name


@pytest.mark.parametrize(("text", "differs"), [("i = 1 -- note", []), ("i = 1 -- two words", ["accepted"])])
def test_two_signs_in_a_selector_may_be_arithmetic(made, text, differs):
    story = made(*client(), do("consumer", "z1", on="c2", of="q1", selector=text))
    assert "raises" in story.at("consumer")
    story.at("consumer").clear()
    story.at("consumer")["ok"] = {"selector": True}
    assert [what for _, what in story.differences()] == differs


def refuse(seen, exception):
    seen.clear()
    seen.update({"raises": exception, "text": "no"})


MIXED = [
    *client(),
    do("producer", "p2", on="c1"),
    do("send_body", on="p1", to="q1", type="string", body=["string", "a"]),
    do("send_body", on="p2", to="q1", type="bytes", body=["bytes", "01"]),
    CONSUMER,
    do("receive_body", on="k1", type="string"),
    do("drain", on="k1"),
]


def test_a_body_of_another_producer_may_be_refused_first_and_then_redelivered(made):
    story = made(*MIXED)
    first = copy.deepcopy(made(*MIXED[:-2], do("drain", on="k1")).got("drain")[0])
    refuse(story.at("receive_body"), "MessageFormatRuntimeException")
    story.got("drain").append(first)
    assert story.differences() == []


def test_a_body_that_is_refused_for_another_reason_is_accused_though_the_order_is_open(made):
    story = made(*MIXED)
    refuse(story.at("receive_body"), "JMSRuntimeException")
    assert story.differences() == [("receive_body", "refused")]


def test_where_a_body_should_be_refused_that_of_another_producer_may_come_first(made):
    wrong = [*MIXED[:6], MIXED[7], MIXED[6], *MIXED[8:]]
    story = made(*wrong)
    assert story.at("receive_body")["raises"] == "MessageFormatRuntimeException"
    story.at("receive_body").clear()
    story.at("receive_body")["ok"] = {"got": ["string", "a"]}
    story.got("drain").pop()
    assert story.differences() == []


def test_the_client_identifier_of_a_connection_that_was_given_none_is_open(made):
    given = [do("connect", "c3", api="classic", client_id="A"), do("state", on="c3")]
    story = made(do("connect", "c2", api="classic"), do("state", on="c2"), *given)
    story.at("state")["ok"]["client_id"] = "of the provider"
    assert story.differences() == []
    story.at("state", 1)["ok"]["client_id"] = "of the provider"
    assert story.differences() == [("state", "value client_id")]


@pytest.mark.parametrize(
    ("body", "seen", "differences"),
    [([], ["bytes", ""], []), ([], ["bytes", "00"], ["again"]), ([["byte", 1]], ["bytes", ""], ["again"])],
)
def test_the_body_of_a_bytes_message_without_one_is_null_or_empty(made, body, seen, differences):
    story = made(*client(), do("message", "m1", on="c1", kind="bytes", body=body), do("look", on="m1", spoil=True))
    story.at("look")["ok"]["again"] = [seen]
    assert [what for _, what in story.differences()] == differences


def test_what_an_older_version_has_not_a_provider_may_have(made):
    story = made(*client(), do("message", "m1", on="c1", kind="text"), do("send", on="p1", message="m1", to="q1"))
    headers = story.expectation.seen[-1]["ok"]["headers"]
    kept = headers["JMSDeliveryTime"]
    try:
        headers["JMSDeliveryTime"] = {"raises": "UnsupportedOperationException"}
        assert story.differences() == []
        headers["JMSDeliveryTime"] = {"raises": "IllegalStateException"}
        assert story.differences() == [("send", "header JMSDeliveryTime")]
    finally:
        headers["JMSDeliveryTime"] = kept


def test_a_message_that_a_listener_is_given_once_more_may_come_behind_another(made):
    throwing = do("listen", on="k1", does="throw")
    story = made(*client(), *sending(1, 2), CONSUMER, throwing, do("advance", units=0))
    given = next(each for each in story.seen if each.get("delivered", {}).get("by"))["delivered"]["by"]["k1"]
    assert [each["send"] for each in given] == [0, 0, 1]
    given[1], given[2] = given[2], given[1]
    given[2]["headers"]["JMSRedelivered"] = False
    assert "order" not in [what for _, what in story.differences()]
    given[0], given[1] = given[1], given[0]
    assert "order" in [what for _, what in story.differences()]


def test_an_attribute_that_an_older_version_has_not_is_open(made):
    story = made(*client(), do("state", on="p1"))
    delay = story.expectation.seen[-1]["ok"]["delivery_delay"]
    try:
        story.expectation.seen[-1]["ok"]["delivery_delay"] = {"raises": "UnsupportedOperationException"}
        assert story.differences() == []
        story.expectation.seen[-1]["ok"]["delivery_delay"] = {"raises": "IllegalStateException"}
        assert story.differences() == [("state", "value delivery_delay")]
    finally:
        story.expectation.seen[-1]["ok"]["delivery_delay"] = delay


def test_before_delivery_counts_a_provider_may_announce_them(made):
    story = made(*client(), do("metadata", on="c1"))
    jmsx = story.expectation.seen[-1]["ok"]["jmsx"]
    story.expectation = replace(
        story.expectation,
        seen=(
            *story.expectation.seen[:-1],
            {
                "ok": {
                    **story.expectation.seen[-1]["ok"],
                    "jmsx": [each for each in jmsx if each != "JMSXDeliveryCount"],
                }
            },
        ),
    )
    assert story.differences() == [("metadata", "value jmsx")]
    story.expectation = replace(story.expectation, version="1.1")
    assert story.differences() == []
    story.seen[-1]["ok"]["jmsx"] = ["JMSXDeliveryCount", "JMSXGroupID"]
    assert story.differences() == [("metadata", "value jmsx")]


def test_before_delivery_times_a_provider_may_set_that_of_a_foreign_message(made):
    story = made(*client(), do("message", "m1", on="c1", kind="text"), do("send", on="p1", message="m1", to="q1"))
    story.at("send")["ok"]["headers"]["JMSDeliveryTime"] = "never"
    assert story.differences() == [("send", "header JMSDeliveryTime")]
    story.expectation = replace(story.expectation, version="1.1")
    assert story.differences() == []


@pytest.mark.parametrize(
    ("given", "body", "found"),
    [("m1", ["utf", "a\0"], True), ("m1", ["utf", "a"], False), (None, ["utf", "a\0"], False)],
)
def test_a_text_with_nul_is_looked_for_in_the_message_that_was_sent(given, body, found):
    steps = [do("write", on="m2", body=["boolean", False]), do("write", on="m1", body=[body])]
    assert nul(steps, {0: {"given": given}}, {"send": 0, "kind": "bytes"}) is found
    assert nul(steps, {}, {"kind": "bytes"}, given) is found
