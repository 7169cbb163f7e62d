"""3.8.1.1 Message selector syntax: comparisons."""

from __future__ import annotations

from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen, generated, refused_or_never, table
from tck.suite.support.selectors.generator import Names
from tck.suite.support.selectors.spelling import SPELLINGS

BOUNDS: Samples = {
    "i1": {"i": 1},
    "i2": {"i": 2},
    "i3": {"i": 3},
    "d1": {"d": 1.5},
    "d2": {"d": 2.0},
    "d3": {"d": 2.5},
}


@asserts("3.8.1.1-50")
def test_equal_and_unequal(case: Case) -> None:
    """= and <> tell equal values of each kind from others."""
    samples: Samples = {
        "one": {"i": 5, "l": api.Long(5), "f": api.Float(0.5), "d": 2.5, "b": True, "s": "a"},
        "two": {"i": 6, "l": api.Long(6), "f": api.Float(1.5), "d": 3.5, "b": False, "s": "b"},
    }
    literals = {"i": "5", "l": "5", "f": "0.5", "d": "2.5", "b": "TRUE", "s": "'a'"}
    wanted = {f"{name} = {text}": "one" for name, text in literals.items()}
    wanted |= {f"{text} <> {name}": "two" for name, text in literals.items()}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-51")
def test_strict_order(case: Case) -> None:
    """< and > leave out the bound itself, for exact and approximate numbers, on either side."""
    wanted = {"i < 2": "i1", "i > 2": "i3", "2 > i": "i1", "2 < i": "i3", "d < 2.0": "d1", "d > 2.0": "d3"}
    expect.equal("messages chosen", chosen(case, BOUNDS, wanted), wanted)


@asserts("3.8.1.1-52")
def test_inclusive_order(case: Case) -> None:
    """<= and >= take in the bound itself, for exact and approximate numbers, on either side."""
    wanted = {
        "i <= 2": "i1 i2",
        "i >= 2": "i2 i3",
        "2 >= i": "i1 i2",
        "2 <= i": "i2 i3",
        "d <= 2.0": "d1 d2",
        "d >= 2.0": "d2 d3",
    }
    expect.equal("messages chosen", chosen(case, BOUNDS, wanted), wanted)


