"""The naive reading of each property by its name; those of closes, browsers and subscriptions are here, the others in `check_oracle`."""

import check_oracle
from check_oracle import HELD, OPEN, completions, copies, judged

from tck.check.columns import NEVER, End, Op, Out


def close_waits_for_completions(w):
    for row in completions(w):
        end = w.ending(row.unit)
        if end and end.op == Op.CLOSE and w.unit_fate(row.unit, None)[2] < NEVER:
            yield judged(row.t1 > end.t1, row)


def shared_subscription_joined(w):
    for row in w.rows:
        if row.op == Op.SUBSCRIBE and row.end >= 0 and w.endpoints[row.end].shared and row.out != Out.UNKNOWN:
            yield judged(row.out == Out.FAIL, row)


def uncommitted_not_browsed(w):
    for c in copies(w):
        shown = [row for row in w.rows if row.op == Op.BROWSE and (row.msg, row.end) == (c.send.msg, c.number)]
        if shown and c.send.tx:
            first = min(shown, key=lambda row: row.t0)
            yield judged(first.t0 < c.send.s0 or c.send.kind == End.UNDONE, first)


def judge_naively(name, world):
    """Give obligations, undecided and the sorted keys of violations of one property."""
    verdicts = list((vars(check_oracle) | globals())[name.replace("-", "_")](world))
    broken = sorted(each for each in verdicts if each not in (HELD, OPEN))
    return sum(each != OPEN for each in verdicts), verdicts.count(OPEN), broken
