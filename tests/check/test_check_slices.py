"""A session in slices, each with the rows beside it, answers as the session in one piece: tallies, copies and message ids."""

from random import Random

import numpy as np
import pytest
from test_check_oracle import MARGINS, random_trace

from benchmarks.traces import Shape, generate
from benchmarks.traces.anomalies import ANOMALIES
from benchmarks.traces.editor import Editor, NoSuchRowError
from tck.check.columns import COPIES, IDS, OPERATIONS, Table
from tck.check.properties import PROPERTIES
from tck.check.registry import Grain
from tck.check.results import Margins
from tck.check.slices import slices
from tck.check.stages import merge, session

ALL = tuple(PROPERTIES.values())
LOOKING_BACK = {Grain.LANE, Grain.COMPLETION, Grain.ASYNC, Grain.EXCEPTION}


def answers(stages):
    tallies = {
        name: (each.obligations, each.undecided, [tuple(each.hits.row(at).values()) for at in range(len(each.hits))])
        for name, each in merge(stages).items()
    }
    copies = Table.concat(COPIES, [each.copies for each in stages])
    ids = Table.concat(IDS, [each.ids for each in stages])
    return tallies, in_order(copies), in_order(ids)


def in_order(table):
    return sorted(zip(*(column.tolist() for column in table.columns.values()), strict=True))


def whole(rows, tables, margins):
    return answers([session(rows, tables, margins, ALL)])


def sliced(rows, tables, margins, size):
    stages = []
    for own, beside in slices(rows, size):
        together = Table.concat(OPERATIONS, [own, beside])
        stages.append(session(together, tables, margins, ALL, np.arange(len(together)) < len(own)))
    return answers(stages)


def test_slices_of_random_sessions_answer_as_the_session():
    """As many as it takes to miss each row that a slice needs, were it not there."""
    for seed in range(100):
        draw = Random(seed)  # noqa: S311 - test data
        rows, tables = random_trace(draw.getrandbits(32), [draw.getrandbits(32) for _ in range(draw.randint(15, 60))])
        alone = rows.replaced(
            session=np.zeros(len(rows), np.int32), unit=np.where(rows.unit < 0, rows.unit, rows.unit & 0xFFFFFFFF)
        )
        assert sliced(alone, tables, MARGINS, draw.randint(1, 9)) == whole(alone, tables, MARGINS), seed


@pytest.fixture(scope="module")
def broken():
    """A trace with everything wrong that can be wrong in one trace."""
    trace = generate(Shape(rounds=9, restart_every=7, topics=1))
    for number, anomaly in enumerate(ANOMALIES):
        editor = Editor(trace, number)
        try:
            anomaly.make(editor)
        except (NoSuchRowError, IndexError):
            continue  # an earlier one took the rows away
        trace = editor.done()
    return trace


def test_slices_of_a_broken_workload_answer_as_its_sessions(broken):
    found = set()
    for number in np.unique(broken.rows.session).tolist():
        mine = broken.rows.take(broken.rows.session == number)
        expected = whole(mine, broken.tables, Margins())
        assert sliced(mine, broken.tables, Margins(), 40) == expected
        found |= {name for name, (_, _, hits) in expected[0].items() if hits}
    assert found >= {each.name for each in ALL if each.grain in LOOKING_BACK}


def test_little_stands_beside_a_slice(broken):
    sessions = np.unique(broken.rows.session)
    longest = sessions[np.argmax([np.count_nonzero(broken.rows.session == each) for each in sessions])]
    mine = broken.rows.take(broken.rows.session == longest)
    pieces = list(slices(mine, len(mine) // 4))
    assert sum(len(own) for own, _ in pieces) == len(mine)
    assert sorted(seq for own, _ in pieces for seq in own.seq.tolist()) == sorted(mine.seq.tolist())
    assert max(len(beside) for _, beside in pieces) < len(mine) // 8
