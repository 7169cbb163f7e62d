"""Every property a second time: plain Python over rows as dictionaries, quadratic, written to be obviously right.

Nothing here is shared with `tck.check` but numbers' names. Each function yields, for each thing judged, a verdict: HELD,
OPEN (undecided) or the (session, seq) of the row that is a violation. Obligations are all that is not OPEN.
"""

from __future__ import annotations

from check_world import MS

from tck.check.columns import ALWAYS, CLIENT, NEVER, NON_PERSISTENT, NONE, PERSISTENT, UNSURE, End, Kind, Op, Out

HELD, OPEN = "held", "open"


def judged(broken, row, undecided=False):
    if broken:
        return OPEN if undecided else row.key
    return HELD


# -- sends -----------------------------------------------------------------------------------------------------------


def during(w, send, stamp, end=0):
    tolerance = w.ns(w.margins.tolerance)
    time = stamp * MS - w.origin
    return time + MS > send.t0 - tolerance and time <= max(send.t1, end) + tolerance


def timestamp_within_send(w):
    for send in w.sends:
        if send.out == Out.OK and not send.auto and send.stamp > 0:
            yield judged(not during(w, send, send.stamp), send)


def sum_fits(w, send, value, offset):
    stamped = send.stamp * MS - w.origin if send.auto else 0  # it may go on after its call has returned
    return (send.stamp > 0 and value - offset == send.stamp) or during(w, send, value - offset, stamped)


def expiration_computed(w):
    for send in w.sends:
        if send.out == Out.OK and NONE not in (send.expires, send.ttl) and (not send.auto or send.stamp > 0):
            fits = send.expires == 0 if send.ttl == 0 else sum_fits(w, send, send.expires, send.ttl)
            yield judged(not fits, send)


def delivery_time_computed(w):
    for send in w.sends:
        if send.out == Out.OK and NONE not in (send.due, send.delay) and (not send.auto or send.stamp > 0):
            yield judged(not sum_fits(w, send, send.due, send.delay), send)


# -- sessions --------------------------------------------------------------------------------------------------------


def serial(rows, counts=lambda _: True):
    for at, row in enumerate(rows):
        earlier = [each for each in rows[:at] if each.session == row.session and counts(each)]
        if earlier and counts(row):
            yield judged(max(each.t1 for each in earlier) > row.t0, row)


def listener_serial(w):
    yield from serial(w.lane(w.deliveries), lambda row: row.t1 > row.t0)


def order_per_stream(w):
    rows = w.lane(w.deliveries)
    for at, row in enumerate(rows):
        if row.red or row.consumer < 0 or row.delay == NONE:
            continue
        group = [each for each in rows[:at] if group_of(each) == group_of(row)]
        fresh = [each for each in group if not each.red and each.prio <= row.prio]
        overtaken = any(each.msg & 0xFFFFFFFF > row.msg & 0xFFFFFFFF for each in fresh)
        repeated = any(each.msg == row.msg for each in group)
        if fresh:
            yield judged(overtaken and not repeated, row, row.t0 > w.disturbed(row.consumer))


def group_of(row):
    return row.consumer, row.end, row.msg >> 32, row.mode, row.delay


def nothing_after_close(w):
    closes = [row for row in w.rows if row.op == Op.CLOSE and row.out == Out.OK]
    for row in w.deliveries:
        owed = late = False
        for of_consumer in (True, False):
            mine = [
                each
                for each in closes
                if (
                    each.consumer == row.consumer >= 0
                    if of_consumer
                    else each.consumer < 0 and each.session == row.session
                )
            ]
            if mine:
                owed = True
                close = min(mine, key=lambda each: each.t1)
                called = row.t1 > row.t0 or row.seq > close.seq or row.t0 > close.t1 + w.ns(w.margins.lag)
                late = late or (row.t0 > close.t1 and called)
        if owed:
            yield judged(late, row)


def nothing_while_stopped(w):
    for row in w.deliveries:
        before = [each for each in w.stops if each.conn == row.conn and each.t0 < row.t0]
        if before:
            stop = max(before, key=lambda each: each.t0)
            lag = 0 if row.t1 > row.t0 else w.ns(w.margins.lag)
            yield judged(stop.t0 + lag < row.t0 < stop.t1, row)


def priority_hint(w):
    rows = w.lane(w.deliveries)
    for at, row in enumerate(rows):
        mine = [each for each in rows[:at] if each.consumer == row.consumer >= 0]
        if not mine or row.prio < 5 or row.red or mine[-1].red or row.stamp <= 0:
            continue
        if (max(row.stamp, row.due) + 1) * MS - w.origin < mine[-1].t0:
            yield judged(mine[-1].prio < 5, row)


