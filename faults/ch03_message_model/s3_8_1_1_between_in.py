"""Faults in 3.8.1.1: BETWEEN, IN and IS NULL."""

from faults.kit import *


def _at_upper_bound(walker, node):
    """Return whether the operand equals the upper bound of a range that has more than one value."""
    match node.low, node.high:
        case NumberLiteral(low), NumberLiteral(high) if low < high:
            return walker.compare(walker.operand(node.operand), "=", walker.operand(node.high)) is True
    return False


def _product_as_bound(node):
    match node:
        case Between(high=Arithmetic(rest=(("*", _),))):
            return True
    return False


def _first_two_texts(walker, node):
    return Walker.in_(walker, In(node.identifier, node.texts[:2]))


def _honest_not(kind):
    """Negate conditions of a kind as if they were not broken themselves."""
    return lambda walker, node: Walker(walker._view).not_(node) if isinstance(node.condition, kind) else NotImplemented


def _number_as_text(walker, node):
    value = walker.operand(node.identifier)
    return str(int(value)) in node.texts if type(value) is int else NotImplemented


def _double_0_is_null(walker, node):
    value = walker.operand(node.identifier)
    return True if type(value) is float and value == 0.0 else NotImplemented


def _null_as_empty_text(values, entry):
    values.update({name: "" for name, value in entry.snapshot.properties.items() if value is None})


def _not_in_missing(walker, node):
    found = walker.in_(node)
    return found is None or not found


table(
    (
        "3.8.1.1-70",
        "the upper bound of BETWEEN is exclusive",
        walked(between=lambda walker, node: False if _at_upper_bound(walker, node) else NotImplemented),
        {
            "3.8.1.1-54": "the case selects a value that equals its upper bound once it is rounded to float",
            "3.8.1.1-48": "its selectors hold such a condition too",
        },
    ),
    (
        "3.8.1.1-71",
        "NOT BETWEEN includes its upper bound",
        walked(outside=lambda walker, node: True if _at_upper_bound(walker, node) else NotImplemented),
    ),
    ("3.8.1.1-72", "a product as bound of BETWEEN is refused", refused_where(_product_as_bound)),
    (
        "3.8.1.1-73",
        "BETWEEN with a NULL operand is false",
        walked(between=lambda walker, node: False if walker.operand(node.operand) is None else NotImplemented),
    ),
    ("3.8.1.1-74", "BETWEEN accepts texts as bounds", rewritten(r"\b(\w+) BETWEEN '\w+' AND '\w+'", r"\1 IS NOT NULL")),
    ("3.8.1.1-75", "IN ignores the last of three texts", walked(in_=_first_two_texts, not_=_honest_not(In))),
    (
        "3.8.1.1-76",
        "NOT before IN is ignored for lists of three",
        negated(lambda node: isinstance(node, In) and len(node.texts) == 3, lambda walker, node: walker.in_(node)),
    ),
    (
        "3.8.1.1-77",
        "NOT IN on a missing property is true for lists of one",
        negated(lambda node: isinstance(node, In) and len(node.texts) == 1, _not_in_missing),
    ),
    ("3.8.1.1-78", "IN accepts numbers", rewritten(r"IN \((\d+)(?:, \d+)*\)", r"IN ('\1')")),
    ("3.8.1.1-79", "IN accepts a literal on its left", rewritten(r"'\w+' IN \(", "literal IN (")),
    ("3.8.1.1-80", "IN compares a number as text", walked(in_=_number_as_text)),
    ("3.8.1.1-95", "IS NULL is true for a double of 0", walked(is_null=_double_0_is_null, not_=_honest_not(IsNull))),
    ("3.8.1.1-96", "a JMSType that was not set is not NULL", rewritten(r"^JMSType IS NULL$", "FALSE")),
    ("3.8.1.1-97", "a property set to null compares as the empty text", seen(_null_as_empty_text)),
    ("3.8.1.1-98", "JMSType IS NOT NULL is always true", rewritten(r"JMSType IS NOT NULL", "TRUE")),
)
