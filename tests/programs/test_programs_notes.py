"""The state after each operation, as far as it decides about later calls, and the outcomes that it marks as open."""

import pytest
from programs_support import OK, browsed, do, drained, got, rules, view

from tck.programs.performing import annotate

QUEUE, TOPIC = do("queue", "q1"), do("topic", "t1")
C1, START = do("connect", "c1", api="classic", client_id="a"), do("start", on="c1")
S1, S2 = do("session", "s1", on="c1", mode="client"), do("session", "s2", on="c1", mode="transacted")
CLIENT = (QUEUE, TOPIC, C1, START, S1, S2)
SIMPLE = (QUEUE, TOPIC, do("connect", "x1", api="simplified", mode="client"))
K1, K2 = do("consumer", "k1", on="s1", of="q1"), do("consumer", "k2", on="s2", of="q1")
P1, B1 = do("producer", "p1", on="s2", to="q1"), do("browser", "b1", on="s1", of="q1")
MESSAGE = do("message", "m1", on="s1", kind="text", properties=[["n", "int", 1]])


def durable(name="k1", on="s1", **more):
    return do("consumer", name, on=on, of="t1", kind="durable", name_="sub", **more)


# -- connections, sessions ---------------------------------------------------------------------------------------------


def test_a_connection_begins_stopped_and_has_its_client_identifier():
    made = rules(C1).connections["c1"]
    assert (made.api, made.client_id, made.state, made.started, made.simplified) == (
        "classic",
        "a",
        "open",
        False,
        False,
    )


def test_a_context_is_a_session_too():
    found = rules(*SIMPLE)
    assert found.sessions["x1"].connection is found.connections["x1"]
    assert found.sessions["x1"].mode == "client"
    assert rules(do("connect", "x1", api="simplified")).sessions["x1"].mode == "auto"


def test_start_and_stop():
    assert rules(*CLIENT).connections["c1"].started
    stopped = rules(*CLIENT, do("stop", on="c1")).connections["c1"]
    assert (stopped.started, stopped.stopped) == (False, True)


def test_a_consumer_of_a_context_starts_it_unless_told_otherwise():
    consumer = do("consumer", "k1", on="x1", of="q1")
    assert rules(*SIMPLE, consumer).connections["x1"].started
    assert not rules(*SIMPLE).connections["x1"].started
    assert not rules(*SIMPLE, do("auto_start", on="x1", value=False), consumer).connections["x1"].started


def test_what_closes_with_a_session():
    found = rules(*CLIENT, K1, P1, B1, (do("receive", on="k1"), got(view())), do("close", on="s1"))
    assert found.sessions["s1"].state == found.consumers["k1"].state == found.browsers["b1"].state == "closed"
    assert found.sessions["s1"].held == {}
    assert found.producers["p1"].state == found.connections["c1"].state == "open"
    assert found.endpoints["q1"].consumers == set()


def test_what_closes_with_a_connection():
    temporary = do("temporary", "tq", on="s1", kind="queue")
    found = rules(*CLIENT, K1, P1, temporary, do("close", on="c1"))
    assert {found.sessions["s1"].state, found.consumers["k1"].state, found.producers["p1"].state} == {"closed"}
    assert found.destinations["tq"].deleted
    assert not found.destinations["q1"].deleted


def test_a_connection_closes_with_its_last_context():
    other = do("session", "x2", on="x1", mode="auto")
    assert rules(*SIMPLE, other, do("close", on="x1")).connections["x1"].state == "open"
    assert rules(*SIMPLE, other, do("close", on="x1"), do("close", on="x2")).connections["x1"].state == "closed"


@pytest.mark.parametrize("failure", [do("restart"), do("kill"), do("sever", on="c1"), do("sever", on="s1")])
def test_what_a_failure_loses(failure):
    other = do("connect", "c2", api="classic")
    closed = do("connect", "c3", api="classic"), do("close", on="c3")
    found = rules(*CLIENT, other, *closed, K1, (do("receive", on="k1"), got(view())), failure)
    assert {found.connections["c1"].state, found.sessions["s1"].state, found.consumers["k1"].state} == {"dead"}
    assert found.sessions["s1"].held == {}
    assert found.endpoints["q1"].consumers == set()
    assert found.connections["c2"].state == ("open" if failure.do == "sever" else "dead")
    assert found.connections["c3"].state == "closed"


# -- destinations and time ---------------------------------------------------------------------------------------------


