"""Connection consumers in programs: what they deliver, what they leave, and who owns what differs."""

import copy

import pytest
from story_support import Story, do, partner

from tck.blame.owners import owners_of
from tck.programs.members import member_of
from tck.programs.program import Program

PAUSE = do("advance", units=0)


@pytest.fixture(scope="module")
def made():
    with partner() as found:
        yield lambda *steps: Story(found, *steps)


def server(mode="auto", api="classic", **client):
    """Return a queue, a topic, a producer, and a session for a pool."""
    return [
        do("queue", "q1"), do("topic", "t1"),
        do("connect", "c1", api="simplified"), do("producer", "p1", on="c1"),
        do("connect", "c2", api=api, **client), do("start", on="c2"), do("session", "s2", on="c2", mode=mode),
    ]  # fmt: skip


def pool(of="q1", **more):
    return do("pool", "k2", on="c2", session="s2", of=of, **more)


def sending(count=1, to="q1", first=1):
    return [do("send_many", on="p1", of="c1", to=to, first=first, count=count)]


def drained(of="q1", **more):
    return [do("connect", "c3", api="simplified"), do("consumer", "k3", on="c3", of=of, **more), do("drain", on="k3")]


def given(story):
    """Return the numbers of the sends whose messages the connection consumer delivered."""
    return [view["send"] for each in story.seen for view in each.get("delivered", {}).get("by", {}).get("k2", ())]


def left(story):
    return [view["send"] for view in story.got("drain")]


# -- what they deliver -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 10])
def test_all_messages_come_to_the_server_session_in_order(made, most):
    story = made(*server(), *sending(3), pool(most=most), *sending(2, first=4))
    assert story.at("pool")["ok"] == {"pool": True}
    assert given(story) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", ["plain", "shared", "durable", "shared_durable"])
def test_each_kind_of_subscription_feeds_it(made, kind):
    named = {} if kind == "plain" else {"kind": kind, "name": "sub"}
    story = made(*server(client_id="A"), *sending(to="t1"), pool("t1", **named), *sending(2, "t1"))
    assert given(story) == [1, 2]


@pytest.mark.parametrize(("api", "of"), [("queue", "q1"), ("topic", "t1")])
def test_a_domain_connection_has_it_too(made, api, of):
    assert given(made(*server(api=api), pool(of), *sending(2, of))) == [0, 1]


def test_a_selector_lets_through_what_it_asks_for(made):
    story = made(*server(), pool(selector="n = 2"), *sending(3), PAUSE, do("close", on="k2"), *drained())
    assert (given(story), left(story)) == ([1], [0, 2])


def test_a_stopped_connection_delivers_nothing_until_it_starts(made):
    story = made(*server(), do("stop", on="c2"), pool(), *sending(2), PAUSE, do("start", on="c2"), PAUSE)
    assert given(story) == [0, 1]
    assert not any(each.get("delivered", {}).get("by") for each in story.seen[:-2])


@pytest.mark.parametrize(
    ("mode", "does", "again"),
    [("auto", "take", []), ("client", "acknowledge", []), ("transacted", "commit", []), ("client", "take", [0]), ("transacted", "take", [0]),
     ("client", "throw", [0]), ("transacted", "throw", [0])],
)  # fmt: skip
def test_what_was_not_settled_is_redelivered_once_the_session_is_closed(made, mode, does, again):
    closing = [PAUSE, do("close", on="k2"), do("close", on="s2")]
    story = made(*server(mode), pool(does=does), *sending(), *closing, *sending(first=2), *drained())
    assert given(story) == [0]
    assert left(story) == [*again, 1]


@pytest.mark.parametrize("most", [1, 3])
def test_a_listener_that_throws_is_given_the_next_message(made, most):
    story = made(*server("client"), *sending(3), pool(does="throw", most=most), *sending(first=4))
    assert given(story) == [0, 1, 2, 3]


