"""Legality: each operation's check lets through what is laid down, and refuses what is open, with its reason."""

import pytest
from programs_support import OK, do, got, rules, view

from tck.programs.operations import OPERATIONS
from tck.programs.state.objects import OpenOutcome

C1, START, S1 = do("connect", "c1", api="classic"), do("start", on="c1"), do("session", "s1", on="c1", mode="auto")
C2, S2 = do("connect", "c2", api="classic"), do("session", "s2", on="c2", mode="auto")
QUEUES = (do("queue", "q1"), do("queue", "q2"), do("topic", "t1"))
CLIENT = (*QUEUES, C1, START, S1)
STOPPED = (*QUEUES, C1, S1)
TWO = (*CLIENT, C2, S2)
SIMPLE = (*QUEUES, do("connect", "x1", api="simplified"))
CONTEXTS = (*SIMPLE, do("session", "x2", on="x1", mode="auto"))
KILL = do("kill")
DEAD = (*CLIENT, KILL)
CLOSED = (*CLIENT, do("close", on="s1"))
K1, P1, B1 = (
    do("consumer", "k1", on="s1", of="q1"),
    do("producer", "p1", on="s1", to="q1"),
    do("browser", "b1", on="s1", of="q1"),
)
LISTEN = do("listen", on="k1")
PAUSE = do("advance", units=0)
RUNNING = (*CLIENT, do("producer", "p1", on="s1", to="q1"), B1, K1, LISTEN, PAUSE)
AWAIT, COLLECT = do("await", on="k1"), do("collect", "m9", on="k1")
WAITING = (*TWO, K1, AWAIT)
STOP = do("stop", on="c1")
SENT = (do("producer", "p2", on="s2", to="q1"), do("send", on="p2", message="m9"))
NOTHING_CAME = (*WAITING, (COLLECT, got()))
M1 = do("message", "m1", on="s1", kind="text")
FOREIGN = (*CLIENT, do("message", "m1", kind="text"))
RECEIVED = (do("receive", "r1", on="k1"), got(view()))
TEMPORARY = (*TWO, do("temporary", "tq", on="s1", kind="queue"))
GONE = (*TEMPORARY, do("delete", on="tq"))
HEARD = (*CLIENT, do("on_exception", on="c1", value=True))
BROKEN = do("sever", on="c1")
PROBLEMS = do("problems", on="c1")
DELAYED = (*CLIENT, K1, B1, P1, do("send", on="p1", message="m9", mode=2, priority=4, ttl=3))


def session(mode, *steps, api="classic"):
    return (*QUEUES, do("connect", "c1", api=api), START, do("session", "s1", on="c1", mode=mode), *steps)


def durable(name="k1", on="s1", of="t1", **more):
    return do("consumer", name, on=on, of=of, kind="durable", name_="sub", **more)


IN_HAND = session(
    "client",
    durable(),
    (do("drain", on="k1"), {"ok": {"got": [1]}}),
    do("close", on="k1"),
    do("session", "s2", on="c1"),
)
TOPIC_IN_HAND = session(
    "client",
    durable(),
    (do("drain", on="k1"), {"ok": {"got": [1]}}),
    do("close", on="k1"),
    do("session", "s2", on="c1"),
    api="topic",
)
UNSENT = session(
    "transacted",
    do("producer", "p1", on="s1", to="t1"),
    do("send", on="p1", message="m1"),
    do("session", "s2", on="c1"),
)