def test_destinations():
    found = rules(*CLIENT, do("temporary", "tq", on="s1", kind="queue"))
    assert [(each.name, each.kind, each.temporary) for each in found.destinations.values()] == [
        ("q1", "queue", False),
        ("t1", "topic", False),
        ("tq", "queue", True),
    ]
    assert found.destinations["tq"].owner is found.connections["c1"]
    found.note(do("delete", on="tq"), OK)
    assert found.destinations["tq"].deleted


def test_names_that_are_taken():
    found = rules(*CLIENT, do("queue", "q2", name_="a b"), do("topic", on="s1", of="t1"))
    assert found.names == {"q1", "t1", "a b"}
    assert set(found.destinations) == {"q1", "t1", "q2"}


@pytest.mark.parametrize(
    ("settings", "send", "due"),
    [
        ([], {}, 0),
        ([], {"ttl": 3}, 3),
        ([("ttl", 4)], {}, 4),
        ([("ttl", 4)], {"ttl": 0}, 0),
        ([("delay", 2)], {}, 2),
        ([("delay", 2), ("ttl", 5)], {}, 5),
        ([("ttl", 1_000_000)], {}, 0),
        ([("ttl", 5), ("ttl", None)], {}, 0),
    ],
)
def test_a_send_falls_due(settings, send, due):
    steps = [do("set", on="p1", what=what, value=value) for what, value in settings]
    found = rules(*CLIENT, P1, *steps, do("send", on="p1", message="m1", **send))
    assert found.destinations["q1"].due == due
    found.note(do("advance", units=2), OK)
    assert found.destinations["q1"].due == max(0, due - 2)


def test_a_send_counts_for_the_destination_that_it_names():
    steps = do("producer", "p1", on="s2"), do("send", on="p1", message="m1", to="t1", ttl=3)
    assert [each.due for each in rules(*CLIENT, *steps).destinations.values()] == [0, 3]


# -- producers and messages --------------------------------------------------------------------------------------------


def test_producers():
    topical = (TOPIC, do("connect", "c1", api="topic"), do("session", "s1", on="c1"))
    assert rules(*topical, do("producer", "p1", on="s1", to="t1")).producers["p1"].publisher
    assert not rules(*topical, do("producer", "p1", on="s1", to="t1", plain=True)).producers["p1"].publisher
    assert not rules(*CLIENT, P1).producers["p1"].publisher
    assert rules(*CLIENT, P1).producers["p1"].destination.name == "q1"
    assert rules(*CLIENT, do("producer", "p1", on="s1")).producers["p1"].destination is None


def test_the_properties_of_a_producer():
    steps = [do("set", on="p1", what="property", name_=each, type="int", value=1) for each in "ab"]
    assert rules(*CLIENT, P1, *steps).producers["p1"].properties == {"a", "b"}
    assert rules(*CLIENT, P1, *steps, do("set", on="p1", what="clear_properties")).producers["p1"].properties == set()


def test_messages():
    made = rules(*CLIENT, MESSAGE).messages["m1"]
    assert (made.kind, made.foreign, made.sent, made.numbered) == ("text", False, False, True)
    made = rules(do("message", "m1", kind="map")).messages["m1"]
    assert (made.kind, made.foreign, made.numbered) == ("map", True, False)
    assert rules(*CLIENT, MESSAGE, P1, do("send", on="p1", message="m1")).messages["m1"].sent


@pytest.mark.parametrize(
    ("end", "left"), [(START, {"q1"}), (do("commit", on="s2"), set()), (do("rollback", on="s2"), set())]
)
def test_the_destinations_of_an_open_transaction(end, left):
    found = rules(*CLIENT, P1, do("send", on="p1", message="m1"), end)
    assert found.sessions["s2"].unsent == left
    plain = rules(*CLIENT, do("producer", "p1", on="s1", to="q1"), do("send", on="p1", message="m1"))
    assert plain.sessions["s1"].unsent == set()


# -- consumers and subscriptions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "key", "kind"),
    [
        ({"of": "q1"}, "q1", "queue"),
        ({"of": "t1"}, "plain k1", "plain"),
        ({"of": "t1", "kind": "shared", "name_": "sub"}, "shared a/sub", "shared"),
        ({"of": "t1", "kind": "durable", "name_": "sub"}, "durable a/sub", "durable"),
        ({"of": "t1", "kind": "shared_durable", "name_": "sub"}, "durable a/sub", "shared_durable"),
    ],
)
def test_the_endpoint_of_a_consumer(args, key, kind):
    found = rules(*CLIENT, do("consumer", "k1", on="s1", **args))
    assert found.ends["k1"] is found.endpoints[key] is found.consumers["k1"].end
    assert (found.ends["k1"].kind, found.ends["k1"].consumers) == (kind, {"k1"})
    found.note(do("close", on="k1"), OK)
    assert (key in found.endpoints) == found.ends["k1"].durable == (kind not in {"plain", "shared"})


