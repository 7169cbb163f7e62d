"""3.8.1.1 Message selector syntax: literals, and white space between them."""

from __future__ import annotations

import itertools

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen

MAX_LONG = 2**63 - 1
UNICODE: Samples = {
    "accent": {"s": "gr\u00f6\u00dfer"},
    "han": {"s": "\u6771\u4eac"},
    "far": {"s": "\U0001f600"},
    "narrow": {"s": "q\u00ac"},
    "plain": {"s": "x"},
}
ESCAPED: Samples = {"one": {"s": "literal's"}, "two": {"s": "literal''s"}, "quote": {"s": "'"}, "none": {"s": ""}}
NUMBERS: Samples = {
    "29": {"n": 29},
    "35": {"n": 35},
    "57": {"n": 57},
    "62": {"n": api.Byte(62)},
    "255": {"n": api.Short(255)},
    "-957": {"n": api.Long(-957)},
    "-57": {"n": -57},
    "0": {"n": 0},
}


@asserts("3.8.1.1-10")
def test_text_stands_in_single_quotes(case: Case) -> None:
    """A string literal in single quotes equals just the text between them, also if there is none."""
    samples: Samples = {
        "blue": {"color": "blue"},
        "red": {"color": "red"},
        "empty": {"color": ""},
    }
    wanted = {"color = 'blue'": "blue", "color = ''": "empty", "color <> ''": "blue red"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


WORDS = (
    "JMSPriority = 4",
    "JMSMessageID",
    "JMSTimestamp",
    "JMSType",
    "JMSXGroupID",
    "n = 1 OR TRUE",
    "NOT NULL",
    "(1 + 2)",
    "a; b",
    "-- c",
    "/* d */",
    "a, b",
    "a\\nb",
    '"quoted"',
    "%",
    "_",
    "$x {y} #z @w ?v :u",
    "a  b",
    "\t",
    "0x1F",
    "1e3",
    "x" * 300,
    "größer 東京",
)
"""Texts of literals that mean something elsewhere in a selector, or in the languages that selectors are translated to."""


@asserts("3.8.1.1-10", variant="words")
def test_text_in_quotes_is_no_part_of_the_selector(case: Case) -> None:
    """Words, signs and names of headers between quotes are text, in comparisons and in lists."""
    samples: Samples = {f"m{at}": {"s": word} for at, word in enumerate(WORDS)}
    wanted = {f"s = '{word}'": f"m{at}" for at, word in enumerate(WORDS)}
    wanted |= {
        f"s IN ('{one}', '{two}')": f"m{at} m{at + 1}" for at, (one, two) in enumerate(itertools.pairwise(WORDS))
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-11")
def test_a_quote_in_text_is_doubled(case: Case) -> None:
    """Two single quotes within a literal are one."""
    wanted = {
        "s = 'literal''s'": "one",
        "s = 'literal''''s'": "two",
        "s = ''''": "quote",
        "s IN ('x', 'literal''s')": "one",
        "s LIKE 'literal''_'": "one",
        "'literal''s' = s": "one",
        "s NOT IN ('literal''s', 'literal''''s')": "quote",
    }
    samples = {name: sample for name, sample in ESCAPED.items() if sample["s"]}  # LIKE on the empty text is 3.8.1.1-82
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-12")
def test_text_may_be_of_any_script(case: Case) -> None:
    """Accents, other scripts and characters beyond 16 bits in a literal equal the same text in a property."""
    wanted = {f"s = '{sample['s']}'": name for name, sample in UNICODE.items()}
    expect.equal("messages chosen", chosen(case, UNICODE, wanted), wanted)


@asserts("3.8.1.1-13")
def test_an_exact_number_has_no_point(case: Case) -> None:
    """Digits without a point, with or without a sign, equal the whole numbers of every type."""
    wanted = {"n = 57": "57", "n = -957": "-957", "n = +62": "62", "n = 255": "255", "n = -57": "-57", "n = 0": "0"}
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


@asserts("3.8.1.1-14")
def test_exact_numbers_have_the_range_of_long(case: Case) -> None:
    """The largest and the smallest long can be written, and differ from their neighbours."""
    numbers = {"top": MAX_LONG, "below": MAX_LONG - 1, "bottom": -MAX_LONG - 1, "above": -MAX_LONG, "wide": 2**31}
    samples: Samples = {name: {"n": api.Long(number)} for name, number in numbers.items()}
    wanted = {f"n = {number}": name for name, number in numbers.items()}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-15")
def test_an_exact_number_may_be_hexadecimal(case: Case) -> None:
    """0x or 0X begins a hexadecimal number, in digits of either case."""
    wanted = {"n = 0x1D": "29", "n = 0Xff": "255", "n = 0x0": "0", "n = -0x39": "-57"}
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


@asserts("3.8.1.1-16")
def test_a_leading_zero_makes_it_octal(case: Case) -> None:
    """A number that begins with zero is octal."""
    wanted = {"n = 035": "29", "n = 043": "35", "n = 0377": "255", "n = 00": "0"}
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


@asserts("3.8.1.1-17")
def test_an_exact_number_may_end_in_l(case: Case) -> None:
    """The suffix of long, in either case, makes no difference."""
    wanted = {"n = 57L": "57", "n = 57l": "57", "n = -957L": "-957", "n = 0L": "0"}
    expect.equal("messages chosen", chosen(case, NUMBERS, wanted), wanted)


def _doubles(**numbers: float) -> Samples:
    return {name: {"x": number} for name, number in numbers.items()}


@asserts("3.8.1.1-18")
def test_an_approximate_number_may_be_scientific(case: Case) -> None:
    """An exponent, in either case and with either sign, counts."""
    samples = _doubles(large=7000.0, negative=-5790.0, small=0.001, seven=7.0, one=1.0)
    wanted = {
        "x = 7E3": "large",
        "x = -57.9E2": "negative",
        "x = 1e-3": "small",
        "x = 7e+3": "large",
        "x = 7E0": "seven",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-19")
def test_an_approximate_number_has_a_point(case: Case) -> None:
    """A point makes a number approximate, also with nothing before or after it."""
    samples = _doubles(seven=7.0, negative=-95.7, plus=6.2, half=0.5)
    wanted = {"x = 7.": "seven", "x = -95.7": "negative", "x = +6.2": "plus", "x = .5": "half", "x = 7.0": "seven"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-20")
def test_approximate_numbers_have_the_range_of_double(case: Case) -> None:
    """The largest and the smallest double can be written."""
    samples = _doubles(top=1.7976931348623157e308, next=1.7976931348623155e308, least=5e-324, zero=0.0, tenth=0.1)
    wanted = {
        "x = 1.7976931348623157E308": "top",
        "x > 1.7976931348623155E308": "top",
        "x = 4.9E-324": "least",
        "x = 0.1": "tenth",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-21")
def test_an_approximate_number_may_end_in_f_or_d(case: Case) -> None:
    """The suffixes of float and double, in either case, are accepted after a point or an exponent; `7f`, which has neither, is recorded."""
    samples = _doubles(x15=1.5, x7=7.0, x0=0.0)
    wanted = {
        "x = 1.5f": "x15",
        "x = 1.5F": "x15",
        "x = 1.5d": "x15",
        "x = 1.5D": "x15",
        "x = 7e0d": "x7",
        "x = 7.0F": "x7",
        "x = 7.0d": "x7",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
    link = case.link()
    refused = expect.works_or(
        case.thrown(api.InvalidSelectorException), lambda: link.client.consumer(link.destination, "x = 7f")
    )
    expect.record(f"7f is {'refused' if refused else 'accepted'}")


@asserts("3.8.1.1-22")
def test_a_boolean_compares_with_true_and_false(case: Case) -> None:
    """TRUE equals true, FALSE equals false."""
    samples: Samples = {"yes": {"flag": True}, "no": {"flag": False}}
    wanted = {"flag = TRUE": "yes", "flag = FALSE": "no", "flag <> TRUE": "no", "FALSE <> flag": "yes"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-23")
def test_true_and_false_are_conditions(case: Case) -> None:
    """A boolean literal alone is a condition, and a part of one."""
    samples: Samples = {"one": {"n": 1}, "two": {"n": 2}}
    wanted = {"TRUE": "one two", "FALSE": "", "FALSE OR n = 1": "one", "TRUE AND n = 2": "two", "NOT FALSE": "one two"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-44")
def test_white_space_is_that_of_java(case: Case) -> None:
    """Blank, tab, form feed and line ends divide tokens alike, alone and in runs, and may begin and end a selector."""
    samples: Samples = {"one": {"n": 1, "s": "a"}, "two": {"n": 2, "s": "a"}, "three": {"n": 1, "s": "b"}}
    tokens = ("n", "=", "1", "AND", "s", "IN", "(", "'a'", ",", "'c'", ")")
    gaps = (" ", "\t", "\f", "\n", "\r", "\r\n", " \t\f\r\n ")
    texts = [gap.join(tokens) for gap in gaps] + [f"{gap}n=1 AND s<>'b'{gap}" for gap in gaps]
    wanted = dict.fromkeys(texts, "one")
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-111")
def test_newer_literals_of_java(case: Case) -> None:
    """Binary literals, grouped digits and hexadecimal fractions: accepted or refused, each is recorded."""
    link = case.link()
    link.carry(link.text("x"))
    forms = {"0b101": "binary", "1_000": "grouped", "0x1.8p1": "hexadecimal fraction"}
    seen = [
        f"{name} {'refused' if expect.works_or(case.thrown(api.InvalidSelectorException), lambda t=text: link.client.consumer(link.destination, f'n = {t}')) else 'accepted'}"  # type: ignore[misc]
        for text, name in forms.items()
    ]
    expect.record(", ".join(seen))
