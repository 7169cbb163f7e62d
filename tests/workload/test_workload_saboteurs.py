"""Each property of traces kills its saboteur when run as a workload."""

import pytest
from workload_broken import PROOFS, WAITING
from workload_support import drive

from reference_provider.saboteurs import trace_faults
from tck.check.properties import PROPERTIES


def test_every_property_has_a_fault_that_a_workload_reports():
    assert set(PROOFS) == set(PROPERTIES)


def test_every_fault_of_traces_is_used():
    assert set(trace_faults()) == {proof.saboteur for proof in PROOFS.values()} & set(trace_faults())
    assert set(trace_faults()) <= set(PROPERTIES)


def test_a_provider_that_expedites_lets_no_expedited_message_wait(tmp_path):
    """The property only observes; so it has to be silent here, to say something where it speaks."""
    ended = drive(tmp_path, WAITING, 100)
    told = next(each for each in ended.reports if each.kind.name == "priority-hint")
    assert (told.violations, told.obligations > 20) == (0, True)


def test_a_provider_that_refuses_rivals_is_not_blamed_for_it(tmp_path):
    ended = drive(tmp_path, PROOFS["recovered-by-same-session"].plan, 200)
    numbers = {each.kind.name: (each.violations, each.obligations) for each in ended.reports}
    assert ended.exit == 0, numbers
    assert numbers["recovered-by-same-session"][1] > 20
    assert numbers["durable-complete"][1] > 100


@pytest.mark.parametrize("name", PROOFS)
def test_the_property_reports_its_fault(name, tmp_path):
    proof = PROOFS[name]
    ended = drive(tmp_path, proof.plan, proof.messages, saboteur=proof.saboteur, duration=proof.duration)
    told = next(each for each in ended.reports if each.kind.name == name)
    assert told.violations, {each.kind.name: each.numbers() for each in ended.reports}
    assert told.findings[0][0].text
    if not told.kind.observes:
        assert ended.exit == 1
