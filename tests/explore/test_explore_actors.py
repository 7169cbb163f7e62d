"""Exploration finds out providers that tell the wrong exception listener, or that tie objects to threads."""

import threading

import pytest
from explore_support import explorer

from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import JMSException
from tck.programs.program import Program, Step

FIRST = (
    {"do": "queue", "as": "q1"}, {"do": "connect", "as": "c1", "api": "classic"}, {"do": "start", "on": "c1"},
    {"do": "session", "as": "s1", "on": "c1", "mode": "auto"},
)  # fmt: skip
HEARD = {"do": "on_exception", "on": "c1", "value": True}
CUT = {"do": "sever", "on": "c1"}
PROBLEMS = {"do": "problems", "on": "c1"}
REFUSED = {"do": "consumer", "as": "z1", "on": "s1", "of": "q1", "selector": "a = = 1"}
LISTENING = (
    {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"},
    {"do": "listen", "on": "k1", "does": "take"},
    {"do": "advance", "units": 0},
)


@pytest.mark.parametrize(
    ("saboteur", "steps", "row"),
    [
        ("6.1.7-1", (HEARD, *LISTENING, CUT), "6.1.7-1"),
        ("6.1.7-2", (HEARD, CUT), "6.1.7-2"),
        ("6.1.7-5", (HEARD, HEARD, CUT), "6.1.7-5"),
        ("6.1.7-10", (HEARD, REFUSED), "6.1.7-10"),
    ],
)
def test_a_provider_that_tells_the_wrong_exception_listener_is_found_out(saboteur, steps, row):
    program = Program(tuple(Step.from_json(each) for each in (*FIRST, *steps, PROBLEMS)))
    with explorer(saboteur) as found:
        expectation, _, differences = found.replay(program)
    assert expectation.unclear is None
    assert row in {each for difference in differences for each in difference.rows}


# -- a second thread ---------------------------------------------------------------------------------------------------

SECOND = (
    {"do": "session", "as": "s2", "on": "c1", "mode": "transacted", "by": "second"},
    {"do": "producer", "as": "p2", "on": "s2", "to": "q1"}, {"do": "message", "as": "m1", "on": "s2", "kind": "text", "by": "second"},
    {"do": "send", "on": "p2", "message": "m1"}, {"do": "commit", "on": "s2", "by": "second"},
    {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"}, {"do": "receive", "as": "m2", "on": "k1", "by": "second"},
)  # fmt: skip


def replayed(*steps):
    with explorer() as found:
        expectation, ran, differences = found.replay(Program(tuple(Step.from_json(each) for each in (*FIRST, *steps))))
    assert expectation.unclear is None
    return expectation, ran, differences


def test_a_second_thread_does_what_the_first_does():
    expectation, _, differences = replayed(*SECOND)
    assert differences == []
    assert expectation.seen[-1]["ok"]["got"]["send"] == 0


def watched(monkeypatch, owner, name, before):
    """Call `before` with the object and what the method returned."""
    original = getattr(owner, name)

    def call(self, *args, **more):
        result = original(self, *args, **more)
        before(self, result)
        return result

    monkeypatch.setattr(owner, name, call)


def test_the_second_thread_of_a_program_is_one_thread(monkeypatch):
    made, committed = [], []
    watched(monkeypatch, ReferenceConnection, "create_session", lambda *_: made.append(threading.current_thread().name))
    watched(monkeypatch, ReferenceSession, "commit", lambda *_: committed.append(threading.current_thread().name))
    replayed(*SECOND)
    assert made == ["explore", "explore-second"]
    assert committed == ["explore-second"]


def test_a_provider_that_ties_a_session_to_the_thread_that_made_it_is_found_out(monkeypatch):
    makers = {}

    def tied(producer, _):
        if makers[id(producer.session)][0] != threading.get_ident():
            raise JMSException("another thread made the session")

    watched(
        monkeypatch,
        ReferenceConnection,
        "create_session",
        lambda _, session: makers.update({id(session): (threading.get_ident(), session)}),
    )
    watched(monkeypatch, ReferenceProducer, "send", tied)
    _, _, differences = replayed(*SECOND)
    assert ("send", "refused") in {(each.do, each.what) for each in differences}


# -- a receive that waits ----------------------------------------------------------------------------------------------


STOPPING = (
    {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"}, {"do": "await", "on": "k1"}, {"do": "stop", "on": "c1"},
    {"do": "session", "as": "s2", "on": "c1", "mode": "auto"}, {"do": "producer", "as": "p1", "on": "s2", "to": "q1"},
    {"do": "message", "as": "m1", "on": "s2", "kind": "text"}, {"do": "send", "on": "p1", "message": "m1"},
    {"do": "waits", "on": "k1"}, {"do": "start", "on": "c1"}, {"do": "collect", "as": "m2", "on": "k1"},
)  # fmt: skip


def test_a_receive_that_takes_a_message_of_a_stopped_connection_is_found_out(monkeypatch):
    assert replayed(*STOPPING)[2] == []
    monkeypatch.setattr(ReferenceConnection, "stop", lambda _: None)
    _, _, differences = replayed(*STOPPING)
    assert ("waits", ("6.1.5-12",)) in {(each.do, each.rows) for each in differences}


# -- two threads at the same time --------------------------------------------------------------------------------------

BOTH = (
    {"do": "queue", "as": "q2"}, {"do": "session", "as": "s2", "on": "c1", "mode": "transacted"},
    *({"do": "producer", "as": f"p{n}", "on": f"s{n}"} for n in (1, 2)),
    *({"do": "message", "as": f"m{n}{m}", "on": f"s{n}", "kind": "text", "properties": [["n", "int", 10 * n + m]]} for n in (1, 2) for m in (1, 2)),
)  # fmt: skip
FIRST_OF_BOTH, SECOND_OF_BOTH = {"together": 1}, {"together": 1, "by": "second"}
AT_ONCE = (
    *({"do": "send", "on": "p1", "message": f"m1{m}", "to": "q1", **FIRST_OF_BOTH} for m in (1, 2)),
    *({"do": "send", "on": "p2", "message": f"m2{m}", "to": of, **SECOND_OF_BOTH} for m, of in ((1, "q1"), (2, "q2"))),
    {"do": "commit", "on": "s2", **SECOND_OF_BOTH},
    {"do": "consumer", "as": "k2", "on": "s2", "of": "q2", **SECOND_OF_BOTH},
    {"do": "receive", "as": "r2", "on": "k2", **SECOND_OF_BOTH},
    {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"}, {"do": "drain", "on": "k1"},
)  # fmt: skip


def test_two_threads_work_at_the_same_time_and_whose_message_is_first_is_open():
    expectation, ran, differences = replayed(*BOTH, *AT_ONCE)
    assert differences == []
    assert [each["ok"]["got"]["send"] for each in ran.seen[-3:-2]] == [3]
    assert {each["send"] for each in expectation.seen[-1]["ok"]["got"]} == {0, 1, 2}
    assert {each["send"] for each in ran.seen[-1]["ok"]["got"]} == {0, 1, 2}


@pytest.mark.parametrize("late", ["explore", "explore-second"])
def test_either_order_of_two_threads_is_lawful(monkeypatch, late):
    """The threads meet in a send: one goes on only when the other has come to its last send."""
    other = threading.Event()
    original, lasts = ReferenceProducer.send, {"explore": "q1", "explore-second": "q2"}

    def send(self, message, *args, **more):
        name = threading.current_thread().name
        if name == late:
            assert other.wait(30)
        original(self, message, *args, **more)
        if name != late and more["destination"].queue_name.endswith(lasts[name]):
            other.set()

    monkeypatch.setattr(ReferenceProducer, "send", send)
    _, ran, differences = replayed(*BOTH, *AT_ONCE)
    assert differences == []
    assert other.is_set()
    assert len(ran.seen[-1]["ok"]["got"]) == 3


def test_a_provider_that_refuses_a_send_while_another_session_sends_is_found_out(monkeypatch):
    meeting = threading.Barrier(2)
    original, threads = ReferenceProducer.send, set()

    def send(self, message, *args, **more):
        name = threading.current_thread().name
        if name not in threads:
            threads.add(name)
            meeting.wait(30)
            if name == "explore-second":
                raise JMSException("another session is sending")
        original(self, message, *args, **more)

    monkeypatch.setattr(ReferenceProducer, "send", send)
    _, _, differences = replayed(*BOTH, *AT_ONCE)
    assert [(each.step, each.do, each.what, each.rows) for each in differences[:1]] == [
        (14, "send", "refused", ("7.2-1",))
    ]


@pytest.mark.parametrize("leaves", ["stop", "close"])
def test_a_provider_that_refuses_a_send_while_another_connection_ends_is_found_out(monkeypatch, leaves):
    """Each call waits for the other one, so both are under way when the send is refused."""
    other = (
        {"do": "connect", "as": "c2", "api": "classic"}, {"do": "start", "on": "c2"},
        {"do": "producer", "as": "p1", "on": "s1"}, {"do": "message", "as": "m1", "on": "s1", "kind": "text"},
        {"do": "send", "on": "p1", "message": "m1", "to": "q1", "together": 1},
        {"do": leaves, "on": "c2", "together": 1, "by": "second"},
    )  # fmt: skip
    assert replayed(*other)[2] == []
    meeting, ending, original = threading.Barrier(2), getattr(ReferenceConnection, leaves), ReferenceProducer.send

    def end(self):
        if threading.current_thread().name == "explore-second":
            meeting.wait(30)
        ending(self)

    def send(self, message, *args, **more):
        meeting.wait(30)
        if threading.current_thread().name == "explore":
            raise JMSException("a connection ends")
        original(self, message, *args, **more)

    monkeypatch.setattr(ReferenceConnection, leaves, end)
    monkeypatch.setattr(ReferenceProducer, "send", send)
    _, _, differences = replayed(*other)
    assert [(each.do, each.what) for each in differences] == [("send", "refused")]
