"""What an administrator prescribes, and sends and commits that fail: calls on the reference provider, comparison, owners."""

import pytest
from story_support import Story, do, partner

from tck.blame.owners import owners_of

DURABLE = {"on": "c2", "of": "t1", "kind": "shared_durable", "name": "sub"}


@pytest.fixture(scope="module")
def reference():
    with partner() as found:
        yield found


def world(mode="auto", api="simplified"):
    """Two queues, a topic, a producer of an interface and a context that consumes from the first queue."""
    classic = [do("connect", "c1", api="classic"), do("session", "s1", on="c1", mode=mode)]
    return [
        do("queue", "q1"), do("queue", "q2"), do("topic", "t1"),
        *([do("connect", "s1", api="simplified", mode=mode)] if api == "simplified" else classic),
        do("producer", "p1", on="s1"), do("message", "m1", on="s1", kind="text", body=["string", "x"], properties=[["n", "int", 1]]),
        do("connect", "c2", api="simplified"), do("consumer", "k1", on="c2", of="q1"),
    ]  # fmt: skip


SEND = do("send", on="p1", message="m1", to="q1")
DRAIN = do("drain", on="k1")


def rows(story):
    return [owners_of(each, story.expectation)[1][0] for each in story.compare().differences]


# -- what is prescribed ------------------------------------------------------------------------------------------------


def headers(story, nth=0):
    """Return the headers of a send's message and of the first one that came."""
    return story.at("send", nth)["ok"]["headers"], story.got("drain")[0]["headers"]


@pytest.mark.parametrize("to", ["q1", "t1"])
@pytest.mark.parametrize(
    ("values", "header", "shown"),
    [
        ({"mode": 1}, "JMSDeliveryMode", 1),
        ({"priority": 0}, "JMSPriority", 0),
        ({"priority": 9}, "JMSPriority", 9),
        ({"ttl": 3}, "JMSExpiration", "send + 3 units"),
        ({"ttl": 0}, "JMSExpiration", "never"),
    ],
)
def test_both_ends_show_what_is_prescribed_and_not_what_the_client_asks_for(reference, to, values, header, shown):
    story = Story(
        reference, *world(), do("consumer", "k2", **DURABLE), do("override", of=to, **values),
        *(do("set", on="p1", what=what, value=value) for what, value in (("mode", 2), ("priority", 4), ("ttl", 1))),
        do("send", on="p1", message="m1", to=to), do("drain", on="k1" if to == "q1" else "k2"),
    )  # fmt: skip
    sender, receiver = headers(story)
    assert sender[header] == shown
    assert receiver[header] == ("sent" if header == "JMSExpiration" else shown)


def test_a_prescribed_delay_holds_a_message_back_and_one_of_zero_does_not(reference):
    story = Story(
        reference, *world(), do("override", of="q1", delay=2), do("override", of="q2", delay=0), do("set", on="p1", what="delay", value=1),
        do("consumer", "k2", on="c2", of="q2"), SEND, do("send", on="p1", message="m1", to="q2"),
        DRAIN, do("drain", on="k2"), do("advance", units=2), DRAIN,
    )  # fmt: skip
    assert [len(story.got("drain", nth)) for nth in range(3)] == [0, 1, 1]
    assert story.at("send")["ok"]["headers"]["JMSDeliveryTime"] == "send + 2 units"
    assert story.at("send", 1)["ok"]["headers"]["JMSDeliveryTime"] == "send"


def test_a_prescribed_time_to_live_decides_what_expires(reference):
    story = Story(
        reference, *world(), do("override", of="q1", ttl=0), do("override", of="q2", ttl=1), do("set", on="p1", what="ttl", value=1),
        do("consumer", "k2", on="c2", of="q2"), SEND, do("set", on="p1", what="ttl", value=5),
        do("send", on="p1", message="m1", to="q2"), do("advance", units=2), DRAIN, do("drain", on="k2"),
    )  # fmt: skip
    assert [len(story.got("drain", nth)) for nth in range(2)] == [1, 0]


