"""What other programs read: JUnit by a strict reader, JSON by its schema, Markdown, badge, Allure, and the terminal."""

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
from tck.record import Bundle, Fault, Outcome, Verdict
from tck.reports import surprises
from tck.reports.export import allure, badge, junit, markdown, terminal
from tck.reports.export import json as json_export
from tck.reports.html import write_site
from tck.reports.labels import WORDS
from tck.reports.read import load
from tck.reports.verdict_tree import build

# What Jenkins and Surefire both accept, and the place of a test case, as pytest and GitLab have it: attributes (required first), children in their order.
STRICT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), ("testsuite",)),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped"},
        {"time", "group"},
        ("properties", "testcase", "system-out", "system-err"),
    ),
    "properties": (set(), set(), ("property",)),
    "property": ({"name", "value"}, set(), ()),
    "testcase": (
        {"name", "time", "classname", "file", "line"},
        {"group"},
        ("failure", "skipped", "error", "system-out", "system-err"),
    ),
    "failure": ({"type"}, {"message"}, ()),
    "error": ({"type"}, {"message"}, ()),
    "skipped": (set(), {"message"}, ()),
    "system-out": (set(), set(), ()),
}
TIME = re.compile(r"\d{1,9}\.\d{3}")
XML_CHARACTERS = re.compile("[\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


def read_strictly(path: Path) -> ET.Element:
    """Read a JUnit file, refusing whatever one of the common readers refuses."""
    content = path.read_bytes()
    assert XML_CHARACTERS.fullmatch(content.decode("utf-8"))
    root = ET.fromstring(content)  # noqa: S314 - our own file
    assert root.tag == "testsuites"
    check(root)
    return root


def check(element: ET.Element) -> None:
    required, optional, children = STRICT[element.tag]
    assert required <= set(element.attrib) <= required | optional, element.tag
    places = [children.index(child.tag) for child in element]
    assert places == sorted(places), f"order of {[child.tag for child in element]}"
    if children:
        assert not (element.text or "").strip(), element.tag
    if element.tag in {"testcase", "testsuite", "testsuites"}:
        assert TIME.fullmatch(element.get("time", ""))
    if element.tag == "testcase":
        assert sum(child.tag in {"failure", "error", "skipped"} for child in element) <= 1
    for child in element:
        check(child)


@pytest.fixture
def xml(tmp_path: Path, bundle: Bundle, catalogue: Catalogue) -> ET.Element:
    return read_strictly(junit.write(bundle, tmp_path / "deep" / "junit.xml", catalogue))


def test_junit_counts_agree_with_its_content(xml: ET.Element, bundle: Bundle):
    assert len(list(xml.iter("testcase"))) == len(bundle.cases()) == int(xml.get("tests", ""))
    for attribute, tag in (("failures", "failure"), ("errors", "error")):
        assert int(xml.get(attribute, "")) == len(list(xml.iter(tag)))
    for suite in xml:
        assert int(suite.get("skipped", "")) == len(list(suite.iter("skipped")))


def test_junit_fails_for_what_fails_the_run_and_for_nothing_else(xml: ET.Element):
    told = {case.get("name"): [child.tag for child in case] for case in xml.iter("testcase")}
    assert told["6.2.7-6/queue/classic/auto"] == ["failure"]
    assert told["3.4.5-2/queue/classic/auto"] == ["failure"]
    assert told["3.4.8-2/queue/classic/auto"] == ["error"]
    assert told["3.4.7-1/topic/simplified/client"] == ["failure"]
    assert told["6.2.7-14/queue/classic/auto"] == ["skipped"]
    assert told["3.4.5-4/queue/classic/auto"] == ["skipped"]
    assert told["11.3-1/queue/classic/auto"] == ["skipped"]
    assert told["3.4.9-7/queue/classic/auto"] == ["system-out"]
    assert told["3.4.1-1/queue/classic/auto"] == []


def test_junit_tells_what_was_seen_and_how_to_run_it_again(xml: ET.Element):
    (failure,) = [
        case.find("failure") for case in xml.iter("testcase") if case.get("name") == "6.2.7-6/queue/classic/auto"
    ]
    assert failure is not None
    assert "observed  second, first, third" in (failure.text or "")
    assert (failure.get("type"), failure.get("message")) == ("violation", "second, first, third")
    assert "python -m tck run -p acme --seed 7 6.2.7-6/queue/classic/auto" in (failure.text or "")


def test_junit_names_file_and_line_of_each_case(xml: ET.Element, bundle: Bundle):
    for test in xml.iter("testcase"):
        case = bundle.case(test.get("name", ""))
        assert (test.get("file"), test.get("line")) == (case.file, str(case.line))


@pytest.mark.parametrize(
    "file", ["/home/someone/mine/test_mine.py", "../../mine/test_mine.py", "..\\mine\\test_mine.py"]
)
def test_junit_names_no_path_of_the_machine(tmp_path: Path, catalogue: Catalogue, file: str):
    case = synthetic.case_row(catalogue["3.4.1-1"], file=file)
    told = [(case, synthetic.result_row(catalogue, case, Outcome.HELD), ())]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)
    (test,) = read_strictly(junit.write(bundle, tmp_path / "junit.xml", catalogue)).iter("testcase")
    assert (test.get("file"), test.get("classname")) == ("test_mine.py", "test_mine")


