"""Releases: their order, the ranges of a profile, what a run of another release takes, and each mistake in it."""

import pytest

from tck.profile import ProfileError, as_asked, load_profile
from tck.profile.names import Names
from tck.profile.releases import Release, covers, in_order, shown_range

BASE = """
[profile]
name = "base"
title = "Broker 4.2.0 and friends"
release = "4.2.0"

[adapter]
kind = "jvm"

[adapter.settings]
lock = "base"
coordinates = ["org.example:broker:4.2.0", "org.example:other:1.0", "org.example:archive:4.2.0@zip"]
options = ["-Da=b"]

[adapter.settings.broker]
driver = "artemis"
protocol = "tcp"

[adapter.settings.factory]
class = "x.Factory"

[claims]
version = "3.1"
features = ["xa"]

[[release]]
from = "4.0"

[[release]]
from = "2.0"
until = "3.9"
[release.settings]
namespace = "javax"
coordinates = ["org.old:broker:{release}"]
[release.settings.broker]
protocol = ""
driver = "artemis1"
[release.claims]
version = "2.0"

[[release]]
until = "2.4"
[release.settings]
java = 8
[release.timing]
deadline = 700

[[deviation]]
assertion = "3.4.8-1"
outcome = "fails"
reason = "r"
evidence = "e"
"""


@pytest.fixture
def base(tmp_path):
    file = tmp_path / "base.toml"
    file.write_text(BASE, encoding="utf-8")
    return file


def above(base, text, name="mine"):
    file = base.with_name(f"{name}.toml")
    file.write_text(
        f'[profile]\nname = "{name}"\ntitle = "Mine 4.2.0"\nextends = "base.toml"\n{text}', encoding="utf-8"
    )
    return file


def test_releases_are_in_the_order_of_their_numbers():
    mixed = ["2.10.0", "2.9.0", "5.1-b09", "5.1.1-b02", "5.1", "5.1-b10", "0.60.1", "latest", "2.9.0"]
    assert in_order(mixed) == ("0.60.1", "2.9.0", "2.10.0", "5.1-b09", "5.1-b10", "5.1", "5.1.1-b02")


@pytest.mark.parametrize(
    ("table", "inside", "outside"),
    [
        ({"from": "2.0", "until": "2.36"}, ("2.0.0", "2.36.0", "2.36.4"), ("1.9", "2.37.0")),
        ({"until": "5.99"}, ("5.5.0", "5.19.2", "1.0"), ("6.0.0",)),
        ({"from": "5.1"}, ("5.1-b09", "6.0"), ("5.0.1-b08",)),
        ({}, ("1",), ()),
    ],
)
def test_both_bounds_of_a_range_belong_to_it(table, inside, outside):
    assert [each for each in inside if not covers(table, Release.of(each))] == []
    assert [each for each in outside if covers(table, Release.of(each))] == []


def test_a_range_is_shown_in_words():
    assert [shown_range(each) for each in ({}, {"from": "1"}, {"until": "2"}, {"from": "1", "until": "2"})] == [
        "any release", "from 1", "until 2", "from 1 until 2",
    ]  # fmt: skip


def test_the_own_release_is_the_profile_as_it_is(base):
    assert load_profile(base, release="4.2.0") == load_profile(base)
    assert load_profile(base).release == "4.2.0"


def test_another_release_has_its_own_name_title_coordinates_and_lock_and_no_declarations(base):
    found = load_profile(base, release="4.1.3")
    assert (found.name, found.title, found.release) == ("base-4.1.3", "Broker 4.1.3 and friends", "4.1.3")
    settings = found.adapter.settings
    assert settings["coordinates"] == [
        "org.example:broker:4.1.3",
        "org.example:other:1.0",
        "org.example:archive:4.1.3@zip",
    ]
    assert (settings["lock"], settings["release"]) == ("cache", "4.1.3")
    assert found.deviations == ()
    assert found.digest != load_profile(base).digest


