"""The compiler: a selector's tree to one Python function.

Three-valued logic costs nothing this way: NOT is pushed down to the leaves (which is valid in three-valued logic), and
each leaf has a test for "is true" and one for "is false"; between them the code is two-valued. Names and literals enter
the source through `repr` only, patterns as constants, so no text of a selector is ever evaluated.

Python's own operators are used where they agree with Java's: comparing an identifier with a literal (see `safe`) and
arithmetic on moderate numbers (`fast_arithmetic`). Everything else calls `operations`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any, Final, Literal, TypeAlias

from reference_provider.selector import literals, operations
from reference_provider.selector.fast_arithmetic import fast_form
from reference_provider.selector.nodes import (
    And,
    Arithmetic,
    Between,
    Comparison,
    ComparisonOperator,
    Condition,
    Constant,
    Flag,
    Identifier,
    In,
    IsNull,
    Like,
    Not,
    NumberLiteral,
    Operand,
    Or,
    Outside,
    Signed,
    TextLiteral,
    TruthLiteral,
    names,
)
from reference_provider.selector.values import FALSE, NUMBERS, TRUE, Number, Wide
from reference_provider.selector.walker import View, Walker, evaluate, walking

Matcher: TypeAlias = Callable[[View], bool]

Test: TypeAlias = Callable[[str], str]
"""Gives the source of a test on a value, from the source of the value."""

FLIPPED: Final[dict[ComparisonOperator, ComparisonOperator]] = {
    "=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
}  # fmt: skip
"""Each comparison with its sides exchanged."""

PYTHON: Final[dict[ComparisonOperator, str]] = {"=": "==", "<>": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}

HELPERS: Final[dict[str, str]] = {
    "=": "equal", "<>": "unequal", "<": "less", ">": "greater", "<=": "less_or_equal", ">=": "greater_or_equal",
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide",
}  # fmt: skip
"""The function of `operations` behind each operator."""

NAMESPACE: Final[dict[str, Any]] = {
    **{name: getattr(operations, name) for name in [*HELPERS.values(), "negate", "plus"]},
    "NUMBERS": NUMBERS,
    "WHOLES": frozenset({int, Wide}),
    "PLAIN": frozenset({int, Wide, float}),
    "TRUE": TRUE,
    "FALSE": FALSE,
}
"""What the generated code refers to."""

WHOLE_HEADERS: Final = frozenset({"JMSPriority", "JMSTimestamp"})
_SINGLE_EXACT: Final = 2**24
_DOUBLE_EXACT: Final = 2**53
_LONGEST_CHAIN: Final = 50


def matcher(tree: Condition) -> Matcher:
    """Return the function of a selector: compiled, or a tree walk if it nests too deep for Python's compiler."""
    try:
        return compile_tree(tree)
    except (SyntaxError, RecursionError, MemoryError):
        return walking(tree)


def compile_tree(tree: Condition) -> Matcher:
    """Compile a selector to a function that returns whether it is true for a view.

    Raises:
        SyntaxError, RecursionError, MemoryError: the tree nests too deep for Python's compiler.
    """
    compiler = _Compiler()
    source = f"def matches(view):\n    return {compiler.test(tree, True)}\n"
    namespace = {**NAMESPACE, **compiler.constants}
    exec(compile(source, "<selector>", "exec"), namespace)  # noqa: S102 - generated from the tree; names and literals by repr only
    matches: Matcher = namespace["matches"]
    return matches


