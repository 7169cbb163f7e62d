"""docs/examples/versions.md: the page shows the stored figures, and the provider still differs as they say."""

from __future__ import annotations

import pytest
from docs_versions import PAGE, VERSIONS, figures, key, measure, page, pairs, strange

from tck.record.outcomes import Exit


def test_the_page_shows_the_figures():
    assert PAGE.read_text(encoding="utf-8") == page(figures()), "python tests/docs/docs_versions.py renews both"


def test_each_pair_has_its_figures():
    assert list(figures()) == [key(*pair) for pair in pairs()]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_passes_its_own_tier(version):
    cell = figures()[key(version, version)]
    assert (cell.differing, cell.exit) == ([], Exit.CONFORMANT)


@pytest.mark.parametrize(("played", "tier"), pairs())
def test_a_version_breaks_only_what_it_does_not_state(played, tier):
    assert strange(played, tier, figures()[key(played, tier)]) == []


@pytest.mark.slow
@pytest.mark.parametrize(("played", "tier"), pairs())
def test_every_pair_is_as_stored(played, tier):
    assert measure(played, tier) == figures()[key(played, tier)]
