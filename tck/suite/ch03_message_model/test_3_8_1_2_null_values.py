"""3.8.1.2 Null values: the tables of three-valued logic."""

from __future__ import annotations

from collections.abc import Mapping

from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen

VALUES: Samples = {
    "tt": {"p": True, "q": True, "t": True, "f": False},
    "tf": {"p": True, "q": False, "t": True, "f": False},
    "ft": {"p": False, "q": True, "t": True, "f": False},
    "ff": {"p": False, "q": False, "t": True, "f": False},
}
ALL = " ".join(VALUES)
NUMBERS: Samples = {"five": {"n": 5, "p": 5}, "nine": {"n": 9, "p": 9}, "none": {"n": 0}}


def _never(*texts: str) -> dict[str, str]:
    """Return a table in which neither these nor their negations choose a message, and `t` chooses all."""
    return {"t": ALL, **{each: "" for text in texts for each in (text, f"NOT ({text})")}}


@asserts("3.8.1.2-1")
def test_order_with_null_is_unknown(case: Case) -> None:
    """An ordering with NULL on either side chooses nothing, nor does its negation."""
    texts = [text for order in ("<", "<=", ">", ">=") for text in (f"m {order} 1", f"1 {order} m", f"m {order} m")]
    wanted = {"n > 4": "five nine", **dict.fromkeys([*texts, *(f"NOT ({text})" for text in texts)], "")}
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


@asserts("3.8.1.2-2")
def test_arithmetic_with_null_is_unknown(case: Case) -> None:
    """What is computed with NULL chooses nothing, nor does its negation."""
    texts = ("m + 1 = 2", "1 - m = 1", "m * 0 = 0", "-m < 0", "m / 1 = 0", "n + m = n", "+m = 0")
    wanted = {"n + 1 = 6": "five", **dict.fromkeys([*texts, *(f"NOT ({text})" for text in texts)], "")}
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


@asserts("3.8.1.2-3")
def test_is_null_is_never_unknown(case: Case) -> None:
    """IS NULL and IS NOT NULL are true or false, so that NOT and OR go on with them."""
    wanted = {
        "NOT (m IS NOT NULL)": "five nine none",
        "NOT (m IS NULL)": "",
        "NOT (p IS NULL)": "five nine",
        "p IS NULL OR p > 5": "nine none",
        "p IS NOT NULL AND n >= 0": "five nine",
        "NOT (p IS NOT NULL)": "none",
    }
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


@asserts("3.8.1.2-4")
def test_and_of_true_and_false(case: Case) -> None:
    """AND is true where both are, and false elsewhere."""
    wanted = {"p AND q": "tt", "NOT (p AND q)": "tf ft ff"}
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-5")
def test_true_and_unknown(case: Case) -> None:
    """TRUE AND unknown is unknown, in either order."""
    wanted = _never("t AND m", "m AND t")
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-6")
def test_false_and_unknown(case: Case) -> None:
    """FALSE AND unknown is false, in either order."""
    wanted = {"NOT (f AND m)": ALL, "NOT (m AND f)": ALL, "f AND m": "", "m AND f": ""}
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-7")
def test_unknown_and_unknown(case: Case) -> None:
    """Unknown AND unknown is unknown."""
    wanted = _never("m AND k", "m AND m")
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-8")
def test_or_of_true_and_false(case: Case) -> None:
    """OR is false where both are, and true elsewhere."""
    wanted = {"p OR q": "tt tf ft", "NOT (p OR q)": "ff"}
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-9")
def test_true_or_unknown(case: Case) -> None:
    """TRUE OR unknown is true, in either order."""
    wanted = {"t OR m": ALL, "m OR t": ALL, "NOT (t OR m)": "", "p OR m": "tt tf"}
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-10")
def test_false_or_unknown(case: Case) -> None:
    """FALSE OR unknown is unknown, in either order."""
    wanted = _never("f OR m", "m OR f")
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-11")
def test_unknown_or_unknown(case: Case) -> None:
    """Unknown OR unknown is unknown."""
    wanted = _never("m OR k", "m OR m")
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


EQUALITY = "3.8.1.1-58"
COMPARISONS = {
    **dict.fromkeys(("m = 1", "m = 'x'", "m = TRUE", "m <> 1", "NOT (m = 1)"), EQUALITY),
    "m + 1 = 2": "3.8.1.2-2",
}
MIRRORED = dict.fromkeys(("1 = m", "'x' = m", "1 <> m", "m = k", "m <> k", "m = m"), EQUALITY)
CONDITIONS = {
    "m < 1": "3.8.1.2-1",
    **dict.fromkeys(("m LIKE 'x%'", "m NOT LIKE 'x%'"), "3.8.1.1-92"),
    **dict.fromkeys(("m IN ('x', 'y')", "m NOT IN ('x', 'y')"), "3.8.1.1-77"),
    "m BETWEEN 1 AND 2": "3.8.1.1-73",
}
"""Conditions that are unknown where `m` and `k` are missing, with the rows that say so."""


