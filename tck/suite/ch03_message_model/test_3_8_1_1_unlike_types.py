"""3.8.1.1 Message selector syntax: comparisons of values of unlike types."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen, generated, table
from tck.suite.support.selectors.spelling import SPELLINGS

KINDS: Samples = {
    "five": {"n": 5},
    "six": {"n": 6},
    "real": {"n": 5.5},
    "text": {"n": "x"},
    "digit": {"n": "5"},
    "yes": {"n": True},
    "none": {},
}


UNLIKE: Samples = {
    "text": {"s": "2", "n": 7, "b": True},
    "number": {"s": 2, "n": 7, "b": 1},
    "word": {"s": "x", "n": 0, "b": "TRUE"},
}


@asserts("3.8.1.1-55")
def test_unlike_types_are_not_equal(case: Case) -> None:
    """Comparing values of unlike types chooses nothing, and does not disturb what comes after."""
    wanted = {
        "n = 5": "five",
        "n = 'x'": "text",
        "n = '5'": "digit",
        "n = TRUE": "yes",
        "'6' = n": "",
        "n = 5.5": "real",
    }
    expect.equal("messages chosen", chosen(case, KINDS, wanted), wanted)


@asserts("3.8.1.1-56")
def test_unlike_types_are_not_unequal(case: Case) -> None:
    """Comparing values of unlike types with <> chooses nothing either."""
    wanted = {"n <> 5": "six real", "n <> 'x'": "digit", "n <> TRUE": "", "FALSE <> n": "yes", "n <> 'y'": "text digit"}
    expect.equal("messages chosen", chosen(case, KINDS, wanted), wanted)


@asserts("3.8.1.1-57")
def test_unlike_types_give_false(case: Case) -> None:
    """Comparing values of unlike types is false and not unknown: its negation chooses the message."""
    wanted = {
        "NOT (s > 1)": "text word",
        "NOT (s = 2)": "text word",
        "NOT (s <> 2)": "text number word",
        "NOT (n = 'x')": "text number word",
        "NOT (b = 'TRUE')": "text number",
        "s > 1 OR n = 7": "text number",
        "NOT (s > n)": "text number word",
        "NOT (s >= n)": "text number word",
        "NOT (s < n)": "text word",
        "NOT (n >= s)": "text word",
        "NOT (n + 1 <= s)": "text number word",
        "NOT (s = n)": "text number word",
        "NOT (s <> n)": "text word",
    }
    expect.equal("messages chosen", chosen(case, UNLIKE, wanted), wanted)


@asserts("3.8.1.1-57", variant="generated")
def test_generated_conditions_with_unlike_types(case: Case) -> None:
    """Conditions made at random that compare unlike types too choose what three-valued logic says."""
    samples: Samples = {
        "one": {"i": 3, "k": 1, "s": "a", "p": True},
        "two": {"i": -2, "k": 2, "s": "ab", "t": "a", "q": False},
        "three": {"i": 7, "t": "1", "p": False, "q": True},
    }
    wanted = table(generated(57, 30, unlike=True), samples, SPELLINGS)
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-107")
def test_types_are_known_by_message_only(case: Case) -> None:
    """A selector is accepted whatever types its names turn out to have, and judged for each message anew."""
    wanted = {
        "n > 4": "five six real",
        "n = 'x'": "text",
        "n = TRUE": "yes",
        "n + 1 = 6": "five",
    }
    samples: Samples = {"none": KINDS["none"], "text": KINDS["text"], "five": KINDS["five"]}
    samples |= {name: KINDS[name] for name in ("yes", "six", "digit", "real")}
    wanted = {text: " ".join(name for name in samples if name in names.split()) for text, names in wanted.items()}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-114")
def test_in_1_0_exact_and_approximate_are_unlike(case: Case) -> None:
    """By version 1.0 an exact number does not compare with an approximate one."""
    samples: Samples = {"five": {"n": 5}, "two": {"d": 2.0}}
    wanted = {"n = 5": "five", "d = 2.0": "two", "n = 5.0": "", "n >= 4.5": "", "n < 5E1": "", "d = 2": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-115")
def test_in_1_0_unlike_types_decide_the_whole(case: Case) -> None:
    """By version 1.0 comparing unlike types makes the whole selector false, whatever stands around."""
    samples: Samples = {"text": {"s": "2", "n": 7}, "number": {"s": 0, "n": 7}}
    wanted = {"NOT (s > 1)": "number", "s > 1 OR n = 7": "number", "s = 2 OR TRUE": "number", "NOT (s = 2)": "number"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
