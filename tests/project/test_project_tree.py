"""What holds for every file: no trace of the machine it was written on, a docstring, a length that fits one thing."""

import ast
import re
from collections import Counter

import pytest
from project_support import ROOT, modules, read, tracked

from tck import __version__

# Spelled in two halves, so that this file does not find itself.
PRIVATE = {
    "a path of one machine": ["/wo" + "rk/", "/ro" + "ot/", "/ro" + "ot\\b(?!\\w)", "/ho" + "me/", "/op" + "t/wheels"],
    "a folder beside the checkout": ["\\.\\./sha" + "red", "\\bsha" + "red/(?:notes|spec|hooks)"],
    "a host of a package registry": [
        "py" + "pi\\.org",
        "python" + "hosted\\.org",
        "registry\\.np" + "mjs",
        "repo1?\\.ma" + "ven",
    ],
    "a paper that is not part of the product": ["\\bDES" + "IGN\\b", "STY" + "LE\\.md", "CONTR" + "ACTS\\.md"],
    "tooling that is not part of the product": ["issues sh" + "ow \\d", "\\.libr" + "ary/"],
}
LIMIT = 420
LONG = "tests/project/long_modules.txt"
WAITS = "tests/project/bounded_waits.txt"
MOST = 20
"""The modules that a folder may have; cases, saboteurs of a chapter and programs of evidence are found by their names."""
FREE = re.compile(r"tests/|tck/suite/(ch|scenarios)|faults/(ch|scenarios|nearly_right)|profiles/evidence")


@pytest.mark.parametrize("what", PRIVATE)
def test_no_tracked_file_holds(what):
    pattern = re.compile("|".join(PRIVATE[what]))
    found = []
    for path in tracked():
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{path}:{number}: {line.strip()[:120]}")
    assert found == []


def test_each_module_says_what_it_is():
    assert [str(path) for path in modules() if ast.get_docstring(ast.parse(read(path))) is None] == []


def test_long_modules_are_listed_and_only_shrink():
    """A module over the limit stands in the list with its length, which is the most it may have."""
    allowed = dict(line.split() for line in read(LONG).splitlines() if line and not line.startswith("#"))
    lengths = {str(path): len(read(path).splitlines()) for path in modules()}
    assert {name: length for name, length in lengths.items() if length > int(allowed.get(name, LIMIT))} == {}
    gone = {name for name in allowed if lengths.get(name, 0) <= LIMIT}
    assert gone == set(), f"no longer over {LIMIT} lines: take them off {LONG}"


def test_bounded_waits_are_counted_and_only_shrink():
    """A place of the suite that waits for a bounded time, where nothing proves the absence, is debt like a long module."""
    allowed = {
        name: int(number) for name, number in (line.split() for line in read(WAITS).splitlines() if line[0] != "#")
    }
    found = {str(path): bounded_waits(path) for path in modules("tck/suite")}
    found = {name: number for name, number in found.items() if number}
    assert found == allowed, f"a new wait? prove the absence by a fence, a drain or the clock; fewer? correct {WAITS}"


def bounded_waits(path):
    """Count the uses of `linger` and of the profile's `quiet` time."""
    nodes = ast.walk(ast.parse(read(path)))
    return sum(isinstance(node, ast.Attribute) and node.attr in {"linger", "quiet"} for node in nodes)


def test_no_folder_has_too_many_modules():
    folders = Counter(str(path.parent) for path in modules() if path.stem != "__init__")
    assert {name: count for name, count in folders.items() if count > MOST and not FREE.match(f"{name}/")} == {}


def test_the_suite_does_not_sleep():
    pattern = re.compile(r"\bsleep\s*\(|\bimport sleep\b|\bsleep,")
    assert [str(path) for path in modules("tck/suite") if pattern.search(read(path))] == []


def test_nothing_generated_is_tracked():
    generated = re.compile(r"__pycache__|\.py[co]$|\.sqlite|\.egg-info|^tck-out|^\.tox|^dist/|^build/")
    assert [str(path) for path in tracked() if generated.search(path.as_posix())] == []


def test_the_changelog_has_a_section_for_what_comes_next():
    headings = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    assert headings
    assert headings[0] == "Unreleased" or headings[0].startswith(__version__)
    newest = read("CHANGELOG.md").split("\n## ")[1]
    assert re.search(r"^- ", newest, re.MULTILINE)


def test_the_licence_is_complete_and_the_notice_claims_nothing():
    licence, notice = read("LICENSE"), " ".join(read("NOTICE").split())
    assert "Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
    assert "Jakarta Messaging" in notice
    assert "no certification" in notice