def exception_listener_serial(w):
    yield from serial(w.lane([row for row in w.rows if row.op == Op.EXCEPTION]))


# -- completions -----------------------------------------------------------------------------------------------------


def completions(w):
    return w.lane([row for row in w.rows if row.op == Op.COMPLETE])


def completion_once(w):
    for send in w.sends:
        if not send.auto or send.out == Out.UNKNOWN:
            continue
        number = sum(row.msg == send.msg for row in completions(w))
        end = w.session_end(send.session)
        if send.out == Out.FAIL:
            yield judged(number > 0, send)
        elif number == 0 and (end is None or end.op == Op.CRASH or end.out != Out.OK):
            yield OPEN
        else:
            yield judged(number != 1, send)


def completion_order(w):
    rows = completions(w)
    for at, row in enumerate(rows):
        earlier = [each for each in rows[:at] if (each.session, each.msg >> 32) == (row.session, row.msg >> 32)]
        if earlier:
            late = max(each.msg & 0xFFFFFFFF for each in earlier) > row.msg & 0xFFFFFFFF
            yield judged(late and row.msg not in {each.msg for each in earlier}, row)


def completion_serial(w):
    yield from serial(completions(w))


def commit_waits_for_completions(w):
    for row in completions(w):
        end = w.ending(row.unit)
        if end and end.op in (Op.COMMIT, Op.ROLLBACK) and w.unit_fate(row.unit, None)[2] < NEVER:
            yield judged(row.t1 > end.t1, row)


# -- single deliveries -----------------------------------------------------------------------------------------------


def no_invention(w):
    for row in w.deliveries:
        yield judged(row.sent is None, row)


def right_destination(w):
    for row in w.deliveries:
        if row.sent and row.at and row.sent.dest >= 0:
            yield judged(row.at.dest != row.sent.dest or row.dest not in (NONE, row.sent.dest), row)


def differs(w, name):
    for row in w.deliveries:
        if row.sent and getattr(row, name) and getattr(row.sent, name):
            yield judged(getattr(row, name) != getattr(row.sent, name), row)


def no_corruption(w):
    yield from differs(w, "digest")


def headers_as_sent(w):
    yield from differs(w, "head")


def late(w, margin):
    for row in w.deliveries:
        if row.sent and row.sent.ttl > 0 and row.sent.by < NEVER and not row.previous:
            yield judged(row.t0 > row.sent.by + row.sent.ttl * MS + w.ns(margin), row)


def not_after_expiry(w):
    yield from late(w, w.margins.expiry)


def expired_not_received(w):
    yield from late(w, w.margins.expiry_narrow)


def not_before_delivery_time(w):
    for row in w.deliveries:
        if row.sent and row.sent.delay > 0:
            yield judged(row.t0 < row.sent.t0 + row.sent.delay * MS - MS - w.ns(w.margins.tolerance), row)


def not_before_send(w):
    for row in w.deliveries:
        if row.sent:
            yield judged(row.t0 < row.sent.t0, row, row.host != row.sent.host)


def selector_honoured(w):
    for row in w.deliveries:
        if row.sent and w.selector_of(row) >= 0:
            answer = w.answer(w.selector_of(row), row.sent.klass)
            yield OPEN if answer < 0 else judged(answer == 0, row)


def no_local_honoured(w):
    for row in w.deliveries:
        if row.sent and row.at and row.at.nolocal >= 0:
            yield judged(row.at.nolocal == row.sent.conn, row)


def not_before_subscription(w):
    for row in w.deliveries:
        if row.sent and row.at and row.at.kind != Kind.QUEUE and row.at.open0 > ALWAYS:
            known_by = row.at.open0 - w.ns(w.margins.steady)
            settled = row.sent.kind == End.FREE or row.sent.s1 < known_by
            yield judged(row.sent.by < known_by and settled, row)


def not_after_unsubscribe(w):
    for row in w.deliveries:
        if row.sent and row.at and row.at.kind != Kind.QUEUE and row.at.gone1 < NEVER:
            yield judged(row.sent.t0 > row.at.gone1, row)


def temporary_owner_only(w):
    for row in w.deliveries:
        if row.at and row.at.owner >= 0 and row.conn >= 0:
            yield judged(row.at.owner != row.conn, row)


