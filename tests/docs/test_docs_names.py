"""Every dotted name and path in backticks exists. The changelog is left out: it may name what is gone."""

import pytest
from docs_names import FOREIGN, OF_THE_READER, exists, names, paths, resolves, spans, unresolved
from docs_support import ROOT, page

PAGES = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.md", "docs/**/*.md", "profiles/**/*.md", "tck/*/**/*.md")
    for path in ROOT.glob(pattern)
    if path.name not in {"CHANGELOG.md", "api-map.md"}  # api-map is generated from the classes, beside names of Java
)
RIGHT = [
    "record.outcomes.judge",  # a function, shortened from the left
    "tck.check.properties",  # a package
    "tck.reports.html",  # through the link below tck
    "Broker.arrive",  # a method
    "case.needs",  # inherited from a base class
    "case.timing.delay",  # an attribute of an attribute
    "tck.api.Provider",  # imported into the package
    "client.session_state.SessionState.open_delivery",
]
WRONG = [
    "reports.model",
    "reports.operations",
    "record.outcomes.judges",
    "tck.check.property",
    "Broker.arrived",
    "case.timing.delays",
    "case.need",
    "tck.api.Providers",
    "client.session_state.SessionState.open_delivery.there",
]
RIGHT_PATHS = [
    "tck/check/columns.py",
    "reports/html/pages/",
    ".ci/run",
    "profile.md",  # beside the page
    "templates/url_NAME.java.j2",  # shortened, with a placeholder
    "tck/suite/chNN_<chapter>/test_<section>_<topic>.py",
    "benchmarks/traces/anomalies_*.py",
    "findings.ndjson",  # written by a command
    "courier.toml",  # printed on a page
]
WRONG_PATHS = [
    "tck/check/column.py",
    "reports/html/page/",
    ".ci/runs",
    "tck/cli/NAME_commander.py",
    "tck/suite/chapterNN_<chapter>/test_<section>_<topic>.py",
    "benchmarks/traces/anomaly_*.py",
    "finding.ndjson",
    "couriers.toml",
]


@pytest.mark.parametrize("name", PAGES)
def test_names_and_paths_of_a_page_exist(name):
    assert unresolved(page(name), ROOT / name) == []


def test_the_pages_hold_many_names_and_paths():
    assert sum(len(names(page(name))) for name in PAGES) > 200
    assert sum(len(paths(page(name))) for name in PAGES) > 120


def test_no_exception_is_left_over():
    held = {word for name in PAGES for span in spans(page(name)) for word in [span, *span.split()]}
    assert [word for word in sorted(OF_THE_READER) if word not in held] == []
    assert [begin for begin in FOREIGN if not any(word.startswith(begin) for word in held)] == []


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_that_exists_resolves(name):
    assert resolves(name)


@pytest.mark.parametrize("name", WRONG)
def test_a_name_that_does_not_exist_is_found(name):
    assert not resolves(name)


@pytest.mark.parametrize("path", RIGHT_PATHS)
def test_a_path_that_exists_is_found_right(path, tmp_path):
    (tmp_path / "profile.md").write_text("# A page\n")
    assert exists(path, tmp_path / "page.md")


@pytest.mark.parametrize("path", WRONG_PATHS)
def test_a_path_that_leads_nowhere_is_found(path, tmp_path):
    assert not exists(path, tmp_path / "page.md")


def test_what_is_wrong_on_a_page_is_listed_with_names_first():
    text = (
        "`reports.model` and `pytest tests/nowhere -q`, `Broker.arrive(message)`, `java.util.List`\n```\n`a.b`\n```\n"
    )
    assert names(text) == ["reports.model", "Broker.arrive"]
    assert unresolved(text, ROOT / "README.md") == ["reports.model", "tests/nowhere"]
