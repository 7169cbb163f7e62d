"""Each reason why no program is written is one message with the documented exit code."""

import pytest
from reproduce_support import tck


def refused(recorded, case, *options, run=None):
    ended = tck("reproduce", run or recorded.run.run.run, case, "--out", str(recorded.folder), *options)
    assert ended.out == ""
    return ended.code, ended.err


@pytest.mark.slow
def test_an_unknown_run_is_named(redelivered):
    code, message = refused(redelivered, "3.4.7-1", run="nothing")
    assert (code, message.startswith('tck: no run "nothing"')) == (4, True)


def test_an_unknown_case_names_those_of_its_row(redelivered):
    code, message = refused(redelivered, "3.4.7-1")
    assert (code, 'has no case "3.4.7-1"; it has 3.4.7-1/' in message) == (4, True)


def test_a_case_that_holds_has_no_fault_to_show(redelivered):
    held = next(case.name for case in redelivered.run.cases if case.verdict == "conformant")
    code, message = refused(redelivered, held)
    assert (code, "there is no fault to reproduce" in message) == (5, True)


def test_java_is_refused_for_a_provider_in_python(redelivered):
    code, message = refused(redelivered, redelivered.broken[0].name, "--format", "java")
    assert (code, "is not of a Java provider" in message) == (4, True)


@pytest.mark.parametrize("option", [("--format", "cobol"), ("--profile", "nobody")])
def test_a_wrong_option_is_a_fault_of_usage(redelivered, option):
    assert refused(redelivered, redelivered.broken[0].name, *option)[0] == 4
