"""Faults in 3.8.1.1: comparisons of values of unlike types."""

from faults.kit import *


def _text_and_number(walker, node):
    match node:
        case Comparison(TextLiteral(), "=", right) if type(walker.operand(right)) in NUMBERS:
            raise TypeError("a text and a number are not comparable")
    return NotImplemented


def _boolean_and_others(walker, node):
    match node:
        case Comparison(TruthLiteral(), "<>", right) if walker.operand(right) not in (None, TRUE, FALSE):
            return True
    return NotImplemented


def _unlike_unknown(walker, left, sign, right):
    return NotImplemented if type(left) is type(right) or operations.are_numbers(left, right) else None


table(
    (
        "3.8.1.1-55",
        "comparing a text with a number on its right fails with an error",
        walked(comparison=_text_and_number),
    ),
    ("3.8.1.1-56", "a boolean literal is unequal to values of other types", walked(comparison=_boolean_and_others)),
    ("3.8.1.1-57", "comparing unlike types is unknown", walked(compare=_unlike_unknown)),
)


def _promoted(walker, left, sign, right):
    return operations.COMPARE[sign](left, right) if operations.are_numbers(left, right) else NotImplemented


def _unlike_false(walker, left, sign, right):
    if left is None or right is None or family(left) is family(right):
        return NotImplemented
    return False


table(
    (
        "3.8.1.1-114",
        "numbers are promoted before they are compared",
        walked(base=WalkerOf10, compare=_promoted),
        {"3.8.1.1-37": "it compares JMSTimestamp, a long, with an int"},
    ),
    (
        "3.8.1.1-115",
        "comparing unlike types makes the comparison false, not the selector",
        walked(base=WalkerOf10, compare=_unlike_false),
        {
            "3.8.1.1-4": "its selectors hold such a condition too",
            "3.8.1.1-37": "it compares JMSTimestamp, a long, with an int",
        },
    ),
    version="1.0",
)


@saboteur("3.8.1.1-107", "after a text, > with a number no longer chooses anything")
def _(patch):
    spoilt = []

    def matches(tree, view):
        match tree:
            case Comparison(Identifier(name), ">", NumberLiteral()):
                if isinstance(view.get(name), str):
                    spoilt.append(tree)
                if any(tree is one for one in spoilt):
                    return False
        return Walker(view).condition(tree) is True

    matched(matches)(patch)
