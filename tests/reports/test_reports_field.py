"""The field report: products by releases, defects worst first, since when, and what older releases alone broke."""

from __future__ import annotations

import dataclasses
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pages_read
import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.record import Bundle, Case, Deviation, DeviationUse, Effect, Outcome, Result
from tck.reports.html import paths
from tck.reports.html.field_site import ShowingProgram, write_field_report
from tck.reports.read import load
from tck.reports.runs.field import Product, ReleaseRun, Seen, products, release_run
from tck.reports.verdict_snapshot import of_bundle
from tck.reports.verdict_tree import build

HELD, BROKEN = Outcome.HELD, Outcome.BROKEN
LOST, DATA, ONCE, NEW = "6.2.7-1", "3.4.1-3", "3.4.2-1", "3.4.3-3"
DECLARED = (
    Deviation(DATA, "fails", "the <b>mode</b> is lost", effect=Effect.WRONG_DATA, evidence="profiles/evidence/mode.py acme"),
    Deviation(LOST, "fails", "a commit loses one", "*/topic/*", effect=Effect.LOSES_OR_DUPLICATES, when="cache is on"),
    Deviation("3.4.1-1", "fails", "as it was", effect=Effect.PEDANTIC),
    Deviation(DATA, "flaky", "now and then", effect=Effect.PEDANTIC),
    Deviation("*", "flaky", "it breaks down", effect=Effect.WRONG_ORDER),
)  # fmt: skip

ANY = "3.4.10-1"
USED = {ANY: "*"}
"""The rows that fail as another assertion is declared to."""


def release(
    folder: Path, catalogue: Catalogue, number: str, outcomes: dict[str, Outcome], *, own: bool = False
) -> Bundle:
    base = synthetic.run_row(catalogue)
    name = "acme" if own else f"acme-{number}"
    profile = dataclasses.replace(
        base.profile, name=name, title=f"ACME {number}", deviations=DECLARED if own else (), release=number
    )
    run = dataclasses.replace(base, run=f"run-{number}", profile=profile)

    def rows() -> Iterable[tuple[Case, Result, tuple[()]]]:
        for each, outcome in outcomes.items():
            row, _, point = each.partition("/")
            case = synthetic.case_row(catalogue[row], point)
            used = next((each for each in DECLARED if own and each.assertion == (USED.get(row) or row)), None)
            use = used and DeviationUse(used.assertion, used.outcome, used.reason, when=used.when)
            declared = used and used.outcome
            result = synthetic.result_row(
                catalogue, case, outcome, declared=declared, observed=f"{row} seen", deviation=use
            )
            yield case, result, ()

    return synthetic.write(folder / number, run, rows())


def recorded(bundle: Bundle, catalogue: Catalogue) -> ReleaseRun:
    return release_run(of_bundle(bundle), build(load(bundle), catalogue))


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Product:
    folder = tmp_path_factory.mktemp("releases")
    topic, queue = "topic/classic/auto", "queue/classic/auto"
    oldest = release(folder, catalogue, "1.9", {f"{LOST}/{topic}": HELD, f"{DATA}/{queue}": BROKEN})
    middle = release(
        folder, catalogue, "1.10", {f"{LOST}/{topic}": BROKEN, f"{LOST}/{queue}": BROKEN, f"{ONCE}/{queue}": BROKEN}
    )
    newest = release(
        folder,
        catalogue,
        "2.0",
        {
            f"{LOST}/{topic}": BROKEN,
            f"{DATA}/{queue}": BROKEN,
            f"{ONCE}/{queue}": HELD,
            f"{NEW}/{queue}": BROKEN,
            f"3.4.1-1/{queue}": HELD,
            f"{ANY}/{queue}": BROKEN,
        },
        own=True,
    )
    runs = (recorded(newest, catalogue), release_run(of_bundle(middle)), recorded(oldest, catalogue))
    (found,) = products(sorted(runs, key=lambda each: ["1.9", "1.10", "2.0"].index(each.release)))
    return found


def test_a_release_is_named_by_its_profile_and_belongs_to_the_product(acme: Product):
    assert (acme.name, acme.title) == ("acme", "ACME 2.0")
    assert [each.release for each in acme.releases] == ["1.9", "1.10", "2.0"]


