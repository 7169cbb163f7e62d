"""Two client libraries of one broker: which connections the second one stands in for, and that messages really come from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tck.programs.observing.environment import Environment, RunSettings, Sent
from tck.programs.operations.reading import reads
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


def test_no_connection_that_sends_a_foreign_message_with_a_destination_of_the_first_library() -> None:
    send = Step("send", {"on": "p1", "message": "m3"})
    assert found(Step("message", {"on": None, "kind": "text"}, "m3"), send) == {"c1"}
    named = Step("message", {"on": None, "kind": "text", "headers": {"reply_to": "q1"}}, "m3")
    assert found(named, send) == frozenset()


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
        (Step("property", {"on": "m1", "name": "a", "type": "string", "value": "\ud83d"}), "half surrogate pairs"),
        (Step("set", {"on": "m1", "what": "type", "value": "x\ude00"}), "half surrogate pairs"),
    ],
)
def test_a_connection_that_makes_what_the_profile_spares_is_left_out(step: Step, spare: str) -> None:
    assert found(step) == {"c1"}
    assert found(step, spare=(spare,)) == frozenset()


def test_whole_pairs_are_spared_by_nothing() -> None:
    assert found(Step("property", {"on": "m1", "value": "\U0001f600"}), spare=("half surrogate pairs",)) == {"c1"}


def recognising(senders: frozenset[str]) -> Environment:
    provider: Any = SimpleNamespace(clock=SimpleNamespace(virtual=False))
    env = Environment(provider, "", RunSettings(1, 1, 1))
    env.senders = senders
    for number in range(2):
        sent = Sent(number, "p1", "q1", 2, 4, 0, 0, 0, 0, tag=7, seen=True, id=f"ID:{number}")
        env.record(sent)
    return env


def test_a_message_with_a_new_identifier_is_recognised_by_the_old_one_in_a_property() -> None:
    env = recognising(frozenset({"c1"}))
    assert env.sent_of("ID:new", 7, ()) is None
    assert env.sent_of("ID:new", 7, ["x", "ID:1"]) is env.sent[1]
    assert env.sent_of("ID:new", None, ()) is env.sent[1], "afterwards by the new one"
    assert env.sent_of("ID:0", 7, ["ID:1"]) is env.sent[0], "its own identifier goes first"


def test_one_library_alone_must_keep_the_identifier() -> None:
    assert recognising(frozenset()).sent_of("ID:new", 7, ["ID:1"]) is None


def test_properties_that_a_provider_adds_take_no_place_of_those_that_are_read() -> None:
    env = recognising(frozenset())
    env.objects["m1"] = SimpleNamespace(
        get_property_names=lambda: [*(f"JMS_A{each}" for each in range(20)), "n"], property_exists=bool
    )
    env.begin({"ok": {"n": {}, "never": {}}})
    assert "n" in reads(env, {"on": "m1", "what": "property"}, None)


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
