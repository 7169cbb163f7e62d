"""Array operations for properties: find, runs, running maximum, bisection inside runs.

May import numpy and `columns`; knows nothing about messaging.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tck.check.columns import Array


def find(keys: Array, wanted: Array) -> Array:
    """Return the row of sorted `keys` that equals each wanted value, -1 where none does."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    at = np.searchsorted(keys, wanted)
    at[at == len(keys)] = 0
    return np.where(keys[at] == wanted, at, -1)


def gather(column: Array, index: Array) -> Array:
    """Take values by row number; the value of row -1 is arbitrary."""
    if not len(column):
        return np.zeros(len(index), column.dtype)
    return column.take(index, mode="clip")


def starts(*keys: Array) -> Array:
    """Mark the rows that differ from the previous row in any key."""
    first = np.ones(len(keys[0]), bool)
    if len(first) > 1:
        first[1:] = False
        for key in keys:
            first[1:] |= key[1:] != key[:-1]
    return first


def runs(first: Array) -> Array:
    """Number the run of each row, from the marks of `starts`."""
    return np.cumsum(first) - 1


def order_by(keys: Sequence[Array], ties: Sequence[Array]) -> Array:
    """Return the rows in the order of `keys`, the first key counting most; equal rows in the order of `ties`, then in their own.

    For keys that hardly ever repeat: ties are evaluated only where there are any.
    """
    order: Array = np.lexsort(tuple(reversed(keys)))
    if len(order) < 2:
        return order
    first = starts(*(key[order] for key in keys))
    alone = first.copy()
    alone[:-1] &= first[1:]
    tied = np.flatnonzero(~alone)
    if len(tied):
        rows = order[tied]
        order[tied] = rows[np.lexsort((*(key[rows] for key in reversed(ties)), runs(first[tied])))]
    return order


def first_of(keys: Array, order: Array) -> Array:
    """Return one row per distinct key, the one with the lowest order; sorted by key."""
    index = order_by([keys], [order])
    return index[starts(keys[index])]


def any_in_run(first: Array, mask: Array) -> Array:
    """Return for each row whether the mask holds anywhere in its run."""
    if not len(first):
        return mask
    return np.logical_or.reduceat(mask, np.flatnonzero(first))[runs(first)]


def before(first: Array, values: Array, counts: Array) -> tuple[Array, Array]:
    """Find the largest value among earlier rows of the same run, considering only rows that count.

    Returns the row with that value (the latest of equals) and whether there is one.
    """
    size = len(values)
    if not size:
        return np.empty(0, np.int64), np.empty(0, bool)
    rank = np.empty(size, np.int64)
    order = np.argsort(values, kind="stable")
    rank[order] = np.arange(1, size + 1)
    run = runs(first)
    highest = np.maximum.accumulate(np.where(counts, rank, 0) + run * (size + 1))
    earlier = np.empty(size, np.int64)
    earlier[0] = 0
    earlier[1:] = highest[:-1]
    rank_before = np.where(first, 0, earlier - run * (size + 1))
    exists = rank_before > 0
    return np.where(exists, order[np.maximum(rank_before - 1, 0)], -1), exists


def highest(first: Array, values: Array) -> Array:
    """Return the largest value so far in the run of each row."""
    if not len(values):
        return values
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(values), np.int64)
    rank[order] = np.arange(len(values))
    above = runs(first) * len(values)
    reached: Array = values[order[np.maximum.accumulate(rank + above) - above]]
    return reached


def scatter(order: Array, values: Array) -> Array:
    """Return the values of rows sorted by `order` to the original rows."""
    out = np.empty_like(values)
    out[order] = values
    return out


def repeated(group: Array, value: Array) -> Array:
    """Mark the rows whose value occurred before in the same group."""
    order = np.lexsort((value, group))
    return scatter(order, ~starts(group[order], value[order]))


def bisect(values: Array, low: Array, high: Array, wanted: Array) -> Array:
    """Return the first row from `low` to `high` whose value is not below `wanted`; values rise inside each range."""
    low, high = low.astype(np.int64), high.astype(np.int64)
    while True:
        open_ = low < high
        if not open_.any():
            return low
        middle = (low + high) // 2
        below = open_ & (gather(values, np.minimum(middle, len(values) - 1)) < wanted)
        low = np.where(below, middle + 1, low)
        high = np.where(open_ & ~below, middle, high)


def expand(counts: Array) -> tuple[Array, Array]:
    """Repeat each row number `counts` times, with the index of each repetition."""
    owner = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owner, place


def mix(columns: Sequence[Array]) -> Array:
    """Hash several columns into one; equal rows get equal numbers, others almost certainly not."""
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        mixed = (mixed ^ column.astype(np.int64).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed.view(np.int64)