def test_no_message_of_junit_begins_with_its_type(xml: ET.Element):
    found = [*xml.iter("failure"), *xml.iter("error")]
    assert found
    for each in found:
        label = WORDS[Verdict(each.get("type", ""))].label
        assert not (each.get("message") or "").startswith(label)


def test_a_message_of_junit_tells_an_observation_once(tmp_path: Path, catalogue: Catalogue):
    told = []
    for row in catalogue.judged()[:3]:
        case = synthetic.case_row(row)
        seen = f"IllegalStateException: closed {'long ' * 99}"
        told.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=seen), ()))
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)
    root = read_strictly(junit.write(bundle, tmp_path / "junit.xml", catalogue))
    messages = {failure.get("message", "") for failure in root.iter("failure")}
    assert len(messages) == 1
    assert [message.count("IllegalStateException") for message in messages] == [1]


def advisories(root: ET.Element) -> dict[str | None, str | None]:
    """Return the number of advisories that each suite tells."""
    return {
        (suite.get("name") or "").split()[0]: each.get("value")
        for suite in root
        for each in suite.iter("property")
        if each.get("name") == "advisories"
    }


def test_an_advisory_that_passes_is_told_in_junit(tmp_path: Path, xml: ET.Element, catalogue: Catalogue):
    assert [section for section, count in advisories(xml).items() if count != "0"] == ["3.4.9"]
    case = synthetic.case_row(catalogue["3.4.9-7"], also=("3.4.9-1",))
    mixed = {"3.4.9-7": Verdict.ADVISORY, "3.4.9-1": Verdict.INCONCLUSIVE}
    result = synthetic.result_row(catalogue, case, Outcome.BROKEN, observed="late")
    result = dataclasses.replace(result, verdicts=mixed, verdict=Verdict.INCONCLUSIVE)
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), [(case, result, ())])
    root = read_strictly(junit.write(bundle, tmp_path / "junit.xml", catalogue))
    (test,) = root.iter("testcase")
    assert [child.tag for child in test] == ["skipped", "system-out"]
    assert "3.4.9-7 advisory" in (test.findtext("system-out") or "")
    assert advisories(root) == {"3.4.9": "1"}


