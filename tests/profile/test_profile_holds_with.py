"""Declarations that name the settings on which they depend: `when`, and `holds_with`, which cures them."""

import pytest
from test_profile_loader import CATALOGUE, MINIMAL

from tck.profile import load_profile

CURABLE = """
[[deviation]]
assertion = "3.4.1-1"
outcome = "fails"
reason = "r"
evidence = "e"
when = "sync is off, the default"
holds_with = { sync = true, depth = 2 }
"""


@pytest.mark.parametrize(
    ("settings", "inherited"),
    [
        ("", True),
        ("sync = true", True),
        ("sync = false\ndepth = 2", True),
        ("sync = true\ninner = { depth = 2 }", False),
    ],
)
def test_a_declaration_is_not_inherited_where_all_settings_that_cure_it_are_set(tmp_path, settings, inherited):
    base = tmp_path / "base.toml"
    base.write_text(MINIMAL + CURABLE)
    (found,) = load_profile(base, CATALOGUE).deviations
    assert (found.when, found.holds_with) == ("sync is off, the default", {"sync": True, "depth": 2})
    child = tmp_path / "child.toml"
    child.write_text(f'[profile]\nname = "c"\ntitle = "C"\nextends = "base.toml"\n[adapter.settings]\n{settings}\n')
    assert load_profile(child, CATALOGUE).deviations == ((found,) if inherited else ())


def test_settings_that_cure_an_own_declaration_do_not_hide_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(MINIMAL + "[adapter.settings]\nsync = true\ndepth = 2\n" + CURABLE)
    assert len(load_profile(file, CATALOGUE).deviations) == 1


NOT_STRICT = {"artemis-window0": "consumerWindowSize", "artemis-compressed": "compressLargeMessage"}
"""Variants by the one setting that cures there; `strict` cures the rest."""


@pytest.mark.parametrize("name", ["artemis-strict", "activemq-strict", *NOT_STRICT])
def test_a_variant_cures_what_a_declaration_says_is_cured(name):
    base, cured = (load_profile(each, CATALOGUE).deviations for each in (name.partition("-")[0], name))
    its = [each for each in base if each.holds_with]
    mine = NOT_STRICT.get(name)
    curable = [
        each for each in its if (mine in each.holds_with if mine else not set(each.holds_with) & {*NOT_STRICT.values()})
    ]
    assert curable
    assert all(each.when for each in curable)
    assert [each for each in base if each not in cured] == curable
