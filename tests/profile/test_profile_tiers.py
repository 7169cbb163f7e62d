"""Tiers: frozen, equal to the rule, and found wherever the kit lies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tck
from tck.catalogue import load_catalogue
from tck.profile import TIERS, ProfileError, load_tier, profile_names, profiles_directory
from tck.profile.tiers import freeze_tiers, required_by_rule

CATALOGUE = load_catalogue()


@pytest.mark.parametrize("name", TIERS)
def test_a_frozen_tier_equals_the_rule(name):
    tier = load_tier(name)
    assert tier.required == set(required_by_rule(name, CATALOGUE)), "meant? then: python -m tck.profile.freeze"
    assert tier.title == TIERS[name]


def test_sizes():
    assert {name: len(load_tier(name).required) for name in TIERS} == {
        "1.0": 679,
        "1.0.2b": 850,
        "1.1": 889,
        "2.0-draft": 1046,
        "2.0": 1271,
        "3.1": 1269,
    }


def test_1_0_and_the_draft_are_documentary():
    assert {name for name in TIERS if load_tier(name).documentary} == {"1.0", "2.0-draft"}
    assert load_tier("2.0-draft").version == "2.0"
    assert load_tier("3.1").version == "3.1"


def test_a_tier_requires_judged_rows_in_force_at_level_must():
    for name in TIERS:
        tier = load_tier(name)
        for row in tier.required:
            assert CATALOGUE[row].judged
            assert CATALOGUE[row].level == "MUST"
            assert CATALOGUE[row].applies_to(tier.version)


def test_what_a_version_brought_or_ended_shows():
    assert "3.4.4-8" in load_tier("1.0").required
    assert "3.4.4-8" not in load_tier("1.0.2b").required
    assert load_tier("2.0").required - load_tier("3.1").required == {"4.1.1-1", "4.2.1-1"}


def test_freezing_gives_the_files_as_they_are(tmp_path):
    freeze_tiers(tmp_path, CATALOGUE)
    for name in TIERS:
        kept = profiles_directory() / "tiers" / f"{name}.toml"
        assert (tmp_path / kept.name).read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
        assert load_tier(name, tmp_path) == load_tier(name)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('version = "1.1"', 'version = "2.0"', r"1\.1\.toml:2: version: expected 1\.1, after the file's name"),
        ("documentary = false\n", "", r"1\.1\.toml:1: documentary: expected the keys version, title, documentary"),
        ("documentary =", "documentaries =", r"1\.1\.toml:4: documentaries: expected the keys"),
        ("documentary = false", "documentary =", r"1\.1\.toml:4: not valid TOML"),
    ],
)
def test_a_damaged_tier_is_named(tmp_path, old, new, message):
    text = (profiles_directory() / "tiers" / "1.1.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "1.1.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ProfileError, match=message):
        load_tier("1.1", tmp_path)


def test_an_unknown_tier_is_reported():
    with pytest.raises(
        ProfileError,
        match=r'^no tier "2\.1", did you mean "3\.1"\?; there are 1\.0, 1\.0\.2b, 1\.1, 2\.0-draft, 2\.0, 3\.1$',
    ):
        load_tier("2.1")


SCRIPT = """
from tck.profile import load_profile, load_tier, profile_names, profiles_directory
print(profiles_directory())
print(load_profile("reference").path)
print(len(load_tier("3.1").required), len(profile_names()))
"""


def test_an_installed_kit_finds_its_profiles_beside_itself(tmp_path):
    """As a wheel lays it out: `profiles` is part of `tck`; a `profiles` of the current directory is not taken for it."""
    site = tmp_path / "site-packages"
    checkout = Path(tck.__file__).parents[1]
    for part in (
        "tck/__init__.py",
        "tck/patience.py",
        "tck/api",
        "tck/interworking",
        "tck/catalogue",
        "tck/profile",
        "tck/profiles",
    ):
        source, target = checkout / part, site / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    project = tmp_path / "project"
    (project / "profiles").mkdir(parents=True)
    (project / "profiles" / "__init__.py").touch()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    directory, reference, counts = done.stdout.splitlines()
    assert directory == str(site / "tck" / "profiles")
    assert reference == str(site / "tck" / "profiles" / "providers" / "reference.toml")
    assert counts == f"1269 {len(profile_names())}"


def test_a_kit_without_profiles_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(tck, "__path__", [str(tmp_path / "tck")])
    with pytest.raises(ProfileError, match="is missing; the kit is not installed completely"):
        profiles_directory()
