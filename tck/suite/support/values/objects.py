"""The table of objects for object messages: what an application may put into one, by its reason."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support.values import numbers, texts
from tck.suite.support.values.object_types import Ledger, Parcel, Tally


def _deep(levels: int) -> list[object]:
    """Return a list in a list in a list, so many levels."""
    made: list[object] = ["the innermost"]
    for _ in range(levels):
        made = [made]
    return made


def object_table() -> Mapping[str, object]:
    """Return new objects, which a test may change."""
    return {
        "an empty text": "",
        "a text": "größer, 東京, \N{GRINNING FACE}",
        "a text beyond 64 KiB": texts.LONG["beyond 64 KiB in units"],
        "texts of all sorts": list(texts.SHORT.values()),
        "true": True,
        "false": False,
        "a byte": api.Byte(-128),
        "a short": api.Short(-32768),
        "an int": api.Int(5),
        "a long": api.Long(2**31),
        "a float": api.Float(0.1),
        "a double": api.Double(0.1),
        "a character": api.Char("\0"),
        "no bytes": b"",
        "bytes": bytes(range(256)),
        "bytes beyond 64 KiB": numbers.LONG_ARRAY,
        "an empty list": [],
        "a list": [1, "two", [3.5, None, True]],
        "a wide list": [[number] for number in range(200)],
        "a wide and deep list": [[[number], [number]] for number in range(100)],
        "a deep list": _deep(40),
        "extremes": [2**63 - 1, -(2**63), float("inf"), -float("inf"), api.Float(float("inf")), -0.0, api.Char("c")],
        "zeros of all types": [0, api.Int(0), api.Short(0), api.Byte(0), 0.0, api.Float(0.0), False, "", None],
        "an empty map": {},
        "a map": {"a": [1, 2], "b": {"c": "d"}},
        "a map with null": {"a": None},
        "a map by number": {1: "one", 2: "two"},
        "a map of odd keys": {
            "$": ["int", "1"],
            "": 0,
            "@type": "map",
            "$type": None,
            "__class__": "x",
            "a.b[0]": 1,
            "caf\u00e9": 1,
            "cafe\u0301": 2,
        },
        "a parcel": Parcel("brown", 7),
        "a list of parcels": [Parcel("brown", 7), Parcel("", -1)],
        "a ledger": Ledger("first", "second"),
        "a tally": Tally.of("word", 7),
    }
