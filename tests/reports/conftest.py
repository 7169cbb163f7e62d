"""One bundle with every verdict and its site, written once for all tests of `reports`."""

from __future__ import annotations

from pathlib import Path

import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue, load_catalogue
from tck.record import Bundle, Outcome
from tck.reports.html import write_site

DETECTION = {
    "saboteurs": 61,
    "killed": 60,
    "survived": ["3.4.10-1"],
    "collateral": {"3.4.3-3": ["3.4.3-9", "8.5-1"], "3.4.4-2": []},
    "dummies": {"raises": {"must_cases": 96, "must_passed": 0}, "inert": {"must_cases": 96, "must_passed": 2}},
}


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Bundle:
    return synthetic.every_verdict(tmp_path_factory.mktemp("bundles") / "run", catalogue)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, bundle: Bundle, catalogue: Catalogue) -> Path:
    return write_site(bundle, tmp_path_factory.mktemp("site"), catalogue, DETECTION).parent


@pytest.fixture(scope="session")
def without_browsers(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Bundle:
    """A run on a provider that lacks one member and breaks many rows besides, for as many reasons."""
    recorded = []
    for place, row in enumerate(catalogue.judged()[:300]):
        api = "classic" if place % 3 else "simplified"
        call = "Session.create_browser" if place % 3 else "JMSContext.create_browser"
        case = synthetic.case_row(row, f"queue/{api}/auto")
        if place % 2:
            missing = {"call": call, "observed": f"UnsupportedOperationException: no browser for queue tck.{place}.q"}
            recorded.append((case, synthetic.result_row(catalogue, case, Outcome.ABSENT, **missing), ()))
        else:
            text = f"{row.title} {'long ' * 99}"
            recorded.append((case, synthetic.result_row(catalogue, case, Outcome.BROKEN, observed=text), ()))
    return synthetic.write(tmp_path_factory.mktemp("browsers") / "b", synthetic.run_row(catalogue), recorded)
