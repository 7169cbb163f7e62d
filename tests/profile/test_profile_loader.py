"""Profiles: what is read, what is merged, and how each mistake is reported."""

import datetime as dt
import re

import pytest

from tck.catalogue import load_catalogue
from tck.profile import Declared, ProfileError, load_profile, profile_names

CATALOGUE = load_catalogue()
MINIMAL = """\
[profile]
name = "mine"
title = "My broker"
[adapter]
target = "mine.adapter:open_provider"
[claims]
version = "3.1"
"""
FULL = """\
# everything a profile can say

[profile]
name = "mine"
title = "My broker"
url = "https://example.org/broker"

[adapter]
kind = "python"
target = "mine.adapter:open_provider"
tier_setting = "speak"

[adapter.settings]
url = "tcp://localhost:61616"
since = 2020-01-01
nested = { a = [1, 2] }

[claims]
version = "1.1"
features = ["xa", "jndi"]
api = ["classic"]
domains = ["ptp"]

[timing]
deadline = 1000
case = 4000
quiet = 50
delay = 200
tolerance = 15

[[deviation]]
assertion = "3.4.5-4"
outcome = "fails"
reason = "byte arrays are not accepted"
link = "https://example.org/issues/1"

[[deviation]]
assertion = "3.4.5-4"
cases = "3.4.5-4/topic/*"
outcome = "flaky"
reason = "a race at start"
evidence = "run 20270101T000000Z"
at_most = 0.2
expires = 2027-01-01
"""


def load(tmp_path, text, name="mine.toml"):
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return load_profile(file, CATALOGUE)


def test_a_minimal_profile_takes_the_defaults(tmp_path):
    profile = load(tmp_path, MINIMAL)
    assert (profile.name, profile.title, profile.url) == ("mine", "My broker", None)
    assert (profile.adapter.kind, profile.adapter.target) == ("python", "mine.adapter:open_provider")
    assert (dict(profile.adapter.settings), profile.adapter.tier_setting) == ({}, None)
    assert (profile.claims.version, profile.claims.features) == ("3.1", frozenset())
    assert profile.claims.api == ("classic", "simplified", "domain-specific")
    assert profile.claims.domains == ("ptp", "pubsub")
    timing = profile.timing
    assert (timing.deadline, timing.case, timing.quiet, timing.delay, timing.tolerance) == (5000, 20000, 100, 300, 0)
    assert profile.deviations == ()
    assert profile.path == tmp_path / "mine.toml"


def test_a_full_profile_is_read_as_written(tmp_path):
    profile = load(tmp_path, FULL)
    assert profile.url == "https://example.org/broker"
    assert profile.adapter.settings == {
        "url": "tcp://localhost:61616",
        "since": dt.date(2020, 1, 1),
        "nested": {"a": [1, 2]},
    }
    assert profile.adapter.tier_setting == "speak"
    assert profile.claims.features == {"xa", "jndi"}
    assert (profile.claims.api, profile.claims.domains) == (("classic",), ("ptp",))
    assert (profile.timing.case, profile.timing.tolerance) == (4000, 15)
    first, second = profile.deviations
    assert (first.outcome, first.cases, first.link) == (Declared.FAILS, "*", "https://example.org/issues/1")
    assert (first.at_most, first.expires, first.evidence) == (None, None, None)
    assert (second.outcome, second.at_most, second.expires) == ("flaky", 0.2, dt.date(2027, 1, 1))
    assert [FULL.split("\n")[found.line - 1] for found in profile.deviations] == ["[[deviation]]"] * 2
    assert first.file.endswith("mine.toml")


def test_a_date_may_be_quoted(tmp_path):
    quoted = load(tmp_path, FULL.replace("expires = 2027-01-01", 'expires = "2027-01-01"'))
    assert quoted.deviations[1].expires == dt.date(2027, 1, 1)


