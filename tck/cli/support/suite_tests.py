"""The suite read as text: files, tests and the rows they name, without importing any of them.

Commands that need no more are spared the collection by pytest; a test checks that both agree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tck
from tck.catalogue import CORPUS, IW, PLANS, load_catalogue

SUITE = Path(tck.__file__).parent / "suite"
ROOT = SUITE.parent.parent
"""The root of the paths of cases and tests: a checkout, or the folder the kit is installed in."""

_SCENARIO = re.compile(r"""@scenario\(["'](pj-[a-z0-9-]+)["']""")
_ID = re.compile(r"""["']((?:iw-)?\d+(?:\.\d+)*-\d+|(?:corpus|plans)-1)["']""")


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """One test function: its place, and the rows it names, the leading one first."""

    file: str
    line: int
    name: str
    title: str
    assertions: tuple[str, ...]

    @property
    def node(self) -> str:
        """The node id, without a point."""
        return f"{self.file}::{self.name}"


@cache
def suite_files() -> tuple[Path, ...]:
    """Return the test files of the suite, in order of chapter and section."""
    return tuple(sorted(SUITE.rglob("test_*.py"), key=_in_order))


def _in_order(path: Path) -> tuple[object, ...]:
    parts = re.split(r"(\d+)", path.relative_to(SUITE).as_posix())
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)


def files_naming(ids: Collection[str]) -> tuple[Path, ...]:
    """Return the files with a test that may judge one of these rows: those that name one of them, or no row at all."""
    ids = {id_ if id_[0].isdigit() or id_.startswith((IW, CORPUS, PLANS)) else id_.rpartition("-")[0] for id_ in ids}
    found = []
    for path in suite_files():
        text = path.read_text(encoding="utf-8")
        named = {*_ID.findall(text), *_SCENARIO.findall(text)}
        if not named or not named.isdisjoint(ids):
            found.append(path)
    return tuple(found)


def suite_tests(ids: Collection[str] | None = None) -> tuple[SuiteTest, ...]:
    """Return every test of the suite, or those of the files that may judge one of these rows."""
    paths = suite_files() if ids is None else files_naming(ids)
    return tuple(test for path in paths for test in _tests_of(path))


def ids_tested(ids: Collection[str] | None = None) -> frozenset[str]:
    """Return the rows that a test names; of these rows only, where some are given."""
    named = frozenset(id_ for test in suite_tests(ids) for id_ in test.assertions)
    return named if ids is None else named & frozenset(ids)


@cache
def _tests_of(path: Path) -> tuple[SuiteTest, ...]:
    return tuple(_read(path))


def _read(path: Path) -> Iterator[SuiteTest]:
    for node in ast.parse(path.read_text(encoding="utf-8"), str(path)).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            ids = tuple(id_ for decorator in node.decorator_list for id_ in _ids_of(decorator))
            title = (ast.get_docstring(node) or "").split("\n\n", maxsplit=1)[0]
            file = path.relative_to(ROOT).as_posix()
            yield SuiteTest(file, node.lineno, node.name, " ".join(title.split()), ids)


def _ids_of(decorator: ast.expr) -> Iterator[str]:
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name)):
        return
    for argument in decorator.args:
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
            continue
        if decorator.func.id == "asserts":
            yield argument.value
        elif decorator.func.id == "scenario":
            yield from (row.id for row in load_catalogue().section(argument.value))