def temporary_ends_with_connection(w):
    for row in w.deliveries:
        if row.at and row.at.owner >= 0 and row.at.gone1 < NEVER:
            yield judged(row.t0 > row.at.gone1 + (0 if row.t1 > row.t0 else w.ns(w.margins.lag)), row)


# -- repeated deliveries ---------------------------------------------------------------------------------------------


def repeats(w):
    return [(row, row.previous) for row in w.deliveries if row.previous]


def settled(row, before):
    return before.kind == End.DONE and row.t0 > before.s1 and not (before.auto and before.died and before.e0 < row.t0)


def repeat_is_flagged(w):
    return [judged(not row.red, row, w.muddled(row)) for row, before in repeats(w) if not settled(row, before)]


def flag_agrees_with_count(w):
    for row in w.deliveries:
        if row.count >= 0:
            excused = row.red and row.sent and w.restarted(row.sent.t0, row.t0)
            yield judged(row.red != (row.count > 1) and not excused, row)


def count_rises(w):
    for row, before in repeats(w):
        if min(row.count, before.count) >= 0 and not settled(row, before) and not w.restarted(before.t0, row.t0):
            branch = before.unit in {each.unit for each in w.branches}
            raised = before.kind in {End.RECOVERED, End.UNDONE, End.FAILED} and row.t0 > before.s0 and not branch
            raised = raised and row.session == before.session
            yield judged(row.count <= (before.count if raised else 1), row, w.muddled(row))


def first_count_is_one(w):
    for row in w.deliveries:
        if row.sent and row.at and not row.previous and row.count >= 0:
            ends = [(each.gone0, each.gone1) for each in w.consumers if each.end == row.end]
            gone = any(last >= row.sent.t0 and first < row.t0 for first, last in ends)
            yield judged(row.count != 1, row, gone or w.restarted(row.sent.t0, row.t0) or w.muddled(row))


def owed_then_broken(owed, broken):
    """Obligations fall due on one delivery and are broken by a later one."""
    yield from [HELD] * (owed - len(broken))
    yield from broken


def settled_stays_settled(w):
    owed = sum(bool(row.at) and row.kind == End.DONE and row.s1 < NEVER for row in w.deliveries)
    again = (row for row, before in repeats(w) if settled(row, before) and not w.restarted(before.t0, row.t0))
    return owed_then_broken(owed, [judged(True, row, w.muddled(row)) for row in again])


def settled_survives_restart(w):
    done = (row for row in w.deliveries if row.kind == End.DONE and not row.auto)
    owed = sum(bool(row.at) and w.restarted(row.s1, NEVER) for row in done)
    again = [(row, before) for row, before in repeats(w) if settled(row, before) and not before.auto]
    broken = [judged(True, row, w.muddled(row)) for row, before in again if w.restarted(before.s1, row.t0)]
    return owed_then_broken(owed, broken)


def auto_last_only(w):
    def counts(row):
        return row.auto and row.kind == End.DONE and row.s1 < NEVER and row.died and not row.last

    owed = sum(bool(row.at) and counts(row) for row in w.deliveries)
    broken = [judged(True, row, w.muddled(row)) for row, before in repeats(w) if counts(before) and before.e0 < row.t0]
    return owed_then_broken(owed, broken)


def one_holder(w):
    owed, broken = 0, []
    for row in w.deliveries:
        if row.at is None or not (row.at.kind == Kind.QUEUE or row.at.shared):
            continue
        owed += 1
        before = row.previous
        held = before and row.t0 < before.s0 and before.e0 > row.t0 and not w.restarted(before.t0, row.t0)
        if held and row.consumer != before.consumer:
            broken.append(judged(True, row, w.muddled(row)))
    return owed_then_broken(owed, broken)


def recovered_by_same_session(w):
    for row, before in repeats(w):
        if before.kind == End.RECOVERED and before.e0 > row.t0 > before.s0 and not w.restarted(before.t0, row.t0):
            competing = row.at.kind == Kind.QUEUE or row.at.shared
            yield judged(row.session != before.session, row, w.muddled(row) or competing)


# -- transactions ----------------------------------------------------------------------------------------------------


def uncommitted_invisible(w):
    for row in w.deliveries:
        early = row.sent and row.sent.tx and row.t0 < row.sent.s0
        if early or (row.sent and row.sent.tx and row.sent.kind != End.UNDONE):
            yield judged(early, row)


