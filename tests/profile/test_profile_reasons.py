"""What a declaration of the kit's own profiles depends on is said wherever one of its kind says it."""

import re
import shlex
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

PROVIDERS = Path(__file__).parents[2] / "profiles" / "providers"
DECLARED = [
    (name, each)
    for file in sorted(PROVIDERS.glob("*.toml"))
    for content in [tomllib.loads(file.read_text(encoding="utf-8"))]
    for name, table in (
        (file.stem, content),
        *((f"{file.stem}-{variant}", table) for variant, table in content.get("variant", {}).items()),
    )
    for each in table.get("deviation", ())
    if each["outcome"] != "undecided"
]
SETTING = re.compile(r"\b[a-z]+(?:[A-Z][A-Za-z]+)+\b")
"""A name such as sendAcksAsync."""


def settings(declaration):
    return set(SETTING.findall(declaration.get("when", ""))) | set(declaration.get("holds_with", ()))


def silent(kind):
    """Return the declarations that say nothing of the setting of another one of their kind, neither in `when` nor in the reason."""
    kinds = defaultdict(list)
    for profile, each in DECLARED:
        kinds[kind(profile, each)].append((profile, each))
    kinds.pop(None, None)
    return [
        f"{profile} {each['assertion']} {each.get('cases', '*')}: {name}"
        for group in kinds.values()
        for profile, each in group
        for name in sorted({name for _, other in group for name in settings(other)})
        if name not in settings(each) and name not in each["reason"]
    ]


def program(profile, each):
    """Return the call of a declaration's program; ActiveMQ 5 has the settings of ActiveMQ."""
    words = shlex.split(each.get("evidence", ""))
    family = "activemq" if profile.startswith("activemq") else profile.partition("-")[0]
    return (family, words[0], *words[2:]) if words and words[0].startswith("profiles/") else None


def test_what_one_program_shows_depends_on_one_setting():
    assert silent(program) == []


def test_one_reason_depends_on_one_setting():
    assert silent(lambda profile, each: (profile, each["reason"])) == []


@pytest.mark.parametrize("profile", sorted({profile for profile, _ in DECLARED}))
def test_a_cure_is_a_setting_that_the_declaration_names(profile):
    unnamed = [
        (each["assertion"], name)
        for mine, each in DECLARED
        if mine == profile
        for name in each.get("holds_with", ())
        if name not in each.get("when", "")
    ]
    assert unnamed == []
