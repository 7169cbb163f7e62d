"""`strength cases` and `strength titles`: which cases are needed, and programs by their rarest states."""

from collections import Counter
from types import SimpleNamespace

from benchmarks.strength.recording import BITS, Reach
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
