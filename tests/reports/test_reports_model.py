"""The tree of verdicts, the surprises in it, and coverage beside it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.record import Bundle, BundleError, BundleWriter, Outcome, Verdict, begin, worst
from tck.reports import surprises
from tck.reports.export import terminal
from tck.reports.html import write_site
from tck.reports.labels import OUTCOMES, SURPRISES, WORDS
from tck.reports.read import load
from tck.reports.row_coverage import measure
from tck.reports.verdict_tree import build


def test_every_verdict_and_outcome_has_its_words():
    assert list(WORDS) == list(Verdict)
    assert set(OUTCOMES) == set(Outcome)


def test_each_parent_takes_the_worst_of_its_children(bundle: Bundle, catalogue: Catalogue):
    tree = build(load(bundle), catalogue)
    for chapter in tree.chapters:
        assert chapter.verdict is worst(section.verdict for section in chapter.sections)
        for section in chapter.sections:
            assert section.verdict is worst(node.verdict for node in section.assertions)
            for node in section.assertions:
                assert node.verdict is worst(case.verdict_of(node.id) for case in node.cases)
    assert tree.verdict is worst(chapter.verdict for chapter in tree.chapters)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([Outcome.HELD, Outcome.UNSUPPORTED], "conformant"),
        ([Outcome.OBSERVED, Outcome.UNSUPPORTED], "observation"),
        ([Outcome.HELD, Outcome.OBSERVED], "conformant"),
        ([Outcome.UNSUPPORTED, Outcome.UNSUPPORTED], "unsupported"),
        ([Outcome.BROKEN, Outcome.UNSUPPORTED], "violation"),
    ],
)
def test_unsupported_rows_are_counted_beside_the_decided_ones(
    tmp_path: Path, catalogue: Catalogue, outcomes: list[Outcome], verdict: str
):
    cases = [synthetic.case_row(catalogue["3.4.1-1"], f"queue/classic/auto/{place}") for place in range(2)]
    recorded = [
        (case, synthetic.result_row(catalogue, case, each, observed="x"), ())
        for case, each in zip(cases, outcomes, strict=True)
    ]
    tree = build(load(synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), recorded)), catalogue)
    assert tree.by_id["3.4.1-1"].verdict == tree.chapters[0].verdict == tree.verdict == verdict


@pytest.mark.parametrize(
    ("outcomes", "line"),
    [
        (
            [Outcome.HELD, Outcome.UNSUPPORTED],
            "✓ No violation found: the one decided assertion holds; 1 assertion unsupported",
        ),
        ([Outcome.HELD, Outcome.HELD], "✓ No violation found: all 2 decided assertions hold"),
        ([Outcome.HELD, Outcome.NO_HOOK], "? No violation found: the one decided assertion holds, 1 inconclusive"),
        ([Outcome.BROKEN, Outcome.HELD], "✗ 1 assertion violated"),
        ([Outcome.UNSUPPORTED, Outcome.UNSUPPORTED], "∅ Nothing was judged; 2 assertions unsupported"),
    ],
)
def test_the_first_line_of_a_run(tmp_path: Path, catalogue: Catalogue, outcomes: list[Outcome], line: str):
    cases = [synthetic.case_row(catalogue[id_]) for id_ in ("3.4.1-1", "3.4.3-1")]
    recorded = [
        (case, synthetic.result_row(catalogue, case, each, observed="x"), ())
        for case, each in zip(cases, outcomes, strict=True)
    ]
    bundle = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), recorded)
    assert terminal.render_run(bundle, catalogue).splitlines()[0] == line


@pytest.mark.parametrize(("version", "title"), [("1.1", "JMS 1.1"), ("3.1", "Jakarta Messaging 3.1")])
def test_a_version_is_named_as_its_text_names_itself(tmp_path: Path, catalogue: Catalogue, version: str, title: str):
    case = synthetic.case_row(catalogue["3.4.1-1"])
    run = synthetic.run_row(catalogue)
    claims = dataclasses.replace(run.profile.claims, version=version)
    run = dataclasses.replace(run, profile=dataclasses.replace(run.profile, claims=claims, tier=version))
    recorded = [(case, synthetic.result_row(catalogue, case, Outcome.HELD), ())]
    index = write_site(synthetic.write(tmp_path / "b", run, recorded), tmp_path / "s", catalogue, cases="surprises")
    assert f"against {title}</p>" in index.read_text()


def test_counts_add_up(bundle: Bundle, catalogue: Catalogue):
    tree = build(load(bundle), catalogue)
    assert sum(tree.counts.values()) == len(tree.assertions) == sum(len(c.assertions) for c in tree.chapters)
    assert sum(tree.case_counts.values()) == len(bundle.cases())
    assert set(tree.counts) == set(Verdict)


def test_chapters_and_sections_stand_in_the_order_of_the_specification(bundle: Bundle, catalogue: Catalogue):
    tree = build(load(bundle), catalogue)
    assert [chapter.key for chapter in tree.chapters] == ["ch03", "ch06", "ch08", "ch11"]
    sections = [section.number for section in tree.chapters[0].sections]
    assert sections.index("3.4.9") < sections.index("3.4.10")


def test_a_case_of_several_assertions_counts_under_each(bundle: Bundle, catalogue: Catalogue):
    tree = build(load(bundle), catalogue)
    assert [case.name for case in tree.by_id["6.2.7-6"].cases] == [case.name for case in tree.by_id["6.2.7-4"].cases]


def test_the_pattern_of_a_failure_is_what_only_the_failing_cases_share(bundle: Bundle, catalogue: Catalogue):
    tree = build(load(bundle), catalogue)
    assert tree.by_id["6.2.7-6"].pattern == ("queue", "auto")
    assert tree.by_id["3.4.1-1"].pattern == ()


def test_surprises_come_in_their_order_and_one_card_tells_of_rows_judged_together(bundle: Bundle, catalogue: Catalogue):
    groups = surprises.find(build(load(bundle), catalogue))
    assert [group.word.verdict for group in groups] == list(SURPRISES)
    violations = groups[0]
    assert violations.total == 4
    assert [(card.node.id, [also.id for also in card.also]) for card in violations.cards] == [
        ("6.2.7-4", ["6.2.7-6"]),
        ("3.4.6-2", []),
        ("6.2.7-8", []),
    ]
    assert [len(observation.cases) for observation in violations.cards[0].observations] == [2]


def test_coverage_counts_rows_and_no_verdict_depends_on_it(bundle: Bundle, catalogue: Catalogue):
    tree = build(load(bundle), catalogue)
    found = measure(tree, catalogue)
    assert found.rows == len(catalogue)
    assert found.decided <= found.reached <= found.judged <= found.rows
    assert sum(chapter.judged for chapter in found.chapters) == found.judged
    assert {row.id for chapter in found.chapters for row in chapter.missing}.isdisjoint(tree.by_id)


def test_an_older_tier_holds_the_rows_of_its_time(tmp_path: Path, catalogue: Catalogue):
    profile = synthetic.run_row(catalogue).profile
    import dataclasses

    older = synthetic.every_verdict(tmp_path / "b", catalogue, profile=dataclasses.replace(profile, tier="1.1"))
    found = measure(build(load(older), catalogue), catalogue)
    assert found.tier == "1.1"
    assert found.judged == sum(1 for row in catalogue.judged() if row.applies_to("1.1"))


def test_the_rerun_line_carries_profile_tier_seed_and_settings(tmp_path: Path, catalogue: Catalogue):
    command = ("tck", "run", "--profile", "my profiles/acme.toml", "--setting", "url=tcp://[::1]:61616")
    reported = synthetic.every_verdict(tmp_path / "b", catalogue, command=command)
    line = load(reported).rerun("3.4.1-1/queue/*")
    assert line == (
        "python -m tck run -p 'my profiles/acme.toml' --seed 7 --setting 'url=tcp://[::1]:61616' '3.4.1-1/queue/*'"
    )


def test_a_row_that_this_catalogue_does_not_know_is_shown_all_the_same(tmp_path: Path, catalogue: Catalogue):
    import dataclasses

    case = synthetic.case_row(catalogue["3.4.1-1"])
    result = synthetic.result_row(catalogue, case, Outcome.HELD)
    case = dataclasses.replace(case, case="99.1-1/queue", assertions=("99.1-1",))
    result = dataclasses.replace(result, case=case.case, verdicts={"99.1-1": Verdict.CONFORMANT})
    reported = synthetic.write(tmp_path / "b", synthetic.run_row(catalogue), [(case, result, ())])
    tree = build(load(reported), catalogue)
    assert tree.by_id["99.1-1"].row is None
    assert [chapter.key for chapter in tree.chapters] == ["ch99"]


def test_cases_without_a_result_are_told_of(tmp_path: Path, catalogue: Catalogue):
    folder = tmp_path / "b"
    begin(folder, synthetic.run_row(catalogue))
    writer = BundleWriter(folder)
    done, lost = synthetic.case_row(catalogue["3.4.1-1"]), synthetic.case_row(catalogue["3.4.1-3"])
    writer.start(done)
    writer.finish(synthetic.result_row(catalogue, done, Outcome.HELD), synthetic.conversation(done.case).events)
    writer.start(lost)
    writer.close()
    with pytest.raises(BundleError):
        Bundle.open(folder)
    report = load(Bundle.open(folder, allow_truncated=True))
    assert [case.case for case in report.unfinished] == [lost.case]
    assert report.end is None
