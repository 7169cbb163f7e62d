"""The schema: our check of it agrees with a full validator, and everything in it is documented."""

import contextlib
import copy
import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tck.catalogue import load_catalogue
from tck.profile import TIERS, Declared, ProfileError, Timing, Vary, load_profile, load_tier
from tck.profile.loader import SCHEMA
from tck.profile.schema import KEYWORDS, problems
from tck.record import Effect, outcomes

SCHEMA_DOCUMENT = json.loads(SCHEMA.read_text(encoding="utf-8"))
FULL = jsonschema.Draft202012Validator(SCHEMA_DOCUMENT)
ANNOTATIONS = {"$schema", "$defs", "title", "description", "default", "examples", "expected", "then", "else"}
VALID = {
    "profile": {"name": "mine", "title": "Mine", "url": "https://example.org"},
    "adapter": {"kind": "python", "target": "a.b:c", "settings": {"x": 1}},
    "claims": {"version": "3.1", "features": ["xa"], "api": ["classic"], "domains": ["ptp", "pubsub"]},
    "timing": {"deadline": 1000, "case": 5000, "quiet": 0, "delay": 100, "tolerance": 0},
    "vary": {"delivery_mode": True, "subscription": True},
    "variant": {
        "small": {
            "title": "Mine, small",
            "deviations": "inherited",
            "not_inherited": ["3.4.1-1"],
            "settings": {"y": {"z": 2}},
            "timing": {"deadline": 2000},
        }
    },
    "deviation": [
        {"assertion": "3.4.1-1", "outcome": "fails", "reason": "r", "link": "https://example.org/1"},
        {
            "assertion": "3.4.1-2",
            "outcome": "flaky",
            "reason": "r",
            "evidence": "e",
            "cases": "*",
            "at_most": 0.5,
            "expires": "2027-01-01",
            "when": "a is false, the default",
            "holds_with": {"a": True},
            "effect": "wrong-order",
        },
    ],
}


def schemas(schema):
    """Every schema within a schema."""
    if isinstance(schema, bool):
        return
    yield schema
    for keyword in ("items", "if", "then", "else", "propertyNames", "additionalProperties"):
        if keyword in schema:
            yield from schemas(schema[keyword])
    for keyword in ("allOf", "anyOf"):
        for part in schema.get(keyword, ()):
            yield from schemas(part)
    for keyword in ("properties", "$defs"):
        for part in schema.get(keyword, {}).values():
            yield from schemas(part)


def places(document, path=()):
    """Every place in a document."""
    yield path
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in items:
        yield from places(value, (*path, key))


PLACES = [path for path in places(VALID) if path]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 6000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        [
            "",
            " ",
            "x",
            "3.1",
            "fails",
            "flaky",
            "jvm",
            "python",
            "https://a.b",
            "2027-01-01",
            "3.4.1-1",
            "a:b",
            "classic",
        ]
    ),
    st.sampled_from([{}, [], ["xa", "xa"], ["classic"], [True, 1], {"x": {}}, [{}]]),
)


def changed(document, path, value, action):
    """A copy with one change; an earlier change may have taken the place away, then the copy is the same."""
    document = copy.deepcopy(document)
    with contextlib.suppress(AttributeError, KeyError, IndexError, TypeError):
        parent = document
        for step in path[:-1]:
            parent = parent[step]
        step = path[-1]
        if action == "drop":
            del parent[step]
        elif action == "rename":
            parent[f"{step}s"] = parent.pop(step)
        elif action == "copy":
            parent.append(copy.deepcopy(parent[step]))
        else:
            parent[step] = value
    return document


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA_DOCUMENT)


def test_the_schema_uses_only_what_the_check_understands():
    for schema in schemas(SCHEMA_DOCUMENT):
        assert set(schema) <= KEYWORDS | ANNOTATIONS, schema


def test_a_valid_document_has_no_problems():
    assert list(problems(VALID, SCHEMA_DOCUMENT)) == []
    assert FULL.is_valid(VALID)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(PLACES), VALUES, st.sampled_from(["set", "drop", "rename", "copy"])),
        min_size=1,
        max_size=3,
    )
)
def test_the_check_agrees_with_a_full_validator(changes):
    document = VALID
    for path, value, action in changes:
        document = changed(document, path, value, action)
    found = list(problems(document, SCHEMA_DOCUMENT))
    assert bool(found) == (not FULL.is_valid(document)), (document, found)


def documented_keys():
    """Each key a profile may have, with its schema."""
    for table, schema in SCHEMA_DOCUMENT["properties"].items():
        more = schema.get("items") or schema.get("additionalProperties")
        inner = more["$ref"].rpartition("/")[2] if more else None
        for key, below in (SCHEMA_DOCUMENT["$defs"][inner] if inner else schema)["properties"].items():
            yield f"{table}.{key}", below


