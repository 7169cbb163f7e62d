"""States: a program meets those that its steps and outcomes show, and no others; together, programs meet all of them."""

import pytest

from benchmarks.strength.states import STATES, counts, facts
from tck import api
from tck.explore.exploration import capabilities_of
from tck.explore.reference import Reference
from tck.profile import load_profile
from tck.programs.observing.environment import RunSettings
from tck.programs.program import Program, Step

FIRST = (
    {"do": "queue", "as": "q1"},
    {"do": "connect", "as": "c1", "api": "classic"},
    {"do": "start", "on": "c1"},
    {"do": "session", "as": "s1", "on": "c1", "mode": "transacted"},
    {"do": "session", "as": "s2", "on": "c1", "mode": "auto"},
    {"do": "producer", "as": "p1", "on": "s2", "to": "q1"},
    {"do": "message", "as": "m1", "on": "s2", "kind": "text", "body": ["string", ""]},
)
SEND = {"do": "send", "on": "p1", "message": "m1"}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    able = capabilities_of(load_profile("reference"), "3.1", frozenset(api.Hook), virtual=True)
    with Reference("3.1", able, RunSettings(), tmp_path_factory.mktemp("reference")) as found:
        yield found


@pytest.fixture
def met(reference):
    return lambda *steps: facts(reference.run(Program(tuple(map(Step.from_json, (*FIRST, *steps))))))


def test_a_redelivery_meets_the_states_of_its_cause_and_its_path(met):
    found = met(
        SEND,
        {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"},
        {"do": "receive", "as": "m2", "on": "k1"},
        {"do": "rollback", "on": "s1"},
        {"do": "receive", "as": "m3", "on": "k1"},
    )
    assert {
        "receive queue transacted",
        "rollback receives",
        "again after rollback by receive",
        "again queue rollback",
    } <= found
    assert not {each for each in found if "recover" in each or "listener" in each or "rollback sends" in each}


def test_the_first_delivery_is_no_redelivery(met):
    found = met(
        {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"},
        {"do": "rollback", "on": "s1"},
        SEND,
        {"do": "receive", "as": "m2", "on": "k1"},
    )
    assert "rollback nothing" in found
    assert not {each for each in found if each.startswith("again")}


def test_a_listener_counts_once_it_was_given_a_message(met):
    listener = (
        {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"},
        {"do": "listen", "on": "k1", "does": "commit", "session": "s1"},
    )
    assert "listener commit queue" not in met(*listener)
    assert {"listener commit queue", "listener in classic transacted", "listener kind text"} <= met(*listener, SEND)


def test_competing_consumers_count_once_both_receive(met):
    both = (
        {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"},
        {"do": "consumer", "as": "k2", "on": "s2", "of": "q1"},
        SEND,
        {"do": "receive", "as": "m2", "on": "k1"},
    )
    assert not {each for each in met(*both) if each.startswith("compete")}
    assert "compete queue two sessions" in met(*both, SEND, {"do": "receive", "as": "m3", "on": "k2"})


def test_a_failure_meets_the_states_of_what_was_under_way(met):
    found = met(SEND, {"do": "kill"})
    assert {"kill with persistent waiting", "kill with text waiting"} <= found
    assert "kill with non-persistent waiting" not in found


def test_what_fails_or_is_provoked_meets_its_states(met):
    fail = {"do": "fail_sends", "on": "p1", "message": "m1", "count": 2}
    found = met(
        {"do": "exception", "kind": "JMSException", "reason": None},
        {"do": "provoke", "on": "s2", "what": "commit"},
        fail,
        SEND,
    )
    assert {"made exception without reason", "provoked exception classic"} <= found
    assert {"failed send classic sync", "failed send twice", "send after failed send"} <= found


def test_a_value_counts_with_its_path(met):
    found = met(SEND, {"do": "browser", "as": "b1", "on": "s2", "of": "q1"}, {"do": "browse", "on": "b1"})
    assert {"string empty is not null: text", "string empty is not null: browsed", "browse kind text"} <= found
    assert "string empty is not null: received" not in found


def test_each_fact_of_a_made_program_is_a_state_of_the_table_or_a_pair(reference):
    made = [reference.make(5, number) for number in range(40)]
    found = counts(made)
    assert {each for each in found if ": " not in each} <= STATES
    assert max(found.values()) <= len(made)


@pytest.mark.slow
def test_together_programs_meet_every_named_state(reference):
    found = counts(reference.make(5, number) for number in range(2500))
    assert len(rare := [each for each in STATES if found[each] < 0.005 * 2500]) <= 60, rare
    assert [each for each in rare if found[each] < 0.0005 * 2500] == []
