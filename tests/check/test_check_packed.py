"""Control rows of a workload become side tables."""

import numpy as np
import pytest

from tck.check.columns import ALWAYS, NEVER, NONE, End, Kind, Op, Out
from tck.check.from_operations import DRAINED, OPEN, fold
from tck.record.packed import DTYPE

OBJECTS = [{"kind": "session", "n": 0, "conn": 0, "mode": 0, "label": "session-1"}]


def folded(*rows, objects=OBJECTS):
    part = np.zeros(len(rows), DTYPE)
    for name in ("consumer", "end", "unit", "msg"):
        part[name] = NONE
    part["state"] = 2
    for at, row in enumerate(rows):
        for name, value in row.items():
            part[at][name] = value
    return fold([part], objects, 0).tables


def decision(kind, t0, out=Out.OK):
    return {"op": Op.END_BRANCH, "unit": 7, "mode": kind, "out": out, "t0": t0, "t1": t0 + 1}


def test_a_decision_in_doubt_yields_to_one_that_is_sure():
    doubt = decision(End.DOUBT, 10, Out.UNKNOWN)
    for rows, expected in (
        ([doubt], (End.DOUBT, 10, NEVER)),
        ([doubt, decision(End.DONE, 20)], (End.DONE, 10, 21)),
        ([decision(End.OPEN, 10, Out.UNKNOWN), decision(End.UNDONE, 20)], (End.UNDONE, 10, 21)),
        ([decision(End.DONE, 10), decision(End.UNDONE, 20)], (End.DONE, 10, 11)),
        ([decision(End.DONE, 10), doubt], (End.DONE, 10, 11)),
    ):
        branches = folded(*rows).branches
        assert (branches.kind[0], branches.s0[0], branches.s1[0]) == expected


def test_a_commit_that_did_not_succeed_counts_as_giving_back():
    made = {"op": OPEN, "t0": 0, "t1": 1}
    for out, expected in ((Out.OK, NEVER), (Out.FAIL, 10), (Out.UNKNOWN, 10)):
        tables = folded(made, {"op": Op.COMMIT, "out": out, "t0": 10, "t1": 11})
        assert tables.sessions.undo0[0] == expected


def test_a_stop_that_a_start_overlaps_is_no_stop():
    for started, expected in (((2, 9), [(15, NEVER)]), ((3, 12), []), ((13, 20), []), ((21, 22), [(15, 21)])):
        stop = {"op": Op.STOP, "t0": 10, "t1": 15}
        start = {"op": Op.START, "t0": started[0], "t1": started[1]}
        found = folded(stop, start).stops
        times = list(zip(found.t0.tolist(), found.t1.tolist(), strict=True))
        assert times == expected


def test_who_may_not_have_all_of_a_queue_does_not_show_that_it_is_empty():
    for kind, of_place, of_consumer, shown in (
        (Kind.QUEUE, NONE, NONE, True),
        (Kind.QUEUE, NONE, 0, False),
        (Kind.DURABLE, 0, 0, True),
    ):
        place = {
            "kind": "endpoint",
            "label": "q",
            "n": 0,
            "type": kind,
            "dest": 0,
            "shared": 0,
            "nolocal": NONE,
            "owner": NONE,
        }
        consumer = {"kind": "consumer", "label": "c", "n": 0, "end": 0, "session": 0, "selector": of_consumer}
        drained = {"op": DRAINED, "consumer": 0, "end": 0, "t0": 10, "t1": 20}
        tables = folded(drained, objects=[*OBJECTS, place | {"selector": of_place}, consumer])
        assert (tables.endpoints.drained[0] == 10, tables.endpoints.drained[0] == ALWAYS) == (shown, not shown)


@pytest.mark.parametrize(
    ("second", "ended"),
    [
        ((12, 15, Out.OK), (50, 55)),  # it was there before the first went
        ((12, 25, Out.OK), (20, 55)),  # nobody can tell: it may have found the old one, or made a new one
        ((24, 25, Out.OK), (20, 55)),
        ((12, 25, Out.FAIL), (20, 22)),  # refused: it never held it
    ],
)
def test_a_shared_subscription_may_have_ended_where_nobody_surely_was_there(second, ended):
    place = {"kind": "endpoint", "label": "s", "n": 0, "type": Kind.NONDURABLE, "dest": 0, "shared": 1}
    place |= {"selector": NONE, "nolocal": NONE, "owner": NONE}
    objects = [*OBJECTS, place]
    rows = []
    for number, (open0, open1, out, gone) in enumerate([(2, 3, Out.OK, (20, 22)), (*second, (50, 55))]):
        objects.append({"kind": "consumer", "label": "c", "n": number, "end": 0, "session": 0, "selector": NONE})
        at = {"consumer": number, "end": 0}
        rows += [at | {"op": op, "out": out, "t0": open0, "t1": open1} for op in (OPEN, Op.SUBSCRIBE)]
        if out == Out.OK:
            rows.append(at | {"op": Op.CLOSE, "t0": gone[0], "t1": gone[1]})
    found = folded(*rows, objects=objects).endpoints
    assert (found.open0[0], found.open1[0], (found.gone0[0], found.gone1[0])) == (2, 3, ended)


@pytest.mark.parametrize(("removed", "shown"), [((30, 31), 20), ((15, 16), ALWAYS), ((5, 6), ALWAYS)])
def test_a_drain_shows_nothing_of_a_subscription_that_may_have_ended_before(removed, shown):
    place = {"kind": "endpoint", "label": "s", "n": 0, "type": Kind.DURABLE, "dest": 0, "shared": 0}
    place |= {"selector": NONE, "nolocal": NONE, "owner": NONE}
    consumer = {"kind": "consumer", "label": "c", "n": 0, "end": 0, "session": 0, "selector": NONE}
    rows = [
        {"op": Op.SUBSCRIBE, "end": 0, "t0": 0, "t1": 1},
        {"op": Op.UNSUBSCRIBE, "end": 0, "out": Out.UNKNOWN, "t0": removed[0], "t1": removed[1]},
        {"op": DRAINED, "consumer": 0, "end": 0, "t0": 20, "t1": 25},
    ]
    assert folded(*rows, objects=[*OBJECTS, place, consumer]).endpoints.drained[0] == shown
