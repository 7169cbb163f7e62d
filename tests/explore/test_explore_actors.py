"""Exploration finds out providers that tell the wrong exception listener, or that tie objects to threads."""

import pytest
from explore_support import explorer

from tck.programs.program import Program, Step

FIRST = (
    {"do": "queue", "as": "q1"}, {"do": "connect", "as": "c1", "api": "classic"}, {"do": "start", "on": "c1"},
    {"do": "session", "as": "s1", "on": "c1", "mode": "auto"},
)  # fmt: skip
HEARD = {"do": "on_exception", "on": "c1", "value": True}
CUT = {"do": "sever", "on": "c1"}
PROBLEMS = {"do": "problems", "on": "c1"}
REFUSED = {"do": "consumer", "as": "z1", "on": "s1", "of": "q1", "selector": "a = = 1"}
LISTENING = (
    {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"},
    {"do": "listen", "on": "k1", "does": "take"},
    {"do": "advance", "units": 0},
)


@pytest.mark.parametrize(
    ("saboteur", "steps", "row"),
    [
        ("6.1.7-1", (HEARD, *LISTENING, CUT), "6.1.7-1"),
        ("6.1.7-2", (HEARD, CUT), "6.1.7-2"),
        ("6.1.7-5", (HEARD, HEARD, CUT), "6.1.7-5"),
        ("6.1.7-10", (HEARD, REFUSED), "6.1.7-10"),
    ],
)
def test_a_provider_that_tells_the_wrong_exception_listener_is_found_out(saboteur, steps, row):
    program = Program(tuple(Step.from_json(each) for each in (*FIRST, *steps, PROBLEMS)))
    with explorer(saboteur) as found:
        told, _, differences = found.replay(program)
    assert told.unclear is None
    assert row in {each for difference in differences for each in difference.rows}