class _Compiler:
    """Writes the source of one selector."""

    def __init__(self) -> None:
        self.constants: dict[str, object] = {}
        self._temporaries = count()

    # Conditions: the source of a test that a node is true, or that it is false

    def test(self, node: Condition, wanted: bool) -> str:
        """Return an expression that is true if the node is `wanted`, and false if it is the opposite or unknown."""
        match node:
            case Not():
                return self.test(node.condition, not wanted)
            case And() | Or():
                return self._joined(node, wanted)
            case Constant() | Flag() | IsNull():
                return _simple_test(node, wanted)
            case Like() | In():
                return self._text_test(node, wanted)
            case _:
                return self._comparing(node, wanted)

    def _joined(self, node: And | Or, wanted: bool) -> str:
        """Join the tests of all parts: AND is false if any part is, OR is false if all are."""
        word = " and " if isinstance(node, And) is wanted else " or "
        return f"({word.join(self.test(each, wanted) for each in node.conditions)})"

    def _text_test(self, node: Like | In, wanted: bool) -> str:
        name = node.identifier.name
        if isinstance(node, In):
            texts = "{" + ", ".join(map(repr, node.texts)) + "}"
            return (
                f"view.get({name!r}) in {texts}"
                if wanted
                else self._text(name, lambda value: f"{value} not in {texts}")
            )
        return self._text(name, self._pattern_test(node, wanted))

    def _pattern_test(self, node: Like, wanted: bool) -> Test:
        pattern = literals.pattern(node.pattern, node.escape)
        text, negation = repr(pattern.text), "" if wanted else "not "
        match pattern.form:
            case "equals":
                return lambda value: f"{negation}{value} == {text}"
            case "starts":
                return lambda value: f"{negation}{value}.startswith({text})"
            case "ends":
                return lambda value: f"{negation}{value}.endswith({text})"
            case "contains":
                return lambda value: f"{negation}{text} in {value}"
            case _:
                matcher = self._constant("like", re.compile(pattern.regex, re.DOTALL).fullmatch)
                return lambda value: f"{matcher}({value}) is {'not ' if wanted else ''}None"

    def _comparing(self, node: Comparison | Between | Outside, wanted: bool) -> str:
        """Test a comparison in the cheapest suitable form."""
        if not names(node):
            return repr(evaluate(node, {}) is wanted)
        if isinstance(node, Comparison):
            return self._comparison(node, wanted)
        return self._range(node, wanted)

    def _comparison(self, node: Comparison, wanted: bool) -> str:
        left, operator, right = self._folded(node.left), node.operator, self._folded(node.right)
        if isinstance(right, Identifier) and not isinstance(left, Identifier):
            left, operator, right = right, FLIPPED[operator], left
        if isinstance(left, Identifier):
            match right:
                case TextLiteral():
                    return self._against_text(left.name, operator, repr(right.value), wanted)
                case TruthLiteral():
                    return self._against_truth(left.name, operator, right.value, wanted)
                case NumberLiteral() if safe(left.name, right.value):
                    return self._against_number(left.name, operator, right.value, wanted)
                case NumberLiteral() if isinstance(right.value, int):
                    return self._against_large(left.name, operator, right.value, wanted)
        slow = f"{HELPERS[operator]}({self._operand(left)}, {self._operand(right)}) is {wanted}"
        fast = fast_form([left, right], f"{{0}} {PYTHON[operator]} {{1}}", wanted, self._temporary)
        return slow if fast is None else f"({fast} else {slow})"

    def _against_text(self, name: str, operator: str, text: str, wanted: bool) -> str:
        """Compare with a string by = or <>; an unlike type is false for both."""
        if operator == "=":
            return (
                f"view.get({name!r}) == {text}" if wanted else self._present(name, lambda value: f"{value} != {text}")
            )
        if wanted:
            return self._text(name, lambda value: f"{value} != {text}")
        return self._present(name, lambda value: f"(type({value}) is not str or {value} == {text})")

    def _against_truth(self, name: str, operator: str, truth: bool, wanted: bool) -> str:
        """Compare with TRUE or FALSE by = or <>; an unlike type is false for both."""
        sought = "TRUE" if truth is (operator == "=") else "FALSE"
        return (
            f"view.get({name!r}) is {sought}"
            if wanted
            else self._present(name, lambda value: f"{value} is not {sought}")
        )

    def _against_number(self, name: str, operator: ComparisonOperator, number: Number, wanted: bool) -> str:
        """Compare with a number for which Python's comparison equals Java's."""
        text = plain(number)
        if operator == "=":
            return (
                f"view.get({name!r}) == {text}" if wanted else self._present(name, lambda value: f"{value} != {text}")
            )
        return self._numeric(name, lambda value: f"{value} {PYTHON[operator]} {text}", wanted)

    def _against_large(self, name: str, operator: ComparisonOperator, number: int, wanted: bool) -> str:
        """Compare with a long that a float might not hold: whole numbers directly, others by conversion."""
        value = self._temporary()
        direct = f"{value} {PYTHON[operator]} {number}"
        converted = f"{HELPERS[operator]}({value}, {number}) is {wanted}"
        return f"({direct if wanted else f'not {direct}'} if type({value} := view.get({name!r})) in WHOLES else {converted})"

    def _range(self, node: Between | Outside, wanted: bool) -> str:
        """Test a range: by two comparisons, or by one chained comparison of Python if that means the same."""
        operand, low, high = self._folded(node.operand), self._folded(node.low), self._folded(node.high)
        inside = isinstance(node, Between)
        template = "{1} <= {0} <= {2}" if inside else "({0} < {1} or {0} > {2})"
        if isinstance(operand, Identifier) and isinstance(low, NumberLiteral) and isinstance(high, NumberLiteral):
            lowest, highest = low.value, high.value
            if safe(operand.name, lowest) and safe(operand.name, highest):
                return self._numeric(
                    operand.name, lambda value: template.format(value, plain(lowest), plain(highest)), wanted
                )
        first: ComparisonOperator = ">=" if inside else "<"
        second: ComparisonOperator = "<=" if inside else ">"
        word = "and" if inside is wanted else "or"
        slow = f" {word} ".join(
            f"{HELPERS[operator]}({self._operand(operand)}, {self._operand(bound)}) is {wanted}"
            for operator, bound in ((first, low), (second, high))
        )
        fast = fast_form([operand, low, high], template, wanted, self._temporary)
        return f"({slow})" if fast is None else f"({fast} else ({slow}))"

    # Forms of tests on one name

    def _text(self, name: str, test: Test) -> str:
        """Test a String; another type is neither true nor false."""
        value = self._temporary()
        return f"(type({value} := view.get({name!r})) is str and {test(value)})"

    def _present(self, name: str, test: Test) -> str:
        """Test for a value that is not null."""
        value = self._temporary()
        return f"(({value} := view.get({name!r})) is not None and {test(value)})"

    def _numeric(self, name: str, test: Test, wanted: bool) -> str:
        """Test a number; another type compares as false, an absent value as unknown."""
        if wanted:
            value = self._temporary()
            # An int is the usual case, and asking for it first is measurably faster than the set alone.
            return f"((type({value} := view.get({name!r})) is int or type({value}) in NUMBERS) and {test(value)})"
        return self._present(name, lambda value: f"not (type({value}) in NUMBERS and {test(value)})")

    # Operands: the source of a value

    def _folded(self, node: Operand) -> Operand:
        """Compute an operand without identifiers; unknown stays."""
        if isinstance(node, (Signed, Arithmetic)) and not names(node):
            value = evaluate_operand(node)
            return node if value is None else NumberLiteral(value)
        return node

    def _operand(self, node: Operand) -> str:
        match node:
            case Identifier():
                return f"view.get({node.name!r})"
            case TextLiteral():
                return repr(node.value)
            case TruthLiteral():
                return "TRUE" if node.value else "FALSE"
            case NumberLiteral():
                return self._number(node.value)
            case Signed():
                return f"{'negate' if node.sign == '-' else 'plus'}({self._operand(node.operand)})"
            case Arithmetic():
                return self._arithmetic(node)

    def _number(self, value: Number) -> str:
        """Return a literal; as a constant if `repr` would lose its type or it has no Python literal (infinity, NaN)."""
        if type(value) is float and abs(value) < float("inf"):
            return repr(value)
        return self._constant("number", value)

    def _arithmetic(self, node: Arithmetic) -> str:
        if len(node.rest) > _LONGEST_CHAIN:
            steps = ", ".join(f"({HELPERS[operator]}, {self._operand(operand)})" for operator, operand in node.rest)
            return f"{self._constant('computed', computed)}({self._operand(node.first)}, ({steps}))"
        source = self._operand(node.first)
        for operator, operand in node.rest:
            source = f"{HELPERS[operator]}({source}, {self._operand(operand)})"
        return source

    def _constant(self, prefix: Literal["like", "number", "computed"], value: object) -> str:
        name = f"{prefix}_{len(self.constants)}"
        self.constants[name] = value
        return name

    def _temporary(self) -> str:
        return f"t{next(self._temporaries)}"


