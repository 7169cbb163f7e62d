"""The site: every page is there, whole, offline, linked, and safe whatever a provider wrote."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from pathlib import Path

import pages_read
import pytest
import synthetic_bundles as synthetic
from pages_read import Page

from tck.catalogue import Catalogue
from tck.record import Bundle, BundleWriter, Outcome, begin
from tck.reports.html import paths, write_site
from tck.reports.html.templating import link


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return pages_read.read_all(site)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_each_chapter_assertion_and_case_has_its_page(pages: dict[str, Page], bundle: Bundle):
    expected = {paths.INDEX, paths.COVERAGE, paths.DETECTION}
    expected |= {paths.case(case.case) for case in bundle.cases()}
    expected |= {paths.assertion(each) for case in bundle.cases() for each in case.assertions}
    expected |= {paths.chapter(chapter) for chapter in ("ch03", "ch06", "ch08", "ch11")}
    assert set(pages) == expected


def test_pages_are_well_formed(pages: dict[str, Page]):
    for name, page in pages.items():
        assert page.unbalanced == [], name
        assert len(page.ids) == len(set(page.ids)), name
        assert len(page.all("h1")) == 1, name
        assert page.all("html")[0]["lang"] == "en"
        assert page.all("title"), name


def test_every_link_leads_to_a_page_or_an_anchor_of_the_site(pages: dict[str, Page], site: Path):
    for name, page in pages.items():
        for target in page.links():
            if target == "data:," or target.startswith("https://example.org/"):
                continue
            path, _, anchor = target.partition("#")
            found = (site / name).parent / path if path else site / name
            assert found.resolve().is_file(), f"{name}: {target}"
            if anchor:
                there = pages[found.resolve().relative_to(site.resolve()).as_posix()]
                assert anchor in there.ids, f"{name}: {target}"


def test_nothing_is_fetched(pages: dict[str, Page], site: Path):
    style, script = ((site / name).read_text() for name in (paths.STYLE, paths.SCRIPT))
    assert "url(" not in style
    assert "@import" not in style
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|https?://", script)
    for name, page in pages.items():
        sources = [attributes["src"] for attributes in page.all("script") if "src" in attributes]
        sources += [attributes["href"] for attributes in page.all("link")]
        assert {Path(source).name for source in sources} <= {paths.STYLE, paths.SCRIPT, "data:,"}, name


def test_the_overview_and_surprising_cases_stand_alone(pages: dict[str, Page]):
    for name in (paths.INDEX, paths.case("3.4.6-2/queue/classic/auto")):
        assert "--violation" in pages[name].scripts
        assert not [each for each in pages[name].all("link") if each["href"].endswith(paths.STYLE)]
    assert pages[paths.case("3.4.1-1/queue/classic/auto")].scripts.strip() == ""


def test_pages_can_be_used_by_keyboard_and_screen_reader(pages: dict[str, Page]):
    for name, page in pages.items():
        assert page.all("a")[0] == {"class": "skip", "href": "#main"}, name
        assert [each["id"] for each in page.all("main")] == ["main"]
        assert all(each.get("aria-label") for each in page.all("nav")), name
        assert all(each.get("aria-label") for _, each in page.tags if each.get("role") in {"img", "region"}), name


def test_controls_that_need_the_script_are_hidden_without_it(pages: dict[str, Page]):
    for page in pages.values():
        assert all("hidden" in each for each in page.all("button") + page.all("form"))


def test_text_of_a_provider_is_never_markup(pages: dict[str, Page]):
    for name, page in pages.items():
        assert page.all("img") == [], name
        assert "alert(" not in page.scripts, name
        assert not [key for _, attributes in page.tags for key in attributes if key.startswith("on")], name
    hostile = pages[paths.case("3.4.6-2/queue/classic/auto")]
    assert "<img src=x onerror=alert(2)>" in hostile.text
    assert "{{ 7*7 }}" in hostile.text
    assert "</script><script>alert(1)</script>" in hostile.text


def test_text_of_a_provider_neither_reorders_nor_hides(pages: dict[str, Page], site: Path):
    for name in pages:
        raw = (site / name).read_bytes().decode("utf-8")
        bad = {char for char in raw if unicodedata.category(char) in {"Cc", "Cf", "Cs"} and char != "\n"}
        assert bad == set(), name
    assert "\\u202eyrev" in pages[paths.case("3.4.6-2/queue/classic/auto")].text


def test_a_very_long_name_is_cut_and_says_so(pages: dict[str, Page]):
    page = pages[paths.case("3.4.6-2/queue/classic/auto")]
    assert "characters)" in page.text
    assert len(page.text) < 60_000


def test_only_links_to_the_web_become_links():
    assert str(link("https://example.org/?a=1&b=<x>")).startswith('<a href="https://example.org/?a=1&amp;b=&lt;x&gt;"')
    assert str(link("javascript:alert(3)")) == "<code>javascript:alert(3)</code>"


def test_a_declared_link_with_a_script_is_text(pages: dict[str, Page]):
    page = pages[paths.case("3.4.5-2/queue/classic/auto")]
    assert "javascript:alert(3)" in page.text
    assert not [target for target in page.links() if target.startswith("javascript")]


def test_the_overview_tells_surprises_first_then_chapters_then_how_it_was_made(pages: dict[str, Page]):
    text = squeezed(pages[paths.INDEX].text)
    order = [
        "4 assertions violated",
        "Needs attention",
        "Violation",
        "Stale declaration",
        "Undecided",
        "Harness error",
        "Inconclusive",
        "Advisory",
        "Chapters",
        "Coverage of this run",
        "About this run",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    for part in ("ACME Broker 2.7.1", "virtual time", "tck run -p acme --seed 7", "sha256:", "2 workers on 2 CPUs"):
        assert part in text
    assert "100 ms" not in text
    assert "8 bounded waits without proof, 800 ms in all" in text


def test_no_page_claims_a_certificate_or_gives_a_score(pages: dict[str, Page]):
    for name, page in pages.items():
        text = page.text.lower()
        assert "certified" not in text, name
        assert text.count("certification") == 1, name
        assert "not a certification" in text
        assert not re.search(r"\bscore\b", text), name


def test_the_page_of_a_case_shows_claim_expected_observed_why_and_how_to_run_it(pages: dict[str, Page]):
    page = pages[paths.case("6.2.7-6/queue/classic/auto")]
    text = squeezed(page.text)
    for part in (
        "Claim Rollback makes",
        "Expected first, second, third",
        "Observed second, first, third",
        "Why after the rollback",
        "python -m tck run -p acme --seed 7 6.2.7-6/queue/classic/auto",
        "tck/suite/ch06_x/test_6_2_7.py:42",
        "MUST",
    ):
        assert part in text
    cited = [attributes for tag, attributes in page.tags if "cited" in attributes.get("class", "").split()]
    assert len(cited) == 4
    assert {"#e30", "#e32", "#ef30"} <= set(page.links())


def test_the_lanes_are_markup(pages: dict[str, Page]):
    for page in (pages[paths.case(name)] for name in ("6.2.7-6/queue/classic/auto", "3.4.1-1/queue/classic/auto")):
        steps = [each for each in page.all("div") if each.get("class", "").startswith("step ")]
        assert len(steps) >= 11
        assert [each for each in page.all("div") if each.get("class") == "lanes"]


def test_a_case_without_surprise_carries_its_events_as_recorded(pages: dict[str, Page], bundle: Bundle):
    page = pages[paths.case("3.4.1-1/queue/classic/auto")]
    for event in bundle.events("3.4.1-1/queue/classic/auto"):
        assert f'"seq":{event["seq"]},"t_ns":{event["t_ns"]}' in page.text


def test_the_page_of_an_assertion_gives_the_row_its_group_and_its_cases(pages: dict[str, Page], catalogue: Catalogue):
    page = pages[paths.assertion("6.2.7-6")]
    row, text = catalogue["6.2.7-6"], squeezed(page.text)
    for part in (row.statement, row.how, row.saboteur, "since 1.0", "2.0 draft: 4.4.7", *row.official, "8.5-8"):
        assert part in text
    assert "Each violation is with queue, auto" in text
    assert len([target for target in page.links() if target.startswith("../case/")]) == 8


def test_coverage_shows_the_official_numbers_that_events_show(pages: dict[str, Page]):
    text = squeezed(pages[paths.COVERAGE].text)
    figure = re.search(r"(\d+) / 815 ?testable numbers of the official API list", text)
    assert figure is not None
    assert 0 < int(figure[1]) < 815
    assert "JMS:JAVADOC:" in text


def test_coverage_stands_apart_and_names_what_was_not_asked(pages: dict[str, Page]):
    text = squeezed(pages[paths.COVERAGE].text)
    assert "3.4.1-2" in text
    assert "Message model 397 353" in text
    assert "Violation" not in text


def test_detection_judges_the_suite(pages: dict[str, Page]):
    text = squeezed(pages[paths.DETECTION].text)
    assert "60 / 61" in text
    assert "3.4.10-1 priority on the message wins" in text
    assert "3.4.3-3 3.4.3-9 8.5-1" in text
    assert "It survived" in squeezed(pages[paths.assertion("3.4.10-1")].text)


def test_without_detection_there_is_no_such_page(tmp_path: Path, bundle: Bundle, catalogue: Catalogue):
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "of-an-older-run.html").write_text("old")
    (tmp_path / paths.DETECTION).write_text("old")
    index = write_site(bundle, tmp_path, catalogue)
    assert index == tmp_path / paths.INDEX
    assert not (tmp_path / paths.DETECTION).exists()
    assert not (tmp_path / "case" / "of-an-older-run.html").exists()
    assert paths.DETECTION not in pages_read.read(index).links()


def test_several_attempts_stand_on_one_page_the_worst_first(tmp_path: Path, catalogue: Catalogue):
    case = synthetic.case_row(catalogue["3.4.1-1"])
    recorded = []
    for attempt, outcome in enumerate((Outcome.HELD, Outcome.BROKEN, Outcome.HELD), start=1):
        result = synthetic.result_row(catalogue, case, outcome, attempt=attempt, observed=f"seen {attempt}")
        recorded.append((case, result, synthetic.conversation(case.case).events))
    index = write_site(
        synthetic.write(tmp_path / "b", synthetic.run_row(catalogue, repeat=3), recorded), tmp_path / "s", catalogue
    )
    page = pages_read.read(index.parent / paths.case(case.case))
    text = squeezed(page.text)
    assert text.index("Attempt 2") < text.index("Attempt 1") < text.index("Attempt 3")
    assert len(page.ids) == len(set(page.ids))
    assert "seen 2" in squeezed(pages_read.read(index).text)


def test_a_truncated_bundle_says_so(tmp_path: Path, catalogue: Catalogue):
    begin(tmp_path / "b", synthetic.run_row(catalogue))
    writer = BundleWriter(tmp_path / "b")
    for row in ("3.4.1-1", "3.4.1-3"):
        case = synthetic.case_row(catalogue[row])
        writer.start(case)
        if row == "3.4.1-1":
            writer.finish(synthetic.result_row(catalogue, case, Outcome.HELD), synthetic.conversation(case.case).events)
    writer.close()
    index = write_site(Bundle.open(tmp_path / "b", allow_truncated=True), tmp_path / "s", catalogue)
    text = squeezed(pages_read.read(index).text)
    assert "This bundle is truncated" in text
    assert "1 case left no result: the run did not end. Sections: 3.4.1 (1)." in text
    assert "3.4.1 3.4.1-3/queue/classic/auto" in text


def test_a_run_without_surprise_says_so_and_one_of_a_part_names_it(tmp_path: Path, catalogue: Catalogue):
    case = synthetic.case_row(catalogue["3.4.1-1"])
    recorded = [(case, synthetic.result_row(catalogue, case, Outcome.HELD), ())]
    run = dataclasses.replace(synthetic.run_row(catalogue), selection=("3.4",), points="one")
    index = write_site(synthetic.write(tmp_path / "b", run, recorded), tmp_path / "s", catalogue)
    text = squeezed(pages_read.read(index).text)
    assert "No violation found" in text
    assert "Nothing: no violation" in text
    assert "Only a part of the suite ran: 3.4." in text
    assert "Only one point of each row ran" in text


def test_names_of_cases_make_names_of_files_that_no_file_system_confuses():
    names = ["3.4.1-1/queue/auto", "3.4.1-1/QUEUE/auto", "3.4.1-1/queue--auto", "a" * 300, "../../etc", "x/ä", "x/.."]
    made = [paths.case(name) for name in names]
    assert len({name.lower() for name in made}) == len(names)
    for name in made:
        assert re.fullmatch(r"case/[a-z0-9_][a-z0-9._-]*\.html", name)
        assert len(name) < 130


def test_every_text_stands_out_from_its_ground_in_light_and_dark(site: Path):
    style = (site / paths.STYLE).read_text()
    colours = {name: pair for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", style)}
    pairs = [(text, ground) for text in ("ink", "soft", "link") for ground in ("bg", "card", "faint")]
    pairs += [("ink", f"h{number}") for number in range(8)]
    for verdict in (
        "harness-error",
        "violation",
        "stale",
        "undecided",
        "inconclusive",
        "advisory",
        "declared",
        "unsupported",
    ):
        pairs += [(verdict, f"{verdict}-bg"), (verdict, "card")]
    pairs += [(verdict, f"{verdict}-bg") for verdict in ("observation", "conformant")]
    pairs += [(text, "inconclusive-bg") for text in ("ink", "soft", "link")]
    for theme in (0, 1):
        low = {pair for pair in pairs if contrast(colours[pair[0]][theme], colours[pair[1]][theme]) < 4.5}
        assert low == set(), theme


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG defines it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_sections_have_the_numbers_of_the_version_under_test_with_those_of_31_beside(
    tmp_path: Path, catalogue: Catalogue
):
    recorded = []
    for row in (catalogue["11.2.1-1"], catalogue["11.2.1-2"], catalogue["3.4.1-1"]):
        case = synthetic.case_row(row)
        recorded.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, expected="x", observed="y"), ()))
    shown = {}
    for tier in ("1.1", "3.1"):
        run = synthetic.run_row(catalogue)
        run = dataclasses.replace(run, profile=dataclasses.replace(run.profile, tier=tier))
        bundle = synthetic.write(tmp_path / tier, run, recorded)
        shown[tier] = pages_read.read_all(write_site(bundle, tmp_path / f"site-{tier}", catalogue).parent)
    old, new = ({key: squeezed(page.text) for key, page in each.items()} for each in shown.values())
    assert "judged by the rows of JMS 1.1" in old[paths.INDEX]
    assert "8 Application server facilities (3.1: 11)" in old[paths.INDEX]
    assert "3 Message model (3.1: 3)" in old[paths.INDEX]
    assert "8.2.1 Session (3.1: 11.2.1) 2 assertions" in old[paths.chapter("ch11")]
    assert "8.2.1 Session (3.1: 11.2.1)" in old[paths.assertion("11.2.1-1")]
    assert "3.4.1 JMSDestination (3.1: 3.4.1)" in old[paths.chapter("ch03")]
    assert "3 Message model (3.1: 3)" in old[paths.COVERAGE]
    assert not [key for key, text in old.items() if "Jakarta Messaging 1.1" in text or "Jakarta Messaging 2.0" in text]
    assert "11.2.1 Session 2 assertions" in new[paths.chapter("ch11")]
    assert "3.1: 11.2.1" not in new[paths.chapter("ch11")]
    assert "have the numbers of" not in new[paths.chapter("ch11")]