def test_what_is_prescribed_counts_among_the_choices_of_a_send(reference):
    story = Story(reference, *world(), do("set", on="p1", what="mode", value=1), SEND, do("override", of="q1", mode=2, priority=9), SEND, DRAIN)  # fmt: skip
    first, second = story.expectation.sends
    assert "asked" not in first
    # It may be lost as the client allows, whatever the administrator says.
    assert (second["mode"], second["priority"], second["asked"]) == (1, 9, [1, 4, 0, 0])


@pytest.mark.parametrize("at", ["send", "drain"])
@pytest.mark.parametrize(
    ("values", "header", "other", "row"),
    [
        ({"mode": 1}, "JMSDeliveryMode", 2, "3.4.12-2"),
        ({"priority": 0}, "JMSPriority", 4, "3.4.12-2"),
        ({"ttl": 3}, "JMSExpiration", "never", "3.4.12-2"),
        ({"delay": 0}, "JMSDeliveryTime", "send + 1 units", "3.4.12-3"),
    ],
)
def test_a_header_that_shows_the_clients_value_is_noticed(reference, at, values, header, other, row):
    story = Story(reference, *world(), do("override", of="q1", **values), SEND, DRAIN)
    found = story.at("send")["ok"] if at == "send" else story.got("drain")[0]
    found["headers"][header] = other
    assert rows(story) == [row]


def test_what_is_prescribed_for_one_queue_owns_no_header_of_another(reference):
    story = Story(reference, *world(), do("override", of="q2", priority=0), SEND, DRAIN)
    story.at("send")["ok"]["headers"]["JMSPriority"] = 0
    assert rows(story) == ["7.4-10"]


@pytest.mark.parametrize("values", [[1, 8], [8, 1]])
def test_the_order_of_messages_that_asked_for_other_priorities_is_open(reference, values):
    sends = [step for value in values for step in (do("set", on="p1", what="priority", value=value), SEND)]
    story = Story(reference, *world(), do("override", of="q1", priority=5), *sends, DRAIN)
    story.got("drain").reverse()
    assert story.differences() == []


def test_the_order_of_messages_that_asked_for_the_same_is_kept(reference):
    story = Story(reference, *world(), do("override", of="q1", priority=5), SEND, SEND, DRAIN)
    story.got("drain").reverse()
    assert story.differences() == [("drain", "order")]


# -- commits that fail -------------------------------------------------------------------------------------------------


def failing(reference, api="simplified", *more):
    """Send two messages in a transaction whose commit fails, then one in the next transaction."""
    return Story(
        reference,
        *world("transacted", api),
        SEND,
        SEND,
        do("fail_commit", on="s1"),
        DRAIN,
        *more,
        SEND,
        do("commit", on="s1"),
        DRAIN,
    )


@pytest.mark.parametrize(
    ("api", "raised"),
    [("classic", "TransactionRolledBackException"), ("simplified", "TransactionRolledBackRuntimeException")],
)
def test_a_commit_that_fails_raises_and_delivers_nothing_and_the_next_one_works(reference, api, raised):
    story = failing(reference, api)
    assert story.at("fail_commit")["ok"] == {"raised": raised}
    assert [[each["send"] for each in story.got("drain", nth)] for nth in range(2)] == [[], [2]]


def received(reference):
    """Receive two messages in a transaction whose commit fails; receive again and commit."""
    return Story(
        reference, *world(), do("connect", "c3", api="simplified", mode="transacted"), SEND, SEND, do("close", on="k1"),
        do("consumer", "k3", on="c3", of="q1"), do("receive", "r1", on="k3"), do("fail_commit", on="c3"),
        do("drain", on="k3"), do("commit", on="c3"), do("drain", on="k3"),
    )  # fmt: skip


def test_what_a_commit_that_fails_had_received_is_redelivered(reference):
    story = received(reference)
    came = [(each["send"], each["headers"]["JMSRedelivered"]) for each in story.got("drain")]
    assert sorted(came) == [(0, True), (1, False)]
    assert story.got("drain", 1) == []


