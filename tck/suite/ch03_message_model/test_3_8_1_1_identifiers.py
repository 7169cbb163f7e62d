"""3.8.1.1 Message selector syntax: identifiers, what may be one, and what stands behind it."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen, refused, refused_or_never

RESERVED = ("NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS")
TYPES: Samples = {
    "boolean": {"v": True},
    "byte": {"v": api.Byte(1)},
    "short": {"v": api.Short(1)},
    "int": {"v": api.Int(1)},
    "long": {"v": api.Long(1)},
    "float": {"v": api.Float(1.0)},
    "double": {"v": 1.0},
    "string": {"v": "1"},
    "word": {"v": "TRUE"},
}


def _named(*names: str) -> tuple[Samples, dict[str, str]]:
    """Return a sample for each name, with a property of that name, and selectors by these names."""
    samples: Samples = {f"m{at}": {name: 1} for at, name in enumerate(names)}
    return samples, {f"{name} = 1": f"m{at}" for at, name in enumerate(names)}


@asserts("3.8.1.1-24")
def test_an_identifier_begins_as_in_java(case: Case) -> None:
    """An identifier may begin with a letter of any script, an underscore or a currency sign."""
    samples, wanted = _named("_a", "$a", "\u00e9t\u00e9", "\u540d\u524d", "\u03b1", "\u0416", "\u20aca", "a")
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-25")
def test_an_identifier_goes_on_as_in_java(case: Case) -> None:
    """An identifier may go on with digits, underscores and currency signs, of any script."""
    samples, wanted = _named("a1", "a_b", "a$b", "a\u0663", "a\u0301", "a", "ab")
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-25", variant="words")
def test_an_identifier_may_begin_and_end_with_a_word_of_the_syntax(case: Case) -> None:
    """Identifiers that begin with, end with or hold a reserved word or a literal's name, in three cases of letters, are whole."""
    ends, starts = ("ICE", "_", "1", "$x"), ("x", "_", "$")
    words = (*RESERVED, "NULL", "TRUE", "FALSE", "ESCAPE")
    whole = [f"{word}{ends[at % 4]}" for at, word in enumerate(words)]
    whole += [f"{word}{ends[(at + 1) % 4]}".lower() for at, word in enumerate(words)]
    whole += [f"{starts[at % 3]}{word}" for at, word in enumerate(words)]
    samples, wanted = _named(*whole)
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-26")
def test_an_identifier_begins_with_no_other_sign(case: Case) -> None:
    """What begins with a digit or a sign that begins no identifier in Java is none."""
    refused(case, ("1a = 1", "#a = 1", "@a = 1", "\u0301a = 1"), neighbour="a1 = 1")


@asserts("3.8.1.1-27")
def test_an_identifier_may_be_long(case: Case) -> None:
    """Identifiers of any length are told apart by their last character."""
    names = ["x" * (length - 1) + end for length in (255, 256, 1_000, 10_000) for end in "ab"]
    samples, wanted = _named(*names)
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-105", variant="literal-name")
def test_names_of_literals_are_no_identifiers(case: Case) -> None:
    """NULL, TRUE and FALSE are not looked up as properties, in whatever case."""
    samples: Samples = {"zero": {"n": 0}, "one": {"n": 1}}
    texts = ("TRUE = 0", "FALSE = 0", "true = 0", "false = 0")
    seen = refused_or_never(case, samples, texts, neighbours={"n = 0": "zero"})
    expect.equal("messages chosen", seen, {**dict.fromkeys(texts, ""), "n = 0": "zero"})
    refused(case, ("NULL = 0", "null = 0", "NULL IS NULL"), neighbour="NULLS = 0")


@asserts("3.8.1.1-29")
def test_names_of_operators_are_no_identifiers(case: Case) -> None:
    """The words of the operators are not accepted as identifiers, in whatever case."""
    texts = [f"{word} = 0" for name in RESERVED for word in (name, name.lower(), name.title())]
    refused(case, texts, neighbour="INS = 0")


@asserts("3.8.1.1-108")
def test_escape_is_no_identifier(case: Case) -> None:
    """ESCAPE is not accepted as an identifier, in whatever case."""
    refused(case, ("ESCAPE = 0", "escape = 0", "Escape = 0"), neighbour="ESCAPES = 0")


@asserts("3.8.1.1-30")
def test_a_property_has_the_type_it_was_set_with(case: Case) -> None:
    """A literal of the property's own kind finds it, one of another kind with the same text does not."""
    wanted = {
        "v = 1": "byte short int long float double",
        "v = '1'": "string",
        "v = TRUE": "boolean",
        "v = 'TRUE'": "word",
        "v = 'true'": "",
    }
    expect.equal("messages chosen", chosen(case, TYPES, wanted), wanted)


@asserts("3.8.1.1-31")
def test_a_missing_property_is_null(case: Case) -> None:
    """A property that a message does not have is NULL, and is no zero and no empty text."""
    samples: Samples = {"zero": {"n": 0, "s": ""}, "none": {"other": 1}}
    wanted = {"n IS NULL": "none", "s IS NULL": "none", "n IS NOT NULL": "zero", "n = 0": "zero", "s = ''": "zero"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-32")
def test_values_are_not_converted(case: Case) -> None:
    """A property of text that reads like a number or a boolean is no number and no boolean."""
    samples: Samples = {"number": {"n": 2, "b": True}, "text": {"n": "2", "b": "true"}}
    wanted = {"n > 1": "number", "n = 2": "number", "n = '2'": "text", "b = TRUE": "number", "b": "number"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-33")
def test_identifiers_are_case_sensitive(case: Case) -> None:
    """A property is found by its name in just its case."""
    samples: Samples = {"title": {"Color": "x"}, "lower": {"color": "x"}}
    wanted = {"Color = 'x'": "title", "color = 'x'": "lower", "COLOR = 'x'": "", "COLOR IS NULL": "title lower"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-42")
def test_names_of_jmsx_are_properties(case: Case) -> None:
    """The properties whose names begin with JMSX can be selected by."""
    samples: Samples = {
        "both": {"JMSXGroupID": "g1", "JMSXGroupSeq": 2},
        "first": {"JMSXGroupID": "g1", "JMSXGroupSeq": 1},
        "other": {"JMSXGroupID": "g2", "JMSXGroupSeq": 2},
    }
    wanted = {"JMSXGroupID = 'g1' AND JMSXGroupSeq = 2": "both", "JMSXGroupID = 'g1'": "both first"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-43")
def test_other_names_are_properties(case: Case) -> None:
    """Names of providers (JMS_...) and of applications can be selected by, whether a message has them or not."""
    samples: Samples = {"one": {"region": "north", "jms": 1}, "two": {"region": "south", "jms": 2}}
    wanted = {"JMS_none_such IS NULL": "one two", "region = 'north'": "one", "jms = 2": "two", "JM = 1": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
