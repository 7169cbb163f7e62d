"""One table of versions: what is derived from it, what is compared with it, and no other place that knows a version."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import tck
from reference_provider.broker.broker import Rules
from reference_provider.messages.model import Version
from tck.catalogue import APIS, CatalogueError, load_catalogue
from tck.catalogue.tier_differences import holds_since, in_force, load_replaced, tier_note, tier_notes
from tck.catalogue.versions import (
    BY_NAME,
    NAMESPACES,
    NEWEST,
    OLDEST,
    SINCE,
    TABLE,
    TEXTS,
    VERSIONS,
    offers,
    reaches,
    text_title,
)
from tck.profile.loader import SCHEMA

ROOT = Path(tck.__file__).parents[1]
TABLE_FILE = "tck/catalogue/versions.py"


def test_the_versions_in_order():
    assert VERSIONS == ("1.0", "1.0.2b", "1.1", "2.0", "3.1")
    assert (OLDEST, NEWEST) == ("1.0", "3.1")
    assert TEXTS == ("1.0", "1.1", "2.0-pd", "3.1")
    assert NAMESPACES == ("jakarta", "javax")
    assert [text_title(text) for text in TEXTS] == ["1.0", "1.1", "2.0 draft", "3.1"]
    assert BY_NAME["3.1"].title == "Jakarta Messaging 3.1"
    assert {version.name for version in TABLE if version.documentary} == {"1.0", "2.0-draft"}


def test_each_interface_came_with_a_version():
    assert {name: SINCE[name] for name in APIS} == {"classic": "1.1", "simplified": "2.0", "domain-specific": "1.0"}
    assert [name for name in VERSIONS if offers(name, "simplified")] == ["2.0", "3.1"]
    assert not offers("1.0.2b", "classic")


def test_a_version_reaches_itself_and_earlier_ones():
    assert [name for name in VERSIONS if reaches("1.1", name)] == ["1.0", "1.0.2b", "1.1"]
    with pytest.raises(ValueError, match="not in tuple"):
        reaches("3.0", "1.1")


def test_the_schema_of_profiles_lists_the_same_versions():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    claims = schema["properties"]["claims"]["properties"]
    assert tuple(claims["version"]["enum"]) == VERSIONS
    assert claims["api"]["items"]["enum"] == list(APIS)


def test_the_reference_provider_plays_each_version_and_the_newest_by_default():
    assert get_args(Version) == VERSIONS
    assert Rules().version == NEWEST


def literals(path):
    """Strings of a module that are no docstrings, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def test_no_other_module_of_the_kit_names_a_version():
    """What depends on a version asks the table; a chapter of the suite may quote XML."""
    names = {*BY_NAME, *TEXTS, "3.0"}
    found = {
        f"{path.relative_to(ROOT)}:{line} {text}"
        for folder in ("tck", "reports")
        for path in (ROOT / folder).rglob("*.py")
        for line, text in literals(path)
        if text in names
    }
    table = {each for each in found if each.startswith(TABLE_FILE)}
    assert len(table) > len(BY_NAME)
    assert found - table == set()


IMAGINARY = """
from tck.catalogue import load_catalogue
from tck.catalogue.versions import NEWEST, offers
from tck.profile import TIERS, load_tier
from tck.profile.tiers import required_by_rule

catalogue = load_catalogue()
row = catalogue["3.4.1-1"]
print(NEWEST, row.applies_to("9.9"), catalogue["3.4.4-8"].applies_to("9.9"), offers("9.9", "simplified"))
print(TIERS["9.9"], required_by_rule("9.9", catalogue) == required_by_rule("3.1", catalogue))
"""


def test_an_imaginary_version_is_one_row(tmp_path):
    for part in ("tck/__init__.py", "tck/patience.py", "tck/api", "tck/interworking", "tck/catalogue", "tck/profile"):
        source, target = ROOT / part, tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    table = tmp_path / TABLE_FILE
    before = table.read_text(encoding="utf-8")
    row = '    SpecVersion("9.9", "Jakarta Messaging 9.9", "3.1", namespace="jakarta"),\n)\n"""Every version'
    table.write_text(before.replace(')\n"""Every version', row), encoding="utf-8")
    assert table.read_text(encoding="utf-8") != before
    ended = subprocess.run(
        [sys.executable, "-c", IMAGINARY],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ended.stdout.splitlines() == ["9.9 True False True", "Jakarta Messaging 9.9 True"]


def test_each_rule_of_the_oldest_version_alone_names_what_replaced_it():
    known = load_catalogue()
    ended = {row.id for row in known.values() if row.until == OLDEST}
    assert set(load_replaced()) == ended
    for id_ in ended:
        others = [known[other] for other in load_replaced()[id_]]
        assert all(other.until != OLDEST and other.title in holds_since(known[id_]) for other in others)
        assert tier_note(known[id_], OLDEST) == f"replaced by {holds_since(known[id_])}"
        assert tier_note(known[id_], NEWEST) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"3.4.1-1" = ["3.4.1-2"]', "expected a row that ended with 1.0"),
        ('"3.4.4-8" = []', "expected ids of rows"),
        ('"3.4.4-8" = ["9.9.9-9"]', "expected ids of rows"),
        ('"3.4.4-8" = ["3.5.8-4"]', "expected rows of a later version"),
        ('"3.4.4-8" = [', "not valid TOML"),
    ],
)
def test_a_broken_list_of_what_was_replaced_is_refused(tmp_path, text, message):
    (tmp_path / "replaced.toml").write_text(text)
    with pytest.raises(CatalogueError, match=message):
        load_replaced(tmp_path)


def test_each_difference_of_the_draft_is_reported_of_its_tier():
    known = load_catalogue()
    reported = {row.id for row, _ in tier_notes("2.0-draft", known)}
    assert reported == {row.id for row in known.values() if row.draft_difference}
    assert tier_notes("2.0", known) == ()


def test_a_row_is_in_force_in_a_draft_if_its_text_states_it():
    known = load_catalogue()
    stated = [row for row in known.values() if row.applies_to("2.0") and "2.0-pd" in row.sections]
    assert [row for row in known.values() if in_force(row, "2.0-draft")] == stated
    assert len(stated) < sum(in_force(row, "2.0") for row in known.values())
