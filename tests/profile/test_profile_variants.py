"""Variants: tables of a profile that are run by its name and theirs."""

import pytest
from test_profile_loader import CATALOGUE, MINIMAL

from tck.profile import Declared, Deviation, ProfileError, as_asked, load_profile, profile_names, write_baseline

STORE = '[adapter.settings.store]\nkind = "file"\npath = "/x"\nnote = ""\n[claims]'
DEVIATION = '[[deviation]]\nassertion = "3.4.1-1"\noutcome = "fails"\nreason = "r"\nevidence = "e"\n'
BASE = MINIMAL.replace("[claims]", STORE) + DEVIATION + 'when = "sync is false"\nholds_with = { sync = true }\n'
VARIANT = """
[variant.quick-one]
title = "My broker, in memory"
settings.store = { kind = "memory", path = "" }
settings.sync = true
timing.deadline = 700
""" + DEVIATION.replace("[[", "[[variant.quick-one.").replace("3.4.1-1", "3.4.2-1")


@pytest.fixture
def path(tmp_path):
    (tmp_path / "mine.toml").write_text(BASE + VARIANT, encoding="utf-8")
    return tmp_path / "mine-quick-one.toml"


def test_a_variant_is_the_profile_with_what_its_table_says(path):
    base, found = load_profile(path.with_name("mine.toml"), CATALOGUE), load_profile(path, CATALOGUE)
    assert (found.name, found.title, found.variant) == ("mine-quick-one", "My broker, in memory", "quick-one")
    assert (found.path, found.reference, base.reference) == (base.path, path, base.path)
    assert found.adapter.settings == {"store": {"kind": "memory", "note": ""}, "sync": True}
    assert (found.adapter.target, found.claims, found.timing.deadline) == (base.adapter.target, base.claims, 700)
    assert [each.assertion for each in base.deviations] == ["3.4.1-1"]
    assert [(each.assertion, each.line) for each in found.deviations] == [("3.4.2-1", (BASE + VARIANT).count("\n") - 4)]
    path.write_text(BASE, encoding="utf-8")  # a file goes before a variant of its name
    assert load_profile(path, CATALOGUE).digest == base.digest != found.digest


def test_a_profile_extends_a_variant(path, tmp_path):
    child = tmp_path / "child.toml"
    child.write_text('[profile]\nname = "c"\ntitle = "C"\nextends = "mine-quick-one.toml"\n', encoding="utf-8")
    found = load_profile(child, CATALOGUE)
    assert (found.adapter.settings["sync"], found.timing.deadline) == (True, 700)
    assert [each.assertion for each in found.deviations] == ["3.4.2-1"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("deadline = 700", "dealine = 700", 'variant.quick-one.timing.dealine: unknown key, did you mean "deadline"?'),
        ("deadline = 700", "deadline = 70000", "variant.quick-one.timing.deadline: a case has to last longer"),
        ("deadline = 700", "deadline = 'x'", 'variant.quick-one.timing.deadline: expected a whole number; saw "x"'),
        ('title = "My broker, in memory"', "", 'variant.quick-one: the key "title" is missing'),
        ("[variant.quick-one]", "[variant.B]\ntitle = 'B'\n[variant.quick-one]", "variant.B: expected a name of small"),
        ("settings.sync", "adapter.sync", "variant.quick-one.adapter: unknown key"),
        ("3.4.2-1", "3.4.2-999", 'variant.quick-one.deviation.assertion: the catalogue has no row "3.4.2-999"'),
        ("settings.sync", 'not_inherited = ["3.4.9-1"]\nsettings.sync', "variant.quick-one.not_inherited: no profile"),
        ("title = ", "title = = ", "mine.toml:"),
    ],
)
def test_a_mistake_in_a_variant_is_named_with_its_line(path, old, new, message):
    assert old in VARIANT
    path.with_name("mine.toml").write_text(BASE + VARIANT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ProfileError) as caught:
        load_profile(path, CATALOGUE)
    assert message in str(caught.value)
    assert caught.value.line > BASE.count("\n")


def test_no_such_variant_is_answered_with_those_there_are(path):
    with pytest.raises(ProfileError, match=r'no variant "slow" in .*mine\.toml, which has quick-one'):
        load_profile(path.with_name("mine-slow.toml"), CATALOGUE)
    with pytest.raises(ProfileError, match=r'"artemis-proces", did you mean "artemis-process"\?.*artemis \(.*process'):
        load_profile("artemis-proces", CATALOGUE)


def test_a_variant_of_the_kit_runs_another_release():
    assert "artemis-process" in profile_names()
    found = as_asked(load_profile("artemis-process", CATALOGUE), "", ["release=2.30.0"])
    assert (found.name, found.title) == ("artemis-process-2.30.0", "ActiveMQ Artemis 2.30.0 in a process of its own")
    assert found.adapter.settings["broker"]["driver"] == "process"


def test_a_baseline_of_a_variant_is_written_into_its_tables(path):
    one = Deviation("3.4.3-1", Declared.FAILS, "new", evidence="run 7")
    assert write_baseline(path, [one], CATALOGUE) == (one,)
    assert [each.reason for each in load_profile(path, CATALOGUE).deviations] == ["r", "new"]
    assert len(load_profile(path.with_name("mine.toml"), CATALOGUE).deviations) == 1
    assert not path.exists()


def test_one_table_declares_further_rows(path):
    text = BASE.replace('assertion = "3.4.1-1"\n', 'assertion = "3.4.1-1"\nalso = ["3.4.2-1"]\n')
    path.with_name("mine.toml").write_text(text, encoding="utf-8")
    found = load_profile(path.with_name("mine.toml"), CATALOGUE).deviations
    assert [each.assertion for each in found] == ["3.4.1-1", "3.4.2-1"]
    assert len({(each.line, each.reason, each.evidence) for each in found}) == 1
    path.with_name("mine.toml").write_text(text.replace("3.4.2-1", "3.4.2-999"), encoding="utf-8")
    with pytest.raises(ProfileError, match="no row"):
        load_profile(path.with_name("mine.toml"), CATALOGUE)
