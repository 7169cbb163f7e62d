"""The same answer however sessions and messages are spread over calls, and whatever the order of the rows."""

import gc

import numpy as np
import pytest

from benchmarks.traces import Shape, generate
from benchmarks.traces.anomalies import ANOMALIES
from benchmarks.traces.editor import Editor, NoSuchRowError
from tck.check.columns import IDS, UNITS, Table
from tck.check.properties import PROPERTIES
from tck.check.results import Margins
from tck.check.stages import across, judge, merge, message, session

ALL = tuple(PROPERTIES.values())


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


def in_parts(trace, parts, seed):
    rows = trace.rows.take(np.random.default_rng(seed).permutation(len(trace.rows)))
    margins = Margins()
    first = [session(rows.take(rows.session % parts == part), trace.tables, margins, ALL) for part in range(parts)]
    copies = [stage.copies for stage in first]
    second = []
    for part in range(parts):
        whole = Table.concat(copies[0].columns, copies)
        mine = whole.take(whole.msg % 1009 % parts == part)
        second.append(message(mine, trace.tables, margins, ALL))
    units = Table.concat(UNITS, [stage.units for stage in second])
    ids = Table.concat(IDS, [stage.ids for stage in first])
    return merge((*first, *second, across(units, ids, trace.tables, ALL)))


def as_text(tallies):
    return {
        name: (
            tally.obligations,
            tally.undecided,
            [tuple(tally.hits.row(index).values()) for index in range(len(tally.hits))],
        )
        for name, tally in tallies.items()
    }


@pytest.mark.parametrize("parts", [1, 7, 64])
def test_partitions_and_order_of_rows_change_nothing(broken, parts):
    whole = as_text(judge(broken.rows, broken.tables))
    assert sum(len(hits) for _, _, hits in whole.values()) > len(ANOMALIES)
    assert as_text(in_parts(broken, parts, parts)) == whole


def test_one_property_alone_answers_as_among_all(broken):
    whole = as_text(judge(broken.rows, broken.tables))
    for each in ALL:
        alone = as_text(judge(broken.rows, broken.tables, properties=[each]))
        assert alone == {each.name: whole[each.name]}


def test_what_a_stage_made_goes_with_it(broken):
    """A cycle would keep hundreds of megabytes until Python looks for cycles, which it seldom does here."""
    margins = Margins()
    judge(broken.rows, broken.tables)  # whatever is made once is there now
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        first = session(broken.rows, broken.tables, margins, ALL)
        second = message(first.copies, broken.tables, margins, ALL)
        across(second.units, first.ids, broken.tables, ALL)
        del first, second
        gc.collect()
        assert [type(each).__name__ for each in gc.garbage] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
