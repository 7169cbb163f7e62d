"""Questions to side tables against their plain reading."""

import numpy as np

from tck.check.columns import ALWAYS, CONSUMERS, NEVER, SESSIONS, Table
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
