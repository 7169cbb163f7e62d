"""docs/jvm.md tells of every key of a Java provider's settings, of every driver and its keys, and of every profile."""

import dataclasses
import importlib
import json
import re
from pathlib import Path

import pytest

from tck.adapters.jvm.settings import JvmSettings
from tck.api import Hook
from tck.profile import load_profile
from tck.profile.loader import SCHEMA
from tck.profile.locate import profile_names, profiles_directory

pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
DRIVERS = importlib.import_module("tck.adapters.jvm.brokers").DRIVERS
DOCUMENT = (Path(__file__).parents[2] / "docs" / "jvm.md").read_text(encoding="utf-8")
KEYS = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]["jvm"]["properties"]
ROWS = {
    name: [cell.strip() for cell in row.split("|")]
    for name, row in re.findall(r"^\| `([\w-]+)` \|(.*)\|$", DOCUMENT, re.MULTILINE)
}


def test_the_schema_and_the_code_have_the_same_keys():
    assert list(KEYS) == [field.name for field in dataclasses.fields(JvmSettings)]


@pytest.mark.parametrize("key", KEYS)
def test_each_key_is_documented_with_kind_default_example_and_meaning(key):
    assert len(ROWS[key]) == 4
    assert all(ROWS[key])
    if "default" in KEYS[key]:
        default, documented = KEYS[key]["default"], ROWS[key][1].replace("`", "")
        assert str(default) in documented or json.dumps(default) in documented or documented == "see below"


@pytest.mark.parametrize(
    ("table", "key"), [(table, key) for table in ("factory", "jndi") for key in KEYS[table]["properties"]]
)
def test_each_key_of_the_tables_is_documented(table, key):
    section = DOCUMENT.partition(f"### `[adapter.settings.{table}]`")[2].partition("\n##")[0]
    assert f"`{key}`" in section


@pytest.mark.parametrize("name", DRIVERS)
def test_each_driver_is_documented_with_its_keys_and_hooks(name):
    module, _, kind = DRIVERS[name].partition(":")
    driver = getattr(importlib.import_module(module), kind)
    _, keys, hooks = ROWS[name]
    assert {
        word for word in re.findall(r"`([\w-]+)`", keys) if word not in {"core", "tcp", "amqp", "openwire"}
    } == driver.keys
    assert {word for word in re.findall(r"\w+", hooks) if word != "none"} == {Hook(each).value for each in driver.hooks}


def test_each_profile_of_a_java_provider_is_documented():
    java = {name for name in profile_names() if load_profile(name).adapter.kind == "jvm"}
    assert java <= ROWS.keys()


def test_evidence_that_a_profile_names_is_there():
    for name in profile_names():
        for deviation in load_profile(name).deviations:
            program = re.match(r"profiles/(evidence/\S+)", deviation.evidence or "")
            if program:
                assert (profiles_directory() / program[1]).is_file(), deviation.evidence


@pytest.mark.parametrize("file", sorted((profiles_directory() / "evidence").glob("*.py")), ids=lambda file: file.stem)
def test_evidence_is_short_and_does_without_the_kit(file):
    text = file.read_text(encoding="utf-8")
    assert "import tck" not in text
    assert "from tck" not in text
    if file.stem not in {"branch", "brokers", "run"}:
        assert len(text.splitlines()) <= 70, "a program people read at a glance"
