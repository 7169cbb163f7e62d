"""Which cases are needed, programs by their rarest states, and digests of the calls of a case."""

from collections import Counter
from types import SimpleNamespace

from benchmarks.strength.recording import BITS, Reach
from benchmarks.strength.showing import digest
from benchmarks.strength.states.table import STATES
from benchmarks.strength.states.titles import title
from benchmarks.strength.worth import lines, needed

FIRST, SECOND = [*BITS.values()][:2]


def _reach(**rows):
    reach = Reach()
    reach.sound = {case: SimpleNamespace(verdicts=dict.fromkeys(found)) for case, found in rows.items()}
    return reach


def test_a_case_is_needed_for_faults_rows_and_circumstances_that_others_do_not_have():
    reach = _reach(one=["3.4-1"], two=["3.4-1"], three=["3.4-1"], four=["3.4-2"])
    assert needed(reach, {}) == ["one", "two", "four"]
    assert needed(reach, {"a fault": ["three"]})[0] == "three"
    reach.facts = {"send": {"one": {FIRST}, "two": {FIRST}, "three": {FIRST | SECOND}}}
    assert needed(reach, {})[0] == "three"


def test_the_figures_of_cases_count_faults_that_one_case_alone_notices():
    reach = _reach(one=["3.4-1"], two=["3.4-1"], three=["3.4-1"])
    shown = list(lines(reach, {"a": ["one"], "b": ["one", "two"], "c": []}, 5))
    assert shown[0] == "cases      3, of which 2 are needed"
    assert shown[1] == "faults     3 met, 2 noticed; 1 by one case alone, 1 such cases"
    assert shown[-1] == "not needed three"


def test_a_title_names_the_rarest_states_and_one_value():
    one, two, three = sorted(STATES)[:3]
    often = Counter({one: 9, two: 1, three: 5, "int small: property": 7, "int odd: text": 2})
    assert title(often, often) == f"{two}; {three}; int odd, text"
    assert title([], often) == ""


def test_a_digest_tells_values_apart_and_no_run_from_another():
    def seen(value, **more):
        return digest([{"op": "a"}, {"op": "b", "value": value, **more}])

    assert digest([{"op": "b"}, {"op": "a"}]) == digest([{"op": "a", "seq": 7, "thread": "t"}, {"op": "b", "t_ns": 5}])
    for one, other in (("ID:a1", "ID:b2"), ("queue:tck.q.f9eef0.main.1.1", "queue:tck.q.aa.main.7.1"), (1764440000000, 1764440000007),
                       ({"JMSXAppID": "one"}, {"JMSXAppID": "other"})):  # fmt: skip
        assert seen(one) == seen(other)
    for one, other in ((2**63 - 1, 2**63 - 2), ("c1", "c2"), ("text", None), (1, 2), ({"JMSXAppID": "one"}, {})):
        assert seen(one) != seen(other)