@pytest.mark.parametrize("other", [None, "JMSRuntimeException", "TransactionRolledBackException"])
def test_a_commit_that_fails_and_raises_something_else_is_noticed(reference, other):
    story = failing(reference)
    story.at("fail_commit")["ok"]["raised"] = other
    assert rows(story) == ["6.2.7-20"]


def test_what_follows_from_a_commit_that_did_not_fail_is_left_out(reference):
    story = failing(reference)
    story.at("fail_commit")["ok"]["raised"] = None
    story.at("drain")["ok"]["got"] = story.got("drain", 1)
    assert rows(story) == ["6.2.7-20"]


def test_a_message_of_a_failed_commit_that_comes_all_the_same_is_noticed(reference):
    story = failing(reference)
    story.at("drain")["ok"]["got"] = [{**story.got("drain", 1)[0], "send": 0}]
    assert rows(story)[0] == "6.2.7-20"


def test_a_message_that_is_not_redelivered_after_a_failed_commit_is_noticed(reference):
    story = received(reference)
    story.got("drain")[:] = [each for each in story.got("drain") if each["send"] != 0]
    assert rows(story) == ["6.2.7-20"]


def test_a_message_that_a_failed_commit_had_taken_back_unseen_may_be_flagged(reference):
    story = received(reference)
    (unseen,) = (each for each in story.got("drain") if each["send"] == 1)
    unseen["headers"]["JMSRedelivered"] = True
    unseen["properties"]["JMSXDeliveryCount"] = ["int", 2]
    assert story.differences() == []


# -- sends that fail ---------------------------------------------------------------------------------------------------


def sends(reference, api="simplified", count=2, **how):
    fail = do("fail_sends", on="p1", message="m1", to="q1", count=count, **how)
    return Story(reference, *world("auto", api), fail, SEND, *sending_on(api), DRAIN)


def sending_on(api):
    """Return one more send, which succeeds."""
    return [] if api == "classic" else [do("send_many", on="p1", of="s1", to="q1", first=5, count=1)]


@pytest.mark.parametrize("api", ["classic", "simplified"])
@pytest.mark.parametrize("how", [{}, {"async": True}])
def test_sends_fail_so_many_times_and_then_succeed(reference, api, how):
    story = sends(reference, api, **how)
    assert story.at("fail_sends")["ok"]["failed"] == [True, True]
    family = "of the send" if how else "JMSException" if api == "classic" else "JMSRuntimeException"
    assert story.at("fail_sends")["ok"]["family"] == [family, family]
    assert [each["send"] for each in story.got("drain")] == list(range(len(story.got("drain"))))
    assert len(story.got("drain")) == (1 if api == "classic" else 2)


@pytest.mark.parametrize(
    ("how", "what", "other", "row"),
    [
        ({}, "failed", False, "7.2-5"),
        ({}, "family", "JMSException", "10.2-2"),
        ({"async": True}, "failed", None, "7.3-10"),
        ({"async": True}, "family", "of another", "7.3-10"),
    ],
)
def test_a_send_that_fails_otherwise_is_noticed(reference, how, what, other, row):
    story = sends(reference, count=1, **how)
    story.at("fail_sends")["ok"][what] = [other]
    assert rows(story)[0] == row


def test_later_sends_keep_their_numbers_where_one_did_not_fail(reference):
    story = sends(reference, count=1)
    story.at("fail_sends")["ok"] = {"failed": [False], "family": ["none"]}
    for each in story.got("drain"):
        each["send"] += 1
    assert rows(story) == ["7.2-5"]


def test_a_checked_exception_of_another_class_is_no_difference(reference):
    """Which exception a send that fails raises is the provider's choice; the reference provider's is a ResourceAllocationException."""
    story = sends(reference, "classic")
    assert "ResourceAllocation" not in str(story.expectation.seen)
