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
TIMED = do("send", on="p9", message="m9", ttl=3)
BESIDE = (*RUNNING, do("session", "s9", on="c1", mode="auto"), do("producer", "p9", on="s9", to="q1"))
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
BYTES = do("set", on="p1", what="correlation_native", value="00ff")
WITH_BYTES = (*SIMPLE, do("producer", "p1", on="x1"), BYTES)
TWIN = do("exception", kind="JMSRuntimeException", reason="x", code="c")
HIDES = do("set", on="p1", what="disable_id", value=True)

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
    (STOPPED, POOL),
    (MANAGED, do("branch", "b1", on="x9", what="start")),
    ((*MANAGED, do("branch", "b1", on="x9", what="start")), do("branch", on="x9", of="b1", what="end")),
    (session("client"), do("pool", "k3", on="c1", session="s1", of="t1", does="acknowledge")),
    ((*CLIENT, POOL, PAUSE), do("close", on="k3")),
    ((*CLIENT, POOL, PAUSE, do("close", on="k3")), do("close", on="s1")),
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
    (QUEUES, OVERRIDE),
    ((*QUEUES, OVERRIDE), do("override", of="q1", priority=1, ttl=2, delay=1)),
    ((*PRESCRIBED, KILL), do("override", of="q1", priority=0)),
    ((*PRESCRIBED, M1), do("send", on="p1", message="m1")),
    ((*UNSENT, M1), do("fail_commit", on="s1")),
    (session("transacted", K1, RECEIVED), do("fail_commit", on="s1")),
    ((*CLIENT, P1, M1), FAIL_SENDS),
    (FAILED, do("send", on="p1", message="m1")),
    (FAILED, FAIL_SENDS),
    ((*FAILED, do("send", on="p1", message="m1")), do("look", on="m1")),
    (CLIENT, NATIVE),
    (WITH_BYTES, BYTES),
    (WITH_BYTES, do("message", "m2", on="x1", kind="text", headers={"correlation_native": "00ff"})),
    (session("client"), do("pool", "k3", on="c1", session="s1", of="t1", does="throw")),
    (QUEUES, do("exception", kind="MessageEOFException", reason=None)),
    (QUEUES, TWIN),
    (CLIENT, do("provoke", on="s1", what="commit")),
    (session("transacted"), do("provoke", on="s1", what="recover")),
]  # fmt: skip
