"""`write_baseline`: what it adds, and that it leaves everything else alone."""

import datetime as dt
import stat

import pytest

from tck.catalogue import load_catalogue
from tck.profile import Declared, Deviation, ProfileError, load_profile, write_baseline
from tck.record import Effect

CATALOGUE = load_catalogue()
PROFILE = """\
# my broker, second floor
[profile]
name = "mine"   # short
title = "My broker"

[adapter]
target = "mine.adapter:open_provider"
settings = { url = "tcp://localhost:1" }

[claims]
version = "2.0"
features = [
  "xa",   # since 4.2
]
"""
DECLARED = (
    PROFILE
    + """
# found by hand
[[deviation]]
assertion = "3.4.5-4"   # byte arrays
outcome = "fails"
reason = "not supported"
link = "https://example.org/1"

[timing]
deadline = 9000 # slow disk
"""
)
FAILS = Deviation("3.4.1-1", Declared.FAILS, "the preset wins", evidence="run 7")
FLAKY = Deviation(
    "3.4.2-1",
    Declared.FLAKY,
    'a "race"\nin start',
    cases="3.4.2-1/queue/*",
    link="https://example.org/2",
    at_most=0.2,
    expires=dt.date(2027, 1, 1),
    when="journal is off",
    holds_with={"journal": True},
    effect=Effect.WRONG_DATA,
)


@pytest.fixture
def profile(tmp_path):
    def write(text):
        path = tmp_path / "mine.toml"
        path.write_bytes(text.encode())
        return path

    return write


@pytest.mark.parametrize("text", [PROFILE, DECLARED, PROFILE.replace("\n", "\r\n")], ids=["none yet", "some", "crlf"])
def test_adds_tables_and_keeps_every_line(profile, text):
    path = profile(text)
    before = load_profile(path, CATALOGUE).deviations
    assert write_baseline(path, [FAILS, FLAKY], CATALOGUE) == (FAILS, FLAKY)
    after = path.read_bytes().decode()
    kept = iter(after.splitlines())
    assert all(line in kept for line in text.splitlines()), "a line of before is gone, changed or moved"
    assert after.count("\r\n") in (0, after.count("\n")), "two kinds of line ends"
    assert load_profile(path, CATALOGUE).deviations == (*before, FAILS, FLAKY)
    lines = after.splitlines()
    for deviation in load_profile(path, CATALOGUE).deviations:
        assert lines[deviation.line - 1] == "[[deviation]]"
        assert lines[deviation.line].startswith(f'assertion = "{deviation.assertion}"')


def test_adds_to_a_list_written_in_place(profile):
    text = (
        'deviation = [\n  { assertion = "3.4.5-4", outcome = "fails", reason = "no", evidence = "run 1" }, # old\n]\n'
        + PROFILE
    )
    path = profile(text)
    write_baseline(path, [FAILS, FLAKY], CATALOGUE)
    found = load_profile(path, CATALOGUE).deviations
    assert [deviation.assertion for deviation in found] == ["3.4.5-4", "3.4.1-1", "3.4.2-1"]
    assert "# old" in path.read_text(encoding="utf-8")


def test_what_is_declared_already_is_left_out(profile):
    path = profile(DECLARED)
    again = Deviation("3.4.5-4", Declared.FAILS, "other words", evidence="run 7")
    assert write_baseline(path, [again, FAILS, FAILS], CATALOGUE) == (FAILS,)
    content = path.read_bytes()
    assert write_baseline(path, [again, FAILS], CATALOGUE) == ()
    assert path.read_bytes() == content


def test_what_an_extended_profile_declares_is_left_out(profile, tmp_path):
    profile(DECLARED)
    child = tmp_path / "child.toml"
    child.write_text('[profile]\nname = "child"\ntitle = "Child"\nextends = "mine.toml"\n', encoding="utf-8")
    again = Deviation("3.4.5-4", Declared.FAILS, "other words", evidence="run 7")
    assert write_baseline(child, [again, FAILS], CATALOGUE) == (FAILS,)


@pytest.mark.parametrize(
    ("deviation", "reason"),
    [
        (Deviation("9.9.9-9", Declared.FAILS, "x", evidence="y"), 'no row "9.9.9-9"'),
        (Deviation("3.4.3-1", Declared.FAILS, "x"), "a link or evidence"),
        (Deviation("3.4.3-1", Declared.FLAKY, "x", evidence="y"), '"at_most" is missing'),
    ],
)
def test_an_invalid_addition_changes_nothing(profile, tmp_path, deviation, reason):
    path = profile(DECLARED)
    with pytest.raises(ProfileError, match="would not be valid with the new deviations") as caught:
        write_baseline(path, [FAILS, deviation], CATALOGUE)
    assert reason in str(caught.value)
    assert path.read_text(encoding="utf-8") == DECLARED
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


def test_the_mode_of_the_file_stays(profile):
    path = profile(PROFILE)
    path.chmod(0o640)
    write_baseline(path, [FAILS], CATALOGUE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_an_invalid_profile_is_not_touched(profile):
    path = profile(PROFILE + "[timings]\n")
    with pytest.raises(ProfileError, match=r"mine\.toml:15: timings: unknown key, did you mean \"timing\"\?"):
        write_baseline(path, [FAILS], CATALOGUE)
    assert path.read_text(encoding="utf-8") == PROFILE + "[timings]\n"