def test_defects_come_worst_first_and_what_nobody_classified_before_all(acme: Product):
    assert [(each.effect, each.rows) for each in acme.defects] == [
        (None, (NEW,)),
        (Effect.LOSES_OR_DUPLICATES, (LOST,)),
        (Effect.WRONG_DATA, (DATA,)),
        (Effect.WRONG_ORDER, ("*",)),
        (Effect.PEDANTIC, ("3.4.1-1",)),
        (Effect.PEDANTIC, (DATA,)),
    ]
    assert acme.defects[1].title.startswith("a commit loses one")
    assert "cache is on" in acme.defects[1].title


def test_each_release_shows_a_defect_keeps_the_row_or_was_not_asked(acme: Product):
    seen = {each.rows[0]: each.seen for each in acme.defects if each.title != "now and then"}
    assert seen[LOST] == (Seen.HELD, Seen.SHOWN, Seen.SHOWN)
    assert seen[DATA] == (Seen.SHOWN, Seen.NOT_ASKED, Seen.SHOWN)
    assert seen[NEW] == (Seen.NOT_ASKED, Seen.NOT_ASKED, Seen.SHOWN)
    since = {each.rows[0]: (each.first, each.before) for each in acme.defects if each.seen[-1] is Seen.SHOWN}
    asked = Seen.NOT_ASKED
    assert since == {LOST: (1, Seen.HELD), DATA: (0, asked), NEW: (2, asked), "*": (2, asked)}


def test_a_failure_counts_for_the_declaration_that_it_used(acme: Product):
    cases = {each.title: [case.case.case for case in each.cases] for each in acme.defects if each.deviation}
    assert cases["it breaks down"] == [f"{ANY}/queue/classic/auto"]
    assert cases["now and then"] == []
    assert [each.seen[-1] for each in acme.defects if each.title == "now and then"] == [Seen.NOT_ASKED]


def test_a_declaration_that_did_not_show_counts_for_no_release(acme: Product):
    assert acme.defects[-2].seen[-1] is Seen.HELD
    assert [counts[Effect.PEDANTIC] for counts in acme.counts] == [0, 0, 0]
    assert [counts[Effect.LOSES_OR_DUPLICATES] for counts in acme.counts] == [0, 1, 1]


def test_what_older_releases_alone_broke_is_named_with_the_obligation(acme: Product, catalogue: Catalogue):
    assert [(each.row, each.seen[1:], each.statement) for each in acme.gone] == [
        (ONCE, (Seen.SHOWN, Seen.HELD), catalogue[ONCE].statement)
    ]


def test_a_cause_that_another_product_declares_is_named(acme: Product, catalogue: Catalogue):
    tree = acme.newest.tree
    assert tree is not None
    other = dataclasses.replace(acme.newest, product="zeta")
    first, second = products([*acme.releases, other])
    assert [each.elsewhere for each in first.defects if each.effect is Effect.WRONG_DATA] == [("zeta",)]
    assert [each.elsewhere for each in second.defects if each.effect is Effect.WRONG_DATA] == [("acme",)]


def test_the_site_names_the_worst_and_has_the_programs(acme: Product, tmp_path: Path):
    text = "/**\n * About.\n */\ncalls();\n    // The broker, as the profile acme starts it.\nstart();\n"

    def program(product: Product, defect: object) -> ShowingProgram | None:
        del product
        return ShowingProgram("Shows.java", text, "jbang Shows.java") if defect is acme.defects[1] else None

    write_field_report([acme], tmp_path, program)
    index, page = ((tmp_path / path).read_text("utf-8") for path in (paths.INDEX, paths.product("acme")))
    assert "a commit loses one" in index
    assert "the &lt;b&gt;mode&lt;/b&gt; is lost" in page
    assert "since 1.10" in page
    assert "since 1.9 or before" in page
    assert "1.10: verdicts are those of the history" in page
    assert "calls();" in page
    assert "start();" not in page
    with zipfile.ZipFile(tmp_path / paths.programs("acme")) as archive:
        assert archive.read("Shows.java").decode() == text
    for path, each in pages_read.read_all(tmp_path).items():
        assert not each.unbalanced
        targets = [link.partition("#")[0] for link in each.links()]
        assert all(((tmp_path / path).parent / target).exists() for target in targets if not target.startswith("data:"))
