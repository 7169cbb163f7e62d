"""What other programs read: JSON by its schema, Markdown, badge, Allure, and the terminal."""

from __future__ import annotations

import dataclasses
import json
import re
import uuid
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import attr
import jsonschema
import pytest
import synthetic_bundles as synthetic
from allure_commons import model2

from tck.catalogue import Catalogue
from tck.record import Bundle, Outcome
from tck.reports import surprises
from tck.reports.export import allure, badge, markdown, terminal
from tck.reports.export import json as json_export
from tck.reports.html import write_site
from tck.reports.read import load
from tck.reports.verdict_tree import build


def test_json_keeps_its_schema(tmp_path: Path, bundle: Bundle, catalogue: Catalogue):
    document = json.loads(json_export.write(bundle, tmp_path / "run.json", catalogue).read_text())
    schema = json.loads(files("tck.reports.export").joinpath("report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)
    assert document["verdict"] == "harness-error"
    assert document["counts"]["assertions"]["violation"] == 4
    assert sum(document["counts"]["cases"].values()) == len(document["cases"]) == len(bundle.cases())
    hostile = next(case for case in document["cases"] if case["case"].startswith("3.4.6-2"))
    assert hostile["attempts"][0]["observed"] == synthetic.HOSTILE_BODY


def test_markdown_tells_surprises_chapters_and_provenance(bundle: Bundle, catalogue: Catalogue):
    text = markdown.render(bundle, catalogue)
    for part in (
        "## JMS TCK: ACME Broker 2.7.1",
        "### ✗ Violation: 4 assertions",
        "- **6.2.7-4**, 6.2.7-6 No message produced",
        "(MUST; 2 of 8 cases, each with queue, auto)",
        "  - observed `second, first, third`",
        "| 6 Connections and sessions |",
        "not a certification",
        "seed 7",
    ):
        assert part in text


def test_markdown_keeps_text_of_a_provider_in_its_place():
    assert markdown.code("a `` b") == "```a `` b```"
    assert markdown.code("`x`") == "`` `x` ``"
    assert markdown.code("two\n# lines\u202e") == "`two # lines\\u202e`"
    assert markdown.plain("<b> *x* [y](z)") == "\\<b\\> \\*x\\* \\[y\\](z)"


@pytest.mark.slow
def test_markdown_stays_short_when_everything_is_broken(tmp_path: Path, catalogue: Catalogue):
    made = []
    for row in catalogue.judged()[:400]:
        case = synthetic.case_row(row)
        made.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=f"{row.id} {'x' * 999}"), ()))
    text = markdown.render(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made), catalogue)
    assert len(text) < 30_000


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome.BROKEN, "1 violation"),
        (Outcome.HELD, "no violation in 1 case"),
        (Outcome.UNSUPPORTED, "nothing judged"),
    ],
)
def test_the_badge_says_what_was_seen(tmp_path: Path, catalogue: Catalogue, outcome: Outcome, says: str):
    case = synthetic.case_row(catalogue["3.4.1-1"])
    made = [(case, synthetic.result_row(catalogue, case, outcome, observed="x"), ())]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made)
    svg = ET.fromstring(badge.write(bundle, tmp_path / "badge.svg", catalogue).read_text())  # noqa: S314 - our own
    assert svg.get("aria-label") == f"JMS TCK 3.1: {says}"
    endpoint = json.loads((tmp_path / "badge.json").read_text())
    assert (endpoint["schemaVersion"], endpoint["label"], endpoint["message"]) == (1, "JMS TCK 3.1", says)
    assert re.fullmatch("[0-9a-f]{6}", endpoint["color"])


def test_allure_results_agree_with_its_model(tmp_path: Path, bundle: Bundle, catalogue: Catalogue):
    folder = allure.write(bundle, tmp_path / "allure", catalogue)
    results = [json.loads(path.read_text()) for path in folder.glob("*-result.json")]
    assert len(results) == len(bundle.results())
    fields = {
        "": model2.TestResult,
        "labels": model2.Label,
        "links": model2.Link,
        "parameters": model2.Parameter,
        "attachments": model2.Attachment,
    }
    statuses = {model2.Status.PASSED, model2.Status.FAILED, model2.Status.BROKEN, model2.Status.SKIPPED}
    for result in results:
        assert uuid.UUID(result["uuid"])
        assert result["status"] in statuses
        assert result["start"] <= result["stop"]
        assert set(result["statusDetails"]) <= {field.name for field in attr.fields(model2.StatusDetails)}
        for key, model in fields.items():
            known = {field.name for field in attr.fields(model)}
            for item in [result] if not key else result[key]:
                assert set(item) <= known
        assert all((folder / each["source"]).is_file() for each in result["attachments"])
    assert len({result["uuid"] for result in results}) == len(results)


