"""A figure on a page is generated, is written as code, or has an origin; the few others are listed, and the list may only shrink."""

import pytest
from docs_figures import all_figures, figures, has_origin
from docs_support import ROOT, page

PAGES = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.md", "docs/**/*.md", "profiles/**/*.md", "tck/*/**/*.md")
    for path in ROOT.glob(pattern)
    if path.name != "CHANGELOG.md"  # each line of it is of its own time
)
LISTED = [
    (name, figure)
    for line in page("tests/docs/figures_without_origin.txt").splitlines()
    if line and not line.startswith("#")
    for name, figure, _reason in [line.split(": ", 2)]
]
MOST = 7
"""It may only shrink."""
ORIGIN = "Figures of commit 0123abc, 2026-11-25, on two cores."


@pytest.mark.parametrize("name", PAGES)
def test_each_figure_of_a_page_has_an_origin_or_is_listed(name):
    assert [found for found in figures(page(name)) if (name, found[1]) not in LISTED] == []


def test_the_list_of_figures_without_origin_only_shrinks():
    found = {(name, figure) for name in PAGES for _, figure in figures(page(name))}
    assert [each for each in LISTED if each not in found] == [], "no longer on its page: take it off the list"
    assert len(LISTED) <= MOST


@pytest.mark.parametrize(
    "text",
    [
        "took 12 ms",
        "3,251 cases",
        "5 to 9%",
        "1.55 million operations",
        "10M events",
        "| 2 GB |",
        "88/87/103 s",
        "82 947 steps",
    ],
)
def test_a_figure_is_found(text):
    assert len(list(figures(f"# Page\n\n{text} here\n"))) == 1


@pytest.mark.parametrize(
    "text",
    ["section 3.4", "`12 ms`", "two cases", "6.2.7-6 cases", "```\n12 ms\n```", "chapter 8, rows"],
)
def test_other_numbers_and_code_are_no_figures(text):
    assert list(figures(f"# Page\n\n{text}\n")) == []


def test_a_generated_block_needs_no_origin():
    assert list(figures("# Page\n<!-- bars: begin -->\n| 12 ms |\n<!-- bars: end -->\n")) == []


def test_the_pages_have_many_figures_with_an_origin():
    found = {name: len(all_figures(page(name))) for name in PAGES}
    assert sum(found.values()) > 150
    assert found["docs/performance.md"] > 50


def test_an_origin_counts_for_its_own_section_only():
    text = f"# Page\n\n## One\n{ORIGIN}\n\n12 ms\n\n### Two\n\n13 ms\n\n## Three\n14 s\n"
    assert list(figures(text)) == [("Two", "13 ms"), ("Three", "14 s")]


@pytest.mark.parametrize(
    "line", ["Figures of commit 0123abc.", "Figures of 2026-11-25.", "Figures of commit wxyz123, 2026-11-25"]
)
def test_an_origin_has_commit_and_date(line):
    assert has_origin(ORIGIN)
    assert not has_origin(line)


def test_the_date_of_an_origin_exists():
    with pytest.raises(ValueError, match="day is out of range"):
        has_origin("Figures of commit 0123abc, 2026-02-30.")
