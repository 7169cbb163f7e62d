"""A legal call that the provider refuses: which row it breaks, and when nobody is blamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

BROWSES = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",))
def test_browses(case):
    session, queue = case.client().session, case.queue()
    expect.equal("its queue", session.create_browser(queue).queue, queue)
"""


@pytest.mark.parametrize(
    ("fault", "body", "verdicts"),
    [
        ("no-browsers", BROWSES, {"3.4.8-1": "undecided", "4.1.6-2": "violation"}),
        ("closing-a-connection-raises", BROWSES, {"3.4.8-1": "conformant", "6.1.8-13": "violation"}),
        ("no-browsers", BROWSES.replace("3.4.8-1", "4.1.6-2"), {"4.1.6-2": "violation"}),
    ],
)
def test_a_refused_call_breaks_the_row_that_owns_it(
    run_suite: Run, tmp_path: Path, fault: str, body: str, verdicts: dict[str, str]
) -> None:
    profile = tmp_path / "broken.toml"
    profile.write_text(
        f'[profile]\nname = "broken"\ntitle = "Broken"\nextends = "reference"\n[adapter.settings]\nsaboteur = "{fault}"\n'
    )
    ran = run_suite(body, profile=str(profile))
    assert ran.exit == 1
    (result,) = ran.bundle.results()
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == verdicts, ran.output
    assert "is legal here and was refused" in result.explanation
    assert "VIOLATION" in ran.output


def test_a_refusal_after_a_broken_link_blames_nobody(run_suite: Run, tmp_path: Path) -> None:
    profile = tmp_path / "broken.toml"
    profile.write_text(
        '[profile]\nname = "broken"\ntitle = "Broken"\nextends = "reference"\n[adapter.settings]\nsaboteur = "no-browsers"\n'
    )
    severed = BROWSES.replace("    expect.equal", "    case.provider.sever(case.client().connection)\n    expect.equal")
    (result,) = run_suite(severed, profile=str(profile)).bundle.results()
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == {"3.4.8-1": "undecided"}


HANGS = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",), plain=True)
def test_hangs(case):
    session, queue, never = case.client().session, case.queue(), threading.Event()
    type(session.raw_).create_browser = lambda *_: never.wait()
    type(session.raw_).create_text_message = lambda *_: never.wait()
    session.create_browser(queue)
"""
RECEIVES = HANGS.replace("session.create_browser(queue)", "session.create_consumer(queue).receive(LIMIT)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "verdicts"),
    [
        (HANGS, {"3.4.8-1": "undecided", "4.1.6-2": "violation"}),
        (HANGS.replace("3.4.8-1", "4.1.6-2"), {"4.1.6-2": "violation"}),
        (HANGS.replace("3.4.8-1", "4.1.6-9"), {"4.1.6-9": "undecided", "4.1.6-2": "violation"}),
        (
            HANGS.replace(
                "    session.create_browser",
                "    case.spawn('another', session.create_text_message)\n    session.create_browser",
            ),
            {"3.4.8-1": "undecided"},
        ),
        (RECEIVES.replace("LIMIT", ""), {"3.4.8-1": "undecided"}),
        (RECEIVES.replace("LIMIT", "0"), {"3.4.8-1": "undecided"}),
        (RECEIVES.replace("LIMIT", "").replace("3.4.8-1", "8.5-2"), {"8.5-2": "violation"}),
        (
            HANGS.replace("    session.create_browser", "    case.provider.restart()\n    session.create_browser"),
            {"3.4.8-1": "undecided"},
        ),
    ],
    ids=[
        "elsewhere",
        "own row",
        "another row on browsers",
        "two calls open",
        "no limit",
        "zero is no limit",
        "no limit at its row",
        "after a restart",
    ],
)
def test_a_call_that_hangs_breaks_the_row_that_owns_it_and_no_other(
    run_suite: Run, body: str, verdicts: dict[str, str]
) -> None:
    ran = run_suite(body, profile="quick.toml")
    (result,) = ran.bundle.results()
    assert (ran.exit, result.outcome) == (1, "cut"), ran.output
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == verdicts, ran.output
    assert result.observed.startswith("CaseCut: the case ran past its deadline; still open: ")


LACKS = """
@asserts("ROW", domain=("topic",), api=("classic",))
def test_lacks(case):
    def lacking(*_):
        raise api.UnsupportedOperationException("no such method")

    session, topic = case.client().session, case.topic()
    type(session.raw_).create_shared_consumer = lacking
    session.create_shared_consumer(topic, "name")
