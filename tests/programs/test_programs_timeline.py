"""The last event in the life of a message owns it where the message is missing, comes too much, or counts wrongly."""

import copy

import pytest
from programs_support import at_last
from story_support import Story, client, counted, do, partner, sending

from tck.blame.owners import owners_of

CONSUMER = do("consumer", "k1", on="c2", of="q1")
AGAIN = do("consumer", "k2", on="c2", of="q1")
RECEIVE, DRAIN = do("receive", "r1", on="k1"), do("drain", on="k1")
TRANSACTED = [do("connect", "c3", api="simplified", mode="transacted"), do("producer", "p3", on="c3"),
              do("send_many", on="p3", of="c3", to="q1", first=7, count=1)]  # fmt: skip
SUBSCRIPTION = {"on": "c4", "of": "t1", "kind": "durable", "name": "sub"}
DURABLE = [
    do("topic", "t1"),
    do("connect", "c4", api="simplified", client_id="A", mode="client"),
    do("consumer", "k4", **SUBSCRIPTION),
]


@pytest.fixture(scope="module")
def made():
    with partner() as found:
        yield lambda *steps: Story(found, *steps)


def owner(story):
    found = story.compare().differences[0]
    return " ".join(owners_of(found, story.expectation)[1])


@pytest.mark.parametrize(("mode", "row"), [("auto", "8.6-21"), ("dups_ok", "8.6-24")])
def test_a_message_that_is_lost_when_its_body_is_asked_for_as_another_type(made, mode, row):
    story = made(*client(mode), *sending(1), CONSUMER, do("receive_body", on="k1", type="dict"), DRAIN)
    assert "MessageFormat" in story.at("receive_body")["raises"]
    story.got("drain").pop()
    assert owner(story) == row


@pytest.mark.parametrize(
    ("mode", "steps", "row"),
    [
        ("auto", [CONSUMER, *sending(1), DRAIN], "6.2.12-1"),
        ("auto", [*sending(1), CONSUMER, DRAIN], "6.2.12-1 4.1.8-1"),
        ("transacted", [*sending(1), CONSUMER, RECEIVE, do("rollback", on="c2"), DRAIN], "6.2.7-6"),
        ("client", [*sending(1), CONSUMER, RECEIVE, do("recover", on="c2"), DRAIN], "6.2.10-20"),
        ("auto", [*sending(1), AGAIN, do("close", on="k2"), CONSUMER, DRAIN], "8.8-3"),
        ("auto", [*TRANSACTED, do("commit", on="c3"), CONSUMER, DRAIN], "6.2.7-3"),
        ("auto", [*sending(1), do("set", on="p1", what="delay", value=1), *sending(2), do("advance", units=1), CONSUMER, DRAIN], "7.9-5"),
        ("auto", [CONSUMER, do("stop", on="c2"), *sending(1), do("start", on="c2"), DRAIN], "6.1.5-6"),
        ("auto", [*DURABLE, *sending(1, to="t1"), do("receive", "r2", on="k4"), do("recover", on="c4"), do("drain", on="k4")], "6.2.10-21"),
        ("auto", [*DURABLE, do("close", on="k4"), *sending(1, to="t1"), do("consumer", "k5", **SUBSCRIPTION), do("drain", on="k5")], "8.3.3-5 4.2.2-20 4.2.2-23"),
    ],
)  # fmt: skip
def test_a_message_that_does_not_come(made, mode, steps, row):
    story = made(*client(mode), *steps)
    assert story.got("drain")
    story.got("drain").pop()
    assert owner(story) == row


@pytest.mark.parametrize(
    ("mode", "steps", "row"),
    [
        ("transacted", [RECEIVE, do("commit", on="c2")], "6.2.7-1"),
        ("client", [RECEIVE, do("acknowledge", on="r1")], "6.2.10-7"),
        ("auto", [RECEIVE, do("recover", on="c2")], "6.2.10-26"),
        ("auto", [RECEIVE], "6.2.10-1 6.2.12-1"),
        ("dups_ok", [RECEIVE], "6.2.12-1"),
        ("client", [RECEIVE, do("close", on="k1"), AGAIN], "8.8-14 8.8-13"),
    ],
)
def test_a_message_that_comes_once_more(made, mode, steps, row):
    story = made(*client(mode), *sending(1), CONSUMER, *steps, do("drain", on="k2" if AGAIN in steps else "k1"))
    story.got("drain").append(copy.deepcopy(story.got("receive")))
    assert owner(story) == row


