"""What a comparison leaves open after a difference, endpoint by endpoint, and which messages may count as delivered before."""

import pytest
from story_support import Story, client, counted, do, partner, sending

FLAGGED = [("receive", "header JMSRedelivered"), ("receive", "property JMSXDeliveryCount")]
CONSUMER = do("consumer", "k1", on="c2", of="q1")
OTHER = do("consumer", "k2", on="c2", of="q2")
RECEIVE = do("receive", on="k1")


@pytest.fixture(scope="module")
def made():
    with partner() as found:
        yield lambda *steps: Story(found, *steps)


# -- open by endpoint --------------------------------------------------------------------------------------------------


def test_a_lost_message_leaves_other_queues_strict(made):
    story = made(
        *client(), *sending(1, 2), *sending(3, to="q2"), CONSUMER, OTHER, do("drain", on="k1"), do("drain", on="k2")
    )
    story.got("drain").pop()
    story.lose("drain", 1)
    assert story.differences() == [("drain", "missing"), ("drain", "missing")]


def test_after_a_lost_message_its_own_queue_is_open(made):
    story = made(*client(), *sending(1, 2), CONSUMER, RECEIVE, do("drain", on="k1"))
    story.lose("receive")
    story.lose("drain")
    assert story.differences() == [("receive", "missing")]


def test_where_a_lost_message_would_have_been_sent_on_nothing_is_strict(made):
    onward = [do("receive", "r1", on="k1"), do("producer", "p2", on="c2"), do("send", on="p2", to="q2", message="r1")]
    story = made(*client(), *sending(1), CONSUMER, OTHER, *onward, do("drain", on="k2"))
    story.lose("receive")
    story.at("send").clear()
    story.at("send")["skipped"] = "r1"
    story.lose("drain")
    assert story.differences() == [("receive", "missing")]


def test_a_refused_consumer_opens_its_queue_and_no_other(made):
    story = made(*client(), *sending(1), *sending(2, to="q2"), CONSUMER, OTHER, RECEIVE, do("receive", on="k2"))
    refused = {"raises": "JMSRuntimeException", "text": "no"}
    story.at("consumer").clear()
    story.at("consumer").update(refused)
    story.at("receive").clear()
    story.at("receive")["skipped"] = "k1"
    story.lose("receive", 1)
    assert story.differences() == [("consumer", "refused"), ("receive", "missing")]


IDENTIFIED = [do("connect", "c8", api="simplified", client_id="A"), do("close", on="c8")]
SUBSCRIBED = [do("topic", "t1"), do("connect", "c8", api="simplified"),
              do("consumer", "k8", on="c8", of="t1", kind="shared_durable", name="sub"), do("close", on="c8")]  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "last"),
    [
        (IDENTIFIED, do("connect", "c9", api="simplified", client_id="A")),
        (SUBSCRIBED, do("unsubscribe", on="c2", name="sub")),
        (SUBSCRIBED, do("consumer", "k9", on="c2", of="t1", kind="shared_durable", name="sub")),
    ],
)
def test_after_a_failed_close_client_identifier_and_subscription_may_be_in_use(made, steps, last):
    story = made(*client(), *steps, last)
    failed = {"raises": "JMSRuntimeException", "text": "no"}
    story.seen[-1].clear()
    story.seen[-1].update(failed)
    assert story.differences() == [(last.do, "refused")]
    story.at("close").clear()
    story.at("close").update(failed)
    assert story.differences() == [("close", "refused")]


def test_after_a_failed_close_others_connect_and_subscribe(made):
    others = [do("topic", "t1"), do("connect", "c8", api="simplified", client_id="A"), do("close", on="c8"),
              do("connect", "c9", api="simplified", client_id="B")]  # fmt: skip
    story = made(*client(), *others)
    for call, nth in (("close", 0), ("connect", 3)):
        story.at(call, nth).clear()
        story.at(call, nth).update({"raises": "JMSRuntimeException", "text": "no"})
    assert story.differences() == [("close", "refused"), ("connect", "refused")]