@pytest.mark.parametrize(
    ("version", "api"),
    [
        ("1.0", ("domain-specific",)),
        ("1.0.2b", ("domain-specific",)),
        ("1.1", ("classic", "domain-specific")),
        ("2.0", ("classic", "simplified", "domain-specific")),
    ],
)
def test_by_default_a_provider_has_the_interfaces_of_its_version(tmp_path, version, api):
    assert load(tmp_path, MINIMAL.replace("3.1", version)).claims.api == api


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "message"),
    [
        ("[timing]", "[timings]", 24, "timings", 'unknown key, did you mean "timing"?'),
        (
            "deadline = 1000",
            "dead_line = 1000",
            25,
            "timing.dead_line",
            'did you mean "deadline"?; known here are deadline, case',
        ),
        ("deadline = 1000", 'deadline = "1000"', 25, "timing.deadline", 'expected a whole number; saw "1000"'),
        ("deadline = 1000", "deadline = true", 25, "timing.deadline", "expected a whole number; saw true"),
        ("deadline = 1000", "deadline = 0", 25, "timing.deadline", "expected at least 1; saw 0"),
        ("case = 4000", "case = 1000", 26, "timing.case", "a case has to last longer than one deadline in it"),
        (
            "tolerance = 15",
            "tolerance = 200",
            29,
            "timing.tolerance",
            "a delay has to be longer than the clock is coarse",
        ),
        ('name = "mine"', 'name = "My Broker"', 4, "profile.name", "expected a name of small letters"),
        ('name = "mine"\n', "", 3, "profile", 'the key "name" is missing'),
        (
            '"https://example.org/broker"',
            '"example.org"',
            6,
            "profile.url",
            'begins with https:// or http://; saw "example.org"',
        ),
        ('kind = "python"', 'kind = "java"', 9, "adapter.kind", 'expected one of "python", "jvm"; saw "java"'),
        (
            ":open_provider",
            ".open_provider",
            10,
            "adapter.target",
            "expected a module and a callable in it, as package.module:callable",
        ),
        ('target = "mine.adapter:open_provider"\n', "", 8, "adapter", 'the key "target" is missing'),
        ('version = "1.1"', "version = 1.1", 19, "claims.version", "expected a string; saw 1.1"),
        (
            'version = "1.1"',
            'version = "1.2"',
            19,
            "claims.version",
            'expected one of "1.0", "1.0.2b", "1.1", "2.0", "3.1"',
        ),
        ('version = "1.1"\n', "", 18, "claims", 'the key "version" is missing'),
        (
            '"xa", "jndi"',
            '"xa", "jdni"',
            20,
            "claims.features",
            'unknown feature "jdni", did you mean "jndi"?; the catalogue has',
        ),
        ('["xa", "jndi"]', '[\n  "xa",\n  "xb",\n]', 22, "claims.features", 'unknown feature "xb"'),
        ('"xa", "jndi"', '"xa", "xa"', 20, "claims.features", '"xa" comes twice'),
        ('api = ["classic"]', "api = []", 21, "claims.api", "expected at least one interface"),
        ('api = ["classic"]', 'api = ["clasic"]', 21, "claims.api", 'expected one of "classic"'),
        (
            'api = ["classic"]',
            'api = ["simplified"]',
            21,
            "claims.api",
            "the simplified interface came with 2.0, and the profile claims version 1.1",
        ),
        (
            'version = "1.1"',
            'version = "2.0"',
            22,
            "claims.domains",
            "from version 2.0 on a provider offers both domains",
        ),
        ('assertion = "3.4.5-4"', 'assertion = "3.4.5"', 32, "deviation.assertion", "expected the id of one row"),
        (
            'assertion = "3.4.5-4"',
            'assertion = "3.4.5-99"',
            32,
            "deviation.assertion",
            'the catalogue has no row "3.4.5-99"',
        ),
        ('outcome = "fails"', 'outcome = "fail"', 33, "deviation.outcome", 'expected one of "fails", "flaky"'),
        ('reason = "byte arrays are not accepted"\n', "", 31, "deviation", 'the key "reason" is missing'),
        (
            'reason = "byte arrays are not accepted"',
            'reason = " "',
            34,
            "deviation.reason",
            "a reason that is not empty",
        ),
        ("https://example.org/issues/1", "issue 1", 35, "deviation.link", "expected a web address"),
        (
            'link = "https://example.org/issues/1"\n',
            "",
            31,
            "deviation",
            "expected a link or evidence beside the reason",
        ),
        (
            'outcome = "fails"',
            'outcome = "fails"\nat_most = 0.1',
            34,
            "deviation.at_most",
            "only a flaky outcome has them",
        ),
        ("at_most = 0.2\n", "", 37, "deviation", 'the key "at_most" is missing; expected at_most and expires'),
        ("expires = 2027-01-01", "", 37, "deviation", 'the key "expires" is missing'),
        ("at_most = 0.2", "at_most = 0", 43, "deviation.at_most", "expected more than 0; saw 0"),
        ("at_most = 0.2", "at_most = 20", 43, "deviation.at_most", "expected at most 1; saw 20"),
        ("at_most = 0.2", "at_most = nan", 43, "deviation.at_most", 'expected a number; saw "nan"'),
        ("2027-01-01\n", "2027-01-01T00:00:00\n", 44, "deviation.expires", "expected a date without time"),
        ("expires = 2027-01-01", 'expires = "2027-02-31"', 44, "deviation.expires", 'there is no day "2027-02-31"'),
        (
            'cases = "3.4.5-4/topic/*"',
            'cases = "*"',
            38,
            "deviation.assertion",
            "3.4.5-4 is declared for the same cases on line 31",
        ),
        ("deadline = 1000", "deadline =", 25, "", "not valid TOML: Invalid value"),
        ("[timing]", "[claims]", 24, "", "not valid TOML: Cannot declare"),
        ("[profile]", "[profiles]", 3, "profiles", 'unknown key, did you mean "profile"?'),
    ],
)
def test_a_mistake_is_reported_with_its_line(tmp_path, *, old, new, line, key, message):
    assert old in FULL
    with pytest.raises(ProfileError) as caught:
        load(tmp_path, FULL.replace(old, new, 1))
    error = caught.value
    assert (error.file, error.line, error.key) == (str(tmp_path / "mine.toml"), line, key)
    assert message in error.message
    assert str(error).startswith(f"{error.file}:{line}: ")


