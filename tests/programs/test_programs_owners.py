"""The rows that own what is compared: each cell has an owner before any provider fails, chosen by what was called."""

import pytest
from story_support import do, partner

from tck.catalogue import load_catalogue
from tck.programs.comparing.attribution import rows_of
from tck.programs.comparing.cells import owned_cells
from tck.programs.comparing.differences import Difference
from tck.programs.comparing.members import member_of
from tck.programs.expectation import Expectation
from tck.programs.program import Program


def test_each_compared_cell_has_an_owner():
    known = load_catalogue()
    with partner() as found:
        cells = [each for _, told in found.programs(7, iter(range(25))) for each in owned_cells(told)]
    assert len(cells) > 3000
    assert {(each.call, each.name) for each in cells if not each.rows} == set()
    assert {row for each in cells for row in each.rows if row not in known} == set()


def classic(*steps):
    return Program((do("connect", "c1", api="classic"), do("session", "s1", on="c1"), *steps))


def simplified(*steps):
    return Program((do("connect", "c1", api="simplified"), *steps))


def queues(*steps):
    return Program((do("connect", "c1", api="queue"), do("session", "s1", on="c1"), do("queue", "q1"), *steps))


@pytest.mark.parametrize(
    ("program", "member"),
    [
        (Program((do("connect", "c1", api="topic"),)), "TopicConnectionFactory.create_topic_connection"),
        (classic(do("message", "m1", on="s1", kind="map")), "Session.create_map_message"),
        (simplified(do("message", "m1", on="c1", kind="message")), "JMSContext.create_message"),
        (queues(do("producer", "p1", on="s1", to="q1")), "QueueSession.create_sender"),
        (queues(do("producer", "p1", on="s1", to="q1", plain=True)), "QueueSession.create_producer"),
        (queues(do("consumer", "k1", on="s1", of="q1"), do("receive", on="k1", how="no_wait")), "QueueReceiver.receive_no_wait"),
        (classic(do("consumer", "k1", on="s1", of="t1", kind="durable", name="x")), "Session.create_durable_subscriber"),
        (simplified(do("producer", "p1", on="c1"), do("set", on="p1", what="ttl", value=1)), "JMSProducer.set_time_to_live"),
        (simplified(do("producer", "p1", on="c1"), do("send", **{"on": "p1", "async": True})), "JMSProducer.send(CompletionListener)"),
        (Program((do("message", "m1", kind="text"),)), None),
        (Program((do("advance", units=1),)), None),
    ],
)  # fmt: skip
def test_the_member_that_a_step_calls(program, member):
    assert member_of(program, len(program.steps) - 1) == member


@pytest.mark.parametrize(
    ("program", "row"),
    [
        (simplified(do("close", on="c1"), do("recover", on="c1")), "6.1.8-42"),
        (classic(do("close", on="s1"), do("commit", on="s1")), "6.2.15-19"),
        (classic(do("close", on="c1"), do("commit", on="s1")), "6.1.8-39"),
        (classic(do("commit", on="s1")), "6.2.7-19"),
        (queues(do("producer", "p1", on="s1", to="q1"), do("close", on="c1"), do("send", on="p1")), "6.1.8-40"),
        (queues(do("producer", "p1", on="s1", to="q1"), do("close", on="p1"), do("send", on="p1")), "7.1-14"),
        (queues(do("temporary", "q2", on="s1", kind="topic")), "9.2-8"),
    ],
)
def test_the_owner_of_a_call_that_must_be_refused(program, row):
    last = len(program.steps) - 1
    found = Difference(last, program.steps[last].do, "accepted", "raises IllegalStateException", "returns")
    assert rows_of(found, Expectation(program, ())) == (row,)


@pytest.mark.parametrize(
    ("program", "row"),
    [
        (classic(do("start", on="c1")), "6.1.4-5"),
        (classic(do("message", "m1", on="s1", kind="bytes")), "6.2.4-1"),
        (simplified(do("message", "m1", on="c1", kind="bytes")), "2.6-1"),
        (queues(do("consumer", "k1", on="s1", of="q1"), do("drain", on="k1")), "8.5-2"),
        (Program((do("restart"),)), "9.1-1"),
        (Program((do("queue", "q1"),)), "4.1.4-1"),
    ],
)
def test_the_owner_of_a_legal_call_that_is_refused(program, row):
    last = len(program.steps) - 1
    found = Difference(last, program.steps[last].do, "refused", "returns", "raises JMSException: no")
    assert rows_of(found, Expectation(program, ())) == (row,)