@pytest.mark.parametrize(
    ("closing", "differs"),
    [([do("close", on="k1")], []), ([do("close", on="k1"), do("close", on="c2")], ["exception"])],
)
def test_which_exception_a_consumer_raises_that_was_closed_by_itself_is_open(made, closing, differs):
    story = made(*client(), CONSUMER, *closing, do("get", "z1", on="k1", what="message_selector"))
    assert story.at("get")["raises"] == "IllegalStateRuntimeException"
    story.at("get")["raises"] = "JMSRuntimeException"
    assert [what for _, what in story.differences()] == differs
    story.at("get")["raises"] = "JavaException"
    assert story.differences() == [("get", "exception")]


@pytest.mark.parametrize(
    ("closing", "message", "differs"),
    [
        ([], False, []),
        ([], True, ["accepted"]),
        ([do("close", on="c2")], False, ["accepted"]),
    ],
)
def test_a_call_on_a_consumer_that_was_closed_by_itself_may_succeed_and_gets_no_message(
    made, closing, message, differs
):
    story = made(
        *client(), *sending(1), CONSUMER, RECEIVE, do("close", on="k1"), *closing, do("receive", "m9", on="k1")
    )
    assert story.at("receive", 1).pop("raises") == "IllegalStateRuntimeException"
    story.at("receive", 1)["ok"] = {"got": story.got("receive") if message else None}
    assert [what for _, what in story.differences()] == differs


def test_a_wrong_header_of_a_received_message_that_is_sent_on_is_accused_once(made):
    message = do("message", "m1", on="c1", kind="text")
    onward = [do("producer", "p2", on="c2"), do("send", on="p2", to="q2", message="r1")]
    story = made(*client(), message, do("send", on="p1", to="q1", message="m1"), CONSUMER,
                 do("receive", "r1", on="k1"), *onward, OTHER, do("drain", on="k2"))  # fmt: skip
    for each in (story.got("receive"), story.at("send", 1)["ok"], story.got("drain")[0]):
        each["headers"]["JMSType"] = ["string", "wrong"]
    assert story.differences() == [("receive", "header JMSType")]
    story.at("send", 1)["ok"]["headers"]["JMSType"] = ["string", "other"]
    assert story.differences()[:2] == [("receive", "header JMSType"), ("send", "header JMSType")]


def test_after_a_refused_send_the_later_messages_are_the_same_ones(made):
    story = made(*client(), *sending(1), *sending(2, to="q2"), OTHER, do("drain", on="k2"))
    story.at("send_many").clear()
    story.at("send_many").update({"raises": "JMSRuntimeException", "text": "no"})
    (message,) = story.got("drain")
    assert message["send"] == 1
    message["send"] = 0
    assert story.differences() == [("send_many", "refused")]
    message["headers"]["JMSPriority"] = 7
    assert story.differences() == [("send_many", "refused"), ("drain", "header JMSPriority")]


def test_a_wrong_header_of_the_sender_is_accused_once(made):
    story = made(*client(), do("producer", "p9", on="c2"), do("message", "m1", on="c2", kind="text"), do("queue", "q9"),
                 do("send", on="p9", to="q9", message="m1"), do("consumer", "k9", on="c2", of="q9"), do("drain", on="k9"))  # fmt: skip
    story.at("send")["ok"]["headers"]["JMSPriority"] = 7
    story.got("drain")[0]["headers"]["JMSPriority"] = 7
    assert story.differences() == [("send", "header JMSPriority")]
    assert {each.rule for each in story.compare().allowed} == {"as sent"}
    story.got("drain")[0]["headers"]["JMSPriority"] = 6
    assert story.differences() == [("send", "header JMSPriority"), ("drain", "header JMSPriority")]


