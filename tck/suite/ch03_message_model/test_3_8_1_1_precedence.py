"""3.8.1.1 Message selector syntax: conditions, their order, parentheses and spelling."""

from __future__ import annotations

import itertools

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen, generated, table
from tck.suite.support.selectors.spelling import SPELLINGS

COMBINATIONS: Samples = {
    "".join("tf"[not value] for value in values): dict(zip("abc", values, strict=True))
    for values in itertools.product((True, False), repeat=3)
}
CARS: Samples = {
    "wanted": {"JMSType": "car", "color": "blue", "weight": 2501},
    "type": {"JMSType": "bike", "color": "blue", "weight": 2501},
    "color": {"JMSType": "car", "color": "red", "weight": 2501},
    "weight": {"JMSType": "car", "color": "blue", "weight": 2300},
    "none": {"JMSType": "car", "color": "blue"},
}
MIXED: Samples = {
    "one": {"i": 3, "k": 1, "s": "a", "p": True, "t": "it's"},
    "two": {"i": -2, "k": 2, "s": "ab", "t": "a", "q": False},
    "three": {"i": 7, "t": "ab", "p": False, "q": True},
    "four": {"k": 0, "s": "b", "p": True},
}


def _when(condition: object) -> str:
    """Name the combinations of a, b and c for which a function of them is true."""
    return " ".join(name for name, values in COMBINATIONS.items() if condition(**values))  # type: ignore[operator]


@asserts("3.8.1.1-4")
def test_conditions_are_combined(case: Case) -> None:
    """Comparisons of a header and of properties, joined, choose what fulfils all."""
    wanted = {
        "JMSType = 'car' AND color = 'blue' AND weight > 2500": "wanted",
        "JMSType = 'car' AND color = 'blue' AND weight = 2300": "weight",
        "JMSType LIKE 'b%' OR color IN ('red') OR weight BETWEEN 2200 AND 2400": "type color weight",
        "weight IS NULL AND NOT color <> 'blue' AND JMSType = 'car'": "none",
        "color = 'blue' AND (weight - 1) * 2 >= 5000 AND JMSType NOT IN ('bike')": "wanted",
    }
    expect.equal("messages chosen", chosen(case, CARS, wanted), wanted)


@asserts("3.8.1.1-4", variant="generated")
def test_generated_conditions(case: Case) -> None:
    """Conditions made at random, of all operators and in all spellings, choose what three-valued logic says."""
    wanted = table(generated(4, 40), MIXED, SPELLINGS)
    expect.equal("messages chosen", chosen(case, MIXED, wanted), wanted)


@asserts("3.8.1.1-6")
def test_parentheses_change_the_order(case: Case) -> None:
    """What stands in parentheses is evaluated first, among conditions and in arithmetic."""
    everything = " ".join(COMBINATIONS)
    wanted = {
        "(a OR b) AND c": _when(lambda a, b, c: (a or b) and c),
        "a AND (b OR c)": _when(lambda a, b, c: a and (b or c)),
        "NOT (a AND b)": _when(lambda a, b, c: not (a and b)),  # noqa: ARG005 # all take the three
        "(1 + 2) * 3 = 9": everything,
        "10 - (4 - 3) = 9": everything,
        "24 / (4 / 2) = 12": everything,
        "-(2 + 3) = -5": everything,
    }
    expect.equal("messages chosen", chosen(case, COMBINATIONS, wanted), wanted)


