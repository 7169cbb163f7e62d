"""The rows that own what is compared: each cell has an owner before any provider fails, chosen by what was called."""

import pytest
from story_support import Story, client, counted, do, partner, sending

from tck.blame.cells import owned_cells
from tck.blame.owners import owners_of
from tck.catalogue import load_catalogue
from tck.programs.comparing.differences import Difference
from tck.programs.expectation import Expectation
from tck.programs.members import member_of
from tck.programs.program import Program


@pytest.mark.slow
def test_each_compared_cell_has_an_owner():
    known = load_catalogue()
    with partner() as found:
        cells = [each for _, expectation in found.programs(7, iter(range(25))) for each in owned_cells(expectation)]
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
    assert owners_of(found, Expectation(program, ()))[1] == (row,)


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
    assert owners_of(found, Expectation(program, ()))[1] == (row,)


# -- details of the call that decide between rows -----------------------------------------------------------------------


def owners(program, what, expected="x", seen="y", outcome=None):
    """Return the rows of a difference of the last step, the true owner first."""
    last = len(program.steps) - 1
    found = Difference(last, program.steps[last].do, what, expected, seen)
    return owners_of(found, Expectation(program, (*({"ok": None},) * last, {"ok": outcome})))[1]


@pytest.mark.parametrize(
    ("of", "seen", "row"),
    [
        ("k1", "it still waits", "8.8-6"),
        ("s1", "it still waits", "6.2.15-3"),
        ("s1", "False", "6.2.15-4"),
        ("c1", "it still waits", "6.1.8-1"),
    ],
)
def test_the_owner_of_a_receive_that_waits_is_what_was_closed(of, seen, row):
    program = classic(do("queue", "q1"), do("consumer", "k1", on="s1", of="q1"), do("close_waiting", on="k1", of=of))
    assert owners(program, "value ended", "ended: True", f"ended: {seen}")[0] == row


def test_a_receive_that_waits_in_a_context_is_of_a_connection_and_a_session():
    program = simplified(do("consumer", "k1", on="c1", of="q1"), do("close_waiting", on="k1", of="c1"))
    assert owners(program, "value ended", "ended: True", "ended: False") == ("6.1.8-1", "6.2.15-3", "6.2.15-4")


@pytest.mark.parametrize(("form", "row"), [({}, "6.2-3"), ({"form": "odd"}, "6.2-3"), ({"form": "mode"}, "6.2-2")])
@pytest.mark.parametrize("call", ["commit", "rollback"])
def test_the_owner_of_a_refused_commit_is_how_the_session_was_made(form, row, call):
    made = do("session", "s1", on="c1", mode="transacted", **form)
    program = Program((do("connect", "c1", api="classic"), made, do(call, on="s1")))
    assert owners(program, "refused", "returns", "raises IllegalStateException: no")[0] == row


@pytest.mark.parametrize(("seen", "row"), [("None", "7.3-6"), ("{'failed': 'JMSException'}", "7.3-1")])
def test_the_owner_of_a_callback_that_does_not_come_or_is_the_other(seen, row):
    program = classic(do("producer", "p1", on="s1"), do("send", **{"on": "p1", "message": "m1", "async": True}))
    assert owners(program, "callback", "{'completed': None}", seen)[0] == row


@pytest.mark.parametrize(
    ("kind", "types", "row"),
    [
        ("bytes", ["int", "bytes"], "3.11-16"),
        ("bytes", ["int", "unsigned_short"], "3.11-14"),
        ("bytes", ["bytes", "int"], "3.11-13"),
        ("stream", ["int", "bytes"], "3.11-22"),
        ("stream", ["bytes", "int"], "3.11.3-5"),
    ],
)
def test_the_owner_of_an_item_is_the_read_that_differs(kind, types, row):
    program = classic(do("message", "m1", on="s1", kind=kind, body=[["int", 5]]), do("items", on="m1", types=types))
    assert owners(program, "value 1", "1: ['int', 5]", "1: ['int', 6]")[0] == row


@pytest.mark.parametrize(("kind", "row"), [("int", "3.11-13"), ("unsigned_byte", "3.11-14")])
def test_the_owner_of_an_attempt_is_the_read_that_differs(kind, row):
    program = classic(
        do("message", "m1", on="s1", kind="bytes", body=[["int", 5]]), do("attempts", on="m1", types=[kind])
    )
    assert owners(program, f"value {kind}", f"0 {kind}: ['int', 5]", f"0 {kind}: ['int', 6]")[0] == row