def test_allure_labels_are_chapter_section_and_assertion(tmp_path: Path, bundle: Bundle, catalogue: Catalogue):
    folder = allure.write(bundle, tmp_path, catalogue)
    results = {
        result["name"]: result for result in (json.loads(path.read_text()) for path in folder.glob("*-result.json"))
    }
    broken = results["6.2.7-6/queue/classic/auto"]
    labels = [(label["name"], label["value"]) for label in broken["labels"]]
    for label in (
        ("epic", "6 Connections and sessions"),
        ("feature", "6.2.7 Transactions"),
        ("story", "6.2.7-6 rollback recovers queue"),
        ("story", "6.2.7-4 nothing sent before commit"),
        ("severity", "critical"),
    ):
        assert label in labels
    assert broken["status"] == "failed"
    assert "(cited)" in (folder / broken["attachments"][0]["source"]).read_text()
    assert results["3.4.5-2/queue/classic/auto"]["links"] == []
    assert results["3.4.5-4/queue/classic/auto"]["links"][0]["url"] == "https://example.org/issues/512"
    for category in json.loads((folder / "categories.json").read_text()):
        assert {"name", "matchedStatuses", "messageRegex"} == set(category)


def test_a_history_id_is_the_same_in_every_run(tmp_path: Path, catalogue: Catalogue):
    seen = []
    for number in (1, 2):
        case = synthetic.case_row(catalogue["3.4.1-1"])
        made = [(case, synthetic.result_row(catalogue, case, Outcome.HELD), ())]
        run = dataclasses.replace(synthetic.run_row(catalogue), run=f"run-{number}")
        folder = allure.write(synthetic.write(tmp_path / f"b{number}", run, made), tmp_path / f"a{number}", catalogue)
        (path,) = folder.glob("*-result.json")
        seen.append(json.loads(path.read_text()))
    assert seen[0]["historyId"] == seen[1]["historyId"]
    assert seen[0]["uuid"] != seen[1]["uuid"]


def test_the_terminal_shows_chapters_then_surprises(bundle: Bundle, catalogue: Catalogue):
    text = terminal.render_run(bundle, catalogue, width=100, lines=None)
    assert "\x1b" not in text
    assert text.index(" 6 Connections and sessions") < text.index("Violation: 4 assertions") < text.index("Advisory: 1")
    squeezed = " ".join(text.split())
    for part in (
        "expected first, second, third observed second, first, third because after the rollback",
        "rerun python -m tck run -p acme --seed 7 6.2.7-6/queue/classic/auto",
        "8 bounded waits without proof, 800 ms in all",
        "coverage: 20 of 1,316 testable rows",
    ):
        assert part in squeezed
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("width", [40, 80, 120])
def test_assertions_with_one_cause_share_the_first_card_and_the_terminal_stays_short(
    without_browsers: Bundle, catalogue: Catalogue, width: int
):
    text = terminal.render_run(without_browsers, catalogue, width=width)
    assert text.count("\n") <= terminal.LINES
    assert max(map(len, text.splitlines())) <= width
    squeezed = " ".join(text.split())
    cause = "absent: Session.create_browser, JMSContext.create_browser, 150 assertions in 150 cases"
    assert cause in squeezed
    assert squeezed.index("Violation: ") < squeezed.index(cause)
    assert "no browser for queue" in squeezed
    long = terminal.render_run(without_browsers, catalogue, width=width, lines=None)
    assert long.count("\n") > 200


