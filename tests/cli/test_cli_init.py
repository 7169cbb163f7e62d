"""`tck init` writes an adapter that can be run, and whose missing members a run lists by name."""

import json

import pytest
from cli_support import one_message, tck


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("init")
    done = tck("init", "my-broker", "--dir", "adapter", cwd=made)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:2] == ["adapter/my_broker.py", "adapter/my-broker.toml"]
    return made / "adapter"


def test_doctor_opens_the_skeleton_and_names_the_next_member(folder):
    output = json.loads(tck("doctor", "-p", "my-broker.toml", "--format", "json", cwd=folder).out)
    steps = {step["step"]: step for step in output["steps"]}
    assert [steps[name]["ok"] for name in ("profile", "adapter", "info", "destinations", "close")] == [True] * 5
    assert "Session.create_producer is not implemented in this adapter yet" in steps["types"]["seen"]


def test_a_run_says_what_is_absent_and_passes_nothing(folder):
    words = ["run", "-p", "my-broker.toml", "8.5-3", "3.4.1", "-n", "0", "--no-report", "--format", "json"]
    done = tck(*words, cwd=folder)
    output = done.json()
    assert done.code == 1
    assert output["outcomes"].get("held", 0) == output["outcomes"].get("error", 0) == 0
    assert output["outcomes"]["absent"] > 0


def test_what_is_there_is_not_overwritten(folder):
    text = (folder / "my_broker.py").read_text()
    done = tck("init", "my-broker", cwd=folder)
    assert done.code == 4
    assert "my_broker.py is there already" in one_message(done)
    assert (folder / "my_broker.py").read_text() == text


@pytest.mark.parametrize("name", ["My", "1st", "a b", "class", "../x"])
def test_a_name_that_no_module_can_have_is_refused(name, tmp_path):
    assert "expected small letters" in one_message(tck("init", name, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []
