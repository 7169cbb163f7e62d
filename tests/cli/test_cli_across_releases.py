"""`tck releases` and `tck bisect`: which releases are looked at, where a verdict turned, and each wrong command line."""

import pytest
from cli_support import one_message, tck

from tck.catalogue import load_catalogue
from tck.cli.across_releases.running import between
from tck.cli.across_releases.search import SameVerdict, Tried, bisect
from tck.cli.support.console import Problem

PROFILE = """
[profile]
name = "mine"
title = "Mine 3.0.0"
release = "3.0.0"

[adapter]
kind = "jvm"

[adapter.settings]
repository = "{repository}"
coordinates = ["org.new:broker:3.0.0"]
factory = {{ class = "x.Y" }}

[claims]
version = "3.1"

[[release]]
from = "2.0"

[[release]]
until = "1.99"
[release.settings]
coordinates = ["org.old:broker:{{release}}", "org.old:client:{{release}}"]
"""


def publish(root, group, name, *versions):
    folder = root / group.replace(".", "/") / name
    folder.mkdir(parents=True)
    listed = "".join(f"<version>{each}</version>" for each in versions)
    (folder / "maven-metadata.xml").write_text(
        f"<metadata><versioning><versions>{listed}</versions></versioning></metadata>"
    )


@pytest.fixture
def profile(tmp_path):
    publish(tmp_path / "repository", "org.old", "broker", "1.0.0", "1.1.0", "1.2.0", "2.0.0")
    publish(tmp_path / "repository", "org.old", "client", "1.0.0", "1.2.0")
    publish(tmp_path / "repository", "org.new", "broker", "2.0.0", "2.10.0", "2.9.0", "3.0.0", "4.0.0")
    file = tmp_path / "mine.toml"
    file.write_text(PROFILE.format(repository=(tmp_path / "repository").as_uri()), encoding="utf-8")
    return file


def test_the_releases_between_two_are_those_with_all_their_artifacts(profile):
    found = between(str(profile), "1.0.0", "3.0.0", load_catalogue())
    assert found == ("1.0.0", "1.2.0", "2.0.0", "2.9.0", "2.10.0", "3.0.0")


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("3.0.0", "2.0.0", "--from 3.0.0 --to 2.0.0: expected an older release and then a newer one"),
        ("new", "2.0.0", '"new" is no release'),
    ],
)
def test_wrong_ends_are_refused(profile, first, last, said):
    with pytest.raises(Problem) as refused:
        between(str(profile), first, last, load_catalogue())
    assert said in refused.value.format_message()


def history(*verdicts):
    """Releases 0, 1, 2, ... with these verdicts, and the search for the turn over them."""
    tried = []

    def attempt(release):
        tried.append(release)
        return Tried(release, verdicts[int(release)], "seen" if verdicts[int(release)] != "conformant" else "")

    return tried, lambda: bisect([str(at) for at in range(len(verdicts))], attempt)


BAD, GOOD = "violation", "conformant"


@pytest.mark.parametrize("turn", range(1, 40))
def test_the_turn_is_found_with_few_runs(turn):
    tried, search = history(*[BAD] * turn, *[GOOD] * (40 - turn))
    found = search()
    assert (found.before.release, found.after.release, found.between) == (str(turn - 1), str(turn), ())
    assert len(tried) <= 8
    assert len(set(tried)) == len(tried)


def test_a_release_that_cannot_be_judged_is_passed_over():
    _, search = history(BAD, BAD, "", "", "", GOOD, GOOD)
    found = search()
    assert (found.before.release, found.after.release, found.between) == ("1", "5", ("2", "3", "4"))


def test_the_end_of_the_first_verdict_is_found_where_there_are_three():
    _, search = history(BAD, BAD, "undecided", GOOD, GOOD)
    assert (search().before.release, search().after.release) == ("1", "2")


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ((BAD, GOOD, BAD), "0 and 2 have the same verdict: violation"),
        ((BAD, ""), "1 could not be judged: seen"),
    ],
)
def test_ends_that_hide_no_turn(verdicts, said):
    _, search = history(*verdicts)
    with pytest.raises(SameVerdict, match=said):
        search()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bisect", "artemis", "3.4.8-2"], "expected --from and --to, or --release at least twice"),
        (["bisect", "artemis", "3.4.8-2", "--release", "2.0.0"], "expected at least two releases to look at"),
        (["bisect", "artemis", "3.4.8-2", "--release", "2.0.0", "--from", "2.0.0"], "--release names the releases"),
        (["bisect", "artemis", "3.4.8-9999", "--from", "2.0.0", "--to", "2.1.0"], "3.4.8-9999"),
        (["bisect", "reference", "3.4.8-2", "--release", "1.0", "--release", "1.1"], "says nothing of that release"),
        (["releases", "artemis"], "expected --release once or more, or both --from and --to"),
        (["releases", "artemis", "--from", "2.0.0"], "expected --release once or more, or both --from and --to"),
        (["releases", "artemis", "--release", "0.5"], "the profile says nothing of that release; it covers"),
        (["releases", "nothing", "--release", "1"], 'no profile "nothing"'),
        (["run", "--release", "1.0"], "--release 1.0: the provider is not in Java"),
        (["doctor", "--release", "1.0"], "--release 1.0: the provider is not in Java"),
        (["run", "-p", "artemis", "--release", "0.5"], "--release 0.5: the profile says nothing of that release"),
    ],
)
def test_a_wrong_command_line_is_one_message(tmp_path, arguments, said):
    ended = tck(*arguments, cwd=tmp_path)
    assert ended.code == 4
    assert said in one_message(ended)


def test_declarations_can_be_left_out_of_a_run(tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n[[deviation]]\nassertion = "3.4.8-1"\n'
        'outcome = "fails"\nreason = "r"\nevidence = "e"\n'
    )
    arguments = ["run", "3.4.8-1/*", "-p", "mine.toml", "-n", "0", "--no-report", "--points", "one", "--format", "json"]
    assert tck(*arguments, cwd=tmp_path).code == 1  # stale
    ended = tck(*arguments, "--no-declarations", cwd=tmp_path)
    assert (ended.code, ended.json()["stale"]) == (0, [])
