"""Blocks for rows: each row of a case has a verdict of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

HELD = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",))
def test_held(case):
    expect.equal("JMSType", "order", "order")
"""


def test_a_case_of_several_rows_has_a_verdict_for_each(run_suite: Run) -> None:
    body = (
        "with expect.all_of():\n"
        "        with expect.for_row('3.4.8-1'):\n"
        "            expect.equal('one', 'a', 'b')\n"
        "            expect.equal('two', 'a', 'c')\n"
        "        with expect.for_row('3.4.10-2'):\n"
        "            expect.equal('priority', 4, 4)\n"
        "        with expect.for_row('3.4.1-2'):\n"
        "            case.provider.administer('no such action')\n"
    )
    source = HELD.replace('"3.4.8-1"', '"3.4.8-1", "3.4.10-2", "3.4.1-2"')
    ran = run_suite(source.replace('expect.equal("JMSType", "order", "order")', body))
    (result,) = ran.bundle.results()
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == {
        "3.4.8-1": "violation",
        "3.4.10-2": "conformant",
        "3.4.1-2": "undecided",
    }
    assert result.observed == "one was 'a'; two was 'a'"


def test_a_hook_or_a_feature_that_one_row_lacks_leaves_the_others_alone(run_suite: Run) -> None:
    body = (
        "with expect.for_row('3.4.8-1'):\n"
        "        case.needs(api.Hook.NATIVE_CLIENT)\n"
        "    with expect.for_row('3.4.10-2'):\n"
        "        expect.equal('priority', 4, 4)\n"
        "    with expect.for_row('3.4.1-2'):\n"
        "        case.presumes('jakarta-ee')\n"
    )
    source = HELD.replace('"3.4.8-1"', '"3.4.8-1", "3.4.10-2", "3.4.1-2"')
    source = "from tck import api\n" + source.replace('expect.equal("JMSType", "order", "order")', body)
    (result,) = run_suite(source).bundle.results()
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == {
        "3.4.8-1": "inconclusive",
        "3.4.10-2": "conformant",
        "3.4.1-2": "unsupported",
    }


def test_a_claim_of_a_later_version_is_played_and_not_judged(run_suite: Run, tmp_path: Path) -> None:
    profile = tmp_path / "older.toml"
    claims = '[claims]\nversion = "1.1"\napi = ["classic"]\n'
    profile.write_text('[profile]\nname = "older"\ntitle = "Older"\nextends = "reference"\n' + claims)
    ran = run_suite(
        """
        @asserts("pj-durable-resume-1", domain=("topic",), api=("classic",))
        def test_claims(case):
            with expect.for_row("pj-durable-resume-1"):
                expect.equal("this claim", 1, 1)
            with expect.for_row("pj-durable-resume-4"):
                expect.equal("that of version 2.0", 1, 2)
        """,
        profile=str(profile),
    )
    (result,) = ran.bundle.results()
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == {"pj-durable-resume-1": "conformant"}