LEGAL = [
    (QUEUES, C1),
    ((do("connect", "c1", api="classic", client_id="a"),), do("connect", "c2", api="classic", client_id="b")),
    ((do("connect", "c1", api="classic", client_id="a"), do("close", on="c1")), do("connect", "c2", api="classic", client_id="a")),
    (CLIENT, do("session", "s3", on="c1")),
    (STOPPED, START),
    (CLIENT, do("stop", on="c1")),
    (SIMPLE, do("auto_start", on="x1", value=False)),
    (RUNNING, do("stop", on="c1")),
    (RUNNING, do("close", on="s1")),
    (RUNNING, do("close", on="k1")),
    ((*CLIENT, P1), do("close", on="p1")),
    (NOTHING_CAME, do("close", on="k1")),
    ((*NOTHING_CAME, do("close", on="k1")), K1),
    (CLIENT, do("queue", on="s1", of="q1")),
    (QUEUES, do("queue", "q3", name_="Q1")),
    (QUEUES, do("topic", "t2", name_="a b")),
    (CLIENT, do("topic", on="s1", of="t1")),
    (CLIENT, do("temporary", "tq", on="s1", kind="queue")),
    (TEMPORARY, do("delete", on="tq")),
    (CLIENT, M1),
    (RUNNING, do("message", "m2", kind="text")),
    (FOREIGN, do("header", on="m1", what="type", value="x")),
    (FOREIGN, do("property", on="m1", name_="a", type="int", value=1)),
    ((*CLIENT, M1), do("property", on="m1", name_="", type="int", value=1)),
    ((*CLIENT, M1), do("write", on="m1", body=["string", "x"])),
    ((*CLIENT, M1), do("clear_body", on="m1")),
    ((*CLIENT, M1), do("clear_properties", on="m1")),
    ((*CLIENT, M1), do("reset", on="m1")),
    (CLIENT, P1),
    (CLOSED, P1),
    (GONE, do("producer", "p1", on="s1", to="tq")),
    ((*CLIENT, P1), do("set", on="p1", what="delay", value=1)),
    ((*CLIENT, P1, do("close", on="s1")), do("set", on="p1", what="ttl", value=1)),
    ((*CLIENT, P1), do("send", on="p1", message="m1")),
    ((*CLIENT, P1), do("send", on="p1", message="m1", async_=True)),
    ((*session("auto", do("producer", "p1", on="s1", to="t1"), api="topic"),), do("send", on="p1", message="m1", publish=True)),
    ((*FOREIGN, P1), do("send", on="p1", message="m1")),
    ((*SIMPLE, do("producer", "p1", on="x1")), do("send_body", on="p1", to="q1", body=["string", "x"])),
    ((*CLIENT, P1), do("send_many", on="p1", of="s1", count=2, first=1)),
    (CLIENT, K1),
    (CLOSED, K1),
    (CLIENT, do("consumer", "k1", on="s1", of=None)),
    ((*CLIENT, do("temporary", "tt", on="s1", kind="topic"), do("close", on="s1")), durable(of="tt")),
    ((*UNSENT, do("topic", "t2")), do("consumer", "k1", on="s2", of="t2")),
    (UNSENT, do("consumer", "k1", on="s2", of="q1")),
    (CLIENT, do("consumer", "k1", on="s1", of="t1", kind="shared", name_="sub")),
    (CLIENT, do("consumer", "k1", on="s1", of="t1", no_local=True)),
    (IN_HAND, durable("k2", on="s2")),
    ((*SIMPLE, do("stop", on="x1"), do("auto_start", on="x1", value=False)), do("consumer", "k1", on="x1", of="q1")),
    ((*CLIENT, durable(), do("close", on="k1")), do("unsubscribe", on="s1", name_="sub")),
    (CLIENT, do("unsubscribe", on="s1", name_="never")),
    ((*CLIENT, K1), do("receive", on="k1")),
    ((*CLIENT, K1, do("close", on="k1")), do("receive", on="k1")),
    ((*STOPPED, K1, LISTEN, do("consumer", "k2", on="s1", of="q2"), do("close", on="k2")), do("receive", on="k2")),
    ((*CLIENT, K1), do("receive_body", on="k1", type="string")),
    (DELAYED, do("drain", on="k1")),
    ((*CLIENT, K1), AWAIT),
    ((*CLIENT, K1, AWAIT, (COLLECT, got(view()))), AWAIT),
    (WAITING, COLLECT),
    ((*CLIENT, K1), do("close_waiting", on="k1", of="c1")),
    ((*CONTEXTS, do("consumer", "k1", on="x1", of="q1")), do("close_waiting", on="k1", of="x1")),
    ((*CLIENT, K1), LISTEN),
    ((*CLIENT, K1, do("close", on="k1")), do("listen", on="k1", does="acknowledge")),
    ((*session("client", K1),), do("listen", on="k1", does="acknowledge")),
    ((*session("transacted", K1),), do("listen", on="k1", does="commit")),
    ((*STOPPED, K1, LISTEN), do("unlisten", on="k1")),
    (CLIENT, B1),
    ((*CLIENT, B1), do("browse", on="b1")),
    ((*CLIENT, B1), do("enumerate", "e1", on="b1")),
    ((*CLIENT, B1, do("enumerate", "e1", on="b1")), do("next", on="e1")),
    (CLIENT, do("select", on="s1", of="q1", selectors=["a = 1"])),
    (FOREIGN, do("look", on="m1")),
    ((*CLIENT, M1), do("reads", on="m1", what="property")),
    ((*CLIENT, P1), do("reads", on="p1", what="property")),
    ((*CLIENT, M1), do("items", on="m1", types=["int"])),
    ((*CLIENT, M1), do("attempts", on="m1", types=["int"])),
    ((*CLIENT, M1), do("bodies", on="m1")),
    (FOREIGN, do("get", on="m1", what="text")),
    ((*CLIENT, K1, do("close", on="k1")), do("get", on="k1", what="message_selector")),
    ((*CLIENT, K1), do("state", on="k1")),
    (CLIENT, do("state", on="c1")),
    (CLIENT, do("metadata", on="c1")),
    (SIMPLE, do("metadata", on="x1")),
    (CLIENT, do("on_exception", on="c1", value=True)),
    (CONTEXTS, do("on_exception", on="x2", value=False)),
    ((*HEARD, BROKEN), PROBLEMS),
    (WAITING, STOP),
    ((*WAITING, STOP), do("waits", on="k1")),
    ((*WAITING, STOP, *SENT), do("waits", on="k1")),
    ((*WAITING, STOP, *SENT), START),
    ((*HEARD, (do("commit", on="s1"), {"raises": "IllegalStateException"})), PROBLEMS),
    (session("client", K1, RECEIVED), do("acknowledge", on="r1")),
    (session("client", K1, RECEIVED, do("close", on="s1")), do("acknowledge", on="r1")),
    (SIMPLE, do("acknowledge", on="x1")),
    (CLIENT, do("recover", on="s1")),
    (CLOSED, do("recover", on="s1")),
    (session("transacted"), do("commit", on="s1")),
    (session("auto"), do("rollback", on="s1")),
    (session("auto", api="queue"), do("request", on="s1")),
    (QUEUES, do("advance", units=1)),
    (QUEUES, do("restart")),
    (QUEUES, KILL),
    (CLIENT, do("sever", on="c1")),
]  # fmt: skip

