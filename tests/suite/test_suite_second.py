"""Two client libraries of one broker: which connections the second one stands in for, and that messages really come from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.programs.program import Program, Step
from tck.programs.senders import senders

SENDS = (
    Step("queue", {}, "q1"),
    Step("connect", {"api": "classic"}, "c1"),
    Step("session", {"on": "c1"}, "s1"),
    Step("producer", {"on": "s1", "to": "q1"}, "p1"),
    Step("message", {"on": "s1", "kind": "text"}, "m1"),
    Step("send", {"on": "p1", "message": "m1"}),
)
RECEIVES = (
    Step("connect", {"api": "classic"}, "c2"),
    Step("session", {"on": "c2"}, "s2"),
    Step("consumer", {"on": "s2", "of": "q1"}, "k1"),
    Step("receive", {"on": "k1"}, "m2"),
)


def found(*more: Step, spare: tuple[str, ...] = ()) -> frozenset[str]:
    return senders(Program([*SENDS, *RECEIVES, *more]), spare)


def test_the_second_library_gets_the_connections_that_only_send() -> None:
    assert found() == {"c1"}
    assert found(Step("commit", {"on": "s1"}), Step("close", {"on": "c1"})) == {"c1"}


@pytest.mark.parametrize(
    "step",
    [
        Step("consumer", {"on": "s1", "of": "q1"}, "k2"),
        Step("sever", {"on": "c1"}),
        Step("send", {"on": "p1", "message": "m2"}),
        Step("consumer", {"on": "s2", "of": "q1", "message": "m1"}, "k2"),
    ],
    ids=["consumes", "is severed", "sends what another received", "shares a message"],
)
def test_no_connection_that_does_more(step: Step) -> None:
    assert found(step) == frozenset()


def test_a_connection_with_an_identifier_is_left_out() -> None:
    named = [
        Step("connect", {"api": "classic", "client_id": "me"}, "c1") if each.name == "c1" else each for each in SENDS
    ]
    assert senders(Program([*named, *RECEIVES])) == frozenset()


@pytest.mark.parametrize(
    ("step", "spare"),
    [
        (Step("message", {"on": "s1", "kind": "message"}, "m3"), "messages without a body"),
        (Step("message", {"on": "s1", "kind": "object"}, "m3"), "null objects"),
        (
            Step("message", {"on": "s1", "kind": "stream", "body": [["int", 1], ["bytes", "00"]]}, "m3"),
            "bytes in streams",
        ),
        (Step("write", {"on": "m1", "body": ["bytes", "00"]}), "bytes in streams"),
    ],
)
def test_a_connection_that_makes_what_the_profile_spares_is_left_out(step: Step, spare: str) -> None:
    assert found(step) == {"c1"}
    assert found(step, spare=(spare,)) == frozenset()


ADAPTER = '''
"""The reference provider with a second library: itself, or a stranger whose messages never come."""

from pathlib import Path

from reference_provider.adapter import open_provider as opened


def open_provider(settings, work_dir):
    stranger = settings.pop("stranger", False)
    provider = opened(settings, work_dir)
    if stranger:
        (work_dir / "other").mkdir()
    other = opened(settings, work_dir / "other") if stranger else provider
    type(provider).second = lambda self: other
    return provider
'''


@pytest.mark.parametrize("stranger", [False, True])
def test_messages_come_from_the_second_library(tmp_path: Path, stranger: bool) -> None:
    (tmp_path / "two.py").write_text(ADAPTER)
    (tmp_path / "two.toml").write_text(
        '[profile]\nname = "two"\ntitle = "Two"\nextends = "reference"\n'
        '[adapter]\nkind = "python"\ntarget = "two:open_provider"\n'
        f"[adapter.settings]\nstranger = {str(stranger).lower()}\n"
    )
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "tck", "run", "-p", "two.toml", "3.4-1/queue/*/journey-1*", "corpus/01*", "-n", "0"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == int(stranger), done.stdout[-3000:] + done.stderr
    assert ("7.9-5" in done.stdout) is stranger, done.stdout[-3000:]
