"""A test that needs a part of the specification has points only in versions that have it."""

from __future__ import annotations

from tck.catalogue import load_catalogue
from tck.plugin.points import points

ROWS = (load_catalogue()["4.1.2-5"],)
OPTIONS = {"domain": ("queue",), "api": ("domain-specific",), "ack": ("auto",)}


def test_it_has_points_where_the_part_is_offered():
    assert [str(each.api) for each in points(ROWS, {**OPTIONS, "needs": "classic"}, "1.1")] == ["domain-specific"]


def test_it_has_none_before():
    assert points(ROWS, {**OPTIONS, "needs": "classic"}, "1.0.2b") == []
    assert points(ROWS, {**OPTIONS, "needs": ""}, "1.0.2b") == points(ROWS, OPTIONS, "1.1")
