"""docs/tiers.md is true: its table is today's data, its example of a contradiction is in the catalogue."""

import docs_tiers

from tck.catalogue import load_catalogue


def test_the_table_is_up_to_date():
    now = docs_tiers.PAGE.read_text(encoding="utf-8")
    assert docs_tiers.page(now) == now, "run python tests/docs/docs_tiers.py"
    assert docs_tiers.BEFORE in now


def test_the_two_rows_of_the_example_contradict_each_other():
    before, after = (load_catalogue()[id_] for id_ in ("3.5.8-4", "3.5.8-2"))
    assert (before.until, after.since) == ("1.0", "1.0.2b")
    assert "NullPointerException" in before.statement