@pytest.mark.parametrize("width", [80, 120])
def test_the_terminal_stays_short_and_shows_a_reason_for_the_worst_verdicts(
    tmp_path: Path, catalogue: Catalogue, width: int
):
    outcomes = (Outcome.BROKEN, Outcome.ERROR, Outcome.UNDECIDED, Outcome.NO_HOOK)
    made = []
    for place, row in enumerate(catalogue.judged()[:80]):
        case = synthetic.case_row(row)
        kind = outcomes[place % len(outcomes)]
        long = {"observed": f"seen {kind} {place} {'long ' * 99}", "explanation": f"why {'because ' * 99}"}
        made.append((case, synthetic.result_row(catalogue, case, kind, **long), ()))
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made)
    text = terminal.render_run(bundle, catalogue, width=width)
    assert text.count("\n") <= terminal.LINES
    for label in ("Violation", "Undecided"):
        assert re.search(rf"^{label}: .*\n.*\n(.*\n)*? +observed seen", text, re.MULTILINE), text


def test_the_overview_of_a_bad_provider_is_a_screen_of_causes(
    without_browsers: Bundle, catalogue: Catalogue, tmp_path: Path
):
    site = write_site(without_browsers, tmp_path / "s", catalogue, cases="surprises")
    text = site.read_text("utf-8")
    violations = text[text.index('aria-labelledby="s-violation"') :].partition("</section>")[0]
    in_view = re.sub(r'<details class="rest".*', "", violations, flags=re.DOTALL)
    cards = re.findall(r"<article.*?</article>", in_view, flags=re.DOTALL)
    assert 1 <= len(cards) <= 8
    assert all(card.split("\n")[1].lstrip().startswith("<details><summary>") for card in cards)
    assert "absent: Session.create_browser, JMSContext.create_browser <" in cards[0]
    assert "150 assertions in 150 cases" in cards[0]
    assert violations.count('<details class="rest"') >= 1


def test_an_assertion_with_two_causes_has_a_card_of_its_own(tmp_path: Path, catalogue: Catalogue):
    made = []
    for row in catalogue.judged()[:3]:
        case = synthetic.case_row(row)
        text = "IllegalStateException: closed"
        made.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=text), ()))
    other = synthetic.case_row(catalogue.judged()[0], "topic/classic/auto")
    made.append((other, synthetic.result_row(catalogue, other, Outcome.BROKEN, observed="two messages"), ()))
    tree = build(load(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made)), catalogue)
    (group,) = [each for each in surprises.find(tree) if each.word.verdict == "violation"]
    assert [(card.cause, len(card.nodes)) for card in group.cards] == [("IllegalStateException: closed", 2), ("", 1)]


def test_assertions_share_a_card_by_their_observation_and_by_the_same_two_causes(tmp_path: Path, catalogue: Catalogue):
    made = []
    for place, row in enumerate(catalogue.judged()[:8]):
        first, second = synthetic.case_row(row), synthetic.case_row(row, "topic/simplified/auto")
        if place < 3:
            more = {"expected": "the body is 'a'", "observed": f"the body was 'b{place}'"}
            made.append((first, synthetic.result_row(catalogue, first, Outcome.BROKEN, **more), ()))
        elif place < 6:
            for case, call in ((first, "create_connection"), (second, "create_context")):
                more = {"observed": f"connecting raised JMSException: {call} is refused"}
                made.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, **more), ()))
        else:
            more = {"expected": f"what row {row.title} says", "observed": "it was not"}
            made.append((first, synthetic.result_row(catalogue, first, Outcome.BROKEN, **more), ()))
    tree = build(load(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made)), catalogue)
    (group,) = [each for each in surprises.find(tree) if each.word.verdict == "violation"]
    assert [(card.cause, len(card.nodes)) for card in group.cards] == [
        ("the body was 'b0'", 3),
        ("JMSException: create_connection is refused; JMSException: create_context is refused", 3),
        ("", 1),
        ("", 1),
    ]


def test_the_terminal_is_not_moved_by_text_of_a_provider(bundle: Bundle, catalogue: Catalogue):
    text = terminal.render_run(bundle, catalogue, width=100, colour=True, lines=None)
    assert "\\x1b[31m" in text
    assert "\u202e" not in text
    codes = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert "\x1b" not in codes


def test_nothing_judged_still_prints(tmp_path: Path, catalogue: Catalogue):
    case = synthetic.case_row(catalogue["11.3-1"])
    made = [(case, synthetic.result_row(catalogue, case, Outcome.UNSUPPORTED), ())]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), made)
    assert "1 unsupported" in terminal.render_run(bundle, catalogue)
    assert build(load(bundle), catalogue).verdict == "unsupported"
