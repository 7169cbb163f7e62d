"""Worlds in which the tests of legality take a step, and steps that many of them take."""

from programs_support import do, got, view

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
MANAGED = (*QUEUES, do("connect", "x9", api="simplified", xa=True))
POOL = do("pool", "k3", on="c1", session="s1", of="q1")
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

OVERRIDE = do("override", of="q1", priority=9)
PRESCRIBED = (*CLIENT, P1, OVERRIDE)
FAIL_SENDS = do("fail_sends", on="p1", message="m1", count=2)
FAILED = (*CLIENT, P1, M1, FAIL_SENDS)

NATIVE = do("message", "m2", on="s1", kind="text", headers={"correlation_native": "00ff"})
CORRELATED = "JMSCorrelationID = 'x'"
TWIN = do("exception", kind="JMSRuntimeException", reason="x", code="c")
HIDES = do("set", on="p1", what="disable_id", value=True)