def test_ranges_are_laid_over_settings_claims_and_timing_in_order(base):
    found = load_profile(base, release="2.3.0")
    settings = found.adapter.settings
    assert (settings["namespace"], settings["java"], settings["coordinates"]) == ("javax", 8, ["org.old:broker:2.3.0"])
    assert settings["broker"] == {"driver": "artemis1"}
    assert settings["options"] == ["-Da=b"]
    assert (found.claims.version, found.claims.features, found.timing.deadline) == ("2.0", {"xa"}, 700)


def test_a_file_that_extends_overrides_what_ranges_say(base):
    file = above(base, '[adapter.settings.broker]\ndriver = "url"\nurl = "tcp://h:1"\n')
    found = load_profile(file, release="2.3.0")
    assert found.adapter.settings["broker"] == {"driver": "url", "url": "tcp://h:1"}
    assert (found.name, found.title, found.claims.version) == ("mine-2.3.0", "Mine 2.3.0", "2.0")


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("x", '--release x: "x" is no release; expected numbers with dots, as 2.36.0'),
        ("3.9.9.9-SNAPSHOT ", "is no release"),
    ],
)
def test_what_is_no_release_is_refused(base, release, said):
    with pytest.raises(ProfileError) as refused:
        load_profile(base, release=release)
    assert said in str(refused.value)


def test_a_release_in_no_range_is_refused_with_the_ranges(tmp_path, base):
    base.write_text(BASE.replace('until = "2.4"\n', 'from = "2.0"\nuntil = "2.4"\n'), encoding="utf-8")
    with pytest.raises(ProfileError) as refused:
        load_profile(base, release="1.0")
    assert "the profile says nothing of that release; it covers from 4.0, from 2.0 until 3.9" in str(refused.value)
    assert "and its own, 4.2.0" in str(refused.value)


def test_a_profile_without_ranges_has_no_other_release():
    with pytest.raises(ProfileError, match=r"says nothing of that release; it has no \[\[release\]\] tables"):
        load_profile("reference", release="1.0")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[release]]\nuntill = "1"\n', 'release.untill: unknown key, did you mean "until"?'),
        ('[[release]]\nuntil = "new"\n', "release.until: expected a release, as 2.36.0"),
        ('[[release]]\n[release.claims]\nfeatures = ["xaa"]\n', 'unknown feature "xaa", did you mean "xa"?'),
        ('[names]\ncharacters = "x-z"\n', "names.characters: [x-z] lacks digits"),
        ('[names]\ncharacters = "z-a"\n', "names.characters: [z-a] is no set of characters"),
        ("[names]\nlongest = 3\n", "names.longest: expected at least 16"),
    ],
)
def test_a_mistake_is_named_with_its_place(base, text, said):
    with pytest.raises(ProfileError) as refused:
        load_profile(above(base, text))
    assert said in str(refused.value)
    assert "mine.toml:" in str(refused.value)


def test_a_setting_chooses_the_release_of_a_java_provider(base):
    found = as_asked(load_profile(base), "", ["release=4.1.3", "java=21"])
    assert (found.release, found.adapter.settings["java"]) == ("4.1.3", 21)


def test_the_deviations_of_an_extended_profile_can_be_left_out(base):
    assert [each.assertion for each in load_profile(above(base, "")).deviations] == ["3.4.8-1"]
    none = base.with_name("none.toml")
    none.write_text(
        '[profile]\nname = "none"\ntitle = "None"\nextends = "base.toml"\ndeviations = "none"\n[[deviation]]\n'
        'assertion = "3.4.8-2"\noutcome = "fails"\nreason = "r"\nevidence = "e"\n',
        encoding="utf-8",
    )
    assert [each.assertion for each in load_profile(none).deviations] == ["3.4.8-2"]
    further = base.with_name("further.toml")
    further.write_text('[profile]\nname = "f"\ntitle = "F"\nextends = "none.toml"\n', encoding="utf-8")
    assert [each.assertion for each in load_profile(further).deviations] == ["3.4.8-2"]


def one_of(rows, extends, declared=""):
    own = (
        f'[[deviation]]\nassertion = "{declared}"\noutcome = "fails"\nreason = "own"\nevidence = "e"\n'
        if declared
        else ""
    )
    return f'[profile]\nname = "one"\ntitle = "One"\nextends = "{extends}"\nnot_inherited = {rows}\n{own}'


