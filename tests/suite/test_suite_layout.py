"""A test of the suite is found from the section of its first row."""

import ast
import re
from pathlib import Path

import pytest

import tck

SUITE = Path(tck.__file__).parent / "suite"
FILES = sorted(SUITE.glob("ch*/test_*.py"))
NAME = re.compile(r"test_((?:\d+_)+)\w+")


def section_of(path):
    """The section in a file's name: test_3_4_1_destination.py -> 3.4.1."""
    named = NAME.fullmatch(path.stem)
    assert named, f"{path.name}: expected test_<section>_<topic>.py"
    return named[1].strip("_").replace("_", ".")


def first_ids(path):
    """The name of each test with the first id of its @asserts."""
    for function in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            (judged,) = [each for each in function.decorator_list if getattr(each, "func", None) is not None
                         and getattr(each.func, "id", "") == "asserts"]  # fmt: skip
            yield function.name, judged.args[0].value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_test_lives_where_its_first_row_lives(path):
    section = section_of(path)
    tests = dict(first_ids(path))
    assert tests, "no test"
    elsewhere = {name: id_ for name, id_ in tests.items() if not f"{id_.rpartition('-')[0]}.".startswith(f"{section}.")}
    assert elsewhere == {}, f"move them to a file of their section, or let a row of {section} lead"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_lives_in_the_folder_of_its_chapter(path):
    assert path.parent.name.startswith(f"ch{int(section_of(path).split('.')[0]):02}_")


@pytest.mark.parametrize("path", sorted(SUITE.rglob("test_*.py")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_rows_of_a_test_stand_in_its_decorator(path):
    """`tck run ROW` and `tck explain` read the text of the suite: an id behind a constant is not found."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    judged = (each for function in body if isinstance(function, ast.FunctionDef) for each in function.decorator_list)
    ids = [id_ for each in judged if getattr(getattr(each, "func", None), "id", "") == "asserts" for id_ in each.args]
    assert [ast.unparse(id_) for id_ in ids if not (isinstance(id_, ast.Constant) and isinstance(id_.value, str))] == []
