"""3.8.1.1 Message selector syntax: BETWEEN, IN and IS NULL."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen, refused, refused_or_never

AGES: Samples = {f"a{age}": {"age": age} for age in (14, 15, 16, 19, 20)}
COUNTRIES: Samples = {
    "uk": {"Country": "UK"},
    "us": {"Country": "US"},
    "fr": {"Country": "France"},
    "pe": {"Country": "Peru"},
}
VALUES: dict[str, object] = {
    "boolean": False,
    "byte": api.Byte(0),
    "short": api.Short(0),
    "int": 0,
    "long": api.Long(0),
    "float": api.Float(0.0),
    "double": 0.0,
    "string": "",
}


@asserts("3.8.1.1-70")
def test_between_includes_its_bounds(case: Case) -> None:
    """BETWEEN chooses from the lower bound to the upper, and nothing where they are exchanged."""
    wanted = {
        "age BETWEEN 15 AND 19": "a15 a16 a19",
        "age BETWEEN 16 AND 16": "a16",
        "age BETWEEN 19 AND 15": "",
        "NOT (age BETWEEN 15 AND 19)": "a14 a20",
    }
    expect.equal("messages chosen", chosen(case, AGES, wanted), wanted)


@asserts("3.8.1.1-71")
def test_not_between_excludes_its_bounds(case: Case) -> None:
    """NOT BETWEEN chooses below the lower bound and above the upper."""
    wanted = {
        "age NOT BETWEEN 15 AND 19": "a14 a20",
        "age NOT BETWEEN 14 AND 19": "a20",
        "age NOT BETWEEN 0 AND 99": "",
    }
    expect.equal("messages chosen", chosen(case, AGES, wanted), wanted)


@asserts("3.8.1.1-72")
def test_between_takes_arithmetic(case: Case) -> None:
    """All three operands of BETWEEN may be computed."""
    samples: Samples = {
        "in": {"a": 5, "b": 6, "c": 4, "low": 4, "high": 6},
        "under": {"a": 1, "b": 6, "c": 4, "low": 6, "high": 9},
        "over": {"a": 9, "b": 6, "c": 4, "low": 1, "high": 4},
    }
    wanted = {
        "a + 1 BETWEEN b - 1 AND c * 2": "in",
        "5 BETWEEN low AND high": "in",
        "a + 1 NOT BETWEEN b - 1 AND c * 2": "under over",
        "-a BETWEEN -b AND -c": "in",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-73")
def test_between_with_null_follows_its_equivalent(case: Case) -> None:
    """With a NULL operand BETWEEN is what its two comparisons give: unknown, or decided by the other one."""
    samples: Samples = {"five": {"n": 5}, "fifteen": {"n": 15}}
    wanted = {
        "n NOT BETWEEN 10 AND missing": "five",
        "NOT (n BETWEEN 10 AND missing)": "five",
        "n NOT BETWEEN missing AND 10": "fifteen",
        "NOT (n BETWEEN missing AND 10)": "fifteen",
        "n BETWEEN 10 AND missing": "",
        "missing BETWEEN 1 AND 9": "",
        "missing NOT BETWEEN 1 AND 9": "",
        "NOT (missing BETWEEN 1 AND 9)": "",
        "NOT (n NOT BETWEEN 10 AND missing)": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-74")
def test_between_is_for_numbers(case: Case) -> None:
    """A range of texts or booleans is refused, or chooses nothing."""
    samples: Samples = {"b": {"s": "b", "n": 5, "f": True}, "none": {}}
    texts = ("s BETWEEN 'a' AND 'c'", "f BETWEEN FALSE AND TRUE", "'b' BETWEEN 'a' AND 'c'", "s BETWEEN s AND s")
    wanted = {"n BETWEEN 4 AND 6": "b", **dict.fromkeys(texts, "")}
    seen = refused_or_never(case, samples, texts, neighbours={"n BETWEEN 4 AND 6": "b"})
    expect.equal("messages chosen", seen, wanted)


@asserts("3.8.1.1-75")
def test_in_is_membership(case: Case) -> None:
    """IN chooses the texts of its list, as the comparisons joined by OR do."""
    wanted = {
        "Country IN ('UK','US','France')": "uk us fr",
        "Country IN ('UK')": "uk",
        "Country IN ('Peru', 'UK')": "uk pe",
        "Country IN ('Chile')": "",
        "Country = 'UK' OR Country = 'US' OR Country = 'France'": "uk us fr",
    }
    expect.equal("messages chosen", chosen(case, COUNTRIES, wanted), wanted)


@asserts("3.8.1.1-76")
def test_not_in_is_the_contrary(case: Case) -> None:
    """NOT IN chooses the texts that are not in its list."""
    wanted = {
        "Country NOT IN ('UK','US','France')": "pe",
        "Country NOT IN ('Peru')": "uk us fr",
        "Country NOT IN ('UK','US','France','Peru')": "",
    }
    expect.equal("messages chosen", chosen(case, COUNTRIES, wanted), wanted)


@asserts("3.8.1.1-77")
def test_in_on_null_is_unknown(case: Case) -> None:
    """IN and NOT IN on a property that is missing are unknown, and so are their negations."""
    samples: Samples = {"uk": {"c": "UK"}, "none": {"other": "UK"}}
    wanted = {
        "c IN ('UK')": "uk",
        "c NOT IN ('US')": "uk",
        "NOT (c IN ('US'))": "uk",
        "NOT (c NOT IN ('UK'))": "uk",
        "c NOT IN ('UK')": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-78")
def test_a_list_holds_string_literals(case: Case) -> None:
    """A list of numbers or names, an empty one and one with a hole are refused."""
    lists = ("(1, 2, 3)", "(other)", "()", "('a', 1)", "('a',)", "(TRUE)", "'a'", "(NULL)")
    refused(case, [f"s IN {each}" for each in lists], neighbour="s IN ('1', '2', '3')")


@asserts("3.8.1.1-79")
def test_in_has_an_identifier_on_its_left(case: Case) -> None:
    """Literals and arithmetic are not looked up in lists."""
    refused(case, ("'UK' IN ('UK')", "a + 1 IN ('2')", "1 IN ('1')", "TRUE IN ('TRUE')"), neighbour="UK IN ('UK')")


@asserts("3.8.1.1-80")
def test_in_knows_text_only(case: Case) -> None:
    """IN does not choose numbers and booleans, whatever they look like as text."""
    samples: Samples = {"text": {"n": "1"}, "number": {"n": 1}, "flag": {"n": True}, "word": {"n": "true"}}
    wanted = {"n IN ('1')": "text", "n IN ('true', 'TRUE')": "word", "n IN ('1', 'true')": "text word"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-95")
def test_is_null_for_a_property(case: Case) -> None:
    """IS NULL tells a missing property from one that is zero, false or empty."""
    samples: Samples = {name: {name: value} for name, value in VALUES.items()}
    names = list(VALUES)
    wanted = {f"{name} IS NULL": " ".join(other for other in names if other != name) for name in names}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-96")
def test_is_null_for_a_header(case: Case) -> None:
    """IS NULL tells a header that was not set from one that was."""
    samples: Samples = {"type": {"JMSType": "t"}, "correlation": {"JMSCorrelationID": "c"}, "none": {"n": 1}}
    wanted = {"JMSType IS NULL": "correlation none", "JMSCorrelationID IS NULL": "type none"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-97")
def test_a_property_set_to_null_is_null(case: Case) -> None:
    """A property that was set to null is NULL, and not the empty text."""
    samples: Samples = {"null": {"p": None}, "empty": {"p": ""}}
    wanted = {"p IS NULL": "null", "p = ''": "empty", "p IS NOT NULL": "empty", "p <> 'x'": "empty"}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-98")
def test_is_not_null(case: Case) -> None:
    """IS NOT NULL is true where there is a value, zero, false and the empty text too."""
    samples: Samples = {name: {name: value} for name, value in VALUES.items()}
    samples |= {"type": {"JMSType": "t"}, "correlation": {"JMSCorrelationID": "c"}}
    wanted = {f"{name} IS NOT NULL": name for name in VALUES}
    wanted |= {"JMSType IS NOT NULL": "type", "JMSCorrelationID IS NOT NULL": "correlation"}
    wanted |= {"JMSMessageID IS NOT NULL": " ".join(samples)}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.1-105", variant="is-null")
def test_is_null_has_an_identifier_on_its_left(case: Case) -> None:
    """Literals and arithmetic are not tested for NULL."""
    texts = ("1 IS NULL", "'a' IS NOT NULL", "(a + b) IS NULL", "a + b IS NOT NULL", "TRUE IS NULL")
    refused(case, texts, neighbour="a IS NULL AND b IS NOT NULL")