LOST = "was lost in a failure"
CHANCE = "left to chance"
GIVEN = "is open"
THREAD = "belongs to the thread"

OPEN = [
    ((do("connect", "c1", api="classic", client_id="a"),), do("connect", "c2", api="classic", client_id="a"), "in use"),
    (DEAD, do("session", "s3", on="c1"), LOST),
    (DEAD, START, LOST),
    (DEAD, do("stop", on="c1"), LOST),
    (DEAD, do("close", on="c1"), LOST),
    (DEAD, do("close", on="s1"), LOST),
    ((*CLIENT, K1, KILL), do("close", on="k1"), LOST),
    (RUNNING, do("close", on="p1"), THREAD),
    (RUNNING, do("close", on="b1"), THREAD),
    ((*STOPPED, K1, LISTEN, START), do("close", on="k1"), CHANCE),
    ((*CLIENT, K1, LISTEN), do("stop", on="c1"), CHANCE),
    ((*CLIENT, K1, LISTEN), do("restart"), CHANCE),
    ((*CLIENT, K1, LISTEN), KILL, CHANCE),
    ((*CLIENT, K1, LISTEN), do("sever", on="c1"), CHANCE),
    (WAITING, do("close", on="k1"), GIVEN),
    ((*WAITING, *SENT), STOP, GIVEN),
    ((*TWO, *SENT, K1, AWAIT), STOP, GIVEN),
    (WAITING, do("restart"), GIVEN),
    (WAITING, KILL, GIVEN),
    (WAITING, do("sever", on="c1"), GIVEN),
    (DEAD, do("queue", on="s1", of="q1"), LOST),
    (QUEUES, do("queue", "q3", name_="t1"), "same destination"),
    ((*QUEUES, do("queue", "q3", name_="a b")), do("topic", "t2", name_="a b"), "same destination"),
    (RUNNING, do("topic", on="s1", of="t1"), THREAD),
    (RUNNING, do("temporary", "tq", on="s1", kind="queue"), THREAD),
    (CLIENT, do("delete", on="q1"), "delete"),
    (GONE, do("delete", on="tq"), "delete"),
    ((*TEMPORARY, do("close", on="c1")), do("delete", on="tq"), "delete"),
    (session("client", do("temporary", "tq", on="s1", kind="queue"), do("consumer", "k1", on="s1", of="tq"), RECEIVED), do("delete", on="tq"), "in hand"),
    (RUNNING, M1, THREAD),
    (FOREIGN, do("property", on="m1", name_="", type="int", value=1), "foreign"),
    (FOREIGN, do("property", on="m1", name_="a", type="unsupported"), "foreign"),
    ((*FOREIGN, P1, do("send", on="p1", message="m1")), do("property", on="m1", name_="a", type="int", value=1), "foreign"),
    (FOREIGN, do("write", on="m1", body=["string", "x"]), "foreign"),
    (FOREIGN, do("clear_body", on="m1"), "foreign"),
    (FOREIGN, do("clear_properties", on="m1"), "foreign"),
    (FOREIGN, do("reset", on="m1"), "foreign"),
    (DEAD, P1, LOST),
    ((*TEMPORARY, do("close", on="c1")), do("producer", "p2", on="s2", to="tq"), "is gone"),
    (GONE, do("producer", "p2", on="s2", to="tq"), "is gone"),
    ((*SIMPLE, do("producer", "p1", on="x1"), do("close", on="x1")), do("set", on="p1", what="ttl", value=1), "only send"),
    (RUNNING, do("set", on="p1", what="ttl", value=1), THREAD),
    (RUNNING, do("send", on="p1", message="m1"), THREAD),
    ((*CLIENT, P1), do("send", on="p1", message="m1", publish=True), "TopicPublisher"),
    ((*session("auto", do("producer", "p1", on="s1", to="t1", plain=True), api="topic"),), do("send", on="p1", message="m1", publish=True), "TopicPublisher"),
    ((*SIMPLE, do("message", "m1", kind="text"), do("producer", "p1", on="x1"), do("set", on="p1", what="property", name_="a", type="int", value=1)), do("send", on="p1", to="q1", message="m1"), "foreign"),
    ((*TEMPORARY, do("producer", "p2", on="s2"), do("delete", on="tq")), do("send", on="p2", to="tq", message="m1"), "is gone"),
    ((*TEMPORARY, do("producer", "p2", on="s2", to="tq"), do("delete", on="tq")), do("send", on="p2", message="m1"), "is gone"),
    (RUNNING, do("send_body", on="p1", body=["string", "x"]), THREAD),
    ((*CLIENT, P1, do("close", on="p1")), do("send_many", on="p1", of="s1", count=2, first=1), "nothing to be learned"),
    ((*TWO, P1, do("close", on="s2")), do("send_many", on="p1", of="s2", count=2, first=1), "nothing to be learned"),
    (RUNNING, do("consumer", "k2", on="s1", of="q1"), THREAD),
    (CLIENT, do("consumer", "k1", on="s1", of="q1", no_local=True), "noLocal"),
    (CLIENT, do("consumer", "k1", on="s1", of="q1", kind="shared", name_="sub"), "noLocal"),
    ((*SIMPLE, do("stop", on="x1")), do("consumer", "k1", on="x1", of="q1"), "starts what was stopped"),
    (UNSENT, do("consumer", "k1", on="s2", of="t1"), "committed after"),
    ((*CLIENT, do("temporary", "tt", on="s1", kind="topic")), durable(of="tt"), "temporary topics"),
    (IN_HAND, durable("k2", on="s2", selector="a = 1"), "in hand"),
    (TOPIC_IN_HAND, durable("k2", on="s2"), "TopicSession"),
    (GONE, do("consumer", "k1", on="s2", of="tq"), "is gone"),
    ((*CLIENT, durable()), do("unsubscribe", on="s1", name_="sub"), "in use"),
    (IN_HAND, do("unsubscribe", on="s2", name_="sub"), "in use"),
    (RUNNING, do("receive", on="k1"), THREAD),
    ((*STOPPED, K1, LISTEN), do("receive", on="k1"), "listener"),
    ((*STOPPED, K1, LISTEN), do("receive_body", on="k1", type="string"), "listener"),
    ((*TEMPORARY, do("consumer", "k1", on="s1", of="tq"), do("delete", on="tq")), do("drain", on="k1"), "destination is gone"),
    (WAITING, AWAIT, THREAD),
    (RUNNING, AWAIT, THREAD),
    ((*STOPPED, K1), AWAIT, "nothing can come"),
    ((*STOPPED, K1, LISTEN), AWAIT, "nothing can come"),
    ((*CLIENT, K1, do("close", on="k1")), AWAIT, "nothing can come"),
    ((*TEMPORARY, do("consumer", "k1", on="s1", of="tq"), do("delete", on="tq")), AWAIT, "destination is gone"),
    (WAITING, do("receive", on="k1"), THREAD),
    ((*CLIENT, K1), COLLECT, "nothing waits"),
    ((*WAITING, (COLLECT, got(view()))), COLLECT, "nothing waits"),
    (NOTHING_CAME, COLLECT, "nothing waits"),
    ((*NOTHING_CAME, do("close", on="k1")), COLLECT, "how the receive has ended"),
    ((*CLIENT, K1, do("close", on="k1")), do("close_waiting", on="k1", of="s1"), "nothing waits"),
    ((*TWO, K1, do("consumer", "k2", on="s2", of="q1")), do("close_waiting", on="k1", of="s1"), "nothing waits"),
    ((*TWO, K1), do("close_waiting", on="k1", of="c2"), "would not end"),
    ((*CONTEXTS, do("consumer", "k1", on="x2", of="q1")), do("close_waiting", on="k1", of="x1"), "would not end"),
    ((*CLIENT, K1, LISTEN), LISTEN, THREAD),
    ((*STOPPED, K1, LISTEN), LISTEN, "change a listener"),
    ((*CLIENT, K1), do("listen", on="k1", does="acknowledge"), "nothing to settle"),
    ((*session("client", K1),), do("listen", on="k1", does="commit"), "nothing to settle"),
    ((*CLIENT, K1, do("close", on="k1")), do("unlisten", on="k1"), "nothing to be learned"),
    (RUNNING, do("browser", "b2", on="s1", of="q1"), THREAD),
    (CLIENT, do("browser", "b2", on="s1", of="t1"), "nothing to browse"),
    ((*STOPPED, B1), do("browse", on="b1"), "left open"),
    ((*CLIENT, B1, do("close", on="b1")), do("browse", on="b1"), "left open"),
    ((*TEMPORARY, do("browser", "b2", on="s1", of="tq"), do("delete", on="tq")), do("browse", on="b2"), "queue is gone"),
    ((*STOPPED, B1), do("enumerate", "e1", on="b1"), "left open"),
    ((*CLIENT, B1, do("enumerate", "e1", on="b1"), do("stop", on="c1")), do("next", on="e1"), "left open"),
    (STOPPED, do("select", on="s1", of="q1", selectors=["a = 1"]), "left open"),
    (CLOSED, do("select", on="s1", of="q1", selectors=["a = 1"]), "left open"),
    (CLIENT, do("select", on="s1", of="t1", selectors=["a = 1"]), "nothing to browse"),
    (session("auto", api="topic"), do("select", on="s1", of="q1", selectors=["a = 1"]), "left open"),
    (FOREIGN, do("reads", on="m1", what="property"), "foreign"),
    ((*CLIENT, P1, do("close", on="p1")), do("reads", on="p1", what="property"), "left open"),
    (RUNNING, do("reads", on="p1", what="property"), "left open"),
    (FOREIGN, do("items", on="m1", types=["int"]), "foreign"),
    (FOREIGN, do("attempts", on="m1", types=["int"]), "foreign"),
    (FOREIGN, do("bodies", on="m1"), "foreign"),
    ((*CLIENT, B1, do("close", on="b1")), do("get", on="b1", what="queue"), "left open"),
    ((*SIMPLE, do("producer", "p1", on="x1"), do("close", on="x1")), do("get", on="p1", what="priority"), "left open"),
    (DEAD, do("get", on="c1", what="client_id"), LOST),
    (CLOSED, do("state", on="s1"), "closed, or in use"),
    (RUNNING, do("state", on="s1"), "closed, or in use"),
    (RUNNING, do("state", on="k1"), "closed, or in use"),
    ((*CLIENT, B1, do("enumerate", "e1", on="b1")), do("state", on="e1"), "closed, or in use"),
    (DEAD, do("metadata", on="c1"), LOST),
    (CLIENT, do("metadata", on="s1"), "only a connection or context"),
    ((*CLIENT, do("close", on="c1")), do("metadata", on="c1"), "closed, or in use"),
    (DEAD, do("on_exception", on="c1", value=True), LOST),
    (CLIENT, do("on_exception", on="s1", value=True), "only a connection or context"),
    ((*SIMPLE, do("consumer", "k1", on="x1", of="q1"), LISTEN, PAUSE), do("on_exception", on="x1", value=True), "closed, or in use"),
    (WAITING, do("waits", on="k1"), "is open"),
    ((*TWO, K1, STOP), do("waits", on="k1"), "nothing waits"),
    (CLIENT, PROBLEMS, "no exception listener"),
    (HEARD, PROBLEMS, "nothing has happened"),
    ((*HEARD, KILL), PROBLEMS, "is open"),
    ((*STOPPED, do("on_exception", on="c1", value=True), BROKEN), PROBLEMS, "no link"),
    ((*HEARD, K1, do("listen", on="k1", does="throw"), PAUSE, BROKEN), PROBLEMS, "throws may be reported"),
    ((*CLIENT, M1), do("acknowledge", on="m1"), "not in hand"),
    (session("client", K1, RECEIVED, do("recover", on="s1")), do("acknowledge", on="r1"), "not in hand"),
    (session("transacted", K1, RECEIVED, do("commit", on="s1")), do("acknowledge", on="r1"), "not in hand"),
    (session("client", K1, RECEIVED, KILL), do("acknowledge", on="r1"), "not in hand"),
    (session("auto", K1, RECEIVED, do("close", on="s1")), do("acknowledge", on="r1"), "ignore"),
    (session("dups_ok"), do("recover", on="s1"), "lazily"),
    (RUNNING, do("recover", on="s1"), THREAD),
    (RUNNING, do("commit", on="s1"), THREAD),
    (DEAD, do("rollback", on="s1"), LOST),
    (CLIENT, do("request", on="s1"), "domain"),
    (session("client", api="queue"), do("request", on="s1"), "automatic"),
    (session("auto", K1, api="queue"), do("request", on="s1"), "automatic"),
    (DEAD, do("sever", on="c1"), LOST),
]  # fmt: skip


