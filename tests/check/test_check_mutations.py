"""Each property finds its mutation of a clean trace, by exact rows, and nothing that is not a named consequence."""

import pytest

from benchmarks.traces import Shape, Trace, generate
from benchmarks.traces.anomalies import ANOMALIES
from benchmarks.traces.editor import Anomaly, Editor
from benchmarks.traces.near_misses import NEAR_MISSES, NearMiss
from tck.check.properties import PROPERTIES
from tck.check.stages import judge

SHAPE = Shape(rounds=9, restart_every=7, topics=1)


@pytest.fixture(scope="module")
def clean():
    return generate(SHAPE)


def findings(trace: Trace) -> dict[tuple[str, int, int], dict[str, int]]:
    found = {}
    for name, tally in judge(trace.rows, trace.tables).items():
        for index in range(len(tally.hits)):
            hit = tally.hits.row(index)
            found[name, hit["session"], hit["seq"]] = hit
    return found


@pytest.mark.parametrize(
    "shape", [SHAPE, Shape(), Shape(rounds=9, restart_every=3, hot=3), Shape(rounds=1, subscriptions=20)]
)
def test_a_clean_trace_breaks_nothing(shape):
    trace = generate(shape)
    assert findings(trace) == {}


def test_a_clean_trace_gives_almost_every_property_a_chance_to_fail(clean):
    idle = {name for name, tally in judge(clean.rows, clean.tables).items() if not tally.obligations}
    # Nothing is closed or opened in it, and no consumer's transaction is in doubt.
    closing = {"nothing-after-close", "close-waits-for-completions", "shared-subscription-joined"}
    assert idle <= closing | {"consume-produce-atomic", "priority-hint"}


def test_every_property_has_a_mutation():
    assert {anomaly.breaks for anomaly in ANOMALIES} == set(PROPERTIES)


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("anomaly", ANOMALIES, ids=lambda anomaly: anomaly.name)
def test_a_mutation_is_found_where_it_is(clean: Trace, anomaly: Anomaly, which: int):
    editor = Editor(clean, which)
    anomaly.make(editor)
    found = findings(editor.done())
    assert editor.expected
    assert editor.expected <= found.keys()
    others = {key: hit for key, hit in found.items() if key not in editor.expected}
    unexplained = {
        key
        for key, hit in others.items()
        if key[0] not in anomaly.consequences
        and not (key[0] == anomaly.breaks and hit["msg"] in editor.touched)
        and not PROPERTIES[key[0]].observes  # which fails nobody
    }
    assert unexplained == set()
    assert [key for key, hit in found.items() if not PROPERTIES[key[0]].blamed(hit["blamed"])] == []


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("permitted", NEAR_MISSES, ids=lambda permitted: permitted.name)
def test_what_is_permitted_passes_in_silence(clean: Trace, permitted: NearMiss, which: int):
    editor = Editor(clean, which)
    permitted.make(editor)
    assert findings(editor.done()) == {}
