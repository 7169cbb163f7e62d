"""Random selectors whose meaning the specification settles, over properties that `contents` puts on messages for them.

Left out is what is open: division by zero, sums beyond an int, conditions as operands, arithmetic on what is no number.
Imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

SMALL: Final = ("i", "j")
"""Small whole numbers of any whole type, `j` never 0."""
REAL: Final = ("f", "g")
"""Real numbers of either type."""
LONG: Final = ("v" * 300, "v" * 300 + "w")
"""Long names, alike in their beginning."""
TEXT: Final = ("s", "r")
FLAG: Final = ("t", "u")
TEXTS: Final = (
    "a",
    "b",
    "ab",
    "A",
    "a%b",
    "a_b",
    "x.y",
    "",
    "",
    " a",
    "a\nb",
    "it's",
    "\\",
    "\U0001f600",
    "e\u0301",
    "\xe9",
    "12",
)
"""Values of the text properties: case, wildcards, a point, a line break, a quote, composed and decomposed."""
REALS: Final = ("0.0", "0.5", "1.5", "2.00", "-7.0", "0.1", "3.00")
NUMBERS: Final = (0, 1, 2, 3, 5, 7, 8, 10, 15, -1, -7)

INVALID: Final = (
    "i =", "= 1", "i = 1 AND", "(i = 1", "i = 1)", "i == 1", "i != 1", "i = 1 && t", "NOT", "s LIKE", "s LIKE 5",
    "s LIKE 'a' ESCAPE 'ab'", "s IN ()", "s IN (1, 2)", "s IN ('a',)", "i BETWEEN 1", "i BETWEEN 1 AND", "i IS", "s = 'open",
    "1 IS NULL", "'a' LIKE 'a%'", "1 IN ('a')", "i > 1 i < 2", "2a = 1", "s LIKE r", "NULL = 1", "i = 1 -- two words",
    "ESCAPE = 1", "IN = 1", 's = "a"', "BETWEEN = 2", "i IS NULLL", "s NOT 'a'",
)  # fmt: skip
"""Texts that are no selectors."""


class Selectors:
    """Writes selectors.

    Args:
        random: Random numbers.
        messages: Sent messages by whose identifiers and timestamps a browser may select.
        earlier: Sent messages by whose identifiers any consumer may select.
    """

    def __init__(self, random: Random, messages: Sequence[str] = (), earlier: Sequence[str] = ()) -> None:
        self.random = random
        self.messages = messages
        self.earlier = earlier

    def make(self) -> str:
        """Write a selector."""
        text = self._condition(self.random.choice((0, 1, 1, 2, 3)))
        if self.random.random() < 0.15:
            text = self._spaced(text)
        return text

    def any(self) -> str:
        """Write a selector that is a single condition or two: each class of conditions as often as the others."""
        makers = (
            self._arithmetic, self._text_test, self._flag_test, self._between, self._in, self._like, self._null_test, self._header_test,
            self._number_test, self._identifier, self._unknown,
        )  # fmt: skip
        first = self.random.choice(makers)()
        if self.random.random() < 0.3:
            return f"{first} {self._word(self.random.choice(('AND', 'OR')))} {self.random.choice(makers)()}"
        return first

    def _arithmetic(self) -> str:
        operator = self.random.choice(("+ 1", "* 2", "- 3", "/ 2", "+ j"))
        return f"i {operator} {self.random.choice(('=', '<>', '<', '>', '<=', '>='))} {self.random.choice(NUMBERS)}"

    def _identifier(self) -> str:
        """Ask for the identifier or correlation of a message, an earlier one if there is one."""
        if not self.earlier or self.random.random() < 0.3:
            return self.random.choice(("JMSCorrelationID = 'text'", "JMSCorrelationID IS NOT NULL", "JMSMessageID LIKE 'ID:%'",
                                       "JMSMessageID IS NULL", "JMSCorrelationID LIKE 'ID:%'"))  # fmt: skip
        name = self.random.choice(list(self.earlier))
        header = self.random.choice(("JMSMessageID", "JMSMessageID", "JMSCorrelationID"))
        return f"{header} {self.random.choice(('=', '=', '<>'))} '{{id {name}}}'"

    def sure(self) -> str:
        """Write a selector for a consumer: one that is not about the language of selectors."""
        return self.random.choice(("i > 2", "i <= 2", "t = TRUE", "s = 'a'", "JMSPriority > 4", "s IN ('a', 'b', 'ab')", "JMSType = 'car'",
                                   "i IS NOT NULL", "u IS NULL", "f < 1.5", "i BETWEEN 1 AND 7", "s LIKE 'a%'"))  # fmt: skip

    def _condition(self, depth: int) -> str:
        roll = self.random.random()
        if depth <= 0:
            return self._test()
        if roll < 0.2:
            return f"{self._word('NOT')} {self._nested(depth - 1)}"
        if roll < 0.9:
            operator = self._word(self.random.choice(("AND", "OR")))
            left = self._condition(depth - 1) if self.random.random() < 0.4 else self._nested(depth - 1)
            return f"{left} {operator} {self._nested(depth - 1)}"
        return self._nested(depth - 1)

    def _nested(self, depth: int) -> str:
        inner = self._condition(depth)
        if depth <= 0 and self.random.random() < 0.6:
            return inner
        return f"({inner})"

    def _word(self, text: str) -> str:
        roll = self.random.random()
        return text if roll < 0.7 else text.lower() if roll < 0.9 else text.capitalize()

    def _test(self) -> str:
        makers = (
            self._number_test, self._number_test, self._text_test, self._flag_test, self._between, self._in, self._like, self._like,
            self._null_test, self._header_test, self._unlike, self._unknown,
        )  # fmt: skip
        return self.random.choice(makers)()

    def _not(self) -> str:
        return f"{self._word('NOT')} " if self.random.random() < 0.35 else ""

    # -- tests -----------------------------------------------------------------------------------------------------

    def _number_test(self) -> str:
        operator = self.random.choice(("=", "<>", "<", ">", "<=", ">="))
        if self.random.random() < 0.25:
            left = self.random.choice(("x", "l", "d", "l", "d", *LONG))
            return (
                f"{left} {operator} {self.random.choice(('l', 'd')) if self.random.random() < 0.2 else self._extreme()}"
            )
        return f"{self._number(2)} {operator} {self._number(1)}"

    def _extreme(self) -> str:
        """Write a literal at an edge; it is compared with properties of any value, never calculated with."""
        return self.random.choice(
            ("9223372036854775807", "-9223372036854775807", "9007199254740992.0", "9223372036854775807.0", "2147483648.0", "9007199254740993", "9007199254740992", "16777217", "16777216.0",
             "0.1", "0.1f", "1e300", "5e-324", "-0.0", "0", "2147483647", "0x7fffffff", "127", "3.141592653589793", "0.25")
        )  # fmt: skip

    def _number(self, depth: int) -> str:
        """Write an arithmetic expression that stays small."""
        roll = self.random.random()
        if depth <= 0 or roll < 0.45:
            return self._name(SMALL) if roll < 0.3 else self._name(REAL) if roll < 0.35 else self._literal()
        if roll < 0.55:
            sign = self.random.choice(("-", "-", "+", "- -", "+ -", "-+", "- +"))
            return f"{sign}{self._name(SMALL if roll < 0.5 else REAL)}"
        if roll < 0.65:
            return f"({self._number(depth - 1)})"
        operator = self.random.choice("+-*/")
        if operator == "/":
            divisor = self.random.choice(("2", "j", "-3", "4.0", "3", "-j"))
            return f"{self._name((*SMALL, *REAL))} / {divisor}"
        return f"{self._number(depth - 1)} {operator} {self._number(depth - 1)}"

    def _literal(self) -> str:
        number = self.random.choice(NUMBERS)
        forms = [str(number)] * 4
        if number >= 0:
            forms += [hex(number), f"0{number:o}" if number else "0", f"{number}L", f"{number}l", f"+{number}"]
            forms += [
                f"{number}.",
                f"{number}.0",
                f"{number}.5",
                f"{number}e0",
                f"{number}.0f",
                f"{number}.5F",
                f"{number}.0d",
                f"{number}D",
            ]
            forms += [f"{number * 10}E-1", f"{number}e+0", f".{number}E+1", f"0X{number:X}", f".{number}"]
        return self.random.choice(forms)

    def _text_test(self) -> str:
        operator = self.random.choice(("=", "<>"))
        return f"{self._name(TEXT)} {operator} {self._text_operand()}"

    def _text_operand(self) -> str:
        return self._name(TEXT) if self.random.random() < 0.2 else quoted(self.random.choice(TEXTS))

    def _flag_test(self) -> str:
        name = self._name(FLAG)
        if self.random.random() < 0.4:
            return f"{self._not()}{name}"
        if self.random.random() < 0.2:
            return self._word(self.random.choice(("TRUE", "FALSE")))
        return f"{name} {self.random.choice(('=', '<>'))} {self._word(self.random.choice(('TRUE', 'FALSE')))}"

    def _between(self) -> str:
        return f"{self._number(1)} {self._not()}{self._word('BETWEEN')} {self._number(1)} {self._word('AND')} {self._number(1)}"

    def _in(self) -> str:
        listed = [quoted(self.random.choice(TEXTS)) for _ in range(self.random.choice((1, 2, 3, 3, 4)))]
        name = self.random.choice((*TEXT, *TEXT, *TEXT, "i", "t", "JMSType", "none"))
        return f"{name} {self._not()}{self._word('IN')} ({', '.join(listed)})"

    def _like(self) -> str:
        name = self.random.choice((*TEXT, *TEXT, *TEXT, "i", "f", "t", "JMSType", "JMSCorrelationID", "none"))
        pattern = self.random.choice(
            ("%", "a%", "%b", "a_b", "_", "_", "__", "%.%", "x.y", "a", "%a%", "", "a%b", "_%", "%\n%", "a!%b", "a!_b", "!%%", "\\", "a\\%b",
             "%_%", "%e\u0301", "12", "1%", "true", "%5%")
        )  # fmt: skip
        escape = ""
        if "!" in pattern:
            mark = self.random.choice("!\\z^")
            pattern, escape = pattern.replace("!", mark), f" {self._word('ESCAPE')} {quoted(mark)}"
        return f"{name} {self._not()}{self._word('LIKE')} {quoted(pattern)}{escape}"

    def _null_test(self) -> str:
        name = self.random.choice(
            (*TEXT, *FLAG, *SMALL, *REAL, "none", "JMSType", "JMSCorrelationID", "x", "JMSXGroupID")
        )
        return f"{name} {self._word('IS')} {self._not()}{self._word('NULL')}"

    def _header_test(self) -> str:
        options = [
            f"JMSPriority {self.random.choice(('=', '<>', '<', '>', '<=', '>='))} {self.random.randrange(10)}",
            f"JMSDeliveryMode {self.random.choice(('=', '<>'))} {quoted(self.random.choice(('PERSISTENT', 'NON_PERSISTENT')))}",
            f"JMSType {self.random.choice(('=', '<>'))} {quoted(self.random.choice(('car', 'Car', '', ' t ')))}",
            f"JMSCorrelationID = {quoted(self.random.choice(('text', 'ID:7', '')))}",
            "JMSTimestamp > 0",
            f"JMSXGroupID = {quoted('g')}",
            f"JMSXGroupSeq {self.random.choice(('=', '>'))} 2",
            "JMSMessageID LIKE 'ID:%'",
        ]
        if self.messages:
            name = self.random.choice(list(self.messages))
            operator = self.random.choice(("=", "<>"))
            options += [
                f"JMSMessageID {operator} '{{id {name}}}'",
                f"JMSTimestamp {self.random.choice(('=', '<', '>='))} {{time {name}}}",
            ]
        return self.random.choice(options)

    def _unlike(self) -> str:
        """Compare values of unlike types, which is false (3.8.1.1-55)."""
        return self.random.choice(
            ("i = 'a'", "i <> 'a'", "s = 5", "s <> 5", "t = 'true'", "t <> 'true'", "t <> 1", "s <> TRUE", "JMSPriority = '4'",
             "JMSDeliveryMode = 2", "JMSType = 1", "NOT (i = 'a')", "NOT (s <> 5)", "NOT (t = 1)")
        )  # fmt: skip

    def _unknown(self) -> str:
        """Join conditions of known and unknown values, and negate that, so that false and unknown differ."""
        known = ("none = 1", "none > 2", "none LIKE 'a'", "none IN ('a')", "none BETWEEN 1 AND 2", "TRUE", "FALSE", "t")
        choose = self.random.choice
        return f"{choose(('NOT ', 'NOT ', ''))}({choose(known)} {choose(('AND', 'OR'))} {choose(known)})"

    def _name(self, names: Sequence[str]) -> str:
        return self.random.choice(names) if self.random.random() < 0.93 else "none"

    def _spaced(self, text: str) -> str:
        if "'" in text:
            return text
        blank = self.random.choice(("  ", "\t", "\n", "\f", "\r\n"))
        return text.replace(" ", blank, 2)


def quoted(text: str) -> str:
    """Write a string literal."""
    return "'" + text.replace("'", "''") + "'"
