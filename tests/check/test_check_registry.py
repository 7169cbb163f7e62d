"""What properties say of themselves: names, assertion ids, claims, stories."""

import string
import subprocess
import sys

import pytest

from tck.catalogue import load_catalogue
from tck.check import property_names
from tck.check.columns import OPERATIONS, Table
from tck.check.evidence import Evidence, Names
from tck.check.properties import PROPERTIES
from tck.check.registry import Grain, on
from tck.check.story import StoryFields
from tck.check.tables import Tables


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


def test_there_are_52_properties_in_a_stable_order():
    assert len(PROPERTIES) == 52
    assert tuple(PROPERTIES) == property_names()


@pytest.mark.parametrize("kind", PROPERTIES.values(), ids=lambda kind: kind.name)
def test_a_property_names_assertions_of_the_catalogue(kind, catalogue):
    assert [each for each in kind.assertions if each not in catalogue] == []
    assert all(catalogue[each].subject == "provider" for each in kind.assertions)


@pytest.mark.parametrize("kind", PROPERTIES.values(), ids=lambda kind: kind.name)
def test_a_property_that_can_fail_a_provider_judges_an_obligation(kind, catalogue):
    levels = {catalogue[each].level for each in kind.assertions}
    assert kind.observes or levels & {"MUST", "SHOULD"}


@pytest.mark.parametrize("kind", PROPERTIES.values(), ids=lambda kind: kind.name)
def test_a_story_uses_known_phrases(kind):
    fields = StoryFields(
        dict.fromkeys(("msg", "end", "unit", "session", "seq", "other_session", "other_seq"), -1),
        Evidence(Table.empty(OPERATIONS), Tables(), Names()),
    )
    known = set(fields)
    used = {field.partition(".")[0].lower() for _, field, _, _ in string.Formatter().parse(kind.story) if field}
    assert used <= known
    assert kind.claim.endswith(".")


@pytest.mark.parametrize(("ids", "claim"), [("6.2.7", "x"), ("", "x"), ("6.2.7-1 6.2.7-1", "x"), ("6.2.7-1", "")])
def test_a_malformed_property_is_refused(ids, claim):
    def judge(_):
        raise AssertionError

    judge.__doc__ = claim
    with pytest.raises(ValueError, match="p: "):
        on(Grain.SEND, "p", ids, story="")(judge)


def test_importing_the_package_does_not_load_numpy():
    code = "import sys, tck.check; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