@asserts("3.8.1.1-7")
def test_parentheses_nest(case: Case) -> None:
    """Fifty pairs of parentheses may stand around a condition, and around an operand."""
    samples: Samples = {"one": {"n": 1}, "two": {"n": 2}}
    left, right = "(" * 50, ")" * 50
    wanted = {
        f"{left}n = 1{right}": "one",
        f"{left}n{right} = 1": "one",
        f"n = {left}1{right}": "one",
        "(n = 1)": "one",
        "(" * 20 + "n" + " + 1)" * 20 + " = 22": "two",
        "NOT (" * 20 + "n = 2" + ")" * 20: "two",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-8")
def test_operators_in_any_case(case: Case) -> None:
    """The words of operators mean the same in any case."""
    samples: Samples = {"a": {"n": 1, "m": 1, "s": "a%"}, "b": {"n": 2, "m": 2, "s": "b"}, "c": {"m": 3, "s": "c"}}
    texts = {
        "m between 1 and 1": "a",
        "m Not bEtWeEn 1 anD 1": "b c",
        "s like 'a%'": "a",
        "s Like '_!%' eScApE '!'": "a",
        "s in ('b', 'c')": "b c",
        "s nOt iN ('b')": "a c",
        "n is null": "c",
        "n Is nOt nuLL": "a b",
        "n = 1 or s = 'b'": "a b",
        "not (s = 'b') And n = 1": "a",
    }
    expect.equal("messages chosen", chosen(case, samples, texts), texts)


@asserts("3.8.1.1-9")
def test_literals_in_any_case(case: Case) -> None:
    """TRUE, FALSE and NULL mean the same in any case."""
    samples: Samples = {"yes": {"flag": True}, "no": {"flag": False}, "none": {"n": 1}}
    wanted = {
        "flag = true": "yes",
        "flag = False": "no",
        "flag = tRUE": "yes",
        "flag IS null": "none",
        "flag IS NOT Null": "yes no",
        "flag = FALSE OR false": "no",
        "true AND n = 1": "none",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-47")
def test_a_boolean_property_is_a_condition(case: Case) -> None:
    """The name of a boolean property alone is a condition; one of another type or none is not chosen by it."""
    samples: Samples = {
        "yes": {"flag": True, "n": 1},
        "no": {"flag": False, "n": 1},
        "text": {"flag": "true", "n": 1},
        "number": {"flag": 1, "n": 1},
    }
    wanted = {
        "flag": "yes",
        "flag AND n = 1": "yes",
        "n = 2 OR flag": "yes",
        "(flag)": "yes",
        "flag = FALSE AND NOT flag": "no",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-48")
def test_not_before_and(case: Case) -> None:
    """NOT applies to what stands right behind it, not to all that AND and OR join."""
    wanted = {
        "NOT a AND b": _when(lambda a, b, c: not a and b),  # noqa: ARG005 # all take the three
        "NOT a OR b": _when(lambda a, b, c: not a or b),  # noqa: ARG005 # all take the three
        "a AND NOT b AND c": _when(lambda a, b, c: a and not b and c),
        "NOT a = TRUE AND b = TRUE": _when(lambda a, b, c: not a and b),  # noqa: ARG005 # all take the three
    }
    expect.equal("messages chosen", chosen(case, COMBINATIONS, wanted), wanted)


def _of(prefix: str, holds: object) -> dict[str, object]:
    """Return properties for which each form of a condition holds, or does not."""
    found: dict[str, object] = {f"{prefix}n": 1 if holds else 2, f"{prefix}s": "one" if holds else "two"}
    return {**found, f"{prefix}t": "t"} if holds else found


FORMED: Samples = {
    name: {**_of("a_", one["a"]), **_of("b_", one["b"]), **_of("c_", one["c"])} for name, one in COMBINATIONS.items()
}
"""The combinations of three conditions, of any form."""


def _joined(case: Case, *forms: str) -> None:
    """Demand that NOT, AND and OR join conditions of these forms as they join boolean properties, without a bracket.

    Each form is a condition of the properties with a prefix, `{p}`. Behind it are conditions of its own form and plain ones.
    """
    negated: dict[str, str] = {}
    joined: dict[str, str] = {}
    for form in forms:
        a, own, c = form.format(p="a_"), form.format(p="b_"), "c_s = 'one'"
        for b in (own, "b_s = 'one'"):
            negated[f"NOT {a} AND {b}"] = _when(lambda a, b, c: not a and b)  # noqa: ARG005 # all take the three
            negated[f"NOT {a} OR {c}"] = _when(lambda a, b, c: not a or c)  # noqa: ARG005 # likewise
            negated[f"NOT {a} AND {b} AND {c}"] = _when(lambda a, b, c: not a and b and c)
            negated[f"{c} AND NOT {a} AND {b}"] = _when(lambda a, b, c: c and not a and b)
            negated[f"{c} OR NOT {a} AND {b}"] = _when(lambda a, b, c: c or (not a and b))
            negated[f"NOT {a} AND NOT {b} OR {c}"] = _when(lambda a, b, c: (not a and not b) or c)
            joined[f"{a} OR {b} AND {c}"] = _when(lambda a, b, c: a or (b and c))
            joined[f"{c} AND {b} OR {a}"] = _when(lambda a, b, c: (c and b) or a)
            joined[f"{a} AND {b} OR {c}"] = _when(lambda a, b, c: (a and b) or c)
    with expect.all_of():
        for row, wanted in (("3.8.1.1-48", negated), ("3.8.1.1-49", joined)):
            with expect.for_row(row):
                expect.equal("messages chosen", chosen(case, FORMED, wanted), wanted)


@asserts("3.8.1.1-48", "3.8.1.1-49", variant="equality")
def test_equalities_join_without_brackets(case: Case) -> None:
    """NOT before a comparison by = or <> negates this alone, and AND joins it before OR does."""
    _joined(case, "{p}n = 1", "{p}s = 'one'", "{p}n <> 2")


@asserts("3.8.1.1-48", "3.8.1.1-49", variant="order")
def test_orderings_join_without_brackets(case: Case) -> None:
    """NOT before an ordering, of a computed value too, negates this alone, and AND joins it before OR does."""
    _joined(case, "{p}n < 2", "{p}n + 1 <= 2", "2 > {p}n")


@asserts("3.8.1.1-48", "3.8.1.1-49", variant="like")
def test_patterns_join_without_brackets(case: Case) -> None:
    """NOT before LIKE, with an escape too, and before NOT LIKE negates this alone, and AND joins it before OR does."""
    _joined(case, "{p}s LIKE 'o%'", "{p}s LIKE 'on_' ESCAPE '!'", "{p}s NOT LIKE 't%'")


@asserts("3.8.1.1-48", "3.8.1.1-49", variant="in")
def test_lists_join_without_brackets(case: Case) -> None:
    """NOT before IN and before NOT IN negates this alone, and AND joins it before OR does."""
    _joined(case, "{p}s IN ('one', 'uno')", "{p}s NOT IN ('two', 'due')")


@asserts("3.8.1.1-48", "3.8.1.1-49", variant="between")
def test_ranges_join_without_brackets(case: Case) -> None:
    """NOT before BETWEEN and before NOT BETWEEN negates this alone, and AND joins it before OR does."""
    _joined(case, "{p}n BETWEEN 0 AND 1", "{p}n NOT BETWEEN 2 AND 3")


@asserts("3.8.1.1-48", "3.8.1.1-49", variant="null")
def test_tests_for_null_join_without_brackets(case: Case) -> None:
    """NOT before IS NULL and before IS NOT NULL negates this alone, and AND joins it before OR does."""
    _joined(case, "{p}t IS NOT NULL")


@asserts("3.8.1.1-49")
def test_and_before_or(case: Case) -> None:
    """AND joins before OR does, whichever comes first."""
    wanted = {
        "a OR b AND c": _when(lambda a, b, c: a or (b and c)),
        "a AND b OR c": _when(lambda a, b, c: (a and b) or c),
        "a OR NOT b AND c": _when(lambda a, b, c: a or (not b and c)),
    }
    expect.equal("messages chosen", chosen(case, COMBINATIONS, wanted), wanted)


@asserts("3.8.1.1-113")
def test_a_condition_as_operand(case: Case) -> None:
    """Comparing a condition with TRUE: whether it is accepted, and what it chooses, is recorded."""
    text = "(n > 1) = TRUE"
    link = case.link(consumes=False)
    refused = expect.works_or(
        case.thrown(api.InvalidSelectorException), lambda: link.client.consumer(link.destination, text).close()
    )
    wanted = {"n > 1": "two", **({} if refused else {text: "two"})}
    seen = chosen(case, {"one": {"n": 1}, "two": {"n": 2}}, wanted)
    expect.equal("messages chosen by the condition itself", seen["n > 1"], "two")
    expect.record(
        "a condition cannot be compared"
        if refused
        else f"(n > 1) = TRUE chooses {seen[text]!r} where n > 1 chooses 'two'"
    )
