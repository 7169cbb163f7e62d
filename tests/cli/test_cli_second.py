"""`tck run --second`: scenarios on two providers."""

import json

from cli_support import tck

SCENARIO = ("run", "pj-provider-factory/topic/domain-specific/auto", "-n", "0", "--no-report", "--format", "json")


def test_a_scenario_on_two_profiles(tmp_path):
    ended = tck(*SCENARIO, "--second", "reference-realtime", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["verdicts"] == {"conformant": 1}


def test_two_java_providers_are_refused(tmp_path):
    ended = tck("run", "pj-provider-factory", "-p", "artemis", "--second", "activemq", cwd=tmp_path)
    assert ended.code == 4
    assert "artemis needs the Java machine of this process; run it beside a provider in Python" in ended.err