def test_a_durable_subscription_outlives_it(made):
    durable = {"kind": "durable", "name": "sub"}
    closing = [PAUSE, do("close", on="k2"), *sending(to="t1", first=2), do("session", "s4", on="c2", mode="auto")]
    story = made(
        *server(client_id="A"), pool("t1", **durable), *sending(to="t1"), *closing,
        do("consumer", "k3", on="s4", of="t1", **durable), do("drain", on="k3"),
    )  # fmt: skip
    assert (given(story), left(story)) == ([0], [1])


def test_a_subscription_that_it_uses_is_left_alone(made):
    durable = {"kind": "durable", "name": "sub"}
    with partner() as found:
        expectation = found.run(
            Program((
                *server(client_id="A"), pool("t1", **durable), do("session", "s4", on="c2", mode="auto"),
                do("consumer", "k3", on="s4", of="t1", **durable),
            ))
        )  # fmt: skip
    assert "counts as a consumer" in (expectation.unclear or "")


# -- what differs ------------------------------------------------------------------------------------------------------


def owner(story):
    found = story.compare().differences[0]
    return " ".join(owners_of(found, story.expectation)[1])


def views(story):
    return next(each["delivered"]["by"]["k2"] for each in story.seen if each.get("delivered", {}).get("by"))


@pytest.mark.parametrize(
    ("of", "more", "api", "row"),
    [
        ("q1", {}, "classic", "11.2.4-1 11.2.1-2"),
        ("q1", {}, "queue", "11.2.4-2"),
        ("t1", {}, "topic", "11.2.4-2"),
        ("t1", {"kind": "durable", "name": "sub"}, "classic", "11.2.4-8"),
        ("t1", {"kind": "shared", "name": "sub"}, "classic", "11.2.4-9"),
        ("t1", {"kind": "shared_durable", "name": "sub"}, "classic", "11.2.4-10"),
    ],
)
def test_the_owner_of_a_message_that_it_does_not_deliver(made, of, more, api, row):
    story = made(*server(api=api, client_id="A"), pool(of, **more), *sending(2, of))
    views(story).pop(0)
    assert owner(story) == row


def test_the_owner_of_a_message_that_its_selector_keeps_out(made):
    story = made(*server(), pool(selector="n = 2"), *sending(3))
    extra = copy.deepcopy(views(story)[0])
    extra["send"] = 2
    views(story).append(extra)
    assert owner(story) == "11.2.4-3"


def test_the_owner_of_messages_in_another_order(made):
    story = made(*server(), pool(), *sending(2))
    views(story).reverse()
    assert owner(story) == "6.2.9.1-2"


@pytest.mark.parametrize(("does", "what"), [("take", "lost"), ("acknowledge", "again")])
def test_how_it_was_settled_decides_who_owns_a_loss_or_a_redelivery(made, does, what):
    closing = [PAUSE, do("close", on="k2"), do("close", on="s2")]
    story = made(*server("client"), pool(does=does), *sending(), *closing, *drained())
    if what == "lost":
        story.lose("drain")
    else:
        story.got("drain").append(copy.deepcopy(views(story)[0]))
    assert owner(story) == "11.2.7-2"


def test_the_owner_of_a_pool_that_is_another(made):
    story = made(*server(), pool())
    story.at("pool")["ok"] = {"pool": False}
    assert owner(story) == "11.2.4-15"


def test_a_rival_leaves_open_who_receives(made):
    story = made(
        *server(),
        pool(),
        PAUSE,
        do("connect", "c3", api="simplified"),
        do("consumer", "k3", on="c3", of="q1"),
        *sending(4),
    )
    assert story.expectation.ends["k2"]["contended"]
    for each in story.seen:
        if "delivered" in each:
            each["delivered"]["by"].pop("k2", None)
    assert story.differences() == []


@pytest.mark.parametrize(
    ("api", "kind", "member"),
    [
        ("classic", "plain", "Connection.create_connection_consumer"),
        ("queue", "plain", "QueueConnection.create_connection_consumer"),
        ("topic", "durable", "TopicConnection.create_durable_connection_consumer"),
        ("classic", "shared_durable", "Connection.create_shared_durable_connection_consumer"),
    ],
)
def test_the_member_that_it_calls(api, kind, member):
    steps = (*server(api=api), pool(kind=kind))
    assert member_of(Program(steps), len(steps) - 1) == member
