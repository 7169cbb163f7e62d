"""A flaky fault that may strike anywhere: declared for any row, and known by what its failures show."""

import dataclasses
import re

import pytest

from tck.catalogue import load_catalogue
from tck.profile import Declared, ProfileError, load_profile
from tck.profile.model import Deviation

CATALOGUE = load_catalogue()
MINIMAL = """\
[profile]
name = "mine"
title = "My broker"
[adapter]
target = "mine.adapter:open_provider"
[claims]
version = "3.1"
"""
ANYWHERE = """
[[deviation]]
assertion = "*"
cases = "*/queue/*"
outcome = "flaky"
observed = "*drain request*"
reason = "a drain that follows another at once is not answered"
evidence = "a program"
at_most = 0.2
expires = 2027-01-01
"""


def load(folder, deviation):
    path = folder / "mine.toml"
    path.write_text(MINIMAL + deviation)
    return load_profile(path, CATALOGUE)


def test_a_fault_that_may_strike_anywhere_covers_the_failures_that_show_it(tmp_path):
    profile = load(tmp_path, ANYWHERE)
    anywhere = profile.deviations[-1]
    shown = "browsing raised JMSException: no answer to a drain request\nin time"
    assert profile.deviation_for("3.4.1-1", "3.4.1-1/queue/classic", shown) == anywhere
    for row, case, seen in (
        ("3.4.1-1", "3.4.1-1/queue/classic", "another failure"),
        ("3.4.1-1", "3.4.1-1/queue/classic", None),
        ("3.4.1-1", "3.4.1-1/topic/classic", shown),
    ):
        assert profile.deviation_for(row, case, seen) is None
    assert anywhere not in profile.unmatched([])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('observed = "*drain request*"\n', "", "say in `observed` by what its failures are known"),
        ('outcome = "flaky"\nobserved', 'outcome = "fails"\nobserved', "since only a flaky outcome has them"),
        ('observed = "*drain request*"', 'observed = " "', "expected a glob on what is observed"),
    ],
)
def test_any_row_needs_what_is_observed_and_only_flaky_ones_have_it(tmp_path, old, new, message):
    with pytest.raises(ProfileError, match=re.escape(message)):
        load(tmp_path, ANYWHERE.replace(old, new))


def test_of_the_declarations_of_a_row_one_that_fails_is_known_before_one_that_is_undecided():
    profile = load_profile("dummy-accepts")
    undecided, fails, other = (
        Deviation(row, outcome, "why", cases="*/nowhere")
        for row, outcome in (("1-1", Declared.UNDECIDED), ("1-1", Declared.FAILS), ("1-2", Declared.UNDECIDED))
    )
    known = dataclasses.replace(profile, deviations=(undecided, fails, other))
    assert known.known_deviation("1-1") == fails
    assert known.known_deviation("1-2") == other
    assert known.known_deviation("1-3") is None
    named = Deviation("1-3", Declared.FLAKY, "why", cases="corpus/12", observed="*lost*")
    known = dataclasses.replace(profile, deviations=(named,))
    assert known.known_deviation("1-3") is None, "it says by what its failures are known"
    assert known.deviation_for("1-3", "corpus/12", "it is lost") == named