class Copy:
    """A message surely sent, at one endpoint of its destination."""

    def __init__(self, w, send, number):
        self.w, self.send, self.at, self.number = w, send, w.endpoints[number], number
        rows = [row for row in w.deliveries if (row.msg, row.end) == (send.msg, number)]
        self.rows = sorted(rows, key=lambda row: (row.t0, row.session, row.seq))
        self.sure = send.kind in (End.FREE, End.DONE)
        self.lasts = send.mode == PERSISTENT and send.ttl == 0

    @property
    def asked(self):
        """Whether the endpoint surely wanted the message."""
        w, send, at = self.w, self.send, self.at
        until = max(at.drained, send.s0) if send.kind == End.DOUBT else send.s1
        inside = send.t0 >= at.open1 + w.ns(w.margins.steady) and max(send.t0, until) <= at.gone0
        local = at.nolocal == UNSURE or (at.nolocal >= 0 and at.nolocal == send.conn)
        return inside and not local and w.answer(at.selector, send.klass) == 1

    @property
    def would_show(self):
        """Whether it would have come if it was there."""
        w, send, at = self.w, self.send, self.at
        settled = send.s0 if send.kind == End.DOUBT else send.s1
        due = send.by + send.delay * MS if send.delay >= 0 else NEVER
        drained = max(settled, due) < at.drained
        if send.kind == End.DOUBT:
            drained = drained and send.s0 + w.ns(w.margins.redelivery) < at.waited
        return (drained or self.fenced) and not send.t0 < at.blind

    @property
    def fenced(self):
        """Whether a later one came."""
        send = self.send
        if self.rows:
            return False
        key = (self.number, send.msg >> 32, send.mode, send.delay, send.prio)
        for fence in self.w.fences:
            if (fence.end, fence.stream, fence.mode, fence.delay, fence.prio) == key:
                passed = self.w.answer(fence.selector, send.klass) == 1
                return fence.pos > send.msg & 0xFFFFFFFF and fence.since < send.t0 and passed
        return False

    def complete(self):
        """The verdict on its absence."""
        if self.rows:
            return HELD
        return self.send.key if self.would_show else OPEN


def copies(w):
    for send in w.by_msg.values():
        for number, at in enumerate(w.endpoints):
            if at.dest == send.dest:
                copy = Copy(w, send, number)
                if send.said == Out.OK or copy.rows:
                    yield copy


def rolled_back_invisible(w):
    for c in copies(w):
        later = bool(c.rows) and c.rows[-1].t0 >= c.send.s0
        if c.send.tx and c.send.kind == End.UNDONE and (later or c.asked):
            if later:
                yield c.rows[-1].key
            else:
                yield HELD if c.would_show else OPEN


def no_loss_persistent(w):
    yield from (c.complete() for c in copies(w) if c.sure and c.lasts and c.asked and c.at.kind == Kind.QUEUE)


def durable_complete(w):
    yield from (c.complete() for c in copies(w) if c.sure and c.lasts and c.asked and c.at.kind == Kind.DURABLE)


def nondurable_complete_while_open(w):
    for c in copies(w):
        if c.sure and c.lasts and c.asked and c.at.kind == Kind.NONDURABLE and not w.restarted(c.send.t0, NEVER):
            yield c.complete()


def nonpersistent_kept_without_failure(w):
    for c in copies(w):
        kept = c.send.mode == NON_PERSISTENT and c.send.ttl == 0 and not w.restarted(c.send.t0, NEVER)
        if c.sure and kept and c.asked:
            yield c.complete()


def browsing_does_not_consume(w):
    for c in copies(w):
        browsed = any(row.op == Op.BROWSE and (row.msg, row.end) == (c.send.msg, c.number) for row in w.rows)
        if browsed and c.sure and c.lasts and c.asked and c.at.kind == Kind.QUEUE:
            yield c.complete()


def handed_back(c):
    lasting = c.sure and c.lasts and c.at.kind != Kind.NONDURABLE
    consumed = any(row.kind == End.DONE and not (row.auto and row.died) for row in c.rows)
    undone = bool(c.rows) and c.rows[-1].kind in (End.UNDONE, End.RECOVERED) and not consumed
    return undone and lasting and c.at.gone0 > c.at.drained


def came_back(c):
    return len(c.rows) > 1 and c.sure and c.lasts and c.at.kind != Kind.NONDURABLE


def would_return(w, at, since):
    return since < at.drained and since + w.ns(w.margins.redelivery) < at.waited


def not_returned(c):
    w, last = c.w, c.rows[-1]
    shown = would_return(w, c.at, last.s1) and c.send.t0 >= c.at.blind and all(row.t0 < last.s0 for row in c.rows[:-1])
    return last.key if shown and len(c.rows) < w.margins.deliveries else OPEN


