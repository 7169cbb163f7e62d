"""A trace as plain objects, with the outcomes of each row worked out: what the naive reading of the properties stands on.

Written to be obviously right; nothing here is shared with `tck.check` but numbers' names.
"""

from __future__ import annotations

from types import SimpleNamespace

from tck.check.columns import DUPS_OK, NEVER, NONE, TRANSACTED, End, Op, Out

MS = 1_000_000
SETTLING = (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER, Op.CLOSE, Op.CRASH)


class World:
    """A trace as lists of simple objects, with the outcomes of each row worked out."""

    def __init__(self, rows, tables, margins):
        self.margins = margins
        self.origin = tables.origin
        self.rows = things(rows)
        for name in ("endpoints", "consumers", "sessions", "restarts", "stops", "branches", "matches", "fences"):
            setattr(self, name, things(getattr(tables, name)))
        for row in self.rows:
            row.key = (row.session, row.seq)
        self.sends = [row for row in self.rows if row.op == Op.SEND]
        self.deliveries = [row for row in self.rows if row.op == Op.DELIVER and row.msg >= 0]
        self.by_msg = {}
        for send in sorted(self.sends, key=lambda each: -each.seq):
            self.by_msg[send.msg] = send
        for row in self.sends:
            row.said, row.by = self.told(row)
        for row in self.rows:
            self.settle(row)
        for row in self.deliveries:
            row.sent = self.by_msg.get(row.msg)
            row.at = self.endpoints[row.end] if row.end >= 0 else None
        for row in self.deliveries:
            row.previous = self.neighbour(row, -1)
            row.next = self.neighbour(row, 1)

    def told(self, send):
        """How a send ended, and by when; an asynchronous one by its callback."""
        if not send.auto or send.out == Out.FAIL:
            return send.out, send.t1
        mine = [row for row in self.rows if row.op == Op.COMPLETE and row.msg == send.msg]
        good = [row.t0 for row in mine if row.out == Out.OK]
        if good:
            return Out.OK, max([min(good)] + ([send.t1] if send.out == Out.OK else []))
        return Out.FAIL if any(row.out == Out.FAIL for row in mine) else Out.UNKNOWN, NEVER

    # -- outcomes ----------------------------------------------------------------------------------------------------

    def ending(self, unit):
        """The first settling call of a unit; a close that failed only if there is no other."""
        found = [row for row in self.rows if row.unit == unit >= 0 and row.op in SETTLING and row.consumer == NONE]
        return min(found, key=lambda row: (row.op == Op.CLOSE and row.out != Out.OK, row.seq), default=None)

    def session_end(self, session):
        """The close or crash that ended a session."""
        found = [r for r in self.rows if r.session == session and r.op in (Op.CLOSE, Op.CRASH) and r.consumer == NONE]
        return min(found, key=lambda row: row.t0, default=None)

    def settle(self, row):
        """Work out what became of a row."""
        mode = self.sessions[row.session].mode
        branch = next((each for each in self.branches if each.unit == row.unit), None)
        row.tx = branch is not None or (mode == TRANSACTED and row.unit >= 0)
        row.kind, row.s0, row.s1 = self.unit_fate(row.unit, branch)
        if row.op == Op.SEND and not row.tx:
            row.kind, row.s0, row.s1 = End.FREE, row.t0, row.by
        if row.op == Op.DELIVER:
            if not row.auto and row.kind != End.DONE:
                before = self.ending(row.unit - 1)
                if before and before.op != Op.CLOSE and before.t1 > row.t0:
                    row.kind = End.DOUBT
            if row.auto and mode != TRANSACTED:
                self.settle_itself(row, mode)
        end = self.session_end(row.session)
        gone = self.consumers[row.consumer].gone0 if row.consumer >= 0 else NEVER
        row.e0 = min(end.t0 if end else NEVER, gone)
        row.died = end is not None and (end.op == Op.CRASH or end.out != Out.OK)
        mine = [each for each in self.deliveries if each.session == row.session]
        row.last = bool(mine) and max(mine, key=lambda each: (each.t0, each.seq)) is row

    def unit_fate(self, unit, branch):
        """Kind, call and return of the end of a unit."""
        if branch is not None:
            return branch.kind, branch.s0, branch.s1
        end = self.ending(unit)
        if end is None:
            return End.OPEN, NEVER, NEVER
        ok = end.out == Out.OK
        known = ok or end.op == Op.CRASH or (end.op == Op.COMMIT and end.out == Out.FAIL)
        if end.op in (Op.COMMIT, Op.ACK) and ok:
            kind = End.DONE
        elif end.op == Op.ACK or (end.op == Op.COMMIT and end.out == Out.UNKNOWN):
            kind = End.DOUBT
        elif end.op == Op.RECOVER:
            kind = End.RECOVERED if ok else End.DOUBT
        elif end.op == Op.ROLLBACK and not ok and self.may_be_kept(unit + 1):
            kind = End.DOUBT
        else:
            kind = End.UNDONE
        return kind, end.t0, end.t1 if known else NEVER

    def may_be_kept(self, unit):
        """Whether a commit may have kept what a rollback that failed had left to this unit."""
        end = self.ending(unit)
        if end is not None and end.op == Op.ROLLBACK and end.out != Out.OK:
            return self.may_be_kept(unit + 1)
        return end is not None and end.op == Op.COMMIT and end.out != Out.FAIL

    @staticmethod
    def settle_itself(row, mode):
        """A delivery that its own return settles."""
        if row.out == Out.FAIL:
            row.kind, row.s0, row.s1 = End.FAILED, row.t1, row.t1
        elif row.out == Out.OK and row.s0 < row.t1:
            row.kind = End.DOUBT
        elif row.out == Out.OK:
            row.kind, row.s0, row.s1 = End.DONE, row.t1, NEVER if mode == DUPS_OK else row.t1

    def neighbour(self, row, step):
        """The delivery of the same copy before or after."""
        if row.end < 0:
            return None
        copy = [each for each in self.deliveries if (each.msg, each.end) == (row.msg, row.end)]
        copy.sort(key=lambda each: (each.t0, each.session, each.seq))
        at = copy.index(row) + step
        return copy[at] if 0 <= at < len(copy) else None

    # -- questions -----------------------------------------------------------------------------------------------

    def lane(self, rows):
        """Rows by session, each session by its clock."""
        return sorted(rows, key=lambda row: (row.session, row.t0, row.seq))

    def restarted(self, after, until):
        """Whether the provider was down between two times."""
        return any(each.t0 < until and each.t1 > after for each in self.restarts)

    def answer(self, selector, klass):
        """What a selector says to a class: 1, 0 or -1."""
        if selector < 0:
            return 1
        return next((each.answer for each in self.matches if (each.selector, each.klass) == (selector, klass)), -1)

    def muddled(self, row):
        """Whether the order of the copy's deliveries is uncertain."""
        copy = [each for each in self.deliveries if (each.msg, each.end) == (row.msg, row.end)]
        return any(each.e0 < each.t0 for each in (copy if row.end >= 0 else [row]))

    def selector_of(self, row):
        """The selector a delivery had to pass."""
        if row.at is not None and row.at.selector >= 0:
            return row.at.selector
        return self.consumers[row.consumer].selector if row.consumer >= 0 else NONE

    def disturbed(self, consumer):
        """When another consumer of its endpoint first ended during the life of this one."""
        me = self.consumers[consumer]
        others = [each.gone0 for each in self.consumers if each.end == me.end and each.gone1 > me.open0]
        return min(others, default=NEVER)

    def ns(self, milliseconds):
        """A margin in nanoseconds."""
        return round(milliseconds * MS)


def things(table):
    return [SimpleNamespace(**table.row(index)) for index in range(len(table))]