@pytest.mark.parametrize(
    ("body", "differences"), [(["bytes", "01"], []), (["string", "x"], [("receive_body", "accepted")])]
)
def test_an_array_of_bytes_may_be_taken_for_serializable(made, body, differences):
    message = do("message", "m1", on="c2", kind="bytes", body=[["byte", 1]])
    story = made(*client(), do("producer", "p9", on="c2"), message, do("queue", "q9"), do("send", on="p9", to="q9", message="m1"),
                 do("consumer", "k9", on="c2", of="q9"), do("receive_body", on="k9", type="serializable"))  # fmt: skip
    seen = story.at("receive_body")
    assert seen.pop("raises") == "MessageFormatRuntimeException"
    seen["ok"] = {"got": body}
    assert story.differences() == differences


def test_a_body_that_does_not_come_is_missing_whatever_type_was_asked_for(made):
    story = made(*client(), *sending(1), CONSUMER, do("receive_body", on="k1", type="dict"))
    story.at("receive_body").clear()
    story.at("receive_body")["ok"] = {"got": None}
    assert story.differences() == [("receive_body", "missing")]


@pytest.mark.parametrize(
    ("body", "what"),
    [(["bytes", "01"], []), ({"raises": "JMSException"}, ["value raises"]), (["string", "x"], ["value body"])],
)
def test_an_array_of_bytes_may_be_given_as_serializable(made, body, what):
    story = made(*client(), do("message", "m1", on="c2", kind="bytes", body=[["byte", 1]]), do("bodies", on="m1"))
    story.at("bodies")["ok"]["serializable"]["body"] = body
    assert [each.what for each in story.compare().differences] == what


SUBSCRIBER = [do("topic", "t1"), do("connect", "c3", api="simplified", client_id="A")]
TERMS = {"on": "c3", "of": "t1", "kind": "durable", "name": "sub"}


def test_what_follows_a_refused_consumer_of_a_subscription_is_not_accused(made):
    story = made(*SUBSCRIBER, do("consumer", "k1", **TERMS, selector="i = 1"), do("close", on="k1"), do("consumer", "k2", **TERMS),
                 do("close", on="k2"), do("unsubscribe", on="c3", name="sub"))  # fmt: skip
    for name, nth in (("consumer", 1), ("unsubscribe", 0)):
        story.at(name, nth).clear()
        story.at(name, nth)["raises"] = "JMSRuntimeException"
    assert story.differences() == [("consumer", "refused")]
    story.at("consumer").clear()
    story.at("consumer")["raises"] = "InvalidSelectorRuntimeException"
    assert [each.step for each in story.compare().differences] == [2]


def message_and_send(number, **more):
    return [
        do("message", f"m{number}", on="c2", kind="bytes", **more),
        do("send", on="p9", to="q1", message=f"m{number}"),
    ]


def test_the_order_by_a_wrong_priority_is_accused_at_the_send(made):
    sends = [*message_and_send(1, properties=[["n", "int", 1]]), *message_and_send(2, properties=[["n", "int", 2]])]
    story = made(*client(), do("producer", "p9", on="c2"), *sends, CONSUMER, do("drain", on="k1"))
    story.got("drain").reverse()
    assert story.differences() == [("drain", "order")]
    story.at("send", 1)["ok"]["headers"]["JMSPriority"] = 7
    story.got("drain")[0]["headers"]["JMSPriority"] = 7
    assert story.differences() == [("send", "header JMSPriority")]


def test_a_message_that_the_provider_gave_a_time_to_live_may_be_gone(made):
    sends = message_and_send(1, properties=[["n", "int", 1]])
    story = made(*client(), do("producer", "p9", on="c2"), *sends, CONSUMER, do("drain", on="k1"))
    story.got("drain").pop()
    assert story.differences() == [("drain", "missing")]
    story.at("send")["ok"]["headers"]["JMSExpiration"] = "after 5 without a time to live"
    assert story.differences() == [("send", "header JMSExpiration")]


@pytest.mark.parametrize(("text", "differences"), [("a\0b", []), ("ab", [("drain", "body")])])
def test_nul_may_be_one_byte_or_two(made, text, differences):
    sends = message_and_send(1, body=[["utf", text]])
    story = made(*client(), do("producer", "p9", on="c2"), *sends, CONSUMER, do("drain", on="k1"))
    story.got("drain")[0]["body"] = [5, 5, ["bytes", "0003610062"]]
    assert story.differences() == differences