def test_cases_that_never_ran_are_skipped_in_junit_and_counted(tmp_path: Path, catalogue: Catalogue):
    held, lost = (
        synthetic.case_row(catalogue["3.4.1-1"], point) for point in ("queue/classic/auto", "topic/classic/auto")
    )
    error = Fault("ProviderLostError", "nobody listens")
    told = [
        (held, synthetic.result_row(catalogue, held, Outcome.HELD), ()),
        (lost, synthetic.result_row(catalogue, lost, Outcome.UNREACHABLE, error=error), ()),
    ]
    unrun = [synthetic.case_row(catalogue[id_]) for id_ in ("3.4.1-2", "8.5-1", "8.5-2")]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told, unrun)
    root = read_strictly(junit.write(bundle, tmp_path / "junit.xml", catalogue))
    counts = {(suite.get("name") or "").split()[0]: suite for suite in root}
    seen = {section: [suite.get(name) for name in ("tests", "errors", "skipped")] for section, suite in counts.items()}
    assert seen == {"3.4.1": ["3", "1", "1"], "8.5": ["2", "0", "2"]}
    assert [root.get("tests"), root.get("errors")] == ["5", "1"]
    messages = {
        test.get("name"): each.get("message") for test in root.iter("testcase") for each in test.iter("skipped")
    }
    assert messages == dict.fromkeys((case.case for case in unrun), "never ran: the provider was lost: nobody listens")


def test_under_strict_junit_fails_for_advisories_and_the_undecided(tmp_path: Path, catalogue: Catalogue):
    strict = synthetic.every_verdict(tmp_path / "b", catalogue, strict=True)
    root = read_strictly(junit.write(strict, tmp_path / "junit.xml", catalogue))
    told = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert told["3.4.9-7/queue/classic/auto"] == ["failure"]
    assert told["3.4.7-1/topic/simplified/client"] == ["failure"]


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
    for told in (
        "## JMS TCK: ACME Broker 2.7.1",
        "### ✗ Violation: 4 assertions",
        "- **6.2.7-4**, 6.2.7-6 No message produced",
        "(MUST; 2 of 8 cases, each with queue, auto)",
        "  - observed `second, first, third`",
        "| 6 Connections and sessions |",
        "not a certification",
        "seed 7",
    ):
        assert told in text


def test_markdown_keeps_text_of_a_provider_in_its_place():
    assert markdown.code("a `` b") == "```a `` b```"
    assert markdown.code("`x`") == "`` `x` ``"
    assert markdown.code("two\n# lines\u202e") == "`two # lines\\u202e`"
    assert markdown.plain("<b> *x* [y](z)") == "\\<b\\> \\*x\\* \\[y\\](z)"


def test_markdown_stays_short_when_everything_is_broken(tmp_path: Path, catalogue: Catalogue):
    told = []
    for row in catalogue.judged()[:400]:
        case = synthetic.case_row(row)
        told.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=f"{row.id} {'x' * 999}"), ()))
    text = markdown.render(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told), catalogue)
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
    told = [(case, synthetic.result_row(catalogue, case, outcome, observed="x"), ())]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)
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
        told = [(case, synthetic.result_row(catalogue, case, Outcome.HELD), ())]
        run = dataclasses.replace(synthetic.run_row(catalogue), run=f"run-{number}")
        folder = allure.write(synthetic.write(tmp_path / f"b{number}", run, told), tmp_path / f"a{number}", catalogue)
        (path,) = folder.glob("*-result.json")
        seen.append(json.loads(path.read_text()))
    assert seen[0]["historyId"] == seen[1]["historyId"]
    assert seen[0]["uuid"] != seen[1]["uuid"]


def test_the_terminal_shows_chapters_then_surprises(bundle: Bundle, catalogue: Catalogue):
    text = terminal.render_run(bundle, catalogue, width=100, lines=None)
    assert "\x1b" not in text
    assert text.index(" 6 Connections and sessions") < text.index("Violation: 4 assertions") < text.index("Advisory: 1")
    squeezed = " ".join(text.split())
    for told in (
        "expected first, second, third observed second, first, third because after the rollback",
        "rerun python -m tck run -p acme --seed 7 6.2.7-6/queue/classic/auto",
        "8 bounded waits without proof, 800 ms in all",
        "coverage: 20 of 1,319 testable rows",
    ):
        assert told in squeezed
    assert max(map(len, text.splitlines())) <= 100