def test_a_file_below_the_current_directory_is_named_as_people_type_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProfileError, match=r"^own/mine\.toml:1: "):
        load(tmp_path, "x = 1\n", "own/mine.toml")


def test_an_extending_profile_lays_its_keys_over_the_other(tmp_path):
    load(tmp_path, FULL, "base.toml")
    child = load(
        tmp_path,
        """\
[profile]
name = "child"
title = "Child"
extends = "base.toml"
[adapter.settings]
url = "tcp://other:1"
[timing]
deadline = 2000
[[deviation]]
assertion = "3.4.1-1"
outcome = "fails"
reason = "own"
evidence = "run 1"
[[deviation]]
assertion = "3.4.5-4"
outcome = "fails"
reason = "own words"
evidence = "run 1"
""",
    )
    assert (child.name, child.url) == ("child", "https://example.org/broker")
    assert child.adapter.target == "mine.adapter:open_provider"
    assert child.adapter.settings["url"] == "tcp://other:1"
    assert child.adapter.settings["nested"] == {"a": [1, 2]}
    assert (child.timing.deadline, child.timing.case) == (2000, 4000)
    assert child.claims.features == {"xa", "jndi"}
    assert [(found.reason, found.line) for found in child.deviations] == [
        ("own", 9),
        ("own words", 14),
        ("a race at start", 37),
    ]
    assert child.deviations[2].file.endswith("base.toml")


def test_an_extended_profile_is_found_by_name_too(tmp_path):
    child = load(tmp_path, '[profile]\nname = "c"\ntitle = "C"\nextends = "reference"\n[claims]\nversion = "2.0"\n')
    assert child.claims.version == "2.0"
    assert "xa" in child.claims.features


def test_a_mistake_in_an_extended_profile_is_told_where_it_stands(tmp_path):
    (tmp_path / "base.toml").write_text(FULL.replace("case = 4000", 'case = "4000"'), encoding="utf-8")
    with pytest.raises(ProfileError, match=r"base\.toml:26: timing\.case: expected a whole number"):
        load(tmp_path, '[profile]\nname = "c"\ntitle = "C"\nextends = "base.toml"\n')


def test_a_contradiction_between_two_files_is_told_at_the_key_that_counts(tmp_path):
    load(tmp_path, FULL, "base.toml")
    child = '[profile]\nname = "c"\ntitle = "C"\nextends = "base.toml"\n[timing]\ncase = 900\n'
    with pytest.raises(ProfileError, match=r"child\.toml:6: timing\.case: a case has to last longer"):
        load(tmp_path, child, "child.toml")
    child = child.replace("case = 900", "deadline = 9000")
    with pytest.raises(ProfileError, match=r"base\.toml:26: timing\.case: a case has to last longer"):
        load(tmp_path, child, "child.toml")


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        ("gone.toml", r'mine\.toml:4: profile\.extends: no profile at ".*gone\.toml": there is no such file'),
        ("referense", r'mine\.toml:4: profile\.extends: no profile "referense", did you mean "reference"\?'),
        ("mine.toml", r"mine\.toml:4: profile\.extends: the profiles extend each other in a ring"),
    ],
)
def test_what_is_extended_has_to_exist_and_to_be_another(tmp_path, extends, message):
    with pytest.raises(ProfileError, match=message):
        load(tmp_path, f'[profile]\nname = "c"\ntitle = "C"\nextends = "{extends}"\n')


