"""Correlation identifiers in bytes: what receivers and senders are shown of them, and what is compared."""

import pytest
from story_support import Story, do, partner

from tck.blame.owners import owners_of
from tck.explore.collection import _presumed

BYTES = "JMSCorrelationIDAsBytes"
SHOWN = ["bytes", "00ff"]
SEND = do("send", on="p1", message="m1", to="q1")
DRAIN = do("drain", on="k1")


@pytest.fixture(scope="module")
def reference():
    with partner() as found:
        yield found


def world(*steps, headers=(("correlation_native", "00ff"),)):
    """A queue, a producer, a consumer, and a message with a correlation identifier in bytes."""
    return [
        do("queue", "q1"), do("connect", "c1", api="simplified"), do("producer", "p1", on="c1"),
        do("message", "m1", on="c1", kind="text", headers=dict(headers)),
        do("connect", "c2", api="classic"), do("start", on="c2"), do("session", "s2", on="c2"),
        do("consumer", "k1", on="s2", of="q1"), *steps,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("how", "view"),
    [
        ([SEND, do("receive", "r1", on="k1")], lambda story: story.got("receive")),
        ([SEND, DRAIN], lambda story: story.got("drain")[0]),
        ([SEND, do("browser", "b1", on="s2", of="q1"), do("browse", on="b1")], lambda story: story.at("browse")["ok"]["shown"][0]),
        ([do("listen", on="k1"), SEND], lambda story: story.at("send")["delivered"]["by"]["k1"][0]),
        ([SEND], lambda story: story.at("send")["ok"]),
        ([SEND, do("look", on="m1")], lambda story: story.at("look")["ok"]),
    ],
    ids=["receive", "drain", "browse", "listener", "sender", "look"],
)  # fmt: skip
def test_bytes_are_shown_in_place_of_the_text_and_other_bytes_are_noticed(reference, how, view):
    story = Story(reference, *world(*how))
    headers = view(story)["headers"]
    assert headers[BYTES] == SHOWN
    assert "JMSCorrelationID" not in headers
    headers["JMSCorrelationID"] = ["string", "whatever the provider makes of it"]
    assert story.differences() == []
    headers[BYTES] = ["null", None]
    assert [owners_of(each, story.expectation)[1][0] for each in story.compare().differences] == ["3.4.5-4"]


def test_a_received_message_is_sent_on_with_its_bytes(reference):
    story = Story(
        reference, *world(SEND, do("receive", "r1", on="k1"), do("send", on="p1", message="r1", to="q1"), DRAIN)
    )
    assert story.got("drain")[0]["headers"][BYTES] == SHOWN


@pytest.mark.parametrize(
    "step",
    [
        do("header", on="m1", what="correlation", value="text"),
        do("set", on="p1", what="correlation", value="text"),
    ],
)
def test_text_that_takes_the_place_of_the_bytes_is_shown_as_text(reference, step):
    story = Story(reference, *world(step, SEND, DRAIN))
    for each in (story.at("send")["ok"], story.got("drain")[0]):
        assert each["headers"]["JMSCorrelationID"] == ["string", "text"]
        assert BYTES not in each["headers"]


SET = do("set", on="p1", what="correlation_native", value="00ff")


@pytest.mark.parametrize("headers", [{}, {"correlation": "text"}, {"correlation_native": "61"}])
def test_the_bytes_of_a_jmsproducer_take_the_place_of_what_the_message_has(reference, headers):
    again = [do("producer", "p2", on="c1"), do("send", on="p2", message="m1", to="q1")]
    story = Story(reference, *world(SET, SEND, *again, DRAIN, headers=headers.items()))
    assert story.at("set")["ok"] == {"chained": True}
    for each in (story.at("send")["ok"], *story.got("drain")):
        assert each["headers"][BYTES] == SHOWN
    assert len(story.got("drain")) == 2
    story.got("drain")[0]["headers"][BYTES] = ["null", None]
    assert [owners_of(each, story.expectation)[1] for each in story.compare().differences] == [("7.6-5",)]


def test_the_owner_of_bytes_that_a_jmsproducer_refuses(reference):
    story = Story(reference, *world(SET, headers={}))
    story.at("set").clear()
    story.at("set")["raises"] = "UnsupportedOperationException"
    assert [owners_of(each, story.expectation)[1] for each in story.compare().differences] == [("7.6-5",)]


def test_a_message_of_another_jmsproducer_has_no_bytes(reference):
    many = [do("send_many", on=on, of="c1", to="q1", first=1, count=1) for on in ("p1", "p2")]
    story = Story(reference, *world(do("producer", "p2", on="c1"), SET, *many, DRAIN, headers={}))
    assert [each["headers"].get(BYTES) for each in story.got("drain")] == [SHOWN, None]


def test_a_program_with_bytes_presumes_that_they_are_claimed():
    assert _presumed([SET]) == ("native-correlation-id",)
    assert _presumed([do("set", on="p1", what="correlation", value="text")]) == ()


def test_the_bytes_of_older_programs_are_not_shown(reference):
    story = Story(reference, *world(SEND, DRAIN, headers=[("correlation_bytes", "00ff")]))
    assert BYTES not in story.got("drain")[0]["headers"]