"""


@pytest.mark.parametrize(
    ("row", "verdicts"),
    [
        ("8.3.2-1", {"8.3.2-1": "violation"}),
        ("8.3.2-7", {"8.3.2-7": "inconclusive", "8.3.2-1": "violation"}),
        ("8.3.1-12", {"8.3.1-12": "inconclusive", "8.3.2-1": "violation"}),
    ],
)
def test_a_missing_call_breaks_the_row_that_owns_it_and_no_other(
    run_suite: Run, row: str, verdicts: dict[str, str]
) -> None:
    ran = run_suite(LACKS.replace("ROW", row))
    (result,) = ran.bundle.results()
    assert (ran.exit, result.outcome) == (1, "absent"), ran.output
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == verdicts, ran.output


def extended(tmp_path: Path, text: str) -> str:
    profile = tmp_path / "mine.toml"
    profile.write_text(f'[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n{text}')
    return str(profile)


DECLARED = '[[deviation]]\nassertion = "8.3.2-1"\noutcome = "fails"\nreason = "not there yet"\nevidence = "x"\n'
DISCLAIMED = '[[claims.without]]\nwhat = "shared subscriptions"\ncalls = ["*.create_shared_*"]\nlink = "https://example.org/roadmap"\n'


def test_one_declaration_of_a_missing_call_is_enough(run_suite: Run, tmp_path: Path) -> None:
    ran = run_suite(LACKS.replace("ROW", "8.3.2-7"), profile=extended(tmp_path, DECLARED))
    (result,) = ran.bundle.results()
    assert {row: verdict.value for row, verdict in result.verdicts.items()} == dict.fromkeys(
        ("8.3.2-7", "8.3.2-1"), "declared"
    )
    assert (ran.exit, result.deviation.assertion) == (0, "8.3.2-1"), ran.output


def test_what_the_maintainers_disclaim_is_unsupported_unless_all_is_claimed(run_suite: Run, tmp_path: Path) -> None:
    profile = extended(tmp_path, DISCLAIMED)
    ran = run_suite(LACKS.replace("ROW", "8.3.2-7"), profile=profile)
    (result,) = ran.bundle.results()
    assert (ran.exit, result.outcome, dict(result.verdicts)) == (5, "unsupported", {"8.3.2-7": "unsupported"})
    text = "not claimed: shared subscriptions (Session.create_shared_consumer; https://example.org/roadmap)"
    assert result.observed == text
    ran = run_suite(LACKS.replace("ROW", "8.3.2-7"), "--claim", "everything", profile=profile)
    (result,) = ran.bundle.results()
    assert (ran.exit, result.verdicts["8.3.2-1"]) == (1, "violation"), ran.output


NEEDS_ROLLBACK = """
@asserts("3.4.8-2", domain=("queue",), api=("classic",), ack=("transacted",))
def test_unset_type(case):
    link = case.link()
    link.send("x")
    link.client.commit()
    case.witness("something was sent")
    expect.equal("the first", getattr(link.poll(), "text", None), "x")
    link.client.rollback()
    expect.equal("the same", getattr(link.poll(), "text", None), "x")
"""


def test_a_case_whose_means_fail_is_not_decided(run_suite: Run) -> None:
    ran = run_suite(NEEDS_ROLLBACK, "--setting", 'saboteur="6.2.7-6"')
    (result,) = ran.bundle.results()
    assert result.verdicts == {"3.4.8-2": "undecided", "6.2.7-6": "violation"}
    assert "The case needs rollback" in (result.explanation or "")
    assert ran.exit == 1
