"""Charts of fewer than five values are tables: a curve through them would suggest a course that nobody measured."""

from __future__ import annotations

import re

from tck.reports.html import charts
from tck.reports.html.charts import Line, Mark


def test_fewer_than_five_values_are_a_table():
    values = [1.5, None, 1234.0, 0.0, 7.0]
    few = charts.chart("Rate", "a second", [Line("a&b", values[:4], 1)], [Mark(1.5, "kill")])
    assert "<svg" not in few
    assert re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", few) == [
        "Time", "a&amp;b", "second 1", "1.5", "second 2", "-", "second 3", "1,234", "second 4", "0",
    ]  # fmt: skip
    assert "1.5 s: kill" in few
    assert "<svg" in charts.chart("Rate", "a second", [Line("a", values, 1)])
    assert charts.sparkline(values[:4], "x") == ""
    assert "<svg" in charts.sparkline(values, "x")