@pytest.mark.parametrize(("failure", "row"), [("restart", "9.1-6"), ("kill", "9.1-6")])
def test_a_message_that_comes_once_more_after_a_failure_without_the_flag(made, failure, row):
    again = [do("connect", "c3", api="simplified"), do("consumer", "k3", on="c3", of="q1"), do("drain", on="k3")]
    story = made(*client("dups_ok"), *sending(1), CONSUMER, RECEIVE, do(failure), *again)
    story.at("drain")["ok"]["got"] = [copy.deepcopy(story.got("receive"))]
    assert owner(story) == row


@pytest.mark.parametrize(
    ("steps", "row"), [([], "6.2.7-4"), ([do("rollback", on="c3")], "6.2.7-5"), ([do("close", on="c3")], "6.2.15-14")]
)
def test_a_message_of_a_transaction_that_did_not_commit(made, steps, row):
    story = made(*client(), *sending(1), CONSUMER, RECEIVE, *TRANSACTED, *steps, DRAIN)
    message = copy.deepcopy(story.got("receive"))
    message["send"] = 1
    story.got("drain").append(message)
    assert owner(story) == row


@pytest.mark.parametrize(
    ("mode", "step", "flag", "count"),
    [("transacted", "rollback", "6.2.10-33", "6.2.10-34"), ("client", "recover", "6.2.10-31", "6.2.10-32")],
)
def test_flag_and_count_of_a_message_that_comes_again(made, mode, step, flag, count):
    story = made(*client(mode), *sending(1), CONSUMER, RECEIVE, do(step, on="c2"), do("receive", on="k1"))
    counted(story.got("receive", 1), 2, redelivered=False)
    assert owner(story) == flag
    counted(story.got("receive", 1), 1)
    assert owner(story) == count


def test_what_a_closed_client_had_not_acknowledged_may_be_discarded(made):
    classic = [do("connect", "c3", api="classic"), do("start", on="c3"), do("session", "s3", on="c3", mode="client")]
    steps = [*client(), *sending(1), *classic, do("consumer", "k3", on="s3", of="q1"), do("receive", "r3", on="k3"),
             do("close", on="c3"), CONSUMER, DRAIN]  # fmt: skip
    story = made(*steps)
    story.got("drain").pop()
    assert owner(story) == "6.1.8-31 9.1-5"


def test_a_flag_that_the_sender_has_set_comes_from_there(made):
    for headers, row in (({"redelivered": True}, "3.4.11-5 3.5.11-3"), ({}, "3.5.11-3")):
        message = do("message", "m1", on="c1", kind="text", headers=headers)
        story = made(*client(), message, do("send", on="p1", to="q1", message="m1"), CONSUMER, RECEIVE)
        story.got("receive")["headers"]["JMSRedelivered"] = True
        assert owner(story) == row


def test_a_count_that_is_one_too_many_since_the_sender_set_the_flag(made):
    for headers, row in (({"redelivered": True}, "3.4.11-5 3.5.11-2"), ({}, "6.2.10-34")):
        message = do("message", "m1", on="c1", kind="text", headers=headers)
        sent = [message, do("send", on="p1", to="q1", message="m1"), CONSUMER, RECEIVE]
        story = made(*client("transacted"), *sent, do("rollback", on="c2"), do("receive", on="k1"))
        counted(story.got("receive", 1), 3)
        assert owner(story) == row


@pytest.mark.parametrize(("count", "row"), [(1, "3.5.11-2"), (3, "")])
def test_a_count_is_wrong_after_the_close_of_a_session_only_below_two(made, count, row):
    steps = [do("message", "m1", on="c1", kind="text"), do("send", on="p1", to="q1", message="m1"), CONSUMER, RECEIVE]
    again = do("receive", "r2", on="k3")
    story = made(
        *client("client"), *steps, do("close", on="c2"), TRANSACTED[0], do("consumer", "k3", on="c3", of="q1"), again
    )
    counted(story.got("receive", 1), count)
    found = story.compare()
    assert [" ".join(owners_of(each, story.expectation)[1]) for each in found.differences] == ([row] if row else [])
    assert [each.rule for each in found.allowed] == ([] if row else ["count"])


@pytest.mark.parametrize(("foreign", "rows"), [(True, "7.6-4 3.12-3"), (False, "7.6-4")])
def test_a_header_that_the_producer_sets_on_a_message_of_another_implementation(made, foreign, rows):
    message = do("message", "m1", on=None if foreign else "c1", kind="text")
    steps = [do("set", on="p1", what="reply_to", value="q2"), message, do("send", on="p1", to="q1", message="m1")]
    story = made(*client(), *steps, CONSUMER, RECEIVE)
    story.got("receive")["headers"]["JMSReplyTo"] = None
    assert owner(story) == rows


