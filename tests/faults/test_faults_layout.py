"""A saboteur is found from its row: it is in the module named after the test file that judges the row."""

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

import faults
import tck
from faults import all_saboteurs, trace_faults
from tck.check.properties import PROPERTIES

SABOTEURS = Path(faults.__file__).parent
SUITE = Path(tck.__file__).parent / "suite"
MODULES = sorted(SABOTEURS.glob("ch*/s*.py"))
SCENARIOS = sorted(SABOTEURS.glob("scenarios/pj_*.py"))
NAME = re.compile(r"s((?:\d+_)+)\w+")
ID = re.compile(r"(?:[\d.]+|pj-[a-z-]+)-\d+")


def counterpart(module):
    """The test file with the name of a module: ch03_x/s3_4_1_destination -> ch03_x/test_3_4_1_destination."""
    return f"{module.parent.name}/test_{module.stem[1:]}"


def is_id(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value)


def declared(module):
    """The rows whose saboteurs a module declares: first argument of `saboteur`, first cell of a row of `table`."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            rows = node.args[:1] if node.func.id == "saboteur" else []
            if node.func.id == "table":
                rows = [row.elts[0] for row in node.args if isinstance(row, ast.Tuple)]
            yield from (row.value for row in rows if is_id(row))


def judged_first():
    """The test files whose tests name a row first, by row."""
    found = defaultdict(set)
    journeys = set(SUITE.glob("ch*/test_*_journeys.py"))  # of rows of many sections
    for path in set(SUITE.glob("ch*/test_*.py")) - journeys:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "asserts" and is_id(node.args[0]):
                found[node.args[0].value].add(f"{path.parent.name}/{path.stem}")
    return found


JUDGED_FIRST = judged_first()


def test_each_saboteur_is_declared_in_a_module_of_a_chapter():
    assert sorted(row for module in MODULES + SCENARIOS for row in declared(module)) == sorted(all_saboteurs())


@pytest.mark.parametrize("module", SCENARIOS, ids=lambda module: module.stem)
def test_a_fault_of_a_scenario_lives_in_the_module_of_that_name(module):
    scenario = module.stem.replace("_", "-")
    assert {row.rpartition("-")[0] for row in declared(module)} == {scenario}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_a_module_has_the_name_of_a_test_file(module):
    assert (SUITE / f"{counterpart(module)}.py").is_file()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_a_saboteur_is_where_its_row_is_judged_first(module):
    section = NAME.fullmatch(module.stem)[1].strip("_").replace("_", ".")
    rows = list(declared(module))
    assert rows, "no saboteur"
    assert [row for row in rows if not f"{row.rpartition('-')[0]}.".startswith(f"{section}.")] == []
    # a row that no test names first is tested with another row of its restatement group; its section decides alone
    here = counterpart(module)
    elsewhere = {row: JUDGED_FIRST[row] for row in rows if here not in JUDGED_FIRST.get(row, {here})}
    assert elsewhere == {}


@pytest.mark.parametrize("name", trace_faults())
def test_a_fault_of_traces_is_in_the_module_named_after_its_property(name):
    stem = PROPERTIES[name].judge.__module__.rpartition(".")[2]
    module = import_module(f"faults.traces.{stem}")
    assert f'"{name}"' in Path(module.__file__).read_text(encoding="utf-8")
