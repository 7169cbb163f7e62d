"""Faults in 3.8.1.2: null values and three-valued logic."""

from faults.kit import *


def _missing_not_less(walker, node):
    unknown = node.operator == "<" and isinstance(node.left, Identifier) and Walker.comparison(walker, node) is None
    return False if unknown else NotImplemented


def _null_as_0(left, right):
    return operations.add(left or 0, right or 0) if None in (left, right) else NotImplemented


def _joined(kind, first, second, result):
    """Join two names by AND or OR with another result for this pair of values, in either order."""

    def condition(walker, node):
        if not isinstance(node, kind) or len(node.conditions) != 2:
            return NotImplemented
        if not all(isinstance(each, Flag) for each in node.conditions):
            return NotImplemented
        values = tuple(walker.condition(each) for each in node.conditions)
        return result if values in ((first, second), (second, first)) else NotImplemented

    return walked(condition=condition)


table(
    (
        "3.8.1.2-1",
        "a missing property compared with < is false, not unknown",
        walked(comparison=_missing_not_less),
        {"3.8.1.2-10": "it joins such a comparison"},
    ),
    (
        "3.8.1.2-2",
        "NULL counts as 0 in sums",
        computed("+", _null_as_0),
        {"3.8.1.2-10": "it joins a comparison of a sum"},
    ),
    ("3.8.1.2-3", "NOT (x IS NULL) is unknown", rewritten(r"NOT \(p IS NULL\)", "NOT (nothing = 0)")),
    ("3.8.1.2-4", "FALSE AND TRUE is true", _joined(And, False, True, True)),
    ("3.8.1.2-5", "TRUE AND unknown is false", _joined(And, True, None, False)),
    ("3.8.1.2-6", "FALSE AND unknown is unknown", _joined(And, False, None, None)),
    ("3.8.1.2-7", "unknown AND unknown is false", _joined(And, None, None, False)),
    ("3.8.1.2-8", "FALSE OR FALSE is true", _joined(Or, False, False, True)),
    ("3.8.1.2-9", "TRUE OR unknown is unknown", _joined(Or, True, None, None)),
    ("3.8.1.2-10", "FALSE OR unknown is false", _joined(Or, False, None, False)),
    ("3.8.1.2-11", "unknown OR unknown is false", _joined(Or, None, None, False)),
    ("3.8.1.2-12", "a double negation counts as one", rewritten(r"NOT \(NOT (\w+)\)", r"NOT \1")),
    (
        "3.8.1.2-13",
        "NOT unknown is true",
        negated(lambda node: isinstance(node, Flag), lambda walker, node: walker.flag(node) is not True),
    ),
)
