"""axe finds nothing on any kind of page, in the light and in the dark theme, on a desk and on a phone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import axe_pages
import pytest

from tck.catalogue import Catalogue
from tck.cli.main import main
from tck.record import Bundle
from tck.reports.html import write_site

pytestmark = pytest.mark.skipif(axe_pages.CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory, site: Path, bundle: Bundle, catalogue: Catalogue
) -> dict[str, Path]:
    """One page of each kind."""
    made = tmp_path_factory.mktemp("accessible")
    out = ["--out", str(made / "out")]
    one = ["run", "3.4.1", "-n", "0", "--seed", "1", "--no-report", *out]
    assert main(one) == 0
    assert main([*one, "--setting", 'saboteur="3.4.1-3"']) == 1
    ended = sorted((made / "out" / "runs").iterdir(), key=lambda path: (path / "end.json").stat().st_mtime_ns)
    first, second = map(str, ended)
    assert main(["matrix", first, second, "--html", str(made / "matrix"), *out]) == 0
    assert main(["diff", first, second, "--html", str(made / "diff.html"), *out]) == 1
    assert main(["field-report", str(made / "field"), second, *out]) == 0
    store = str(made / "store")
    assert main(["pipeline", "ingest", first, second, "--store", store, *out]) == 0
    assert main(["report", second, "--html", str(made / "trends"), "--history", store, *out]) == 0
    load = ["workload", "run", "-p", "reference", "--plan", "client-acknowledge", "--messages", "60", "--seed", "7"]
    driven = ["--setting", 'saboteur="3.4.7-1"', "--out", str(made / "driven")]
    assert main([*load, *driven]) == 1
    (run,) = (made / "driven" / "runs").iterdir()
    workload = write_site(Bundle.open(run), made / "workload", catalogue).parent
    small = write_site(bundle, made / "small", catalogue, cases="surprises").parent
    trends = _kinds("trends", made / "trends")
    return {
        **_kinds("suite", site),
        **{
            kind: path for kind, path in _kinds("small", small).items() if kind in ("small/index.html", "small/chapter")
        },
        **_kinds("workload", workload),
        "trends/trends.html": trends["trends/trends.html"],
        "trends/case": trends["trends/case"],
        **_kinds("matrix", made / "matrix"),
        "diff": made / "diff.html",
        **_kinds("field", made / "field"),
    }


def _kinds(name: str, folder: Path) -> dict[str, Path]:
    """Return the longest page of each folder, and each page at the top."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.html")):
        place = path.relative_to(folder)
        kind = place.name if len(place.parts) == 1 else place.parts[0]
        key = f"{name}/{kind}"
        if key not in found or path.stat().st_size > found[key].stat().st_size:
            found[key] = path
    return found


def _violations(pages: dict[str, Path], theme: str, width: int = 1280) -> dict[str, list[str]]:
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda path: axe_pages.violations(path, theme, width), pages.values())
        return {kind: part for kind, part in zip(pages, found, strict=True) if part}


def test_axe_finds_nothing_on_any_kind_of_page(written: dict[str, Path]):
    assert len(written) >= 18
    assert _violations(written, "light") == {}


def test_axe_finds_nothing_on_any_kind_of_page_on_a_phone(written: dict[str, Path]):
    assert _violations(written, "light", 390) == {}


def test_axe_finds_nothing_in_the_dark(written: dict[str, Path]):
    dark = ("suite/index.html", "suite/case", "small/chapter", "workload/finding", "matrix/index.html")
    assert _violations({kind: written[kind] for kind in dark}, "dark") == {}


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_itself_finds_a_fault(tmp_path: Path, width: int):
    page = tmp_path / "bad.html"
    page.write_text(
        "<!doctype html><html><head><title>x</title></head><body><main><h1>x</h1><img src='x.png'></main></body></html>"
    )
    assert any(part.startswith("image-alt") for part in axe_pages.violations(page, width=width))
