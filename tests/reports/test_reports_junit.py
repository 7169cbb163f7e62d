"""JUnit XML, by a reader as strict as Jenkins and Surefire."""

from __future__ import annotations

import dataclasses
import re
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.record import Bundle, BundleWriter, Fault, Outcome, Verdict, begin, finish
from tck.reports.export import junit
from tck.reports.export.terminal import render_run
from tck.reports.html import write_site
from tck.reports.labels import WORDS

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
    reported = {case.get("name"): [child.tag for child in case] for case in xml.iter("testcase")}
    assert reported["6.2.7-6/queue/classic/auto"] == ["failure"]
    assert reported["3.4.5-2/queue/classic/auto"] == ["failure"]
    assert reported["3.4.8-2/queue/classic/auto"] == ["error"]
    assert reported["3.4.7-1/topic/simplified/client"] == ["failure"]
    assert reported["6.2.7-14/queue/classic/auto"] == ["skipped"]
    assert reported["3.4.5-4/queue/classic/auto"] == ["skipped"]
    assert reported["11.3-1/queue/classic/auto"] == ["skipped"]
    assert reported["3.4.9-7/queue/classic/auto"] == ["system-out"]
    assert reported["3.4.1-1/queue/classic/auto"] == []


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


@pytest.mark.parametrize("file", ["/mine/test_mine.py", "../../mine/test_mine.py", "..\\mine\\test_mine.py"])
def test_junit_names_no_path_of_the_machine(tmp_path: Path, catalogue: Catalogue, file: str):
    case = synthetic.case_row(catalogue["3.4.1-1"], file=file)
    recorded = [(case, synthetic.result_row(catalogue, case, Outcome.HELD), ())]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), recorded)
    (test,) = read_strictly(junit.write(bundle, tmp_path / "junit.xml", catalogue)).iter("testcase")
    assert (test.get("file"), test.get("classname")) == ("test_mine.py", "test_mine")


def test_no_message_of_junit_begins_with_its_type(xml: ET.Element):
    found = [*xml.iter("failure"), *xml.iter("error")]
    assert found
    for each in found:
        label = WORDS[Verdict(each.get("type", ""))].label
        assert not (each.get("message") or "").startswith(label)


def test_a_message_of_junit_tells_an_observation_once(tmp_path: Path, catalogue: Catalogue):
    recorded = []
    for row in catalogue.judged()[:3]:
        case = synthetic.case_row(row)
        seen = f"IllegalStateException: closed {'long ' * 99}"
        recorded.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=seen), ()))
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), recorded)
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


def test_an_advisory_that_passes_is_reported_in_junit(tmp_path: Path, xml: ET.Element, catalogue: Catalogue):
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
    unrun = [synthetic.case_row(catalogue[id_]) for id_ in ("3.4.1-2", "8.5-1", "8.5-2")]
    run = synthetic.run_row(catalogue)
    folder = tmp_path / "b"
    begin(folder, run)
    with closing(BundleWriter(folder, "gw0")) as writer:
        results = [
            writer.finish(synthetic.result_row(catalogue, held, Outcome.HELD)),
            writer.finish(synthetic.result_row(catalogue, lost, Outcome.UNREACHABLE, error=error)),
        ]
    ended = {"run": run.run, "exit": 6, "seconds": 4.2, "finished": "2025-11-21T16:04:17Z"}
    finish(folder, [held, lost, *unrun], results, **ended)
    bundle = Bundle.open(folder)
    root = read_strictly(junit.write(bundle, tmp_path / "junit.xml", catalogue))
    counts = {(suite.get("name") or "").split()[0]: suite for suite in root}
    seen = {section: [suite.get(name) for name in ("tests", "errors", "skipped")] for section, suite in counts.items()}
    assert seen == {"3.4.1": ["3", "1", "1"], "8.5": ["2", "0", "2"]}
    assert [root.get("tests"), root.get("errors")] == ["5", "1"]
    messages = {
        test.get("name"): each.get("message") for test in root.iter("testcase") for each in test.iter("skipped")
    }
    assert messages == dict.fromkeys((case.case for case in unrun), "never ran: the provider was lost: nobody listens")
    sentence = "3 cases never ran: the provider was lost: nobody listens. Sections: 3.4.1 (1), 8.5 (2)."
    assert sentence in " ".join(render_run(bundle, catalogue, width=200).split())
    index = write_site(bundle, tmp_path / "s", catalogue).read_text(encoding="utf-8")
    assert sentence in index
    assert all(case.case in index for case in unrun)


def test_under_strict_junit_fails_for_advisories_and_the_undecided(tmp_path: Path, catalogue: Catalogue):
    strict = synthetic.every_verdict(tmp_path / "b", catalogue, strict=True)
    root = read_strictly(junit.write(strict, tmp_path / "junit.xml", catalogue))
    reported = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert reported["3.4.9-7/queue/classic/auto"] == ["failure"]
    assert reported["3.4.7-1/topic/simplified/client"] == ["failure"]


def test_the_messages_of_junit_begin_with_the_cause(tmp_path: Path, without_browsers: Bundle, catalogue: Catalogue):
    file = junit.write(without_browsers, tmp_path / "junit.xml", catalogue)
    messages = [failure.get("message", "") for failure in ET.parse(file).iter("failure")]  # noqa: S314 - our own
    cause = "absent: Session.create_browser, JMSContext.create_browser, 150 assertions in 150 cases: "
    assert sum(message.startswith(cause) for message in messages) >= 100
