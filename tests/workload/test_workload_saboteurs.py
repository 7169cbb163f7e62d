"""Each property of traces kills its saboteur when run as a workload."""

import pytest
from workload_broken import PROOFS, WAITING
from workload_support import drive

from faults import trace_faults
from tck.check.properties import PROPERTIES


def test_every_property_has_a_fault_that_a_workload_reports():
    assert set(PROOFS) == set(PROPERTIES)


def test_every_fault_of_traces_is_used():
    assert set(trace_faults()) == {proof.saboteur for proof in PROOFS.values()} & set(trace_faults())
    assert set(trace_faults()) <= set(PROPERTIES)


def test_a_provider_that_expedites_lets_no_expedited_message_wait(tmp_path):
    """The property only observes; so it has to be silent here, to say something where it speaks."""
    ended = drive(tmp_path, WAITING, 100)
    reported = next(each for each in ended.reports if each.kind.name == "priority-hint")
    assert (reported.violations, reported.obligations > 20) == (0, True)


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
    reported = next(each for each in ended.reports if each.kind.name == name)
    assert reported.violations, {each.kind.name: each.numbers() for each in ended.reports}
    assert reported.findings[0][0].text
    assert reported.broken
    assert proof.saboteur in reported.broken or proof.saboteur not in reported.kind.assertions
    if not reported.kind.observes:
        assert ended.exit == 1


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("settled-stays-settled", {"6.2.7-1", "6.2.11-1", "7.7-6"}),  # not those of acknowledge, nor of subscriptions
        ("settled-survives-restart", {"6.2.11-4", "9.1-2"}),
        ("unsettled-comes-back", {"6.2.7-6", "6.2-12"}),
        ("count-rises", {"3.5.11-2", "6.2.10-34"}),
        ("headers-as-sent", {"3.4.3-7"}),  # the identifier, none of the other fields
        ("no-loss-persistent", {"9.1-1", "6.2.12-1"}),
    ],
)
def test_a_violation_breaks_the_rows_it_is_about_and_no_other(name, broken, tmp_path):
    proof = PROOFS[name]
    ended = drive(tmp_path, proof.plan, proof.messages, saboteur=proof.saboteur, duration=proof.duration)
    reported = next(each for each in ended.reports if each.kind.name == name)
    assert set(reported.broken) <= broken
    (result,) = [each for each in ended.results if each.case.endswith(f"/{name}")]
    assert set(result.verdicts) == set(reported.broken)
    assert all(set(finding.assertions) <= broken for finding in result.findings)
