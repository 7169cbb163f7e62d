"""Facts: a program meets the states that its steps and outcomes show, and no others."""

import pytest
from vocabulary_support import opened, run

from tck.programs.facts import STATES, counts, facts

SEND = {"do": "send", "on": "p1", "message": "m1"}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("reference")) as found:
        yield found


@pytest.fixture
def met(reference):
    def facts_of(*steps):
        told = run(reference, *steps)
        assert told.unclear is None
        return facts(told)

    return facts_of


def test_a_message_that_comes_again_is_told_by_what_gave_it_back_and_how_it_came(met):
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


def test_the_first_delivery_is_none_that_comes_again(met):
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


def test_a_failure_is_told_by_what_was_under_way(met):
    found = met(SEND, {"do": "kill"})
    assert {"kill with persistent waiting", "kill with text waiting"} <= found
    assert "kill with non-persistent waiting" not in found


def test_a_value_is_told_with_its_path(met):
    found = met(SEND, {"do": "browser", "as": "b1", "on": "s2", "of": "q1"}, {"do": "browse", "on": "b1"})
    assert {"string empty is not null: text", "string empty is not null: browsed", "browse kind text"} <= found
    assert "string empty is not null: received" not in found


def test_each_fact_of_a_made_program_is_a_state_of_the_table_or_a_pair(reference):
    made = [reference.make(5, number) for number in range(40)]
    found = counts(made)
    assert {each for each in found if ": " not in each} <= STATES
    assert max(found.values()) <= len(made)