def _simple_test(node: Constant | Flag | IsNull, wanted: bool) -> str:
    match node:
        case Constant():
            return repr(node.value is wanted)
        case Flag():
            return f"view.get({node.name!r}) is {'TRUE' if wanted else 'FALSE'}"
        case IsNull():
            return f"view.get({node.identifier.name!r}) is {'' if wanted else 'not '}None"


def safe(name: str, number: Number) -> bool:
    """Return whether Python compares a number of any type with this literal as Java's promotion would.

    Java converts a long to float before it compares the two, Python compares exactly; below 2**24 there is no
    difference, and a double literal only ever meets a long, below 2**53. Of two headers the type is known.
    """
    if type(number) is float:
        return abs(number) < _DOUBLE_EXACT
    return abs(number) < _SINGLE_EXACT or (isinstance(number, int) and name in WHOLE_HEADERS)


def plain(number: Number) -> str:
    """Write a finite number as a Python literal, for any Java type."""
    return repr(float(number) if isinstance(number, float) else int(number))


def evaluate_operand(node: Operand) -> Any:  # noqa: ANN401 - a number, or None
    """Compute an operand without identifiers."""
    return Walker({}).operand(node)


def computed(value: Any, steps: tuple[tuple[Callable[[Any, Any], Any], Any], ...]) -> Any:  # noqa: ANN401 - likewise
    """Compute a long chain from left to right."""
    for operation, operand in steps:
        value = operation(value, operand)
    return value
