"""Helpers for faults in selectors, and the tables that declare such faults.

Each helper returns a fault: a function that binds to the fault point SELECTOR_COMPILED in a patch. Nothing here reads or
fills the cache of compiled selectors, so a fault ends with its patch.
"""

import re
from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.seams import *
from reference_provider.selector.nodes import names

Compile = Callable[[str, str], Selector | None]

RANDOM = "a random condition of that case has the same form"
"""Reason for collateral."""


def table(*rows, **settings):
    """Declare the saboteurs of a table: row of the catalogue, title, fault, and its collateral if it has some."""
    for assertion, title, fault, *collateral in rows:
        saboteur(assertion, title, collateral=dict(*collateral), **settings)(fault)


# --- how selectors are compiled and evaluated ------------------------------------------------------------------------


def _compiled_by(compiled):
    return lambda patch: patch.at(fault_points.SELECTOR_COMPILED, compiled)


def rewritten(pattern, replacement):
    """Replace each occurrence of `pattern` in the text of a selector."""
    return _compiled_by(lambda original, text, version: original(re.sub(pattern, replacement, text), version))


def each_rewritten(*pairs):
    """Replace each occurrence of the first of each pair, a pattern, by the second."""

    def rewrite(text):
        for pattern, replacement in pairs:
            text = re.sub(pattern, replacement, text)
        return text

    return _compiled_by(lambda original, text, version: original(rewrite(text), version))


def outside_literals(pattern, replacement):
    """Replace each occurrence of `pattern` that is not within a string literal."""
    parts = re.compile(rf"('(?:[^']|'')*')|{pattern}")
    return rewritten(parts.pattern, lambda found: found[1] or found.expand(replacement))


def refused(pattern):
    """Refuse selectors whose text contains `pattern`."""

    def compiled(original, text, version):
        if re.search(pattern, text):
            raise invalid(text, "refused by a saboteur", 0)
        return original(text, version)

    return _compiled_by(compiled)


def refused_where(offence):
    """Refuse selectors with a node for which `offence` is true."""

    def compiled(original, text, version):
        selector = original(text, version)
        if selector is not None and any(offence(node) for node in _nodes_of(selector.tree)):
            raise invalid(text, "refused by a saboteur", 0)
        return selector

    return _compiled_by(compiled)


def _nodes_of(tree):
    found = [tree]
    for node in found:
        found.extend(parts(node))
    return found


def matched(matches):
    """Let `matches` decide which messages a selector chooses."""

    def compiled(original, text, version):
        tree = parse(text, version)
        return Selector(text, tree, names(tree), lambda view: matches(tree, view))

    return _compiled_by(compiled)


def seen(change):
    """Show selectors other values; `change` gets a copy of them, and the message."""

    def fault(patch):

        def selection(original, entry):
            values = dict(original(entry))
            change(values, entry)
            return values

        patch.at(fault_points.VALUES_SELECTED, selection)

    return fault


# --- how the walker evaluates nodes ----------------------------------------------------------------------------------


def walked(*, base=Walker, **steps):
    """Evaluate selectors by a walker some of whose methods are replaced.

    A step is named after the method of `Walker` and gets the walker and the method's arguments. It returns NotImplemented
    to leave the node to the honest method.
    """
    faulty = type("Faulty", (base,), {name: _step(getattr(base, name), step) for name, step in steps.items()})

    def matches(tree, view):
        try:
            return faulty(view).condition(tree) is True
        except UnlikeTypes:
            return False

    return matched(matches)


def _step(honest, step):
    def method(walker, *arguments):
        result = step(walker, *arguments)
        return honest(walker, *arguments) if result is NotImplemented else result

    return method


def compared(operator, left_type, right_type, other):
    """Evaluate one operator between values of two types as another operator, or by a function."""

    def compare(walker, left, sign, right):
        if (sign, type(left), type(right)) != (operator, left_type, right_type):
            return NotImplemented
        return operations.COMPARE[other](left, right) if isinstance(other, str) else other(left, right)

    return walked(compare=compare)


def computed(operator, compute):
    """Compute two operands by `compute`, which returns NotImplemented to leave them to the honest way."""

    def arithmetic(walker, node):
        value = walker.operand(node.first)
        for sign, operand in node.rest:
            other = walker.operand(operand)
            result = compute(value, other) if sign == operator else NotImplemented
            value = operations.COMPUTE[sign](value, other) if result is NotImplemented else result
        return value

    return walked(arithmetic=arithmetic)


def negated(when, evaluate):
    """Evaluate the negation of some conditions by `evaluate`, which gets the walker and the condition."""

    def not_(walker, node):
        return evaluate(walker, node.condition) if when(node.condition) else NotImplemented

    return walked(not_=not_)


def liked(when, match):
    """Match some patterns by `match`, which gets the pattern and the text."""

    def like(walker, node):
        value = walker.operand(node.identifier)
        return match(node.pattern, value) if isinstance(value, str) and when(node) else NotImplemented

    return walked(like=like)


def regex_of(pattern, escape=None):
    """Return the regular expression of a LIKE pattern."""
    return literals.pattern(pattern, escape).regex


def is_like(pattern, text, escape=None):
    """Return whether a text matches a LIKE pattern."""
    return re.fullmatch(regex_of(pattern, escape), text, re.DOTALL) is not None