@pytest.mark.parametrize(
    ("what", "cell", "null", "text"),
    [
        ("property", "int raises: 'NumberFormatException'", "3.5.4-6", "3.5.4-3"),
        ("property", "boolean: ['boolean', False]", "3.5.4-8", "3.5.4-5"),
        ("entry", "int raises: 'NumberFormatException'", "3.11.3-10", "3.11.3-7"),
        ("entry", "boolean: ['boolean', False]", "3.11.3-12", "3.11.3-9"),
        ("entry", "char raises: 'NullPointerException'", "3.11.3-13", "3.11.3-13"),
        ("entry", "double raises: 'NullPointerException'", "3.11.3-11", "3.11.3-11"),
    ],
)
def test_the_owner_of_a_conversion_is_what_is_converted(what, cell, null, text):
    program = classic(do("message", "m1", on="s1", kind="map"), do("reads", on="m1", what=what))
    path = cell.partition(":")[0].split(" ")[-1]
    for value, row in ((["null", None], null), (["string", "x"], text)):
        cells = {"a": {"object": value, "exists": True}}
        assert owners(program, f"value {path}", f"a {cell}", "a int: 5", cells) == (row,)


def test_of_a_property_that_is_not_there_no_null_is_read():
    program = classic(do("message", "m1", on="s1", kind="map"), do("reads", on="m1", what="property"))
    cells = {"never": {"object": ["null", None], "exists": False}}
    expectation = "never boolean: ['boolean', False]"
    assert owners(program, "value boolean", expectation, "never boolean: ['boolean', True]", cells) == ("3.5.8-1",)


@pytest.mark.parametrize(("plain", "row"), [({}, "9.2-4"), ({"plain": True}, "9.2-5")])
def test_the_owner_of_a_durable_consumer_of_a_queue_session_is_the_method(plain, row):
    program = queues(do("topic", "t1"), do("consumer", "k1", on="s1", of="t1", kind="durable", name="x", **plain))
    assert owners(program, "accepted", "raises IllegalStateException", "returns") == (row,)


@pytest.mark.parametrize("kind", ["map", "bytes", "text", "stream", "object"])
def test_the_body_as_another_type_is_no_body_that_came_changed(kind):
    program = classic(do("message", "m1", on="s1", kind=kind, body=[["int", 5]]), do("bodies", on="m1"))
    rows = {"map": "3.11-31", "bytes": "3.11-32", "text": "3.11-29", "stream": "3.11-34", "object": "3.11-30"}
    assert owners(program, "value body", "string body: x", "string body: y") == (rows[kind],)


@pytest.mark.parametrize(("redelivered", "count", "row"), [(False, 2, "8.7-4"), (True, 1, "8.7-5")])
def test_the_owner_of_flag_and_count_after_a_listener_has_thrown(redelivered, count, row):
    listen = do("listen", on="k1", does="throw")
    with partner() as found:
        story = Story(found, *client(), do("consumer", "k1", on="c2", of="q1"), listen, *sending(1))
    (given,) = (each["delivered"]["by"]["k1"] for each in story.seen if each.get("delivered", {}).get("by"))
    counted(given[1], count, redelivered=redelivered)
    (difference,) = story.compare().differences
    assert owners_of(difference, story.expectation)[1] == (row,)


@pytest.mark.parametrize(
    ("how", "missing", "extra", "refused"),
    [
        ({}, "8.6-2", "8.6-5", "8.5-5"),
        ({"how": "no_wait"}, "8.6-3", "8.6-7", "8.5-7"),
        ({"how": "forever"}, "8.6-1", "8.6-5", "8.5-5"),
    ],
)
def test_the_owner_of_a_receive_is_how_it_waits(how, missing, extra, refused):
    made = do("consumer", "k1", on="s1", of="q1")
    body = queues(made, do("receive_body", on="k1", type="string", **how))
    assert owners(body, "missing", "['string', 'x']", "None") == (missing,)
    assert owners(body, "extra", "None", "['string', 'x']") == (extra,)
    nothing = ("refused", "returns {'got': None}", "raises JMSException: no")
    assert owners(queues(made, do("receive", on="k1", **how)), *nothing) == (refused,)
    assert owners(body, *nothing) == (extra,)