@pytest.mark.parametrize(("world", "step"), LEGAL, ids=[f"{n}-{each[1].do}" for n, each in enumerate(LEGAL)])
def test_a_step_that_is_legal(world, step):
    rules(*world).check(step)


@pytest.mark.parametrize(("world", "step", "why"), OPEN, ids=[f"{n}-{each[1].do}" for n, each in enumerate(OPEN)])
def test_a_step_whose_outcome_is_open(world, step, why):
    with pytest.raises(OpenOutcome, match=why):
        rules(*world).check(step)


NARROW = [
    (QUEUES, C1, {"apis": ("simplified",)}, "classic is not claimed"),
    (CLIENT, do("consumer", "k1", on="s1", of="t1", kind="shared", name_="sub"), {"modern": False}, "no shared"),
    ((*CLIENT, P1), do("set", on="p1", what="delay", value=1), {"modern": False}, "no delays"),
    ((*CLIENT, P1), do("send", on="p1", message="m1", async_=True), {"modern": False}, "no asynchronous"),
    (QUEUES, do("restart"), {"hooks": ("kill",)}, "hook restart"),
    (QUEUES, KILL, {"hooks": ("restart",)}, "hook kill"),
    (DELAYED, do("receive", on="k1"), {"virtual": False}, "changes by itself"),
    (DELAYED, do("receive_body", on="k1", type="string"), {"virtual": False}, "changes by itself"),
    (DELAYED, do("drain", on="k1"), {"virtual": False}, "changes by itself"),
    (DELAYED, AWAIT, {"virtual": False}, "changes by itself"),
    (WAITING, do("advance", units=1), {"virtual": False}, "collect it first"),
    (DELAYED, do("close_waiting", on="k1", of="s1"), {"virtual": False}, "changes by itself"),
    (
        CLIENT,
        do("consumer", "k1", on="s1", of="q1", selector="JMSTimestamp = {time m1}"),
        {"virtual": False},
        "one timestamp",
    ),
    (QUEUES, do("queue", "q3", name_="a b"), {"virtual": False}, "its own affair"),
    (QUEUES, do("topic", "t2", name_="a b"), {"virtual": False}, "its own affair"),
    (NOTHING_CAME, do("producer", "p2", on="s2", to="q1"), {"virtual": False}, "may still wait"),
    (DELAYED, do("browse", on="b1"), {"virtual": False}, "changes by itself"),
    (DELAYED, do("select", on="s1", of="q1", selectors=["a = 1"]), {"virtual": False}, "changes by itself"),
]


@pytest.mark.parametrize(
    ("world", "step", "capabilities", "why"), NARROW, ids=[f"{n}-{each[1].do}" for n, each in enumerate(NARROW)]
)
def test_a_step_that_the_provider_cannot_do(world, step, capabilities, why):
    rules(*world).check(step)
    with pytest.raises(OpenOutcome, match=why):
        rules(*world, **capabilities).check(step)


def test_each_operation_has_an_example_here():
    checked = {name for name, each in OPERATIONS.items() if each.check is not None}
    assert {step.do for _, step in LEGAL} == set(OPERATIONS)
    assert {each[1].do for each in (*OPEN, *NARROW)} == checked


def test_a_step_that_raised_or_was_skipped_changes_nothing():
    found = rules(*CLIENT, (K1, {"raises": "JMSException"}), (P1, {"skipped": "s1"}))
    assert (found.consumers, found.producers) == ({}, {})
    assert rules(*CLIENT, (K1, OK)).consumers.keys() == {"k1"}
