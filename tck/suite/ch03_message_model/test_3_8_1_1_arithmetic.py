"""3.8.1.1 Message selector syntax: arithmetic."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen

FIVE: Samples = {"five": {"n": 5, "a": 1, "b": 2}, "minus": {"n": -5, "a": -1, "b": -2}}
SIGNED: Samples = {
    "five": {**FIVE["five"], "d": 2e30, "f": api.Float(1.5), "l": api.Long(2**40)},
    "minus": {**FIVE["minus"], "d": -2e30, "f": api.Float(-1.5), "l": api.Long(-(2**40))},
}
"""Numbers of each type, with either sign."""


@asserts("3.8.1.1-5")
def test_one_level_is_computed_from_the_left(case: Case) -> None:
    """Operators of one precedence are applied from left to right."""
    samples: Samples = {"m": {"a": 10, "b": 4, "c": 3, "d": 24, "e": 2}}
    # Every quotient is whole: that exact numbers are divided as such is 3.8.1.1-66.
    right = ("10 - 4 - 3 = 3", "a - b - c = 3", "24 / 4 / 2 = 3", "d / b / e = 3", "24 / 4 * 2 = 12", "a - b + c = 9")
    wrong = ("a - b - c = 9", "d / b / e = 12", "d / b * e = 3", "a - b + c = 3")
    wanted = {**dict.fromkeys(right, "m"), **dict.fromkeys(wrong, "")}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-46")
def test_arithmetic_is_composed(case: Case) -> None:
    """Names, numbers and operations make expressions on both sides of a comparison."""
    samples: Samples = {
        "more": {"a": 9, "b": 2, "c": 4, "d": 4},
        "equal": {"a": 6, "b": 2, "c": 4, "d": 4},
        "less": {"a": 1, "b": 2, "c": 4, "d": 4},
    }
    wanted = {
        "a + b * 2 - c / 4 > (d - 1) * 3": "more",
        "a + b * 2 - c / 4 = (d - 1) * 3": "equal",
        "a + b * 2 - c / 4 < (d - 1) * 3": "less",
        "9 = a": "more",
        "d - 3 = a": "less",
        "JMSPriority * 2 = a + 2": "equal",
        "a * (JMSTimestamp - 1) < JMSTimestamp": "less",
        "a" + " + 1" * 60 + " = 69": "more",
        "a" + " - b + c" * 40 + " = 86": "equal",
    }
    headers = {
        "JMSPriority * 2 = a + 2": "JMSPriority = 4",
        "a * (JMSTimestamp - 1) < JMSTimestamp": "JMSTimestamp > 0",
    }
    seen = chosen(case, samples, wanted | dict.fromkeys(headers.values(), " ".join(samples)))
    for text, alone in headers.items():
        if seen.pop(alone) != " ".join(samples):  # the header cannot be selected by, which 3.8.1.1-35 and -37 report
            del seen[text], wanted[text]
    expect.equal("messages chosen", seen, wanted)


@asserts("3.8.1.1-63")
def test_signs(case: Case) -> None:
    """Plus and minus may stand before names, numbers, parentheses and other signs."""
    wanted = {
        "-n = -5": "five",
        "+n = 5": "five",
        "-(a + b) < 0": "five",
        "- -n = 5": "five",
        "-n = 5": "minus",
        "- + n = 5": "minus",
        "+(-n) = 5": "minus",
        "-d < -1e30": "five",
        "-d > 1e30": "minus",
        "+d > 1e30": "five",
        "-f = -1.5": "five",
        "-l = -1099511627776": "five",
        "-l > l": "minus",
    }
    expect.equal("messages chosen", chosen(case, SIGNED, wanted), wanted)


@asserts("3.8.1.1-64")
def test_signs_bind_tightest(case: Case) -> None:
    """A sign belongs to the operand behind it, before anything is multiplied or divided."""
    samples: Samples = {"m": {"a": 6, "b": 2}, "n": {"a": -6, "b": 2}}
    wanted = {
        "-a * b = -12": "m",
        "a * -b = -12": "m",
        "-a / -b = 3": "m",
        "a / -b = -3": "m",
        "-a + b = 8": "n",
        "10 - -a = 4": "n",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-65")
def test_products_before_sums(case: Case) -> None:
    """Multiplication and division are done before addition and subtraction."""
    samples: Samples = {"m": {"a": 2, "b": 3, "c": 4, "d": 20, "e": 8}}
    right = ("a + b * c = 14", "d - e / c = 18", "b * c + a = 14", "a * b - c * a = -2", "2 + 3 * 4 = 14")
    wanted = {**dict.fromkeys(right, "m"), "a + b * c = 20": "", "d - e / c = 3": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-66")
def test_division_of_exact_numbers_truncates(case: Case) -> None:
    """Exact numbers give an exact one in the wider type of the two; dividing them truncates towards zero."""
    samples: Samples = {
        "m": {"a": 7, "b": 2, "l": api.Long(7), "s": api.Byte(2), "w": api.Long(2**40)},
        "n": {"a": -7, "b": 2, "l": api.Long(-7), "s": api.Byte(2), "w": api.Long(2**40)},
    }
    wanted = {
        "a / b = 3": "m",
        "a / b = -3": "n",
        "l / s = 3": "m",
        "a / 2 = 3": "m",
        "7 / b = 3": "m n",
        "w + a = 1099511627783": "m",
        "a + w = 1099511627783": "m",
        "w - b = 1099511627774": "m n",
        "a * w = -7696581394432": "n",
        "w / b = 549755813888": "m n",
        "a + 3000000000 = 3000000007": "m",
        "a / b = 3.5": "",
        "a / b = -4": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-67")
def test_mixed_arithmetic_is_approximate(case: Case) -> None:
    """An exact and an approximate operand give an approximate result, of the type that Java gives."""
    samples: Samples = {"m": {"a": 7, "b": 2.0, "l": api.Long(2**24), "f": api.Float(1.0), "h": api.Float(0.5)}}
    right = (
        "a / b = 3.5",
        "b / a < 0.3",
        "b / a > 0.2",
        "a / 2.0 = 3.5",
        "a * 0.5 = 3.5",
        "l + f = 16777216.0",
        "a - b = 5.0",
        "f + l = 16777216.0",
        "b < 1e308 * 10",
        "a + h = 7.5",
        "h + a = 7.5",
        "h - a = -6.5",
        "a * h = 3.5",
        "h / a < 0.1",
        "b + h = 2.5",
        "h + 7 = 7.5",
    )
    wanted = {**dict.fromkeys(right, "m"), "a / b = 3": "", "l + f = 16777217.0": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-68")
def test_small_types_become_int(case: Case) -> None:
    """Bytes and shorts are computed as int."""
    samples: Samples = {
        "m": {"a": api.Byte(100), "b": api.Byte(100), "s": api.Short(30_000)},
        "n": {"a": api.Byte(-100), "b": api.Byte(100), "s": api.Short(-30_000)},
    }
    wanted = {
        "a + b = 200": "m",
        "a + a = -200": "n",
        "s + s = 60000": "m",
        "s * a = 3000000": "m n",
        "a + b = -56": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-69")
def test_int_arithmetic_at_its_limit(case: Case) -> None:
    """The largest int and one: whether the sum wraps around or widens is recorded."""
    samples: Samples = {"m": {"a": 2**31 - 1, "b": 1}}
    texts = {"a + b = -2147483648": "int arithmetic wraps around", "a + b = 2147483648": "int arithmetic widens"}
    seen = chosen(case, samples, {"a + 0 = 2147483647": "m", **dict.fromkeys(texts, "")})
    expect.equal("the largest int itself", seen["a + 0 = 2147483647"], "m")
    expect.record(" and ".join(text for key, text in texts.items() if seen[key]) or "int arithmetic does neither")


@asserts("3.8.1.1-112")
def test_division_by_zero(case: Case) -> None:
    """Dividing by zero: what it chooses is recorded, and other messages go on being chosen."""
    samples: Samples = {"zero": {"n": 1, "d": 0}, "one": {"n": 1, "d": 1}}
    wanted = {"n / d = 1": "one", "NOT (n / d = 2)": "one", "n / d = 1 OR n = 1": "one"}
    seen = chosen(case, samples, wanted)
    expect.true("messages that divide by one are chosen", all("one" in names for names in seen.values()), f"{seen!r}")
    others = [text for text, names in seen.items() if "zero" in names]
    expect.record(f"with a division by zero, chosen by {others!r}" if others else "a division by zero is never chosen")
