"""The array words against their plain reading."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tck.check.array_ops import before, bisect, expand, find, first_of, mix, order_by, repeated, runs, starts

small = st.integers(0, 4)
rows = st.lists(st.tuples(small, small, st.booleans()), max_size=12)


@given(rows)
def test_before_gives_the_latest_of_the_largest_earlier_values_of_the_run(listed):
    listed.sort(key=lambda row: row[0])
    group, values, counts = (
        (np.array(column, kind) for column, kind in zip(zip(*listed, strict=True), (int, int, bool), strict=True))
        if listed
        else (np.empty(0, int), np.empty(0, int), np.empty(0, bool))
    )
    holder, exists = before(starts(group), values, counts)
    for at in range(len(listed)):
        earlier = [(values[each], each) for each in range(at) if group[each] == group[at] and counts[each]]
        assert exists[at] == bool(earlier)
        assert holder[at] == (max(earlier)[1] if earlier else -1)


@given(st.lists(st.tuples(small, small, small, small), max_size=30), st.integers(1, 3))
def test_order_by_is_one_sort_by_all_keys(listed, keys):
    columns = [np.array(column, int) for column in zip(*listed, strict=True)] or [np.empty(0, int)] * 4
    order = order_by(columns[:keys], columns[keys:])
    assert order.tolist() == sorted(range(len(listed)), key=lambda row: listed[row])


@given(st.lists(small, max_size=12), st.lists(small, max_size=12))
def test_find_and_first_of(keys, wanted):
    index = first_of(np.array(keys, int), np.arange(len(keys)))
    found = find(np.array(keys, int)[index], np.array(wanted, int))
    assert [index[each] if each >= 0 else -1 for each in found] == [
        keys.index(each) if each in keys else -1 for each in wanted
    ]


@given(st.lists(st.tuples(small, small), max_size=12))
def test_repeated_marks_what_came_before_in_its_group(listed):
    group, value = np.array(listed, int).reshape(-1, 2).T
    assert repeated(group, value).tolist() == [each in listed[:at] for at, each in enumerate(listed)]


@given(st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=5), st.integers(0, 9))
def test_bisect_works_inside_each_range(ranges, wanted):
    ranges = [sorted(each) for each in ranges]
    ends = np.cumsum([len(each) for each in ranges], dtype=int)
    low = ends - [len(each) for each in ranges]
    values = np.array([value for each in ranges for value in each], int)
    found = bisect(values, low, ends, np.full(len(ranges), wanted))
    assert (found - low).tolist() == [sum(value < wanted for value in each) for each in ranges]


def test_expand_and_runs_and_mix():
    owner, place = expand(np.array([2, 0, 3]))
    assert owner.tolist() == [0, 0, 2, 2, 2]
    assert place.tolist() == [0, 1, 0, 1, 2]
    assert runs(starts(np.array([5, 5, 7]))).tolist() == [0, 0, 1]
    one, two = np.array([1, 2, 1]), np.array([2, 1, 2])
    mixed = mix((one, two))
    assert mixed[0] == mixed[2] != mixed[1]