def test_a_shared_subscription_ends_with_its_last_consumer():
    both = [do("consumer", each, on="s1", of="t1", kind="shared", name_="sub") for each in ("k1", "k2")]
    found = rules(*CLIENT, *both, do("close", on="k1"))
    assert found.endpoints["shared a/sub"].consumers == {"k2"}
    found.note(do("close", on="k2"), OK)
    assert found.endpoints == {}


def test_two_consumers_at_a_time_compete():
    assert not rules(*CLIENT, K1).ends["k1"].contended
    found = rules(*CLIENT, K1, K2)
    assert found.ends["k1"] is found.ends["k2"]
    assert found.ends["k1"].contended
    assert not rules(*CLIENT, K1, do("close", on="k1"), K2).ends["k2"].contended
    assert not rules(*CLIENT, *(do("consumer", each, on="s1", of="t1") for each in ("k1", "k2"))).ends["k1"].contended


@pytest.mark.parametrize(
    ("terms", "same"),
    [
        ({}, True),
        ({"selector": ""}, True),
        ({"selector": "a = 1"}, False),
        ({"no_local": True}, False),
        ({"of": "t2"}, False),
    ],
)
def test_a_subscription_is_resumed_by_the_same_terms_and_otherwise_replaced(terms, same):
    of = terms.get("of", "t1")
    steps = (do("topic", "t2"), durable(), do("close", on="k1"))
    found = rules(
        *CLIENT, *steps, do("consumer", "k2", on="s2", **{"of": of, "kind": "durable", "name_": "sub", **terms})
    )
    assert (found.ends["k1"] is found.ends["k2"]) == same
    assert found.endpoints["durable a/sub"] is found.ends["k2"]


def test_unsubscribe_ends_the_subscription():
    found = rules(*CLIENT, durable(), do("close", on="k1"))
    assert "durable a/sub" in found.endpoints
    found.note(do("unsubscribe", on="s1", name_="sub"), OK)
    assert found.endpoints == {}


# -- messages in hand --------------------------------------------------------------------------------------------------

TAKEN = [
    (do("receive", "r1", on="k1"), got(view())),
    (do("receive_body", on="k1", type="string"), got(["string", "x"])),
    (do("drain", on="k1"), drained(view())),
    (do("listen", on="k1"), {"ok": {"kept": True}}),
]
NOT_TAKEN = [
    (do("receive", "r1", on="k1"), got()),
    (do("receive_body", on="k1", type="string"), got()),
    (do("drain", on="k1"), drained()),
]


def consuming(mode, *steps):
    return rules(QUEUE, C1, do("session", "s1", on="c1", mode=mode), K1, *steps)


@pytest.mark.parametrize("step", TAKEN, ids=lambda each: each[0].do)
@pytest.mark.parametrize(
    ("mode", "holds"), [("client", True), ("transacted", True), ("auto", False), ("dups_ok", False)]
)
def test_a_session_has_in_hand_what_is_not_settled(step, mode, holds):
    assert ("q1" in consuming(mode, step).sessions["s1"].held) == holds


@pytest.mark.parametrize("step", NOT_TAKEN, ids=lambda each: each[0].do)
def test_nothing_is_in_hand_where_nothing_came(step):
    found = consuming("client", step)
    assert found.sessions["s1"].held == {}
    assert found.messages == {}


@pytest.mark.parametrize(
    ("mode", "step", "held"),
    [
        ("client", do("acknowledge", on="r1"), False),
        ("client", do("acknowledge", on="s1"), False),
        ("client", do("recover", on="s1"), True),
        ("transacted", do("commit", on="s1"), False),
        ("transacted", do("rollback", on="s1"), False),
        ("transacted", do("acknowledge", on="r1"), True),
    ],
)
def test_what_settles_a_session(mode, step, held):
    assert bool(consuming(mode, TAKEN[0], step).sessions["s1"].held) == held


@pytest.mark.parametrize(
    ("mode", "step", "epoch"),
    [
        ("client", do("acknowledge", on="r1"), 0),
        ("client", do("recover", on="s1"), 1),
        ("transacted", do("commit", on="s1"), 1),
        ("transacted", do("rollback", on="s1"), 1),
    ],
)
def test_a_message_knows_whether_it_was_taken_back(mode, step, epoch):
    found = consuming(mode, TAKEN[0], step)
    assert found.messages["r1"].receiver is found.sessions["s1"]
    assert found.sessions["s1"].epoch - found.messages["r1"].epoch == epoch


