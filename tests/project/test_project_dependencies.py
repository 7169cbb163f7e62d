"""docs/dependencies.md lists the dependencies of pyproject.toml, each once and with a reason; no more, no less."""

import re
import tomllib

from project_support import read

PROJECT = tomllib.loads(read("pyproject.toml"))
PAGE = read("docs/dependencies.md")
ROW = re.compile(r"^\| `([^`]+)` \| (.*) \| (.*) \| (.*) \|$", re.MULTILINE)


def name_of(requirement):
    return re.split(r"[<>=!~ \[;]", requirement, maxsplit=1)[0].lower()


def rows(heading):
    part = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return {found[0].lower(): found[1:] for found in ROW.findall(part)}


def flat(groups):
    return {name_of(entry) for group in groups.values() for entry in group}


def test_run_time():
    assert set(rows("Run time")) == {name_of(entry) for entry in PROJECT["project"]["dependencies"]}


def test_extras():
    assert set(rows("Extras")) == flat(PROJECT["project"]["optional-dependencies"])


def test_development():
    build = {name_of(entry) for entry in PROJECT["build-system"]["requires"]}
    elsewhere = set(rows("Run time")) | set(rows("Extras"))  # tests may use what an extra brings
    assert set(rows("Development")) == (build | flat(PROJECT["dependency-groups"]) | {"tox", "uv"}) - elsewhere


def test_each_has_reason_field_and_upkeep():
    listed = {**rows("Run time"), **rows("Extras"), **rows("Development")}
    assert len(listed) == len(ROW.findall(PAGE))
    assert [name for name, cells in listed.items() if not all(cell.strip() for cell in cells)] == []


def test_each_has_a_lower_bound():
    everything = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    for group in [*PROJECT["project"]["optional-dependencies"].values(), *PROJECT["dependency-groups"].values()]:
        everything += group
    assert [entry for entry in everything if ">=" not in entry] == []


def test_the_tools_of_rules_and_types_are_pinned():
    lines = [line for line in read(".ci/constraints.txt").splitlines() if not line.startswith("#")]
    tools = flat({name: PROJECT["dependency-groups"][name] for name in ("lint", "type")})
    assert {re.fullmatch(r"([\w-]+)==[\d.]+", line)[1] for line in lines} == tools
    tox = read("tox.ini")
    assert [part.partition("]")[0] for part in tox.split("\n[testenv:")[1:] if "constraints.txt" in part] == [
        "{tests,slow}"
    ]
    assert tox.count("set_env = {[testenv:tests]set_env}") == 2
