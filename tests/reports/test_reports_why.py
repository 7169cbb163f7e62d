"""The page of a violation says why in a sentence, and shows what the reference provider did in the same case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pages_read
import pytest

from tck.catalogue import Catalogue
from tck.cli.main import main
from tck.record import Bundle, Fault, Outcome, Result, Verdict
from tck.record.runs import run_folders
from tck.reports.html import paths
from tck.reports.why import why


def event(seq: int, op: str, phase: str, call: int | None = None, on: str = "consumer-1") -> dict[str, object]:
    return {"seq": seq, "op": op, "phase": phase, "call": call, "on": on}


CALLS = [
    event(1, "MessageConsumer.receive", "invoke"),
    event(2, "MessageConsumer.receive", "ok", 1),
    event(3, "Provider.drop", "invoke", on="provider"),
    event(4, "Provider.drop", "ok", 3, on="provider"),
    event(5, "Session.commit", "invoke", on="session-1"),
]
BROKEN = Result("3.4.1-1/queue", Outcome.BROKEN, {"3.4.1-1": Verdict.VIOLATION}, Verdict.VIOLATION)


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (replace(BROKEN, explanation="because"), ["because"]),
        (
            replace(BROKEN, expected="1", observed="2"),
            ["Expected and observed differ", "MessageConsumer.receive", "(#2)"],
        ),
        (replace(BROKEN, expected="1", observed="2", cites=(2,)), ["rests on", "(#2)"]),
        (replace(BROKEN, outcome=Outcome.ABSENT, call="Session.create_browser"), ["claims", "Session.create_browser"]),
        (replace(BROKEN, outcome=Outcome.CUT), ["deadline", "Session.commit on session-1 (#5) had not returned"]),
        (
            replace(BROKEN, call="Session.close", error=Fault("JMSException", "x")),
            ["Session.close raised JMSException"],
        ),
        (BROKEN, ["refuted"]),
    ],
)
def test_each_kind_of_violation_has_a_sentence(attempt: Result, words: list[str]):
    reported = why(attempt, CALLS)
    assert [word for word in words if word not in reported] == []


def test_what_is_no_violation_needs_none():
    assert why(replace(BROKEN, outcome=Outcome.HELD, verdict=Verdict.CONFORMANT), CALLS) == ""


def test_each_page_of_a_violation_says_why(site: Path, bundle: Bundle):
    violated = {result.case for result in bundle.results() if result.verdict is Verdict.VIOLATION}
    assert violated
    for case in violated:
        text = (site / paths.case(case)).read_text("utf-8")
        assert ">Why</h3>\n<p>" in text, case


def test_a_recorded_run_of_the_reference_provider_is_laid_beside(tmp_path: Path, catalogue: Catalogue):
    del catalogue
    words = ["run", "3.4.1", "-n", "0", "--seed", "1", "--out", str(tmp_path)]
    broken = [*words, "--setting", 'saboteur="3.4.1-3"']
    case = paths.case("3.4.1-3/topic/classic/auto")
    assert main(broken) == 1
    (alone,) = run_folders(tmp_path)
    assert "The reference provider in this case" not in pages_read.read(tmp_path / "html" / alone.name / case).text
    assert main([*words, "--no-report"]) == 0
    assert main(["report", alone.name, "--out", str(tmp_path)]) == 0
    text = " ".join(pages_read.read(tmp_path / "html" / alone.name / case).text.split())
    assert "The reference provider in this case: ✓ Conformant" in text.replace("✓Conformant", "✓ Conformant")
    assert "consumer-1.receive(timeout=5000)" in text