def test_a_failed_read_that_moves_the_position(made):
    message = do("message", "m1", on="c1", kind="stream", body=[["bytes", "61"], ["string", "x"]])
    steps = [message, do("reset", on="m1"), do("attempts", on="m1", types=["float", "bytes", "string"])]
    story = made(*client(), *steps)
    story.at("attempts")["ok"] = [{each: {"raises": "MessageFormatException"} for each in ("float", "bytes", "string")}]
    assert owner(story) == "3.11.3-6 3.11.3-15 3.11.3-5"


def test_what_was_delivered_since_a_message_was_acknowledged_is_covered_by_it_again(made):
    acknowledge = do("acknowledge", on="r1")
    story = made(*client("client"), *sending(1, 2), CONSUMER, RECEIVE, acknowledge, do("receive", "r2", on="k1"),
                 acknowledge, DRAIN)  # fmt: skip
    story.got("drain").append(copy.deepcopy(story.got("receive", 1)))
    assert owner(story) == "6.2.10-10"


@pytest.mark.parametrize(
    ("selector", "row"),
    [
        ("JMSPriority > 3", "3.8.1.1-35"),
        ("JMSTimestamp > 0", "3.8.1.1-37"),
        ("n = 1 OR 'JMSPriority' = 'x'", "3.8.1-2 6.2.12-2 4.2.2-2"),
    ],
)
def test_a_subscription_by_a_header_misses_a_message(made, selector, row):
    subscribed = [do("topic", "t1"), do("consumer", "k1", on="c2", of="t1", selector=selector)]
    story = made(*client(), *subscribed, *sending(1, to="t1"), DRAIN)
    story.got("drain").pop()
    assert owner(story) == row


def test_a_message_with_half_a_surrogate_pair_does_not_come(made):
    half = do("message", "m1", on="c1", kind="text", properties=[["p", "string", "\ud83d"]])
    story = made(*client(), CONSUMER, half, do("send", on="p1", message="m1", to="q1"), DRAIN)
    story.got("drain").pop()
    assert owner(story) == "3.5.2-8"


# -- what happened to the message of a call ---------------------------------------------------------------------------------


def test_a_property_that_was_cleared():
    made = do("message", "m1", kind="text")
    cleared, look = do("clear_properties", on="m1"), do("look", on="m1")
    assert at_last([made, cleared, look], "property JMSXGroupID", "None", "['string', 'g']") == ("3.5.7-1",)
    assert at_last([made, cleared, look], "property JMSXGroupID", "['string', 'g']", "None") == ("3.5.9-4",)
    assert at_last([made, cleared, look], "property ADDED", "None", "['string', 'g']") == ("3.5.10-1",)
    assert at_last([made, look], "property JMSXGroupID", "None", "['string', 'g']") == ("3.5.9-4",)
    other = do("clear_properties", on="m2")
    assert at_last([made, other, look], "property JMSXGroupID", "None", "['string', 'g']") == ("3.5.9-4",)


def test_a_message_whose_consumer_was_closed_is_acknowledged():
    receive, acknowledge = do("receive", "m1", on="k1"), do("acknowledge", on="m1")
    assert at_last([receive, do("close", on="k1"), acknowledge], "refused") == ("8.8-13",)
    assert at_last([receive, do("close", on="k2"), acknowledge], "refused") == ("3.6-1",)


def test_a_delivery_time_that_is_gone_after_a_restart():
    receive = do("receive", on="k1")
    for failure in ("after restart", "after kill"):
        assert at_last([receive], "header JMSDeliveryTime", "'sent'", "'never'", [failure]) == ("3.4.13-5", "3.4.13-2")
    assert at_last([receive], "header JMSDeliveryTime", "'sent'", "'never'") == ("3.4.13-2",)


@pytest.mark.parametrize(
    ("given", "row"),
    [
        ({"properties": [["p", "string", "a\ud83d"]]}, "3.5.2-8"),
        ({"body": ["string", "\udc00"]}, "3.11-5"),
        ({"body": ["string", "\U0001f600"]}, "7.2-1"),
    ],
)
def test_a_send_of_half_a_surrogate_pair_is_refused(given, row):
    steps = [do("message", "m1", on="s1", kind="text", **given), do("send", on="p1", message="m1")]
    assert at_last(steps, "refused") == (row,)