def test_a_listener_runs_while_its_connection_is_started():
    found = consuming("auto", do("listen", on="k1"))
    assert (found.sessions["s1"].running, found.listening()) == (False, False)
    found.note(START, OK)
    assert (found.sessions["s1"].running, found.listening()) == (True, True)
    found.note(do("unlisten", on="k1"), OK)
    assert (found.sessions["s1"].running, found.consumers["k1"].listening) == (False, False)


AWAIT, COLLECT = do("await", on="k1"), do("collect", "r1", on="k1")


def test_a_session_belongs_to_a_receive_that_waits_until_its_message_is_collected():
    assert consuming("client", START, AWAIT).sessions["s1"].running
    found = consuming("client", START, AWAIT, (COLLECT, got(view(kind="map"))))
    assert not found.sessions["s1"].running
    assert found.sessions["s1"].held.keys() == {"q1"}
    assert (found.messages["r1"].kind, found.messages["r1"].receiver) == ("map", found.sessions["s1"])


def test_a_receive_that_got_nothing_may_wait_until_its_consumer_is_closed():
    found = consuming("client", START, AWAIT, (COLLECT, got()))
    assert (found.sessions["s1"].running, found.overdue) == (True, {"k1"})
    assert (found.sessions["s1"].held, found.messages) == ({}, {})
    found.note(do("close", on="k1"), OK)
    assert (found.sessions["s1"].running, found.overdue) == (False, set())


@pytest.mark.parametrize("closed", ["k1", "s1", "c1"])
def test_the_end_of_a_wait_closes_what_it_names(closed):
    found = consuming("auto", do("close_waiting", on="k1", of=closed))
    assert found.consumers["k1"].state == "closed"
    assert (found.sessions["s1"].state == "open") == (closed == "k1")
    assert (found.connections["c1"].state == "open") == (closed != "c1")


def test_a_requestor_closes_its_session():
    queues = do("connect", "c1", api="queue"), START, do("session", "s1", on="c1", mode="auto")
    assert rules(*queues, do("request", on="s1")).sessions["s1"].closed


# -- browsers and what is open -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "stale"),
    [
        (MESSAGE, False),
        (do("next", on="e1"), False),
        (do("enumerate", "e2", on="b1"), False),
        (do("metadata", on="c1"), False),
        (do("on_exception", on="c1", value=True), False),
        (do("await", on="k1"), True),
        (do("send", on="p1", message="m1"), True),
        (do("browse", on="b1"), True),
        (do("header", on="m1", what="type", value="x"), True),
        (do("advance", units=1), True),
    ],
)
def test_an_enumeration_is_stale_once_its_queue_may_have_changed(step, stale):
    found = rules(
        *CLIENT, MESSAGE, P1, do("consumer", "k1", on="s2", of="q1"), B1, do("enumerate", "e1", on="b1"), step
    )
    assert found.browsers["e1"].stale == stale
    assert found.browsers["e1"].enumeration


def test_only_a_step_that_succeeded_makes_an_enumeration_stale():
    found = rules(*CLIENT, B1, do("enumerate", "e1", on="b1"), (P1, {"raises": "JMSException"}))
    assert not found.browsers["e1"].stale


def outcome(step, seen, *world):
    annotate(rules(*world), step, seen)
    return seen.get("open")


def test_which_outcomes_are_open():
    browse, following = do("browse", on="b1"), do("next", on="e1")
    select = do("select", on="s1", of="q1", selectors=["a = 1"])
    quiet = (*CLIENT, B1, do("enumerate", "e1", on="b1"))
    for step, seen in ((browse, browsed()), (following, got()), (select, {"ok": {}})):
        assert outcome(step, dict(seen), *quiet) is None
        assert outcome(step, dict(seen), *quiet, K1) == "in use"
        held = (K1, (do("receive", on="k1"), got(view())), do("close", on="k1"))
        assert outcome(step, dict(seen), *quiet, *held) == "in use"
    assert outcome(following, got(), *quiet, do("commit", on="s2")) == "in use"
    assert outcome(browse, browsed(), *quiet, do("commit", on="s2")) is None
    assert outcome(browse, {"raises": "JMSException"}, *quiet, K1) is None


def test_outcomes_of_competing_consumers_are_open():
    receive = do("receive", on="k1")
    assert outcome(receive, got(), *CLIENT, K1) is None
    assert outcome(receive, got(), *CLIENT, K1, K2) == "contended"
    assert outcome(receive, got(), *CLIENT, K1, K2, do("close", on="k2")) == "contended"
