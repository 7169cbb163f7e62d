"""3.8.1.1 Message selector syntax: LIKE."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen, refused

SIGNS = ".*+?[](){}^$|"


def _texts(*texts: str, **others: object) -> Samples:
    """Return samples with a text as property `s`, named by letters."""
    lettered: dict[str, object] = dict(zip("abcdefghijklmnopqr", texts, strict=False))
    return {name: {"s": value} for name, value in (lettered | others).items()}


@asserts("3.8.1.1-82")
def test_percent_is_any_sequence(case: Case) -> None:
    """% stands for any characters, also for none."""
    samples = _texts("123", "12993", "1234", "xay", "a")
    wanted = {"s LIKE '12%3'": "a b", "s LIKE '%'": "a b c d e", "s LIKE '%a%'": "d e", "s LIKE '%%3'": "a b"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
    wanted = {"s LIKE '%'": "a b", "s LIKE '%%'": "a b"}
    expect.equal("messages chosen, one text empty", chosen(case, _texts("", "x"), wanted), wanted)


@asserts("3.8.1.1-83")
def test_underscore_is_one_character(case: Case) -> None:
    """_ stands for just one character."""
    samples = _texts("lose", "loose", "lse", "l_se")
    wanted = {"s LIKE 'l_se'": "a d", "s LIKE 'l__se'": "b"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
    wanted = {"s LIKE '_'": "b", "s LIKE '__'": "c", "s LIKE '_%'": "b c"}
    expect.equal("messages chosen, one text empty", chosen(case, _texts("", "x", "xy"), wanted), wanted)


@asserts("3.8.1.1-84")
def test_other_signs_stand_for_themselves(case: Case) -> None:
    """Signs that mean something in regular expressions mean nothing in a pattern."""
    samples: Samples = {f"m{at}": {"s": f"a{sign}b"} for at, sign in enumerate(SIGNS)}
    samples |= {"plain": {"s": "ab"}, "double": {"s": "aab"}, "other": {"s": "axb"}}
    wanted = {f"s LIKE '_{sign}b'": f"m{at}" for at, sign in enumerate(SIGNS)}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-84", variant="empty")
def test_a_sign_is_not_in_the_empty_text(case: Case) -> None:
    """A pattern with a sign does not match the empty text, and NOT LIKE does."""
    wanted = {"s LIKE 'lose'": "b", "s LIKE '12%3'": "", "s LIKE 'l_se'": "b", "s NOT LIKE 'lose'": "a"}
    expect.equal("messages chosen", chosen(case, _texts("", "lose"), wanted), wanted)


EXPRESSIONS = ("[ax]b", "[^c]b", "a{2}", "(ab)", "a|b", "ab?", "ab+", "a.*b", "^ab$", "[[:alpha:]]", "a[b", "ab#")
"""Texts that regular expressions, globs or other dialects of LIKE take for more than their signs."""


@asserts("3.8.1.1-84", variant="expressions")
def test_expressions_of_other_languages_stand_for_themselves(case: Case) -> None:
    """Classes, repetitions, groups and anchors in a pattern match their own signs and nothing else."""
    samples: Samples = {f"m{at}": {"s": text} for at, text in enumerate(EXPRESSIONS)}
    samples |= {f"p{at}": {"s": text} for at, text in enumerate(("ab", "xb", "aa", "a", "b", "abb", "aab", "x", "acb"))}
    wanted = {f"s LIKE '{text}'": f"m{at}" for at, text in enumerate(EXPRESSIONS)}
    samples |= {f"u{at}": {"s": f"u{text}u"} for at, text in enumerate(EXPRESSIONS)}
    wanted |= {f"s LIKE '{text}%'": f"m{at}" for at, text in enumerate(EXPRESSIONS)}
    wanted |= {f"s LIKE '_{text}_'": f"u{at}" for at, text in enumerate(EXPRESSIONS)}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-85")
def test_a_pattern_matches_the_whole(case: Case) -> None:
    """A pattern without a wildcard at an end is tied to that end of the value."""
    samples = _texts("123", "1234", "0123", "abc", "abcd", "xabc", "abc\n")
    wanted = {"s LIKE '12%3'": "a", "s LIKE 'abc'": "d", "s LIKE ''": "", "s LIKE 'a_c'": "d", "s LIKE '%c'": "d f"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
    wanted = {"s LIKE ''": "a"}
    expect.equal("messages chosen, one text empty", chosen(case, _texts("", "x"), wanted), wanted)


@asserts("3.8.1.1-86")
def test_without_escape_a_backslash_is_a_sign(case: Case) -> None:
    """Without ESCAPE a backslash stands for itself, and a wildcard behind it is one."""
    samples = _texts("\\xy", "_xy", "\\", "a\\b", "a%b")
    wanted = {"s LIKE '\\_%'": "a", "s LIKE 'a\\%'": "d", "s LIKE '\\%'": "a c"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-87")
def test_wildcards_stand_for_line_ends_too(case: Case) -> None:
    """% and _ stand for line ends as for any character."""
    samples = _texts("a\nb", "a\rb", "a\r\nb", "axb", "a\u2028b", "ab\n")
    wanted = {"s LIKE 'a%b'": "a b c d e", "s LIKE 'a_b'": "a b d e", "s LIKE 'a__b'": "c", "s LIKE 'ab_'": "f"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-88")
def test_not_like_is_the_contrary(case: Case) -> None:
    """NOT LIKE chooses the texts that LIKE does not."""
    samples = _texts("123", "12993", "1234")
    wanted = {"s NOT LIKE '12%3'": "c", "s LIKE '12%3'": "a b", "s NOT LIKE '_%'": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
    wanted = {"s NOT LIKE '_%'": "a"}
    expect.equal("messages chosen, one text empty", chosen(case, _texts("", "x"), wanted), wanted)


@asserts("3.8.1.1-89")
def test_escape_makes_wildcards_plain(case: Case) -> None:
    """Behind the escape character % and _ stand for themselves, each time; elsewhere they are wildcards."""
    samples = _texts("_foo", "bar", "100%", "1000", "a_b_c", "axb_c", "a_bxc", "%_", "x_y")
    wanted = {
        "s LIKE '\\_%' ESCAPE '\\'": "a",
        "s LIKE '100!%' ESCAPE '!'": "c",
        "s LIKE 'a!_b!_c' ESCAPE '!'": "e",
        "s LIKE 'a!_b_c' ESCAPE '!'": "e g",
        "s LIKE '!%!_' ESCAPE '!'": "h",
        "s NOT LIKE 'a%!_%' ESCAPE '!'": "a b c d h i",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-90")
def test_any_character_may_escape(case: Case) -> None:
    """A sign, a letter, a quote, a wildcard or a sign of regular expressions serves as escape character."""
    samples = _texts("a%b", "axb", "%", "A%b")
    escapes = ("!", "\\", "^", "A", "''", ".", "*", "[", "$", "\u00e9", "_", "%")
    wanted = {f"s LIKE 'a{escape}%b' ESCAPE '{escape}'": "a" for escape in escapes}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-91")
def test_escape_takes_one_character(case: Case) -> None:
    """ESCAPE is followed by text of one character, and by nothing else."""
    ends = ("''", "'ab'", "x", "1", "")
    refused(case, [f"s LIKE 'a!%' ESCAPE {end}" for end in ends], neighbour="s LIKE 'a!%' ESCAPE '!'")


@asserts("3.8.1.1-92")
def test_like_on_null_is_unknown(case: Case) -> None:
    """LIKE and NOT LIKE on a property that is missing are unknown, and so are their negations."""
    samples: Samples = {"text": {"s": "a"}, "none": {"other": "a"}}
    wanted = {
        "s LIKE '%'": "text",
        "s NOT LIKE 'x%'": "text",
        "NOT (s LIKE 'x%')": "text",
        "NOT (s NOT LIKE '%')": "text",
        "s NOT LIKE '%'": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-93")
def test_like_knows_text_only(case: Case) -> None:
    """LIKE does not choose numbers and booleans, whatever they look like as text."""
    samples = _texts("123", "true", "1.5", number=123, flag=True, fraction=1.5)
    wanted = {"s LIKE '1_3'": "a", "s LIKE 't%'": "b", "s LIKE '1.5'": "c", "s LIKE '%'": "a b c"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-94")
def test_a_pattern_is_a_string_literal(case: Case) -> None:
    """LIKE is followed by a string literal, and by nothing else."""
    refused(case, ("s LIKE 7", "s LIKE other", "s LIKE TRUE", "s LIKE NULL"), neighbour="s LIKE '7'")


@asserts("3.8.1.1-105", variant="like")
def test_like_has_an_identifier_on_its_left(case: Case) -> None:
    """Literals and arithmetic are not matched with patterns."""
    refused(case, ("'abc' LIKE 'a%'", "a + 1 LIKE '2'", "5 LIKE '5'", "TRUE LIKE 'a%'"), neighbour="abc LIKE 'a%'")
