"""docs/ci.md and action.yml: the workflows are well formed, and their shell steps do what the page says."""

import json
import os
import re
import subprocess
import sys

import pytest
import yaml
from docs_support import ROOT, page, titled

from tck.cli.main import cli

TEXT = page("docs/ci.md")
ACTION = yaml.safe_load(page("action.yml"))
GITHUB = yaml.safe_load(titled(TEXT, ".github/workflows/conformance.yml").text)
GITLAB = yaml.safe_load(titled(TEXT, ".gitlab-ci.yml").text)["conformance"]
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
SELECT, ARGUMENTS = "3.4.1", "-n 0 --seed 1"


@pytest.fixture
def shell(tmp_path):
    """A function that runs a script in an empty folder in which `tck` and `python` are ours, and pip only says its words."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "tck").write_text(f'#!/bin/sh\nexec {sys.executable} -m tck "$@"\n')
    (programs / "python").write_text('#!/bin/sh\necho "python $*"\n')
    for path in programs.iterdir():
        path.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()

    def run(script, **environment):
        path = f"{programs}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=work,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    run.work = work
    return run


def action_environment(work, **inputs):
    """The environment of the step that judges, from the inputs of the action and their defaults."""
    values = {name: str(given.get("default", "")) for name, given in ACTION["inputs"].items()} | inputs
    step = STEPS["Run and judge"]["env"]
    made = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], text) for name, text in step.items()
    }
    return {**made, "GITHUB_OUTPUT": str(work / "output"), "GITHUB_STEP_SUMMARY": str(work / "summary")}


def judged(shell, **inputs):
    given = action_environment(shell.work, profile="reference", select=SELECT, arguments=ARGUMENTS, **inputs)
    return shell(STEPS["Run and judge"]["run"], **given)


def test_the_action_installs_the_kit_with_its_extras(shell):
    script = STEPS["Install the kit"]["run"]
    assert shell(script, KIT="/kit", EXTRAS="").stdout == "python -m pip install --quiet /kit\n"
    assert shell(script, KIT="/kit", EXTRAS="jvm,jre").stdout == "python -m pip install --quiet /kit[jvm,jre]\n"


def test_the_action_runs_reports_and_passes(shell):
    done = judged(shell)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (shell.work / "output").read_text() == "exit=0\n"
    assert "3 assertions in 24 cases: 3 conformant" in (shell.work / "summary").read_text()
    out = shell.work / "tck-out"
    assert json.loads((out / "badge.json").read_text())["schemaVersion"] == 1
    assert {"junit.xml", "badge.svg", "runs", "html"} <= {path.name for path in out.iterdir()}


@pytest.mark.slow
def test_the_action_fails_on_violations_and_with_a_baseline_on_new_ones_only(shell):
    sabotage = {"select": SELECT, "arguments": f'{ARGUMENTS} --setting saboteur="3.4.1-3"'}
    given = action_environment(shell.work, profile="reference", **sabotage)
    failed = shell(STEPS["Run and judge"]["run"], **given)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "::error" in failed.stdout
    assert shell("tck gate latest --write base.json").returncode == 0
    passed = shell(STEPS["Run and judge"]["run"], **{**given, "BASELINE": "base.json"})
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert (shell.work / "output").read_text() == "exit=1\nexit=0\n"


def test_the_action_fails_with_the_code_of_a_run_that_left_nothing(shell):
    given = action_environment(shell.work, profile="nobody")
    assert shell(STEPS["Run and judge"]["run"], **given).returncode == 4


def test_the_page_describes_each_input_and_its_workflow_uses_them():
    assert [name for name in ACTION["inputs"] if f"`{name}`" not in TEXT] == []
    (step,) = [each for each in GITHUB["jobs"]["conformance"]["steps"] if "with" in each]
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert {name for name, given in ACTION["inputs"].items() if given.get("required")} <= set(step["with"])


@pytest.mark.slow
def test_the_steps_of_gitlab_install_judge_and_leave_what_is_kept(shell):
    install = "\n".join(GITLAB["before_script"])
    assert shell(install, KIT="git+https://x/y@z").stdout == "python -m pip install --quiet git+https://x/y@z\n"
    assert shell(f"tck run {SELECT} {ARGUMENTS} --no-report && tck gate latest --write base.json").returncode == 0
    given = {"PROFILE": "reference", "BASELINE": "base.json", "SELECT": SELECT, "ARGUMENTS": ARGUMENTS}
    script = "\n".join(GITLAB["script"])
    passed = shell(script, **given)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    kept = [*GITLAB["artifacts"]["paths"], GITLAB["artifacts"]["reports"]["junit"]]
    assert [path for path in kept if not (shell.work / path).exists()] == []


def test_the_steps_of_gitlab_fail_where_nothing_could_be_judged(shell):
    assert shell("\n".join(GITLAB["script"]), PROFILE="nobody", BASELINE="base.json").returncode == 4


def test_options_of_the_scripts_exist():
    script = STEPS["Run and judge"]["run"] + "\n".join(GITLAB["script"])
    for word in re.findall(r"tck (\w+)", script):
        assert word in cli.list_commands(None)
