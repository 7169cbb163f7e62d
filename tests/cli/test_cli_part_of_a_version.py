"""A provider that claims one domain or one interface, and is right: green, exit code 0, and the first line says what it claims."""

import json

import pytest
from cli_support import tck

PROFILE = """
[profile]
name = "part"
title = "Part"

[adapter]
target = "reference_provider.adapter:open_provider"

[adapter.settings]
clock = "virtual"
users = {{ tck = "tck" }}
version = "{version}"

[claims]
version = "{version}"
{claims}
"""


def judged(folder, version, claims, *words):
    (folder / "part.toml").write_text(PROFILE.format(version=version, claims=claims))
    return tck("run", "-p", "part.toml", "--seed", "1", "--no-report", *words, cwd=folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "claims", "says"),
    [
        ("1.1", 'api = ["classic"]\ndomains = ["ptp"]', "by 1.1; queues only, classic interface only; seed 1"),
        ("1.1", 'domains = ["pubsub"]', "by 1.1; topics only; seed 1"),
        ("3.1", 'api = ["simplified"]', "by 3.1; simplified interface only; seed 1"),
        ("3.1", 'api = ["classic", "simplified"]', "by 3.1; classic and simplified interfaces only; seed 1"),
        ("1.0.2b", "", "by 1.0.2b; seed 1"),
        ("3.1", "", "by 3.1; seed 1"),
    ],
)
def test_a_part_of_a_version_is_green_and_the_first_line_says_which(tmp_path, version, claims, says):
    ended = judged(tmp_path, version, claims, "3.4.1", "4.1.2", "8.5-1", "--points", "one", "-n", "0")
    assert ended.code == 0, ended.out
    assert says in ended.out.splitlines()[0]
    assert "✓ No violation found: all " in ended.out


@pytest.mark.slow
def test_queues_through_the_classic_interface_are_green_in_the_whole_suite(tmp_path):
    claims = 'api = ["classic"]\ndomains = ["ptp"]'
    ended = judged(tmp_path, "1.1", claims, "--points", "one", "-n", "2", "--format", "json")
    assert ended.code == 0, ended.err
    output = json.loads(ended.out)
    assert set(output["verdicts"]) == {"conformant", "observation", "unsupported"}
    assert output["verdicts"]["conformant"] > 100