def _joined(unknown: str) -> dict[str, dict[str, str]]:
    """Return the rows, each with selectors that join an unknown condition, and what they choose."""
    false_and, true_or = (f"f AND {unknown}", f"{unknown} AND f"), (f"t OR {unknown}", f"{unknown} OR t = TRUE")
    return {
        "3.8.1.2-13": {
            **_never(unknown),
            **dict.fromkeys((f"NOT (NOT (t AND {unknown}))", f"NOT (NOT (f OR {unknown}))"), ""),
        },
        "3.8.1.2-10": _never(f"f OR {unknown}", f"{unknown} OR f = TRUE"),
        "3.8.1.2-5": _never(f"t AND {unknown}", f"{unknown} AND t = TRUE"),
        "3.8.1.2-6": {text: chosen for each in false_and for text, chosen in ((each, ""), (f"NOT ({each})", ALL))},
        "3.8.1.2-9": {text: chosen for each in true_or for text, chosen in ((each, ALL), (f"NOT ({each})", ""))},
        "3.8.1.2-7": _never(f"{unknown} AND k > 2"),
        "3.8.1.2-11": _never(f"k > 2 OR {unknown}"),
    }


def _judge_joined(case: Case, forms: Mapping[str, str]) -> None:
    """Judge each table with `m` and those conditions that are unknown alone; one that is not breaks its own row."""
    tables = {form: _joined(form) for form in ("m", *forms)}
    asked = {text: names for table in tables.values() for row in table.values() for text, names in row.items()}
    seen = chosen(case, VALUES, asked)
    negates = not seen["NOT (m)"]  # else NOT makes unknown true, and a negation says nothing of what it negates
    alone = {form: (form, f"NOT ({form})") if negates else (form,) for form in forms}
    decided = {form for form, texts in alone.items() if any(seen[text] for text in texts)}
    with expect.all_of():
        for row in tables["m"]:
            with expect.for_row(row):
                wanted = {text: asked[text] for form in tables if form not in decided for text in tables[form][row]}
                expect.equal("messages chosen", {text: seen[text] for text in wanted}, wanted)
        for row in [each.id for each in case.rows if each.id in forms.values()]:  # 1.0 has no row for equality
            with expect.for_row(row):
                wanted = {text: "" for form, texts in alone.items() if forms[form] == row for text in texts}
                expect.equal("messages chosen", {text: seen[text] for text in wanted}, wanted)


@asserts(
    "3.8.1.2-10",
    "3.8.1.2-5",
    "3.8.1.2-6",
    "3.8.1.2-7",
    "3.8.1.2-9",
    "3.8.1.2-11",
    "3.8.1.2-13",
    "3.8.1.1-58",
    "3.8.1.2-2",
    variant="comparisons",
)
def test_unknown_comparisons_join_alike(case: Case) -> None:
    """Comparisons for equality whose left side is a missing property are unknown wherever NOT, AND and OR join them."""
    _judge_joined(case, COMPARISONS)


@asserts(
    "3.8.1.2-10",
    "3.8.1.2-5",
    "3.8.1.2-6",
    "3.8.1.2-7",
    "3.8.1.2-9",
    "3.8.1.2-11",
    "3.8.1.2-13",
    "3.8.1.1-58",
    variant="mirrored",
)
def test_unknown_comparisons_with_a_property_on_the_right_join_alike(case: Case) -> None:
    """Comparisons for equality whose right side is a missing property are unknown wherever NOT, AND and OR join them."""
    _judge_joined(case, MIRRORED)


@asserts(
    "3.8.1.2-10",
    "3.8.1.2-5",
    "3.8.1.2-6",
    "3.8.1.2-7",
    "3.8.1.2-9",
    "3.8.1.2-11",
    "3.8.1.2-13",
    "3.8.1.2-1",
    "3.8.1.1-92",
    "3.8.1.1-77",
    "3.8.1.1-73",
    variant="conditions",
)
def test_unknown_conditions_join_alike(case: Case) -> None:
    """Orderings, LIKE, IN and BETWEEN of a missing property are unknown wherever NOT, AND and OR join them."""
    _judge_joined(case, CONDITIONS)


@asserts("3.8.1.2-12")
def test_not_of_true_and_false(case: Case) -> None:
    """NOT exchanges true and false, and twice it changes nothing."""
    wanted = {"NOT p": "ft ff", "NOT (NOT p)": "tt tf", "NOT p = FALSE": "tt tf", "NOT (NOT (NOT p))": "ft ff"}
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)


@asserts("3.8.1.2-13")
def test_not_of_unknown(case: Case) -> None:
    """NOT unknown is unknown."""
    wanted = {"NOT f": ALL, "NOT m": "", "NOT (NOT m)": "", "NOT (m = 1)": "", "NOT (NOT (m = 1))": ""}
    expect.equal("messages chosen", chosen(case, VALUES, wanted), wanted)
