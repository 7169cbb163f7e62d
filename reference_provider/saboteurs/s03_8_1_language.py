"""Faults in 3.8.1.1: identifiers, literals, syntax."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from reference_provider.broker.stored_message import StoredMessage
from reference_provider.java.numbers import wrap
from reference_provider.saboteurs.of_selectors import refused, refused_where, rewritten, seen, walked
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.selector.nodes import (
    Arithmetic,
    Comparison,
    Identifier,
    Like,
    NumberLiteral,
    TextLiteral,
)
from reference_provider.selector.operations import Value
from reference_provider.selector.values import TRUE, Truth, Wide
from reference_provider.selector.walker import Walker

# --- identifiers ---------------------------------------------------------------------------------------------------


@saboteur("3.8.1.1-24", "identifiers that begin with '$' are a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"(?:^|[\s(])\$").search)


@saboteur("3.8.1.1-25", "digits of other scripts are no part of an identifier")
def _(patch: Patch) -> None:
    refused_where(
        patch,
        lambda node: (
            isinstance(node, Identifier) and any(sign.isdecimal() and not sign.isascii() for sign in node.name)
        ),
    )


@saboteur("3.8.1.1-26", "an identifier may begin with a digit")
def _(patch: Patch) -> None:
    rewritten(patch, r"(?<![\w.$])([1-9][abc]) =", r"_\1 =")


@saboteur("3.8.1.1-27", "identifiers are cut at 255 characters")
def _(patch: Patch) -> None:
    rewritten(patch, r"(\w{255})\w+", r"\1")


@saboteur("3.8.1.1-28", "NULL is looked up as a property")
def _(patch: Patch) -> None:
    rewritten(patch, r"\bNULL =", "NULL_ =")


@saboteur("3.8.1.1-29", "IN is accepted as the name of a property")
def _(patch: Patch) -> None:
    rewritten(patch, r"\bIN =", "IN_ =")


@saboteur("3.8.1.1-108", "ESCAPE is accepted as the name of a property")
def _(patch: Patch) -> None:
    rewritten(patch, r"(?i)\bescape =", "ESCAPE_ =")


@saboteur("3.8.1.1-30", "a boolean equals its name as text")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            if operator == "=" and isinstance(left, Truth) and isinstance(right, str):
                return str(left.value).lower() == right
            return super().compare(left, operator, right)

    walked(patch, Faulty)


@saboteur("3.8.1.1-31", "a missing property equals 0")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(Identifier(name), "=", NumberLiteral(0)) if name not in self._view:
                    return True
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-32", "the text 'true' is converted to a boolean")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            if isinstance(right, Truth) and left == "true":
                left = TRUE
            return super().compare(left, operator, right)

    walked(patch, Faulty)


@saboteur("3.8.1.1-33", "identifiers are looked up whatever their case")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def identifier(self, node: Identifier) -> Value:
            found = [value for name, value in self._view.items() if name.lower() == node.name.lower()]
            return found[0] if found else None

    walked(patch, Faulty)


@saboteur("3.8.1.1-42", "names that begin with JMSX are taken for header fields and refused")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\bJMSX").search)


@saboteur("3.8.1.1-43", "names that begin with JMS_ are refused")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\bJMS_").search)


# --- literals ------------------------------------------------------------------------------------------------------

EMPTY_TEXT = "a condition of the case compares with the empty text"


@saboteur(
    "3.8.1.1-10",
    "the empty literal equals every text",
    collateral=dict.fromkeys(("3.8.1.1-31", "3.8.1.1-41", "3.8.1.1-62"), EMPTY_TEXT),
)
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(Identifier(), "=", TextLiteral("")):
                    return isinstance(self.operand(node.left), str) or super().comparison(node)
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-11", "a doubled quote that stands alone is not collapsed")
def _(patch: Patch) -> None:
    rewritten(patch, r"= ''''(?!')", "= ''''''")


@saboteur("3.8.1.1-12", "characters beyond 16 bits are cut to 16 bits")
def _(patch: Patch) -> None:
    rewritten(patch, r"[\U00010000-\U0010ffff]", lambda match: chr(ord(match[0]) & 0xFFFF))


@saboteur("3.8.1.1-13", "an explicit plus sign before digits is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"= \+\d+(?![\d.])").search)


@saboteur("3.8.1.1-14", "literals from 2 to the 62 on are read as double")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def literal(self, node: TextLiteral | NumberLiteral) -> Value:
            value = node.value
            return Wide(float(value)) if isinstance(value, Wide) and abs(value) >= 2**62 else value

    walked(patch, Faulty)


@saboteur("3.8.1.1-15", "a hexadecimal number with a capital X is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\b0X").search)


@saboteur("3.8.1.1-16", "leading zeros are ignored")
def _(patch: Patch) -> None:
    rewritten(patch, r"(?<![\w.])0+(\d+)(?![\w.])", r"\1")


@saboteur("3.8.1.1-17", "the suffix l in lower case is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"(?<![\w.])\d+l\b").search)


@saboteur("3.8.1.1-18", "an exponent with a plus sign is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\de\+\d").search)


@saboteur("3.8.1.1-19", "a number that ends with its point is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\b\d+\.(?!\d)").search)


@saboteur(
    "3.8.1.1-20",
    "a number beyond the range of float is refused",
    collateral={"3.8.1.1-67": "the way to infinity begins at such a number"},
)
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\d[eE]-?\d{3}").search)


@saboteur("3.8.1.1-21", "the suffix of double is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e\d+)?[dD]\b").search)


@saboteur("3.8.1.1-22", "a comparison with FALSE alone chooses whatever has the property")
def _(patch: Patch) -> None:
    rewritten(patch, r"^(\w+) = FALSE$", r"\1 IS NOT NULL")


@saboteur("3.8.1.1-23", "a boolean literal alone is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"^(?:TRUE|FALSE)$").search)


@saboteur("3.8.1.1-44", "a form feed is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, lambda text: "\f" in text)


@saboteur(
    "3.8.1.3-3",
    "literals of thirteen digits overflow to int",
    collateral={"3.8.1.1-37": "a time of today has thirteen digits"},
)
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def literal(self, node: TextLiteral | NumberLiteral) -> Value:
            value = node.value
            return Wide(wrap(value, 32)) if isinstance(value, Wide) and 10**12 <= value < 10**13 else value

    walked(patch, Faulty)


@saboteur("3.8.1.3-4", "fractions are computed as decimals")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def arithmetic(self, node: Arithmetic) -> Value:
            match node:
                case Arithmetic(NumberLiteral(float() as first), (("+", NumberLiteral(float() as second)),)):
                    return float(Decimal(repr(first)) + Decimal(repr(second)))
            return super().arithmetic(node)

    walked(patch, Faulty)


@saboteur("3.8.1.3-5", "comments are skipped as white space")
def _(patch: Patch) -> None:
    rewritten(patch, r"/\*.*?\*/|-- .*$", " ")


# --- syntax --------------------------------------------------------------------------------------------------------


@saboteur("3.8.1.1-5", "subtraction goes from right to left")
def _(patch: Patch) -> None:
    rewritten(patch, r"^(\w+) - (\w+) - (\w+) =", r"\1 - (\2 - \3) =")


@saboteur("3.8.1.1-6", "parentheses around OR are read and dropped")
def _(patch: Patch) -> None:
    rewritten(patch, r"^\((\w+) OR (\w+)\) AND", r"\1 OR \2 AND")


@saboteur("3.8.1.1-7", "parentheses may nest to a depth of ten")
def _(patch: Patch) -> None:
    refused(patch, lambda text: "(" * 11 in text)


@saboteur("3.8.1.1-8", "words of operators that begin with a small letter and go on with a capital are not known")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"\b(?:bE|eS)\w+").search)


@saboteur("3.8.1.1-9", "true in lower case is the name of a property")
def _(patch: Patch) -> None:
    rewritten(patch, r"(\w) = true$", r"\1 = true_")


@saboteur("3.8.1.1-48", "NOT negates all that follows")
def _(patch: Patch) -> None:
    rewritten(patch, r"^NOT (\w+) AND (\w+)$", r"NOT (\1 AND \2)")


@saboteur("3.8.1.1-49", "AND and OR are of one level, from left to right")
def _(patch: Patch) -> None:
    rewritten(patch, r"^(\w+) OR (\w+) AND (\w+)$", r"(\1 OR \2) AND \3")


@saboteur("3.8.1.1-47", "the name of a property in parentheses is no condition")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"^\(\w+\)$").search)


@saboteur("3.8.1.1-4", "a chain of more than two ANDs is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"'\w+' AND \w+ = '\w+' AND").search)


@saboteur("3.8.1.1-99", "two = in a row pass when the selector is presented")
def _(patch: Patch) -> None:
    rewritten(patch, r"= = 1$", "= 1")


@saboteur("3.8.1.1-104", "the parser stops at the first complete condition")
def _(patch: Patch) -> None:
    rewritten(patch, r"^(n = 1) n = 2$", r"\1")


@saboteur("3.8.1.1-105", "!= is accepted as <>")
def _(patch: Patch) -> None:
    rewritten(patch, r"!=", "<>")


# --- headers -------------------------------------------------------------------------------------------------------


@saboteur(
    "3.8.1.1-34",
    "JMSDeliveryMode is always NULL",
    collateral=dict.fromkeys(("3.8.1.3-1", "3.8.1.3-2"), "the case selects by the delivery mode"),
)
def _(patch: Patch) -> None:
    seen(patch, lambda values, entry: values.pop("JMSDeliveryMode"))


@saboteur("3.8.1.1-35", "JMSPriority is taken before the default is applied")
def _(patch: Patch) -> None:
    def change(values: dict[str, Any], entry: StoredMessage) -> None:
        if values["JMSPriority"] == 4:
            values["JMSPriority"] = 0

    seen(patch, change)


@saboteur("3.8.1.1-36", "JMSMessageID is compared without its prefix")
def _(patch: Patch) -> None:
    def change(values: dict[str, Any], entry: StoredMessage) -> None:
        if "JMSMessageID" in values:
            values["JMSMessageID"] = values["JMSMessageID"].removeprefix("ID:")

    seen(patch, change)


@saboteur(
    "3.8.1.1-37",
    "JMSTimestamp is compared as int",
    collateral={"3.8.1.3-3": "a condition of the case compares the timestamp"},
)
def _(patch: Patch) -> None:
    seen(patch, lambda values, entry: values.update(JMSTimestamp=Wide(wrap(values["JMSTimestamp"], 32))))


@saboteur(
    "3.8.1.1-38",
    "JMSCorrelationID is not available to =",
    collateral={
        "3.8.1-4": "a condition of the case compares the correlation id",
        "3.8.1.1-41": "a condition of the case compares the correlation id",
    },
)
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            unavailable = node.operator == "=" and node.left == Identifier("JMSCorrelationID")
            return None if unavailable else super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-39", "LIKE on JMSType ignores case")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def like(self, node: Like) -> bool | None:
            value = self._view.get(node.identifier.name)
            if node.identifier.name == "JMSType" and isinstance(value, str):
                return Walker({"JMSType": value.lower()}).like(node)
            return super().like(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-40", "JMSExpiration can be selected by, and is 0")
def _(patch: Patch) -> None:
    rewritten(patch, r"JMSExpiration", "0")


@saboteur("3.8.1.1-41", "a null JMSType equals the empty text")
def _(patch: Patch) -> None:
    rewritten(patch, r"JMSType = ''", "JMSType IS NULL")


@saboteur("3.8.1.3-1", "JMSDeliveryMode does not match patterns")
def _(patch: Patch) -> None:
    rewritten(patch, r"JMSDeliveryMode LIKE '\w+%'", "FALSE")


@saboteur("3.8.1.3-2", "JMSDeliveryMode equals both its name and its number")
def _(patch: Patch) -> None:
    numbers: Mapping[str, str] = {"1": "NON_PERSISTENT", "2": "PERSISTENT"}
    rewritten(patch, r"JMSDeliveryMode = ([12])", lambda match: f"JMSDeliveryMode = '{numbers[match[1]]}'")


@saboteur(
    "3.8.1.1-45",
    "unknown is a match where a boolean alone is asked for",
    collateral={"3.8.1.1-4": "a condition made at random in that case is a boolean alone"},
)
def _(patch: Patch) -> None:
    rewritten(patch, r"^(?!TRUE|FALSE)(\w+)$", r"\1 OR \1 IS NULL")
