"""Questions to side tables against their plain reading."""

import numpy as np

from tck.check.columns import ALWAYS, CONSUMERS, ENDPOINTS, NEVER, SESSIONS, Table
from tck.check.tables import Tables


def acknowledged(tables, end, session, after, until):
    places = zip(tables.consumers.end.tolist(), tables.consumers.session.tolist(), strict=True)
    others = {other for place, other in places if place == end and other >= 0} - {session}
    times = [(tables.sessions.ack0[other], tables.sessions.ack1[other]) for other in others]
    return any(first < until and last > after for first, last in times)


def test_whether_another_session_acknowledged_in_between():
    rng = np.random.default_rng(1)
    seen = [0, 0]
    for _ in range(200):
        sessions, consumers, rows = rng.integers(1, 6), rng.integers(0, 9), 30
        ack0 = rng.integers(0, 20, sessions)
        silent = rng.random(sessions) < 0.3
        ack1 = np.where(rng.random(sessions) < 0.1, NEVER, ack0 + rng.integers(0, 10, sessions))
        tables = Tables(
            consumers=Table.of(
                CONSUMERS,
                {"end": rng.integers(0, 3, consumers), "session": rng.integers(-1, sessions, consumers)},
                consumers,
            ),
            sessions=Table.of(
                SESSIONS, {"ack0": np.where(silent, NEVER, ack0), "ack1": np.where(silent, ALWAYS, ack1)}
            ),
        )
        end, session = rng.integers(0, 3, rows), rng.integers(0, sessions, rows)
        after = rng.integers(0, 25, rows)
        until = after + rng.integers(0, 15, rows)
        found = tables.acknowledged_elsewhere(end, session, after, until).tolist()
        asked = zip(end.tolist(), session.tolist(), after.tolist(), until.tolist(), strict=True)
        assert found == [acknowledged(tables, *each) for each in asked]
        seen[0] += found.count(False)
        seen[1] += found.count(True)
    assert min(seen) > 500


def test_which_endpoints_were_there_at_a_time():
    rng = np.random.default_rng(2)
    seen = 0
    for _ in range(200):
        size, rows, steady = rng.integers(0, 9), 30, int(rng.integers(0, 3))
        opened = np.where(rng.random(size) < 0.2, ALWAYS, rng.integers(0, 20, size))
        gone = np.where(rng.random(size) < 0.3, NEVER, np.maximum(opened, 0) + rng.integers(0, 10, size))
        dests = rng.integers(-1, 3, size)
        tables = Tables(endpoints=Table.of(ENDPOINTS, {"dest": dests, "open1": opened, "gone0": gone}, size))
        dest, time = rng.integers(0, 4, rows), rng.integers(0, 30, rows)
        owner, end = tables.alive(dest, time, steady)
        expected = {
            (row, place)
            for row in range(rows)
            for place in range(size)
            if dests[place] == dest[row] and opened[place] <= time[row] - steady and gone[place] >= time[row]
        }
        assert set(zip(owner.tolist(), end.tolist(), strict=True)) == expected
        assert len(owner) == len(expected)
        seen += len(expected)
    assert seen > 500


def test_whether_a_consumer_may_have_ended_in_between():
    rng = np.random.default_rng(3)
    seen = [0, 0]
    for _ in range(200):
        size, rows = rng.integers(0, 9), 30
        gone0 = rng.integers(0, 25, size)
        gone1 = np.where(rng.random(size) < 0.2, NEVER, gone0 + rng.integers(0, 12, size))
        gone0 = np.where(rng.random(size) < 0.2, NEVER, gone0)
        gone1 = np.maximum(gone0, gone1)
        ends = rng.integers(0, 3, size)
        tables = Tables(consumers=Table.of(CONSUMERS, {"end": ends, "gone0": gone0, "gone1": gone1}, size))
        end, after = rng.integers(0, 4, rows), rng.integers(0, 30, rows)
        until = after + rng.integers(0, 6, rows)
        found = tables.departed(end, after, until).tolist()
        lives = list(zip(ends.tolist(), gone0.tolist(), gone1.tolist(), strict=True))
        asked = zip(end.tolist(), after.tolist(), until.tolist(), strict=True)
        # a cut link takes a while to be one: who was cut before the send may hold what came after it
        assert found == [any(e == place and g1 >= a and g0 < u for e, g0, g1 in lives) for place, a, u in asked]
        seen[0] += found.count(False)
        seen[1] += found.count(True)
    assert min(seen) > 500
