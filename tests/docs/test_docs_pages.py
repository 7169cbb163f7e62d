"""All pages: links lead somewhere, shell and data blocks are sound, and the README keeps its promises."""

import ast
import json
import os
import re
import subprocess
import tomllib
from itertools import pairwise

import pytest
from docs_support import ROOT, blocks, page, run, section

from tck.record import Exit

PAGES = sorted(
    str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("tck/**/*.md")]
)
README = page("README.md")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(text):
    """Give the anchors of a page's headings, as the usual renderers make them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    broken = []
    for target in LINK.findall(re.sub(r"^```.*?^```", "", page(name), flags=re.MULTILINE | re.DOTALL)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (ROOT / name).parent / file if file else ROOT / name
        if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("name", PAGES)
def test_blocks_can_be_read(name):
    for block in blocks(page(name)):
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "python":
            ast.parse(block.text)
        elif block.language == "sh":
            subprocess.run(["bash", "-n", "-c", block.text], check=True, timeout=20)


def test_the_index_names_every_page():
    index = page("docs/README.md")
    names = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [name for name in sorted(names) if f"({name})" not in index] == []


def test_two_commands_are_two_lines_of_shell_the_main_job_first():
    part = section(README, "Two commands")
    found = blocks(part)
    assert [block.language for block in found] == ["sh", "sh"]
    assert part.count("```") == 4
    lines = [block.text.strip() for block in found]
    assert [line.count("\n") for line in lines] == [0, 0]
    assert ["-e reference" in lines[0], "-e tests" in lines[1]] == [True, True]
    assert all(line.startswith("python3 -m venv ") for line in lines)


def test_continuous_integration_takes_the_commands_from_the_readme():
    script = page(".ci/run")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert "readme_command 2" in script
    taken = re.search(r"^readme_command\(\) \{.*?^\}$", script, re.MULTILINE | re.DOTALL)
    for number, block in enumerate(blocks(section(README, "Two commands")), 1):
        done = subprocess.run(
            ["bash", "-c", f"{taken[0]}\nreadme_command {number}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
        assert done.stdout == block.text


def test_every_environment_of_tox_has_a_description_and_runs_in_continuous_integration_or_nightly():
    ini = page("tox.ini")
    sections = re.findall(r"^\[testenv:(.+)\]$", ini, re.MULTILINE)
    names = [name for section in sections for name in section.strip("{}").split(",")]
    assert {"reference", "tests", "provider", "lint", "type", "detect"} <= set(names)
    assert len(re.findall(r"^description =", ini, re.MULTILINE)) == len(sections)
    scripts = page(".ci/run") + page(".ci/nightly")
    # by the commands of the README; by users; types in the environment of the tests
    elsewhere = {"provider", "type"}
    assert [name for name in names if f"-e {name}" not in scripts] == [name for name in names if name in elsewhere]


def test_the_nightly_run_has_every_slice_that_contributing_names():
    def nightly(*words):
        return subprocess.run(
            ["bash", ROOT / ".ci" / "nightly", *words], capture_output=True, text=True, timeout=60, check=False
        )

    listed = nightly("--list").stdout.splitlines()
    slices = [line.split()[0] for line in listed]
    assert {tuple(line.split()[1:3]) for line in listed} == {(".venv/bin/tox", "run"), ("bash", ".ci/pythons")}
    table = section(page("CONTRIBUTING.md"), "The nightly run")
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == slices
    refused = nightly("no-such-slice")
    assert (refused.returncode, refused.stdout) == (4, "")
    assert refused.stderr.startswith("nightly: there is no slice no-such-slice; there are slow-tests ")


def test_continuous_integration_runs_the_two_commands_as_the_readme_prints_them_and_the_slow_tests():
    script = page(".ci/run")
    assert re.findall(r'^ *step "(main job|tests|slow tests)" (.*)$', script, re.MULTILINE) == [
        ("main job", '"${shell[@]}" "$main_job"'),
        ("tests", '"${shell[@]}" "$tests"'),
        ("slow tests", ".venv/bin/tox run -e slow"),
    ]
    assert "main_job=$(readme_command 1)\ntests=$(readme_command 2)\n" in script
    assert [block.text.split()[-1] for block in blocks(section(README, "Two commands"))] == ["reference", "tests"]


def test_the_readme_has_every_exit_code():
    rows = re.findall(r"^\| (\d) \| ", section(README, "Exit codes"), re.MULTILINE)
    assert rows == [str(int(code)) for code in sorted(Exit)]


def test_the_readme_shows_what_a_run_really_says(tmp_path):
    part = section(README, "What a run says")
    command = re.search(r"<!-- (tck .+) -->", part)[1]
    shown = next(block.text for block in blocks(part) if block.language == "text")
    done = run(f"{command} -n 0 --no-report --out {tmp_path}", ROOT)
    assert done.returncode == 1
    assert comparable(shown) in comparable(done.stdout)


def comparable(text):
    """Leave out what names the run: part of the names of destinations."""
    return re.sub(r"\b(tck\.[a-z]+)\.[\w.]+", r"\1", text)


def test_headings_do_not_skip_a_level():
    for name in PAGES:
        text = re.sub(r"^```.*?^```", "", page(name), flags=re.MULTILINE | re.DOTALL)
        levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
        assert levels[0] == 1, name
        assert all(after <= before + 1 for before, after in pairwise(levels)), name