@asserts("3.8.1.1-53")
def test_exact_and_approximate_compare(case: Case) -> None:
    """Exact and approximate numbers compare with each other by all six operators."""
    samples: Samples = {
        "one": {"i": 1, "d": 1.0, "l": api.Long(1), "f": api.Float(1.0)},
        "two": {"i": 2, "d": 2.0, "l": api.Long(1), "f": api.Float(1.5)},
    }
    wanted = {
        "i = 1.0": "one",
        "d = 2": "two",
        "i <> 1.0": "two",
        "d < 2": "one",
        "i <= 1.5": "one",
        "d > 1": "two",
        "i >= 1.5": "two",
        "l = f": "one",
        "l < f": "two",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-4", variant="generated-numbers")
def test_generated_conditions_on_all_kinds_of_numbers(case: Case) -> None:
    """Conditions made at random over exact and approximate numbers choose what three-valued logic says."""
    samples: Samples = {
        "one": {"i": 3, "k": 1.25, "x": api.Float(0.5), "s": "a", "p": True},
        "two": {"i": api.Byte(-2), "k": 2.0, "x": 2.0, "s": "ab", "t": "a", "q": False},
        "three": {"i": 7, "x": api.Long(4), "t": "ab", "p": False, "q": True},
        "four": {"k": 0.25, "x": api.Short(2), "s": "b", "p": True},
    }
    if case.by_oldest:  # exact and approximate numbers are not comparable there (3.8.1.1-114)
        samples = {name: {key: _exact(value) for key, value in sample.items()} for name, sample in samples.items()}
    names = Names(numbers=("i", "k", "x", "z"))
    wanted = table(generated(53, 30, names=names, approximate=not case.by_oldest), samples, SPELLINGS)
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


def _exact(value: object) -> Any:
    """Return an exact number for an approximate one, near enough; any other value stays."""
    return (
        int(value.value if isinstance(value, api.Float) else value) if isinstance(value, float | api.Float) else value
    )


@asserts("3.8.1.1-54")
def test_promotion_decides_the_precision(case: Case) -> None:
    """Numbers of different types are compared in the type to which Java would bring both."""
    # IS NOT NULL: messages that have neither of two names are the subject of 3.8.1.1-58.
    samples: Samples = {
        "long": {"l": api.Long(2**53 + 1)},
        "tenth": {"f": api.Float(0.1), "t": api.Float(0.1)},
        "half": {"f": api.Float(0.5)},
        "mixed": {"a": api.Long(2**24 + 1), "b": api.Float(2.0**24)},
        "large": {"c": api.Long(2**53 + 1), "d": 2.0**53},
        "single": {"e": api.Float(2.0**24), "g": api.Float(2.0**24 + 4)},
        "wide": {"w": 30_000_000, "u": api.Float(3e7), "v": api.Float(2e7)},
    }
    wanted = {
        "l = 9007199254740992.0": "long",
        "l = 9007199254740993": "long",
        "l = 9007199254740992": "",
        "f = 0.1": "",
        "f IS NOT NULL AND f = t": "tenth",
        "f > 0.1": "tenth half",
        "f = 0.5": "half",
        "a IS NOT NULL AND a = b": "mixed",
        "a IS NOT NULL AND b = a": "mixed",
        "b < a": "",
        "e = 16777217": "single",
        "e < 16777217": "",
        "e BETWEEN 16777217 AND 3e7": "single",
        "g BETWEEN 1 AND 16777219": "single",
        "w > v": "wide",
        "w IS NOT NULL AND w = u": "wide",
        "v > w": "",
        "c IS NOT NULL AND c = d": "large",
        "c IS NOT NULL AND d = c": "large",
        "d < c": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-58")
def test_equality_with_null_is_unknown(case: Case) -> None:
    """Where either side is NULL neither = nor <> nor their negations choose the message."""
    samples: Samples = {"one": {"n": 1}, "none": {"other": 1}}
    wanted = {
        "n = 1": "one",
        "2 <> n": "one",
        "n = n": "one",
        "NOT (n = 2)": "one",
        "NOT (1 <> n)": "one",
        "missing = missing": "",
        "NOT (missing <> missing)": "",
        "n <> missing": "",
        "NOT (n = missing)": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-59")
def test_text_is_not_ordered(case: Case) -> None:
    """Ordering text is refused, or chooses nothing, and delivery goes on."""
    samples: Samples = {"m": {"s": "m", "n": 5}, "none": {}}
    texts = ("s > 'a'", "s <= 'z'", "'a' < s", "s >= 'm'", "'a' < 'b'", "s >= s")
    seen = refused_or_never(case, samples, texts, neighbours={"s = 'm'": "m", "n > 4": "m"})
    expect.equal("messages chosen", seen, {**dict.fromkeys(texts, ""), "s = 'm'": "m", "n > 4": "m"})


@asserts("3.8.1.1-60")
def test_booleans_are_not_ordered(case: Case) -> None:
    """Ordering booleans is refused, or chooses nothing, and delivery goes on."""
    samples: Samples = {"yes": {"flag": True}, "no": {"flag": False}}
    texts = ("flag > FALSE", "'foo' >= TRUE", "flag <= TRUE", "FALSE < TRUE", "flag >= flag")
    seen = refused_or_never(case, samples, texts, neighbours={"flag = TRUE": "yes", "flag <> TRUE": "no"})
    expect.equal("messages chosen", seen, {**dict.fromkeys(texts, ""), "flag = TRUE": "yes", "flag <> TRUE": "no"})


@asserts("3.8.1.1-61")
def test_case_matters_in_text(case: Case) -> None:
    """Text in another case is other text, for =, <>, IN and LIKE."""
    samples: Samples = {"title": {"s": "Blue"}, "lower": {"s": "blue"}, "upper": {"s": "BLUE"}}
    wanted = {
        "s = 'Blue'": "title",
        "s <> 'Blue'": "lower upper",
        "s IN ('blue')": "lower",
        "s LIKE 'B%'": "title upper",
        "s LIKE 'B_u%'": "title",
        "s = 'bLUE'": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-62")
def test_text_is_equal_character_by_character(case: Case) -> None:
    """Blanks count, and letters with an accent equal only those written in the same characters."""
    samples: Samples = {
        "a": {"s": "a"},
        "behind": {"s": "a "},
        "before": {"s": " a"},
        "composed": {"s": "\u00e9"},
        "apart": {"s": "e\u0301"},
        "empty": {"s": ""},
        "blank": {"s": " "},
        "blanks": {"s": "  "},
        "one within": {"s": "a b"},
        "two within": {"s": "a  b"},
        "tab within": {"s": "a\tb"},
        "line within": {"s": "a\nb"},
    }
    samples = {name.replace(" ", "-"): sample for name, sample in samples.items()}
    wanted = {f"s = '{sample['s']}'": name for name, sample in samples.items()}
    wanted["s <> 'a'"] = " ".join(name for name in samples if name != "a")
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