def unsettled_comes_back(w):
    for c in copies(w):
        if handed_back(c):
            yield not_returned(c)
        elif came_back(c):
            yield HELD


def acknowledge_leaves_others(w):
    for c in copies(w):
        if not (handed_back(c) or came_back(c)):
            continue
        last = c.rows[-1]
        strangers = [each for each in w.consumers if each.end == c.number and each.session not in (NONE, last.session)]
        others = [w.sessions[each.session] for each in strangers]
        acked = any(each.ack0 < max(last.s0, last.t0) and each.ack1 > last.t0 for each in others)
        if acked and w.sessions[last.session].mode == CLIENT and not last.auto:
            yield not_returned(c) if handed_back(c) else HELD


# -- units -----------------------------------------------------------------------------------------------------------


def shows_absence(w, row):
    sent = row.sent
    return (
        sent is not None
        and sent.mode == PERSISTENT
        and sent.ttl == 0
        and sent.kind in (End.FREE, End.DONE)
        and row.at.kind != Kind.NONDURABLE
        and not sent.t0 < row.at.blind
        and row.at.gone0 > row.at.drained
    )


def roles(w):
    """What is known of each unit: {unit: {role: [keys]}}."""
    known = {}

    def note(unit, role, row):
        known.setdefault(unit, {}).setdefault(role, []).append(row.key)

    prepared = {each.unit for each in w.branches if each.prepared}
    for row in w.deliveries:
        note_doubt(w, row, note)
        if row.sent and row.sent.unit in prepared:
            if row.t0 < row.sent.s0 or row.sent.kind == End.UNDONE:
                note(row.sent.unit, "wrong", row)
            elif row.sent.kind == End.DONE:
                note(row.sent.unit, "kept", row)
        if row.at and row.unit in prepared:
            note_input(w, row, note)
    for c in copies(w):
        missing = not c.rows and c.lasts and c.at.kind != Kind.NONDURABLE and c.asked and c.would_show
        if missing and c.send.tx and c.send.kind == End.DOUBT:
            note(c.send.unit, "missing", c.send)
        if missing and c.send.unit in prepared and c.send.kind == End.DONE:
            note(c.send.unit, "wrong", c.send)
    return known


def note_doubt(w, row, note):
    if row.sent and row.sent.tx and row.sent.kind == End.DOUBT:
        note(row.sent.unit, "visible", row)
    if row.at and row.tx and row.kind == End.DOUBT:
        if row.next:
            note(row.unit, "back", row.next)
        elif shows_absence(w, row) and would_return(w, row.at, row.s0):
            note(row.unit, "gone", row)


def note_input(w, row, note):
    absent = shows_absence(w, row) and would_return(w, row.at, row.s1)
    if row.next and (row.next.t0 < row.s0 or (row.kind == End.DONE and row.next.t0 > row.s1)):
        note(row.unit, "wrong", row.next)
    if row.next and row.next.t0 >= row.s0 and row.kind == End.UNDONE:
        note(row.unit, "kept", row)
    if not row.next and row.kind == End.UNDONE and absent:
        note(row.unit, "wrong", row)
    if not row.next and row.kind == End.DONE:
        note(row.unit, "kept", row)


def first(known, *names):
    for name in names:
        if name in known:
            return min(known[name])
    return (NONE, NONE)


def transaction_atomic(w):
    for known in roles(w).values():
        if "visible" in known or "missing" in known:
            broken = "visible" in known and "missing" in known
            yield first(known, "visible") if broken else HELD


def consume_produce_atomic(w):
    for known in roles(w).values():
        visible, missing, back, gone = (name in known for name in ("visible", "missing", "back", "gone"))
        if ((back or gone) and (visible or missing)) or (back and gone):
            broken = (visible and back) or (gone and missing) or (gone and back)
            yield first(known, "visible", "gone") if broken else HELD


def prepared_outcome(w):
    prepared = {each.unit for each in w.branches if each.prepared}
    for unit, known in roles(w).items():
        if unit in prepared and ("wrong" in known or "kept" in known):
            yield first(known, "wrong") if "wrong" in known else HELD


def message_id_unique(w):
    seen = set()
    named = [send for send in w.sends if send.out == Out.OK and send.jms != 0]
    for send in sorted(named, key=lambda each: (each.jms, each.msg, each.session, each.seq)):
        yield judged(send.jms in seen, send)
        seen.add(send.jms)