def test_unknown_names_and_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ProfileError, match=r'^no profile "refrence", did you mean "reference"\?; the kit has .*dummy-accepts, '
    ):
        load_profile("refrence", CATALOGUE)
    with pytest.raises(ProfileError, match=r'^no profile at "own\.toml": there is no such file; check the path$'):
        load_profile("own.toml", CATALOGUE)
    (tmp_path / "some.toml").mkdir()
    with pytest.raises(ProfileError, match=r"^some\.toml: is a directory"):
        load_profile("some.toml", CATALOGUE)
    with pytest.raises(ProfileError, match="no profile"):
        load_profile("", CATALOGUE)


def test_a_file_of_that_name_comes_before_the_kit(tmp_path, monkeypatch):
    (tmp_path / "reference").write_text(MINIMAL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_profile("reference", CATALOGUE).name == "mine"


def test_text_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"# \xff\n")
    with pytest.raises(ProfileError, match=r"mine\.toml: is not UTF-8"):
        load_profile(tmp_path / "mine.toml", CATALOGUE)


def test_the_digest_follows_the_content_and_not_the_layout(tmp_path):
    first = load(tmp_path, FULL)
    assert first.digest == load(tmp_path, f"# other\n\n{FULL}").digest
    assert first.digest != load(tmp_path, FULL.replace("quiet = 50", "quiet = 51")).digest
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", first.digest)


def test_the_first_deviation_that_covers_a_case_counts(tmp_path):
    profile = load(tmp_path, FULL)
    first, second = profile.deviations
    assert profile.deviation_for("3.4.5-4", "3.4.5-4/topic/classic/auto") == first
    reordered = load(
        tmp_path,
        FULL.replace('cases = "3.4.5-4/topic/*"\n', "").replace(
            'assertion = "3.4.5-4"\noutcome = "fails"',
            'assertion = "3.4.5-4"\ncases = "3.4.5-4/queue/*"\noutcome = "fails"',
        ),
    )
    assert reordered.deviation_for("3.4.5-4", "3.4.5-4/queue/classic/auto").outcome == "fails"
    assert reordered.deviation_for("3.4.5-4", "3.4.5-4/topic/classic/auto").outcome == "flaky"
    assert profile.deviation_for("3.4.5-3", "3.4.5-4/topic/classic/auto") is None
    assert second.covers("3.4.5-4", "3.4.5-4/topic/classic/auto")
    assert not second.covers("3.4.5-4", "3.4.5-4/queue/classic/auto")


def test_a_declaration_that_covers_nothing_is_found(tmp_path):
    profile = load(tmp_path, FULL)
    first, second = profile.deviations
    assert profile.unmatched([("3.4.5-4", "3.4.5-4/queue/classic")]) == (second,)
    assert profile.unmatched([("3.4.5-4", "3.4.5-4/topic/classic")]) == ()
    assert profile.unmatched([]) == (first, second)


def test_flaky_has_a_last_day_and_a_bound(tmp_path):
    fails, flaky = load(tmp_path, FULL).deviations
    assert not flaky.expired(dt.date(2027, 1, 1))
    assert flaky.expired(dt.date(2027, 1, 2))
    assert not fails.expired(dt.date(2999, 1, 1))
    assert not flaky.exceeded(2, 10)
    assert flaky.exceeded(3, 10)
    assert flaky.exceeded(1, 4)
    assert not fails.exceeded(10, 10)


@pytest.mark.parametrize("name", profile_names())
def test_the_profiles_of_the_kit_are_valid(name):
    assert load_profile(name, CATALOGUE).name == name


def test_the_reference_claims_what_needs_no_container():
    reference = load_profile("reference", CATALOGUE)
    assert reference.adapter.target == "reference_provider.adapter:open_provider"
    assert reference.adapter.settings["clock"] == "virtual"
    assert set(CATALOGUE.features) - reference.claims.features == {
        "administered-subscriptions",
        "jakarta-ee",
        "native-clients",
        "resource-adapter",
        "topic-hierarchy",
    }
    real = load_profile("reference-realtime", CATALOGUE)
    assert real.adapter.settings == {**reference.adapter.settings, "clock": "system"}
    assert real.claims == reference.claims


@pytest.mark.parametrize("dummy", ["raises", "inert", "accepts"])
def test_the_dummies_claim_what_the_reference_claims(dummy):
    profile = load_profile(f"dummy-{dummy}", CATALOGUE)
    assert profile.adapter.target == "faults.dummies:open_dummy"
    assert profile.adapter.settings["dummy"] == dummy
    assert profile.claims == load_profile("reference", CATALOGUE).claims
