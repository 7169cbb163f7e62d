"""The account finds each kind of fault, and none where there is none."""

import pytest

from benchmarks.reliability.history import (
    Begin,
    End,
    Found,
    History,
    Item,
    Key,
    Prepared,
    Seen,
    Step,
    judge,
    judge_deliveries,
    judge_order,
    judge_redelivered,
)

A, B = Item("queue q", "a/1/4/plain"), Item("queue q", "a/2/4/plain")


def _found(*items):
    found = {}
    for item in items:
        found.setdefault(item.stream, []).append(Found(item.key))
    return found


def _kinds(problems):
    return [problem.split(":")[0] for problem in problems]


def _sent(*items, ended=True, may_be_lost=False):
    return Step("send", items, (), may_be_lost=may_be_lost, ended=ended)


def _taken(*items, ended=True):
    return Step("receive", (), items, ended=ended)


def test_what_was_sent_and_is_there_is_right():
    assert judge([_sent(A), _sent(B)], _found(A, B)) == []


def test_what_was_acknowledged_and_is_gone_is_right():
    assert judge([_sent(A), _taken(A)], {}) == []


@pytest.mark.parametrize(
    ("steps", "found", "kind"),
    [
        pytest.param([_sent(A)], {}, "lost", id="a message sent is not there"),
        pytest.param([_sent(A), _taken(A)], _found(A), "second copy", id="an acknowledged message is there"),
        pytest.param([], _found(A), "phantom", id="a message nobody sent is there"),
        pytest.param([_sent(A)], {"queue q": [Found(A.key)] * 2}, "twice", id="a message is there twice"),
        pytest.param([_sent(A, B, ended=False)], _found(A), "torn", id="half of a transaction's sends"),
        pytest.param([_sent(A), _sent(B), _taken(A, B, ended=False)], _found(A), "torn", id="half of its receipts"),
        pytest.param([_sent(A), Step("commit", (B,), (A,))], _found(A, B), "torn", id="its sends without its receipts"),
    ],
)
def test_a_fault_is_found(steps, found, kind):
    assert _kinds(judge(steps, found)) == [kind]


@pytest.mark.parametrize("found", [{}, _found(A)], ids=["not done", "done"])
def test_a_call_under_way_may_have_happened_or_not(found):
    assert judge([_sent(A, ended=False)], found) == []
    assert judge([_sent(A), _taken(A, ended=False)], found) == []


def test_a_receive_under_way_may_have_taken_one_message():
    receiving = Step("receive", (), (), takes_one_of="queue q")
    assert judge([_sent(A), _sent(B), receiving], _found(B)) == []
    assert _kinds(judge([_sent(A), _sent(B), receiving], {})) == ["lost"]


def test_non_persistent_messages_may_be_lost_but_are_never_redelivered():
    assert judge([_sent(A, may_be_lost=True)], {}) == []
    assert _kinds(judge([_sent(A, may_be_lost=True), _taken(A)], _found(A))) == ["second copy"]


def test_keys_keep_what_they_say():
    key = Key("run.0/odd name", 7, 4, plain=False)
    assert Key.parse(str(key)) == key


def test_order_is_by_urgency_then_by_turn_of_each_producer():
    assert judge_order({"q": [Found("b/1/9/plain"), Found("a/1/4/plain"), Found("b/2/4/plain")]}) == []
    assert _kinds(judge_order({"q": [Found("a/2/4/plain"), Found("a/1/4/plain")]})) == ["order"]
    assert _kinds(judge_order({"q": [Found("a/1/4/plain"), Found("b/1/9/plain")]})) == ["order"]


def test_delayed_messages_have_no_turn():
    assert judge_order({"q": [Found("a/2/4/plain"), Found("a/1/4/late")]}) == []


def test_consumers_are_given_messages_in_turn_but_for_redelivered_ones():
    first, second = Seen("c", A, False, False), Seen("c", B, False, False)
    assert judge_deliveries([first, second]) == []
    assert _kinds(judge_deliveries([second, first])) == ["order"]
    assert judge_deliveries([second, first._replace(redelivered=True)]) == []
    assert judge_deliveries([second, first._replace(consumer="d")]) == []


def test_what_was_in_a_clients_hands_has_to_come_marked():
    seen = [Seen("c", A, False, unacknowledged=True), Seen("c", B, False, unacknowledged=False)]
    assert judge_redelivered(seen, {"queue q": [Found(A.key, redelivered=True), Found(B.key)]}) == []
    assert _kinds(judge_redelivered(seen, _found(A, B))) == ["not marked"]


def test_a_history_collects_events():
    history = History()
    for event in (Begin("s", adds=(A,)), Begin("r", takes_one_of="queue q"), End("r", (A,)), Prepared("x", (), ())):
        history.add(event)
    assert not history.steps["s"].ended
    assert history.steps["r"] == Step("r", (), (A,), ended=True)
    history.restart_from(_found(B))
    assert judge(history.steps.values(), _found(B)) == []
    assert history.prepared == {}
