"""`tck doctor`: each way in which a profile or an adapter can be wrong, and what it says about it."""

import threading

import pytest
from cli_support import one_message, tck

from tck.adapters.deadline import Hung, in_time
from tck.catalogue.versions import BY_NAME, offers, version_of

PROFILE = """
[profile]
name = "mine"
title = "Mine"

[adapter]
target = "{target}"

[claims]
version = "3.1"
"""

ADAPTERS = """

def refuse(settings, work_dir):
    raise ConnectionRefusedError("nobody listens")

def nothing(settings, work_dir):
    return None

def one_argument(settings):
    return None
"""


def examine(folder, target):
    (folder / "adapters.py").write_text(ADAPTERS)
    (folder / "mine.toml").write_text(PROFILE.format(target=target))
    return tck("doctor", "-p", "mine.toml", "--format", "json", cwd=folder)


def test_a_ready_provider(tmp_path):
    ended = tck("doctor", "--format", "json", cwd=tmp_path)
    output = ended.json()
    assert (ended.code, output["exit"]) == (0, 0)
    assert [step for step in output["steps"] if not step["ok"]] == []
    assert [step["step"] for step in output["steps"]][:3] == ["profile", "adapter", "info"]
    assert output["provider"]["hooks"]
    assert set(output["steps"][0]) == {"step", "ok", "seen", "todo"}


def test_a_ready_provider_is_told_how_to_go_on(tmp_path):
    assert tck("doctor", cwd=tmp_path).out.endswith("ready: tck run -p reference\n")


def test_the_settings_on_which_deviations_depend_are_named(tmp_path):
    one = '[[deviation]]\nassertion = "{}"\noutcome = "fails"\nreason = "a"\nlink = "https://example.org"\n'
    cached = 'when = "the cache is on, the default"\nholds_with = { cache = false }\n'
    head = '[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n'
    declared = "".join(one.format(row) + cached for row in ("3.4.1-1", "3.4.1-2")) + one.format("3.4.1-3")
    (tmp_path / "mine.toml").write_text(head + declared)
    steps = tck("doctor", "-p", "mine.toml", "--format", "json", cwd=tmp_path).json()["steps"]
    assert [step["seen"] for step in steps if step["step"] == "settings"] == [
        "declared deviations of 2 rows, when the cache is on, the default; holds with cache = false"
    ]


@pytest.mark.parametrize("tier", BY_NAME)
def test_the_provider_that_plays_a_tier_is_examined_by_what_that_has(tier, tmp_path):
    ended = tck("doctor", "--tier", tier, "--setting", "clock=system", cwd=tmp_path)
    assert ended.code == 0
    assert f"; examined by {BY_NAME[tier].title}\n" in ended.out
    assert f", API {version_of(tier)}\n" in ended.out
    assert ended.out.endswith(f"ready: tck run -p reference --tier {tier} --setting clock=system\n")
    assert ("ok    simplified API " in ended.out) == offers(version_of(tier), "simplified")


def test_a_provider_that_cannot_play_the_tier_is_not_ready_for_it(tmp_path):
    ended = tck("doctor", "--tier", "1.1", "--setting", "version=1.0.2b", "--format", "json", cwd=tmp_path)
    failed = {step["step"]: step["seen"] for step in ended.json()["steps"] if not step["ok"]}
    assert ended.code == 4
    assert "close" in failed
    assert "create_connection came with JMS 1.1" in failed["close"]


def test_a_tier_that_is_none(tmp_path):
    ended = tck("doctor", "--tier", "9.9", cwd=tmp_path)
    assert (ended.code, one_message(ended).startswith('no tier "9.9"')) == (4, True)


@pytest.mark.parametrize(
    ("target", "code", "step", "said"),
    [
        ("no_such_module:open_provider", 4, "adapter", "there is no module no_such_module"),
        ("adapters:missing", 4, "adapter", "has no missing"),
        ("adapters:one_argument", 4, "adapter", "expected open_provider(settings, work_dir)"),
        ("adapters:nothing", 4, "adapter", "returned None"),
        ("adapters:refuse", 6, "open", "ConnectionRefusedError: nobody listens"),
    ],
)
def test_the_step_that_fails_says_what_to_do(target, code, step, said, tmp_path):
    ended = examine(tmp_path, target)
    output = ended.json()
    assert (ended.code, output["exit"]) == (code, code)
    assert output["steps"][-1]["step"] == step
    assert said in output["steps"][-1]["seen"]
    assert output["steps"][-1]["todo"]
    assert output["provider"] is None
    assert "Traceback" not in ended.err


def test_an_adapter_that_is_not_ready(tmp_path):
    ended = tck("doctor", "-p", "dummy-inert", "--format", "json", cwd=tmp_path)
    assert ended.code == 4
    assert "queue round trip" in [step["step"] for step in ended.json()["steps"] if not step["ok"]]


def test_a_profile_that_is_not_valid(tmp_path):
    (tmp_path / "mine.toml").write_text(PROFILE.format(target="no colon"))
    ended = tck("doctor", "-p", "mine.toml", cwd=tmp_path)
    assert one_message(ended).startswith("mine.toml:")
    assert ended.code == 4


HANGS = """
import threading
from reference_provider.adapter import open_provider as opened
def no_topics(settings, work_dir):
    provider = opened(settings, work_dir)
    provider.create_topic = lambda name: threading.Event().wait()
    return provider
"""


@pytest.mark.slow
def test_a_call_that_hangs_is_named_and_the_last(tmp_path):
    (tmp_path / "hangs.py").write_text(HANGS)
    (tmp_path / "mine.toml").write_text(PROFILE.format(target="hangs:no_topics"))
    ended = tck("doctor", "-p", "mine.toml", "--format", "json", cwd=tmp_path)
    last = ended.json()["steps"][-1]
    assert (ended.code, last["step"], last["ok"]) == (6, "destinations", False)
    assert "saw no return within 10 seconds, in no_topics.<locals>.<lambda> (hangs.py:" in last["seen"]


def test_opening_has_a_deadline_and_says_meanwhile_where_it_waits():
    said = []
    with pytest.raises(Hung, match=r"no return within 0\.5 seconds, in .*<lambda> \(test_cli_doctor\.py:"):
        in_time(lambda: threading.Event().wait(30), 0.5, waiting=said.append, every=0.1)
    assert len(said) >= 2
    assert "test_cli_doctor.py:" in said[0]