@pytest.fixture(scope="module")
def without_browsers(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Bundle:
    """A run on a provider that lacks one member and breaks many rows besides, for as many reasons."""
    told = []
    for place, row in enumerate(catalogue.judged()[:300]):
        api = "classic" if place % 3 else "simplified"
        call = "Session.create_browser" if place % 3 else "JMSContext.create_browser"
        case = synthetic.case_row(row, f"queue/{api}/auto")
        if place % 2:
            missing = {"call": call, "observed": f"UnsupportedOperationException: no browser for queue tck.{place}.q"}
            told.append((case, synthetic.result_row(catalogue, case, Outcome.ABSENT, **missing), ()))
        else:
            text = f"{row.title} {'long ' * 99}"
            told.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=text), ()))
    return synthetic.write(tmp_path_factory.mktemp("browsers") / "b", synthetic.run_row(catalogue), told)


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
    told = []
    for place, row in enumerate(catalogue.judged()[:80]):
        case = synthetic.case_row(row)
        kind = outcomes[place % len(outcomes)]
        long = {"observed": f"seen {kind} {place} {'long ' * 99}", "explanation": f"why {'because ' * 99}"}
        told.append((case, synthetic.result_row(catalogue, case, kind, **long), ()))
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)
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


def test_the_messages_of_junit_begin_with_the_cause(tmp_path: Path, without_browsers: Bundle, catalogue: Catalogue):
    file = junit.write(without_browsers, tmp_path / "junit.xml", catalogue)
    messages = [failure.get("message", "") for failure in ET.parse(file).iter("failure")]  # noqa: S314 - our own
    cause = "absent: Session.create_browser, JMSContext.create_browser, 150 assertions in 150 cases: "
    assert sum(message.startswith(cause) for message in messages) >= 100


def test_an_assertion_with_two_causes_has_a_card_of_its_own(tmp_path: Path, catalogue: Catalogue):
    told = []
    for row in catalogue.judged()[:3]:
        case = synthetic.case_row(row)
        text = "IllegalStateException: closed"
        told.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=text), ()))
    other = synthetic.case_row(catalogue.judged()[0], "topic/classic/auto")
    told.append((other, synthetic.result_row(catalogue, other, Outcome.BROKEN, observed="two messages"), ()))
    tree = build(load(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)), catalogue)
    (group,) = [each for each in surprises.find(tree) if each.word.verdict == "violation"]
    assert [(card.cause, len(card.nodes)) for card in group.cards] == [("IllegalStateException: closed", 2), ("", 1)]


def test_assertions_share_a_card_by_their_observation_and_by_the_same_two_causes(tmp_path: Path, catalogue: Catalogue):
    told = []
    for place, row in enumerate(catalogue.judged()[:8]):
        first, second = synthetic.case_row(row), synthetic.case_row(row, "topic/simplified/auto")
        if place < 3:
            more = {"expected": "the body is 'a'", "observed": f"the body was 'b{place}'"}
            told.append((first, synthetic.result_row(catalogue, first, Outcome.BROKEN, **more), ()))
        elif place < 6:
            for case, call in ((first, "create_connection"), (second, "create_context")):
                more = {"observed": f"connecting raised JMSException: {call} is refused"}
                told.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, **more), ()))
        else:
            more = {"expected": f"what row {row.title} says", "observed": "it was not"}
            told.append((first, synthetic.result_row(catalogue, first, Outcome.BROKEN, **more), ()))
    tree = build(load(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)), catalogue)
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
    told = [(case, synthetic.result_row(catalogue, case, Outcome.UNSUPPORTED), ())]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), told)
    assert "1 unsupported" in terminal.render_run(bundle, catalogue)
    assert build(load(bundle), catalogue).verdict == "unsupported"