def test_deviations_of_some_rows_of_an_extended_profile_can_be_left_out(base):
    more = base.read_text(encoding="utf-8") + "".join(
        f'[[deviation]]\nassertion = "{row}"\ncases = "{cases}"\noutcome = "fails"\nreason = "r"\nevidence = "e"\n'
        for row, cases in (("3.4.8-2", "*/a"), ("3.4.8-2", "*/b"), ("3.4.8-3", "*"))
    )
    base.write_text(more, encoding="utf-8")
    one = base.with_name("one.toml")
    one.write_text(one_of(["3.4.8-2"], "base.toml", "3.4.8-2"), encoding="utf-8")
    found = load_profile(one)
    assert (found.deviations[0].assertion, found.deviations[0].reason) == ("3.4.8-2", "own")
    assert [each.assertion for each in found.deviations] == ["3.4.8-2", "3.4.8-1", "3.4.8-3"]
    one.write_text(one_of([], "base.toml", "3.4.8-2"), encoding="utf-8")
    assert load_profile(one).digest != found.digest
    one.write_text(one_of(["3.4.8-2"], "base.toml"), encoding="utf-8")
    further = base.with_name("further.toml")
    further.write_text(one_of(["3.4.8-1"], "one.toml"), encoding="utf-8")
    assert [each.assertion for each in load_profile(further).deviations] == ["3.4.8-3"]


@pytest.mark.parametrize("more", ["", '\ndeviations = "none"'])
def test_what_is_not_inherited_has_to_be_there(base, more):
    one = base.with_name("one.toml")
    row = "3.4.8-1" if more else "3.4.8-2"
    one.write_text(one_of([row], "base.toml") + more, encoding="utf-8")
    wanted = rf"one\.toml:5: profile\.not_inherited: no profile that this one extends declares a deviation of {row}"
    with pytest.raises(ProfileError, match=wanted):
        load_profile(one)


@pytest.mark.parametrize("line", ['deviations = "none"', 'not_inherited = ["3.4.8-1"]'])
def test_who_extends_nothing_has_no_deviations_to_leave_out(base, line):
    base.write_text(BASE.replace('release = "4.2.0"\n', f"{line}\n", 1), encoding="utf-8")
    key = line.partition(" ")[0]
    with pytest.raises(ProfileError, match=rf"profile.{key}: says which of the extended profile hold"):
        load_profile(base)


def test_a_run_may_leave_out_all_declarations(base):
    profile = load_profile(base)
    found = as_asked(profile, "", (), declarations=False)
    assert found.deviations == ()
    assert found.digest != profile.digest
    assert as_asked(profile, "", ()) == profile


@pytest.mark.parametrize(
    ("names", "made"),
    [
        (Names(), "tck.n.ab12.gw0.7"),
        (Names(dots=False), "tck_n_ab12_gw0_7"),
        (Names(characters="A-Z0-9"), "TCK.N.AB12.GW0.7"),
        (Names(longest=16), "tck.bc0ef4be3c10"),
    ],
)
def test_names_keep_to_their_shape(names, made):
    assert len(names.shape("tck.n.ab12.gw0.7")) == len(made)
    if not names.longest:
        assert names.shape("tck.n.ab12.gw0.7") == made


def test_names_that_lost_something_stay_different():
    names = Names(dots=False, characters="A-F0-9", longest=20)
    made = {names.shape(f"tck.queue.ab12.main.{number}") for number in range(2000)}
    assert len(made) == 2000
    assert all(len(each) <= 20 and set(each) <= set("ABCDEF0123456789") for each in made)


@pytest.mark.parametrize(
    "names",
    [
        Names(dots=False),
        Names(characters="A-Z0-9_"),
        Names(dots=False, characters="A-Z0-9_"),
        Names(characters="a-z0-9"),
    ],
)
def test_names_that_differ_in_case_or_by_an_underscore_stay_different(names):
    for scope in ("e1", "E1"):
        spelled = [f"{scope}.{each}" for each in ("twin", "Twin", "TWIN", "a.b", "a_b", "a.b_c", "a_b.c", "ss", "\xdf")]
        assert len({names.shape(each) for each in spelled}) == len(spelled)