def test_what_a_refused_send_left_in_its_message_is_not_looked_at(made):
    story = made(*client(), do("producer", "p9", on="c2"), *message_and_send(1), do("look", on="m1"))
    story.at("send").clear()
    story.at("send")["raises"] = "JMSRuntimeException"
    story.at("look")["ok"]["headers"]["JMSDestination"] = None
    assert story.differences() == [("send", "refused")]


def test_a_refused_commit_opens_what_its_session_received_and_sent(made):
    steps = [RECEIVE, do("producer", "p2", on="c2"), do("send_body", on="p2", to="q2", body=["string", "x"])]
    third = [do("connect", "c3", api="simplified"), do("consumer", "k3", on="c3", of="q2"), do("drain", on="k3")]
    story = made(*client("transacted"), *sending(1), CONSUMER, *steps, do("commit", on="c2"), *third)
    story.at("commit").clear()
    story.at("commit").update({"raises": "TransactionRolledBackRuntimeException", "text": "no"})
    story.lose("drain")
    assert story.differences() == [("commit", "refused")]


# -- delivered before --------------------------------------------------------------------------------------------------


def rolled_back(made):
    return made(*client("transacted"), *sending(1), CONSUMER, RECEIVE, do("rollback", on="c2"), RECEIVE)


def test_a_redelivery_that_counts_twice_is_noticed(made):
    story = rolled_back(made)
    assert story.got("receive", 1)["properties"]["JMSXDeliveryCount"] == ["int", 2]
    counted(story.got("receive", 1), 3)
    assert story.differences() == FLAGGED[1:]


def test_what_a_consumer_had_fetched_when_it_closed_may_count_as_delivered(made):
    story = made(
        *client(),
        *sending(1),
        CONSUMER,
        do("close", on="k1"),
        do("consumer", "k2", on="c2", of="q1"),
        do("receive", on="k2"),
    )
    counted(story.got("receive"), 2)
    assert {each.rule for each in story.compare().allowed} == {"flagged"}
    assert story.differences() == []
    assert story.differences(prefetches=False) == FLAGGED
    counted(story.got("receive"), 3)
    assert story.differences() == FLAGGED[1:]


def test_a_message_that_was_sent_after_a_rollback_was_not_delivered_before(made):
    story = made(
        *client("transacted"), *sending(1), CONSUMER, RECEIVE, do("rollback", on="c2"), *sending(2), RECEIVE, RECEIVE
    )
    counted(story.got("receive", 2), 2)
    assert story.differences() == FLAGGED


def test_a_message_of_another_queue_was_not_delivered_before(made):
    steps = [do("connect", "c3", api="simplified"), do("consumer", "k3", on="c3", of="q2"), do("receive", on="k3")]
    story = made(
        *client("transacted"), *sending(1), *sending(2, to="q2"), CONSUMER, RECEIVE, do("rollback", on="c2"), *steps
    )
    counted(story.got("receive", 1), 2)
    assert story.differences() == FLAGGED


def test_one_that_waited_while_its_session_rolled_back_may_have_been_delivered(made):
    story = made(*client("transacted"), *sending(1, 2), CONSUMER, RECEIVE, do("rollback", on="c2"), RECEIVE, RECEIVE)
    counted(story.got("receive", 2), 2)
    assert story.differences() == []
    assert story.differences(prefetches=False) == FLAGGED


def test_what_was_shown_and_given_back_may_be_looked_at_later(made):
    story = made(*client("transacted"), *sending(1, 2), CONSUMER, RECEIVE, do("rollback", on="c2"), RECEIVE,
                 do("receive", "r2", on="k1"), do("look", on="r2"))  # fmt: skip
    counted(story.got("receive", 2), 2)
    counted(story.at("look")["ok"], 2)
    assert story.differences() == []
    counted(story.at("look")["ok"], 9)
    assert story.differences() == [("look", "property JMSXDeliveryCount")]