DOCUMENT = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("key", "schema"), list(documented_keys()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_key_is_documented_with_type_default_and_example(key, schema):
    table, _, name = key.partition(".")
    section = re.search(rf"^### `\[+{table}\]+`.*?(?=^##|\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert section, f"docs/profiles.md has no section for {table}"
    row = re.search(rf"^\| `{name}` \|(.*)\|$", section[0], re.MULTILINE)
    assert row, f"docs/profiles.md does not document {key}"
    cells = [cell.strip() for cell in row[1].split("|")]
    assert len(cells) == 4
    assert all(cells), f"{key}: kind, default, example and meaning are all filled"
    if "default" in schema:
        default = schema["default"]
        text = default if isinstance(default, str) and " " in default else json.dumps(default)
        assert text in cells[1], f"{key}: the default is {text}"
    if "enum" in schema:
        assert all(f'"{value}"' in row[1] for value in schema["enum"]), key


def test_the_defaults_in_the_schema_are_those_in_the_code():
    for table, made in (("timing", Timing()), ("vary", Vary())):
        keys = SCHEMA_DOCUMENT["properties"][table]["properties"]
        assert {key: schema["default"] for key, schema in keys.items()} == {key: getattr(made, key) for key in keys}


def test_every_feature_is_documented_in_the_words_of_the_catalogue():
    section = DOCUMENT.partition("\n## Features\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", section, re.MULTILINE))
    assert rows == dict(load_catalogue().features)


def test_every_tier_is_documented():
    section = DOCUMENT.partition("\n## Tiers\n")[2]
    rows = re.findall(r"^\| `(\S+)` \| (.*?) \| (.*?) ?\|$", section, re.MULTILINE)
    assert [(name, title) for name, title, _ in rows] == list(TIERS.items())
    assert {name for name, _, mark in rows if mark} == {name for name in TIERS if load_tier(name).documentary}


@pytest.mark.parametrize("number", range(4))
def test_the_examples_of_the_documentation_are_valid(number, tmp_path):
    whole, child, variant, deviations = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
    (tmp_path / "mine.toml").write_text(whole, encoding="utf-8")
    text = (whole, child, f"{whole}\n{variant}", f"{whole}\n{deviations}")[number]
    (tmp_path / "example.toml").write_text(text, encoding="utf-8")
    load_profile(tmp_path / ("example-memory.toml" if number == 2 else "example.toml"))


def test_the_error_in_the_documentation_is_the_one_people_get(tmp_path, monkeypatch):
    whole = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(whole.replace("version", "verison"), encoding="utf-8")
    with pytest.raises(ProfileError) as caught:
        load_profile("mine.toml")
    assert f"```\n{caught.value}\n```" in DOCUMENT


def test_the_effects_are_the_same_for_profile_schema_and_documentation():
    effects = [str(each) for each in Effect]
    assert SCHEMA_DOCUMENT["$defs"]["deviation"]["properties"]["effect"]["enum"] == effects
    section = DOCUMENT.partition("\n### Effects\n")[2].partition("\n### ")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE) == effects


def test_the_kinds_of_declaration_are_the_same_for_profile_schema_and_verdicts(tmp_path):
    kinds = [str(each) for each in outcomes.Declared]
    assert [str(each) for each in Declared] == kinds
    for kind in kinds:
        more = "\nat_most = 0.5\nexpires = 2099-01-01" if kind == "flaky" else ""
        (tmp_path / "mine.toml").write_text(
            '[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n[[deviation]]\nassertion = "3.4.1-1"\n'
            f'outcome = "{kind}"\nreason = "so"\nlink = "https://example.org/1"{more}\n'
        )
        (declared,) = load_profile(tmp_path / "mine.toml").deviations
        assert declared.outcome == kind


def test_another_effect_is_an_error_that_lists_the_five(tmp_path):
    text = (
        '[profile]\nname = "m"\ntitle = "M"\nextends = "reference"\n[[deviation]]\nassertion = "3.4.1-1"\n'
        'outcome = "fails"\nreason = "so"\neffect = "{}"\nlink = "https://example.org/1"\n'
    )
    (tmp_path / "mine.toml").write_text(text.format("pedantic"))
    (declared,) = load_profile(tmp_path / "mine.toml").deviations
    assert declared.effect == Effect.PEDANTIC
    (tmp_path / "mine.toml").write_text(text.format("bad"))
    with pytest.raises(ProfileError, match=f"""one of "{'", "'.join(Effect)}"; saw "bad\"""") as caught:
        load_profile(tmp_path / "mine.toml")
    assert (caught.value.line, caught.value.key) == (9, "deviation.effect")
